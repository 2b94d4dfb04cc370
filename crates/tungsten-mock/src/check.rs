//! Whether a value is one of a type, as an API would judge it.
//!
//! Reads the IR through `tungsten-validate`, in the practical reading, formats included.

use serde_json::Value;
use tungsten_ir::TypeId;
use tungsten_validate::{Options, Reading};

pub(crate) use tungsten_validate::{Direction, Problem};

use crate::world::World;

/// Checks a value.
pub(crate) fn check(world: &World, ty: TypeId, value: &Value, direction: Direction) -> Result<(), Problem> {
    let options = Options { reading: Reading::Practical, direction: Some(direction), formats: true };
    tungsten_validate::check(&world.ir, &world.patterns, ty, value, options)
}
