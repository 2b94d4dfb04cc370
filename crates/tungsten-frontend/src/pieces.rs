//! The schemas that together say what one type is: `allOf` members, reference targets, the schema around them.
//!
//! Reads documents and references; writes a flat list in the order in which members count, bases first. Iterative, each
//! schema once, within the budget of one merge and of all merges.

use base::{Code, limits};
use base_doc::{Kind, NodeRef, Value};
use smallvec::SmallVec;

use crate::keywords as kw;
use crate::lookup::Set;
use crate::lower::Lowering;
use crate::refs::Reference;
use crate::version::Dialect;

/// A schema, or a part of what it says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Piece {
    pub(crate) at: NodeRef,
    pub(crate) part: Part,
}

pub(crate) type Pieces = SmallVec<[Piece; 2]>;

/// Which keywords of a schema count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    /// All, and what `allOf` and `$ref` bring in.
    Whole,
    /// All but `allOf` and `$ref`.
    Own,
    /// `oneOf`, `anyOf` and their discriminator.
    Union,
    /// All but `allOf`, `$ref`, `oneOf`, `anyOf` and the discriminator.
    Rest,
    /// Title, description and the like.
    Annotations,
}

impl Piece {
    pub(crate) fn whole(at: NodeRef) -> Self {
        Self { at, part: Part::Whole }
    }

    pub(crate) fn is_whole(self) -> bool {
        self.part == Part::Whole
    }
}

/// A schema of a flat list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    pub(crate) at: NodeRef,
    pub(crate) part: Part,
    /// Whether it was written here and not reached through a reference: only then its description is the type's.
    pub(crate) own: bool,
    /// Whether a schema around it admits null whatever its members say.
    pub(crate) null_waived: bool,
}

impl<'a> Lowering<'a> {
    /// All schemas behind `roots`; the last root's are its own. Nothing when a budget is exceeded, which is reported.
    pub(crate) fn flatten(&mut self, roots: &[Piece]) -> Option<Vec<Flat>> {
        let mut out = Vec::new();
        let mut seen: Set<(NodeRef, Part)> = Set::default();
        let mut stack: Vec<Flat> = Vec::new();
        for (index, root) in roots.iter().enumerate().rev() {
            stack.push(Flat { at: root.at, part: root.part, own: index + 1 == roots.len(), null_waived: false });
        }
        let mut n_read = 0;
        while let Some(flat) = stack.pop() {
            // A member that is a reference counts with its target.
            n_read += usize::from(flat.part == Part::Whole && self.refs.get(flat.at) == Reference::No);
            let at = roots.last().map_or(flat.at, |root| root.at);
            if n_read > limits::ALL_OF_MEMBERS + roots.len() {
                let message = format!("the `allOf` would read more than {} schemas", limits::ALL_OF_MEMBERS);
                self.findings.report(Code::TG0105, at, message);
                return None;
            }
            if !self.within_merge_budget(1, at) {
                return None;
            }
            if flat.part != Part::Whole {
                out.push(flat);
                continue;
            }
            if !seen.insert((flat.at, flat.part)) {
                continue;
            }
            self.expand(flat, &mut stack);
        }
        Some(out)
    }

    /// Counts schemas that are merged. False when all merges together are over their budget, which is reported once.
    pub(crate) fn within_merge_budget(&mut self, n_schemas: usize, at: NodeRef) -> bool {
        let was_within = self.types.n_merged <= limits::MERGED_SCHEMAS;
        self.types.n_merged += n_schemas;
        let is_within = self.types.n_merged <= limits::MERGED_SCHEMAS;
        if was_within && !is_within {
            let message = format!("all `allOf`s together would read more than {} schemas", limits::MERGED_SCHEMAS);
            self.findings.report(Code::TG0105, at, message);
        }
        is_within
    }

    /// Puts a schema's own part and its members on the stack, so that they come off it in the order in which they count.
    fn expand(&mut self, flat: Flat, stack: &mut Vec<Flat>) {
        let value = self.docs.value(flat.at);
        let reference = self.refs.get(flat.at);
        let target = |target: NodeRef| Flat { at: target, part: Part::Whole, own: false, ..flat };
        if reference != Reference::No && self.dialect_of(flat.at.doc) == Dialect::V30 {
            self.report_ignored_siblings(value);
            stack.push(Flat { part: Part::Annotations, ..flat });
            if let Reference::To(at) = reference {
                stack.push(target(at));
            }
            return;
        }
        stack.push(Flat { part: Part::Own, ..flat });
        if let Some(members) = value.get(kw::ALL_OF) {
            let first = stack.len();
            let null_waived = flat.null_waived || is_untyped_nullable(value);
            let members = members.children().map(|member| Flat { at: member.at(), null_waived, ..flat });
            stack.extend(members);
            stack[first..].reverse();
        }
        if let Reference::To(at) = reference {
            stack.push(target(at));
        }
    }

