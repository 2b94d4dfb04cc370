//! The layouts against Prettier itself, where it is installed, and against lines that Prettier has confirmed.
//!
//! `TUNGSTEN_PRETTIER` names the program, else `target/tools/node/node_modules/.bin/prettier` is tried. The sweep
//! writes each construct with names of every length around the edge of a line, which is where layouts go wrong.

use std::path::PathBuf;
use std::process::Command;

use super::*;
use crate::{Lang, Writer};

fn written(build: impl FnOnce(&mut Doc)) -> String {
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    o.layout(build);
    o.finish("")
}

fn text(doc: &mut Doc, text: &str) {
    doc.text(text);
}

#[track_caller]
fn check(build: impl FnOnce(&mut Doc), expect: &str) {
    assert_eq!(written(build).trim_end(), expect.trim_matches('\n'));
}

#[test]
fn lists_break_one_item_a_line() {
    check(|doc| object(doc, ["a: 1", "b: 2"], text), "{ a: 1, b: 2 }");
    check(|doc| object(doc, [] as [&str; 0], text), "{}");
    check(|doc| object_broken(doc, ["a: 1"], text), "{\n  a: 1,\n}");
    check(|doc| object_type(doc, ["a: 1", "b: 2"], text), "{ a: 1; b: 2 }");
    let long = "x".repeat(40);
    check(|doc| object_type(doc, [&*long, &*long], text), &format!("{{\n  {long};\n  {long};\n}}"));
    check(|doc| array(doc, Items::Others, [&*long, &*long], text), &format!("[\n  {long},\n  {long},\n]"));
    check(|doc| array(doc, Items::Composite, ["[1, 2]", "[3, 4]"], text), "[\n  [1, 2],\n  [3, 4],\n]");
    check(|doc| names(doc, [&*"y".repeat(90)], text), &format!("{{ {} }}", "y".repeat(90)));
}

#[test]
fn numbers_fill_their_lines() {
    let numbers: Vec<String> = (100..140).map(|n| n.to_string()).collect();
    check(
        |doc| array(doc, Items::Numbers, &numbers, Doc::text),
        "
[
  100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114,
  115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129,
  130, 131, 132, 133, 134, 135, 136, 137, 138, 139,
]",
    );
    check(|doc| array(doc, Items::Numbers, ["1", "2"], text), "[1, 2]");
    check(|doc| array(doc, Items::Numbers, [] as [&str; 0], text), "[]");
}

#[test]
fn a_long_union_has_a_member_a_line() {
    let long = "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"";
    check(
        |doc| {
            doc.text("kind: ");
            union(doc, Place::Annotation, [long, long], text);
            doc.text(";");
        },
        &format!("kind:\n  | {long}\n  | {long};"),
    );
}

