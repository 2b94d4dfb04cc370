//! Enums and constants: which of the listed values are of the stated type, each once, and what they are called.
//!
//! Reads [`Facts`]; writes values and the choices of enums. Null among the choices makes a type nullable.

use base::{Code, Sym};
use base_doc::{Kind, Value};
use tungsten_ir::{EnumValue, JsonValue, Shape, ValueId};

use crate::facts::{EnumFact, Facts, mask};
use crate::lookup::Set;
use crate::lower::Lowering;
use crate::pieces::Flat;
use crate::shapes::Built;
use crate::values::{self, NumberKey};
use crate::version::Dialect;

/// What tells a scalar from another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ChoiceKey {
    Null,
    Bool(bool),
    Number(NumberKey),
    Text(Sym),
}

/// Lists and objects of an enum that are compared with those of another one.
const MAX_COMPARED: usize = 256;

impl<'a> Lowering<'a> {
    pub(crate) fn constant(
        &mut self,
        facts: &mut Facts<'a>,
        value: Value<'a>,
        flats: &[Flat],
        nullable: bool,
    ) -> Built {
        let id = self.value(value);
        for &other in &facts.consts[1..] {
            let other_id = self.value(other);
            if !self.ir.values.equal(&self.ir.names, id, other_id) {
                self.report(Code::TG0302, other, "two schemas that hold together state different constants");
                self.relate(value, "the first of them");
                return self.intersection(flats);
            }
        }
        if facts.typed && mask_of(value) & facts.mask == 0 {
            self.report(Code::TG0307, value, "the constant is not of the stated type");
            facts.exact = false;
            return Built::plain(Shape::Never, nullable);
        }
        let nullable = nullable && !value.is_null();
        facts.exact &= facts.enums.is_empty() && says_no_more(facts);
        facts.exact &= facts.mask & mask_of(value) != 0 && (!nullable || facts.null_waived);
        Built::plain(Shape::Const { value: id }, nullable)
    }

    pub(crate) fn enumeration(&mut self, facts: &mut Facts<'a>, flats: &[Flat], nullable: bool) -> Built {
        let first = facts.enums[0];
        let mut choices = self.choices(facts, first);
        let n_stated = choices.len();
        for other in &facts.enums[1..] {
            let allowed = self.choices(facts, *other);
            let keys: Set<_> = allowed.iter().filter_map(|choice| self.choice_key(choice.value)).collect();
            let lists: Vec<ValueId> =
                allowed.iter().filter(|one| self.choice_key(one.value).is_none()).map(|one| one.value).collect();
            choices.retain(|choice| match self.choice_key(choice.value) {
                Some(key) => keys.contains(&key),
                // A list this long is not worth comparing; a looser enum refuses nothing that is right.
                None if lists.len() > MAX_COMPARED => {
                    facts.exact = false;
                    true
                }
                None => lists.iter().any(|&one| self.ir.values.equal(&self.ir.names, choice.value, one)),
            });
        }
        if choices.is_empty() && n_stated > 0 && facts.enums.len() > 1 {
            self.report(Code::TG0302, facts.enums[1].list, "two schemas that hold together list values that differ");
            self.relate(first.list, "the first of them");
            return self.intersection(flats);
        }
        let is_null = |this: &Self, choice: &EnumValue| this.ir.values.rows[choice.value] == JsonValue::Null;
        let n_with_null = choices.len();
        choices.retain(|choice| !is_null(self, choice));
        let lists_null = choices.len() < n_with_null;
        if choices.is_empty() {
            if lists_null || nullable {
                let null = self.ir.values.rows.push(JsonValue::Null);
                return Built::plain(Shape::Const { value: null }, false);
            }
            let message = if n_stated == 0 && first.list.n_children() == 0 {
                "the enum lists no value"
            } else {
                "no value of the enum is of the stated type"
            };
            self.report(Code::TG0307, first.list, message);
            return Built::plain(Shape::Never, false);
        }
        let null_is_meant = facts.null_waived || self.dialect_of(first.list.at().doc) == Dialect::V30;
        facts.exact &= says_no_more(facts) && (!nullable || lists_null || null_is_meant);
        let values = self.ir.types.enum_values.extend(choices);
        Built::plain(Shape::Enum { values }, nullable || lists_null)
    }

