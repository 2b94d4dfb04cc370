//! Reads values into typed keys and reports all that is wrong, each with its place and what to write instead.
//!
//! Reads [`Value`]s; writes typed values and diagnostics (TG0602, and TG0615 for a key that nothing acts on yet). Which
//! keys there are is left to the tables. A part that cannot be read is left out after it was reported, so that the rest
//! is still checked; nesting is bounded by the depth limit of documents.

use std::cell::Cell;
use std::ops::Deref;

use base::limits::POINTER_BYTES;
use base::{Code, Diagnostic, Diags, Place};
use base_doc::{Kind, Value, escape_token};

use crate::forms::{Form, MachineName, Rule};
use crate::keys::{Key, Object, Presence, Shape};

/// What a reader carries along: where it is, what it found.
pub(crate) struct Cx<'d> {
    diags: &'d mut Diags,
    /// The code of a wrong shape.
    wrong_shape: Code,
    /// RFC 6901 pointer of the value that is being read.
    pointer: String,
    /// The same place as people write it: `inputs[0].namespace`.
    path: String,
    /// Bytes of all pointers that were made.
    pointer_bytes: Cell<usize>,
    /// Namespaces of the inputs, once these were read.
    pub namespaces: Vec<MachineName>,
}

/// The members of an object, sorted by what the table knows of them.
pub(crate) struct Members<'a> {
    /// One place for each row of the table.
    pub known: Vec<Option<Value<'a>>>,
    /// The others, in document order; empty unless the table is open.
    pub other: Vec<Value<'a>>,
}

impl<'d> Cx<'d> {
    pub fn new(diags: &'d mut Diags) -> Self {
        Self::at(diags, Code::TG0602, String::new())
    }

    /// For a value that stands in another document, at `pointer`, and has a code of its own for what is wrong with it.
    pub fn at(diags: &'d mut Diags, wrong_shape: Code, pointer: String) -> Self {
        let (path, namespaces) = (String::new(), Vec::new());
        Self { diags, wrong_shape, pointer, path, pointer_bytes: Cell::new(0), namespaces }
    }

