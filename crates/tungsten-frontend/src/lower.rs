//! What every part of the lowering shares: the documents, the tables that are filled, findings and small readers.
//!
//! Reads documents and resolved references; writes the IR. Schemas are lowered by `schema` and its parts, operations by
//! `operations` and its parts; both through this one struct.

use base::{Code, Diagnostic, Id, Sym, TextId, TextPool};
use base_doc::{DocId, DocSet, Value};
use tungsten_ir::{Doc, Ir, Literal, NamespaceId, Origin, ValueId};

use crate::findings::Findings;
use crate::keywords as kw;
use crate::refs::{Reference, Refs};
use crate::schema::TypeState;
use crate::values;
use crate::version::Dialect;

pub(crate) struct Lowering<'a> {
    pub(crate) docs: &'a DocSet,
    pub(crate) refs: &'a Refs,
    /// The path of each document, relative to the input root.
    pub(crate) paths: &'a [String],
    pub(crate) ir: Ir,
    pub(crate) findings: Findings,
    /// The namespace that is being lowered.
    pub(crate) namespace: NamespaceId,
    /// The dialect of the namespace's entry document.
    pub(crate) entry_dialect: Dialect,
    /// The dialect that each document states for itself; fragments state none.
    pub(crate) dialects: Vec<Option<Dialect>>,
    pub(crate) types: TypeState<'a>,
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(docs: &'a DocSet, refs: &'a Refs, paths: &'a [String]) -> Self {
        let sources = docs.docs.rows().iter().map(|doc| doc.source().clone());
        let ir = Ir { names: docs.keys.clone(), texts: TextPool::over(sources), ..Ir::default() };
        let dialects = docs.docs.ids().map(|doc| crate::version::stated(docs.root(doc))).collect();
        Self {
            docs,
            refs,
            paths,
            ir,
            findings: Findings::default(),
            namespace: NamespaceId::from_index(0),
            entry_dialect: Dialect::V31,
            dialects,
            types: TypeState::new(docs),
        }
    }

    /// Follows a chain of references to the value behind it; a value that is no reference is its own answer. Nothing
    /// when the chain is broken, which was reported.
    pub(crate) fn follow(&self, value: Value<'a>) -> Option<Value<'a>> {
        let mut at = value.at();
        for _ in 0..=base::limits::REF_CHAIN {
            match self.refs.get(at) {
                Reference::No => return Some(self.docs.value(at)),
                Reference::To(target) => at = target,
                Reference::Broken => return None,
            }
        }
        None
    }

    pub(crate) fn dialect_of(&self, doc: DocId) -> Dialect {
        self.dialects[doc.index()].unwrap_or(self.entry_dialect)
    }

    /// Reports a finding at a value; returns it for a help text.
    pub(crate) fn report(&mut self, code: Code, value: Value<'a>, message: impl Into<String>) -> &mut Diagnostic {
        self.findings.report(code, value.at(), message)
    }

    /// Names a second place that the last finding is about.
    pub(crate) fn relate(&mut self, value: Value<'a>, why: impl Into<String>) {
        self.findings.relate(value.at(), why);
    }

    pub(crate) fn text(&mut self, text: &str) -> TextId {
        self.ir.texts.push(text)
    }

    /// The text of a string member, kept as prose; nothing for another kind or an empty text. In whole documents another
    /// kind is reported by `oddities`, in fragments here.
    pub(crate) fn text_of(&mut self, value: Value<'a>) -> Option<TextId> {
        if value.as_str().is_none() && self.dialects[value.at().doc.index()].is_none() {
            let key = base::diag::quoted(value.key_text().unwrap_or_default());
            let message = format!("{key} should be a text and is {}; it is ignored", value.kind().phrase());
            self.report(Code::TG0508, value, message);
        }
        value.as_str().filter(|text| !text.is_empty()).map(|text| self.ir.texts.push(text))
    }

    pub(crate) fn name(&mut self, text: &str) -> Sym {
        self.ir.names.intern(text)
    }

    /// Copies a value into the IR.
    pub(crate) fn value(&mut self, value: Value<'a>) -> ValueId {
        values::keep(&mut self.ir, value)
    }

    /// Refers to a value where it stands.
    #[allow(clippy::unused_self, reason = "called like its neighbours")]
    pub(crate) fn literal(&self, value: Value<'a>) -> Literal {
        values::literal(value)
    }

    /// What people wrote about an object: `title` or `summary`, `description`, `externalDocs`.
    pub(crate) fn doc_of(&mut self, value: Value<'a>) -> Doc {
        let mut doc = Doc::default();
        for member in value.children() {
            match member.key() {
                Some(kw::TITLE | kw::SUMMARY) => doc.summary = self.text_of(member),
                Some(kw::DESCRIPTION) => doc.description = self.text_of(member),
                Some(kw::EXTERNAL_DOCS) => doc.external = self.external_docs(member),
                _ => {}
            }
        }
        doc
    }

    pub(crate) fn external_docs(&mut self, value: Value<'a>) -> Option<TextId> {
        value.get(kw::URL).and_then(|url| self.text_of(url))
    }

    /// Where a row comes from, without a pointer.
    #[allow(clippy::unused_self, reason = "called like its neighbours")]
    pub(crate) fn origin(&self, value: Value<'a>) -> Origin {
        Origin { source: value.source_id(), offset: value.doc().offset(value.at().node), pointer: None }
    }
}
