//! Object and array literals whose members differ from each other, in the layout of the formatter.
//!
//! Reads nothing; writes into a layout. What the members hold is the caller's.

use tungsten_emit::Doc;
use tungsten_emit::layout::typescript::string_member;

/// Members of an object literal that is being written.
pub(crate) struct Members<'d> {
    doc: &'d mut Doc,
    some: bool,
}

impl Members<'_> {
    /// A member whose value may break inside. `key` is an identifier or comes from an escaper.
    pub(crate) fn member(&mut self, key: &str, value: impl FnOnce(&mut Doc)) {
        self.start();
        self.doc.text(key);
        self.doc.text(": ");
        value(self.doc);
    }

    /// A member whose value never breaks: a number, a word, a call.
    pub(crate) fn plain(&mut self, key: &str, value: impl tungsten_emit::Text) {
        self.member(key, |doc| doc.text(value));
    }

    /// `key: true`, or nothing.
    pub(crate) fn flag(&mut self, key: &str, set: bool) {
        if set {
            self.plain(key, "true");
        }
    }

    /// A member that is a string literal.
    pub(crate) fn string(&mut self, key: &str, literal: impl AsRef<str>) {
        self.start();
        string_member(self.doc, key, literal.as_ref());
    }

    fn start(&mut self) {
        if self.some {
            self.doc.text(",");
        }
        self.some = true;
        self.doc.line();
    }
}

/// An object literal, in one line when it fits.
pub(crate) fn object(doc: &mut Doc, body: impl FnOnce(&mut Members<'_>)) {
    doc.group(|doc| write_members(doc, false, body));
}

/// An object literal with a member a line.
pub(crate) fn object_broken(doc: &mut Doc, body: impl FnOnce(&mut Members<'_>)) {
    doc.group(|doc| write_members(doc, true, body));
}

fn write_members(doc: &mut Doc, broken: bool, body: impl FnOnce(&mut Members<'_>)) {
    doc.text("{");
    let mut some = false;
    doc.indent(|doc| {
        if broken {
            doc.break_parent();
        }
        let mut members = Members { doc, some: false };
        body(&mut members);
        some = members.some;
        if some {
            doc.if_broken(|doc| doc.text(","));
        }
    });
    if some {
        doc.line();
    }
    doc.text("}");
}
