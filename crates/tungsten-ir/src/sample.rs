//! IRs made by hand for the tests of this crate: a small API with one of most things, and single rows to add to it.

use std::sync::Arc;

use base::digest::Digest;
use base::{Id, Source, SourceId, Sources, Span, Sym};

use crate::*;

pub(crate) struct Sample {
    pub ir: Ir,
    pub sources: Sources,
    pub source: SourceId,
    pub namespace: NamespaceId,
}

impl Sample {
    /// An API with one namespace `shop` and nothing in it.
    pub fn new() -> Self {
        let mut sources = Sources::new();
        let source = sources.push(Arc::new(Source::from_bytes("openapi.yaml", "openapi: 3.1.0\n")));
        let mut ir = Ir::default();
        ir.api.name = ir.names.intern("shop_api");
        ir.api.version = ir.names.intern("1.0");
        let name = ir.names.intern("shop");
        let namespace = ir.namespaces.push(Namespace {
            name,
            source,
            digest: Digest::of(b"openapi: 3.1.0\n"),
            title: None,
            version: ir.api.version,
            resources: Span::EMPTY,
            planned: Span::EMPTY,
            errors: ErrorModel::default(),
            info: Info::default(),
        });
        Self { ir, sources, source, namespace }
    }

    pub fn sym(&mut self, text: &str) -> Sym {
        self.ir.names.intern(text)
    }

    pub fn origin(&mut self, pointer: &str) -> Origin {
        Origin { source: self.source, offset: 0, pointer: Some(self.ir.texts.push(pointer)) }
    }

    /// A type; named when `name` is not empty.
    pub fn ty(&mut self, name: &str, shape: Shape) -> TypeId {
        let origin = self.origin(&format!("/components/schemas/{name}"));
        let type_name =
            (!name.is_empty()).then(|| TypeName { namespace: self.namespace, name: self.ir.names.intern(name) });
        let row = Type {
            shape,
            name: type_name,
            doc: Doc::default(),
            bounds: None,
            deprecated: false,
            default: None,
            origin,
        };
        let id = self.ir.types.rows.push(row);
        if type_name.is_some() {
            self.ir.types.named.push(id);
        }
        id
    }

    pub fn text_type(&mut self) -> TypeId {
        self.ty("", Shape::String { format: None })
    }

    pub fn record(&mut self, name: &str, fields: &[(&str, TypeId)]) -> TypeId {
        let fields: Vec<Field> = fields
            .iter()
            .map(|&(wire, ty)| Field {
                name: self.ir.names.intern(wire),
                ty,
                required: true,
                read_only: false,
                write_only: false,
                deprecated: false,
                sensitive: false,
                default: None,
                doc: Doc::default(),
                origin: self.origin(&format!("/components/schemas/{name}/properties/{wire}")),
            })
            .collect();
        let fields = self.ir.types.fields.extend(fields);
        self.ty(name, Shape::Record { fields, additional: Additional::Open })
    }

    pub fn text_enum(&mut self, name: &str, values: &[&str]) -> TypeId {
        let rows: Vec<EnumValue> = values
            .iter()
            .map(|text| {
                let name = self.ir.names.intern(text);
                EnumValue { value: self.ir.values.rows.push(JsonValue::String(name)), name, doc: None }
            })
            .collect();
        let values = self.ir.types.enum_values.extend(rows);
        self.ty(name, Shape::Enum { values })
    }

