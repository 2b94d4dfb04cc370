//! Types: one row for each schema that is reached, and a queue instead of recursion.
//!
//! Reads schemas where they stand; writes `ir.types`. `schema` only reserves a row and queues the work, so that depth and
//! cycles cost nothing. What a schema says is gathered by `facts`, what it means is built by `shapes` and `unions`;
//! names and facts about finished rows follow when a namespace is complete.

use base::{Code, Id, Sym};
use base_doc::{DocId, DocSet, Kind, NodeRef, Value};
use tungsten_ir::{Doc, Shape, Type, TypeId};

use crate::facts::Facts;
use crate::keywords as kw;
use crate::lookup::{Map, Set};
use crate::lower::Lowering;
use crate::passes::LentName;
use crate::pieces::{Piece, Pieces};
use crate::refs::Reference;
use crate::rules::RuleState;
use crate::unions::PendingUnion;
use crate::version::Dialect;

/// What the lowering of types knows beside the IR.
pub(crate) struct TypeState<'a> {
    /// By document and row: one more than the type's row, 0 for none. Of one namespace.
    columns: Vec<Vec<u32>>,
    touched: Vec<DocId>,
    queue: Vec<Work>,
    /// By type: see [`flag`].
    pub(crate) flags: Vec<u8>,
    /// By type: the schema it was made from.
    pub(crate) nodes: Vec<NodeRef>,
    /// Types made from several schemas at once, by those schemas.
    merges: Map<Pieces, TypeId>,
    /// Referenced schemas that are no components, to be named when the namespace is complete.
    pub(crate) unnamed: Vec<TypeId>,
    /// Members of `components/schemas` of the entry document, by name.
    pub(crate) components: Map<Sym, NodeRef>,
    /// Schemas that another component extends through `allOf`.
    pub(crate) extended: Set<NodeRef>,
    /// Unions whose strategy is not settled yet.
    pub(crate) unions: Vec<PendingUnion<'a>>,
    /// By variant: the type whose name the variant takes, when that is not its own type.
    pub(crate) variant_names: Vec<Option<TypeId>>,
    /// By mapping: the entry that names each schema.
    pub(crate) mappings: Map<NodeRef, Map<NodeRef, NodeRef>>,
    /// By name: the number that the next type of that name is tried with.
    pub(crate) next_number: Map<Sym, u32>,
    /// Members that all merges of this run have read.
    pub(crate) n_merged: usize,
    /// Properties and values that all unions compared so far.
    pub(crate) n_compared: usize,
    /// Types and the named types whose schemas were merged into them.
    pub(crate) bases: Vec<(TypeId, TypeId)>,
    /// Names of components whose schemas stand elsewhere.
    pub(crate) lent: Vec<LentName>,
    /// Types that are to be given rules, and what has them already.
    pub(crate) rules: RuleState,
    /// Scratch for one schema, kept for its memory.
    pub(crate) facts: Option<Box<Facts<'a>>>,
    /// First rows of this namespace.
    pub(crate) first_type: usize,
    pub(crate) first_field: usize,
}

/// Facts about a type that are no part of its row.
pub(crate) mod flag {
    /// It has a name of its own or will get one.
    pub(crate) const NAMED: u8 = 1;
    pub(crate) const READ_ONLY: u8 = 2;
    pub(crate) const WRITE_ONLY: u8 = 4;
    pub(crate) const SENSITIVE: u8 = 8;
}

#[derive(Clone, Debug)]
enum Work {
    Schema(NodeRef, TypeId),
    Merge(Pieces, TypeId),
}

impl TypeState<'_> {
    pub(crate) fn new(docs: &DocSet) -> Self {
        Self {
            columns: vec![Vec::new(); docs.docs.len()],
            touched: Vec::new(),
            queue: Vec::new(),
            flags: Vec::new(),
            nodes: Vec::new(),
            merges: Map::default(),
            unnamed: Vec::new(),
            components: Map::default(),
            extended: Set::default(),
            unions: Vec::new(),
            variant_names: Vec::new(),
            mappings: Map::default(),
            next_number: Map::default(),
            n_merged: 0,
            n_compared: 0,
            bases: Vec::new(),
            lent: Vec::new(),
            rules: RuleState::default(),
            facts: None,
            first_type: 0,
            first_field: 0,
        }
    }
}

