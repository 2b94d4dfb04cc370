//! The emitter contract: what a target is given and what it gives back.
//!
//! `pub fn emit(input: &Input<'_>) -> Output` is the whole interface of an emitter crate. It is a pure function: no
//! file, clock, environment or network, and the same input gives the same bytes. Comparing and writing the files is
//! left to the driver.

use base::{Diags, Files, RelPath};
use base_doc::DocSet;
use tungsten_ir::{Ir, Names};

use crate::header::Header;
use crate::options::RawOption;
use crate::plan::Plan;

/// What a target is made from. Shared by all threads.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub ir: &'a Ir,
    pub plan: &'a Plan,
    /// Names of this target's profile.
    pub names: &'a Names,
    /// The documents, for examples and other values that the IR only points at.
    pub docs: &'a DocSet,
    /// The target's options as the manifest has them, unchecked.
    pub options: &'a [RawOption],
    pub header: &'a Header,
}

/// What a target gives back.
#[derive(Debug, Default)]
pub struct Output {
    pub files: Files,
    /// In any order; the driver sorts.
    pub diags: Diags,
}

/// Whether the driver writes the file only when it is not there yet, and never removes it: the path has a folder named
/// `custom`.
pub fn is_created_once(path: &RelPath) -> bool {
    let mut segments = path.segments().peekable();
    while let Some(segment) = segments.next() {
        if segment == "custom" && segments.peek().is_some() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use base::RelPath;

    use super::is_created_once;

    #[test]
    fn custom_is_a_folder() {
        for (path, expect) in [
            ("src/custom/index.ts", true),
            ("custom/a/b.ts", true),
            ("src/custom", false),
            ("src/customs/a.ts", false),
            ("src/index.ts", false),
        ] {
            assert_eq!(is_created_once(&RelPath::new(path).expect("safe")), expect, "{path}");
        }
    }
}
