//! Reads schema objects: each keyword once, contradictions noted.
//!
//! Reads documents; writes [`Facts`]. A keyword of the wrong kind is reported and counts as absent (TG0303), one that is
//! not modelled is reported by name, once a schema. 3.0 is brought to 3.1's meaning here.

use base::{Code, Sym};
use base_doc::{Kind, NodeRef, Value};
use tungsten_ir::pattern::Pattern;

use crate::facts::{EnumFact, Facts, UnionFact, mask};
use crate::keywords as kw;
use crate::lower::Lowering;
use crate::pieces::{Flat, Part, is_annotation};
use crate::refs::Reference;
use crate::values::{self, MAX_SAFE_INTEGER, NumberKey};
use crate::version::Dialect;

/// What one schema says about null and exclusive bounds, until all of its keywords are read.
struct One<'a> {
    mask: u8,
    typed: bool,
    nullable: bool,
    minimum: Option<Sym>,
    maximum: Option<Sym>,
    exclusive_minimum: Option<Sym>,
    exclusive_maximum: Option<Sym>,
    minimum_is_exclusive: bool,
    maximum_is_exclusive: bool,
    type_at: Option<NodeRef>,
    discriminator: bool,
    has_members: bool,
    n_bounds: u32,
    has_items: bool,
    /// The list form of `items`, and `additionalItems`: both of older drafts.
    is_list_form: bool,
    further_items: Option<Value<'a>>,
}

impl<'a> Lowering<'a> {
    /// Adds what one schema says.
    pub(crate) fn read_schema(&mut self, facts: &mut Facts<'a>, flat: Flat) {
        let value = self.docs.value(flat.at);
        match value.kind() {
            Kind::Object => {}
            Kind::Bool => {
                if value.as_bool() == Some(false) {
                    facts.never = facts.never.or(Some(flat.at));
                }
                return;
            }
            kind => {
                let message =
                    format!("a schema is an object or a boolean, this one is {}; it is ignored", kind.phrase());
                self.report(Code::TG0303, value, message);
                return;
            }
        }
        let dialect = self.dialect_of(flat.at.doc);
        let rest = matches!(flat.part, Part::Whole | Part::Own | Part::Rest);
        let union = matches!(flat.part, Part::Whole | Part::Own | Part::Union);
        let mut one = One {
            mask: mask::ALL,
            typed: false,
            nullable: false,
            minimum: None,
            maximum: None,
            exclusive_minimum: None,
            exclusive_maximum: None,
            minimum_is_exclusive: false,
            maximum_is_exclusive: false,
            type_at: None,
            discriminator: false,
            has_members: false,
            n_bounds: 0,
            has_items: false,
            is_list_form: false,
            further_items: None,
        };
        for member in value.children() {
            let Some(key) = member.key() else { continue };
            match key {
                kw::TITLE
                | kw::DESCRIPTION
                | kw::EXTERNAL_DOCS
                | kw::DEPRECATED
                | kw::DEFAULT
                | kw::READ_ONLY
                | kw::WRITE_ONLY => self.read_annotation(facts, flat, key, member),
                kw::SCHEMA_URI if rest => self.check_schema_uri(member),
                kw::X_AGENT_SENSITIVE => facts.sensitive |= self.boolean(member),
                // Beside a `$ref` of 3.0 it has no effect, which is reported where the reference is followed.
                kw::NULLABLE if dialect == Dialect::V30 && self.refs.get(flat.at) != Reference::No => {}
                kw::NULLABLE if flat.part != Part::Union => {
                    one.nullable = self.boolean(member);
                    if dialect == Dialect::V31 && one.nullable {
                        let message =
                            "`nullable` is OpenAPI 3.0's keyword; it is read as such in a document of version 3.1";
                        self.report(Code::TG0110, member, message);
                    }
                }
                kw::ONE_OF | kw::ANY_OF if union => self.read_union(facts, value, member),
                kw::DISCRIMINATOR if union => {
                    facts.discriminator = Some(member);
                    one.discriminator = true;
                }
                kw::ONE_OF | kw::ANY_OF | kw::DISCRIMINATOR => {}
                _ if !rest || is_annotation(key) => {}
                _ => self.read_keyword(facts, &mut one, flat, key, member),
            }
        }
        if flat.part != Part::Annotations {
            self.finish_one(facts, &one, flat, value);
        } else if one.nullable {
            facts.null_waived |= flat.own;
        }
        if one.discriminator && facts.unions.iter().all(|union| union.holder != flat.at) {
            self.check_base_discriminator(facts);
        }
        if one.discriminator && !flat.own && facts.unions.iter().all(|union| union.holder != flat.at) {
            facts.base_discriminators.extend(facts.discriminator.take());
        }
        self.report_unmodelled(facts);
    }