    /// Reads the member of the current object that stands under `key`.
    pub fn inside<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let step = if self.path.is_empty() { key.to_owned() } else { format!(".{key}") };
        self.step(&escape_token(key), &step, read)
    }

    /// Reads the item of the current list that stands at `index`.
    pub fn inside_item<T>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        self.step(&index.to_string(), &format!("[{index}]"), read)
    }

    fn step<T>(&mut self, token: &str, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let (pointer_len, path_len) = (self.pointer.len(), self.path.len());
        self.pointer.push('/');
        self.pointer.push_str(token);
        self.path.push_str(step);
        let result = read(self);
        self.pointer.truncate(pointer_len);
        self.path.truncate(path_len);
        result
    }

    /// The place of the value that is being read.
    pub fn place(&self, value: Value<'_>) -> Place {
        let (start, end) = value.range();
        // A block's range starts at its first `:`; people look for its first key.
        let first_key = value.children().next().filter(|_| value.kind() == Kind::Object).map(Value::key_range);
        let range = first_key.filter(|key| key.0 < start).unwrap_or((start, end));
        Place::at(value.source_id(), self.counted(self.pointer.clone()), range)
    }

    /// The place of a member's key, while its object is being read.
    pub fn key_place(&self, member: Value<'_>) -> Place {
        let key = escape_token(member.key_text().unwrap_or_default());
        let pointer = format!("{}/{key}", self.pointer);
        Place::at(member.source_id(), self.counted(pointer), member.key_range())
    }

    /// Where to point for an object as a whole: at its key, if it has one.
    fn object_place(&self, value: Value<'_>) -> Place {
        let place = self.place(value);
        if value.key().is_some() { Place { range: Some(value.key_range()), ..place } } else { place }
    }

    /// A pointer, or none when the pointers of the manifest would take too much memory.
    fn counted(&self, pointer: String) -> String {
        self.pointer_bytes.set(self.pointer_bytes.get().saturating_add(pointer.len()));
        if self.pointer_bytes.get() > POINTER_BYTES { String::new() } else { pointer }
    }

    /// Reports long keys around so many values that their pointers were left out.
    pub fn check_budget(&mut self, root: Value<'_>) {
        if self.pointer_bytes.get() > POINTER_BYTES {
            let message =
                format!("the paths to the values of the manifest have more than {POINTER_BYTES} bytes in all");
            let place = self.place(root);
            self.report(Code::TG0105, place, message);
        }
    }

    /// What is being read, for the start of a message.
    pub fn subject(&self) -> String {
        if self.path.is_empty() { "the manifest".to_owned() } else { base::diag::quoted(&self.path) }
    }

    /// Reports a manifest of the wrong shape.
    pub fn wrong(&mut self, place: Place, message: impl Into<String>) -> &mut Diagnostic {
        self.diags.report(self.wrong_shape, place, message)
    }

    pub fn report(&mut self, code: Code, place: Place, message: impl Into<String>) -> &mut Diagnostic {
        self.diags.report(code, place, message)
    }

    /// Reports a value of the wrong kind.
    pub fn wrong_kind(&mut self, value: Value<'_>, expected: &str, help: Option<&str>) {
        let message = format!("{} must be {expected}, but is {}", self.subject(), describe(value));
        let place = self.place(value);
        let help = help.or(value.is_null().then_some("give the key a value, or remove it"));
        self.wrong(place, message).help = help.map(str::to_owned);
    }

    /// A string of one form.
    pub fn text<'a>(&mut self, value: Value<'a>, form: &Form) -> Option<&'a str> {
        let Some(text) = value.as_str() else {
            let help = matches!(value.kind(), Kind::Bool | Kind::Number).then_some("put it in quotes");
            self.wrong_kind(value, form.phrase, help);
            return None;
        };
        if form.rule.holds(text) {
            return Some(text);
        }
        let help = form_help(form.rule, text);
        let subject = self.subject();
        let place = self.place(value);
        let found = if text.is_empty() { "is empty".to_owned() } else { format!("is {}", base::diag::quoted(text)) };
        self.wrong(place, format!("{subject} must be {}, but {found}", form.phrase)).help = help;
        None
    }

    /// The members of an object, after unknown, missing and contradicting keys were reported.
    pub fn members<'a>(&mut self, value: Value<'a>, table: &'static Object) -> Option<Members<'a>> {
        if value.kind() != Kind::Object {
            self.wrong_kind(value, "an object", None);
            return None;
        }
        let mut members = Members { known: vec![None; table.keys.len()], other: Vec::new() };
        for member in value.children() {
            let key = member.key_text().unwrap_or_default();
            match table.key(key) {
                Some(row) => members.known[row] = Some(member),
                None if table.open => members.other.push(member),
                None => self.unknown_key(member, key, table),
            }
        }
        self.check_presence(value, table, &members);
        self.check_exactly_one(value, table, &members);
        self.check_only_with(table, &members);
        self.check_applied(table, &members);
        Some(members)
    }

    fn unknown_key(&mut self, member: Value<'_>, key: &str, table: &'static Object) {
        let known = table.keys.iter().map(|row| row.name);
        let help = match base::suggest::nearest(key, known.clone()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known keys here: {}", list(known)),
        };
        let message = format!("unknown key {} in {}", base::diag::quoted(key), self.subject());
        let place = self.key_place(member);
        self.wrong(place, message).help = Some(help);
    }

    fn check_presence(&mut self, value: Value<'_>, table: &'static Object, members: &Members<'_>) {
        for (row, member) in table.keys.iter().zip(&members.known) {
            if row.presence == Presence::Required && member.is_none() {
                let message = format!("{} lacks the required key `{}`", self.subject(), row.name);
                let place = self.object_place(value);
                self.wrong(place, message).help = Some(format!("add `{}`: {}", row.name, first_sentence(row.doc)));
            }
        }
    }

    fn check_exactly_one(&mut self, value: Value<'_>, table: &'static Object, members: &Members<'_>) {
        if table.exactly_one.is_empty() {
            return;
        }
        let there: Vec<Value<'_>> =
            table.exactly_one.iter().filter_map(|name| table.key(name).and_then(|row| members.known[row])).collect();
        let names = list(table.exactly_one.iter().copied());
        match there.as_slice() {
            [_] => {}
            [] => {
                let message = format!("{} needs one of the keys {names}", self.subject());
                let place = self.object_place(value);
                self.wrong(place, message);
            }
            [first, others @ ..] => {
                let message = format!("{} may have only one of the keys {names}", self.subject());
                let first_place = self.key_place(*first);
                for other in others {
                    let place = self.key_place(*other);
                    let diagnostic = self.wrong(place, message.clone());
                    diagnostic.help = Some("keep one of them".to_owned());
                    diagnostic.related.push((first_place.clone(), "the first".to_owned()));
                }
            }
        }
    }

    fn check_only_with(&mut self, table: &'static Object, members: &Members<'_>) {
        let Some((needed, keys)) = table.only_with else { return };
        let member = |name: &str| table.key(name).and_then(|row| members.known[row]);
        if member(needed).is_some() {
            return;
        }
        for (key, member) in keys.iter().filter_map(|key| Some((key, member(key)?))) {
            let message = format!("`{key}` of {} means nothing without `{needed}`", self.subject());
            let place = self.key_place(member);
            self.wrong(place, message).help = Some(format!("add `{needed}`, or remove `{key}`"));
        }
    }

    fn check_applied(&mut self, table: &'static Object, members: &Members<'_>) {
        for (row, member) in table.keys.iter().zip(&members.known) {
            let Some(member) = member.filter(|member| !row.applied && says_something(*member)) else { continue };
            let message = self.inside(row.name, |cx| format!("{} is not applied by this version", cx.subject()));
            let place = self.key_place(member);
            self.report(Code::TG0615, place, message);
        }
    }

    /// The members that the table leaves to others.
    pub fn rest(&mut self, members: &[Value<'_>]) -> Vec<RawEntry> {
        members.iter().map(|&member| entry(member, self)).collect()
    }
}

