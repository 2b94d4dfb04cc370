//! Which members an object must have beside those that its fields call required: what rules of its type ask for.
//!
//! Reads a type's rules; returns names. Of several forms (`anyOf`, `oneOf`) the first is asked for.

use base::Sym;
use tungsten_ir::{Rule, Shape, TypeId, Types};

/// Types within types that are followed.
const DEPTH: u32 = 8;

/// Names that rules of a type ask for.
pub(crate) fn demanded(types: &Types, ty: TypeId) -> Vec<Sym> {
    let mut names = Vec::new();
    by_rules(types, ty, DEPTH, &mut names);
    names
}

fn by_rules(types: &Types, ty: TypeId, depth: u32, names: &mut Vec<Sym>) {
    for &rule in types.rules.rows.slice(types.judged[ty].rules) {
        match rule {
            Rule::Required { names: asked } => names.extend_from_slice(types.rules.names.slice(asked)),
            Rule::NeedsNames { name, names: asked } if names.contains(&name) => {
                names.extend_from_slice(types.rules.names.slice(asked));
            }
            Rule::All { members } => {
                for &member in types.members.slice(members) {
                    whole(types, member, depth, names);
                }
            }
            Rule::Any { members } | Rule::One { members } => {
                if let Some(&first) = types.members.slice(members).first() {
                    whole(types, first, depth, names);
                }
            }
            _ => {}
        }
    }
}

/// Names that a type asks for by its fields and by its rules.
fn whole(types: &Types, ty: TypeId, depth: u32, names: &mut Vec<Sym>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match types.rows[ty].shape {
        Shape::Record { fields, .. } => {
            names.extend(types.fields.slice(fields).iter().filter(|field| field.required).map(|field| field.name));
        }
        Shape::Alias { target } => whole(types, target, depth, names),
        _ => {}
    }
    by_rules(types, ty, depth, names);
}
