//! TypeScript in the layout of Prettier 3 (80 columns, default options): the constructs that SDKs consist of.
//!
//! Each function writes one construct into a [`Doc`]; the parts come from the caller, who knows their spelling. Two
//! rules of Prettier matter to callers: an object literal that starts on its own line stays broken, one that fits and
//! is written in one line stays so, hence both [`object`] and [`object_broken`] are stable; and an array whose two or
//! more items are all objects, or all arrays, with two or more members each is always broken ([`Items::Composite`]).

use super::{Doc, GroupId};

/// What stands inside the brackets of a list, next to them.
#[derive(Clone, Copy)]
struct Edges {
    /// A space when flat.
    spaced: bool,
    /// A comma behind the last item when broken.
    comma: bool,
}

impl Edges {
    const SPACED: Self = Self { spaced: true, comma: true };
    const TIGHT: Self = Self { spaced: false, comma: true };

    fn write(self, doc: &mut Doc) {
        if self.spaced { doc.line() } else { doc.softline() }
    }
}

/// Brackets around items that are one step deeper, a comma between two.
fn list<T>(
    doc: &mut Doc,
    [open, close]: [&'static str; 2],
    edges: Edges,
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut Doc, T),
) {
    doc.text(open);
    let mut some = false;
    doc.indent(|doc| {
        for item in items {
            if some {
                doc.text(",");
                doc.line();
            } else {
                edges.write(doc);
            }
            some = true;
            each(doc, item);
        }
        if some && edges.comma {
            doc.if_broken(|doc| doc.text(","));
        }
    });
    if some {
        edges.write(doc);
    }
    doc.text(close);
}

/// An object literal, flat when it fits: `{ a: 1, b: 2 }`.
pub fn object<T>(doc: &mut Doc, members: impl IntoIterator<Item = T>, each: impl FnMut(&mut Doc, T)) {
    doc.group(|doc| list(doc, ["{", "}"], Edges::SPACED, members, each));
}

/// An object literal with a member a line; `{}` when it has none.
pub fn object_broken<T>(doc: &mut Doc, members: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Doc, T)) {
    doc.group(|doc| {
        list(doc, ["{", "}"], Edges::SPACED, members, |doc, member| {
            doc.break_parent();
            each(doc, member);
        });
    });
}

/// An object type, flat when it fits: `{ a: string; b?: number }`.
pub fn object_type<T>(doc: &mut Doc, members: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Doc, T)) {
    doc.group(|doc| {
        doc.text("{");
        let mut some = false;
        doc.indent(|doc| {
            for member in members {
                if some {
                    doc.text(";");
                }
                doc.line();
                some = true;
                each(doc, member);
            }
            if some {
                doc.if_broken(|doc| doc.text(";"));
            }
        });
        if some {
            doc.line();
        }
        doc.text("}");
    });
}

/// What an array literal holds, which decides how it breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Items {
    /// Number literals, signed or not: as many on a line as fit.
    Numbers,
    /// Two or more objects, or two or more arrays, with two or more members each: always an item a line.
    Composite,
    /// Anything else: an item a line when they do not fit in one.
    Others,
}

/// An array literal: `[1, 2]`.
pub fn array<T>(doc: &mut Doc, kind: Items, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Doc, T)) {
    match kind {
        Items::Numbers => numbers(doc, items, each),
        Items::Others => doc.group(|doc| list(doc, ["[", "]"], Edges::TIGHT, items, each)),
        Items::Composite => doc.group(|doc| {
            list(doc, ["[", "]"], Edges::TIGHT, items, |doc, item| {
                doc.break_parent();
                each(doc, item);
            });
        }),
    }
}

fn numbers<T>(doc: &mut Doc, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Doc, T)) {
    let mut items = items.into_iter().peekable();
    if items.peek().is_none() {
        return doc.text("[]");
    }
    let group = doc.group_id();
    doc.group_as(group, |doc| {
        doc.text("[");
        doc.indent(|doc| {
            doc.softline();
            doc.fill(|doc| {
                while let Some(item) = items.next() {
                    let last = items.peek().is_none();
                    doc.entry(|doc| {
                        each(doc, item);
                        if last { doc.if_group_broken(group, |doc| doc.text(",")) } else { doc.text(",") }
                    });
                    if !last {
                        doc.entry(Doc::line);
                    }
                }
            });
        });
        doc.softline();
        doc.text("]");
    });
}

