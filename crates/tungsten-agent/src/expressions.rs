//! Expressions: values that are made from arguments and answers.
//!
//! Reads what a manifest writes; writes rows, each reference with its type where the description tells it, and TG0607
//! for references that lead nowhere. Recursion is bounded by the depth that expressions may have (64).

use base::Sym;
use base::diag::quoted;
use tungsten_ir::{Expr, ExprId, FieldPath, JsonValue, Reference, Root, Test};
use tungsten_manifest::{Comparison, Expression, Reference as Stated, Term, Test as StatedTest};

use crate::cx::Cx;
use crate::fields::{Kinds, Known, follow_names};
use crate::predicates::{check_items, check_value, report_missing};
use crate::values;

/// The names that an expression may refer to.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) names: Vec<(String, Root, Known)>,
}

/// A written expression.
pub(crate) struct Made {
    pub(crate) id: ExprId,
    pub(crate) known: Known,
}

pub(crate) fn expression(stated: &Expression, scope: &Scope, cx: &mut Cx<'_>) -> Made {
    term(&stated.term, scope, cx)
}

/// The expression `{}`.
pub(crate) fn empty_object(cx: &mut Cx<'_>) -> Made {
    let members = cx.ir.agent.expr_members.extend([]);
    Made { id: cx.ir.agent.exprs.push(Expr::Object(members)), known: Known::Object(Vec::new()) }
}

fn term(stated: &Term, scope: &Scope, cx: &mut Cx<'_>) -> Made {
    let (row, known) = match stated {
        Term::Literal(raw) => {
            let value = values::keep(cx.ir, raw);
            (Expr::Literal(value), Known::Of(Kinds::of_value(cx.ir, value)))
        }
        Term::Reference(stated) => {
            let (reference, known) = reference(stated, scope, cx);
            (Expr::Reference(reference), known)
        }
        Term::Comparison(stated) => (comparison(stated, scope, cx), Known::Of(Kinds::BOOL)),
        Term::List(items) => {
            let items: Vec<ExprId> = items.iter().map(|item| term(item, scope, cx).id).collect();
            (Expr::List(cx.ir.agent.expr_items.extend(items)), Known::Of(Kinds::LIST))
        }
        Term::Object(members) => {
            let mut rows: Vec<(Sym, ExprId)> = Vec::with_capacity(members.len());
            let mut known = Vec::with_capacity(members.len());
            for member in members {
                let made = term(&member.term, scope, cx);
                rows.push((cx.sym(&member.name), made.id));
                known.push((member.name.clone(), made.known));
            }
            (Expr::Object(cx.ir.agent.expr_members.extend(rows)), Known::Object(known))
        }
    };
    Made { id: cx.ir.agent.exprs.push(row), known }
}

/// A reference and what is known of its value. One that leads nowhere is reported and may then be anything.
fn reference(stated: &Stated, scope: &Scope, cx: &mut Cx<'_>) -> (Reference, Known) {
    let found = scope.names.iter().find(|(name, ..)| *name == stated.root);
    // The manifest's reader lets only known names through.
    let (_, root, start) = found.expect("a reference names something that is known");
    let names: Vec<&str> = stated.path.iter().map(String::as_str).collect();
    let found = follow_names(cx.ir, start, &names, false);
    let path: FieldPath = cx.path(found.steps.iter().map(String::as_str));
    let mut known = found.known;
    if let Some((name, near)) = found.missing {
        let owner = format!("`${}`", stated.root);
        report_missing(&stated.path.join("."), &name, near.as_deref(), &owner, &stated.place, cx);
        known = Known::Anything;
    }
    (Reference { root: *root, path, ty: known.only_type() }, known)
}

fn comparison(stated: &Comparison, scope: &Scope, cx: &mut Cx<'_>) -> Expr {
    let (left, known) = reference(&stated.left, scope, cx);
    let written = std::iter::once(&stated.left.root).chain(&stated.left.path);
    let subject = quoted(&format!("${}", written.map(String::as_str).collect::<Vec<_>>().join(".")));
    let place = &stated.left.place;
    let test = match &stated.test {
        StatedTest::In(items) => {
            let list = values::keep_list(cx.ir, items);
            check_items(&known, list, &subject, place, cx);
            Test::In(list)
        }
        StatedTest::Equals(raw) => {
            let value = values::keep(cx.ir, raw);
            check_value(&known, value, &subject, place, cx);
            Test::Equals(value)
        }
        StatedTest::Differs(raw) => {
            let value = values::keep(cx.ir, raw);
            check_value(&known, value, &subject, place, cx);
            Test::Differs(value)
        }
    };
    debug_assert!(!matches!(test, Test::In(list) if !matches!(cx.ir.values.rows[list], JsonValue::Array(_))));
    Expr::Compare(left, test)
}
