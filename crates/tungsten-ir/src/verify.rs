//! The invariants of the IR, checked. Later code indexes without asking, because debug builds run this after lowering,
//! after all passes and after the rules for agents.
//!
//! Reads everything, writes nothing, and answers one line a broken invariant. A fault here is one of ours, never one of
//! an input. Checks of one row are in `rows_*`, checks that need several rows have a function of their own.

mod agent;

use std::fmt::Debug;

use base::{Id, Span, Sym, Table, TextId};

use crate::{
    Additional, AuthKind, AuthPart, Bounds, Doc, ErrorModel, Format, HeaderSource, Info, Ir, JsonValue, OpId, OpKind,
    OpStatus, Origin, PageStyle, Pagination, Parts, Piece, ResourceId, Rule, RuleId, Segment, Shape, Strategy,
    StreamFlag, TypeId, ValueId,
};

/// All broken invariants; none means that ids and spans may be followed without a check.
///
/// May be called after any pass: what a later pass fills is judged only when it is there.
pub fn verify(ir: &Ir) -> Vec<String> {
    let mut check = Check { ir, faults: Vec::new() };
    check.rows_api();
    check.rows_types();
    check.rows_values();
    check.rows_ops();
    check.rows_resources();
    check.rows_agent();
    // The other checks follow ids, so they need the rows to be right.
    if check.faults.is_empty() {
        check.named_types();
        check.circles();
        check.records();
        check.unions();
        check.op_order();
        check.placeholders();
        check.agent_calls();
        if !ir.resources.rows.is_empty() {
            check.placement();
        }
    }
    check.faults
}

/// As [`verify`], for an IR that all passes are done with: every type is lowered, unless an error was reported, and
/// every callable operation has its place and its name.
pub fn verify_frozen(ir: &Ir, has_errors: bool) -> Vec<String> {
    let faults = verify(ir);
    if !faults.is_empty() {
        return faults;
    }
    let mut check = Check { ir, faults };
    if !has_errors {
        for (id, row) in ir.types.rows.iter() {
            if row.shape == Shape::Unknown {
                check.fault(id, "is unknown, but no error was reported");
            }
        }
    }
    if ir.resources.rows.is_empty() {
        check.placement();
    }
    check.faults
}

struct Check<'a> {
    ir: &'a Ir,
    faults: Vec<String>,
}

