//! Reports members that the format does not know, or not as they are, where nothing else said so.
//!
//! Reads what `scan` noted in whole documents, and the findings so far: what is at fault in a value that was read is known
//! better by its reader. Writes findings: TG0110 for the head of a document, TG0508 for operations and what they use,
//! TG0303 for schemas.

use base::diag::quoted;
use base::{Code, Id};
use base_doc::{DocId, NodeRef, Value};

use crate::findings::Findings;
use crate::grammar::{Form, Place};
use crate::keywords as kw;
use crate::load::Loaded;
use crate::member_rules::Rule;
use crate::scan::{Fault, Oddity};

/// Reports the oddities of the documents `docs`.
pub(crate) fn report(loaded: &Loaded, docs: &[DocId], findings: &mut Findings) {
    let known = findings.places();
    for &doc in docs {
        for &oddity in &loaded.oddities[doc.index()] {
            let at = NodeRef { doc, node: oddity.node };
            if known.contains(&at) {
                continue;
            }
            let value = loaded.docs.value(at);
            match oddity.fault {
                Fault::Form(form) => report_form(value, oddity.place, form, findings),
                Fault::Unknown if is_beside_reference(loaded, doc, oddity) => {}
                Fault::Unknown => report_unknown(value, oddity.place, findings),
                Fault::BesideReference => report_beside_reference(value, oddity.place, minor(loaded, doc), findings),
                Fault::Newer if minor(loaded, doc) >= 2 => {}
                Fault::Newer => report_newer(value, oddity.place, findings),
                Fault::Beside(other) => report_beside(value, oddity.place, other, findings),
                Fault::Rule(rule) if !rule.holds_in_32() && minor(loaded, doc) >= 2 => {}
                Fault::Rule(rule) => report_rule(value, oddity.place, rule, findings),
            }
        }
    }
}

/// What stands beside a `$ref` has no effect, and is no member of what is referred to.
fn is_beside_reference(loaded: &Loaded, doc: DocId, oddity: Oddity) -> bool {
    oddity.place != Place::PathItem && loaded.docs.docs[doc].get(oddity.parent, kw::REF).is_some()
}

fn report_unknown(value: Value<'_>, place: Place, findings: &mut Findings) {
    let (Some(key), Some(owner)) = (value.key_text(), place.phrase()) else { return };
    let message = format!("{} is no member of {owner}; it is ignored", quoted(key));
    let members = place.members().iter().map(|(name, ..)| kw::WORDS[name.index()]);
    let help = base::suggest::nearest(key, members).map(|near| format!("did you mean `{near}`?"));
    findings.report_key(code_of(place), value.at(), message).help = help;
}

/// The second number of the version that a document states.
fn minor(loaded: &Loaded, doc: DocId) -> u8 {
    crate::version::minor(loaded.docs.root(doc)).unwrap_or(0)
}

/// What stands beside a `$ref` and has no effect there. Since 3.1 a summary and a description have one.
fn report_beside_reference(value: Value<'_>, place: Place, minor: u8, findings: &mut Findings) {
    let Some(key) = value.key_text().filter(|key| !key.starts_with("x-")) else { return };
    if minor > 0 && matches!(value.key(), Some(kw::SUMMARY | kw::DESCRIPTION)) {
        return;
    }
    findings.report_key(code_of(place), value.at(), format!("{} has no effect beside `$ref`", quoted(key)));
}

fn report_newer(value: Value<'_>, place: Place, findings: &mut Findings) {
    let (Some(key), Some(owner)) = (value.key_text(), place.phrase()) else { return };
    let message = format!("only OpenAPI 3.2 has {} in {owner}; it is read as that", quoted(key));
    findings.report_key(Code::TG0110, value.at(), message);
}

fn report_beside(value: Value<'_>, place: Place, other: base::Sym, findings: &mut Findings) {
    let Some(key) = value.key_text() else { return };
    let message = format!("{} and {} exclude each other", quoted(key), quoted(kw::WORDS[other.index()]));
    findings.report_key(code_of(place), value.at(), message);
}

fn report_rule(value: Value<'_>, place: Place, rule: Rule, findings: &mut Findings) {
    let is_new = matches!(rule, Rule::WholeQueryIsNew | Rule::RawCookieIsNew);
    let code = if is_new { Code::TG0110 } else { code_of(place) };
    findings.report_key(code, value.at(), rule.text());
}

fn report_form(value: Value<'_>, place: Place, form: Form, findings: &mut Findings) {
    // Lists by reference are followed, though the format has no such reference.
    if form == Form::List && value.get(kw::REF).is_some() {
        return;
    }
    let what = match (value.key_text().map(quoted), place.phrase()) {
        (Some(key), Some(owner)) if place.items().is_some() => format!("{key} in {owner}"),
        (Some(key), _) => key,
        (None, owner) => format!("an item of {}", owner.unwrap_or("a list")),
    };
    let message = format!("{what} should be {} and is {}; it is ignored", form.phrase(), value.kind().phrase());
    findings.report(code_of(place), value.at(), message);
}

fn code_of(place: Place) -> Code {
    match place {
        Place::Schema | Place::Schemas | Place::Discriminator | Place::Xml => Code::TG0303,
        place if place.is_of_operation() => Code::TG0508,
        _ => Code::TG0110,
    }
}
