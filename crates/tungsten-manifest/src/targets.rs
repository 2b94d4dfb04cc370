//! Targets: the built-in names, the shape of option tables, and the rules between targets.
//!
//! Reads the targets of a manifest; writes diagnostics (TG0602, TG0612). The tables of options and their check are in
//! `tungsten-project` and in the emitters; here tables only extend the schema and the reference page.

use std::borrow::Cow;

use base::Code;

use crate::forms::TargetName;
use crate::reader::{Cx, Map, list};
use crate::tungsten_yml::Target;

/// A target that needs no external emitter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltInTarget {
    pub name: &'static str,
    /// What the command line accepts for it too.
    pub alias: Option<&'static str>,
}

/// All built-in targets, in order of name.
pub const BUILT_IN_TARGETS: &[BuiltInTarget] = &[
    BuiltInTarget { name: "docs", alias: None },
    BuiltInTarget { name: "mcp", alias: None },
    BuiltInTarget { name: "mock", alias: None },
    BuiltInTarget { name: "python", alias: Some("py") },
    BuiltInTarget { name: "rust", alias: Some("rs") },
    BuiltInTarget { name: "typescript", alias: Some("ts") },
    BuiltInTarget { name: "webmcp", alias: None },
];

/// The name of a target that the command line means by a word: an alias stands for its target, another word for itself.
pub fn resolve_alias(word: &str) -> &str {
    BUILT_IN_TARGETS.iter().find(|target| target.alias == Some(word)).map_or(word, |target| target.name)
}

/// The options of one target, as schema and reference page show them.
#[derive(Clone, Debug)]
pub struct OptionTable {
    /// Name of a built-in target.
    pub target: &'static str,
    /// Whether this version generates the target.
    pub has_emitter: bool,
    pub rows: Cow<'static, [OptionRow]>,
}

/// One option of a target.
#[derive(Clone, Debug)]
pub struct OptionRow {
    pub name: &'static str,
    pub kind: OptionKind,
    /// What holds without the option, in words for people: `` `<api-kebab>-sdk` ``.
    pub default: &'static str,
    /// One sentence.
    pub doc: &'static str,
}

/// What the value of an option may be.
#[derive(Clone, Debug)]
pub enum OptionKind {
    /// A string; with a pattern (ECMA-262), one that matches it. The phrase says the same to people.
    Text {
        pattern: Option<&'static str>,
        phrase: &'static str,
    },
    OneOf(&'static [&'static str]),
    Bool,
    Integer {
        min: u64,
        max: u64,
    },
    /// A closed object.
    Object(Cow<'static, [OptionRow]>),
    /// `true`, `false` or a closed object.
    Switch(Cow<'static, [OptionRow]>),
}

/// Whether a built-in emitter has that name.
pub(crate) fn is_built_in(name: &str) -> bool {
    BUILT_IN_TARGETS.iter().any(|target| target.name == name)
}

/// The rules that a target's own shape cannot say.
pub(crate) fn check_targets(targets: &Map<TargetName, Target>, cx: &mut Cx<'_>) {
    check_emitters(targets, cx);
    check_folders(targets, cx);
}

/// Each target has an emitter.
fn check_emitters(targets: &Map<TargetName, Target>, cx: &mut Cx<'_>) {
    for (name, target) in targets.iter() {
        if is_built_in(name) || target.external.is_some() {
            continue;
        }
        let aliased = Some(resolve_alias(name)).filter(|resolved| *resolved != name.as_str());
        let names = BUILT_IN_TARGETS.iter().map(|target| target.name);
        let help = match aliased.or_else(|| base::suggest::nearest(name, names.clone())) {
            Some(near) => format!("did you mean `{near}`? Any other name needs `external`"),
            None => format!("built-in targets: {}; any other name needs `external`", list(names)),
        };
        let message = format!("target {} is not built in and has no `external`", base::diag::quoted(name));
        cx.wrong(name.place.clone(), message).help = Some(help);
    }
}

/// No target writes into the folder of another (TG0612): each removes what it no longer generates.
fn check_folders(targets: &Map<TargetName, Target>, cx: &mut Cx<'_>) {
    // Lower case: folders that differ by case alone are one folder on some systems.
    let lower = |target: &Target| target.out.parts().iter().map(|part| part.to_lowercase()).collect::<Vec<_>>();
    let mut folders: Vec<(Vec<String>, usize)> =
        targets.iter().enumerate().map(|(index, (_, target))| (lower(target), index)).collect();
    folders.sort();
    // In this order what lies in a folder follows it, so one open folder is enough to compare with.
    let mut outer: Option<&(Vec<String>, usize)> = None;
    for folder in &folders {
        match outer {
            Some(outer) if folder.0.starts_with(&outer.0) => {
                report_folders(targets, outer.1, folder.1, outer.0 == folder.0, cx);
            }
            _ => outer = Some(folder),
        }
    }
}

fn report_folders(targets: &Map<TargetName, Target>, outer: usize, inner: usize, equal: bool, cx: &mut Cx<'_>) {
    let (outer_name, outer) = &targets[outer];
    let (inner_name, inner) = &targets[inner];
    let (first, second) = (outer_name.as_str(), inner_name.as_str());
    let folder = base::diag::quoted(&outer.out);
    let message = if equal {
        format!("targets `{first}` and `{second}` both write to {folder}")
    } else {
        format!("target `{second}` writes into {folder}, the folder of target `{first}`")
    };
    let diagnostic = cx.report(Code::TG0612, inner.out.place.clone(), message);
    diagnostic.help = Some(format!("give each target a folder of its own, such as `generated/{second}`"));
    diagnostic.related.push((outer.out.place.clone(), format!("the folder of target `{first}`")));
}
