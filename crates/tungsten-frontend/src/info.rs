//! What a document says about itself and its tags: people, terms, licence, documentation, groups of operations.
//!
//! Reads `info`, `tags`, `externalDocs`, `$self` and `jsonSchemaDialect` of an entry document; writes one row a namespace and one a
//! tag. Title and version are read by `version`; members of the wrong kind are reported by `oddities`.

use base::diag::quoted;
use base::{Code, Sym, TextId};
use base_doc::{Kind, Value};
use tungsten_ir::{Contact, Doc, Info, License, Tag};

use crate::keywords as kw;
use crate::lookup::{Map, Set};
use crate::lower::Lowering;

/// Beginnings of dialects whose schemas are read as they are meant.
const DIALECTS: [&str; 3] = [
    "https://spec.openapis.org/oas/3.1/",
    "https://spec.openapis.org/oas/3.2/",
    "https://json-schema.org/draft/2020-12/schema",
];

impl<'a> Lowering<'a> {
    pub(crate) fn info(&mut self, root: Value<'a>) -> Info {
        self.check_dialect(root);
        let external = root.get(kw::EXTERNAL_DOCS).filter(|docs| docs.kind() == Kind::Object);
        let mut doc = Doc::default();
        if let Some(external) = external {
            (doc.external, doc.external_description) = self.external_docs(external);
        }
        let uri = self.plain_text(Some(root), kw::SELF);
        let Some(info) = root.get(kw::INFO) else { return Info { uri, doc, ..Info::default() } };
        doc.summary = self.plain_text(Some(info), kw::SUMMARY);
        doc.description = self.plain_text(Some(info), kw::DESCRIPTION);
        let (contact, license) = (info.get(kw::CONTACT), info.get(kw::LICENSE));
        Info {
            uri,
            doc,
            terms_of_service: self.plain_text(Some(info), kw::TERMS_OF_SERVICE),
            contact: Contact {
                name: self.plain_text(contact, kw::NAME),
                url: self.plain_text(contact, kw::URL),
                email: self.plain_text(contact, kw::EMAIL),
            },
            license: License {
                name: self.plain_text(license, kw::NAME),
                identifier: self.plain_text(license, kw::IDENTIFIER),
                url: self.plain_text(license, kw::URL),
            },
        }
    }

    fn plain_text(&mut self, owner: Option<Value<'a>>, key: Sym) -> Option<TextId> {
        let text = owner?.get(key).filter(|text| text.as_str().is_some())?;
        self.text_of(text)
    }

    fn check_dialect(&mut self, root: Value<'a>) {
        let Some(value) = root.get(kw::JSON_SCHEMA_DIALECT) else { return };
        let Some(dialect) = value.as_str().filter(|text| !DIALECTS.iter().any(|known| text.starts_with(known))) else {
            return;
        };
        let message = format!("the dialect {} is not known; schemas are read as JSON Schema 2020-12", quoted(dialect));
        self.report(Code::TG0303, value, message);
    }

    /// Adds the tags that a document declares.
    pub(crate) fn tags(&mut self, root: Value<'a>) {
        let Some(tags) = root.get(kw::TAGS) else { return };
        if tags.kind() != Kind::Array {
            let message = format!("`tags` is {}, not a list; it is ignored", tags.kind().phrase());
            self.report(Code::TG0110, tags, message);
            return;
        }
        let mut parents: Map<Sym, (Sym, Value<'a>)> = Map::default();
        let mut declared: Vec<(Sym, Option<Value<'a>>)> = Vec::with_capacity(tags.n_children());
        for tag in tags.children() {
            let Some(name) = tag.get(kw::NAME).and_then(Value::as_str) else {
                let at = tag.get(kw::NAME).unwrap_or(tag);
                self.report(Code::TG0110, at, "a tag without a text as its `name` is ignored");
                continue;
            };
            let (name, doc) = (self.name(name), self.doc_of(tag));
            let parent_at = tag.get(kw::PARENT).filter(|parent| parent.as_str().is_some());
            let parent = parent_at.and_then(Value::as_str).map(|text| self.name(text));
            let kind = tag.get(kw::KIND).and_then(Value::as_str).map(|text| self.name(text));
            self.ir.tags.push(Tag { namespace: self.namespace, name, doc, parent, kind });
            if let (Some(parent), Some(at)) = (parent, parent_at) {
                parents.entry(name).or_insert((parent, at));
            }
            declared.push((name, parent_at));
        }
        self.check_parents(&declared, &parents);
    }

    /// Reports parents that no tag declares, and circles of parents, each once.
    fn check_parents(&mut self, declared: &[(Sym, Option<Value<'a>>)], parents: &Map<Sym, (Sym, Value<'a>)>) {
        let names: Set<Sym> = declared.iter().map(|(name, _)| *name).collect();
        let mut done: Set<Sym> = Set::default();
        for &(name, at) in declared {
            let Some((&(parent, _), at)) = parents.get(&name).zip(at) else { continue };
            if !names.contains(&parent) {
                let parent = quoted(self.ir.names.resolve(parent));
                self.report(Code::TG0110, at, format!("no tag is named {parent}; the parent is kept as it is written"));
                continue;
            }
            let mut way: Set<Sym> = Set::default();
            let mut next = Some(name);
            while let Some(tag) = next.filter(|tag| !done.contains(tag)) {
                if !way.insert(tag) {
                    self.report(Code::TG0110, at, "the parents of the tag lead back to it");
                    break;
                }
                next = parents.get(&tag).map(|(parent, _)| *parent);
            }
            done.extend(way);
        }
    }
}
