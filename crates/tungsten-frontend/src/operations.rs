//! Operations: every method of every path, the webhooks and the callbacks of one namespace.
//!
//! Reads `paths` and `webhooks` of an entry document; writes operations with what belongs to them, through `params`,
//! `bodies`, `responses`, `security` and `servers`. Calls come first, in document order, then callbacks, then webhooks.
//! What is malformed is reported at its place and left out; the rest of the operation stays.

use std::borrow::Cow;

use crate::lookup::{Map, Set};
use base::diag::quoted;
use base::{Code, Id, Span, Sym, TextId};
use base_doc::{Kind, NodeRef, Value};
use rayon::prelude::*;
use smallvec::{SmallVec, smallvec};
use tungsten_ir::words::{Case, Words};
use tungsten_ir::{
    BodyId, Doc, Extension, LinkId, Method, NamespaceId, Op, OpId, OpKind, OpStatus, Origin, Param, Path, ServerId,
    TypeId,
};

use crate::findings;
use crate::keywords as kw;
use crate::lower::Lowering;
use crate::member_rules::{self, Rule};
use crate::passes::numbered;
use crate::path_template::{self, Template};
use crate::responses::SharedResponse;
use crate::security::{self, NamespaceSchemes, Requirements, Undefined};
use crate::select::{Candidate, Choice, Project};
use crate::servers;
use crate::version::{Dialect, Entry};

/// The methods of a path item and their keys.
pub(crate) const METHODS: [(Sym, Method); 9] = [
    (kw::GET, Method::Get),
    (kw::PUT, Method::Put),
    (kw::POST, Method::Post),
    (kw::DELETE, Method::Delete),
    (kw::OPTIONS, Method::Options),
    (kw::HEAD, Method::Head),
    (kw::PATCH, Method::Patch),
    (kw::TRACE, Method::Trace),
    (kw::QUERY, Method::Query),
];

/// What the lowering of operations knows beside the IR, for all namespaces.
#[derive(Debug, Default)]
pub(crate) struct Described {
    /// By operation: where it stands.
    pub(crate) ops: Vec<NodeRef>,
}

/// Lowers the operations of the namespace that has begun.
pub(crate) fn operations<'a>(
    lower: &mut Lowering<'a>,
    schemes: &NamespaceSchemes,
    project: &mut Project<'_>,
    entry: &Entry<'a>,
    out: &mut Described,
) {
    lower.tags(entry.root);
    let mut undefined = Undefined::default();
    let default_security = security::default_security(lower, schemes, &mut undefined, entry.root);
    let default_servers = document_servers(lower, entry.root);
    let first_op = lower.ir.ops.rows.len();
    let mut ops = Ops {
        lower,
        schemes,
        dialect: entry.dialect,
        minor: entry.minor,
        undefined,
        default_security,
        default_servers,
        ids: Ids::default(),
        first_op,
        nodes: Vec::new(),
        params: Map::default(),
        bodies: Map::default(),
        responses: Map::default(),
        events: Map::default(),
        links: Vec::new(),
        left_out: Set::default(),
        left_out_at: Vec::new(),
    };
    let mut calls = ops.sites(entry.root, kw::PATHS);
    ops.select(project, entry.namespace, &mut calls);
    let hooks = ops.sites(entry.root, kw::WEBHOOKS);
    let ((), same) = rayon::join(|| ops.learn_ids(calls.iter().chain(&hooks)), || same_requests(&calls));
    ops.report_same_requests(&calls, &same);
    let mut callers = Vec::new();
    for (template, site) in ops.with_templates(&calls) {
        let id = ops.operation(site, &template, OpKind::Call);
        ops.declared_security(project, entry, site, id);
        callers.push((id, site));
    }
    for (of, site) in callers {
        ops.callbacks(of, site);
    }
    for site in &hooks {
        let name = ops.lower.name(site.path);
        ops.operation(site, &no_template(name), OpKind::Webhook(name));
    }
    ops.point();
    ops.resolve_links();
    ops.undefined.report(ops.lower, schemes);
    out.ops.extend(ops.nodes);
}

