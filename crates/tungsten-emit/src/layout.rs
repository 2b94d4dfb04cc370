//! A width-aware layout: text with places where a line may break, and groups that break as one.
//!
//! A [`Doc`] is a flat list of text, lines and tags, so neither building, printing nor dropping it recurses. The rules
//! are those of Prettier's printer, since its output is the measure for TypeScript: a group is printed flat when all of
//! it, and what follows up to the next possible break, fits in the line; a hard line breaks every group around it.
//! Spellings of a language are in the submodules; indentation and the line's place in a file are the writer's.

pub mod typescript;

use crate::escape::width;
use crate::text::Text;

/// A piece of output that knows where its lines may break.
#[derive(Clone, Default, Debug)]
pub struct Doc {
    text: String,
    items: Vec<Item>,
    /// Open tags while the doc is built, as indexes of their items.
    open: Vec<usize>,
    groups: u32,
}

/// Names a group, for parts elsewhere that depend on whether it broke.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupId(u32);

#[derive(Clone, Copy, Debug)]
enum Item {
    Text {
        start: u32,
        len: u32,
        width: u32,
    },
    Line(Line),
    /// `end` is the index of the matching `Close`.
    Open {
        tag: Tag,
        end: u32,
    },
    Close,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    /// A space when flat.
    Space,
    /// Nothing when flat.
    Soft,
    /// Always a line end.
    Hard,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tag {
    Group {
        id: u32,
        broken: bool,
    },
    Indent,
    Align(u16),
    /// Printed only when the group (the nearest one without an id) is broken.
    IfBroken(Option<u32>),
    IndentIfBroken(u32),
    Fill,
    Entry,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Flat,
    Broken,
}

impl Doc {
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the doc and keeps its memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.items.clear();
        self.open.clear();
        self.groups = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Text without line ends.
    pub fn text(&mut self, text: impl Text) {
        let start = self.text.len();
        text.push_to(&mut self.text);
        let added = &self.text[start..];
        debug_assert!(!added.contains('\n'), "a line end is a line of its own: {added:?}");
        if added.is_empty() {
            return;
        }
        let (added_len, added_width) = (added.len() as u32, width(added) as u32);
        // Text behind text is one piece: the printer looks at each piece more than once.
        if let Some(Item::Text { len, width, .. }) = self.items.last_mut() {
            *len += added_len;
            *width += added_width;
        } else {
            self.items.push(Item::Text { start: start as u32, len: added_len, width: added_width });
        }
    }

    /// A space, or a line end when the group is broken.
    pub fn line(&mut self) {
        self.items.push(Item::Line(Line::Space));
    }

    /// Nothing, or a line end when the group is broken.
    pub fn softline(&mut self) {
        self.items.push(Item::Line(Line::Soft));
    }

    /// A line end. Breaks every group around it.
    pub fn hardline(&mut self) {
        self.items.push(Item::Line(Line::Hard));
        self.break_open_groups();
    }

    /// Breaks the innermost open group and every group around it.
    pub fn break_parent(&mut self) {
        self.break_open_groups();
    }

    pub fn group(&mut self, body: impl FnOnce(&mut Self)) {
        let id = self.group_id();
        self.group_as(id, body);
    }

    /// An id for a group that is still to be written.
    pub fn group_id(&mut self) -> GroupId {
        self.groups += 1;
        GroupId(self.groups - 1)
    }

    /// A group with an id made by [`Doc::group_id`].
    pub fn group_as(&mut self, id: GroupId, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::Group { id: id.0, broken: false }, body);
    }