impl Check<'_> {
    fn fault(&mut self, row: impl Debug, what: &str) {
        self.faults.push(format!("{row:?} {what}"));
    }

    fn id<I: Id, T>(&mut self, row: impl Debug, id: I, table: &Table<I, T>) {
        if id.index() >= table.len() {
            self.fault(row, &format!("names {id:?}, which is no row"));
        }
    }

    fn maybe<I: Id, T>(&mut self, row: impl Debug, id: Option<I>, table: &Table<I, T>) {
        if let Some(id) = id {
            self.id(row, id, table);
        }
    }

    fn span<I: Id, T>(&mut self, row: impl Debug, span: Span<I>, table: &Table<I, T>) {
        let range = span.range();
        if range.start > range.end || range.end > table.len() {
            self.fault(row, &format!("has the rows {span:?} of a table of {}", table.len()));
        }
    }

    fn sym(&mut self, row: impl Debug, sym: impl Into<Option<Sym>>) {
        if let Some(sym) = sym.into()
            && sym.index() >= self.ir.names.len()
        {
            self.fault(row, &format!("names {sym:?}, which is no string"));
        }
    }

    fn text(&mut self, row: impl Debug, text: impl Into<Option<TextId>>) {
        if let Some(text) = text.into()
            && text.index() >= self.ir.texts.len()
        {
            self.fault(row, &format!("names {text:?}, which is no text"));
        }
    }

    fn doc(&mut self, row: impl Debug, doc: Doc) {
        for text in [doc.summary, doc.description, doc.external, doc.external_description] {
            self.text(&row, text);
        }
    }

    fn origin(&mut self, row: impl Debug, origin: Origin) {
        self.text(row, origin.pointer);
    }

    fn ty(&mut self, row: impl Debug, ty: TypeId) {
        self.id(row, ty, &self.ir.types.rows);
    }

    fn value(&mut self, row: impl Debug, value: impl Into<Option<ValueId>>) {
        self.maybe(row, value.into(), &self.ir.values.rows);
    }

    fn number(&mut self, row: impl Debug, number: Option<Sym>) {
        self.sym(&row, number);
        if let Some(number) = number
            && number.index() < self.ir.names.len()
            && !is_json_number(self.ir.names.resolve(number))
        {
            self.fault(row, "spells a number as JSON does not (RFC 8259, section 6)");
        }
    }

    fn rows_api(&mut self) {
        let ir = self.ir;
        if !ir.namespaces.is_empty() {
            self.sym("api", ir.api.name);
            self.sym("api", ir.api.version);
        }
        self.text("api", ir.api.title);
        self.text("api", ir.api.description);
        self.text("api", ir.api.docs_url);
        self.span("api", ir.api.servers, &ir.servers);
        for (id, row) in ir.namespaces.iter() {
            self.sym(id, row.name);
            self.sym(id, row.version);
            self.text(id, row.title);
            self.span(id, row.resources, &ir.resources.resource_refs);
            self.span(id, row.planned, &ir.resources.op_refs);
            let ErrorModel { envelope, code_field, message_field } = row.errors;
            self.maybe(id, envelope, &ir.types.rows);
            self.sym(id, code_field);
            self.sym(id, message_field);
            let Info { uri, doc, terms_of_service, contact, license } = row.info;
            self.doc(id, doc);
            let texts = [uri, terms_of_service, contact.name, contact.url, contact.email];
            for text in texts.into_iter().chain([license.name, license.identifier, license.url]) {
                self.text(id, text);
            }
        }
        for (id, row) in ir.tags.iter() {
            self.id(id, row.namespace, &ir.namespaces);
            self.sym(id, row.name);
            self.doc(id, row.doc);
            self.sym(id, row.parent);
            self.sym(id, row.kind);
        }
        for (id, row) in ir.servers.iter() {
            self.sym(id, row.template);
            self.sym(id, row.url);
            self.sym(id, row.name);
            self.text(id, row.description);
            self.span(id, row.variables, &ir.server_variables);
        }
        for (id, row) in ir.server_variables.iter() {
            self.sym(id, row.name);
            self.sym(id, row.default);
            self.span(id, row.choices, &ir.server_choices);
            self.text(id, row.description);
        }
        for (id, &choice) in ir.server_choices.iter() {
            self.sym(id, choice);
        }
        self.rows_auth();
    }

    fn rows_auth(&mut self) {
        let ir = self.ir;
        for (id, row) in ir.schemes.iter() {
            self.sym(id, row.name);
            self.sym(id, row.env);
            self.text(id, row.doc);
            match row.kind {
                AuthKind::ApiKey { wire_name, .. } => self.sym(id, wire_name),
                AuthKind::Bearer { format, prefix } => {
                    self.sym(id, format);
                    self.sym(id, prefix);
                }
                AuthKind::Oauth2 { flows, metadata_url } => {
                    self.span(id, flows, &ir.flows);
                    self.sym(id, metadata_url);
                }
                AuthKind::OpenIdConnect { url } => self.sym(id, url),
                AuthKind::Composite { satisfies, parts } => {
                    self.span(id, satisfies, &ir.satisfied);
                    self.span(id, parts, &ir.auth_parts);
                }
                AuthKind::Basic | AuthKind::Unsupported => {}
            }
        }
        for (id, row) in ir.flows.iter() {
            for url in [row.token_url, row.authorization_url, row.refresh_url, row.device_authorization_url] {
                self.sym(id, url);
            }
            self.span(id, row.scopes, &ir.scopes);
        }
        for (id, row) in ir.scopes.iter() {
            self.sym(id, row.name);
            self.text(id, row.doc);
        }
        for (id, name) in ir.satisfied.iter() {
            self.sym(id, *name);
        }
        for (id, row) in ir.auth_parts.iter() {
            match *row {
                AuthPart::Cookie { name } => self.sym(id, name),
                AuthPart::Header { name, source, .. } => {
                    self.sym(id, name);
                    let (HeaderSource::Cookie(from) | HeaderSource::Config(from)) = source;
                    self.sym(id, from);
                }
                AuthPart::Bearer { env, prefix } => {
                    self.sym(id, env);
                    self.sym(id, prefix);
                }
            }
        }
    }

    fn rows_types(&mut self) {
        let ir = self.ir;
        for (id, row) in ir.types.rows.iter() {
            if let Some(name) = row.name {
                self.id(id, name.namespace, &ir.namespaces);
                self.sym(id, name.name);
            }
            self.doc(id, row.doc);
            self.maybe(id, row.bounds, &ir.types.bounds);
            self.value(id, row.default);
            self.origin(id, row.origin);
            self.shape(id, row.shape);
        }
        for (id, row) in ir.types.xml.iter() {
            for name in [row.name, row.namespace, row.prefix] {
                self.sym(id, name);
            }
        }
        for (id, _) in ir.types.rows.iter() {
            self.maybe(id, ir.xml[id], &ir.types.xml);
        }
        for (id, row) in ir.types.fields.iter() {
            self.sym(id, row.name);
            self.ty(id, row.ty);
            self.value(id, row.default);
            self.doc(id, row.doc);
            self.origin(id, row.origin);
        }
        for (id, row) in ir.types.variants.iter() {
            self.sym(id, row.name);
            self.ty(id, row.ty);
            self.value(id, row.tag);
        }
        for (id, &ty) in ir.types.members.iter() {
            self.ty(id, ty);
        }
        for (id, row) in ir.types.enum_values.iter() {
            self.value(id, row.value);
            self.sym(id, row.name);
            self.text(id, row.doc);
        }
        for (id, row) in ir.types.bounds.iter() {
            self.text(id, row.pattern);
            let Bounds { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of, .. } = *row;
            for number in [minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of] {
                self.number(id, number);
            }
        }
        for (id, row) in ir.types.discriminators.iter() {
            self.sym(id, row.property);
            self.span(id, row.mapping, &ir.types.mappings);
            self.maybe(id, row.default, &ir.types.rows);
        }
        for (id, row) in ir.types.mappings.iter() {
            self.value(id, row.tag);
            self.ty(id, row.ty);
        }
        for &id in &ir.types.named {
            self.ty("the list of named types", id);
        }
        for id in ir.types.rows.ids() {
            self.span(id, ir.types.judged[id].rules, &ir.types.rules.rows);
        }
        for (id, row) in ir.types.rules.rows.iter() {
            self.rule(id, *row);
        }
        for (id, row) in ir.types.rules.names.iter() {
            self.sym(id, *row);
        }
        for (id, (name, ty)) in ir.types.rules.members.iter() {
            self.sym(id, *name);
            self.ty(id, *ty);
        }
        for (id, (pattern, ty)) in ir.types.rules.patterns.iter() {
            self.text(id, *pattern);
            self.ty(id, *ty);
        }
    }

    fn rule(&mut self, id: RuleId, rule: Rule) {
        let types = &self.ir.types;
        match rule {
            Rule::Types { .. } => {}
            Rule::Bounds { bounds } => self.id(id, bounds, &types.bounds),
            Rule::OneOfValues { values } => self.span(id, values, &self.ir.values.items),
            Rule::Required { names } => self.span(id, names, &types.rules.names),
            Rule::Properties { members } | Rule::NeedsTypes { members } => {
                self.span(id, members, &types.rules.members);
            }
            Rule::Patterns { members } => self.span(id, members, &types.rules.patterns),
            Rule::NeedsNames { name, names } => {
                self.sym(id, name);
                self.span(id, names, &types.rules.names);
            }
            Rule::Prefix { items: list }
            | Rule::All { members: list }
            | Rule::Any { members: list }
            | Rule::One { members: list } => self.span(id, list, &types.members),
            Rule::Additional { ty }
            | Rule::Names { ty }
            | Rule::Items { ty }
            | Rule::Contains { ty, .. }
            | Rule::Not { ty }
            | Rule::UnevaluatedProperties { ty }
            | Rule::UnevaluatedItems { ty } => self.ty(id, ty),
            Rule::If { condition, then, otherwise } => {
                self.ty(id, condition);
                self.maybe(id, then, &types.rows);
                self.maybe(id, otherwise, &types.rows);
            }
        }
    }

    fn shape(&mut self, id: TypeId, shape: Shape) {
        let types = &self.ir.types;
        match shape {
            Shape::Unknown
            | Shape::Any
            | Shape::Never
            | Shape::Bool
            | Shape::Integer { .. }
            | Shape::Number { .. }
            | Shape::Bytes => {}
            Shape::String { format } => {
                if let Some(Format::Other(name)) = format {
                    self.sym(id, name);
                }
            }
            Shape::Enum { values } => {
                self.span(id, values, &types.enum_values);
                if values.is_empty() {
                    self.fault(id, "is an enum without a value");
                }
            }
            Shape::Const { value } => self.value(id, value),
            Shape::Array { items } => self.ty(id, items),
            Shape::Tuple { prefix, rest } => {
                self.span(id, prefix, &types.members);
                self.maybe(id, rest, &types.rows);
            }
            Shape::Map { values } => self.ty(id, values),
            Shape::Record { fields, additional } => {
                self.span(id, fields, &types.fields);
                if let Additional::Typed(ty) = additional {
                    self.ty(id, ty);
                }
            }
            Shape::Union { variants, discriminator, .. } => {
                self.span(id, variants, &types.variants);
                self.maybe(id, discriminator, &types.discriminators);
                if variants.is_empty() {
                    self.fault(id, "is a union without a variant");
                }
            }
            Shape::Intersection { members } => {
                self.span(id, members, &types.members);
                if members.is_empty() {
                    self.fault(id, "is an intersection without a member");
                }
            }
            Shape::Nullable { inner } => self.ty(id, inner),
            Shape::Alias { target } => self.ty(id, target),
        }
    }

    fn rows_values(&mut self) {
        let values = &self.ir.values;
        for (id, row) in values.rows.iter() {
            match *row {
                JsonValue::Null | JsonValue::Bool(_) => {}
                JsonValue::Number(number) => self.number(id, Some(number)),
                JsonValue::String(text) => self.sym(id, text),
                JsonValue::Array(items) => self.span(id, items, &values.items),
                JsonValue::Object(members) => self.span(id, members, &values.members),
            }
        }
        for (id, &item) in values.items.iter() {
            self.value(id, item);
        }
        for (id, &(name, value)) in values.members.iter() {
            self.sym(id, name);
            self.value(id, value);
        }
    }

    fn rows_ops(&mut self) {
        let ir = self.ir;
        let ops = &ir.ops;
        for (id, row) in ops.rows.iter() {
            self.sym(id, row.id);
            self.sym(id, row.local_id);
            self.id(id, row.namespace, &ir.namespaces);
            match row.kind {
                OpKind::Call => {}
                OpKind::Webhook(name) => self.sym(id, name),
                OpKind::Callback { of, name } => {
                    self.id(id, of, &ops.rows);
                    self.sym(id, name);
                }
            }
            if let OpStatus::Planned { reason } = row.status {
                self.text(id, reason);
            }
            self.sym(id, row.path.raw);
            self.span(id, row.path.segments, &ops.segments);
            self.span(id, row.path.query, &ops.query_pairs);
            self.doc(id, row.doc);
            self.span(id, row.tags, &ops.tags);
            self.span(id, row.params, &ops.params);
            self.maybe(id, row.body, &ops.bodies);
            self.span(id, row.responses, &ops.responses);
            self.span(id, row.security, &ops.alternatives);
            self.span(id, row.servers, &ir.servers);
            self.span(id, row.extensions, &ops.extensions);
            self.origin(id, row.origin);
            self.op_columns(id);
        }
        self.rows_paths();
        self.rows_params_and_bodies();
        self.rows_responses();
        self.rows_security();
        self.rows_rpc();
    }

    fn op_columns(&mut self, id: OpId) {
        let ir = self.ir;
        self.maybe(id, ir.op_resource[id], &ir.resources.rows);
        self.sym(id, ir.op_name[id]);
        self.sym(id, ir.idempotency[id].header);
        self.sym(id, ir.gate[id].map(|gate| gate.env));
        match ir.stream_flag[id] {
            Some(StreamFlag::Param(param)) => self.maybe(id, Some(param), &ir.ops.params),
            Some(StreamFlag::Field(field)) => self.maybe(id, Some(field), &ir.types.fields),
            None => {}
        }
        if let Some(rpc) = ir.rpc[id] {
            for name in [Some(rpc.field), Some(rpc.value), rpc.params] {
                self.sym(id, name);
            }
            self.span(id, rpc.constants, &ir.ops.rpc_constants);
        }
        let Some(pagination) = ir.pagination[id] else { return };
        let Pagination { style, items, page_size_param, has_more_field, cursor_item_field, .. } = pagination;
        for name in [items, page_size_param, has_more_field, cursor_item_field] {
            self.sym(id, name);
        }
        let names = match style {
            PageStyle::Cursor { request_param, response_field } => [Some(request_param), response_field],
            PageStyle::Offset { offset_param, limit_param } => [Some(offset_param), Some(limit_param)],
            PageStyle::Page { page_param, size_param } => [Some(page_param), Some(size_param)],
            PageStyle::LinkHeader => [None, None],
            PageStyle::LinkField { response_field } => [Some(response_field), None],
        };
        for name in names {
            self.sym(id, name);
        }
    }

    fn rows_paths(&mut self) {
        let ops = &self.ir.ops;
        for (id, row) in ops.segments.iter() {
            match *row {
                Segment::Literal(name) | Segment::Param(name) => self.sym(id, name),
                Segment::Template(pieces) => self.span(id, pieces, &ops.pieces),
            }
        }
        for (id, row) in ops.pieces.iter() {
            let (Piece::Literal(name) | Piece::Param(name)) = *row;
            self.sym(id, name);
        }
        for (id, row) in ops.query_pairs.iter() {
            self.sym(id, row.name);
            self.sym(id, row.value);
        }
        for (id, &tag) in ops.tags.iter() {
            self.sym(id, tag);
        }
    }

    fn rows_params_and_bodies(&mut self) {
        let ops = &self.ir.ops;
        for (id, row) in ops.params.iter() {
            self.sym(id, row.name);
            self.ty(id, row.ty);
            self.sym(id, row.media_type);
            self.parts(id, row.parts);
            self.value(id, row.constant);
            self.value(id, row.default);
            self.doc(id, row.doc);
            self.span(id, row.examples, &ops.examples);
            self.origin(id, row.origin);
        }
        for (id, row) in ops.bodies.iter() {
            self.span(id, row.contents, &ops.contents);
            self.doc(id, row.doc);
        }
        for (id, row) in ops.contents.iter() {
            self.sym(id, row.media_type);
            self.ty(id, row.ty);
            self.maybe(id, row.item, &self.ir.types.rows);
            self.text(id, row.description);
            self.parts(id, row.parts);
            self.span(id, row.examples, &ops.examples);
            self.sym(id, row.stream_done);
        }
        for (id, row) in ops.parts.iter() {
            self.sym(id, row.name);
            self.sym(id, row.content_type);
            self.span(id, row.headers, &ops.headers);
            self.parts(id, row.parts);
        }
        for (id, row) in ops.examples.iter() {
            self.sym(id, row.name);
            self.doc(id, row.doc);
            self.text(id, row.serialized);
            self.text(id, row.external);
            if row.value.is_none() && row.serialized.is_none() && row.external.is_none() {
                self.fault(id, "shows nothing");
            }
        }
        for (id, row) in ops.extensions.iter() {
            self.sym(id, row.name);
        }
    }

    fn parts<I: Id>(&mut self, row: I, parts: Parts) {
        let table = &self.ir.ops.parts;
        self.span(row, parts.named, table);
        self.span(row, parts.prefix, table);
        self.maybe(row, parts.item, table);
    }

    fn rows_responses(&mut self) {
        let ops = &self.ir.ops;
        for (id, row) in ops.responses.iter() {
            self.span(id, row.contents, &ops.contents);
            self.span(id, row.headers, &ops.headers);
            self.span(id, row.links, &ops.links);
            self.doc(id, row.doc);
        }
        for (id, row) in ops.headers.iter() {
            self.sym(id, row.name);
            self.ty(id, row.ty);
            self.sym(id, row.media_type);
            self.doc(id, row.doc);
            self.span(id, row.examples, &ops.examples);
        }
        for (id, row) in ops.links.iter() {
            self.sym(id, row.name);
            self.maybe(id, row.operation, &ops.rows);
            self.sym(id, row.target);
            self.maybe(id, row.server, &self.ir.servers);
            self.span(id, row.parameters, &ops.link_parameters);
            self.doc(id, row.doc);
        }
        for (id, row) in ops.link_parameters.iter() {
            self.sym(id, row.0);
        }
    }

    fn rows_rpc(&mut self) {
        for (id, row) in self.ir.ops.rpc_constants.iter() {
            self.sym(id, row.name);
            self.value(id, row.value);
        }
    }

    fn rows_security(&mut self) {
        let ir = self.ir;
        for (id, row) in ir.ops.alternatives.iter() {
            self.span(id, row.all_of, &ir.ops.requirements);
        }
        for (id, row) in ir.ops.requirements.iter() {
            self.id(id, row.scheme, &ir.schemes);
            self.span(id, row.scopes, &ir.ops.scope_uses);
        }
        for (id, &scope) in ir.ops.scope_uses.iter() {
            self.sym(id, scope);
        }
    }

    fn rows_resources(&mut self) {
        let ir = self.ir;
        let resources = &ir.resources;
        for (id, row) in resources.rows.iter() {
            self.sym(id, row.name);
            self.id(id, row.namespace, &ir.namespaces);
            self.maybe(id, row.parent, &resources.rows);
            self.sym(id, row.path_prefix);
            self.doc(id, row.doc);
            self.span(id, row.ops, &resources.op_refs);
            self.span(id, row.children, &resources.resource_refs);
        }
        for (id, &op) in resources.op_refs.iter() {
            self.id(id, op, &ir.ops.rows);
        }
        for (id, &resource) in resources.resource_refs.iter() {
            self.id(id, resource, &resources.rows);
        }
    }

    /// The list of named types holds each once, namespace by namespace, and names are unique in their namespace.
    fn named_types(&mut self) {
        let types = &self.ir.types;
        let mut n_listed = vec![0_u32; types.rows.len()];
        let mut names = Vec::new();
        let mut last = None;
        for &id in &types.named {
            n_listed[id.index()] += 1;
            let Some(name) = types.rows[id].name else {
                self.fault(id, "is listed as named, but has no name");
                continue;
            };
            if last > Some(name.namespace) {
                self.fault(id, "is listed after a type of a later namespace");
            }
            last = Some(name.namespace);
            names.push((name.namespace, name.name, id));
        }
        for (id, row) in types.rows.iter() {
            if row.name.is_some() && n_listed[id.index()] != 1 {
                self.fault(id, &format!("is named, but listed {} times", n_listed[id.index()]));
            }
        }
        names.sort_unstable();
        for pair in names.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) && pair[0].2 != pair[1].2 {
                self.fault(pair[1].2, &format!("has the name of {:?}", pair[0].2));
            }
        }
    }

    /// No circle of aliases and nullables, which would have no value, and none of inline types, which have no name to
    /// break it.
    fn circles(&mut self) {
        let types = &self.ir.types;
        let wrapped = |id: TypeId, out: &mut Vec<TypeId>| match types.rows[id].shape {
            Shape::Alias { target } => out.push(target),
            Shape::Nullable { inner } => out.push(inner),
            _ => {}
        };
        for id in circles(types.rows.len(), wrapped) {
            self.fault(id, "is in a circle of aliases");
        }
        let inline = |id: TypeId, out: &mut Vec<TypeId>| {
            let start = out.len();
            types.parts(id, out);
            let mut kept = start;
            for index in start..out.len() {
                if types.rows[out[index]].name.is_none() {
                    out[kept] = out[index];
                    kept += 1;
                }
            }
            out.truncate(kept);
        };
        for id in circles(types.rows.len(), inline) {
            self.fault(id, "is in a circle of types without a name");
        }
    }

    /// Fields of a record have different wire names.
    fn records(&mut self) {
        let types = &self.ir.types;
        let mut owner: Vec<Option<TypeId>> = vec![None; self.ir.names.len()];
        for (id, row) in types.rows.iter() {
            let Shape::Record { fields, .. } = row.shape else { continue };
            for field in types.fields.slice(fields) {
                if owner[field.name.index()].replace(id) == Some(id) {
                    self.fault(id, "has two fields of one wire name");
                }
            }
        }
    }

    /// A discriminator chooses among the variants of its union; a tagged union has one. Keys stand where they are used.
    fn unions(&mut self) {
        let types = &self.ir.types;
        for (id, row) in types.rows.iter() {
            let Shape::Union { variants, discriminator, strategy } = row.shape else { continue };
            let has_keys = types.variants.slice(variants).iter().any(|variant| variant.key.is_some());
            if has_keys && !matches!(strategy, Strategy::ByProperty | Strategy::ByValue) {
                self.fault(id, "has keys that its strategy does not use");
            }
            let Some(discriminator) = discriminator else {
                if strategy == Strategy::Tagged {
                    self.fault(id, "is a tagged union without a discriminator");
                }
                continue;
            };
            let mut targets: Vec<TypeId> =
                types.variants.slice(variants).iter().map(|variant| types.resolved(variant.ty)).collect();
            targets.sort_unstable();
            let row = types.discriminators[discriminator];
            let is_variant = |ty: TypeId| targets.binary_search(&types.resolved(ty)).is_ok();
            for mapping in row.mapping {
                let target = types.mappings[mapping].ty;
                if !is_variant(target) {
                    self.fault(id, &format!("has {mapping:?} to {target:?}, which is no variant"));
                }
            }
            if let Some(other) = row.default.filter(|other| !is_variant(*other)) {
                self.fault(id, &format!("takes all other values for {other:?}, which is no variant"));
            }
        }
    }

    /// Operations, parameters and responses are in their order, and ids of operations are unique.
    fn op_order(&mut self) {
        let ops = &self.ir.ops;
        let mut seen: Vec<bool> = vec![false; self.ir.names.len()];
        let mut last = None;
        for (id, row) in ops.rows.iter() {
            if std::mem::replace(&mut seen[row.id.index()], true) {
                self.fault(id, "has the id of another operation");
            }
            if row.kind == OpKind::Call {
                if last > Some(row.namespace) {
                    self.fault(id, "stands after an operation of a later namespace");
                }
                last = Some(row.namespace);
            }
            if !ops.params.slice(row.params).is_sorted_by_key(|param| param.location) {
                self.fault(id, "has parameters out of order (path, query, header, cookie, query string)");
            }
            if !ops.responses.slice(row.responses).windows(2).all(|pair| pair[0].status < pair[1].status) {
                self.fault(id, "has responses out of order (exact, range, default)");
            }
        }
    }

    /// Each placeholder of a callable path has its parameter.
    fn placeholders(&mut self) {
        let ops = &self.ir.ops;
        for (id, row) in ops.rows.iter() {
            if row.kind != OpKind::Call {
                continue;
            }
            let params = ops.params.slice(row.params);
            let known =
                |name: Sym| params.iter().any(|param| param.location == crate::Location::Path && param.name == name);
            for segment in ops.segments.slice(row.path.segments) {
                let complete = match *segment {
                    Segment::Literal(_) => true,
                    Segment::Param(name) => known(name),
                    Segment::Template(pieces) => ops.pieces.slice(pieces).iter().all(|piece| match *piece {
                        Piece::Literal(_) => true,
                        Piece::Param(name) => known(name),
                    }),
                };
                if !complete {
                    self.fault(id, "has a placeholder without a path parameter");
                }
            }
        }
    }

    /// Every callable operation stands in exactly one resource and has a name there; every resource stands once under
    /// its parent or at the top of its namespace; both sides of each relation agree.
    fn placement(&mut self) {
        let ir = self.ir;
        let mut n_places = vec![0_u32; ir.ops.rows.len()];
        for (id, row) in ir.resources.rows.iter() {
            for &op in ir.resources.op_refs.slice(row.ops) {
                n_places[op.index()] += 1;
                if ir.op_resource[op] != Some(id) {
                    self.fault(op, &format!("is listed by {id:?}, but says {:?}", ir.op_resource[op]));
                }
                if ir.ops.rows[op].namespace != row.namespace {
                    self.fault(op, &format!("is listed by {id:?} of another namespace"));
                }
            }
        }
        for (id, row) in ir.ops.rows.iter() {
            let callable = row.kind == OpKind::Call && row.status == OpStatus::Implemented;
            let n_expected = u32::from(callable);
            if n_places[id.index()] != n_expected {
                self.fault(id, &format!("stands in {} resources and not in {n_expected}", n_places[id.index()]));
            }
            if callable && ir.op_name[id].is_none() {
                self.fault(id, "is callable, but has no name");
            }
        }
        self.tree();
    }

    fn tree(&mut self) {
        let ir = self.ir;
        let mut n_places = vec![0_u32; ir.resources.rows.len()];
        let mut count = |check: &mut Self, child: ResourceId, parent: Option<ResourceId>, namespace| {
            n_places[child.index()] += 1;
            let row = &ir.resources.rows[child];
            if row.parent != parent || row.namespace != namespace {
                check.fault(child, &format!("is listed under {parent:?} of {namespace:?}, but does not say so"));
            }
        };
        for (id, row) in ir.namespaces.iter() {
            for &child in ir.resources.resource_refs.slice(row.resources) {
                count(self, child, None, id);
            }
        }
        for (id, row) in ir.resources.rows.iter() {
            for &child in ir.resources.resource_refs.slice(row.children) {
                count(self, child, Some(id), row.namespace);
            }
        }
        for (index, n) in n_places.into_iter().enumerate() {
            if n != 1 {
                self.fault(ResourceId::from_index(index), &format!("stands in {n} places of the tree"));
            }
        }
        let parent = |id: ResourceId, out: &mut Vec<ResourceId>| out.extend(ir.resources.rows[id].parent);
        for id in circles(ir.resources.rows.len(), parent) {
            self.fault(id, "is its own ancestor");
        }
    }
}