    /// Reports a dialect whose words nobody here knows.
    fn check_schema_uri(&mut self, member: Value<'a>) {
        let known = ["https://json-schema.org/", "http://json-schema.org/", "https://spec.openapis.org/oas/"];
        let Some(uri) = self.string(member) else { return };
        if !known.iter().any(|start| uri.starts_with(start)) {
            let uri = base::diag::quoted(uri);
            let message =
                format!("the dialect {uri} is not modelled; the schema is read as JSON Schema 2020-12 has it");
            self.report(Code::TG0303, member, message);
        }
    }

    /// Reports a discriminator without a union beside it that tells nothing to the types that extend the schema.
    fn check_base_discriminator(&mut self, facts: &Facts<'a>) {
        let Some(discriminator) = facts.discriminator else { return };
        let property = discriminator.get(kw::PROPERTY_NAME);
        if property.and_then(Value::as_str).is_none() {
            let at = property.unwrap_or(discriminator);
            self.report(Code::TG0306, at, "the discriminator has no `propertyName`; it is ignored");
        }
        let mapping = discriminator.get(kw::MAPPING);
        if let Some(mapping) = mapping.filter(|mapping| mapping.kind() != Kind::Object) {
            let message = format!("the mapping is {}, not an object; it is ignored", mapping.kind().phrase());
            self.report(Code::TG0306, mapping, message);
        }
    }

    fn read_annotation(&mut self, facts: &mut Facts<'a>, flat: Flat, key: Sym, member: Value<'a>) {
        match key {
            kw::READ_ONLY => facts.read_only |= self.boolean(member),
            kw::WRITE_ONLY => facts.write_only |= self.boolean(member),
            _ if !flat.own => {
                // A default is about values, and holds for whoever refers to them; the others are about the schema.
                if key == kw::DEFAULT && facts.default.is_none() {
                    facts.default = Some(member);
                }
            }
            kw::DEFAULT => facts.default = Some(member),
            kw::DEPRECATED => facts.deprecated |= self.boolean(member),
            kw::TITLE => facts.title = self.string(member).or(facts.title),
            kw::DESCRIPTION => facts.description = self.string(member).or(facts.description),
            _ if member.kind() != Kind::Object => self.malformed(member, "an object with a `url`"),
            _ => {
                facts.external = member.get(kw::URL).and_then(|url| self.string(url)).or(facts.external);
                let about = member.get(kw::DESCRIPTION).and_then(|text| self.string(text));
                facts.external_description = about.or(facts.external_description);
            }
        }
    }

    fn read_union(&mut self, facts: &mut Facts<'a>, holder: Value<'a>, member: Value<'a>) {
        if member.kind() != Kind::Array {
            self.malformed(member, "a list of schemas");
            return;
        }
        let same_schema = |union: &UnionFact<'_>| union.holder == holder.at();
        let beside = facts.unions.iter().position(same_schema);
        match (beside, member.key()) {
            // Of the two in one schema, `oneOf` makes the type.
            (Some(_), Some(kw::ANY_OF)) => keep_extra(facts, member),
            (Some(place), _) => {
                let any_of = std::mem::replace(&mut facts.unions[place].list, member);
                keep_extra(facts, any_of);
            }
            (None, _) => facts.unions.push(UnionFact { list: member, holder: holder.at() }),
        }
    }

