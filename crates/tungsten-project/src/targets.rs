//! The table of targets: a row for each name that a manifest may configure without an external emitter.

use tungsten_emit::{Input, OptionValue, Output, RawOption};
use tungsten_ir::{NameOptions, Profile};
use tungsten_manifest::{Raw, RawEntry};

/// Version of the generator, as it stands in every generated file.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A target that this version can emit.
pub struct Emitter {
    /// Casing and reserved words of the language.
    pub profile: &'static Profile,
    /// What the target asks of the naming pass; the argument is `naming.fields.preserve_wire_names_in_ts`.
    pub name_options: fn(bool) -> NameOptions<'static>,
    pub emit: fn(&Input<'_>) -> Output,
}

/// The emitter of a built-in target; nothing for one that has none yet (TG0702).
pub fn emitter(target: &str) -> Option<Emitter> {
    match target {
        "typescript" => Some(Emitter {
            profile: &tungsten_ir::profile::TYPESCRIPT,
            name_options: tungsten_emit_typescript::name_options,
            emit: tungsten_emit_typescript::emit,
        }),
        _ => None,
    }
}

/// A target's options as emitters take them.
pub fn raw_options(entries: &[RawEntry]) -> Vec<RawOption> {
    entries.iter().map(raw_option).collect()
}

fn raw_option(entry: &RawEntry) -> RawOption {
    RawOption { key: entry.key.clone(), value: option_value(&entry.value), place: entry.place.clone() }
}

/// Recursion ends at the depth that the parser checked (`limits::DEPTH`).
fn option_value(value: &Raw) -> OptionValue {
    match value {
        Raw::Null => OptionValue::Null,
        Raw::Bool(value) => OptionValue::Bool(*value),
        Raw::Number(text) => OptionValue::Number(text.clone()),
        Raw::Text(text) => OptionValue::Text(text.clone()),
        Raw::List(items) => OptionValue::List(items.iter().map(option_value).collect()),
        Raw::Map(entries) => OptionValue::Map(raw_options(entries)),
    }
}