/// A file with every construct, names `length` letters long.
fn samples(length: usize, out: &mut String) {
    let name = format!("N{}", "n".repeat(length));
    let n = name.as_str();
    let low = format!("v{length}{}", "n".repeat(length));
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    let string = format!("\"{n} and some words\"");
    let string = string.as_str();
    let alias = |doc: &mut Doc, kind: &str| doc.text(format_args!("type {kind}{length}"));

    o.layout(|doc| {
        type_alias_union(doc, |doc| alias(doc, "U"), ["\"a\"", "\"bb\"", string, "\"ccccccccccccccc\""], text);
        doc.text(";");
    });
    o.layout(|doc| {
        assign(doc, |doc| alias(doc, "H"), |doc| hugged(doc, "|", [n, "null"], text));
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| alias(doc, "O"),
            |doc| {
                hugged(doc, "|", [0, 1], |doc, part| match part {
                    0 => object_type(doc, ["a: string", "bbbbbbbbbbbbbbb: number", &format!("{n}: 1")], text),
                    _ => doc.text("null"),
                });
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| alias(doc, "Alias"),
            |doc| {
                doc.text(n);
                type_arguments(doc, false, ["First", n, "Second"], text);
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| alias(doc, "Single"),
            |doc| {
                doc.text("Promise");
                type_arguments(doc, false, [()], |doc, ()| {
                    doc.text("Result");
                    type_arguments(doc, true, [n], text);
                });
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| alias(doc, "ArrayOf"),
            |doc| {
                doc.text("readonly ");
                union(doc, Place::Parenthesized, [n, "Other", "\"literal\""], text);
                doc.text("[]");
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| alias(doc, "RecordOf"),
            |doc| {
                doc.text("Record");
                type_arguments(doc, false, ["string", n], |doc, part| {
                    if part == "string" {
                        doc.text(part);
                    } else {
                        union(doc, Place::TypeArgument, [part, "Other"], text);
                    }
                });
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| alias(doc, "ReadonlyOf"),
            |doc| {
                doc.text("Readonly");
                type_arguments(doc, false, [n], |doc, part| union(doc, Place::TypeArgument, [part, "A", "B"], text));
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| alias(doc, "Tuple"),
            |doc| {
                tuple(doc, ["First", n], |doc, part| {
                    if part == "First" {
                        doc.text(part);
                    } else {
                        union(doc, Place::TupleItem, [part, "SomethingElse", "Other"], text);
                    }
                });
            },
        );
        doc.text(";");
    });
    for (kind, objects) in [
        ("I1", [false, false, false]),
        ("I2", [false, false, true]),
        ("I3", [true, false, true]),
        ("I4", [true, true, false]),
        ("I5", [false, true, true]),
        ("I6", [true, true, true]),
    ] {
        o.layout(|doc| {
            assign(
                doc,
                |doc| alias(doc, kind),
                |doc| {
                    intersection(doc, objects.map(|is| (is, is)), |doc, is| {
                        if is { object_type(doc, [format!("{n}: 1")], Doc::text) } else { doc.text(n) }
                    });
                },
            );
            doc.text(";");
        });
    }
    o.block(format_args!("interface Members{length}"), |o| {
        o.doc(base::SpecText::new("The kind. @deprecated */ no"));
        o.layout(|doc| {
            doc.text("readonly kind?: ");
            union(doc, Place::Annotation, [n, "\"other\"", "undefined"], text);
            doc.text(";");
        });
        o.layout(|doc| {
            doc.text("items: readonly ");
            union(doc, Place::Parenthesized, [n, "\"other\""], text);
            doc.text("[];");
        });
        o.layout(|doc| {
            doc.text("call");
            signature(doc, [format!("args: {n}"), "options?: CallOptions".to_owned()], Doc::text, |doc| {
                doc.text(": Promise");
                type_arguments(doc, false, [()], |doc, ()| {
                    doc.text("Result");
                    type_arguments(doc, true, ["Pet"], text);
                });
            });
            doc.text(";");
        });
        o.layout(|doc| {
            doc.text("readonly run: ");
            signature(doc, [format!("args: {n}"), "options?: CallOptions".to_owned()], Doc::text, |doc| {
                doc.text(" => Promise<void>");
            });
            doc.text(";");
        });
        o.layout(|doc| {
            doc.text("deep: Record");
            type_arguments(doc, false, ["string", n], |doc, part| {
                if part == "string" { doc.text(part) } else { object_type(doc, [format!("{n}: 1")], Doc::text) }
            });
            doc.text(";");
        });
    });
    o.layout(|doc| {
        assign(doc, |doc| doc.text(format_args!("const {low}: {n}")), |doc| object(doc, ["a: 1", "b: 2"], text));
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| doc.text(format_args!("const o{length}")),
            |doc| {
                object_broken(doc, 0..6, |doc, member| match member {
                    0 => string_member(doc, "key", string),
                    1 => string_member(doc, "five5", string),
                    2 => {
                        doc.text("list: ");
                        array(doc, Items::Others, [string, string], text);
                    }
                    3 => {
                        doc.text("numbers: ");
                        array(doc, Items::Numbers, (0..length + 20).map(|n| n.to_string()), Doc::text);
                    }
                    4 => {
                        doc.text("rows: ");
                        array(doc, Items::Composite, [n, "x"], |doc, name| {
                            object(doc, [format!("name: \"{name}\""), "kind: \"something\"".to_owned()], Doc::text);
                        });
                    }
                    _ => {
                        doc.text("inner: ");
                        object(doc, [format!("name: \"{n}\""), "b: true".to_owned()], Doc::text);
                    }
                });
            },
        );
        doc.text(" as const;");
    });
    o.layout(|doc| {
        assign_string(doc, " =", |doc| doc.text(format_args!("const s{low}")), |doc| doc.text(string));
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| doc.text(format_args!("const c{low}")),
            |doc| {
                doc.text("/* @__PURE__ */ make");
                arguments(doc, [string, "second"], text);
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign(
            doc,
            |doc| doc.text(format_args!("const w{low}")),
            |doc| {
                doc.text("new Thing");
                arguments(doc, ["client", string], text);
            },
        );
        doc.text(";");
    });
    o.layout(|doc| {
        assign_string(
            doc,
            " =",
            |doc| doc.text(format_args!("const p{low}")),
            |doc| doc.text("makeSomething(descriptor)"),
        );
        doc.text(";");
    });
    o.layout(|doc| {
        doc.text(format_args!("function f{length}"));
        signature(doc, [format!("client: {n}"), "args?: Args".to_owned()], Doc::text, |doc| {
            doc.text(": Promise<void>");
        });
        doc.text(" {}");
    });
    o.layout(|doc| {
        doc.text(format_args!("function g{length}"));
        signature(doc, [format!("{low}: {n}")], Doc::text, |doc| doc.text(": void"));
        doc.text(" {}");
    });
    o.block(format_args!("class C{length}"), |o| {
        o.layout(|doc| {
            assign(
                doc,
                |doc| doc.text(format_args!("readonly {low}")),
                |doc| {
                    doc.text("new Thing");
                    arguments(doc, [string, "this"], text);
                },
            );
            doc.text(";");
        });
        o.layout(|doc| {
            doc.text("run");
            signature(doc, [format!("args: {n}"), "b: C".to_owned()], Doc::text, |doc| doc.text(": void"));
            doc.text(" {}");
        });
    });
    o.imports.import("package-a", &format!("a{low}"));
    o.imports.import("package-a", &format!("b{length}"));
    o.imports.import_type("package-a", &format!("T{length}"));
    o.imports.import_type(&format!("./{length}.js"), &format!("T{n}{length}"));
    o.imports.import_all("zod", &format!("z{length}"));
    out.push_str(&o.finish(""));
}

fn prettier() -> Option<PathBuf> {
    let named = std::env::var_os("TUNGSTEN_PRETTIER").map(PathBuf::from);
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    named.or_else(|| {
        ["target/tools/node/node_modules/.bin/prettier", "target/tools/prettier/node_modules/.bin/prettier"]
            .map(|path| root.join(path))
            .into_iter()
            .find(|path| path.exists())
    })
}

/// Every construct at every length: Prettier changes no byte.
#[test]
fn prettier_changes_nothing() {
    let Some(program) = prettier() else {
        println!("skipped: no prettier");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut differ = Vec::new();
    for lengths in [0..30, 30..60, 60..90] {
        let mut file = String::new();
        lengths.for_each(|length| {
            samples(length, &mut file);
            file.push('\n');
        });
        let file = format!("{}\n", file.trim_end());
        let path = folder.path().join("samples.ts");
        std::fs::write(&path, &file).expect("the folder is writable");
        let output = Command::new(&program).arg(&path).output().expect("prettier runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).expect("prettier prints UTF-8");
        if file != printed {
            let mut pairs = file.lines().zip(printed.lines());
            let at = pairs.position(|(ours, theirs)| ours != theirs).unwrap_or(printed.lines().count());
            let near = |text: &str| text.lines().skip(at.saturating_sub(4)).take(12).collect::<Vec<_>>().join("\n");
            differ.push(format!("line {at}\nours:\n{}\nprettier:\n{}", near(&file), near(&printed)));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}
