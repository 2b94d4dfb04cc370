//! Every description of the shared corpus: compiled, verified, its diagnostics counted by code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::source::{Access, OpenError};
use base::{Source, SourceId, limits};
use base_doc::{Kind, Value};
use tungsten_frontend::{Compiled, InputRequest, LoadError, Loader, Request, compile};
use tungsten_ir::{Ir, Origin, Shape, TypeId};

/// Files below a folder. A test may read the disk; the crate may not.
pub struct Folder(pub PathBuf);

impl Loader for Folder {
    fn load(&self, path: &str) -> Result<Source, LoadError> {
        Source::open(&self.0.join(path), path, limits::FILE_BYTES, Access::Read).map_err(|error| match error {
            OpenError::NotAFile => LoadError::NotAFile,
            OpenError::TooLarge(n_bytes) => LoadError::TooLarge(n_bytes),
            OpenError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => LoadError::NotFound,
            OpenError::Io(error) => LoadError::Other(error.to_string()),
        })
    }
}

/// The folder of published descriptions, where it is at hand.
pub fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TUNGSTEN_SHARED").map_or(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The `entry` and `entries` of the list, relative to it.
fn entries(list: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in list.lines() {
        if let Some((key, value)) = line.split_once(" = ")
            && matches!(key, "entry" | "entries")
        {
            out.extend(value.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
    out
}

#[test]
fn every_description_compiles() {
    let Some(shared) = shared() else {
        println!("skipped: no ../shared");
        return;
    };
    let corpus = shared.join("corpus");
    let list = std::fs::read_to_string(corpus.join("CORPUS.toml")).expect("the corpus has a list");
    let entries = entries(&list);
    assert!(entries.len() > 31, "the list names its entries");
    for entry in entries {
        let (folder, spec) = entry.split_once('/').expect("an entry stands in a folder");
        let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: spec.to_owned() }];
        let request = Request { api_name: "corpus".to_owned(), inputs, ..Request::default() };
        let compiled = compile(&request, &Folder(corpus.join(folder)));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for one in compiled.diags.clone().finish(&compiled.sources) {
            *counts.entry(one.code.name()).or_default() += 1;
        }
        let stats = compiled.stats;
        println!("{entry}: {} types, {} operations, {counts:?}", stats.n_types, stats.n_ops);
        match &compiled.ir {
            Some(ir) => {
                let faults = tungsten_ir::verify_frozen(ir, compiled.diags.has_errors());
                assert_eq!(faults, [""; 0], "{entry}");
                assert_eq!(silently_any(&compiled, ir), [""; 0], "{entry}");
            }
            None => assert!(counts.contains_key("TG0103"), "{entry} is refused for its version or not at all"),
        }
    }
}

#[test]
fn a_stated_type_that_is_lost_is_found() {
    let yaml = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\ncomponents:\n  schemas:\n    A: { type: strin }\n    B: { type: object, required: [b] }\n    C: { type: array }\n    D: { properties: { d: { type: [text] } } }\n";
    let mut compiled = crate::describe::document(yaml);
    let ir = compiled.ir.take().expect("compiled");
    assert_eq!(silently_any(&compiled, &ir), [""; 0]);
    compiled.diags.retain(|_| false);
    let expect = ["/components/schemas/A", "/components/schemas/D/properties/d"];
    let mut found = silently_any(&compiled, &ir);
    found.sort();
    assert_eq!(found, expect);
}

/// Places of schemas that state a `type` and whose type admits any value, without a finding about types there or below.
///
/// A schema may imply rows that stand where it does (items that nobody describes): they count only when no row of the
/// place has a type. A property has a place of its own, so it is asked by its field.
fn silently_any(compiled: &Compiled, ir: &Ir) -> Vec<String> {
    let is_open = |ty: TypeId| {
        let (ty, _) = ir.types.without_null(ty);
        matches!(ir.types.rows[ty].shape, Shape::Any | Shape::Unknown)
    };
    let mut open: BTreeMap<(SourceId, u32), bool> = BTreeMap::new();
    let mut note = |origin: Origin, is_open: bool| {
        let all = open.entry((origin.source, origin.offset)).or_insert(true);
        *all &= is_open;
    };
    // What only rules refer to has no type and needs none.
    let is_operand = |ty: TypeId| ir.types.rows[ty].shape == Shape::Any && !ir.types.judged[ty].rules.is_empty();
    for (ty, row) in ir.types.rows.iter().filter(|(ty, _)| !ir.pruned[*ty] && !is_operand(*ty)) {
        note(row.origin, is_open(ty));
        if let Shape::Record { fields, .. } = row.shape {
            for field in ir.types.fields.slice(fields) {
                note(field.origin, is_open(field.ty));
            }
        }
    }
    let mut silent = Vec::new();
    for (id, doc) in compiled.docs.docs.iter() {
        let wanted = |offset: u32| open.get(&(doc.source_id(), offset)).copied() == Some(true);
        let mut pending: Vec<Value<'_>> = vec![compiled.docs.root(id)];
        while let Some(value) = pending.pop() {
            pending.extend(value.children());
            let stated = compiled.docs.keys.find("type").and_then(|key| value.get(key));
            let states_type = stated.is_some_and(|ty| matches!(ty.kind(), Kind::String | Kind::Array));
            if !states_type || !wanted(doc.offset(value.at().node)) {
                continue;
            }
            let pointer = value.pointer();
            let is_told = compiled.diags.iter().any(|one| {
                one.code.name().starts_with("TG03")
                    && one.place.source == Some(doc.source_id())
                    && one.place.pointer.starts_with(&pointer)
            });
            if !is_told {
                silent.push(pointer);
            }
        }
    }
    silent
}
