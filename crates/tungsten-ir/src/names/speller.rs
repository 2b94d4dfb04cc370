//! What naming members and naming top levels share: the spelling of words in a role, and claims of names in scopes.
//!
//! Reads the IR and a profile; fills a pool of names and reports what became of names that a person wrote.

use base::diag::quoted;
use base::{Code, Diags, Id, Interner, Place, Sym};

use super::NameOptions;
use super::scope::{Claimed, Scope};
use crate::profile::{Lexicon, Profile, Role};
use crate::words::Words;
use crate::{Ir, Origin};

/// A spelled name and whether it had to be escaped.
pub(super) type Spelled = (Sym, bool);

/// Something that a person named.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub(super) wire: Sym,
    pub(super) origin: Origin,
    /// Whether emitters print it. What happened to other names concerns nobody.
    pub(super) is_emitted: bool,
}

pub(super) struct Speller<'a> {
    pub(super) ir: &'a Ir,
    pub(super) profile: &'a Profile,
    pub(super) options: NameOptions<'a>,
    pub(super) diags: Diags,
    pub(super) pool: Interner,
    /// The spelling of each symbol, a column a role.
    spelled: [Vec<Option<Spelled>>; Role::ALL.len()],
    lexicon: &'a Lexicon,
    /// The words that are being put together, and the name that is made of them.
    pub(super) words: Words,
    name: String,
}

impl<'a> Speller<'a> {
    pub(super) fn new(ir: &'a Ir, profile: &'a Profile, lexicon: &'a Lexicon, options: NameOptions<'a>) -> Self {
        Self {
            ir,
            profile,
            options,
            diags: Diags::new(),
            pool: Interner::new(),
            spelled: Role::ALL.map(|_| Vec::new()),
            lexicon,
            words: Words::default(),
            name: String::new(),
        }
    }

    /// The identifier of one symbol in a role, remembered.
    pub(super) fn spell(&mut self, role: Role, sym: Sym) -> Spelled {
        let column = &mut self.spelled[role as usize];
        if column.is_empty() {
            column.resize(self.ir.names.len(), None);
        }
        if let Some(spelled) = column[sym.index()] {
            return spelled;
        }
        let spelled = self.spell_parts(role, &[self.ir.names.resolve(sym)]);
        self.spelled[role as usize][sym.index()] = Some(spelled);
        spelled
    }

    pub(super) fn spell_parts(&mut self, role: Role, parts: &[&str]) -> Spelled {
        self.words.clear();
        for part in parts {
            self.words.push(part);
        }
        let escaped = self.profile.spell(role, &mut self.words, self.lexicon, &mut self.name);
        (self.pool.intern(&self.name), escaped)
    }

    /// Claims a name whose change concerns nobody.
    pub(super) fn claim(&mut self, scope: &mut Scope, role: Role, name: Sym) -> Sym {
        self.claim_for(scope, role, name, None).name
    }

    fn claim_for(&mut self, scope: &mut Scope, role: Role, name: Sym, wire: Option<Sym>) -> Claimed {
        let lexicon = self.lexicon;
        scope.claim(&mut self.pool, name, wire, |numbered| lexicon.is_reserved(role, numbered))
    }

    /// Claims the name of something that a person wrote, and reports what happened to it.
    pub(super) fn claim_reported(&mut self, scope: &mut Scope, role: Role, spelled: Spelled, written: Written) -> Sym {
        let (wanted, escaped) = spelled;
        let claimed = self.claim_for(scope, role, wanted, Some(written.wire));
        if claimed.is_renamed && written.is_emitted && self.options.report_collisions {
            let message = self.collision(wanted, &claimed, written.wire);
            self.diags.report(Code::TG0401, self.place(written.origin), message);
        }
        if escaped && written.is_emitted && self.options.report_escapes {
            let (wire, name) = (self.ir.names.resolve(written.wire), self.pool.resolve(claimed.name));
            let message = format!("{} is no free {} identifier and becomes `{name}`", quoted(wire), self.profile.title);
            self.diags.report(Code::TG0402, self.place(written.origin), message);
        }
        claimed.name
    }

    /// The words for two names that met: both as they are written, where both are known.
    fn collision(&self, wanted: Sym, claimed: &Claimed, wire: Sym) -> String {
        let (wanted, name) = (self.pool.resolve(wanted), self.pool.resolve(claimed.name));
        let language = self.profile.title;
        let this = quoted(self.ir.names.resolve(wire));
        match claimed.holder {
            Some(other) if other == wire => {
                format!("{this} is there twice in one scope; this one becomes `{name}` in {language}")
            }
            Some(other) => {
                let other = quoted(self.ir.names.resolve(other));
                format!("{this} and {other} are both `{wanted}` in {language}; {this} becomes `{name}`")
            }
            None => format!("generated code needs `{wanted}` for itself in {language}; {this} becomes `{name}`"),
        }
    }

    fn place(&self, origin: Origin) -> Place {
        let pointer = origin.pointer.map_or("", |text| self.ir.texts.get(text).untrusted());
        Place::at(origin.source, pointer, (origin.offset, origin.offset))
    }
}
