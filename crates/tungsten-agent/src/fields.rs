//! What the description tells about values: which fields they have, and which kinds of JSON they may be.
//!
//! Reads types and operations; writes nothing. Where the description leaves open what a value is, everything is
//! allowed.

use tungsten_ir::{
    Additional, ContentId, Encoding, Ir, JsonValue, Op, OpId, Pagination, ResponseKind, Role, Shape, TypeId, ValueId,
};

/// What is known of a value.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// It may be anything.
    Anything,
    /// There is none.
    Nothing,
    /// It has one of these types.
    Types(Vec<TypeId>),
    /// An object with these members.
    Object(Vec<(String, Known)>),
    /// A value of these kinds, of which no more is known.
    Of(Kinds),
}

/// A set of kinds of JSON values. Null counts as any kind: whether a value may be null is told at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const BOOL: Self = Self(1);
    pub(crate) const NUMBER: Self = Self(2);
    pub(crate) const TEXT: Self = Self(4);
    pub(crate) const LIST: Self = Self(8);
    pub(crate) const OBJECT: Self = Self(16);
    pub(crate) const ALL: Self = Self(31);

    const NAMES: [(Self, &'static str); 5] = [
        (Self::BOOL, "a boolean"),
        (Self::NUMBER, "a number"),
        (Self::TEXT, "text"),
        (Self::LIST, "a list"),
        (Self::OBJECT, "an object"),
    ];

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// For messages: `text or a number`.
    pub(crate) fn phrase(self) -> String {
        let names: Vec<&str> =
            Self::NAMES.iter().filter(|(kind, _)| self.meets(*kind)).map(|(_, name)| *name).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(" or ") }
    }

    /// The kind of a value.
    pub(crate) fn of_value(ir: &Ir, value: ValueId) -> Self {
        match ir.values.rows[value] {
            JsonValue::Null => Self::ALL,
            JsonValue::Bool(_) => Self::BOOL,
            JsonValue::Number(_) => Self::NUMBER,
            JsonValue::String(_) => Self::TEXT,
            JsonValue::Array(_) => Self::LIST,
            JsonValue::Object(_) => Self::OBJECT,
        }
    }
}

impl Known {
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The only type of the value, when there is one.
    pub(crate) fn only_type(&self) -> Option<TypeId> {
        match self {
            Self::Types(types) if types.len() == 1 => types.first().copied(),
            _ => None,
        }
    }

    /// What is known of the member `name`. An index leads into a list, and so does any name where `through_lists`.
    fn member(&self, ir: &Ir, name: &str, through_lists: bool) -> Self {
        match self {
            Self::Anything => Self::Anything,
            Self::Nothing => Self::Nothing,
            Self::Of(kinds) if kinds.meets(Kinds::OBJECT) || kinds.meets(Kinds::LIST) => Self::Anything,
            Self::Of(_) => Self::Nothing,
            Self::Object(members) => {
                members.iter().find(|(member, _)| member == name).map_or(Self::Nothing, |(_, known)| known.clone())
            }
            Self::Types(types) => member_of(ir, types, name, through_lists),
        }
    }

    /// The names that the value's members may have, for suggestions.
    fn member_names<'a>(&'a self, ir: &'a Ir) -> Vec<&'a str> {
        match self {
            Self::Object(members) => members.iter().map(|(name, _)| name.as_str()).collect(),
            Self::Types(types) => {
                let mut names = Vec::new();
                for ty in ir.types.alternatives(types) {
                    if let Shape::Record { fields, .. } = ir.types.rows[ty].shape {
                        names.extend(ir.types.fields.slice(fields).iter().map(|field| ir.names.resolve(field.name)));
                    }
                }
                names
            }
            Self::Anything | Self::Nothing | Self::Of(_) => Vec::new(),
        }
    }

    pub(crate) fn kinds(&self, ir: &Ir) -> Kinds {
        match self {
            Self::Anything => Kinds::ALL,
            Self::Nothing => Kinds::NONE,
            Self::Of(kinds) => *kinds,
            Self::Object(_) => Kinds::OBJECT,
            Self::Types(types) => {
                ir.types.alternatives(types).iter().fold(Kinds::NONE, |kinds, ty| kinds.or(kinds_of(ir, *ty)))
            }
        }
    }