impl<'a> Lowering<'a> {
    /// The type of a schema. A reference gives the type of its target, which then has a name; a broken one, which was
    /// reported, gives a type of shape `Unknown`. The row is complete after [`Lowering::drain`].
    pub(crate) fn schema(&mut self, value: Value<'a>) -> TypeId {
        let mut at = value.at();
        for _ in 0..=base::limits::REF_CHAIN {
            let Reference::To(target) = self.refs.get(at) else { break };
            if !self.is_plain_reference(at) {
                break;
            }
            at = target;
        }
        let ty = self.type_at(at);
        if at != value.at() {
            self.mark_named(ty);
        }
        ty
    }

    /// A type without a schema of its own, at the value that implies it.
    pub(crate) fn implied_type(&mut self, value: Value<'a>, shape: Shape) -> TypeId {
        self.push_type(value.at(), shape)
    }

    /// Lowers everything that is queued, and what that queues.
    pub(crate) fn drain(&mut self) {
        while let Some(work) = self.types.queue.pop() {
            match work {
                Work::Schema(at, ty) => self.lower_schema(at, ty),
                Work::Merge(pieces, ty) => self.lower_merge(&pieces, ty),
            }
        }
        self.drain_rules();
    }

    /// Forgets which schema has which type: the next namespace has types of its own.
    pub(crate) fn begin_types(&mut self) {
        let types = &mut self.types;
        for doc in types.touched.drain(..) {
            types.columns[doc.index()].clear();
        }
        types.merges.clear();
        types.rules.clear();
        types.components.clear();
        types.extended.clear();
        types.mappings.clear();
        types.next_number.clear();
        types.first_type = self.ir.types.rows.len();
        types.first_field = self.ir.types.fields.len();
    }

    /// Gives every member of `components/schemas` its type and its name.
    pub(crate) fn component_schemas(&mut self, root: Value<'a>) {
        let Some(components) = root.get(kw::COMPONENTS).and_then(|components| self.follow(components)) else { return };
        if components.kind() != Kind::Object {
            let message = format!("`components` is {}, not an object; it is ignored", components.kind().phrase());
            self.report(Code::TG0110, components, message);
            return;
        }
        let Some(schemas) = components.get(kw::SCHEMAS).and_then(|schemas| self.follow(schemas)) else { return };
        if schemas.kind() != Kind::Object {
            let message = format!("`schemas` is {}, not an object; it is ignored", schemas.kind().phrase());
            self.report(Code::TG0110, schemas, message);
            return;
        }
        for schema in schemas.children() {
            if let Some(name) = schema.key() {
                self.types.components.insert(name, schema.at());
            }
            self.note_extended(schema);
        }
        let folder = schemas.pointer();
        for schema in schemas.children() {
            self.component_schema(schema, &folder);
        }
    }

    fn component_schema(&mut self, schema: Value<'a>, folder: &str) {
        let Some(name) = schema.key() else { return };
        if name == kw::REF && schema.kind() == Kind::String {
            return;
        }
        let name_text = self.docs.keys.resolve(name);
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if name_text.is_empty() || !name_text.chars().all(allowed) {
            let message = format!("{} is no name of a component; it is kept", base::diag::quoted(name_text));
            self.report(Code::TG0110, schema, message);
        }
        // A component that only refers to a schema without a name lends it its own.
        let ty = match (self.refs.get(schema.at()), self.is_plain_reference(schema.at())) {
            (Reference::To(_), true) => {
                let target = self.schema(schema);
                if self.ir.types.rows[target].name.is_none() && !self.is_component(target) {
                    self.set_type_at(schema.at(), target);
                    target
                } else {
                    let alias = self.push_type(schema.at(), Shape::Alias { target });
                    self.set_type_at(schema.at(), alias);
                    alias
                }
            }
            _ => self.type_at(schema.at()),
        };
        self.name_component(ty, schema, name, folder);
    }

