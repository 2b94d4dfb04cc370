//! Which operations a project means: those it compiles, those it plans, those that need a credential that no document
//! states.
//!
//! Reads a project's filters and operations as they stand in documents; answers for one operation at a time, before it is
//! lowered, and reports the names of a filter that nothing had (TG0603 for operations, TG0604 for tags and paths).

use std::collections::BTreeSet;

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Diags};
use base_doc::{Kind, Value};

use crate::declared::DeclaredAuth;
use crate::keywords as kw;
use crate::operations::without_names;
use crate::overrides::{Filter, Named, Plain, Selection};

/// What filters ask about: an operation that is not lowered yet.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'c, 'a> {
    pub(crate) namespace: &'c str,
    /// The stated id, or the one that would be made.
    pub(crate) id: &'c str,
    /// The key of its path item.
    pub(crate) path: &'c str,
    pub(crate) operation: Value<'a>,
}

/// What becomes of an operation, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    Callable,
    Planned(String),
    LeftOut(String),
}

/// What a project says about single operations.
pub(crate) struct Project<'o> {
    pub(crate) selector: Selector<'o>,
    pub(crate) auth: DeclaredAuth<'o>,
}

/// The selections of a project.
pub(crate) struct Selector<'o> {
    rows: Vec<SelectorRow<'o>>,
}

struct SelectorRow<'o> {
    namespaces: &'o [String],
    include: Option<Matcher<'o>>,
    planned_from: Option<Matcher<'o>>,
}

impl<'o> Selector<'o> {
    pub(crate) fn new(selections: &'o [Selection]) -> Self {
        let row = |selection: &'o Selection| SelectorRow {
            namespaces: &selection.namespaces,
            include: selection.include.as_ref().map(Matcher::new),
            planned_from: selection.planned_from.as_ref().map(Matcher::new),
        };
        Self { rows: selections.iter().map(row).collect() }
    }

    /// Whether a project says something about the operations of a namespace.
    pub(crate) fn selects(&self, namespace: &str) -> bool {
        self.rows.iter().any(|row| row.is_for(namespace))
    }

    pub(crate) fn choose(&mut self, candidate: &Candidate<'_, '_>) -> Choice {
        let Some(row) = self.rows.iter_mut().find(|row| row.is_for(candidate.namespace)) else {
            return Choice::Callable;
        };
        let not_included = row.include.as_mut().and_then(|include| include.miss(candidate));
        let is_planned = row.planned_from.as_mut().map(|planned| planned.miss(candidate).is_none());
        let why_planned = || row.planned_from.as_ref().map_or_else(String::new, Matcher::why);
        match (row.include.is_some(), not_included, is_planned) {
            (false, _, Some(true)) | (true, Some(_), Some(true)) => Choice::Planned(why_planned()),
            (true, Some(why), _) => Choice::LeftOut(why),
            _ => Choice::Callable,
        }
    }

    /// Reports the names that no operation had. A filter of the whole manifest may stand in several rows: its names are
    /// met when they are met in one of them, and reported once.
    pub(crate) fn report(&self, diags: &mut Diags) {
        let matchers = || self.rows.iter().flat_map(|row| row.include.iter().chain(&row.planned_from));
        let mut known: BTreeSet<&str> = matchers().flat_map(Matcher::met).collect();
        for matcher in matchers() {
            matcher.report(&mut known, diags);
        }
    }
}

impl SelectorRow<'_> {
    fn is_for(&self, namespace: &str) -> bool {
        self.namespaces.iter().any(|known| known == namespace)
    }
}

/// A filter, and which of its names were met.
pub(crate) struct Matcher<'o> {
    filter: &'o Filter,
    operations: Names<'o>,
    tags: Names<'o>,
    paths: Names<'o>,
    /// By path of the filter: its segments, placeholders without their names.
    prefixes: Vec<Vec<String>>,
}

struct Names<'o> {
    list: &'o [Named],
    is_met: Vec<bool>,
    /// What the operations had instead, for suggestions.
    known: Vec<String>,
}

impl<'o> Names<'o> {
    fn new(list: &'o [Named]) -> Self {
        Self { list, is_met: vec![false; list.len()], known: Vec::new() }
    }

    /// Whether one of the names is met; all that are, are noted.
    fn meet(&mut self, mut is_it: impl FnMut(usize, &str) -> bool) -> bool {
        let mut is_any = self.list.is_empty();
        for (index, named) in self.list.iter().enumerate() {
            if is_it(index, &named.name) {
                self.is_met[index] = true;
                is_any = true;
            }
        }
        is_any
    }

    fn note(&mut self, known: &str) {
        if !self.list.is_empty() && self.known.last().is_none_or(|last| last != known) {
            self.known.push(known.to_owned());
        }
    }

    fn met(&self) -> impl Iterator<Item = &'o str> {
        self.list.iter().zip(&self.is_met).filter(|(_, is_met)| **is_met).map(|(named, _)| named.place.pointer.as_str())
    }

    /// Reports the names that were not met, but for those at the pointers of `known`, to which they are added.
    fn report(&self, code: Code, what: &str, known: &mut BTreeSet<&'o str>, diags: &mut Diags) {
        for (named, _) in self.list.iter().zip(&self.is_met).filter(|(_, is_met)| !**is_met) {
            if !known.insert(&named.place.pointer) {
                continue;
            }
            let message = format!("{what} {}", quoted(&named.name));
            diags.report(code, named.place.clone(), message).help =
                did_you_mean(&named.name, self.known.iter().map(String::as_str));
        }
    }
}