    fn read_keyword(&mut self, facts: &mut Facts<'a>, one: &mut One<'a>, flat: Flat, key: Sym, member: Value<'a>) {
        let families = match key {
            kw::REF | kw::DYNAMIC_REF | kw::RECURSIVE_REF if matches!(self.refs.get(flat.at), Reference::No) => {
                self.malformed(member, "a reference that can be followed here");
                return;
            }
            kw::DYNAMIC_REF | kw::RECURSIVE_REF
                if flat.part != Part::Union && self.is_second_reference(flat.at, key) =>
            {
                unmodelled(facts, key, member.at());
                return;
            }
            kw::REF | kw::DYNAMIC_REF | kw::RECURSIVE_REF => return,
            kw::ALL_OF => {
                if member.kind() != Kind::Array || member.n_children() == 0 {
                    self.malformed(member, "a list of schemas that is not empty");
                }
                return;
            }
            kw::TYPE => {
                self.read_type(facts, one, member);
                return;
            }
            kw::ENUM => {
                match member.kind() {
                    Kind::Array => {
                        if !self.holds_some(member) {
                            return;
                        }
                        facts.enums.push(EnumFact { list: member, names: None, descriptions: None });
                    }
                    _ => self.malformed(member, "a list of values"),
                }
                0
            }
            kw::CONST => {
                if !self.holds(member, "the constant") {
                    return;
                }
                facts.consts.push(member);
                0
            }
            kw::X_ENUM_VARNAMES | kw::X_ENUM_NAMES | kw::X_ENUM_DESCRIPTIONS => return,
            kw::PROPERTIES => {
                one.has_members = true;
                self.read_properties(facts, member);
                mask::OBJECT
            }
            kw::REQUIRED => {
                if !self.read_required(facts, member) {
                    return;
                }
                mask::OBJECT
            }
            kw::ADDITIONAL_PROPERTIES => {
                one.has_members = true;
                match member.kind() {
                    Kind::Bool | Kind::Object => facts.additional.push(member),
                    _ => self.malformed(member, "a schema or a boolean"),
                }
                mask::OBJECT
            }
            kw::PATTERN_PROPERTIES => {
                one.has_members = true;
                if member.kind() == Kind::Object {
                    facts.patterns = Some(member);
                    facts.exact = false;
                    for pattern in member.children() {
                        self.check_pattern(pattern, pattern.key_text().unwrap_or_default());
                    }
                } else {
                    self.malformed(member, "an object of schemas");
                }
                mask::OBJECT
            }
            kw::MIN_PROPERTIES | kw::MAX_PROPERTIES => {
                one.n_bounds += 1;
                self.read_count(facts, key, member);
                mask::OBJECT
            }
            kw::ITEMS => {
                one.has_items = true;
                one.is_list_form = member.kind() == Kind::Array;
                self.read_items(facts, member);
                mask::ARRAY
            }
            kw::PREFIX_ITEMS => {
                one.has_items = true;
                match member.kind() {
                    Kind::Array => facts.prefix = Some(member),
                    _ => self.malformed(member, "a list of schemas"),
                }
                mask::ARRAY
            }
            kw::MIN_ITEMS | kw::MAX_ITEMS => {
                one.n_bounds += 1;
                self.read_count(facts, key, member);
                mask::ARRAY
            }
            kw::UNIQUE_ITEMS => {
                facts.bounds.unique_items |= self.boolean(member);
                mask::ARRAY
            }
            kw::MIN_LENGTH | kw::MAX_LENGTH => {
                one.n_bounds += 1;
                self.read_count(facts, key, member);
                mask::STRING
            }
            kw::PATTERN => {
                self.read_pattern(facts, member);
                mask::STRING
            }
            kw::FORMAT => {
                if self.string(member).is_some() {
                    read_format(facts, member);
                }
                0
            }
            kw::PROPERTY_NAMES | kw::UNEVALUATED_PROPERTIES => {
                self.read_extra_schema(facts, member);
                mask::OBJECT
            }
            kw::CONTAINS | kw::UNEVALUATED_ITEMS => {
                self.read_extra_schema(facts, member);
                mask::ARRAY
            }
            kw::NOT | kw::IF | kw::THEN | kw::ELSE => {
                self.read_extra_schema(facts, member);
                0
            }
            kw::MIN_CONTAINS | kw::MAX_CONTAINS => {
                one.n_bounds += 1;
                if self.count(member).is_some() {
                    keep_extra(facts, member);
                }
                mask::ARRAY
            }
            kw::DEPENDENT_REQUIRED | kw::DEPENDENT_SCHEMAS | kw::DEPENDENCIES => {
                self.read_dependencies(facts, key, member);
                mask::OBJECT
            }
            kw::ADDITIONAL_ITEMS => {
                match member.kind() {
                    Kind::Object | Kind::Bool => one.further_items = Some(member),
                    _ => self.malformed(member, "a schema"),
                }
                return;
            }
            kw::CONTENT_ENCODING => {
                facts.encoding = self.string(member);
                mask::STRING
            }
            kw::CONTENT_MEDIA_TYPE => {
                facts.media_type = self.string(member);
                mask::STRING
            }
            // Says what a text holds, and asserts nothing about it (JSON Schema 2020-12 validation, section 8.2.5).
            kw::CONTENT_SCHEMA => {
                if !matches!(member.kind(), Kind::Object | Kind::Bool) {
                    self.malformed(member, "a schema");
                }
                mask::STRING
            }
            kw::MINIMUM | kw::MAXIMUM | kw::EXCLUSIVE_MINIMUM | kw::EXCLUSIVE_MAXIMUM | kw::MULTIPLE_OF => {
                one.n_bounds += 1;
                self.read_limit(facts, one, key, member);
                mask::NUMBER
            }
            _ => {
                if !self.docs.keys.resolve(key).starts_with("x-") {
                    unmodelled(facts, key, member.at());
                    facts.constrains = true;
                }
                return;
            }
        };
        facts.families |= families;
        facts.constrains = true;
    }