/// Operations whose requests are those of an earlier one, behind that one: their paths differ in the names of placeholders
/// alone (OpenAPI 3.1.1, section 4.8.8.2).
fn same_requests(sites: &[Site<'_>]) -> Vec<(usize, usize)> {
    let mut first: Map<(Method, String), usize> = Map::default();
    let mut same = Vec::new();
    for (index, site) in sites.iter().enumerate() {
        let earlier = *first.entry((site.method, without_names(site.path))).or_insert(index);
        if earlier != index {
            same.push((earlier, index));
        }
    }
    same
}

/// Lowers one namespace's operations.
pub(crate) struct Ops<'l, 'a> {
    pub(crate) lower: &'l mut Lowering<'a>,
    schemes: &'l NamespaceSchemes,
    dialect: Dialect,
    minor: u8,
    undefined: Undefined,
    default_security: Requirements,
    default_servers: Span<ServerId>,
    ids: Ids,
    /// The first row of this namespace.
    first_op: usize,
    /// By operation of this namespace: where it stands.
    nodes: Vec<NodeRef>,
    /// By parameter object, followed: nothing when it is malformed.
    pub(crate) params: Map<NodeRef, Option<Param>>,
    pub(crate) bodies: Map<NodeRef, Option<BodyId>>,
    pub(crate) responses: Map<NodeRef, SharedResponse>,
    /// By item of a stream of events: what its data holds.
    pub(crate) events: Map<NodeRef, EventData>,
    /// Links whose operation is looked for when all are known.
    pub(crate) links: Vec<PendingLink<'a>>,
    /// Ids of operations that the project leaves out, and where they stand: a link may name them.
    left_out: Set<String>,
    left_out_at: Vec<NodeRef>,
}

/// What the data of server-sent events holds.
#[derive(Clone, Copy)]
pub(crate) struct EventData {
    pub(crate) ty: TypeId,
    /// Whether it is text as it stands, not JSON.
    pub(crate) is_text: bool,
}

/// A link that names an operation.
pub(crate) struct PendingLink<'a> {
    pub(crate) link: LinkId,
    pub(crate) at: Value<'a>,
    pub(crate) target: LinkTarget<'a>,
}

#[derive(Clone, Copy)]
pub(crate) enum LinkTarget<'a> {
    Id(&'a str),
    Ref(&'a str),
}

/// An operation object and where it was found.
struct Site<'a> {
    /// The key of the path item: a path, a webhook's name, a callback's expression.
    path: &'a str,
    /// The path item's own place.
    key: Value<'a>,
    /// Path items to read what operations share: the one that stands here, and the one it refers to.
    items: [Option<Value<'a>>; 2],
    method: Method,
    operation: Value<'a>,
    /// Why the project lists it without calling it.
    planned: Option<TextId>,
}

/// Local operation ids of a namespace.
#[derive(Default)]
struct Ids {
    /// Ids that calls and webhooks state; they are never given to another operation.
    stated: Set<Sym>,
    taken: Set<Sym>,
    /// Where each stated id is used first.
    first: Map<Sym, NodeRef>,
    /// For each repeated id, the number that is tried next.
    next: Map<Sym, u32>,
}

/// The operations of one path item.
struct ItemSites<'a> {
    sites: Vec<Site<'a>>,
    /// What is none, and what was found instead.
    faults: Vec<(Value<'a>, String)>,
}

impl<'a> ItemSites<'a> {
    /// Whether a value is an object; notes it as a fault when it is not.
    fn is_object(&mut self, value: Value<'a>, what: &str) -> bool {
        let is_object = value.kind() == Kind::Object;
        if !is_object {
            self.faults.push((value, format!("{what} is {}, not an object; it is ignored", value.kind().phrase())));
        }
        is_object
    }
}

/// Finds the operations of one path item. What stands beside a `$ref` comes before what is referred to.
fn item_sites<'a>(lower: &Lowering<'a>, item: Value<'a>, path: &'a str) -> ItemSites<'a> {
    let mut found = ItemSites { sites: Vec::new(), faults: Vec::new() };
    if !found.is_object(item, "a path item") {
        return found;
    }
    let target = lower.follow(item).filter(|target| target.at() != item.at());
    let items = [Some(item), target];
    let mut own: Set<Keys> = Set::default();
    for holder in items.iter().flatten() {
        for (method, operation, below) in holder_operations(lower, *holder, &mut found) {
            if target.is_some() && !own.insert(below) {
                continue;
            }
            let Some(target) = lower.follow(operation) else { continue };
            if !found.is_object(target, "an operation") {
                continue;
            }
            found.sites.push(Site { path, key: item, items, method, operation: target, planned: None });
        }
    }
    found
}