    pub fn union(&mut self, name: &str, variants: &[(&str, TypeId)], discriminator: Option<&str>) -> TypeId {
        let rows: Vec<Variant> = variants
            .iter()
            .map(|&(name, ty)| {
                let name = self.ir.names.intern(name);
                let tag = discriminator.map(|_| self.ir.values.rows.push(JsonValue::String(name)));
                Variant { name, ty, tag, key: None }
            })
            .collect();
        let discriminator = discriminator.map(|property| {
            let mapping: Vec<Mapping> =
                rows.iter().filter_map(|row| Some(Mapping { tag: row.tag?, ty: row.ty })).collect();
            let mapping = self.ir.types.mappings.extend(mapping);
            self.ir.types.discriminators.push(Discriminator {
                property: self.ir.names.intern(property),
                mapping,
                default: None,
            })
        });
        let strategy = if discriminator.is_some() { Strategy::Tagged } else { Strategy::ByType };
        let variants = self.ir.types.variants.extend(rows);
        self.ty(name, Shape::Union { variants, discriminator, strategy })
    }

    pub fn param(&mut self, name: &str, location: Location, role: Role) -> Param {
        Param {
            name: self.sym(name),
            location,
            ty: self.text_type(),
            required: location == Location::Path,
            style: if matches!(location, Location::Query | Location::Cookie) { Style::Form } else { Style::Simple },
            explode: matches!(location, Location::Query | Location::Cookie),
            allow_reserved: false,
            allow_empty: false,
            role,
            deprecated: false,
            sensitive: false,
            media_type: None,
            parts: Parts::default(),
            constant: None,
            default: None,
            doc: Doc::default(),
            examples: Span::EMPTY,
            origin: self.origin(&format!("/parameters/{name}")),
        }
    }

    /// An operation outside any resource.
    pub fn op(&mut self, local_id: &str, params: Vec<Param>) -> OpId {
        let namespace = self.ir.names.resolve(self.ir.namespaces[self.namespace].name).to_owned();
        let placeholders: Vec<Segment> =
            params.iter().filter(|row| row.location == Location::Path).map(|row| Segment::Param(row.name)).collect();
        let path =
            Path { raw: self.sym("/path"), segments: self.ir.ops.segments.extend(placeholders), query: Span::EMPTY };
        let params = self.ir.ops.params.extend(params);
        let row = Op {
            id: self.sym(&format!("{namespace}.{local_id}")),
            local_id: self.sym(local_id),
            id_stated: true,
            namespace: self.namespace,
            kind: OpKind::Call,
            status: OpStatus::Implemented,
            method: Method::Get,
            path,
            doc: Doc::default(),
            tags: Span::EMPTY,
            params,
            body: None,
            responses: Span::EMPTY,
            security: Span::EMPTY,
            servers: Span::EMPTY,
            deprecated: false,
            extensions: Span::EMPTY,
            origin: self.origin(&format!("/paths/{local_id}")),
        };
        self.ir.ops.rows.push(row)
    }

    /// A resource with operations and their names, to be placed by [`Self::place`].
    pub fn resource(&mut self, name: &str, parent: Option<ResourceId>, ops: &[(OpId, &str)]) -> ResourceId {
        let id = self.ir.resources.rows.next_id();
        for &(op, name) in ops {
            let name = self.sym(name);
            self.ir.op_name.set(op, Some(name));
            self.ir.op_resource.set(op, Some(id));
        }
        let row = Resource {
            name: self.sym(name),
            namespace: self.namespace,
            parent,
            path_prefix: self.sym("/path"),
            doc: Doc::default(),
            ops: self.ir.resources.op_refs.extend(ops.iter().map(|&(op, _)| op)),
            children: Span::EMPTY,
        };
        self.ir.resources.rows.push(row)
    }

    /// Fills in the lists of children and of top-level resources.
    pub fn place(&mut self) {
        let resources = &mut self.ir.resources;
        let children_of = |rows: &base::Table<ResourceId, Resource>, parent| -> Vec<ResourceId> {
            rows.iter().filter(|(_, row)| row.parent == parent).map(|(id, _)| id).collect()
        };
        let top = children_of(&resources.rows, None);
        self.ir.namespaces[self.namespace].resources = resources.resource_refs.extend(top);
        for index in 0..resources.rows.len() {
            let id = ResourceId::from_index(index);
            let children = children_of(&resources.rows, Some(id));
            resources.rows[id].children = resources.resource_refs.extend(children);
        }
    }