    fn is_component(&self, ty: TypeId) -> bool {
        let at = self.types.nodes[ty.index()];
        let key = self.docs.value(at).key();
        key.is_some_and(|key| self.types.components.get(&key) == Some(&at))
    }

    /// Notes the schemas that this component's `allOf` builds on.
    fn note_extended(&mut self, schema: Value<'a>) {
        for member in schema.get(kw::ALL_OF).into_iter().flat_map(Value::children) {
            if let (Reference::To(_), Some(target)) = (self.refs.get(member.at()), self.follow(member)) {
                self.types.extended.insert(target.at());
            }
        }
    }

    /// Whether a reference object says nothing of its own: in 3.0 only a description beside `$ref` counts.
    pub(crate) fn is_plain_reference(&self, at: NodeRef) -> bool {
        let value = self.docs.value(at);
        if value.n_children() <= 1 {
            return true;
        }
        match self.dialect_of(at.doc) {
            Dialect::V31 => false,
            Dialect::V30 => value.children().all(|member| member.key() == Some(kw::REF)),
        }
    }

    /// The type of the schema that stands here, whatever it refers to.
    pub(crate) fn type_at(&mut self, at: NodeRef) -> TypeId {
        if let Some(ty) = self.existing_type(at) {
            return ty;
        }
        let ty = self.push_type(at, Shape::Unknown);
        self.set_type_at(at, ty);
        self.types.queue.push(Work::Schema(at, ty));
        ty
    }

    /// The type that a schema has already.
    pub(crate) fn existing_type(&self, at: NodeRef) -> Option<TypeId> {
        let number = self.types.columns[at.doc.index()].get(at.node.index()).copied()?;
        (number > 0).then(|| TypeId::from_index(number as usize - 1))
    }

    fn set_type_at(&mut self, at: NodeRef, ty: TypeId) {
        let column = &mut self.types.columns[at.doc.index()];
        if column.is_empty() {
            // Zeroed memory is only touched where a type is set.
            *column = vec![0; self.docs.docs[at.doc].len()];
            self.types.touched.push(at.doc);
        }
        column[at.node.index()] = ty.index() as u32 + 1;
    }

    /// The type of values that all these schemas admit.
    pub(crate) fn merged(&mut self, mut pieces: Pieces) -> TypeId {
        let mut seen: Set<Piece> = Set::default();
        pieces.retain(|piece| seen.insert(*piece));
        if let [piece] = pieces.as_slice()
            && piece.is_whole()
        {
            return self.schema(self.docs.value(piece.at));
        }
        if let Some(&ty) = self.types.merges.get(&pieces) {
            return ty;
        }
        let place = pieces.last().map_or(self.types.nodes[0], |piece| piece.at);
        let ty = self.push_type(place, Shape::Unknown);
        if !self.within_merge_budget(pieces.len(), place) {
            return ty;
        }
        self.types.merges.insert(pieces.clone(), ty);
        self.types.queue.push(Work::Merge(pieces, ty));
        ty
    }

    pub(crate) fn push_type(&mut self, at: NodeRef, shape: Shape) -> TypeId {
        let origin = self.origin(self.docs.value(at));
        self.types.flags.push(0);
        self.types.nodes.push(at);
        self.ir.types.rows.push(Type {
            shape,
            name: None,
            doc: Doc::default(),
            bounds: None,
            deprecated: false,
            default: None,
            origin,
        })
    }

    pub(crate) fn mark_named(&mut self, ty: TypeId) {
        let flags = &mut self.types.flags[ty.index()];
        if *flags & flag::NAMED == 0 {
            *flags |= flag::NAMED;
            self.types.unnamed.push(ty);
        }
    }
}