/// A value for the end of a message: what it is, and its text when that is short enough to help.
fn describe(value: Value<'_>) -> String {
    match value.kind() {
        Kind::Number => format!("the number {}", base::diag::quoted(value.as_number().unwrap_or_default())),
        Kind::Bool => format!("`{}`", value.as_bool().unwrap_or_default()),
        Kind::String => format!("the string {}", base::diag::quoted(value.as_str().unwrap_or_default())),
        kind => kind.phrase().to_owned(),
    }
}

/// What to write instead of text that does not have its form.
fn form_help(rule: Rule, text: &str) -> Option<String> {
    match rule {
        Rule::OneOf(words) => Some(match base::suggest::nearest(text, words.iter().copied()) {
            Some(word) => format!("did you mean `{word}`?"),
            None => format!("allowed: {}", list(words.iter().copied())),
        }),
        Rule::Word { .. } => {
            let slug = crate::machine_name(text);
            (!text.is_empty() && rule.holds(&slug)).then(|| format!("for example `{slug}`"))
        }
        Rule::Checked { help, .. } => Some(help.to_owned()),
        Rule::Any | Rule::NotEmpty => None,
    }
}

/// Words in backticks, with commas; the first twenty of more.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    const MAX_WORDS: usize = 20;
    let mut words = words.into_iter();
    let mut shown: Vec<String> = words.by_ref().take(MAX_WORDS).map(|word| format!("`{word}`")).collect();
    if words.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// The first sentence of a doc comment, in one line, without its stop.
pub(crate) fn first_sentence(doc: &str) -> &str {
    let doc = doc.trim();
    doc.split(". ").next().unwrap_or(doc).trim_end_matches('.')
}

/// Whether a value differs from leaving the key out.
fn says_something(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::Array | Kind::Object => value.n_children() > 0,
        Kind::Bool | Kind::Number | Kind::String => true,
    }
}

impl<T: Key> Key for Option<T> {
    fn shape() -> Shape {
        T::shape()
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        T::read(value, cx).map(Some)
    }
}

impl<T: Key> Key for Vec<T> {
    const WITHOUT: Presence = Presence::Default("[]");

    fn shape() -> Shape {
        Shape::List { items: T::shape, min_items: 0 }
    }

    fn absent() -> Option<Self> {
        Some(Vec::new())
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        if value.kind() != Kind::Array {
            cx.wrong_kind(value, "a list", None);
            return None;
        }
        let items = value.children().enumerate();
        Some(items.filter_map(|(index, item)| cx.inside_item(index, |cx| T::read(item, cx))).collect())
    }
}

/// A list that is never empty.
#[derive(Clone, PartialEq, Debug)]
pub struct NonEmpty<T>(Vec<T>);

impl<T> NonEmpty<T> {
    pub(crate) fn one(item: T) -> Self {
        Self(vec![item])
    }
}

impl<T> Deref for NonEmpty<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Key> Key for NonEmpty<T> {
    fn shape() -> Shape {
        Shape::List { items: T::shape, min_items: 1 }
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        let items = Vec::<T>::read(value, cx)?;
        if value.n_children() == 0 {
            let message = format!("{} must have at least one item", cx.subject());
            let place = cx.object_place(value);
            cx.wrong(place, message);
        }
        // Items that could not be read were reported; a list of none of them is no list.
        (!items.is_empty()).then_some(Self(items))
    }
}

/// An object whose keys are the user's own, in document order.
#[derive(Clone, PartialEq, Debug)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K, V> Deref for Map<K, V> {
    type Target = [(K, V)];

    fn deref(&self) -> &[(K, V)] {
        &self.0
    }
}