    pub fn content(&mut self, media_type: &str, encoding: Encoding, ty: TypeId) -> Content {
        Content {
            media_type: self.sym(media_type),
            encoding,
            ty,
            schema_stated: true,
            item: None,
            description: None,
            parts: Parts::default(),
            examples: Span::EMPTY,
            stream_done: None,
        }
    }

    pub fn response(&mut self, status: Status, contents: Vec<Content>) -> Response {
        let kind = match status {
            Status::Exact(200..=299) | Status::Range(2) => ResponseKind::Success,
            Status::Default => ResponseKind::Ambiguous,
            _ => ResponseKind::Error,
        };
        let contents = self.ir.ops.contents.extend(contents);
        Response { status, kind, contents, headers: Span::EMPTY, links: Span::EMPTY, doc: Doc::default() }
    }

    pub fn faults(&self) -> Vec<String> {
        verify_frozen(&self.ir, false)
    }
}

/// A shop with pets: most shapes, a nested resource, a stream, a webhook, a callback and each kind of credential.
pub(crate) fn shop() -> Sample {
    let mut s = Sample::new();
    let text = s.text_type();
    let status = s.text_enum("", &["sold", "on-hold"]);
    let tag = s.record("", &[("label", text)]);
    let tags = s.ty("", Shape::Array { items: tag });
    let bounds = Bounds { min_items: Some(1), unique_items: true, ..Bounds::default() };
    s.ir.types.rows[tags].bounds = Some(s.ir.types.bounds.push(bounds));
    let pet = s.record("Pet", &[("petId", text), ("status", status), ("tags", tags)]);
    s.ir.types.rows[pet].doc.summary = Some(s.ir.texts.push("A pet."));
    let age = s.ty("", Shape::Integer { bits: IntegerBits::B32 });
    let bounds = Bounds { minimum: Some(s.sym("0")), multiple_of: Some(s.sym("0.5")), ..Bounds::default() };
    s.ir.types.rows[age].bounds = Some(s.ir.types.bounds.push(bounds));
    let cat = s.record("Cat", &[("kind", text), ("age", age)]);
    let maybe = s.ty("", Shape::Nullable { inner: cat });
    let dog = s.record("Dog", &[("kind", text), ("friend", maybe)]);
    s.union("Animal", &[("Cat", cat), ("Dog", dog)], Some("kind"));
    s.ty("Creature", Shape::Alias { target: pet });
    let numbers = s.ir.types.members.extend([age, text]);
    s.ty("Pair", Shape::Tuple { prefix: numbers, rest: None });
    let both = s.ir.types.members.extend([cat, dog]);
    s.ty("Both", Shape::Intersection { members: both });
    s.ty("Extra", Shape::Map { values: maybe });
    let other = Format::Other(s.sym("iban"));
    s.ty("Account", Shape::String { format: Some(other) });
    let fixed = s.sym("1e2");
    let fixed = s.ir.values.rows.push(JsonValue::Number(fixed));
    s.ty("Fixed", Shape::Const { value: fixed });
    rules(&mut s, pet);

    let id = s.param("petId", Location::Path, Role::Plain);
    let key = s.param("Idempotency-Key", Location::Header, Role::IdempotencyKey);
    let get = s.op("getPet", vec![id, key]);
    let limit = s.param("limit", Location::Query, Role::Plain);
    let list = s.op("listPets", vec![limit]);
    let watch = s.op("watchPets", vec![]);
    let (items, page, next) = (s.sym("data"), s.sym("page_token"), s.sym("next_page_token"));
    let page = Pagination {
        style: PageStyle::Cursor { request_param: page, response_field: Some(next) },
        items: Some(items),
        page_size_param: None,
        exhausted_when: Exhausted::CursorNull,
        has_more_field: None,
        cursor_item_field: None,
        inferred: true,
    };
    s.ir.pagination.set(list, Some(page));
    let inline = s.record("", &[("data", tags)]);
    let content = s.content("application/json", Encoding::Json, inline);
    let ok = s.response(Status::Exact(200), vec![content]);
    let error = s.record("", &[("code", text)]);
    let content = s.content("application/json", Encoding::Json, error);
    let failed = s.response(Status::Range(4), vec![content]);
    s.ir.ops.rows[list].responses = s.ir.ops.responses.extend([ok, failed]);
    let content = s.content("text/event-stream", Encoding::Events, pet);
    let events = s.response(Status::Exact(200), vec![content]);
    s.ir.ops.rows[watch].responses = s.ir.ops.responses.extend([events]);
    let content = s.content("application/json", Encoding::Json, pet);
    let contents = s.ir.ops.contents.extend([content]);
    s.ir.ops.rows[get].body = Some(s.ir.ops.bodies.push(Body { contents, required: true, doc: Doc::default() }));
    let extension = Extension { name: s.sym("x-note"), value: Literal { doc: 0, node: 7 } };
    s.ir.ops.rows[get].extensions = s.ir.ops.extensions.extend([extension]);

    let pets = s.resource("pets", None, &[(get, "get"), (list, "list")]);
    s.resource("live", Some(pets), &[(watch, "watch")]);
    s.place();

    let hook = s.op("petSold", vec![]);
    let name = s.sym("pet.sold");
    s.ir.ops.rows[hook].kind = OpKind::Webhook(name);
    let answer = s.op("onAnswer", vec![]);
    s.ir.ops.rows[answer].kind = OpKind::Callback { of: get, name };
    credentials(&mut s, get);
    agent_data(&mut s, get, list);
    s
}