    /// Whether a schema has another reference that counts before this one.
    fn is_second_reference(&self, at: NodeRef, key: Sym) -> bool {
        let value = self.docs.value(at);
        let before = [kw::REF, kw::DYNAMIC_REF].into_iter().take_while(|&other| other != key);
        before.into_iter().any(|other| value.get(other).is_some_and(|text| text.kind() == Kind::String))
    }

    fn read_extra_schema(&mut self, facts: &mut Facts<'a>, member: Value<'a>) {
        match member.kind() {
            Kind::Object | Kind::Bool => keep_extra(facts, member),
            _ => self.malformed(member, "a schema"),
        }
    }

    fn read_dependencies(&mut self, facts: &mut Facts<'a>, key: Sym, member: Value<'a>) {
        if member.kind() != Kind::Object {
            self.malformed(member, "an object of names");
            return;
        }
        if key == kw::DEPENDENCIES {
            let message = "`dependencies` is of older drafts; it is read as `dependentRequired` and `dependentSchemas`";
            self.report(Code::TG0110, member, message);
        }
        for entry in member.children() {
            match entry.kind() {
                Kind::Array if key != kw::DEPENDENT_SCHEMAS => {
                    for name in entry.children().filter(|name| name.as_str().is_none()) {
                        self.malformed(name, "the name of a property");
                    }
                }
                Kind::Object | Kind::Bool if key != kw::DEPENDENT_REQUIRED => {}
                _ => self.malformed(entry, "a list of names or a schema"),
            }
        }
        keep_extra(facts, member);
    }

    /// Reports a pattern that only some languages can match, or none.
    fn check_pattern(&mut self, at: Value<'a>, pattern: &str) {
        let message = match Pattern::read(pattern).map(|read| read.beyond_regular()) {
            Ok(None) => return,
            Ok(Some(what)) => {
                format!("the pattern has {what}, and is checked only where the language's expressions have them")
            }
            Err(what) => format!("the pattern has {what}; values are not checked against it"),
        };
        self.report(Code::TG0303, at, message);
    }

