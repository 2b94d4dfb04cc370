//! Which values a query selects. Each step is taken from a budget, so that the work of any query over any document is
//! bounded; the depth of calls is that of the query, which its parser bounds.

use std::cmp::Ordering;

use base::Sym;
use base::limits::JSON_PATH_VISITS;
use regex::Regex;

use super::ast::{Comparison, Operand, Query, Segment, Selector, Test};
use super::iregexp;
use crate::doc::Kind;
use crate::tree::{Tree, TreeId};

/// A query looked at more values than it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverBudget;

/// What one query may still look at.
#[derive(Clone, Copy, Debug)]
pub struct Visits {
    left: usize,
}

impl Visits {
    /// A budget of `n_visits` values.
    pub fn new(n_visits: usize) -> Self {
        Self { left: n_visits }
    }

    pub fn left(self) -> usize {
        self.left
    }

    fn take(&mut self, n_visits: usize) -> Result<(), OverBudget> {
        self.left = self.left.checked_sub(n_visits).ok_or(OverBudget)?;
        Ok(())
    }
}

impl Default for Visits {
    /// The budget of a query of an overlay.
    fn default() -> Self {
        Self::new(JSON_PATH_VISITS)
    }
}

/// Steps past a sibling cost less than a visit.
const SIBLINGS_PER_VISIT: usize = 16;
/// Bytes of text that cost a visit.
const BYTES_PER_VISIT: usize = 32;
/// Compiling an expression costs as many visits.
const COMPILE_VISITS: usize = 2_000;
/// Compiled expressions that are kept; a query of an overlay has one or two.
const KEPT_REGEXES: usize = 16;

pub(super) fn select(query: &Query, tree: &Tree<'_>, visits: &mut Visits) -> Result<Vec<TreeId>, OverBudget> {
    Evaluation { tree, visits, regexes: Vec::new() }.query(query, tree.root())
}

struct Evaluation<'t, 'd> {
    tree: &'t Tree<'d>,
    visits: &'t mut Visits,
    regexes: Vec<(String, bool, Option<Regex>)>,
}