impl Sample {
    pub fn path(&mut self, dotted: &str) -> FieldPath {
        let steps: Vec<Sym> = dotted.split('.').map(|step| self.ir.names.intern(step)).collect();
        self.ir.agent.path_steps.extend(steps)
    }

    fn text_value(&mut self, text: &str) -> ValueId {
        let text = self.sym(text);
        self.ir.values.rows.push(JsonValue::String(text))
    }

    fn condition(&mut self, path: &str, check: Check) -> Predicate {
        let path = self.path(path);
        self.ir.agent.conditions.extend([Condition { path, check }])
    }

    fn reference(&mut self, root: Root, path: &str) -> Reference {
        let path = if path.is_empty() { Span::EMPTY } else { self.path(path) };
        Reference { root, path, ty: None }
    }
}

/// One of each row that an agent manifest makes, about the operation `get` and the paginated read `list`.
fn agent_data(s: &mut Sample, get: OpId, list: OpId) {
    let text = s.ir.texts.push("Take it home?");
    let name = s.sym("pets");
    let fields = [s.path("petId")];
    let fields = s.ir.agent.field_paths.extend(fields);
    let pet = s.path("petId");
    let parts = s.ir.agent.message_parts.extend([MessagePart::Text(text), MessagePart::Field(pet)]);
    let confirmation = s.ir.agent.confirmations.push(Confirmation { summary: fields, message: Some(text), parts });
    let sold = s.text_value("sold");
    let items = s.ir.values.items.extend([sold]);
    let states = s.ir.values.rows.push(JsonValue::Array(items));
    let until = s.condition("data.0.status", Check::In(states));
    let label = s.condition("label", Check::Contains(sold));
    let reference = s.reference(Root::Response, "petId");
    let value = s.ir.agent.exprs.push(Expr::Reference(reference));
    let members = s.ir.agent.expr_members.extend([(name, value)]);
    let args = s.ir.agent.exprs.push(Expr::Object(members));
    let verify = Verify {
        operation: list,
        args,
        expect: Some(label),
        terminal: Some(until),
        poll_interval_ms: Some(500),
        poll_budget_ms: None,
    };
    let verify = s.ir.agent.verifies.push(verify);
    let remediation = Remediation {
        code: name,
        category: Some(Category::Conflict),
        retryable: Some(Retryable::Never),
        text: Some(text),
        next_action: None,
        status: Some(409),
    };
    let remediation = s.ir.agent.remediations.extend([remediation]);
    let suffixes = s.ir.agent.suffixes.extend([name]);
    let rules = [ServerCheck::HostSuffixes(suffixes), ServerCheck::MaxAheadMinutes(5)];
    let rules = rules.map(|check| ServerRule { field: pet, check, status: 400, code: Some(name), message: None });
    s.ir.gate.set(get, Some(Gate { env: name, disabled_status: 404, default_on: false }));
    s.ir.agent.gates.push(GateText { env: name, text });
    let row = OpAgent {
        preview: Some(Preview::Endpoint(list)),
        confirmation: Some(confirmation),
        verify: Some(verify),
        remediation,
        remediation_note: Some(text),
        sensitive: fields,
        shown_once: true,
        cluster: Some(s.ir.agent.clusters.push(Cluster { name, summary: None })),
        hidden: false,
        server_rules: s.ir.agent.server_rules.extend(rules),
    };
    s.ir.agent.ops.set(get, row);
    s.ir.agent.ops.set(list, OpAgent { preview: Some(Preview::Header { name, value: name }), ..OpAgent::default() });
    s.ir.agent.error_codes = remediation;
    s.ir.agent.ambiguous_statuses = vec![408];
    let media = Some(s.sym("text/plain"));
    s.ir.agent.non_json.push(NonJson {
        status: 413,
        media,
        category: Category::RequestTooLarge,
        retryable: None,
        text: None,
    });
    macro_data(s, get, list, until, args);
}