    fn finish_one(&mut self, facts: &mut Facts<'a>, one: &One<'a>, flat: Flat, value: Value<'a>) {
        if one.nullable && !one.typed && flat.own {
            facts.null_waived = true;
        }
        if one.n_bounds > 1 {
            self.check_bounds(value);
        }
        facts.n_with_members += u32::from(one.has_members);
        facts.n_with_items += u32::from(one.has_items);
        if let Some(further) = one.further_items {
            let message = if one.is_list_form {
                facts.items.push(further);
                "`additionalItems` is of older drafts; it is read as the `items` behind `prefixItems`"
            } else {
                "`additionalItems` has no effect without a list under `items`"
            };
            self.report(Code::TG0110, further, message);
        }
        let mut admitted = one.mask;
        if one.nullable || flat.null_waived {
            admitted |= mask::NULL;
        }
        if one.typed {
            let before = facts.mask;
            facts.mask &= admitted;
            let (was, is) = (before & !mask::NULL, facts.mask & !mask::NULL);
            if facts.typed && was != 0 && is == 0 && one.mask & !mask::NULL != 0 {
                let first = facts.typed_at.unwrap_or(flat.at);
                facts.conflict(first, one.type_at.unwrap_or(flat.at), "types that no value has together");
            }
            facts.typed = true;
            facts.typed_at = facts.typed_at.or(one.type_at);
        }
        let names = &self.ir.names;
        let number = |sym: Option<Sym>| sym.and_then(|sym| names.resolve(sym).parse::<f64>().ok());
        let higher =
            |old: Option<Sym>, new: Option<Sym>| if number(new) > number(old) || old.is_none() { new } else { old };
        let lower = |old: Option<Sym>, new: Option<Sym>| match (number(old), number(new)) {
            (Some(a), Some(b)) if b >= a => old,
            (_, Some(_)) => new,
            _ => old,
        };
        let (minimum, exclusive_minimum) =
            if one.minimum_is_exclusive { (None, one.minimum) } else { (one.minimum, None) };
        let (maximum, exclusive_maximum) =
            if one.maximum_is_exclusive { (None, one.maximum) } else { (one.maximum, None) };
        let bounds = &mut facts.bounds;
        bounds.minimum = higher(bounds.minimum, minimum);
        bounds.maximum = lower(bounds.maximum, maximum);
        for stated in [exclusive_minimum, one.exclusive_minimum] {
            bounds.exclusive_minimum = higher(bounds.exclusive_minimum, stated);
        }
        for stated in [exclusive_maximum, one.exclusive_maximum] {
            bounds.exclusive_maximum = lower(bounds.exclusive_maximum, stated);
        }
        // Names beside an enum may stand before it or behind it.
        if let Some(last) = facts.enums.last_mut()
            && last.names.is_none()
            && value.n_children() > 1
        {
            let names = value.get(kw::X_ENUM_VARNAMES).or_else(|| value.get(kw::X_ENUM_NAMES));
            let descriptions = value.get(kw::X_ENUM_DESCRIPTIONS);
            (last.names, last.descriptions) = (names, descriptions);
            for list in names.into_iter().chain(descriptions) {
                self.check_texts(list);
            }
        }
    }

    /// Reports texts beside an enum that are no list of texts.
    fn check_texts(&mut self, list: Value<'a>) {
        if !matches!(list.kind(), Kind::Array | Kind::Object) {
            self.malformed(list, "a list of texts");
        }
        for text in list.children().filter(|text| text.as_str().is_none()) {
            self.malformed(text, "a text");
        }
    }