    /// The values that the value may have, when the description lists them all.
    pub(crate) fn choices(&self, ir: &Ir) -> Option<Vec<ValueId>> {
        let Self::Types(types) = self else { return None };
        let mut choices = Vec::new();
        for ty in ir.types.alternatives(types) {
            match ir.types.rows[ty].shape {
                Shape::Enum { values } => {
                    choices.extend(ir.types.enum_values.slice(values).iter().map(|choice| choice.value));
                }
                Shape::Const { value } => choices.push(value),
                _ => return None,
            }
        }
        (!choices.is_empty()).then_some(choices)
    }
}

fn member_of(ir: &Ir, types: &[TypeId], name: &str, through_lists: bool) -> Known {
    let sym = ir.names.find(name);
    let is_index = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let mut found = Vec::new();
    let mut pending = ir.types.alternatives(types);
    let mut seen = pending.clone();
    while let Some(ty) = pending.pop() {
        let items = match ir.types.rows[ty].shape {
            Shape::Any | Shape::Unknown => return Known::Anything,
            Shape::Map { values } => {
                found.push(values);
                continue;
            }
            Shape::Record { fields, additional } => {
                let fields = ir.types.fields.slice(fields);
                match (fields.iter().find(|field| Some(field.name) == sym), additional) {
                    (Some(field), _) => found.push(field.ty),
                    (None, Additional::Typed(ty)) => found.push(ty),
                    // An object of which nothing is said may have any member.
                    (None, Additional::Open) if fields.is_empty() => return Known::Anything,
                    (None, Additional::Open | Additional::Closed) => {}
                }
                continue;
            }
            Shape::Array { items } => vec![items],
            Shape::Tuple { prefix, rest } => ir.types.members.slice(prefix).iter().copied().chain(rest).collect(),
            _ => continue,
        };
        if is_index {
            found.extend(items);
        } else if through_lists {
            for item in ir.types.alternatives(&items) {
                if !seen.contains(&item) {
                    seen.push(item);
                    pending.push(item);
                }
            }
        }
    }
    found.sort_unstable_by_key(|ty| base::Id::index(*ty));
    found.dedup();
    if found.is_empty() { Known::Nothing } else { Known::Types(found) }
}

fn kinds_of(ir: &Ir, ty: TypeId) -> Kinds {
    match ir.types.rows[ty].shape {
        Shape::Bool => Kinds::BOOL,
        Shape::Integer { .. } | Shape::Number { .. } => Kinds::NUMBER,
        Shape::String { .. } | Shape::Bytes => Kinds::TEXT,
        Shape::Array { .. } | Shape::Tuple { .. } => Kinds::LIST,
        Shape::Map { .. } | Shape::Record { .. } => Kinds::OBJECT,
        Shape::Enum { values } => {
            let values = ir.types.enum_values.slice(values).iter();
            values.fold(Kinds::NONE, |kinds, choice| kinds.or(Kinds::of_value(ir, choice.value)))
        }
        Shape::Const { value } => Kinds::of_value(ir, value),
        Shape::Never => Kinds::NONE,
        _ => Kinds::ALL,
    }
}

/// Where a dotted path leads.
pub(crate) struct Found {
    /// Wire names; some may hold dots.
    pub(crate) steps: Vec<String>,
    pub(crate) known: Known,
    /// The first name that leads nowhere, and the nearest one that would lead somewhere.
    pub(crate) missing: Option<(String, Option<String>)>,
}

/// Follows a path. A name that holds dots is found when no shorter one is.
pub(crate) fn follow(ir: &Ir, start: &Known, path: &str, through_lists: bool) -> Found {
    follow_names(ir, start, &path.split('.').collect::<Vec<_>>(), through_lists)
}

pub(crate) fn follow_names(ir: &Ir, start: &Known, names: &[&str], through_lists: bool) -> Found {
    let mut found = Found { steps: Vec::new(), known: start.clone(), missing: None };
    let mut at = 0;
    while at < names.len() {
        let next = (at + 1..=names.len()).find_map(|end| {
            let name = names[at..end].join(".");
            let known = found.known.member(ir, &name, through_lists);
            (!known.is_nothing()).then_some((name, known, end))
        });
        let Some((name, known, end)) = next else {
            let near = base::suggest::nearest(names[at], found.known.member_names(ir)).map(str::to_owned);
            found.missing = Some((names[at].to_owned(), near));
            found.steps.extend(names[at..].iter().map(|name| (*name).to_owned()));
            found.known = Known::Nothing;
            return found;
        };
        found.steps.push(name);
        found.known = known;
        at = end;
    }
    found
}

/// An argument of an operation, by its wire name.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) known: Known,
    pub(crate) required: bool,
}

