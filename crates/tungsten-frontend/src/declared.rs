//! Security schemes that a project declares for operations of which the documents state no requirement.
//!
//! Reads the project's profiles and, one by one, operations without a requirement; writes their alternatives. Reports
//! profiles that no operation needs (TG0620). Which schemes there are is decided by `security`.

use std::collections::BTreeSet;

use base::diag::quoted;
use base::{Code, Diags, Id, Span};
use tungsten_ir::{Alternative, AlternativeId, Ir, NamespaceId, Requirement, SchemeId};

use crate::lower::Lowering;
use crate::overrides::{AuthProfile, Declares};
use crate::select::{Candidate, Matcher};

/// The profiles that are schemes of their own.
#[derive(Default)]
pub(crate) struct DeclaredAuth<'o> {
    rows: Vec<Row<'o>>,
}

struct Row<'o> {
    profile: &'o AuthProfile,
    matcher: Matcher<'o>,
    is_optional: bool,
    /// By namespace: the scheme, where the profile is one.
    schemes: Vec<Option<SchemeId>>,
}

/// Whether a profile is a scheme of a namespace.
pub(crate) fn is_for(declares: &Declares, namespace: &str) -> bool {
    declares.namespaces.is_empty() || declares.namespaces.iter().any(|known| known == namespace)
}

impl<'o> DeclaredAuth<'o> {
    /// Adds a profile with its scheme in each namespace.
    pub(crate) fn add(&mut self, profile: &'o AuthProfile, declares: &'o Declares, schemes: Vec<Option<SchemeId>>) {
        let matcher = Matcher::new(&declares.filter);
        self.rows.push(Row { profile, matcher, is_optional: declares.optional, schemes });
    }

    /// Whether a profile is a scheme of the namespace.
    pub(crate) fn declares(&self, namespace: NamespaceId) -> bool {
        self.rows.iter().any(|row| row.scheme(namespace).is_some())
    }

    /// One alternative for each profile that covers the operation, and an empty one where none of them must be there.
    pub(crate) fn alternatives(
        &mut self,
        lower: &mut Lowering<'_>,
        candidate: &Candidate<'_, '_>,
    ) -> Span<AlternativeId> {
        let mut alternatives = Vec::new();
        let mut is_optional = false;
        for row in &mut self.rows {
            let Some(scheme) = row.scheme(lower.namespace) else { continue };
            if row.matcher.miss(candidate).is_some() {
                continue;
            }
            is_optional |= row.is_optional;
            let all_of = lower.ir.ops.requirements.extend([Requirement { scheme, scopes: Span::EMPTY }]);
            alternatives.push(Alternative { all_of });
        }
        if is_optional {
            alternatives.push(Alternative { all_of: Span::EMPTY });
        }
        lower.ir.ops.alternatives.extend(alternatives)
    }

    /// Reports the names that no operation had, and the profiles that none needs.
    pub(crate) fn report(&self, ir: &Ir, diags: &mut Diags) {
        for row in &self.rows {
            row.matcher.report(&mut BTreeSet::new(), diags);
            let is_scheme = row.schemes.iter().any(Option::is_some);
            // A document may require a scheme that it does not define.
            let is_required = || ir.ops.requirements.rows().iter().any(|one| row.schemes.contains(&Some(one.scheme)));
            if is_scheme && !is_required() {
                let name = quoted(&row.profile.name);
                let message = format!("the profile {name} declares a scheme that no operation needs");
                let place =
                    row.profile.declares.as_ref().map_or_else(|| row.profile.place.clone(), |d| d.place.clone());
                diags.report(Code::TG0620, place, message).help = Some(
                    "it is only for operations of which neither they nor their document state `security`".to_owned(),
                );
            }
        }
    }
}

impl Row<'_> {
    fn scheme(&self, namespace: NamespaceId) -> Option<SchemeId> {
        self.schemes.get(namespace.index()).copied().flatten()
    }
}