    /// One more step of indentation for the lines inside.
    pub fn indent(&mut self, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::Indent, body);
    }

    /// `columns` more spaces for the lines inside.
    pub fn align(&mut self, columns: u16, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::Align(columns), body);
    }

    /// Printed only when the innermost group is broken.
    pub fn if_broken(&mut self, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::IfBroken(None), body);
    }

    /// Printed only when that group, which stands before or around, is broken.
    pub fn if_group_broken(&mut self, id: GroupId, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::IfBroken(Some(id.0)), body);
    }

    /// One more step of indentation when that group, which stands before, is broken.
    pub fn indent_if_broken(&mut self, id: GroupId, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::IndentIfBroken(id.0), body);
    }

    /// As many items on a line as fit. Write each item, and each separator between two, as an [`Doc::entry`].
    pub fn fill(&mut self, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::Fill, body);
    }

    /// An item or a separator of a [`Doc::fill`].
    pub fn entry(&mut self, body: impl FnOnce(&mut Self)) {
        self.tagged(Tag::Entry, body);
    }

    /// Writes all of `other` here.
    pub fn append(&mut self, other: &Self) {
        let (text, item, group) = (self.text.len() as u32, self.items.len() as u32, self.groups);
        self.text.push_str(&other.text);
        self.groups += other.groups;
        let mut breaks = false;
        for moved in &other.items {
            breaks |= matches!(moved, Item::Line(Line::Hard))
                || matches!(moved, Item::Open { tag: Tag::Group { broken: true, .. }, .. });
            self.items.push(match *moved {
                Item::Text { start, len, width } => Item::Text { start: start + text, len, width },
                Item::Open { tag, end } => Item::Open { tag: tag.shifted(group), end: end + item },
                same => same,
            });
        }
        if breaks {
            self.break_open_groups();
        }
    }

    fn tagged(&mut self, tag: Tag, body: impl FnOnce(&mut Self)) {
        let at = self.items.len();
        self.items.push(Item::Open { tag, end: 0 });
        self.open.push(at);
        body(self);
        self.open.pop();
        let close = self.items.len() as u32;
        self.items.push(Item::Close);
        if let Item::Open { end, .. } = &mut self.items[at] {
            *end = close;
        }
    }

    /// Marks the open groups, innermost first, up to one that is marked already: linear over the whole doc.
    fn break_open_groups(&mut self) {
        for at in self.open.iter().rev() {
            if let Item::Open { tag: Tag::Group { broken, .. }, .. } = &mut self.items[*at] {
                if *broken {
                    return;
                }
                *broken = true;
            }
        }
    }

    /// Prints at `column` of a line that is indented by `depth` steps; the first line gets no indentation. Ends without
    /// a line end.
    pub fn print(&self, out: &mut String, page: Page, depth: usize, column: usize) {
        self.print_with(&mut Scratch::default(), out, page, depth, column);
    }

    /// Like [`Doc::print`], for a caller that prints many.
    pub fn print_with(&self, scratch: &mut Scratch, out: &mut String, page: Page, depth: usize, column: usize) {
        scratch.frames.clear();
        scratch.frames.push(Frame {
            mode: Mode::Broken,
            indent: Indent { steps: depth, spaces: 0 },
            kind: Kind::Plain,
        });
        scratch.modes.clear();
        scratch.modes.resize(self.groups as usize, Mode::Flat);
        let Scratch { frames, modes, opened } = scratch;
        Printer { doc: self, page, out, column, frames, modes, opened }.run();
    }
}

impl Tag {
    /// The tag with its group numbers moved by `by`.
    fn shifted(self, by: u32) -> Self {
        match self {
            Self::Group { id, broken } => Self::Group { id: id + by, broken },
            Self::IfBroken(group) => Self::IfBroken(group.map(|id| id + by)),
            Self::IndentIfBroken(id) => Self::IndentIfBroken(id + by),
            same => same,
        }
    }
}

/// The measures of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Columns of a line.
    pub width: usize,
    /// One step of indentation.
    pub indent: &'static str,
    /// Columns that one step takes.
    pub indent_width: usize,
}

/// Memory of a printer, kept from one doc to the next.
#[derive(Default, Debug)]
pub struct Scratch {
    frames: Vec<Frame>,
    /// How each group was printed; flat until it is reached.
    modes: Vec<Mode>,
    /// Modes of the tags opened while something is measured.
    opened: Vec<Mode>,
}

#[derive(Clone, Copy, Debug)]
struct Indent {
    steps: usize,
    spaces: usize,
}

/// State of an open tag.
#[derive(Clone, Copy, Debug)]
struct Frame {
    mode: Mode,
    indent: Indent,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Plain,
    /// A fill: whether the next entry is a separator, and whether the last item fitted flat.
    Fill {
        separator: bool,
        fitted: bool,
    },
}

struct Printer<'a> {
    doc: &'a Doc,
    page: Page,
    out: &'a mut String,
    column: usize,
    frames: &'a mut Vec<Frame>,
    modes: &'a mut Vec<Mode>,
    opened: &'a mut Vec<Mode>,
}