    pub(crate) fn report_ignored_siblings(&mut self, value: Value<'a>) {
        let ignored: SmallVec<[Value<'a>; 4]> = value
            .children()
            .filter(|member| !member.key().is_some_and(is_annotation) && member.key() != Some(kw::REF))
            .filter(|member| member.key_text().is_some_and(|key| !key.starts_with("x-")))
            .collect();
        let Some(first) = ignored.first() else { return };
        let names: Vec<String> = ignored.iter().filter_map(|one| one.key_text()).map(base::diag::quoted).collect();
        let verb = if names.len() == 1 { "has" } else { "have" };
        let message = format!("{} beside `$ref` {verb} no effect in OpenAPI 3.0", names.join(", "));
        self.findings.report_key(Code::TG0303, first.at(), message);
    }

    /// The one reference that a schema only decorates with a title, a description and the like, and the schemas that
    /// hold the decoration.
    pub(crate) fn wrapped(&self, value: Value<'a>) -> Option<(Value<'a>, SmallVec<[Flat; 2]>)> {
        let mut inner: Option<Value<'a>> = None;
        let mut holders: SmallVec<[Flat; 2]> = SmallVec::new();
        let refers = |value: Value<'a>| matches!(self.refs.get(value.at()), Reference::To(_));
        let annotations = |at: NodeRef| Flat { at, part: Part::Annotations, own: true, null_waived: false };
        if refers(value) && self.dialect_of(value.at().doc) == Dialect::V30 {
            holders.push(annotations(value.at()));
            return Some((value, holders));
        }
        for member in value.children() {
            match member.key() {
                Some(kw::REF | kw::DYNAMIC_REF | kw::RECURSIVE_REF) if refers(value) && inner.is_none() => {
                    inner = Some(value);
                }
                Some(kw::ALL_OF) if member.kind() == Kind::Array && inner.is_none() => {
                    for part in member.children() {
                        if refers(part) && self.is_plain_reference(part.at()) && inner.is_none() {
                            inner = Some(part);
                        } else if !refers(part) && is_decoration(part) {
                            holders.push(annotations(part.at()));
                        } else {
                            return None;
                        }
                    }
                }
                Some(kw::NULLABLE) => {}
                Some(kw::TYPE) if member.as_str() == Some("object") => {}
                Some(key) if is_annotation(key) => {}
                _ if member.key_text().is_some_and(|key| key.starts_with("x-")) => {}
                _ => return None,
            }
        }
        let inner = inner?;
        holders.push(annotations(value.at()));
        Some((inner, holders))
    }
}

/// `nullable` without a type admits null whatever the other keywords say.
fn is_untyped_nullable(value: Value<'_>) -> bool {
    value.get(kw::NULLABLE).and_then(Value::as_bool) == Some(true) && value.get(kw::TYPE).is_none()
}

/// Whether a schema says nothing about values.
fn is_decoration(value: Value<'_>) -> bool {
    value.kind() == Kind::Object
        && value.children().all(|member| {
            member.key().is_some_and(is_annotation) || member.key_text().is_some_and(|key| key.starts_with("x-"))
        })
}

/// Keywords that describe a schema and admit or refuse no value.
pub(crate) fn is_annotation(key: base::Sym) -> bool {
    matches!(
        key,
        kw::TITLE
            | kw::DESCRIPTION
            | kw::SUMMARY
            | kw::DEPRECATED
            | kw::DEFAULT
            | kw::EXAMPLE
            | kw::EXAMPLES
            | kw::READ_ONLY
            | kw::WRITE_ONLY
            | kw::EXTERNAL_DOCS
            | kw::XML
            | kw::COMMENT
            | kw::ID
            | kw::ANCHOR
            | kw::DYNAMIC_ANCHOR
            | kw::RECURSIVE_ANCHOR
            | kw::SCHEMA_URI
            | kw::VOCABULARY
            | kw::DEFS
            | kw::DEFINITIONS
    )
}