fn macro_data(s: &mut Sample, get: OpId, pages: OpId, until: Predicate, args: ExprId) {
    let (first, second) = (s.sym("pet"), s.sym("status"));
    let input = s.reference(Root::Input, "");
    let input = s.ir.agent.exprs.push(Expr::Reference(input));
    let poll = StepKind::Poll { until, interval_ms: None, budget_ms: Some(input) };
    let steps = s.ir.agent.steps.extend([
        Step { operation: get, args: input, name: Some(first), kind: StepKind::Call },
        Step { operation: pages, args, name: Some(second), kind: poll },
        Step { operation: pages, args, name: None, kind: StepKind::Paginate { max_pages: Some(3) } },
    ]);
    let waiting = steps.iter().nth(1).expect("there are three");
    let status = s.reference(Root::Step(waiting), "data");
    let lost = s.text_value("it's lost");
    let compare = s.ir.agent.exprs.push(Expr::Compare(status, Test::Equals(lost)));
    let output = s.ir.agent.expr_items.extend([compare]);
    let output = s.ir.agent.exprs.push(Expr::List(output));
    let fields = s.ir.agent.macro_fields.extend([MacroField { name: second, schema: lost, default: None }]);
    let row = Macro {
        id: s.sym("shop.getAndWait"),
        name: s.sym("getAndWait"),
        namespace: s.namespace,
        summary: s.ir.texts.push("Gets and waits."),
        safety: Safety::ReadOnly,
        extends: Some(get),
        fields,
        steps,
        output,
        sensitive: Span::EMPTY,
        shown_once: false,
        cluster: s.ir.agent.ops[get].cluster,
        origin: s.origin(""),
    };
    s.ir.agent.macros.push(row);
}