    fn read_type(&mut self, facts: &mut Facts<'a>, one: &mut One<'a>, member: Value<'a>) {
        let dialect = self.dialect_of(member.at().doc);
        let is_list = member.kind() == Kind::Array;
        let names = is_list.then(|| member.children());
        let mut admitted = 0;
        for name in names.into_iter().flatten().chain((!is_list).then_some(member)) {
            let Some(bits) = self.read_type_name(name) else { continue };
            admitted |= bits;
            if bits != mask::NULL && !facts.types_in_order.contains(&bits) {
                facts.types_in_order.push(bits);
            }
        }
        if is_list && member.n_children() == 0 {
            self.report(Code::TG0309, member, "`type` is an empty list; the schema is read as if it stated no type");
        }
        if admitted == 0 {
            return;
        }
        if dialect == Dialect::V30 && (is_list || admitted == mask::NULL) {
            self.report(Code::TG0110, member, "`type` is written as OpenAPI 3.1 has it, in a document of version 3.0");
        }
        one.mask = admitted;
        one.typed = true;
        one.type_at = Some(member.at());
        facts.constrains = true;
    }

    /// The JSON types that a `type` or an item of its list names; what names none is reported (TG0309).
    fn read_type_name(&mut self, name: Value<'a>) -> Option<u8> {
        let bits = name.as_str().and_then(type_mask);
        if bits.is_some() {
            return bits;
        }
        if name.is_null() {
            // YAML's null where its text was meant. In 3.0, which has neither, the caller says so.
            if self.dialect_of(name.at().doc) == Dialect::V31 {
                let message = "`type` is the value null; it is read as the text \"null\", which names the type";
                self.report(Code::TG0110, name, message);
            }
            return Some(mask::NULL);
        }
        let found = match name.as_str() {
            Some(text) => base::diag::quoted(text),
            None => name.kind().phrase().to_owned(),
        };
        let message = if name.key().is_none() {
            format!("`type` lists {found}, which names no JSON type; it is left out of the list")
        } else {
            format!("`type` is {found}, which names no JSON type; the schema is read as if it stated no type")
        };
        self.report(Code::TG0309, name, message).help = name.as_str().and_then(type_help);
        None
    }

    fn read_properties(&mut self, facts: &mut Facts<'a>, member: Value<'a>) {
        if member.kind() != Kind::Object {
            self.malformed(member, "an object of schemas");
            return;
        }
        facts.fields.reserve(member.n_children());
        for property in member.children() {
            if let Some(name) = property.key() {
                facts.add_field(name, property.at());
            }
        }
    }

    /// Whether the list could be read.
    fn read_required(&mut self, facts: &mut Facts<'a>, member: Value<'a>) -> bool {
        if member.kind() != Kind::Array {
            self.malformed(member, "a list of property names");
            return false;
        }
        for name in member.children() {
            match name.as_str() {
                Some(text) => facts.required.push((self.ir.names.intern(text), name.at())),
                None => self.malformed(name, "the name of a property"),
            }
        }
        true
    }

    fn read_items(&mut self, facts: &mut Facts<'a>, member: Value<'a>) {
        match member.kind() {
            Kind::Object | Kind::Bool => facts.items.push(member),
            // The tuple form of older drafts.
            Kind::Array => {
                facts.prefix = Some(member);
                self.report(
                    Code::TG0110,
                    member,
                    "a list under `items` is of older drafts; it is read as `prefixItems`",
                );
            }
            _ => self.malformed(member, "a schema"),
        }
    }

    /// A number of characters, items or members.
    pub(crate) fn count(&mut self, member: Value<'a>) -> Option<u64> {
        let count = match member.as_number().map(values::number_key) {
            Some(NumberKey::Integer(count)) if count >= 0 => u64::try_from(count).unwrap_or(u64::MAX),
            Some(NumberKey::Double(bits)) if f64::from_bits(bits) > MAX_SAFE_INTEGER as f64 => u64::MAX,
            _ => {
                self.malformed(member, "a whole number that is not negative");
                return None;
            }
        };
        if count > MAX_SAFE_INTEGER {
            let number = base::diag::quoted(member.as_number().unwrap_or_default());
            let message = format!("{number} is above 2^53 - 1, and nothing is counted that far; the bound is left out");
            self.report(Code::TG0310, member, message);
            return None;
        }
        Some(count)
    }