impl<K: Deref<Target = str>, V> Map<K, V> {
    /// Adds the entries of another map whose keys this one does not have.
    pub fn complete(&mut self, others: Self) {
        let n_own = self.0.len();
        for (key, value) in others.0 {
            if !self.0[..n_own].iter().any(|(own, _)| **own == *key) {
                self.0.push((key, value));
            }
        }
    }

    /// The value under a key, by a walk over the entries.
    pub fn get(&self, key: &str) -> Option<&V> {
        self.0.iter().find(|(name, _)| &**name == key).map(|(_, value)| value)
    }
}

/// Text that can be the key of a [`Map`].
pub(crate) trait MapKey: Sized {
    const KEY_FORM: &'static Form;

    fn from_key(text: &str, place: Place) -> Self;
}

impl<K: MapKey, V: Key> Key for Map<K, V> {
    const WITHOUT: Presence = Presence::Default("{}");

    fn shape() -> Shape {
        Shape::Map { keys: K::KEY_FORM, values: V::shape }
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        if value.kind() != Kind::Object {
            cx.wrong_kind(value, "an object", None);
            return None;
        }
        let mut entries = Vec::with_capacity(value.n_children());
        for member in value.children() {
            let text = member.key_text().unwrap_or_default();
            let key_place = cx.key_place(member);
            let form = K::KEY_FORM;
            if !form.rule.holds(text) {
                let message = format!("key {} of {} must be {}", base::diag::quoted(text), cx.subject(), form.phrase);
                cx.wrong(key_place.clone(), message).help = form_help(form.rule, text);
            }
            if let Some(read) = cx.inside(text, |cx| V::read(member, cx)) {
                entries.push((K::from_key(text, key_place), read));
            }
        }
        Some(Self(entries))
    }
}

impl Key for bool {
    fn shape() -> Shape {
        Shape::Bool
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        let read = value.as_bool();
        if read.is_none() {
            let is_text = value.as_str().is_some();
            cx.wrong_kind(value, "`true` or `false`", is_text.then_some("write `true` or `false` without quotes"));
        }
        read
    }
}

/// The value `true`: a key that says no more by being there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct True;

impl Key for True {
    fn shape() -> Shape {
        Shape::True
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        if value.as_bool() == Some(true) {
            return Some(Self);
        }
        cx.wrong_kind(value, "`true`", Some("write `true`, or leave the key out"));
        None
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int<const MIN: u64, const MAX: u64>(pub u64);

impl<const MIN: u64, const MAX: u64> From<u64> for Int<MIN, MAX> {
    fn from(value: u64) -> Self {
        Self(value)
    }
}

impl<const MIN: u64, const MAX: u64> Key for Int<MIN, MAX> {
    fn shape() -> Shape {
        Shape::Integer { min: MIN, max: MAX }
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        let number = value.as_number().and_then(|text| text.parse().ok());
        let read = number.filter(|number| (MIN..=MAX).contains(number)).map(Self);
        if read.is_none() {
            let expected = if MIN == MAX { MIN.to_string() } else { format!("a whole number from {MIN} to {MAX}") };
            let is_text = value.as_str().is_some_and(|text| text.parse::<u64>().is_ok());
            cx.wrong_kind(value, &expected, is_text.then_some("write it without quotes"));
        }
        read
    }
}

/// A value that is handed on as it stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Raw {
    Null,
    Bool(bool),
    /// Exact spelling, in JSON's form.
    Number(String),
    Text(String),
    List(Vec<Raw>),
    /// In document order.
    Map(Vec<RawEntry>),
}

/// A member of an object that is handed on as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct RawEntry {
    pub key: String,
    pub value: Raw,
    /// Where the value stands; its pointer ends in the key.
    pub place: Place,
}

impl Key for Raw {
    fn shape() -> Shape {
        Shape::Any
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        Some(match value.kind() {
            Kind::Null => Raw::Null,
            Kind::Bool => Raw::Bool(value.as_bool().unwrap_or_default()),
            Kind::Number => Raw::Number(value.as_number().unwrap_or_default().to_owned()),
            Kind::String => Raw::Text(value.as_str().unwrap_or_default().to_owned()),
            Kind::Array => Raw::List(Vec::read(value, cx)?),
            Kind::Object => Raw::Map(value.children().map(|member| entry(member, cx)).collect()),
        })
    }
}

fn entry(member: Value<'_>, cx: &mut Cx<'_>) -> RawEntry {
    let key = member.key_text().unwrap_or_default();
    cx.inside(key, |cx| RawEntry {
        key: key.to_owned(),
        value: Raw::read(member, cx).unwrap_or(Raw::Null),
        place: cx.place(member),
    })
}