/// The keys of an operation below its path item.
type Keys = SmallVec<[Sym; 2]>;

/// An operation of a path item: its method, where it stands, and its keys.
type Held<'a> = (Method, Value<'a>, Keys);

fn holder_operations<'a>(lower: &Lowering<'a>, holder: Value<'a>, faults: &mut ItemSites<'a>) -> Vec<Held<'a>> {
    let mut found = Vec::new();
    for member in holder.children() {
        let Some(key) = member.key() else { continue };
        if let Some((_, method)) = METHODS.into_iter().find(|(name, _)| *name == key) {
            found.push((method, member, smallvec![key]));
        } else if key == kw::ADDITIONAL_OPERATIONS {
            additional_operations(lower, holder, member, &mut found, faults);
        }
    }
    found
}

/// Operations with methods of their own (OpenAPI 3.2, section 4.9). A method that a path item has a key for is read as if
/// it stood there, unless one does.
fn additional_operations<'a>(
    lower: &Lowering<'a>,
    holder: Value<'a>,
    list: Value<'a>,
    found: &mut Vec<Held<'a>>,
    faults: &mut ItemSites<'a>,
) {
    let list = lower.follow(list).filter(|list| faults.is_object(*list, "`additionalOperations`"));
    for operation in list.into_iter().flat_map(Value::children) {
        let (Some(key), Some(name)) = (operation.key(), operation.key_text()) else { continue };
        let below = smallvec![kw::ADDITIONAL_OPERATIONS, key];
        if let Some(method) = member_rules::own_key(name) {
            let is_there = METHODS.iter().any(|(key, fixed)| *fixed == method && holder.get(*key).is_some());
            let effect = if is_there { "; the other operation is used" } else { "; it is read as if it stood there" };
            faults.faults.push((operation, format!("{}{effect}", Rule::OwnKey.text())));
            if !is_there {
                found.push((method, operation, below));
            }
        } else if member_rules::is_token(name) {
            // The names of the IR begin with the keys of the documents.
            found.push((Method::Other(key), operation, below));
        } else {
            faults.faults.push((operation, format!("{}; the operation is ignored", Rule::NoMethod.text())));
        }
    }
}

