//! Passes over the filled tables: each reads them and writes one column or one kind of row.

mod alias_circles;
mod errors;
mod fields;
mod method_names;
mod names;
mod pagination;
mod paths;
mod prune;
mod recursion;
mod resources;
mod roles;
mod safety;
mod union_strategy;

use base::Place;
use tungsten_ir::{Ir, Origin};

pub(crate) use alias_circles::alias_circles;
pub(crate) use errors::errors;
pub(crate) use fields::fields;
pub(crate) use names::numbered;
pub(crate) use pagination::pagination;
pub(crate) use prune::prune;
pub(crate) use recursion::recursion;
pub(crate) use resources::{TagDoc, resources};
pub(crate) use roles::roles;
pub(crate) use safety::safety;
pub(crate) use union_strategy::union_strategy;

/// Where a row comes from, for a diagnostic.
pub(crate) fn place(ir: &Ir, origin: Origin) -> Place {
    let pointer = origin.pointer.map_or("", |id| ir.text(id).untrusted());
    Place::at(origin.source, pointer, (origin.offset, origin.offset))
}
