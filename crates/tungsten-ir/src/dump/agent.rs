//! What an agent manifest adds, in the JSON form: the part of each operation, and the model of the whole API.
//!
//! Predicates and expressions are written in the form that manifests have, from their rows.

use base::{Id, Span, Sym};

use super::Dump;
use crate::{
    Check, Cluster, Confirmation, Expr, ExprId, FieldPathId, KeyFormat, Macro, MacroId, MessagePart, MessagePartId,
    OpId, Predicate, Preview, Reference, Remediation, RemediationId, RetryRule, Root, ServerCheck, ServerRule, Step,
    StepId, StepKind, Test, ValueId, Verify, compact_doc,
};

impl Dump<'_> {
    pub(super) fn op_agent(&mut self, id: OpId) {
        let ir = self.ir;
        let row = ir.agent.ops[id];
        self.object_at("agent", |dump| {
            dump.string("safety", ir.safety[id].name());
            dump.idempotency(id);
            dump.object_at("preview", |dump| dump.preview(ir.preview(id)));
            if let Some(confirmation) = row.confirmation {
                dump.confirmation(ir.agent.confirmations[confirmation]);
            }
            if let Some(verify) = row.verify {
                dump.verify(ir.agent.verifies[verify]);
            }
            dump.remediations("remediation", row.remediation);
            dump.maybe_text("remediation_note", row.remediation_note);
            dump.fields("sensitive_response_fields", row.sensitive);
            dump.bool("shown_once", row.shown_once);
            dump.string("compact_doc", &compact_doc(ir, id));
            dump.maybe_cluster(row.cluster);
            dump.bool("hidden", row.hidden);
            dump.new_list_at("server_rules", ir.agent.server_rules.slice(row.server_rules), Self::server_rule);
        });
    }

    fn idempotency(&mut self, id: OpId) {
        let idempotency = self.ir.idempotency[id];
        self.object_at("idempotency", |dump| {
            dump.string("policy", idempotency.policy.name());
            dump.maybe_sym("header", idempotency.header);
            dump.maybe_word("format", idempotency.format.map(KeyFormat::name));
            dump.bool("persist_required", idempotency.persist_required);
            dump.maybe_text("note", idempotency.note);
        });
    }

    fn preview(&mut self, preview: Preview) {
        self.string("mode", preview.mode());
        match preview {
            Preview::Header { name, value } => {
                self.sym("header", name);
                self.sym("value", value);
            }
            Preview::Endpoint(op) => self.sym("operation", self.ir.ops.rows[op].id),
            Preview::Local | Preview::None => {}
        }
    }

    fn confirmation(&mut self, row: Confirmation) {
        self.object_at("confirmation", |dump| {
            dump.fields("summary_fields", row.summary);
            dump.maybe_text("message", row.message);
            if row.message.is_some() {
                dump.message_parts(row.parts);
            }
        });
    }

    fn message_parts(&mut self, parts: Span<MessagePartId>) {
        let ir = self.ir;
        self.list_at("message_parts", ir.agent.message_parts.slice(parts), |dump, part| {
            dump.object(|dump| match *part {
                MessagePart::Text(text) => {
                    dump.string("kind", "text");
                    dump.maybe_text("value", Some(text));
                }
                MessagePart::Field(path) => {
                    dump.string("kind", "field");
                    dump.string("value", &ir.dotted(path));
                }
            });
        });
    }

    fn verify(&mut self, row: Verify) {
        self.object_at("verify", |dump| {
            dump.sym("operation", dump.ir.ops.rows[row.operation].id);
            dump.expr_at("args", Some(row.args));
            dump.predicate_at("expect", row.expect);
            dump.predicate_at("terminal", row.terminal);
            dump.maybe_count("poll_interval_ms", row.poll_interval_ms);
            dump.maybe_count("poll_budget_ms", row.poll_budget_ms);
        });
    }

    fn remediations(&mut self, key: &str, rows: Span<RemediationId>) {
        let ir = self.ir;
        self.object_at(key, |dump| {
            for row in ir.agent.remediations.slice(rows) {
                let Remediation { code, category, retryable, text, next_action, status } = *row;
                dump.object_at(ir.names.resolve(code), |dump| {
                    dump.maybe_word("category", category.map(crate::Category::name));
                    dump.maybe_text("text", text);
                    dump.maybe_word("retryable", retryable.map(crate::Retryable::name));
                    dump.maybe_text("next_action", next_action);
                    dump.maybe_count("status", status.map(u64::from));
                });
            }
        });
    }

    fn server_rule(&mut self, row: &ServerRule) {
        let ir = self.ir;
        self.object(|dump| {
            dump.string("field", &ir.dotted(row.field));
            dump.object_at("check", |dump| match row.check {
                ServerCheck::HostSuffixes(suffixes) => {
                    dump.string("kind", "host_suffixes");
                    let suffixes = ir.agent.suffixes.slice(suffixes);
                    dump.list_at("suffixes", suffixes, |dump, suffix| dump.json.string(ir.names.resolve(*suffix)));
                }
                ServerCheck::MaxAheadMinutes(minutes) => {
                    dump.string("kind", "max_ahead_minutes");
                    dump.maybe_count("minutes", Some(minutes));
                }
            });
            dump.maybe_count("status", Some(row.status.into()));
            dump.maybe_sym("code", row.code);
            dump.maybe_text("message", row.message);
        });
    }

    fn fields(&mut self, key: &str, fields: Span<FieldPathId>) {
        let ir = self.ir;
        self.list_at(key, ir.agent.field_paths.slice(fields), |dump, path| dump.json.string(&ir.dotted(*path)));
    }

    fn maybe_cluster(&mut self, cluster: Option<crate::ClusterId>) {
        self.maybe_sym("cluster", cluster.map(|cluster| self.ir.agent.clusters[cluster].name));
    }

    fn maybe_word(&mut self, key: &str, word: Option<&str>) {
        if let Some(word) = word {
            self.string(key, word);
        }
    }

    // The model of the API.

    pub(super) fn agent_model(&mut self) {
        let ir = self.ir;
        let agent = &ir.agent;
        self.object_at("agent", |dump| {
            dump.list_at("macros", agent.macros.ids(), Self::macro_call);
            let members = cluster_members(ir);
            dump.list_at("clusters", agent.clusters.rows().iter().zip(&members), |dump, (row, members)| {
                dump.cluster(*row, members);
            });
            dump.object_at("gates", |dump| {
                for row in agent.gates.rows() {
                    dump.maybe_text(ir.names.resolve(row.env), Some(row.text));
                }
            });
            dump.remediations("error_codes", agent.error_codes);
            dump.list_at("ambiguous_statuses", &agent.ambiguous_statuses, |dump, status| {
                dump.json.raw(&status.to_string());
            });
            dump.list_at("non_json", agent.non_json.rows(), |dump, row| {
                dump.object(|dump| {
                    dump.maybe_count("status", Some(row.status.into()));
                    dump.string("media", row.media.map_or("none", |media| ir.names.resolve(media)));
                    dump.string("category", row.category.name());
                    dump.maybe_word("retryable", row.retryable.map(crate::Retryable::name));
                    dump.maybe_text("text", row.text);
                });
            });
            dump.settings();
        });
    }

    fn cluster(&mut self, row: Cluster, members: &[Sym]) {
        let ir = self.ir;
        self.object(|dump| {
            dump.sym("name", row.name);
            dump.maybe_text("summary", row.summary);
            dump.list_at("operations", members, |dump, member| dump.json.string(ir.names.resolve(*member)));
        });
    }

    fn settings(&mut self) {
        let agent = &self.ir.agent;
        self.object_at("retries", |dump| {
            dump.retry_rule("read_only", agent.retries.read_only);
            dump.retry_rule("mutating", agent.retries.mutating);
            dump.bool("honor_retry_after", agent.retries.honor_retry_after);
        });
        let unknown = agent.unknown_outcome;
        self.object_at("unknown_outcome", |dump| {
            dump.string("on_timeout", unknown.on_timeout.name());
            dump.string("on_connection_reset", unknown.on_connection_reset.name());
            dump.string("on_ambiguous_status", unknown.on_ambiguous_status.name());
        });
        let disclosure = &agent.disclosure;
        self.object_at("disclosure", |dump| {
            dump.string("mode", disclosure.mode.name());
            dump.maybe_count("threshold", Some(disclosure.threshold));
            dump.maybe_count("list_budget_tokens", Some(disclosure.list_budget_tokens));
            dump.maybe_count("description_budget_tokens", Some(disclosure.description_budget_tokens));
            dump.maybe_count("schema_budget_tokens", Some(disclosure.schema_budget_tokens));
            dump.list_at("drop_fields", &disclosure.drop_fields, |dump, field| {
                dump.json.string(dump.ir.names.resolve(*field));
            });
            dump.bool("keep_examples", disclosure.keep_examples);
        });
    }

    fn retry_rule(&mut self, key: &str, rule: RetryRule) {
        self.object_at(key, |dump| {
            dump.maybe_count("max", Some(rule.max));
            dump.maybe_count("base_ms", Some(rule.base_ms));
            dump.maybe_count("max_ms", Some(rule.max_ms));
            dump.string("jitter", rule.jitter.name());
        });
    }

    fn macro_call(&mut self, id: MacroId) {
        let ir = self.ir;
        let row: Macro = ir.agent.macros[id];
        self.object(|dump| {
            dump.sym("name", row.id);
            dump.maybe_text("summary", Some(row.summary));
            dump.string("safety", row.safety.name());
            dump.list_at("steps", ir.agent.steps.slice(row.steps), Self::step);
            dump.expr_at("output", Some(row.output));
            dump.object_at("input", |dump| {
                dump.maybe_sym("extends", row.extends.map(|op| ir.ops.rows[op].id));
                dump.object_at("add", |dump| {
                    for field in ir.agent.macro_fields.slice(row.fields) {
                        dump.value_at(ir.names.resolve(field.name), field.schema);
                    }
                });
            });
            dump.maybe_cluster(row.cluster);
            dump.fields("sensitive_response_fields", row.sensitive);
            dump.bool("shown_once", row.shown_once);
        });
    }

    /// Absent members are null: the canonical form has them all.
    fn step(&mut self, row: &Step) {
        let ir = self.ir;
        self.object(|dump| {
            let (kind, until, interval_ms, budget_ms, max_pages) = match row.kind {
                StepKind::Call => ("call", None, None, None, None),
                StepKind::Poll { until, interval_ms, budget_ms } => ("poll", Some(until), interval_ms, budget_ms, None),
                StepKind::Paginate { max_pages } => ("paginate", None, None, None, max_pages),
            };
            dump.string("kind", kind);
            dump.sym("operation", ir.ops.rows[row.operation].id);
            dump.expr_at("args", Some(row.args));
            match row.name {
                Some(name) => dump.sym("as", name),
                None => dump.null("as"),
            }
            dump.predicate_at("until", until);
            dump.count_or_null("interval_ms", interval_ms);
            dump.expr_at("budget_ms", budget_ms);
            dump.count_or_null("max_pages", max_pages);
        });
    }

    fn null(&mut self, key: &str) {
        self.json.key(key);
        self.json.raw("null");
    }

    fn count_or_null(&mut self, key: &str, count: Option<u64>) {
        if count.is_some() { self.maybe_count(key, count) } else { self.null(key) }
    }

    // Predicates and expressions.

    fn predicate_at(&mut self, key: &str, predicate: Option<Predicate>) {
        let ir = self.ir;
        let Some(predicate) = predicate else { return self.null(key) };
        self.object_at(key, |dump| {
            for condition in ir.agent.conditions.slice(predicate) {
                let (test, value) = match condition.check {
                    Check::In(list) => ("in", list),
                    Check::Equals(value) => ("equals", value),
                    Check::Contains(value) => ("contains", value),
                };
                dump.object_at(&ir.dotted(condition.path), |dump| dump.value_at(test, value));
            }
        });
    }

    fn expr_at(&mut self, key: &str, expr: Option<ExprId>) {
        match expr {
            Some(expr) => {
                self.json.key(key);
                self.expr(expr);
            }
            None => self.null(key),
        }
    }

    /// Recursion is bounded by the depth that expressions may have (64).
    fn expr(&mut self, id: ExprId) {
        let ir = self.ir;
        match ir.agent.exprs[id] {
            Expr::Literal(value) => self.value(value),
            Expr::Reference(reference) => {
                let text = self.reference_text(reference);
                self.json.string(&text);
            }
            Expr::Compare(reference, test) => {
                let comparison = self.comparison_text(reference, test);
                self.object(|dump| dump.string("expr", &comparison));
            }
            Expr::List(items) => {
                self.json.open(b'[');
                for &item in ir.agent.expr_items.slice(items) {
                    self.expr(item);
                }
                self.json.close(b']');
            }
            Expr::Object(members) => self.object(|dump| {
                for &(name, member) in ir.agent.expr_members.slice(members) {
                    dump.json.key(ir.names.resolve(name));
                    dump.expr(member);
                }
            }),
        }
    }

    fn reference_text(&self, reference: Reference) -> String {
        let root = match reference.root {
            Root::Response => "response",
            Root::Args => "args",
            Root::Input => "input",
            Root::Step(step) => self.step_name(step),
        };
        let dot = if reference.path.is_empty() { "" } else { "." };
        format!("${root}{dot}{}", self.ir.dotted(reference.path))
    }

    fn step_name(&self, step: StepId) -> &str {
        self.ir.agent.steps[step].name.map_or("", |name| self.ir.names.resolve(name))
    }

    fn comparison_text(&self, reference: Reference, test: Test) -> String {
        let (sign, value): (&str, ValueId) = match test {
            Test::In(list) => ("in", list),
            Test::Equals(value) => ("==", value),
            Test::Differs(value) => ("!=", value),
        };
        let mut inner = Dump::new(self.ir, self.context);
        inner.json = crate::json::Json::new(false);
        inner.value(value);
        format!("{} {sign} {}", self.reference_text(reference), inner.json.finish())
    }
}

/// The members of each cluster, sorted by id.
fn cluster_members(ir: &crate::Ir) -> Vec<Vec<Sym>> {
    let mut members: Vec<Vec<Sym>> = vec![Vec::new(); ir.agent.clusters.len()];
    let mut add = |cluster: Option<crate::ClusterId>, member: Sym| {
        if let Some(cluster) = cluster {
            members[cluster.index()].push(member);
        }
    };
    for (id, op) in ir.ops.rows.iter() {
        add(ir.agent.ops[id].cluster, op.id);
    }
    for row in ir.agent.macros.rows() {
        add(row.cluster, row.id);
    }
    for list in &mut members {
        list.sort_by(|a, b| ir.names.resolve(*a).cmp(ir.names.resolve(*b)));
    }
    members
}