impl<'a> Ops<'_, 'a> {
    /// Finds the operations below a member of the root, in document order.
    fn sites(&mut self, root: Value<'a>, key: Sym) -> Vec<Site<'a>> {
        let mut sites = Vec::new();
        let Some(items) = root.get(key) else { return sites };
        if items.kind() != Kind::Object {
            let name = self.lower.docs.keys.resolve(key);
            let message = format!("`{name}` is {}; it is read as an empty object", items.kind().phrase());
            self.lower.report(Code::TG0110, items, message);
            return sites;
        }
        let items: Vec<Value<'a>> = items.children().collect();
        let lower = &*self.lower;
        let find = |item: &Value<'a>| {
            let path = item.key_text().unwrap_or_default();
            (!path.starts_with("x-")).then(|| item_sites(lower, *item, path))
        };
        let found: Vec<ItemSites<'a>> = items.par_iter().filter_map(find).collect();
        for item in found {
            sites.extend(self.reported(item));
        }
        sites
    }

    /// The operations of a path item; what is none is reported.
    fn reported(&mut self, item: ItemSites<'a>) -> Vec<Site<'a>> {
        for (at, message) in item.faults {
            self.lower.report(Code::TG0508, at, message);
        }
        item.sites
    }

    /// Takes out the operations that the project leaves out, and notes those that it only plans (TG0504).
    fn select(&mut self, project: &mut Project<'_>, namespace: &str, sites: &mut Vec<Site<'a>>) {
        if !project.selector.selects(namespace) {
            return;
        }
        sites.retain_mut(|site| {
            let id = self.candidate_id(site);
            let candidate = Candidate { namespace, id: &id, path: site.path, operation: site.operation };
            match project.selector.choose(&candidate) {
                Choice::Callable => return true,
                Choice::Planned(why) => {
                    self.lower.report(Code::TG0504, site.operation, format!("the operation is only planned: {why}"));
                    site.planned = Some(self.lower.text(&why));
                    return true;
                }
                Choice::LeftOut(why) => {
                    self.lower.report(Code::TG0504, site.operation, format!("the operation is left out: {why}"));
                }
            }
            self.left_out.insert(id);
            self.left_out_at.push(site.operation.at());
            false
        });
    }

    /// The id that a manifest calls an operation by, before ids are given.
    fn candidate_id(&self, site: &Site<'a>) -> String {
        let stated = site.operation.get(kw::OPERATION_ID);
        let text = stated.and_then(|id| id.as_str().or_else(|| id.as_number())).filter(|id| !id.is_empty());
        text.map_or_else(|| self.made_id(site, OpKind::Call), str::to_owned)
    }

    /// The alternatives that the project declares for an operation of which no document states any.
    fn declared_security(&mut self, project: &mut Project<'_>, entry: &Entry<'a>, site: &Site<'a>, op: OpId) {
        if !project.auth.declares(self.lower.namespace) {
            return;
        }
        if site.operation.get(kw::SECURITY).is_some() || entry.root.get(kw::SECURITY).is_some() {
            return;
        }
        let id = self.lower.ir.names.resolve(self.lower.ir.ops.rows[op].local_id).to_owned();
        let candidate = Candidate { namespace: entry.namespace, id: &id, path: site.path, operation: site.operation };
        let alternatives = project.auth.alternatives(self.lower, &candidate);
        if !alternatives.is_empty() {
            self.lower.ir.ops.rows[op].security = alternatives;
        }
    }

    /// Reads each path's key once for all its operations.
    fn with_templates<'s>(&mut self, sites: &'s [Site<'a>]) -> Vec<(std::rc::Rc<Template>, &'s Site<'a>)> {
        let mut out = Vec::with_capacity(sites.len());
        let mut last: Option<(NodeRef, Option<std::rc::Rc<Template>>)> = None;
        for site in sites {
            if last.as_ref().is_none_or(|(at, _)| *at != site.key.at()) {
                let template = path_template::template(self.lower, site.key, site.path).map(std::rc::Rc::new);
                last = Some((site.key.at(), template));
            }
            if let Some((_, Some(template))) = &last {
                out.push((std::rc::Rc::clone(template), site));
            }
        }
        out
    }

    fn learn_ids<'s>(&mut self, sites: impl Iterator<Item = &'s Site<'a>>)
    where
        'a: 's,
    {
        for site in sites {
            if let Some(id) = site.operation.get(kw::OPERATION_ID).and_then(Value::as_str) {
                let id = self.lower.name(id);
                self.ids.stated.insert(id);
            }
        }
    }

    fn report_same_requests(&mut self, sites: &[Site<'a>], same: &[(usize, usize)]) {
        for &(first, second) in same {
            let path = quoted(sites[first].path);
            let message = format!("{path} differs in the names of its placeholders alone; no request tells them apart");
            self.lower.report(Code::TG0508, sites[second].operation, message);
            self.lower.findings.relate(sites[first].operation.at(), "the operation of the other path");
        }
    }

    fn operation(&mut self, site: &Site<'a>, template: &Template, kind: OpKind) -> OpId {
        let operation = site.operation;
        let (local_id, id_stated) = self.local_id(site, kind);
        let namespace_name = self.lower.ir.namespaces[self.lower.namespace].name;
        let id = format!("{}.{}", self.lower.ir.names.resolve(namespace_name), self.lower.ir.names.resolve(local_id));
        let id = self.lower.name(&id);
        let origin = Self::origin(site);
        let doc = self.op_doc(site);
        let tags = self.tags(operation);
        let params = self.op_params(site.key, &site.items, operation, template, kind);
        let body = operation.get(kw::REQUEST_BODY).and_then(|body| self.body(body));
        let responses = self.op_responses(operation);
        let undefined = &mut self.undefined;
        let security = security::security(self.lower, self.schemes, undefined, operation, self.default_security);
        let servers = self.op_servers(site);
        let deprecated = self.flag(operation, kw::DEPRECATED, false);
        let extensions = self.extensions(operation);
        self.nodes.push(operation.at());
        self.lower.ir.ops.rows.push(Op {
            id,
            local_id,
            id_stated,
            namespace: self.lower.namespace,
            kind,
            status: site.planned.map_or(OpStatus::Implemented, |reason| OpStatus::Planned { reason }),
            method: site.method,
            path: template.path,
            doc,
            tags,
            params,
            body,
            responses,
            security,
            servers,
            deprecated,
            extensions,
            origin,
        })
    }

    /// What is written about the operation, else about its path.
    fn op_doc(&mut self, site: &Site<'a>) -> Doc {
        let mut doc = self.lower.doc_of(site.operation);
        for item in site.items.into_iter().flatten() {
            if doc.summary.is_none() {
                doc.summary = item.get(kw::SUMMARY).and_then(|text| self.lower.text_of(text));
            }
            if doc.description.is_none() {
                doc.description = item.get(kw::DESCRIPTION).and_then(|text| self.lower.text_of(text));
            }
        }
        doc
    }

    /// Without the pointer, which `point` adds.
    fn origin(site: &Site<'a>) -> Origin {
        let doc = site.operation.doc();
        let offset = doc.key_offset(site.operation.at().node);
        Origin { source: site.operation.source_id(), offset, pointer: None }
    }

    /// The stated id, or one made from the method and the path; numbered when it is taken. And whether it is stated.
    fn local_id(&mut self, site: &Site<'a>, kind: OpKind) -> (Sym, bool) {
        if let Some((id, at)) = self.stated_id(site) {
            if self.ids.taken.insert(id) {
                self.ids.first.insert(id, at.at());
                return (id, true);
            }
            let unique = self.unique_id(id);
            let message = format!(
                "several operations have the id {}; this one becomes {}",
                quoted(self.lower.ir.names.resolve(id)),
                quoted(self.lower.ir.names.resolve(unique))
            );
            self.lower.report(Code::TG0401, at, message);
            if let Some(&first) = self.ids.first.get(&id) {
                self.lower.findings.relate(first, "the first of them");
            }
            return (unique, true);
        }
        let made = self.made_id(site, kind);
        let made = self.lower.name(&made);
        let unique =
            if self.ids.stated.contains(&made) || !self.ids.taken.insert(made) { self.unique_id(made) } else { made };
        let message =
            format!("the operation has no operationId; it becomes {}", quoted(self.lower.ir.names.resolve(unique)));
        self.lower.report(Code::TG0403, site.operation, message);
        (unique, false)
    }

    fn stated_id(&mut self, site: &Site<'a>) -> Option<(Sym, Value<'a>)> {
        let value = site.operation.get(kw::OPERATION_ID)?;
        if let Some(text) = value.as_str() {
            return (!text.is_empty()).then(|| (self.lower.name(text), value));
        }
        let number = value.as_number();
        let what = if number.is_some() { "it is read as text" } else { "it is ignored" };
        let message = format!("`operationId` is {}, not a string; {what}", value.kind().phrase());
        self.lower.report(Code::TG0508, value, message);
        number.map(|number| (self.lower.name(number), value))
    }

    fn made_id(&self, site: &Site<'a>, kind: OpKind) -> String {
        let method = site.method.name(&self.lower.ir.names).to_ascii_lowercase();
        let mut words = Words::of(&method);
        match kind {
            OpKind::Call => push_path_words(&mut words, site.path),
            OpKind::Webhook(_) => words.push(site.path),
            OpKind::Callback { of, name } => {
                words.clear();
                words.push(self.lower.ir.names.resolve(self.lower.ir.ops.rows[of].local_id));
                words.push(self.lower.ir.names.resolve(name));
                words.push(&method);
            }
        }
        if words.len() == 1 {
            words.push("root");
        }
        words.to_case(Case::Camel)
    }

    /// `id` with the lowest number that makes it unique.
    fn unique_id(&mut self, id: Sym) -> Sym {
        let base = self.lower.ir.names.resolve(id).to_owned();
        let mut number = self.ids.next.get(&id).copied().unwrap_or(2);
        loop {
            let candidate = self.lower.name(&numbered(&base, number));
            number += 1;
            if !self.ids.stated.contains(&candidate) && self.ids.taken.insert(candidate) {
                self.ids.next.insert(id, number);
                return candidate;
            }
        }
    }

    fn tags(&mut self, operation: Value<'a>) -> Span<tungsten_ir::TagId> {
        let mut tags = Vec::new();
        for tag in self.list(operation, kw::TAGS, "tags") {
            if let Some(text) = tag.as_str() {
                tags.push(self.lower.name(text));
            } else {
                let message = format!("a tag is {}, not a string; it is ignored", tag.kind().phrase());
                self.lower.report(Code::TG0508, tag, message);
            }
        }
        self.lower.ir.ops.tags.extend(tags)
    }

    fn op_servers(&mut self, site: &Site<'a>) -> Span<ServerId> {
        let owners = std::iter::once(site.operation).chain(site.items.into_iter().flatten());
        for owner in owners {
            let servers = servers::servers(self.lower, owner, Code::TG0508);
            if !servers.is_empty() {
                return servers;
            }
        }
        self.default_servers
    }

    fn extensions(&mut self, operation: Value<'a>) -> Span<tungsten_ir::ExtensionId> {
        let is_extension = |member: &Value<'a>| member.key_text().is_some_and(|key| key.starts_with("x-"));
        let mut rows = Vec::new();
        for member in operation.children().filter(is_extension) {
            if let Some(name) = member.key() {
                rows.push(Extension { name, value: self.lower.literal(member) });
            }
        }
        self.lower.ir.ops.extensions.extend(rows)
    }

    /// Lowers the callbacks of one operation. Those of a callback are left out: nothing ends such a chain.
    fn callbacks(&mut self, of: OpId, site: &Site<'a>) {
        let Some(callbacks) = self.member(site.operation, kw::CALLBACKS) else { return };
        if !self.is_object(callbacks, "callbacks") {
            return;
        }
        for member in callbacks.children() {
            let (Some(name), Some(callback)) = (member.key(), self.lower.follow(member)) else { continue };
            if !self.is_object(callback, "a callback") {
                continue;
            }
            let mut sites = Vec::new();
            for item in callback.children() {
                let expression = item.key_text().unwrap_or_default();
                if !expression.starts_with("x-") {
                    let found = item_sites(self.lower, item, expression);
                    sites.extend(self.reported(found));
                }
            }
            for site in &sites {
                if let Some(nested) = site.operation.get(kw::CALLBACKS) {
                    self.lower.report(Code::TG0508, nested, "callbacks of a callback are left out");
                }
                let raw = self.lower.name(site.path);
                self.operation(site, &no_template(raw), OpKind::Callback { of, name });
            }
        }
    }

    /// Gives each operation the pointer to it.
    fn point(&mut self) {
        let mut sorted: Vec<(NodeRef, usize)> = self.nodes.iter().copied().zip(self.first_op..).collect();
        sorted.sort_unstable_by_key(|(at, op)| (at.doc.index(), at.node.index(), *op));
        let nodes: Vec<NodeRef> = sorted.iter().map(|(at, _)| *at).collect();
        for ((_, op), pointer) in sorted.iter().zip(findings::pointers(self.lower.docs, &nodes)) {
            let pointer = self.lower.text(&pointer);
            self.lower.ir.ops.rows[OpId::from_index(*op)].origin.pointer = Some(pointer);
        }
    }

    /// Gives each link the operation that it names.
    fn resolve_links(&mut self) {
        let links = std::mem::take(&mut self.links);
        if links.is_empty() {
            return;
        }
        let found = self.link_operations(&links);
        self.left_out_at.sort_unstable_by_key(|at| (at.doc.index(), at.node.index()));
        self.left_out.extend(findings::pointers(self.lower.docs, &self.left_out_at));
        for (pending, operation) in links.iter().zip(found) {
            self.lower.ir.ops.links[pending.link].operation = operation;
            if operation.is_none() && !self.names_left_out(pending.target) {
                let (LinkTarget::Id(text) | LinkTarget::Ref(text)) = pending.target;
                let message = format!("the link names {}, which is no operation of this document", quoted(text));
                self.lower.report(Code::TG0508, pending.at, message);
            }
        }
    }

    fn names_left_out(&self, target: LinkTarget<'_>) -> bool {
        match target {
            LinkTarget::Id(id) => self.left_out.contains(id),
            LinkTarget::Ref(text) => local_pointer(text).is_some_and(|pointer| self.left_out.contains(&pointer)),
        }
    }

    fn link_operations(&self, links: &[PendingLink<'a>]) -> Vec<Option<OpId>> {
        let ir = &self.lower.ir;
        let entry = ir.namespaces[self.lower.namespace].source;
        let mut by_id: Map<Sym, OpId> = Map::default();
        let mut by_pointer: Map<&str, OpId> = Map::default();
        for (id, op) in ir.ops.rows.iter().skip(self.first_op) {
            by_id.entry(op.local_id).or_insert(id);
            if let Some(pointer) = op.origin.pointer.filter(|_| op.origin.source == entry) {
                by_pointer.entry(ir.text(pointer).untrusted()).or_insert(id);
            }
        }
        let find = |target: LinkTarget<'_>| match target {
            LinkTarget::Id(id) => ir.names.find(id).and_then(|id| by_id.get(&id)).copied(),
            LinkTarget::Ref(text) => by_pointer.get(local_pointer(text)?.as_str()).copied(),
        };
        links.iter().map(|pending| find(pending.target)).collect()
    }

    /// A member, or what it refers to. References stand where the format has none, and they mean one thing.
    pub(crate) fn member(&self, owner: Value<'a>, key: Sym) -> Option<Value<'a>> {
        owner.get(key).and_then(|value| self.lower.follow(value))
    }

    /// The items of a list member; nothing, and a report, when it is no list.
    pub(crate) fn list(&mut self, owner: Value<'a>, key: Sym, name: &str) -> Vec<Value<'a>> {
        let Some(list) = self.member(owner, key) else { return Vec::new() };
        if list.kind() != Kind::Array {
            let message = format!("`{name}` is {}, not a list; it is ignored", list.kind().phrase());
            self.lower.report(Code::TG0508, list, message);
            return Vec::new();
        }
        list.children().collect()
    }

    /// Whether a value is an object; reports it when it is not.
    pub(crate) fn is_object(&mut self, value: Value<'a>, name: &str) -> bool {
        if value.kind() != Kind::Object {
            let message = format!("{name} should be an object and is {}; it is ignored", value.kind().phrase());
            self.lower.report(Code::TG0508, value, message);
        }
        value.kind() == Kind::Object
    }

    /// A boolean member, or its default; reports another kind.
    pub(crate) fn flag(&mut self, owner: Value<'a>, key: Sym, default: bool) -> bool {
        let Some(value) = owner.get(key) else { return default };
        value.as_bool().unwrap_or_else(|| {
            let read = match value.as_str() {
                Some("true") => true,
                Some("false") => false,
                _ => default,
            };
            let name = self.lower.docs.keys.resolve(key);
            let message = format!("`{name}` is {}, not a boolean; it is read as {read}", value.kind().phrase());
            self.lower.report(Code::TG0508, value, message);
            read
        })
    }

    /// Whether the document is a 3.2 one.
    pub(crate) fn is_v32(&self) -> bool {
        self.minor >= 2
    }

    /// Whether the document is a 3.0 one.
    pub(crate) fn is_v30(&self) -> bool {
        self.dialect == Dialect::V30
    }
}

fn no_template(raw: Sym) -> Template {
    Template { path: Path { raw, segments: Span::EMPTY, query: Span::EMPTY }, params: Vec::new() }
}

/// `/pets/{petId}` as `pets`, `by`, `pet`, `id`.
fn push_path_words(words: &mut Words, path: &str) {
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        words.push(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        words.push("by");
        words.push(name);
        rest = after;
    }
    words.push(rest);
}

/// A path with empty placeholders.
pub(crate) fn without_names(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        out.push_str("{}");
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// The pointer of a reference into the same document.
fn local_pointer(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    percent_encoding::percent_decode_str(fragment).decode_utf8().ok().map(Cow::into_owned)
}

/// The servers of a document: the first document's are the API's, another's are given to its operations where they
/// differ.
fn document_servers<'a>(lower: &mut Lowering<'a>, root: Value<'a>) -> Span<ServerId> {
    let own = servers::servers(lower, root, Code::TG0110);
    if lower.namespace == first_namespace(lower) {
        if lower.ir.api.servers.is_empty() {
            lower.ir.api.servers = own;
        }
        return Span::EMPTY;
    }
    let urls = |span| lower.ir.servers.slice(span).iter().map(|server: &tungsten_ir::Server| server.url);
    if urls(own).eq(urls(lower.ir.api.servers)) { Span::EMPTY } else { own }
}

fn first_namespace(lower: &Lowering<'_>) -> NamespaceId {
    lower.ir.namespaces.ids().next().unwrap_or(lower.namespace)
}