impl Printer<'_> {
    fn run(mut self) {
        let mut at = 0;
        while let Some(item) = self.doc.items.get(at) {
            match *item {
                Item::Text { start, len, width } => {
                    self.out.push_str(&self.doc.text[start as usize..(start + len) as usize]);
                    self.column += width as usize;
                }
                Item::Line(line) => self.line(line),
                Item::Open { tag, end } => {
                    if !self.open(tag, at, end as usize) {
                        at = end as usize;
                    }
                }
                Item::Close => {
                    self.frames.pop();
                }
            }
            at += 1;
        }
    }

    fn top(&self) -> Frame {
        *self.frames.last().expect("the outermost frame is never closed")
    }

    fn line(&mut self, line: Line) {
        let frame = self.top();
        if frame.mode == Mode::Flat && line != Line::Hard {
            if line == Line::Space {
                self.out.push(' ');
                self.column += 1;
            }
            return;
        }
        self.out.truncate(self.out.trim_end_matches([' ', '\t']).len());
        self.out.push('\n');
        for _ in 0..frame.indent.steps {
            self.out.push_str(self.page.indent);
        }
        for _ in 0..frame.indent.spaces {
            self.out.push(' ');
        }
        self.column = frame.indent.steps * self.page.indent_width + frame.indent.spaces;
    }

    /// Pushes the tag's frame; false when its content is not printed.
    fn open(&mut self, tag: Tag, at: usize, end: usize) -> bool {
        let mut frame = Frame { kind: Kind::Plain, ..self.top() };
        match tag {
            Tag::Group { id, broken } => {
                frame.mode = self.group_mode(frame.mode, broken, at, end);
                self.modes[id as usize] = frame.mode;
            }
            Tag::Indent => frame.indent.steps += 1,
            Tag::Align(columns) => frame.indent.spaces += usize::from(columns),
            Tag::IfBroken(group) => {
                if group.map_or(frame.mode, |id| self.modes[id as usize]) != Mode::Broken {
                    return false;
                }
            }
            Tag::IndentIfBroken(id) => {
                if self.modes[id as usize] == Mode::Broken {
                    frame.indent.steps += 1;
                }
            }
            Tag::Fill => frame.kind = Kind::Fill { separator: false, fitted: true },
            Tag::Entry => frame.mode = self.entry_mode(at, end),
        }
        self.frames.push(frame);
        true
    }

    fn group_mode(&mut self, outer: Mode, broken: bool, at: usize, end: usize) -> Mode {
        if broken {
            return Mode::Broken;
        }
        if outer == Mode::Flat || self.fits(at, end, Rest::UpToBreak) { Mode::Flat } else { Mode::Broken }
    }

    /// An item of a fill is flat when it fits; a separator is flat when the items at both sides are and the second one
    /// still fits in the line.
    fn entry_mode(&mut self, at: usize, end: usize) -> Mode {
        let frame = self.top();
        let Kind::Fill { separator, fitted } = frame.kind else { return frame.mode };
        let flat = if frame.mode == Mode::Flat {
            true
        } else if separator {
            let last = self.entry_after(end);
            fitted && self.fits(at, last, Rest::Nothing)
        } else {
            self.fits(at, end, Rest::Nothing)
        };
        let fitted = if separator { fitted } else { flat };
        if let Some(top) = self.frames.last_mut() {
            top.kind = Kind::Fill { separator: !separator, fitted };
        }
        if flat { Mode::Flat } else { Mode::Broken }
    }

    /// Index of the last item of the entry behind the one that closes at `end`; `end` when there is none.
    fn entry_after(&self, end: usize) -> usize {
        match self.doc.items.get(end + 1) {
            Some(Item::Open { tag: Tag::Entry, end }) => *end as usize,
            _ => end,
        }
    }

    /// Whether the items from `at` to `end` fit flat in the rest of the line, with what follows up to the first place
    /// where the line may break. Looks no further than a line's width of text.
    fn fits(&mut self, at: usize, end: usize, rest: Rest) -> bool {
        let mut opened = std::mem::take(self.opened);
        opened.clear();
        let fits = self.fits_with(&mut opened, at, end, rest);
        *self.opened = opened;
        fits
    }

    fn fits_with(&self, opened: &mut Vec<Mode>, at: usize, end: usize, rest: Rest) -> bool {
        let mut left = self.page.width.saturating_sub(self.column);
        if self.column > self.page.width {
            return false;
        }
        // Below the tags opened on the way are the frames of the printer.
        let mut outer = self.frames.len();
        let mut at = at;
        while let Some(item) = self.doc.items.get(at) {
            let inside = at <= end;
            if !inside && rest == Rest::Nothing {
                return true;
            }
            let mode = match opened.last() {
                Some(mode) => *mode,
                None if inside => Mode::Flat,
                None => self.frames[outer - 1].mode,
            };
            match *item {
                Item::Text { width, .. } => match left.checked_sub(width as usize) {
                    Some(less) => left = less,
                    None => return false,
                },
                Item::Line(Line::Hard) => return true,
                Item::Line(_) if mode == Mode::Broken => return true,
                Item::Line(Line::Soft) => {}
                Item::Line(Line::Space) => match left.checked_sub(1) {
                    Some(less) => left = less,
                    None => return false,
                },
                Item::Open { tag, end } => match tag {
                    Tag::Group { broken: true, .. } if rest == Rest::Nothing => return false,
                    Tag::Group { broken: true, .. } => opened.push(Mode::Broken),
                    Tag::IfBroken(group) => {
                        let is = group.map_or(mode, |id| self.modes[id as usize]);
                        if is == Mode::Broken { opened.push(mode) } else { at = end as usize }
                    }
                    _ => opened.push(mode),
                },
                Item::Close => {
                    if opened.pop().is_none() {
                        outer -= 1;
                    }
                }
            }
            at += 1;
        }
        true
    }
}