/// A type with one rule of each kind; operands that only rules refer to have the rules themselves.
fn rules(s: &mut Sample, pet: TypeId) {
    let (name, number) = (s.sym("kind"), s.sym("1"));
    let pattern = s.ir.texts.push("^x-");
    let ruled = s.ty("Ruled", Shape::Map { values: pet });
    let hidden = s.ty("", Shape::Any);
    let types = &mut s.ir.types;
    let bounds = types.bounds.push(Bounds { minimum: Some(number), min_items: Some(2), ..Bounds::default() });
    let value = s.ir.values.rows.push(JsonValue::Null);
    let values = s.ir.values.items.extend([value]);
    let names = types.rules.names.extend([name]);
    let members = types.rules.members.extend([(name, hidden), (name, pet)]);
    let patterns = types.rules.patterns.extend([(pattern, hidden)]);
    let list = types.members.extend([hidden, pet]);
    let rows = types.rules.rows.extend([
        Rule::Types { admitted: JsonTypes(JsonTypes::NULL | JsonTypes::NUMBER) },
        Rule::Bounds { bounds },
        Rule::OneOfValues { values },
        Rule::Required { names },
        Rule::Properties { members },
        Rule::Patterns { members: patterns },
        Rule::Additional { ty: hidden },
        Rule::Names { ty: hidden },
        Rule::NeedsNames { name, names },
        Rule::NeedsTypes { members },
        Rule::Prefix { items: list },
        Rule::Items { ty: hidden },
        Rule::Contains { ty: hidden, min: 1, max: Some(2) },
        Rule::Not { ty: pet },
        Rule::If { condition: hidden, then: Some(pet), otherwise: None },
        Rule::All { members: list },
        Rule::Any { members: list },
        Rule::One { members: list },
        Rule::UnevaluatedProperties { ty: hidden },
        Rule::UnevaluatedItems { ty: hidden },
    ]);
    types.judged.set(ruled, Judged { rules: rows, exclusive: true, inferred: true, asked: false });
    let rows = types.rules.rows.extend([Rule::Not { ty: hidden }]);
    types.judged.set(hidden, Judged { rules: rows, ..Judged::default() });
}

fn credentials(s: &mut Sample, op: OpId) {
    let name = s.sym("X-Key");
    let url = s.sym("https://example.com/token");
    let scope = Scope { name: s.sym("read"), doc: None };
    let scopes = s.ir.scopes.extend([scope]);
    let flow = OauthFlow {
        kind: FlowKind::ClientCredentials,
        token_url: Some(url),
        authorization_url: None,
        refresh_url: None,
        device_authorization_url: None,
        scopes,
    };
    let flows = s.ir.flows.extend([flow]);
    let header = AuthPart::Header { name, source: HeaderSource::Config(name), mutation_only: true };
    let parts = [AuthPart::Cookie { name }, header, AuthPart::Bearer { env: None, prefix: None }];
    let parts = s.ir.auth_parts.extend(parts);
    let kinds = [
        AuthKind::ApiKey { location: KeyLocation::Header, wire_name: name },
        AuthKind::Bearer { format: Some(name), prefix: None },
        AuthKind::Basic,
        AuthKind::Oauth2 { flows, metadata_url: None },
        AuthKind::OpenIdConnect { url },
        AuthKind::Composite { satisfies: scopes, parts },
        AuthKind::Unsupported,
    ];
    for (index, kind) in kinds.into_iter().enumerate() {
        let name = s.sym(&format!("scheme{index}"));
        s.ir.schemes.push(AuthScheme { name, kind, doc: None, env: None, deprecated: false });
    }
    let read = s.sym("read");
    let scopes = s.ir.ops.scope_uses.extend([read]);
    let requirement = Requirement { scheme: SchemeId::from_index(3), scopes };
    let all_of = s.ir.ops.requirements.extend([requirement]);
    s.ir.ops.rows[op].security = s.ir.ops.alternatives.extend([Alternative { all_of }]);
}

