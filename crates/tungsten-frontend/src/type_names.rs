//! Names of types, and what can only be said about rows once a namespace is complete.
//!
//! Components have the name of their key. Other schemas that a reference reaches get the name of their file or of the
//! last part of their pointer; names that meet get the lowest free number, in document order (TG0401).

use base::{Code, Id, Sym};
use base_doc::{NodeRef, Value, escape_token};
use tungsten_ir::{TypeId, TypeName};

use crate::findings;
use crate::lookup::Set;
use crate::lower::Lowering;
use crate::passes::{self, LentName};
use crate::schema::flag;

impl<'a> Lowering<'a> {
    /// Names a member of `components/schemas` after its key. `folder` is the pointer of all of them.
    pub(crate) fn name_component(&mut self, ty: TypeId, schema: Value<'a>, name: Sym, folder: &str) {
        self.types.flags[ty.index()] |= flag::NAMED;
        let is_here = self.types.nodes[ty.index()] == schema.at();
        let pointer = format!("{folder}/{}", escape_token(self.docs.keys.resolve(name)));
        self.set_name(ty, name, is_here.then_some(&pointer));
        if !is_here {
            self.types.unnamed.push(ty);
            self.types.lent.push(LentName { ty, source: schema.source_id(), pointer });
        }
    }

    /// Completes the types of a namespace: names, the order of declarations, facts about fields and unions.
    pub(crate) fn finish_types(&mut self) {
        passes::name_circles(self);
        self.name_the_unnamed();
        self.order_named();
        passes::alias_circles(self);
        passes::fields(self);
        passes::union_strategy(self);
    }

    fn name_the_unnamed(&mut self) {
        let mut unnamed = std::mem::take(&mut self.types.unnamed);
        unnamed.retain(|&ty| self.ir.types.rows[ty].origin.pointer.is_none());
        let place = |this: &Self, ty: TypeId| {
            let at = this.types.nodes[ty.index()];
            (at.doc.index(), at.node.index())
        };
        unnamed.sort_by_key(|&ty| place(self, ty));
        let nodes: Vec<NodeRef> = unnamed.iter().map(|ty| self.types.nodes[ty.index()]).collect();
        let pointers = findings::pointers(self.docs, &nodes);
        let mut taken: Set<Sym> = Set::default();
        for row in &self.ir.types.rows.rows()[self.types.first_type..] {
            taken.extend(row.name.map(|name| name.name));
        }
        for ((ty, at), pointer) in unnamed.into_iter().zip(nodes).zip(pointers) {
            // A component may have lent its name to a schema elsewhere, whose pointer was not known then.
            let lent = self.ir.types.rows[ty].name.map(|lent| lent.name);
            let name = lent.unwrap_or_else(|| {
                let wanted = self.wanted_name(at, &pointer);
                self.free_name(&wanted, &mut taken, at)
            });
            self.set_name(ty, name, Some(&pointer));
        }
    }

    /// The file's name without its ending, or the last part of the pointer that is no number.
    fn wanted_name(&self, at: NodeRef, pointer: &str) -> String {
        let last = pointer.rsplit('/').find(|token| !token.is_empty() && token.parse::<u32>().is_err());
        if let Some(token) = last {
            return token.replace("~1", "/").replace("~0", "~");
        }
        let path = self.paths.get(at.doc.index()).map_or("", String::as_str);
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        if stem.is_empty() { "Schema".to_owned() } else { stem.to_owned() }
    }

    fn free_name(&mut self, wanted: &str, taken: &mut Set<Sym>, at: NodeRef) -> Sym {
        let name = self.name(wanted);
        if taken.insert(name) {
            return name;
        }
        // Every number below is taken by a name that was counted here before, so counting on stays linear.
        let mut number = self.types.next_number.get(&name).copied().unwrap_or(2);
        let renamed = loop {
            let candidate = self.name(&format!("{wanted}{number}"));
            number += 1;
            if taken.insert(candidate) {
                break candidate;
            }
        };
        self.types.next_number.insert(name, number);
        let (old, new) = (base::diag::quoted(wanted), base::diag::quoted(self.ir.names.resolve(renamed)));
        let message = format!("another type is named {old} already; this one is named {new}");
        self.findings.report(Code::TG0401, at, message);
        renamed
    }

    fn set_name(&mut self, ty: TypeId, name: Sym, pointer: Option<&str>) {
        let pointer = pointer.map(|pointer| self.ir.texts.push(pointer));
        let row = &mut self.ir.types.rows[ty];
        row.name = Some(TypeName { namespace: self.namespace, name });
        row.origin.pointer = pointer;
    }

    fn order_named(&mut self) {
        let rows = &self.ir.types.rows;
        let mut named: Vec<TypeId> =
            rows.ids().skip(self.types.first_type).filter(|&ty| rows[ty].name.is_some()).collect();
        named.sort_by_key(|&ty| {
            let at = self.types.nodes[ty.index()];
            (at.doc.index(), rows[ty].origin.offset, at.node.index())
        });
        self.ir.types.named.extend(named);
    }
}