impl<'o> Matcher<'o> {
    pub(crate) fn new(filter: &'o Filter) -> Self {
        Self {
            filter,
            operations: Names::new(&filter.operations),
            tags: Names::new(&filter.tags),
            paths: Names::new(&filter.paths),
            prefixes: filter.paths.iter().map(|path| segments(&path.name)).collect(),
        }
    }

    /// Why an operation is not meant; nothing when it is. Every part is asked, so that all names that are met are noted.
    pub(crate) fn miss(&mut self, candidate: &Candidate<'_, '_>) -> Option<String> {
        let Candidate { namespace, id, path, operation } = *candidate;
        let by_extension = self.extension_miss(operation);
        let full = || format!("{namespace}.{id}");
        if !self.operations.list.is_empty() {
            self.operations.note(&full());
        }
        let is_named = self.operations.meet(|_, name| {
            name == id || name.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('.')) == Some(id)
        });
        let has_tag = self.has_tag(operation);
        let is_below = self.is_below(path);
        by_extension
            .or_else(|| (!is_named).then(|| "the list of operations does not name it".to_owned()))
            .or_else(|| (!has_tag).then(|| "it has none of the tags".to_owned()))
            .or_else(|| (!is_below).then(|| "its path is below none of the paths".to_owned()))
    }

    fn extension_miss(&self, operation: Value<'_>) -> Option<String> {
        let (name, wanted) = self.filter.extension.as_ref()?;
        let found = extension(operation, name);
        let has_value = found.is_some_and(|value| is_plain(value, wanted));
        (!has_value).then(|| match found {
            None => format!("it has no {}", quoted(name)),
            Some(_) => format!("its {} is not {}", quoted(name), phrase(wanted)),
        })
    }

    fn has_tag(&mut self, operation: Value<'_>) -> bool {
        if self.tags.list.is_empty() {
            return true;
        }
        let tags: Vec<&str> =
            operation.get(kw::TAGS).into_iter().flat_map(Value::children).filter_map(Value::as_str).collect();
        for tag in &tags {
            self.tags.note(tag);
        }
        self.tags.meet(|_, name| tags.contains(&name))
    }

    fn is_below(&mut self, path: &str) -> bool {
        if self.paths.list.is_empty() {
            return true;
        }
        self.paths.note(path);
        let own = segments(path);
        let prefixes = &self.prefixes;
        self.paths.meet(|index, _| own.starts_with(&prefixes[index]))
    }

    /// What makes an operation one that is meant.
    fn why(&self) -> String {
        match &self.filter.extension {
            Some((name, value)) => format!("its {} is {}", quoted(name), phrase(value)),
            None => "the project plans it".to_owned(),
        }
    }

    /// Pointers of the names that were met.
    fn met(&self) -> impl Iterator<Item = &'o str> {
        self.operations.met().chain(self.tags.met()).chain(self.paths.met())
    }

    pub(crate) fn report(&self, known: &mut BTreeSet<&'o str>, diags: &mut Diags) {
        self.operations.report(Code::TG0603, "no operation has the id", known, diags);
        self.tags.report(Code::TG0604, "no operation has the tag", known, diags);
        self.paths.report(Code::TG0604, "no operation has a path below", known, diags);
    }
}

/// The segments of a path template, its placeholders without names, without a query string.
fn segments(path: &str) -> Vec<String> {
    let shape = without_names(path.split(['?', '#']).next().unwrap_or_default());
    shape.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// An extension of an operation, looked up by its text: a manifest may name one that no document has.
pub(crate) fn extension<'a>(operation: Value<'a>, name: &str) -> Option<Value<'a>> {
    operation.set().keys.find(name).and_then(|key| operation.get(key))
}

/// Whether a value of a document is one of a manifest. Numbers are compared by value. Recursion is bounded by the depth
/// that documents may have.
fn is_plain(value: Value<'_>, wanted: &Plain) -> bool {
    match wanted {
        Plain::Null => value.is_null(),
        Plain::Bool(wanted) => value.as_bool() == Some(*wanted),
        Plain::Number(wanted) => value.as_number().is_some_and(|number| {
            number == wanted || crate::values::number_key(number) == crate::values::number_key(wanted)
        }),
        Plain::Text(wanted) => value.as_str() == Some(wanted),
        Plain::List(items) => {
            value.kind() == Kind::Array
                && value.n_children() == items.len()
                && value.children().zip(items).all(|(value, wanted)| is_plain(value, wanted))
        }
        Plain::Map(members) => {
            let member = |name: &str| value.children().find(|member| member.key_text() == Some(name));
            value.kind() == Kind::Object
                && value.n_children() == members.len()
                && members.iter().all(|(name, wanted)| member(name).is_some_and(|value| is_plain(value, wanted)))
        }
    }
}

/// A value for the end of a message.
fn phrase(value: &Plain) -> String {
    match value {
        Plain::Null => "`null`".to_owned(),
        Plain::Bool(value) => format!("`{value}`"),
        Plain::Number(text) | Plain::Text(text) => quoted(text),
        Plain::List(_) => "the list that the manifest has".to_owned(),
        Plain::Map(_) => "the object that the manifest has".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::segments;

    #[test]
    fn paths_are_compared_by_segment() {
        assert_eq!(segments("/v1/pets/{petId}/"), ["v1", "pets", "{}"]);
        assert_eq!(segments("/pets?x={y}"), ["pets"]);
        assert!(segments("/v1/pets-all").starts_with(&segments("/v1")));
        assert!(!segments("/v1/pets-all").starts_with(&segments("/v1/pets")));
        assert!(segments("/").is_empty());
    }
}