/// An API with what `shop` has not: what people say about it, methods and places of the author's, sequences, parts, links,
/// headers and examples with all their members.
pub(crate) fn extras() -> Sample {
    let mut s = Sample::new();
    let text = s.text_type();
    let (name, url) = (s.sym("name"), s.sym("https://example.com"));
    let prose = Some(s.ir.texts.push("Prose."));
    let doc = Doc { summary: prose, description: prose, external: prose, external_description: prose };
    s.ir.namespaces[s.namespace].info = Info {
        uri: prose,
        doc,
        terms_of_service: prose,
        contact: Contact { name: prose, url: prose, email: prose },
        license: License { name: prose, identifier: prose, url: prose },
    };
    let namespace = s.namespace;
    s.ir.tags.push(Tag { namespace, name, doc, parent: Some(name), kind: Some(name) });
    let choices = s.ir.server_choices.extend([name]);
    let variable = ServerVariable { name, default: name, choices, description: prose };
    let variables = s.ir.server_variables.extend([variable]);
    let server = Server { template: name, url, name: Some(name), description: prose, variables };
    let servers = s.ir.servers.extend([server]);
    s.ir.api.servers = servers;

    let value = Some(Literal { doc: 0, node: 1 });
    let written = Example { name: Some(name), doc, value: None, serialized: prose, external: prose };
    let examples = s.ir.ops.examples.extend([Example { value, ..written }, written]);
    let header = Header {
        name,
        ty: text,
        required: true,
        explode: true,
        deprecated: true,
        media_type: Some(name),
        doc,
        examples,
    };
    let headers = s.ir.ops.headers.extend([header]);
    let lone = Part {
        name: None,
        content_type: Some(name),
        style: Some(Style::Cookie),
        explode: Some(true),
        allow_reserved: true,
        headers,
        parts: Parts::default(),
    };
    let item = Some(s.ir.ops.parts.push(lone));
    let prefix = s.ir.ops.parts.extend([lone]);
    let inner = Parts { named: Span::EMPTY, prefix, item };
    let named = s.ir.ops.parts.extend([Part { name: Some(name), parts: inner, ..lone }]);
    let parts = Parts { named, prefix, item };

    let whole = Param {
        media_type: Some(name),
        parts,
        examples,
        style: Style::Cookie,
        ..s.param("filter", Location::Querystring, Role::Plain)
    };
    let copy = s.op("copyPets", vec![whole]);
    let copies = s.sym("M-COPY");
    s.ir.ops.rows[copy].method = Method::Other(copies);
    let query = s.op("queryPets", vec![]);
    s.ir.ops.rows[query].method = Method::Query;
    let content = s.content("application/json-seq", Encoding::JsonSeq, text);
    let content = Content { item: Some(text), description: prose, parts, examples, ..content };
    let operation = Some(copy);
    let parameters = Span::EMPTY;
    let link = Link { name, operation, target: Some(name), server: servers.iter().next(), parameters, body: None, doc };
    let links = s.ir.ops.links.extend([link]);
    let answer = s.response(Status::Exact(200), vec![content]);
    s.ir.ops.rows[query].responses = s.ir.ops.responses.extend([Response { headers, links, doc, ..answer }]);
    s.resource("pets", None, &[(copy, "copy"), (query, "query")]);
    s.place();

    let cat = s.record("Cat", &[("kind", text)]);
    let dog = s.record("Dog", &[("kind", text)]);
    s.union("Animal", &[("Cat", cat), ("Dog", dog)], Some("kind"));
    s.ir.types.discriminators.rows_mut()[0].default = Some(dog);
    for (ty, node) in [(cat, Some(XmlNode::None)), (dog, Some(XmlNode::Cdata)), (text, Some(XmlNode::Attribute))] {
        let xml = Xml { name: Some(name), namespace: Some(url), prefix: Some(name), node };
        let xml = s.ir.types.xml.push(xml);
        s.ir.xml.set(ty, Some(xml));
    }
    let scopes = Span::EMPTY;
    let flow = OauthFlow {
        kind: FlowKind::DeviceAuthorization,
        token_url: Some(url),
        authorization_url: None,
        refresh_url: None,
        device_authorization_url: Some(url),
        scopes,
    };
    let kind = AuthKind::Oauth2 { flows: s.ir.flows.extend([flow]), metadata_url: Some(url) };
    s.ir.schemes.push(AuthScheme { name, kind, doc: prose, env: None, deprecated: true });
    s
}