    /// The values of one list that are of a stated type, each once.
    fn choices(&mut self, facts: &Facts<'a>, fact: EnumFact<'a>) -> Vec<EnumValue> {
        let names: Vec<Value<'a>> = fact.names.into_iter().flat_map(Value::children).collect();
        let descriptions: Vec<Value<'a>> = fact.descriptions.into_iter().flat_map(Value::children).collect();
        let mut seen: Set<ChoiceKey> = Set::default();
        let mut out = Vec::with_capacity(fact.list.n_children());
        for (index, value) in fact.list.children().enumerate().filter(|(_, value)| values::is_held(*value)) {
            let Some(id) = self.choice(facts, value) else { continue };
            let row = self.ir.values.rows[id];
            if self.choice_key(id).is_some_and(|key| !seen.insert(key)) {
                let shown = value.as_str().or_else(|| value.as_number());
                let shown = shown.map_or_else(|| value.kind().phrase().to_owned(), base::diag::quoted);
                self.report(Code::TG0303, value, format!("the enum lists {shown} twice; it is one value"));
                continue;
            }
            let stated = names.get(index).and_then(|name| name.as_str()).filter(|name| !name.is_empty());
            let name = match (stated, row) {
                (Some(name), _) => self.name(name),
                (None, JsonValue::Number(text) | JsonValue::String(text)) => text,
                (None, JsonValue::Bool(yes)) => self.name(if yes { "true" } else { "false" }),
                (None, _) => self.name(&format!("value{}", index + 1)),
            };
            let doc = descriptions.get(index).and_then(|text| self.text_of(*text));
            out.push(EnumValue { value: id, name, doc });
        }
        out
    }

    /// The key of a scalar; nothing for a list or an object.
    fn choice_key(&self, value: ValueId) -> Option<ChoiceKey> {
        match self.ir.values.rows[value] {
            JsonValue::Null => Some(ChoiceKey::Null),
            JsonValue::Bool(yes) => Some(ChoiceKey::Bool(yes)),
            JsonValue::Number(text) => Some(ChoiceKey::Number(values::number_key(self.ir.names.resolve(text)))),
            JsonValue::String(text) => Some(ChoiceKey::Text(text)),
            JsonValue::Array(_) | JsonValue::Object(_) => None,
        }
    }

    /// One value of an enum. A scalar that only its spelling keeps from the stated type is read as that type; a value of
    /// another type is left out.
    fn choice(&mut self, facts: &Facts<'a>, value: Value<'a>) -> Option<ValueId> {
        let bits = mask_of(value);
        let null_in_30 = value.is_null() && self.dialect_of(value.at().doc) == Dialect::V30;
        if !facts.typed || facts.mask & bits != 0 || null_in_30 {
            return Some(self.value(value));
        }
        let read = match value.kind() {
            Kind::Number if facts.mask & mask::STRING != 0 => {
                values::scalar(&mut self.ir, value).and_then(|row| match row {
                    JsonValue::Number(text) => Some(JsonValue::String(text)),
                    _ => None,
                })
            }
            Kind::Bool if facts.mask & mask::STRING != 0 => {
                let text = if value.as_bool() == Some(true) { "true" } else { "false" };
                Some(JsonValue::String(self.name(text)))
            }
            Kind::String => self.unquoted(facts.mask, value),
            _ => None,
        };
        let Some(read) = read else {
            let message =
                format!("the enum lists {}, which is not of the stated type; it is left out", value.kind().phrase());
            self.report(Code::TG0303, value, message);
            return None;
        };
        let message = format!("the enum lists {}, which is read as the stated type", value.kind().phrase());
        self.report(Code::TG0110, value, message);
        if let JsonValue::Number(text) = read
            && let Some(message) = values::rounding(self.ir.names.resolve(text))
        {
            self.report(Code::TG0310, value, message);
        }
        Some(self.ir.values.rows.push(read))
    }

    /// A number or boolean that is written as a string.
    fn unquoted(&mut self, admitted: u8, value: Value<'a>) -> Option<JsonValue> {
        let text = value.as_str()?;
        let is_integer = text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
        match text {
            "true" | "false" if admitted & mask::BOOL != 0 => Some(JsonValue::Bool(text == "true")),
            _ if is_integer && admitted & mask::INTEGER != 0 => Some(JsonValue::Number(self.name(text))),
            _ => None,
        }
    }
}

/// Whether beside the values that are listed only a type is stated.
fn says_no_more(facts: &Facts<'_>) -> bool {
    facts.families == 0 && facts.unions.is_empty()
}

/// The JSON types of a value.
pub(crate) fn mask_of(value: Value<'_>) -> u8 {
    match value.kind() {
        Kind::Null => mask::NULL,
        Kind::Bool => mask::BOOL,
        Kind::Number => {
            let number = value.as_number().and_then(|text| text.parse::<f64>().ok());
            if number.is_some_and(|number| number.fract() == 0.0) { mask::INTEGER } else { mask::FRACTION }
        }
        Kind::String => mask::STRING,
        Kind::Array => mask::ARRAY,
        Kind::Object => mask::OBJECT,
    }
}