/// The name of the argument that is the whole body.
const BODY: &str = "body";

/// The arguments of an operation: its parameters, and its body as a whole or field by field.
pub(crate) fn arguments(ir: &Ir, op: OpId) -> Vec<Argument> {
    let op = &ir.ops.rows[op];
    let params = ir.ops.params.slice(op.params).iter();
    let mut arguments: Vec<Argument> = params
        .filter(|param| matches!(param.role, Role::Plain | Role::DryRun))
        .map(|param| Argument {
            name: ir.names.resolve(param.name).to_owned(),
            known: Known::Types(vec![param.ty]),
            required: param.required,
        })
        .collect();
    let Some(body) = op.body.map(|body| &ir.ops.bodies[body]) else { return arguments };
    let Some(content) = chosen_content(ir, op) else { return arguments };
    let content = &ir.ops.contents[content];
    let whole = if content.schema_stated { Known::Types(vec![content.ty]) } else { Known::Anything };
    let records = ir.types.alternatives(&[content.ty]);
    let mut has_fields = false;
    for record in &records {
        let Shape::Record { fields, .. } = ir.types.rows[*record].shape else { continue };
        for field in ir.types.fields.slice(fields).iter().filter(|field| !field.read_only) {
            has_fields = true;
            let name = ir.names.resolve(field.name);
            if !arguments.iter().any(|argument| argument.name == name) {
                let known = Known::Types(vec![field.ty]);
                // Of several records each has its own required fields.
                let required = field.required && body.required && records.len() == 1;
                arguments.push(Argument { name: name.to_owned(), known, required });
            }
        }
    }
    if !arguments.iter().any(|argument| argument.name == BODY) {
        let required = body.required && !has_fields;
        arguments.push(Argument { name: BODY.to_owned(), known: whole, required });
    }
    arguments
}

/// The names of required arguments that are not given. The whole body gives all its fields.
pub(crate) fn missing_arguments<'a>(
    ir: &Ir,
    op: OpId,
    arguments: &'a [Argument],
    is_given: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let n_params = ir.ops.params.slice(ir.ops.rows[op].params).iter();
    let n_params = n_params.filter(|param| matches!(param.role, Role::Plain | Role::DryRun)).count();
    let is_missing = |(index, argument): &(usize, &Argument)| {
        argument.required && !is_given(&argument.name) && (*index < n_params || !is_given(BODY))
    };
    arguments.iter().enumerate().filter(is_missing).map(|(_, argument)| argument.name.as_str()).collect()
}

/// The object of an operation's arguments.
pub(crate) fn argument_object(arguments: &[Argument]) -> Known {
    Known::Object(arguments.iter().map(|argument| (argument.name.clone(), argument.known.clone())).collect())
}

/// The first JSON content of a body, else the first.
fn chosen_content(ir: &Ir, op: &Op) -> Option<ContentId> {
    let contents = ir.ops.bodies[op.body?].contents;
    let is_json = |content: &ContentId| ir.ops.contents[*content].encoding == Encoding::Json;
    contents.iter().find(is_json).or_else(|| contents.iter().next())
}

/// The body of an operation, as a value.
pub(crate) fn body(ir: &Ir, op: OpId) -> Known {
    match chosen_content(ir, &ir.ops.rows[op]) {
        Some(content) if ir.ops.contents[content].schema_stated => Known::Types(vec![ir.ops.contents[content].ty]),
        Some(_) => Known::Anything,
        None => Known::Nothing,
    }
}

/// The value that an operation answers with.
pub(crate) fn answer(ir: &Ir, op: OpId) -> Known {
    let responses = ir.ops.responses.slice(ir.ops.rows[op].responses);
    let mut types = Vec::new();
    let mut is_described = false;
    for response in responses.iter().filter(|response| response.kind == ResponseKind::Success) {
        is_described = true;
        for content in ir.ops.contents.slice(response.contents) {
            if !content.schema_stated {
                return Known::Anything;
            }
            types.push(content.ty);
        }
    }
    match (is_described, types.is_empty()) {
        (false, _) => Known::Anything,
        (true, true) => Known::Nothing,
        (true, false) => Known::Types(types),
    }
}

/// The list of all items of an operation's pages.
pub(crate) fn page_items(ir: &Ir, op: OpId, pages: &Pagination) -> Known {
    match pages.items {
        None => answer(ir, op),
        Some(items) => follow(ir, &answer(ir, op), ir.names.resolve(items), false).known,
    }
}