    fn read_count(&mut self, facts: &mut Facts<'a>, key: Sym, member: Value<'a>) {
        let Some(count) = self.count(member) else { return };
        let bounds = &mut facts.bounds;
        let (slot, is_minimum) = match key {
            kw::MIN_LENGTH => (&mut bounds.min_length, true),
            kw::MAX_LENGTH => (&mut bounds.max_length, false),
            kw::MIN_ITEMS => (&mut bounds.min_items, true),
            kw::MAX_ITEMS => (&mut bounds.max_items, false),
            kw::MIN_PROPERTIES => (&mut bounds.min_properties, true),
            _ => (&mut bounds.max_properties, false),
        };
        *slot = Some(match *slot {
            Some(old) if is_minimum => old.max(count),
            Some(old) => old.min(count),
            None => count,
        });
    }

    fn read_pattern(&mut self, facts: &mut Facts<'a>, member: Value<'a>) {
        let Some(text) = self.string(member) else { return };
        self.check_pattern(member, text);
        match facts.bounds.pattern {
            Some(old) if self.ir.text(old).untrusted() != text => facts.exact = false,
            Some(_) => {}
            None => facts.bounds.pattern = Some(self.text(text)),
        }
    }

    fn read_limit(&mut self, facts: &mut Facts<'a>, one: &mut One<'a>, key: Sym, member: Value<'a>) {
        let is_exclusive = matches!(key, kw::EXCLUSIVE_MINIMUM | kw::EXCLUSIVE_MAXIMUM);
        if is_exclusive && member.kind() == Kind::Bool {
            let yes = member.as_bool() == Some(true);
            if key == kw::EXCLUSIVE_MINIMUM {
                one.minimum_is_exclusive = yes;
            } else {
                one.maximum_is_exclusive = yes;
            }
            if self.dialect_of(member.at().doc) == Dialect::V31 {
                let message = "a boolean here is OpenAPI 3.0's form; it is read as such";
                self.report(Code::TG0110, member, message);
            }
            return;
        }
        let Some(text) = member.as_number() else {
            self.malformed(member, "a number");
            return;
        };
        if is_exclusive && self.dialect_of(member.at().doc) == Dialect::V30 {
            self.report(Code::TG0110, member, "a number here is OpenAPI 3.1's form; it is read as such");
        }
        if !self.holds(member, "the bound") {
            return;
        }
        // A multiple of nothing or of less is no rule (JSON Schema 2020-12, validation, section 6.2.1).
        if key == kw::MULTIPLE_OF && text.parse::<f64>().is_ok_and(|number| number <= 0.0) {
            self.malformed(member, "a number above 0");
            return;
        }
        let number = Some(self.ir.names.intern(text));
        match key {
            kw::MINIMUM => one.minimum = number,
            kw::MAXIMUM => one.maximum = number,
            kw::EXCLUSIVE_MINIMUM => one.exclusive_minimum = number,
            kw::EXCLUSIVE_MAXIMUM => one.exclusive_maximum = number,
            _ => match facts.bounds.multiple_of {
                Some(old) if Some(old) != number => facts.exact = false,
                _ => facts.bounds.multiple_of = number,
            },
        }
    }