/// What counts besides the items that are asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    UpToBreak,
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::{Doc, Page};

    const PAGE: Page = Page { width: 20, indent: "  ", indent_width: 2 };

    fn print(doc: &Doc) -> String {
        let mut out = String::new();
        doc.print(&mut out, PAGE, 0, 0);
        out
    }

    /// `name(` items `)`, in a group.
    fn call(doc: &mut Doc, name: &str, items: &[&str]) {
        doc.group(|doc| {
            doc.text(name);
            doc.text("(");
            doc.indent(|doc| {
                doc.softline();
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        doc.text(",");
                        doc.line();
                    }
                    doc.text(item);
                }
            });
            doc.softline();
            doc.text(")");
        });
    }

    #[test]
    fn a_group_breaks_when_it_or_what_follows_is_too_long() {
        let mut doc = Doc::new();
        call(&mut doc, "f", &["aaaaaaaa", "bbbbbbb"]);
        assert_eq!(print(&doc), "f(aaaaaaaa, bbbbbbb)");
        doc.text(";");
        assert_eq!(print(&doc), "f(\n  aaaaaaaa,\n  bbbbbbb\n);");
    }

    #[test]
    fn a_hard_line_breaks_the_groups_around_it() {
        let mut doc = Doc::new();
        doc.group(|doc| {
            doc.text("{");
            doc.indent(|doc| {
                doc.line();
                doc.group(|doc| {
                    doc.text("a");
                    doc.hardline();
                    doc.text("b");
                });
            });
            doc.line();
            doc.text("}");
        });
        assert_eq!(print(&doc), "{\n  a\n  b\n}");
    }

    #[test]
    fn parts_follow_the_mode_of_their_group() {
        for (word, expect) in
            [("short", "short;same"), ("much longer words, ok", "\n  much longer words, ok,\n;broken\n  same")]
        {
            let mut doc = Doc::new();
            let group = doc.group_id();
            doc.group_as(group, |doc| {
                doc.indent(|doc| {
                    doc.softline();
                    doc.text(word);
                    doc.if_broken(|doc| doc.text(","));
                });
                doc.softline();
            });
            doc.text(";");
            doc.group(|doc| {
                doc.if_broken(|doc| doc.text("!"));
                doc.if_group_broken(group, |doc| doc.text("broken"));
            });
            doc.indent_if_broken(group, |doc| {
                doc.if_group_broken(group, Doc::line);
                doc.text("same");
            });
            assert_eq!(print(&doc), expect);
        }
    }

    #[test]
    fn appended_docs_keep_their_groups_apart() {
        let mut inner = Doc::new();
        let group = inner.group_id();
        inner.group_as(group, |doc| {
            doc.text("x");
            doc.hardline();
        });
        inner.if_group_broken(group, |doc| doc.text("y"));
        let mut doc = Doc::new();
        doc.group(|doc| doc.text("first"));
        doc.group(|doc| {
            doc.line();
            doc.append(&inner);
            doc.align(3, |doc| {
                doc.line();
                doc.text("z");
            });
        });
        assert_eq!(print(&doc), "first\nx\ny\n   z");
        doc.clear();
        assert!(doc.is_empty());
        assert_eq!(print(&doc), "");
    }

    #[test]
    fn deep_and_long_docs_take_linear_time_and_no_stack() {
        fn nest(depth: usize) -> Doc {
            let mut doc = Doc::new();
            for _ in 0..depth {
                let mut outer = Doc::new();
                outer.text("(");
                outer.group(|outer| outer.append(&doc));
                outer.text(")");
                doc = outer;
            }
            doc
        }
        assert_eq!(print(&nest(1000)).len(), 2000);
        let mut doc = Doc::new();
        doc.group(|doc| {
            for _ in 0..100_000 {
                call(doc, "f", &["aaaaaaaa", "bbbbbbbbb"]);
                doc.line();
            }
        });
        assert_eq!(print(&doc).lines().count(), 400_000);
    }
}