/// Call arguments with their parentheses, an argument a line when they do not fit.
pub fn arguments<T>(doc: &mut Doc, items: impl IntoIterator<Item = T>, each: impl FnMut(&mut Doc, T)) {
    doc.group(|doc| list(doc, ["(", ")"], Edges::TIGHT, items, each));
}

/// A signature behind its name: parameters, and the return type with its colon. Breaks the parameters, one a line, when
/// head and tail do not fit. What follows, up to the next line end, counts: write ` {` or `;` right behind.
pub fn signature<T>(
    doc: &mut Doc,
    parameters: impl IntoIterator<Item = T>,
    each: impl FnMut(&mut Doc, T),
    returns: impl FnOnce(&mut Doc),
) {
    doc.group(|doc| {
        list(doc, ["(", ")"], Edges::TIGHT, parameters, each);
        returns(doc);
    });
}

/// Names of an import or export list: `{ a, b as c }`. A single name never breaks.
pub fn names<T>(
    doc: &mut Doc,
    items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    mut each: impl FnMut(&mut Doc, T),
) {
    let mut items = items.into_iter();
    if items.len() == 1 {
        doc.text("{ ");
        if let Some(item) = items.next() {
            each(doc, item);
        }
        doc.text(" }");
    } else {
        doc.group(|doc| list(doc, ["{", "}"], Edges::SPACED, items, each));
    }
}

/// Where a union stands, which decides how it is indented when it breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Behind the colon of a member, a parameter or a return type, and anywhere that is not named below.
    Annotation,
    /// All of what stands right of `type A =`; see [`type_alias_union`], which uses it.
    Alias,
    /// Inside `<...>`, whose brackets have indented already.
    TypeArgument,
    /// An item of a tuple of two or more.
    TupleItem,
    /// As the element type of an array, in parentheses that are written here: `(A | B)`.
    Parenthesized,
}

/// A union type. Broken, each member has a line that starts with `|`.
///
/// A union of exactly one object type or type reference, and `null` or `void` for the rest, never breaks at its bars:
/// write that one with [`hugged`].
pub fn union<T>(doc: &mut Doc, place: Place, members: impl IntoIterator<Item = T>, each: impl FnMut(&mut Doc, T)) {
    match place {
        Place::Annotation => doc.group(|doc| {
            doc.indent(|doc| {
                doc.softline();
                bars(doc, members, each);
            });
        }),
        Place::Alias | Place::TypeArgument => bars(doc, members, each),
        Place::TupleItem => doc.group(|doc| {
            doc.indent(|doc| {
                doc.if_broken(|doc| {
                    doc.text("(");
                    doc.softline();
                });
                bars(doc, members, each);
            });
            doc.softline();
            doc.if_broken(|doc| doc.text(")"));
        }),
        Place::Parenthesized => {
            doc.text("(");
            doc.group(|doc| {
                doc.indent(|doc| {
                    doc.softline();
                    bars(doc, members, each);
                });
                doc.softline();
            });
            doc.text(")");
        }
    }
}

fn bars<T>(doc: &mut Doc, members: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Doc, T)) {
    doc.group(|doc| {
        for (index, member) in members.into_iter().enumerate() {
            if index == 0 {
                doc.if_broken(|doc| doc.text("| "));
            } else {
                doc.line();
                doc.text("| ");
            }
            doc.align(2, |doc| each(doc, member));
        }
    });
}

/// Members of a union or intersection that never break between each other: `{ ... } | null`.
pub fn hugged<T>(
    doc: &mut Doc,
    mark: &'static str,
    members: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut Doc, T),
) {
    for (index, member) in members.into_iter().enumerate() {
        if index > 0 {
            doc.text(format_args!(" {mark} "));
        }
        each(doc, member);
    }
}

