//! What the writer and the layouts take as a piece of output: trusted text, pushed without a detour.
//!
//! Most pieces are strings already; formatting machinery would cost more than the copy. Text of a description is a
//! `SpecText`, which is deliberately not among them.

use std::borrow::Cow;
use std::fmt::{Arguments, Write};

/// A piece of output.
pub trait Text {
    fn push_to(&self, out: &mut String);
}

impl Text for str {
    fn push_to(&self, out: &mut String) {
        out.push_str(self);
    }
}

impl Text for String {
    fn push_to(&self, out: &mut String) {
        out.push_str(self);
    }
}

impl Text for Cow<'_, str> {
    fn push_to(&self, out: &mut String) {
        out.push_str(self);
    }
}

/// For `format_args!`.
impl Text for Arguments<'_> {
    fn push_to(&self, out: &mut String) {
        out.write_fmt(*self).expect("writing to a string does not fail");
    }
}

/// `true` and `false`, as every target but Python spells them.
impl Text for bool {
    fn push_to(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Text for u16 {
    fn push_to(&self, out: &mut String) {
        format_args!("{self}").push_to(out);
    }
}

impl Text for u64 {
    fn push_to(&self, out: &mut String) {
        format_args!("{self}").push_to(out);
    }
}

impl<T: Text + ?Sized> Text for &T {
    fn push_to(&self, out: &mut String) {
        (**self).push_to(out);
    }
}