    /// Reports the keywords of one schema together, at the first of them.
    fn report_unmodelled(&mut self, facts: &mut Facts<'a>) {
        let keywords = std::mem::take(&mut facts.unmodelled);
        let Some(&(_, at)) = keywords.first() else { return };
        let names: Vec<String> =
            keywords.iter().map(|&(key, _)| base::diag::quoted(self.docs.keys.resolve(key))).collect();
        let (verb, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
        let message = format!("{} {verb} not modelled; values are not checked against {them}", names.join(", "));
        self.findings.report_key(Code::TG0303, at, message);
    }

    /// A boolean keyword; anything else is reported and reads as false.
    pub(crate) fn boolean(&mut self, value: Value<'a>) -> bool {
        if value.as_bool().is_none() {
            self.malformed(value, "a boolean");
        }
        value.as_bool() == Some(true)
    }

    pub(crate) fn string(&mut self, value: Value<'a>) -> Option<&'a str> {
        if value.as_str().is_none() {
            self.malformed(value, "a text");
        }
        value.as_str()
    }

    /// Reports a keyword of the wrong kind, which then counts as absent.
    pub(crate) fn malformed(&mut self, value: Value<'a>, expected: &str) {
        let what = match value.key_text() {
            Some(key) => base::diag::quoted(key),
            None => "an item".to_owned(),
        };
        let found = match value.as_str().or_else(|| value.as_number()) {
            Some(text) => base::diag::quoted(text),
            None => value.kind().phrase().to_owned(),
        };
        self.report(Code::TG0303, value, format!("{what} is malformed and ignored: it is {found}, not {expected}"));
    }
}

fn read_format<'a>(facts: &mut Facts<'a>, member: Value<'a>) {
    match facts.format {
        Some(old) if old.as_str() != member.as_str() => {
            facts.conflict(old.at(), member.at(), "formats that no value has together");
        }
        Some(_) => {}
        None => facts.format = Some(member),
    }
}

/// Keeps a keyword that no shape has room for.
fn keep_extra<'a>(facts: &mut Facts<'a>, keyword: Value<'a>) {
    facts.extra.push(keyword);
    facts.exact = false;
}

/// Notes a keyword that is not modelled; all of a schema are reported together.
fn unmodelled(facts: &mut Facts<'_>, key: Sym, at: NodeRef) {
    if facts.unmodelled.iter().all(|(other, _)| *other != key) {
        facts.unmodelled.push((key, at));
    }
}

/// The names of the JSON types (JSON Schema 2020-12, section 4.2.1, and `integer`).
const TYPE_NAMES: [(&str, u8); 7] = [
    ("string", mask::STRING),
    ("object", mask::OBJECT),
    ("array", mask::ARRAY),
    ("integer", mask::INTEGER),
    ("number", mask::NUMBER),
    ("boolean", mask::BOOL),
    ("null", mask::NULL),
];

pub(crate) fn type_mask(name: &str) -> Option<u8> {
    TYPE_NAMES.iter().find(|(known, _)| *known == name).map(|(_, bits)| *bits)
}

/// Words that other languages and formats have for types, and what is written here instead.
const FOREIGN_TYPES: &[(&str, &str)] = &[
    ("file", "`type: string, format: binary`"),
    ("binary", "`type: string, format: binary`"),
    ("bytes", "`type: string, format: binary`"),
    ("byte", "`type: string, format: byte`"),
    ("date", "`type: string, format: date`"),
    ("datetime", "`type: string, format: date-time`"),
    ("date-time", "`type: string, format: date-time`"),
    ("timestamp", "`type: string, format: date-time`"),
    ("uuid", "`type: string, format: uuid`"),
    ("uri", "`type: string, format: uri`"),
    ("url", "`type: string, format: uri`"),
    ("email", "`type: string, format: email`"),
    ("text", "`type: string`"),
    ("enum", "`enum` with the list of values"),
    ("bool", "`type: boolean`"),
    ("int", "`type: integer`"),
    ("int32", "`type: integer, format: int32`"),
    ("int64", "`type: integer, format: int64`"),
    ("long", "`type: integer, format: int64`"),
    ("float", "`type: number, format: float`"),
    ("double", "`type: number, format: double`"),
    ("decimal", "`type: number`"),
    ("list", "`type: array`"),
    ("dict", "`type: object`"),
    ("map", "`type: object`"),
    ("any", "no `type` where any value is right"),
];

/// What somebody meant by a word that names no type.
fn type_help(word: &str) -> Option<String> {
    let lower = word.trim().to_ascii_lowercase();
    let foreign = FOREIGN_TYPES.iter().find(|(name, _)| *name == lower);
    foreign.map(|(_, instead)| format!("use {instead}")).or_else(|| {
        let known = TYPE_NAMES.iter().map(|(name, _)| *name);
        base::suggest::nearest(word.trim(), known).map(|near| format!("did you mean `{near}`?"))
    })
}
