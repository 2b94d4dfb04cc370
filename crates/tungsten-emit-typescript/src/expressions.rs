//! Verification hooks, and the predicates and expressions of hooks and macros, as members of descriptors.
//!
//! Reads rows of the IR; writes object literals. Names are wire names; members of made objects carry the name that callers
//! see beside them. Expressions nest at most 64 levels, so recursion is bounded.

use base::SpecText;
use tungsten_emit::Doc;
use tungsten_emit::escape::typescript;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_ir::{Check, Expr, ExprId, FieldPath, Ir, Names, Predicate, Reference, Root, StepId, Test, Verify};

use crate::literals;
use crate::object::{Members, object};

/// What writes expressions: names for the members that callers see, and the first step that references count from.
#[derive(Clone, Copy)]
pub(crate) struct Expressions<'a> {
    pub(crate) ir: &'a Ir,
    /// Nothing where nobody but the API sees what is made.
    pub(crate) names: Option<&'a Names>,
    pub(crate) first_step: Option<StepId>,
}

/// A hook. `run` is the local name of the runtime's function, `read` that of the descriptor.
pub(crate) fn verify(o: &mut Members<'_>, ir: &Ir, hook: Verify, run: &str, read: &str) {
    let expressions = Expressions { ir, names: None, first_step: None };
    o.plain("run", run);
    o.plain("operation", format_args!("() => {read}"));
    o.member("args", |doc| expressions.write(doc, hook.args));
    if let Some(expect) = hook.expect {
        o.member("expect", |doc| conditions(doc, ir, expect));
    }
    if let Some(terminal) = hook.terminal {
        o.member("terminal", |doc| conditions(doc, ir, terminal));
    }
    if let Some(interval) = hook.poll_interval_ms {
        o.plain("intervalMs", interval);
    }
    if let Some(budget) = hook.poll_budget_ms {
        o.plain("budgetMs", budget);
    }
}

/// What must hold of an answer.
pub(crate) fn conditions(doc: &mut Doc, ir: &Ir, predicate: Predicate) {
    let rows = ir.agent.conditions.slice(predicate);
    let kind = if rows.len() > 1 { Items::Composite } else { Items::Others };
    array(doc, kind, rows, |doc, row| {
        object(doc, |o| {
            path(o, ir, row.path);
            match row.check {
                Check::In(list) => o.plain("in", literals::value(ir, list)),
                Check::Equals(value) => o.plain("equals", literals::value(ir, value)),
                Check::Contains(value) => o.plain("contains", literals::value(ir, value)),
            }
        });
    });
}

impl Expressions<'_> {
    pub(crate) fn write(self, doc: &mut Doc, id: ExprId) {
        let ir = self.ir;
        match ir.agent.exprs[id] {
            Expr::Literal(value) => object(doc, |o| o.plain("value", literals::value(ir, value))),
            Expr::Reference(reference) => self.reference(doc, reference),
            Expr::Compare(reference, test) => object(doc, |o| {
                o.member("compare", |doc| self.reference(doc, reference));
                o.member("test", |doc| {
                    object(doc, |o| match test {
                        Test::In(list) => o.plain("in", literals::value(ir, list)),
                        Test::Equals(value) => o.plain("equals", literals::value(ir, value)),
                        Test::Differs(value) => o.plain("differs", literals::value(ir, value)),
                    });
                });
            }),
            Expr::List(items) => object(doc, |o| {
                o.member("list", |doc| {
                    let items: Vec<ExprId> = ir.agent.expr_items.slice(items).to_vec();
                    let kind = if items.len() > 1 && items.iter().all(|&item| self.has_several_members(item)) {
                        Items::Composite
                    } else {
                        Items::Others
                    };
                    array(doc, kind, items, |doc, item| self.write(doc, item));
                });
            }),
            Expr::Object(members) => object(doc, |o| {
                let kind = if members.len() > 1 { Items::Composite } else { Items::Others };
                o.member("object", |doc| {
                    array(doc, kind, members, |doc, member| {
                        let (name, value) = ir.agent.expr_members[member];
                        object(doc, |o| {
                            o.string("name", literals::string(ir, name));
                            if let Some(key) = self.names.map(|names| names.expr_member(member))
                                && key != ir.names.resolve(name)
                            {
                                o.plain("key", format_args!("\"{key}\""));
                            }
                            o.member("value", |doc| self.write(doc, value));
                        });
                    });
                });
            }),
        }
    }

    /// Whether the literal of an expression has two or more members.
    fn has_several_members(self, id: ExprId) -> bool {
        match self.ir.agent.exprs[id] {
            Expr::Compare(..) => true,
            Expr::Reference(reference) => !reference.path.is_empty(),
            Expr::Literal(_) | Expr::List(_) | Expr::Object(_) => false,
        }
    }

    fn reference(self, doc: &mut Doc, reference: Reference) {
        object(doc, |o| {
            match reference.root {
                Root::Response => o.plain("ref", "\"response\""),
                Root::Args => o.plain("ref", "\"args\""),
                Root::Input => o.plain("ref", "\"input\""),
                Root::Step(step) => o.plain("ref", self.index(step)),
            }
            if !reference.path.is_empty() {
                path(o, self.ir, reference.path);
            }
        });
    }

    /// The place of a step among those of its macro.
    fn index(self, step: StepId) -> u64 {
        let first = self.first_step.map_or(0, base::Id::index);
        (base::Id::index(step) - first) as u64
    }
}

fn path(o: &mut Members<'_>, ir: &Ir, path: FieldPath) {
    o.member("path", |doc| {
        array(doc, Items::Others, ir.agent.path_steps.slice(path), |doc, step| {
            doc.text(typescript::string(SpecText::new(ir.names.resolve(*step))));
        });
    });
}