/// What an operand is at one place.
#[derive(Clone, Copy)]
enum Found<'a> {
    Nothing,
    At(TreeId),
    Null,
    Bool(bool),
    Number(&'a str),
    Count(usize),
    String(&'a str),
}

impl<'t> Evaluation<'t, '_> {
    fn query(&mut self, query: &Query, current: TreeId) -> Result<Vec<TreeId>, OverBudget> {
        let mut found = vec![if query.is_absolute { self.tree.root() } else { current }];
        for segment in &query.segments {
            let mut next = Vec::new();
            for at in found {
                self.segment(segment, at, &mut next)?;
            }
            found = next;
        }
        Ok(found)
    }

    fn segment(&mut self, segment: &Segment, at: TreeId, out: &mut Vec<TreeId>) -> Result<(), OverBudget> {
        if !segment.descends {
            return self.selectors(segment, at, out);
        }
        let tree = self.tree;
        for at in tree.within(at) {
            self.visits.take(1)?;
            self.selectors(segment, at, out)?;
        }
        Ok(())
    }

    fn selectors(&mut self, segment: &Segment, at: TreeId, out: &mut Vec<TreeId>) -> Result<(), OverBudget> {
        segment.selectors.iter().try_for_each(|selector| self.selector(selector, at, out))
    }

    fn selector(&mut self, selector: &Selector, at: TreeId, out: &mut Vec<TreeId>) -> Result<(), OverBudget> {
        let tree = self.tree;
        match (selector, tree.kind(at)) {
            (Selector::Name(name), Kind::Object) => {
                self.visits.take(1 + tree.n_children(at) / SIBLINGS_PER_VISIT)?;
                out.extend(tree.keys().find(name).and_then(|key| tree.get(at, key)));
            }
            (Selector::Index(index), Kind::Array) => {
                self.visits.take(1 + tree.n_children(at) / SIBLINGS_PER_VISIT)?;
                let place = from_start(*index, tree.n_children(at));
                out.extend(usize::try_from(place).ok().and_then(|place| tree.children(at).nth(place)));
            }
            (Selector::Slice { start, end, step }, Kind::Array) => self.slice(at, (*start, *end, *step), out)?,
            (Selector::Wildcard, _) => {
                self.visits.take(tree.n_children(at))?;
                out.extend(tree.children(at));
            }
            (Selector::Filter(test), _) => {
                for child in tree.children(at) {
                    self.visits.take(1)?;
                    if self.holds(test, child)? {
                        out.push(child);
                    }
                }
            }
            _ => self.visits.take(1)?,
        }
        Ok(())
    }

    /// RFC 9535, section 2.3.4.2.2.
    fn slice(
        &mut self,
        at: TreeId,
        (start, end, step): (Option<i64>, Option<i64>, i64),
        out: &mut Vec<TreeId>,
    ) -> Result<(), OverBudget> {
        self.visits.take(1 + self.tree.n_children(at))?;
        let items: Vec<TreeId> = self.tree.children(at).collect();
        let len = items.len() as i64;
        let bound = |index: Option<i64>, default: i64, low: i64, high: i64| {
            index.map_or(default, |index| from_start(index, items.len()).clamp(low, high))
        };
        if step > 0 {
            let (mut index, upper) = (bound(start, 0, 0, len), bound(end, len, 0, len));
            while index < upper {
                out.push(items[index as usize]);
                index = index.saturating_add(step);
            }
        } else if step < 0 {
            let (mut index, lower) = (bound(start, len - 1, -1, len - 1), bound(end, -1, -1, len - 1));
            while index > lower {
                out.push(items[index as usize]);
                index = index.saturating_add(step);
            }
        }
        Ok(())
    }

    fn holds(&mut self, condition: &Test, at: TreeId) -> Result<bool, OverBudget> {
        match condition {
            Test::Any(tests) => {
                for one in tests {
                    if self.holds(one, at)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::All(tests) => {
                for one in tests {
                    if !self.holds(one, at)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Test::Not(inner) => Ok(!self.holds(inner, at)?),
            Test::Exists(query) => {
                self.visits.take(1)?;
                Ok(!self.query(query, at)?.is_empty())
            }
            Test::Compare(left, comparison, right) => {
                let (left, right) = (self.operand(left, at)?, self.operand(right, at)?);
                self.compare(left, *comparison, right)
            }
            Test::Matches { text, pattern, is_whole } => {
                let (text, pattern) = (self.operand(text, at)?, self.operand(pattern, at)?);
                match (self.string(text), self.string(pattern)) {
                    (Some(text), Some(pattern)) => self.matches(text, pattern, *is_whole),
                    _ => Ok(false),
                }
            }
        }
    }

    fn operand<'a>(&mut self, operand: &'a Operand, at: TreeId) -> Result<Found<'a>, OverBudget> {
        Ok(match operand {
            Operand::Null => Found::Null,
            Operand::Bool(value) => Found::Bool(*value),
            Operand::Number(text) => Found::Number(text),
            Operand::String(text) => Found::String(text),
            Operand::Singular(query) => self.query(query, at)?.first().map_or(Found::Nothing, |&at| Found::At(at)),
            Operand::Value(query) => match self.query(query, at)?.as_slice() {
                [one] => Found::At(*one),
                _ => Found::Nothing,
            },
            Operand::Count(query) => Found::Count(self.query(query, at)?.len()),
            Operand::Length(operand) => {
                let found = self.operand(operand, at)?;
                self.length(found)?
            }
        })
    }

    fn length(&mut self, found: Found<'_>) -> Result<Found<'static>, OverBudget> {
        if let Some(text) = self.string(found) {
            self.visits.take(text.len() / BYTES_PER_VISIT)?;
            return Ok(Found::Count(text.chars().count()));
        }
        let tree = self.tree;
        Ok(match found {
            Found::At(at) if matches!(tree.kind(at), Kind::Array | Kind::Object) => Found::Count(tree.n_children(at)),
            _ => Found::Nothing,
        })
    }

    fn string<'a>(&self, found: Found<'a>) -> Option<&'a str>
    where
        't: 'a,
    {
        match found {
            Found::String(text) => Some(text),
            Found::At(at) => self.tree.as_str(at),
            _ => None,
        }
    }

    fn matches(&mut self, text: &str, pattern: &str, is_whole: bool) -> Result<bool, OverBudget> {
        self.visits.take(1 + (text.len() + pattern.len()) / BYTES_PER_VISIT)?;
        let kept = self.regexes.iter().position(|(kept, whole, _)| kept == pattern && *whole == is_whole);
        let index = match kept {
            Some(index) => index,
            None => {
                self.visits.take(COMPILE_VISITS)?;
                if self.regexes.len() == KEPT_REGEXES {
                    self.regexes.remove(0);
                }
                self.regexes.push((pattern.to_owned(), is_whole, iregexp::compile(pattern, is_whole)));
                self.regexes.len() - 1
            }
        };
        Ok(self.regexes[index].2.as_ref().is_some_and(|regex| regex.is_match(text)))
    }

    fn compare(&mut self, left: Found<'_>, comparison: Comparison, right: Found<'_>) -> Result<bool, OverBudget> {
        self.visits.take(1)?;
        let is_less = |evaluation: &Self, a, b| evaluation.order(a, b) == Some(Ordering::Less);
        Ok(match comparison {
            Comparison::Equal => self.equal(left, right)?,
            Comparison::NotEqual => !self.equal(left, right)?,
            Comparison::Less => is_less(self, left, right),
            Comparison::Greater => is_less(self, right, left),
            Comparison::LessOrEqual => is_less(self, left, right) || self.equal(left, right)?,
            Comparison::GreaterOrEqual => is_less(self, right, left) || self.equal(left, right)?,
        })
    }

    /// Numbers and strings are ordered, nothing else.
    fn order(&self, left: Found<'_>, right: Found<'_>) -> Option<Ordering> {
        match (self.scalar(left), self.scalar(right)) {
            (Found::String(a), Found::String(b)) => Some(a.cmp(b)),
            (Found::Count(a), Found::Count(b)) => Some(a.cmp(&b)),
            (Found::Count(a), Found::Number(b)) => order_numbers(&a.to_string(), b),
            (Found::Number(a), Found::Count(b)) => order_numbers(a, &b.to_string()),
            (Found::Number(a), Found::Number(b)) => order_numbers(a, b),
            _ => None,
        }
    }

    fn equal(&mut self, left: Found<'_>, right: Found<'_>) -> Result<bool, OverBudget> {
        let (left, right) = (self.scalar(left), self.scalar(right));
        Ok(match (left, right) {
            (Found::At(a), Found::At(b)) => self.equal_trees(a, b)?,
            (Found::Nothing, Found::Nothing) | (Found::Null, Found::Null) => true,
            (Found::Bool(a), Found::Bool(b)) => a == b,
            _ => self.order(left, right) == Some(Ordering::Equal),
        })
    }

    /// What a place holds, when it is no container.
    fn scalar<'a>(&self, found: Found<'a>) -> Found<'a>
    where
        't: 'a,
    {
        let Found::At(at) = found else { return found };
        match self.tree.kind(at) {
            Kind::Null => Found::Null,
            Kind::Bool => self.tree.as_bool(at).map_or(found, Found::Bool),
            Kind::Number => self.tree.as_number(at).map_or(found, Found::Number),
            Kind::String => self.tree.as_str(at).map_or(found, Found::String),
            Kind::Array | Kind::Object => found,
        }
    }

    /// Whether two containers have the same content; the order of members does not count.
    fn equal_trees(&mut self, left: TreeId, right: TreeId) -> Result<bool, OverBudget> {
        let tree = self.tree;
        let mut pairs = vec![(left, right)];
        while let Some((left, right)) = pairs.pop() {
            self.visits.take(1)?;
            let (a, b) = (self.scalar(Found::At(left)), self.scalar(Found::At(right)));
            if !matches!((a, b), (Found::At(_), Found::At(_))) {
                if !self.equal(a, b)? {
                    return Ok(false);
                }
                continue;
            }
            if tree.kind(left) != tree.kind(right) || tree.n_children(left) != tree.n_children(right) {
                return Ok(false);
            }
            if tree.kind(left) == Kind::Array {
                pairs.extend(tree.children(left).zip(tree.children(right)));
                continue;
            }
            for member in tree.children(left) {
                self.visits.take(1 + tree.n_children(right) / SIBLINGS_PER_VISIT)?;
                match tree.key(member).and_then(|key: Sym| tree.get(right, key)) {
                    Some(other) => pairs.push((member, other)),
                    None => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

/// An index that may count from the end, counted from the start.
fn from_start(index: i64, len: usize) -> i64 {
    if index < 0 { index.saturating_add(len as i64) } else { index }
}

/// Two numbers in JSON's spelling: integers exactly, others as doubles.
fn order_numbers(a: &str, b: &str) -> Option<Ordering> {
    if let (Ok(a), Ok(b)) = (a.parse::<i128>(), b.parse::<i128>()) {
        return Some(a.cmp(&b));
    }
    a.parse::<f64>().ok()?.partial_cmp(&b.parse::<f64>().ok()?)
}