/// One row of each circle that `edges` makes among `n_rows` rows. Depth-first with a stack of its own.
fn circles<I: Id>(n_rows: usize, edges: impl Fn(I, &mut Vec<I>)) -> Vec<I> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; n_rows];
    let mut found = Vec::new();
    let (mut stack, mut targets) = (Vec::new(), Vec::new());
    for start in (0..n_rows).map(I::from_index) {
        stack.push((start, false));
        while let Some((at, leaving)) = stack.pop() {
            if leaving {
                visits[at.index()] = Visit::Done;
                continue;
            }
            match visits[at.index()] {
                Visit::Done => continue,
                Visit::Open => {
                    found.push(at);
                    continue;
                }
                Visit::New => {}
            }
            visits[at.index()] = Visit::Open;
            stack.push((at, true));
            targets.clear();
            edges(at, &mut targets);
            stack.extend(targets.iter().map(|&target| (target, false)));
        }
    }
    found
}

/// Whether a text is a number of RFC 8259, section 6.
fn is_json_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests {
    use base::{Id, Span, Sym, TextId};

    use super::{is_json_number, verify, verify_frozen};
    use crate::sample::{Sample, shop};
    use crate::*;

    /// Breaks a sound IR and expects a fault that says so.
    #[track_caller]
    fn check(expect: &str, break_it: impl FnOnce(&mut Ir)) {
        let mut sample = shop();
        assert_eq!(sample.faults(), [""; 0], "the sample is sound");
        break_it(&mut sample.ir);
        let faults = verify_frozen(&sample.ir, false);
        assert!(faults.iter().any(|fault| fault.contains(expect)), "{expect}: {faults:?}");
    }

    fn far<I: Id>() -> I {
        I::from_index(9999)
    }

    fn wide<I: Id>() -> Span<I> {
        Span::new(0, 9999)
    }

    fn find(ir: &Ir, wanted: impl Fn(&Shape) -> bool) -> TypeId {
        ir.types.rows.iter().find(|(_, row)| wanted(&row.shape)).expect("the sample has one").0
    }

    #[test]
    fn ids_and_spans_beyond_their_tables_are_found() {
        check("which is no row", |ir| ir.types.fields.rows_mut()[0].ty = far());
        check("which is no row", |ir| ir.types.mappings.rows_mut()[0].ty = far());
        check("which is no row", |ir| ir.ops.params.rows_mut()[0].ty = far());
        check("which is no row", |ir| ir.ops.contents.rows_mut()[0].ty = far());
        check("which is no row", |ir| ir.ops.rows[OpId::from_index(0)].body = Some(far()));
        check("which is no row", |ir| ir.ops.rows[OpId::from_index(0)].namespace = far());
        check("which is no row", |ir| ir.ops.requirements.rows_mut()[0].scheme = far());
        check("which is no row", |ir| ir.resources.op_refs.rows_mut()[0] = far());
        check("which is no row", |ir| ir.namespaces.rows_mut()[0].errors.envelope = Some(far()));
        check("which is no row", |ir| ir.op_resource.set(OpId::from_index(0), Some(far())));
        check("which is no row", |ir| ir.types.enum_values.rows_mut()[0].value = far());
        check("which is no row", |ir| ir.types.members.rows_mut()[0] = far());
        check("which is no row", |ir| ir.types.named.push(far()));
        check("which is no string", |ir| ir.types.fields.rows_mut()[0].name = far::<Sym>());
        check("which is no string", |ir| ir.op_name.set(OpId::from_index(0), Some(far())));
        check("which is no string", |ir| ir.schemes.rows_mut()[0].name = far());
        check("which is no text", |ir| ir.types.rows.rows_mut()[0].doc.summary = Some(far::<TextId>()));
        check("of a table of", |ir| ir.ops.rows[OpId::from_index(0)].params = wide());
        check("of a table of", |ir| ir.ops.rows[OpId::from_index(0)].path.segments = wide());
        check("of a table of", |ir| ir.ops.responses.rows_mut()[0].headers = wide());
        check("of a table of", |ir| ir.resources.rows.rows_mut()[0].children = wide());
        check("of a table of", |ir| ir.api.servers = wide());
        check("of a table of", |ir| {
            let record = find(ir, |shape| matches!(shape, Shape::Record { .. }));
            ir.types.rows[record].shape = Shape::Record { fields: wide(), additional: Additional::Open };
        });
        check("of a table of", |ir| {
            ir.values.rows.push(JsonValue::Array(wide()));
        });
    }

    #[test]
    fn shapes_that_mean_nothing_are_found() {
        check("union without a variant", |ir| {
            let union = find(ir, |shape| matches!(shape, Shape::Union { .. }));
            let strategy = Strategy::Untagged;
            ir.types.rows[union].shape = Shape::Union { variants: Span::EMPTY, discriminator: None, strategy };
        });
        check("keys that its strategy does not use", |ir| {
            let key = ir.types.fields.rows()[0].name;
            ir.types.variants.rows_mut()[0].key = Some(key);
        });
        check("enum without a value", |ir| ir.types.rows.rows_mut()[0].shape = Shape::Enum { values: Span::EMPTY });
        check("intersection without a member", |ir| {
            ir.types.rows.rows_mut()[0].shape = Shape::Intersection { members: Span::EMPTY };
        });
        check("is unknown", |ir| ir.types.rows.rows_mut()[0].shape = Shape::Unknown);
        check("two fields of one wire name", |ir| {
            let name = ir.types.fields.rows()[1].name;
            ir.types.fields.rows_mut()[2].name = name;
        });
        check("which is no variant", |ir| {
            let record = ir.types.named[0];
            ir.types.mappings.rows_mut()[0].ty = record;
        });
        check("takes all other values for", |ir| {
            let record = ir.types.named[0];
            ir.types.discriminators.rows_mut()[0].default = Some(record);
        });
        check("without a discriminator", |ir| {
            let union = find(ir, |shape| matches!(shape, Shape::Union { .. }));
            if let Shape::Union { discriminator, .. } = &mut ir.types.rows[union].shape {
                *discriminator = None;
            }
        });
        check("which is no row", |ir| {
            let ty = <TypeId as Id>::from_index(10_000);
            ir.types.rules.rows.rows_mut()[0] = Rule::Not { ty };
        });
        check("of a table of", |ir| {
            let ty = ir.types.named[0];
            ir.types.judged.set(ty, Judged { rules: Span::new(0, 10_000), ..Judged::default() });
        });
        check("spells a number", |ir| {
            let number = ir.names.intern("01");
            ir.values.rows.push(JsonValue::Number(number));
        });
    }

    #[test]
    fn circles_without_a_value_or_a_name_are_found() {
        check("circle of aliases", |ir| {
            let alias = find(ir, |shape| matches!(shape, Shape::Alias { .. }));
            ir.types.rows[alias].shape = Shape::Alias { target: alias };
        });
        check("circle of aliases", |ir| {
            let (alias, nullable) = (
                find(ir, |shape| matches!(shape, Shape::Alias { .. })),
                find(ir, |shape| matches!(shape, Shape::Nullable { .. })),
            );
            ir.types.rows[alias].shape = Shape::Alias { target: nullable };
            ir.types.rows[nullable].shape = Shape::Nullable { inner: alias };
        });
        check("circle of types without a name", |ir| {
            let list = find(ir, |shape| matches!(shape, Shape::Array { .. }));
            ir.types.rows[list].shape = Shape::Array { items: list };
        });
        let mut sample = Sample::new();
        let tree = sample.ty("Tree", Shape::Any);
        let list = sample.ty("", Shape::Array { items: tree });
        sample.ir.types.rows[tree].shape = Shape::Map { values: list };
        assert_eq!(sample.faults(), [""; 0], "a named type may contain itself");
    }

    #[test]
    fn lists_of_named_types_that_disagree_are_found() {
        check("listed 0 times", |ir| {
            ir.types.named.pop();
        });
        check("listed 2 times", |ir| ir.types.named.push(ir.types.named[0]));
        check("has no name", |ir| {
            let first = ir.types.named[0];
            ir.types.rows[first].name = None;
        });
        check("has the name of", |ir| {
            let (first, second) = (ir.types.named[0], ir.types.named[1]);
            ir.types.rows[second].name = ir.types.rows[first].name;
        });
    }

    #[test]
    fn operations_out_of_order_or_place_are_found() {
        check("parameters out of order", |ir| {
            let params = ir.ops.rows[OpId::from_index(0)].params;
            let first = params.iter().next().expect("the sample has two");
            ir.ops.params[first].location = Location::Cookie;
        });
        check("responses out of order", |ir| ir.ops.responses.rows_mut()[1].status = Status::Exact(200));
        check("placeholder without", |ir| {
            let other = ir.names.intern("other");
            ir.ops.segments.rows_mut()[0] = Segment::Param(other);
        });
        check("has the id of another operation", |ir| {
            let id = ir.ops.rows[OpId::from_index(0)].id;
            ir.ops.rows[OpId::from_index(1)].id = id;
        });
        check("has no name", |ir| ir.op_name.set(OpId::from_index(0), None));
        check("stands in 0 resources", |ir| ir.resources.rows.rows_mut()[1].ops = Span::EMPTY);
        check("stands in 2 resources", |ir| ir.resources.op_refs.rows_mut()[1] = OpId::from_index(0));
        check("stands in 1 resources and not in 0", |ir| {
            let reason = ir.texts.push("later");
            ir.ops.rows[OpId::from_index(0)].status = OpStatus::Planned { reason };
        });
        check("but says", |ir| ir.op_resource.set(OpId::from_index(0), None));
        check("does not say so", |ir| ir.resources.rows.rows_mut()[1].parent = None);
        check("its own ancestor", |ir| {
            let id = ResourceId::from_index(1);
            ir.resources.rows[id].parent = Some(id);
        });
        check("stands in 0 places", |ir| ir.namespaces.rows_mut()[0].resources = Span::EMPTY);
    }

    #[test]
    fn agent_rows_that_mean_nothing_are_found() {
        let op = OpId::from_index(0);
        let set = |ir: &mut Ir, change: fn(&mut OpAgent)| {
            let mut row = ir.agent.ops[op];
            change(&mut row);
            ir.agent.ops.set(op, row);
        };
        check("which is no row", |ir| set(ir, |row| row.cluster = Some(far())));
        check("which is no string", |ir| {
            ir.gate.set(op, Some(Gate { env: far(), default_on: false, disabled_status: 404 }));
        });
        check("which is no row", |ir| ir.stream_flag.set(op, Some(StreamFlag::Param(far()))));
        check("which is no row", |ir| ir.stream_flag.set(op, Some(StreamFlag::Field(far()))));
        check("which is no row", |ir| set(ir, |row| row.verify = Some(far())));
        check("which is no row", |ir| set(ir, |row| row.preview = Some(Preview::Endpoint(far()))));
        check("previews itself", |ir| set(ir, |row| row.preview = Some(Preview::Endpoint(OpId::from_index(0)))));
        check("of a table of", |ir| set(ir, |row| row.remediation = wide()));
        check("of a table of", |ir| ir.agent.conditions.rows_mut()[0].path = wide());
        check("of a table of", |ir| ir.agent.error_codes = wide());
        check("which is no row", |ir| ir.agent.expr_members.rows_mut()[0].1 = far());
        check("which is no string", |ir| ir.agent.path_steps.rows_mut()[0] = far());
        check("which is no list", |ir| {
            let text = ir.agent.macro_fields.rows()[0].schema;
            ir.agent.conditions.rows_mut()[0].check = Check::In(text);
        });
        check("name of another cluster", |ir| {
            let first = ir.agent.clusters.rows()[0];
            ir.agent.clusters.push(first);
        });
        check("variable of another gate", |ir| {
            let first = ir.agent.gates.rows()[0];
            ir.agent.gates.push(first);
        });
        check("key format", |ir| {
            let format = Some(KeyFormat::Uuid);
            ir.idempotency.set(op, Idempotency { format, ..Idempotency::default() });
        });
    }

    #[test]
    fn hooks_and_macros_that_cannot_run_are_found() {
        let list = OpId::from_index(1);
        check("asks an operation with side effects", |ir| ir.safety.set(list, Safety::Mutating));
        check("polls with side effects", |ir| ir.safety.set(list, Safety::Mutating));
        check("pages of an operation that has none", |ir| ir.pagination.set(list, None));
        check("is less strict than", |ir| ir.safety.set(OpId::from_index(0), Safety::Destructive));
        check("cannot be called", |ir| ir.ops.rows[list].kind = OpKind::Webhook(ir.api.name));
        check("has no step", |ir| ir.agent.macros.rows_mut()[0].steps = Span::EMPTY);
        check("id of another macro", |ir| ir.agent.macros.rows_mut()[0].id = ir.ops.rows[list].id);
    }

    #[test]
    fn what_a_later_pass_fills_is_judged_when_it_is_there() {
        let mut sample = Sample::new();
        sample.op("get", vec![]);
        sample.ty("Open", Shape::Unknown);
        assert_eq!(verify(&sample.ir), [""; 0]);
        let faults = verify_frozen(&sample.ir, true);
        assert!(faults.iter().all(|fault| fault.starts_with("op0")) && !faults.is_empty(), "{faults:?}");
        assert_eq!(verify_frozen(&sample.ir, false).len(), faults.len() + 1);
    }

    #[test]
    fn numbers_are_those_of_json() {
        for text in ["0", "-0", "10", "1.50", "1e2", "-1.0E+22", "9007199254740993"] {
            assert!(is_json_number(text), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "+1", "1e", "NaN", "0x1", "1_0", "1e2.5"] {
            assert!(!is_json_number(text), "{text}");
        }
    }
}
