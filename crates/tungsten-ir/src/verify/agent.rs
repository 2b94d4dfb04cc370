//! The invariants of what an agent manifest adds: rows name rows, predicates and lists are what they say, macros are
//! sound.

use base::Span;

use super::Check;
use crate::{
    ConditionId, Expr, FieldPath, JsonValue, Macro, MessagePart, OpKind, OpStatus, Policy, Preview, Reference, Root,
    Safety, ServerCheck, Step, StepId, StepKind, Test, ValueId,
};

impl Check<'_> {
    pub(super) fn rows_agent(&mut self) {
        let agent = &self.ir.agent;
        for id in self.ir.ops.rows.ids() {
            self.op_agent(id);
        }
        self.rows_expressions();
        self.rows_macros();
        for (id, row) in agent.clusters.iter() {
            self.sym(id, row.name);
            self.text(id, row.summary);
            if agent.clusters.iter().any(|(other, one)| other != id && one.name == row.name) {
                self.fault(id, "has the name of another cluster");
            }
        }
        for (id, row) in agent.gates.iter() {
            self.sym(id, row.env);
            self.text(id, row.text);
            if agent.gates.iter().any(|(other, one)| other != id && one.env == row.env) {
                self.fault(id, "has the variable of another gate");
            }
        }
        for (id, row) in agent.remediations.iter() {
            self.sym(id, row.code);
            self.text(id, row.text);
            self.text(id, row.next_action);
        }
        for (id, row) in agent.non_json.iter() {
            self.sym(id, row.media);
            self.text(id, row.text);
        }
        for (id, row) in agent.server_rules.iter() {
            self.path(id, row.field);
            self.sym(id, row.code);
            self.text(id, row.message);
            if let ServerCheck::HostSuffixes(suffixes) = row.check {
                self.span(id, suffixes, &agent.suffixes);
            }
        }
        for (id, &suffix) in agent.suffixes.iter() {
            self.sym(id, suffix);
        }
        self.span("the error codes", agent.error_codes, &agent.remediations);
        for &phrase in &agent.disclosure.drop_phrases {
            self.text("the disclosure", phrase);
        }
        for &field in &agent.disclosure.drop_fields {
            self.sym("the disclosure", field);
        }
    }

    fn op_agent(&mut self, id: crate::OpId) {
        let ir = self.ir;
        let row = ir.agent.ops[id];
        match row.preview {
            Some(Preview::Header { name, value }) => {
                self.sym(id, name);
                self.sym(id, value);
            }
            Some(Preview::Endpoint(op)) => {
                self.id(id, op, &ir.ops.rows);
                if op == id {
                    self.fault(id, "previews itself by itself");
                }
            }
            Some(Preview::Local | Preview::None) | None => {}
        }
        self.maybe(id, row.confirmation, &ir.agent.confirmations);
        self.maybe(id, row.verify, &ir.agent.verifies);
        self.maybe(id, row.cluster, &ir.agent.clusters);
        self.span(id, row.remediation, &ir.agent.remediations);
        self.span(id, row.sensitive, &ir.agent.field_paths);
        self.span(id, row.server_rules, &ir.agent.server_rules);
        self.text(id, row.remediation_note);
        self.text(id, ir.idempotency[id].note);
        if ir.idempotency[id].format.is_some() && ir.idempotency[id].policy != Policy::CallerOwned {
            self.fault(id, "has a key format, but callers do not make the key");
        }
    }

    fn rows_expressions(&mut self) {
        let ir = self.ir;
        let agent = &ir.agent;
        for (id, row) in agent.confirmations.iter() {
            self.span(id, row.summary, &agent.field_paths);
            self.text(id, row.message);
            self.span(id, row.parts, &agent.message_parts);
        }
        for (id, row) in agent.message_parts.iter() {
            match *row {
                MessagePart::Text(text) => self.text(id, text),
                MessagePart::Field(path) => self.path(id, path),
            }
        }
        for (id, row) in agent.verifies.iter() {
            self.id(id, row.operation, &ir.ops.rows);
            self.id(id, row.args, &agent.exprs);
            for predicate in [row.expect, row.terminal].into_iter().flatten() {
                self.span(id, predicate, &agent.conditions);
            }
        }
        for (id, row) in agent.conditions.iter() {
            self.path(id, row.path);
            match row.check {
                crate::Check::In(list) => self.list(id, list),
                crate::Check::Equals(value) | crate::Check::Contains(value) => self.value(id, value),
            }
        }
        for (id, row) in agent.exprs.iter() {
            match *row {
                Expr::Literal(value) => self.value(id, value),
                Expr::Reference(reference) => self.reference(id, reference),
                Expr::Compare(reference, test) => {
                    self.reference(id, reference);
                    match test {
                        Test::In(list) => self.list(id, list),
                        Test::Equals(value) | Test::Differs(value) => self.value(id, value),
                    }
                }
                Expr::List(items) => self.span(id, items, &agent.expr_items),
                Expr::Object(members) => self.span(id, members, &agent.expr_members),
            }
        }
        for (id, &item) in agent.expr_items.iter() {
            self.id(id, item, &agent.exprs);
        }
        for (id, &(name, value)) in agent.expr_members.iter() {
            self.sym(id, name);
            self.id(id, value, &agent.exprs);
        }
        for (id, &path) in agent.field_paths.iter() {
            self.path(id, path);
        }
        for (id, &step) in agent.path_steps.iter() {
            self.sym(id, step);
        }
    }

    fn path(&mut self, row: impl std::fmt::Debug, path: FieldPath) {
        self.span(row, path, &self.ir.agent.path_steps);
    }

    fn reference(&mut self, row: crate::ExprId, reference: Reference) {
        self.path(row, reference.path);
        self.maybe(row, reference.ty, &self.ir.types.rows);
        if let Root::Step(step) = reference.root {
            self.id(row, step, &self.ir.agent.steps);
        }
    }

    fn list(&mut self, row: impl std::fmt::Debug, value: ValueId) {
        let rows = &self.ir.values.rows;
        if !matches!(rows.get(value), Some(JsonValue::Array(_))) {
            self.fault(row, &format!("is about one of {value:?}, which is no list"));
        }
    }

    fn rows_macros(&mut self) {
        let ir = self.ir;
        let agent = &ir.agent;
        for (id, row) in agent.macros.iter() {
            self.sym(id, row.id);
            self.sym(id, row.name);
            self.id(id, row.namespace, &ir.namespaces);
            self.text(id, row.summary);
            self.maybe(id, row.extends, &ir.ops.rows);
            self.span(id, row.fields, &agent.macro_fields);
            self.span(id, row.steps, &agent.steps);
            self.id(id, row.output, &agent.exprs);
            self.span(id, row.sensitive, &agent.field_paths);
            self.maybe(id, row.cluster, &agent.clusters);
            self.origin(id, row.origin);
            if row.steps.is_empty() {
                self.fault(id, "has no step");
            }
        }
        for (id, row) in agent.macro_fields.iter() {
            self.sym(id, row.name);
            self.value(id, row.schema);
            self.value(id, row.default);
        }
        for (id, row) in agent.steps.iter() {
            self.step(id, row);
        }
    }

    fn step(&mut self, id: StepId, row: &Step) {
        let ir = self.ir;
        self.id(id, row.operation, &ir.ops.rows);
        self.id(id, row.args, &ir.agent.exprs);
        self.sym(id, row.name);
        if let StepKind::Poll { until, budget_ms, .. } = row.kind {
            let until: Span<ConditionId> = until;
            self.span(id, until, &ir.agent.conditions);
            self.maybe(id, budget_ms, &ir.agent.exprs);
        }
    }

    /// What hooks and macros promise about the operations that they call. Follows ids, so the rows must be right.
    pub(super) fn agent_calls(&mut self) {
        let ir = self.ir;
        for (id, row) in ir.agent.verifies.iter() {
            if ir.safety[row.operation] != Safety::ReadOnly {
                self.fault(id, "asks an operation with side effects");
            }
        }
        for (id, row) in ir.agent.macros.iter() {
            let has_id = |other: &Macro| other.id == row.id;
            if ir.agent.macros.rows().iter().filter(|other| has_id(other)).count() > 1
                || ir.ops.rows.rows().iter().any(|op| op.id == row.id)
            {
                self.fault(id, "has the id of another macro or of an operation");
            }
            for step in row.steps {
                self.step_of(id, row, step);
            }
        }
    }

    fn step_of(&mut self, id: crate::MacroId, row: &Macro, step_id: StepId) {
        let ir = self.ir;
        let step = ir.agent.steps[step_id];
        let op = ir.ops.rows[step.operation];
        if op.kind != OpKind::Call || op.status != OpStatus::Implemented {
            self.fault(step_id, "has an operation that cannot be called");
        }
        let safety = ir.safety[step.operation];
        match step.kind {
            StepKind::Call if safety > row.safety => self.fault(id, &format!("is less strict than {step_id:?}")),
            StepKind::Poll { .. } if safety != Safety::ReadOnly => self.fault(step_id, "polls with side effects"),
            StepKind::Paginate { .. } if ir.pagination[step.operation].is_none() => {
                self.fault(step_id, "collects pages of an operation that has none");
            }
            _ => {}
        }
    }
}