/// An intersection type; each member with whether it is an object type, for those hug the `&` beside them. A union
/// inside needs its parentheses from the caller, and so does an intersection inside a union: `A | (B & C)`.
pub fn intersection<T>(doc: &mut Doc, members: impl IntoIterator<Item = (bool, T)>, mut each: impl FnMut(&mut Doc, T)) {
    doc.group(|doc| {
        let mut before_is_object = false;
        let mut indented = false;
        for (index, (is_object, member)) in members.into_iter().enumerate() {
            if index == 0 {
                each(doc, member);
            } else if is_object || before_is_object {
                indented |= is_object != before_is_object && index > 1;
                doc.text(" & ");
                if indented { doc.indent(|doc| each(doc, member)) } else { each(doc, member) }
            } else {
                doc.indent(|doc| {
                    doc.text(" &");
                    doc.line();
                    each(doc, member);
                });
            }
            before_is_object = is_object;
        }
    });
}

/// Type arguments: `<A, B>`. `simple` says that there is one and that it is a keyword, a name without arguments of its
/// own, an object type, or a union that is [`hugged`]: such a one never breaks at the brackets.
pub fn type_arguments<T>(
    doc: &mut Doc,
    simple: bool,
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut Doc, T),
) {
    if simple {
        doc.text("<");
        items.into_iter().for_each(|item| each(doc, item));
        doc.text(">");
        return;
    }
    doc.group(|doc| list(doc, ["<", ">"], Edges { spaced: false, comma: false }, items, each));
}

/// A tuple type: `[A, B]`. Unions inside are at [`Place::TupleItem`] when there are two items or more.
pub fn tuple<T>(doc: &mut Doc, items: impl IntoIterator<Item = T>, each: impl FnMut(&mut Doc, T)) {
    doc.group(|doc| list(doc, ["[", "]"], Edges::TIGHT, items, each));
}

/// `left = right`, where `right` goes to the next line, indented, only when it cannot even start on this one: for
/// objects, arrays, types that are no union, calls with two or more arguments or a long one, `new`.
pub fn assign(doc: &mut Doc, left: impl FnOnce(&mut Doc), right: impl FnOnce(&mut Doc)) {
    let operator: GroupId = doc.group_id();
    doc.group(|doc| {
        doc.group(left);
        doc.text(" =");
        doc.group_as(operator, |doc| doc.indent(Doc::line));
        doc.indent_if_broken(operator, right);
    });
}

/// `type A = B | C`, without its semicolon. A union that is [`hugged`] takes [`assign`].
pub fn type_alias_union<T>(
    doc: &mut Doc,
    left: impl FnOnce(&mut Doc),
    members: impl IntoIterator<Item = T>,
    each: impl FnMut(&mut Doc, T),
) {
    assign_string(doc, " =", left, |doc| union(doc, Place::Alias, members, each));
}

/// A member of an object literal whose value is a string: `key: "..."`. The value goes to the next line when it does
/// not fit, unless the key, as written, has fewer than five columns.
pub fn string_member(doc: &mut Doc, key: &str, value: impl crate::Text) {
    const SHORT_KEY: usize = 5;
    if crate::escape::width(key) < SHORT_KEY {
        doc.text(key);
        doc.text(": ");
        doc.text(value);
    } else {
        assign_string(doc, ":", |doc| doc.text(key), |doc| doc.text(value));
    }
}

/// `left = right`, where all of `right` goes to the next line, indented, when it does not fit: for strings, and calls
/// with no argument or one that is a name of at most 20 characters. `operator` is ` =`, or `:` of an object's member.
pub fn assign_string(doc: &mut Doc, operator: &'static str, left: impl FnOnce(&mut Doc), right: impl FnOnce(&mut Doc)) {
    doc.group(|doc| {
        doc.group(left);
        doc.text(operator);
        doc.group(|doc| {
            doc.indent(|doc| {
                doc.line();
                right(doc);
            });
        });
    });
}

#[cfg(test)]
mod tests;
