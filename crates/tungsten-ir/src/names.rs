//! The names of one target: every row that a language needs a name for gets one, by its profile, unique in its scope.
//!
//! Reads the frozen IR and a profile, writes [`Names`]. Emitters only look names up: each is an ASCII identifier and
//! may be printed as it is. Wire names stay in the IR; words and cases are in `words`, the languages in `profile`.

mod members;
mod scope;
mod speller;
mod top_level;

use base::{Diags, Id};

use crate::profile::{Lexicon, Profile};
use crate::{
    EnumValueId, ExprMemberId, FieldId, Ir, MacroFieldId, MacroId, NamespaceId, OpId, ParamId, ResourceId, TypeId,
    VariantId,
};

pub use members::MemberNames;
use speller::Speller;
use top_level::TopLevelNames;

/// What an emitter may say about its names.
#[derive(Clone, Copy, Default, Debug)]
pub struct NameOptions<'a> {
    /// Keep a field's wire name where it is an ASCII identifier (`naming.fields.preserve_wire_names_in_ts`).
    pub preserve_wire_field_names: bool,
    /// Report TG0401. One target of a run asks for it, so that a collision is reported once.
    pub report_collisions: bool,
    /// Report TG0402.
    pub report_escapes: bool,
    /// Types that the target's files import or declare themselves; a type of this name gets the word `model`.
    pub used_types: &'a [&'a str],
    /// Members that every generated resource or client has; methods and child resources avoid them.
    pub used_members: &'a [&'a str],
}

/// The names of one target, by row.
///
/// Every answer is a non-empty ASCII identifier of the profile's alphabet (letters, digits, `_`; Dart adds `$`).
#[derive(Clone, Debug)]
pub struct Names {
    top_level: TopLevelNames,
    members: MemberNames,
}

impl Names {
    pub fn members(&self) -> &MemberNames {
        &self.members
    }

    /// The name of a named type, or of an inline record, enum, union or intersection should the emitter hoist it;
    /// unique in the namespace together with [`Self::op_args`] and [`Self::resource_class`]. Panics for other types.
    pub fn ty(&self, id: TypeId) -> &str {
        self.try_ty(id).expect("only named types, records, enums, unions and intersections have names")
    }

    /// As [`Self::ty`], or nothing for a type that has no name.
    pub fn try_ty(&self, id: TypeId) -> Option<&str> {
        self.top_level.types[id.index()].map(|name| self.top_level.pool.resolve(name))
    }

    /// Unique in the field's record.
    pub fn field(&self, id: FieldId) -> &str {
        self.members.field(id)
    }

    /// Unique in the variant's union.
    pub fn variant(&self, id: VariantId) -> &str {
        self.members.pool.resolve(self.members.variants[id.index()])
    }

    /// Unique in the value's enum.
    pub fn enum_value(&self, id: EnumValueId) -> &str {
        self.members.pool.resolve(self.members.enum_values[id.index()])
    }

    /// The key of a parameter in the arguments object; unique in its operation.
    pub fn param(&self, id: ParamId) -> &str {
        self.members.param(id)
    }

    /// The key of the body where it is one argument: `body`, or `body2` and so on when a parameter has that name.
    pub fn body_arg(&self, id: OpId) -> &str {
        self.members.pool.resolve(self.members.body_args[id.index()])
    }

    /// The method of an operation; unique in its resource together with the child resources. An operation outside
    /// the tree (planned, webhook, callback) has a name that is unique nowhere.
    pub fn method(&self, id: OpId) -> &str {
        self.members.pool.resolve(self.members.methods[id.index()])
    }

    /// The standalone function of an operation (`petsList`, `usersMessagesList`); unique in the namespace.
    pub fn op_function(&self, id: OpId) -> &str {
        self.top_level.pool.resolve(self.top_level.functions[id.index()])
    }

    /// The type of an operation's arguments (`PetsListArgs`); unique among the types of the namespace.
    pub fn op_args(&self, id: OpId) -> &str {
        self.top_level.pool.resolve(self.top_level.op_args[id.index()])
    }

    /// A resource as a member of its parent or of the client; unique there together with the methods.
    pub fn resource(&self, id: ResourceId) -> &str {
        self.members.pool.resolve(self.members.resources[id.index()])
    }

    /// The class of a resource (`PetsResource`, `UsersMessagesResource`); unique among the types of the namespace.
    pub fn resource_class(&self, id: ResourceId) -> &str {
        self.top_level.pool.resolve(self.top_level.resource_classes[id.index()])
    }

    /// The file name of a resource without ending, unique without regard to case among its siblings: for nested
    /// folders, where each parent is a folder of its own name.
    pub fn resource_file(&self, id: ResourceId) -> &str {
        self.members.pool.resolve(self.members.resource_files[id.index()])
    }

    /// The file name of a resource with the names of its parents in front (`users_messages`), unique without regard
    /// to case in the namespace: for one flat folder.
    pub fn resource_module(&self, id: ResourceId) -> &str {
        self.top_level.pool.resolve(self.top_level.resource_modules[id.index()])
    }

    /// A macro as a member of the object that has them all.
    pub fn macro_method(&self, id: MacroId) -> &str {
        self.members.pool.resolve(self.members.macros[id.index()])
    }

    /// The standalone function of a macro; unique among those of the API.
    pub fn macro_function(&self, id: MacroId) -> &str {
        self.members.pool.resolve(self.members.macro_functions[id.index()])
    }

    /// The key of an argument that a macro adds; unique in its input together with the parameters of the operation that
    /// it extends.
    pub fn macro_field(&self, id: MacroFieldId) -> &str {
        self.members.pool.resolve(self.members.macro_fields[id.index()])
    }

    /// A member of an object that an expression makes; unique in it.
    pub fn expr_member(&self, id: ExprMemberId) -> &str {
        self.members.pool.resolve(self.members.expr_members[id.index()])
    }

    /// Module or member of a namespace; unique in the API without regard to case.
    pub fn namespace(&self, id: NamespaceId) -> &str {
        self.members.pool.resolve(self.members.namespaces[id.index()])
    }
}

/// Names all rows. Reads the IR and the profile; reports what `options` asks for.
///
/// The order is fixed: within a scope rows come in document order, the first keeps its name and a later one gets the
/// lowest free number from 2. In a namespace named types come first, then classes, functions and argument types of
/// operations, then inline types, so that what nobody wrote never renames what somebody did. Inline types of named types
/// come in the order of those names, so that the order of components in a document renames none.
pub fn assign(ir: &Ir, profile: &Profile, options: &NameOptions<'_>, diags: &mut Diags) -> Names {
    assign_and(ir, profile, options, diags, |_| ()).0
}

/// As [`assign`], and calls `then` as soon as members have their names. No name of a top level depends on one of a member,
/// so two threads share the work.
pub fn assign_and<R: Send>(
    ir: &Ir,
    profile: &Profile,
    options: &NameOptions<'_>,
    diags: &mut Diags,
    then: impl FnOnce(&MemberNames) -> R + Send,
) -> (Names, R) {
    let lexicon = Lexicon::new(profile, options.used_types);
    let speller = || Speller::new(ir, profile, &lexicon, *options);
    let ((top_level, of_top_level), (members, of_members, result)) = rayon::join(
        || top_level::assign(speller()),
        || {
            let (members, diags) = members::assign(speller());
            let result = then(&members);
            (members, diags, result)
        },
    );
    diags.append(of_members);
    diags.append(of_top_level);
    (Names { top_level, members }, result)
}

#[cfg(test)]
mod tests {
    use base::{Diags, Id};

    use super::{NameOptions, Names, assign};
    use crate::profile::{self, MAX_NAME_LEN, Profile};
    use crate::sample::{Sample, shop};
    use crate::{Additional, Encoding, Location, NamespaceId, OpId, Role, Shape, Status, TypeId};

    fn names(sample: &Sample, profile: &Profile) -> Names {
        assign(&sample.ir, profile, &NameOptions::default(), &mut Diags::new())
    }

    /// The names of the fields of one record, for a profile.
    fn fields(profile: &Profile, options: &NameOptions<'_>, wire: &[&str]) -> Vec<String> {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let fields: Vec<_> = wire.iter().map(|&name| (name, text)).collect();
        sample.record("Row", &fields);
        let names = assign(&sample.ir, profile, options, &mut Diags::new());
        sample.ir.types.fields.ids().map(|id| names.field(id).to_owned()).collect()
    }

    fn types(profile: &Profile, options: &NameOptions<'_>, wire: &[&str]) -> Vec<String> {
        let mut sample = Sample::new();
        for name in wire {
            sample.ty(name, Shape::Any);
        }
        let names = assign(&sample.ir, profile, options, &mut Diags::new());
        sample.ir.types.named.iter().map(|&id| names.ty(id).to_owned()).collect()
    }

    #[test]
    fn fields_are_spelled_by_language() {
        let wire = ["userIDs", "class", "2fa", "v1_2", "__proto__", "\u{1f600}", "json", "this"];
        let cases: [(&Profile, [&str; 8]); 11] = [
            (&profile::TYPESCRIPT, ["userIds", "class", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::PYTHON, ["user_ids", "class_", "field_2fa", "v1_2", "proto", "field", "json_", "this"]),
            (&profile::RUST, ["user_ids", "class", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::JAVA, ["userIds", "class_", "_2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::CSHARP, ["UserIds", "Class", "_2fa", "V1_2", "Proto", "Field", "Json", "This"]),
            (&profile::KOTLIN, ["userIds", "class_", "_2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::SWIFT, ["userIds", "class_", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::PHP, ["userIds", "class", "_2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::RUBY, ["user_ids", "class_", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::DART, ["userIds", "class_", "$2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::GO, ["UserIds", "Class", "N2fa", "V1_2", "Proto", "Field", "Json", "This"]),
        ];
        for (profile, expect) in cases {
            assert_eq!(fields(profile, &NameOptions::default(), &wire), expect, "{}", profile.language);
        }
    }

    #[test]
    fn types_avoid_builtins_reserved_words_and_what_the_target_uses() {
        let cases: [(&Profile, &str, &str); 12] = [
            (&profile::TYPESCRIPT, "error", "ErrorModel"),
            (&profile::TYPESCRIPT, "3d-model", "_3dModel"),
            (&profile::TYPESCRIPT, "Widget", "WidgetModel"),
            (&profile::TYPESCRIPT, "\u{540d}", "Type"),
            (&profile::PYTHON, "none", "None_"),
            (&profile::RUST, "self", "Self_"),
            (&profile::RUST, "option", "OptionModel"),
            (&profile::SWIFT, "protocol", "Protocol_"),
            (&profile::PHP, "list", "List_"),
            (&profile::PHP, "readOnly", "ReadOnly_"),
            (&profile::RUBY, "3d", "N3d"),
            (&profile::DART, "function", "Function_"),
        ];
        let options = NameOptions { used_types: &["Widget"], ..NameOptions::default() };
        for (profile, wire, expect) in cases {
            assert_eq!(types(profile, &options, &[wire]), [expect], "{}", profile.language);
        }
    }

    #[test]
    fn later_names_get_the_lowest_free_number() {
        let options = NameOptions::default();
        let cases: [(&[&str], &[&str]); 5] = [
            (&["a_b", "aB", "a-b", "aB2"], &["aB", "aB2", "aB3", "aB2_2"]),
            (&["aB2", "a_b", "aB"], &["aB2", "aB", "aB3"]),
            (&["v1", "V1", "v_1"], &["v1", "v1_2", "v1_3"]),
            (&["", "\u{1f600}", "field"], &["field", "field2", "field3"]),
            (&["delete", "Delete"], &["delete", "delete2"]),
        ];
        for (wire, expect) in cases {
            assert_eq!(fields(&profile::TYPESCRIPT, &options, wire), expect);
        }
        assert_eq!(types(&profile::TYPESCRIPT, &options, &["pet", "Pet", "pet2"]), ["Pet", "Pet2", "Pet2_2"]);
        // Case does not tell classes of PHP apart.
        assert_eq!(types(&profile::PHP, &options, &["petID", "PETid"]), ["PetId", "PeTid2"]);
        assert_eq!(types(&profile::PHP, &options, &["ab c", "a bc"]), ["AbC", "ABc2"]);
        assert_eq!(types(&profile::TYPESCRIPT, &options, &["ab c", "a bc"]), ["AbC", "ABc"]);
    }

    /// Were every name to try all numbers of those before it, each of these would take half a minute and more.
    #[test]
    fn many_names_that_meet_are_numbered_in_linear_time() {
        const MANY: usize = 20_000;
        const LIMIT: std::time::Duration = std::time::Duration::from_secs(10);
        let separated = |stem: &'static str| {
            let marks = ["-", "_", ".", " "];
            let digits = move |n: usize| (0..8).map(move |place| marks[n >> (2 * place) & 3]);
            (0..MANY).map(move |n| digits(n).chain([stem]).collect::<String>())
        };
        let numbered = || (2..MANY).map(|number| format!("x{number}"));
        let cases: [(Vec<String>, String); 3] = [
            (separated("x").collect(), format!("x{MANY}")),
            (separated("x1").collect(), format!("x1_{MANY}")),
            (numbered().chain(separated("x")).collect(), format!("x{}", 2 * MANY - 2)),
        ];
        for (wire, last) in &cases {
            let wire: Vec<&str> = wire.iter().map(String::as_str).collect();
            for profile in [&profile::RUST, &profile::TYPESCRIPT] {
                let start = std::time::Instant::now();
                assert_eq!(fields(profile, &NameOptions::default(), &wire).last(), Some(last));
                assert!(start.elapsed() < LIMIT, "{last} took {:?}", start.elapsed());
            }
        }
        // Types of PHP are told apart without regard to case.
        let wire: Vec<String> = separated("x").collect();
        let wire: Vec<&str> = wire.iter().map(String::as_str).collect();
        let start = std::time::Instant::now();
        assert_eq!(types(&profile::PHP, &NameOptions::default(), &wire).last(), Some(&format!("X{MANY}")));
        assert!(start.elapsed() < LIMIT, "types took {:?}", start.elapsed());
    }

    #[test]
    fn wire_names_stay_on_request_where_they_are_identifiers() {
        let options = NameOptions { preserve_wire_field_names: true, ..NameOptions::default() };
        let wire = ["user_id", "userId", "X-Y", "class", "__proto__", "gr\u{f6}\u{df}e", "2fa"];
        let expect = ["user_id", "userId", "xY", "class", "proto", "gre", "_2fa"];
        assert_eq!(fields(&profile::TYPESCRIPT, &options, &wire), expect);
    }

    #[test]
    fn collisions_and_escapes_are_reported_when_asked() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        sample.record("Row", &[("a_b", text), ("aB", text), ("class", text)]);
        let mut diags = Diags::new();
        assign(&sample.ir, &profile::PYTHON, &NameOptions::default(), &mut diags);
        assert!(diags.is_empty());
        let options = NameOptions { report_collisions: true, report_escapes: true, ..NameOptions::default() };
        assign(&sample.ir, &profile::PYTHON, &options, &mut diags);
        let found: Vec<_> =
            diags.iter().map(|d| (d.code.name(), d.place.pointer.as_str(), d.message.as_str())).collect();
        let expect = [
            (
                "TG0401",
                "/components/schemas/Row/properties/aB",
                "`aB` and `a_b` are both `a_b` in Python; `aB` becomes `a_b2`",
            ),
            (
                "TG0402",
                "/components/schemas/Row/properties/class",
                "`class` is no free Python identifier and becomes `class_`",
            ),
        ];
        assert_eq!(found, expect);
    }

    #[test]
    fn a_collision_names_both_that_met() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        sample.record("Reactions", &[("+1", text), ("-1", text), ("a-b", text), ("aB", text), ("aB2", text)]);
        let params =
            vec![sample.param("id", Location::Path, Role::Plain), sample.param("id", Location::Query, Role::Plain)];
        let op = sample.op("a", params);
        sample.resource("pets", None, &[(op, "request")]);
        sample.place();
        let options = NameOptions { report_collisions: true, used_members: &["request"], ..NameOptions::default() };
        let mut diags = Diags::new();
        assign(&sample.ir, &profile::TYPESCRIPT, &options, &mut diags);
        let found: Vec<&str> = diags.iter().map(|found| found.message.as_str()).collect();
        let expect = [
            "`-1` and `+1` are both `_1` in TypeScript; `-1` becomes `_1_2`",
            "`aB` and `a-b` are both `aB` in TypeScript; `aB` becomes `aB2`",
            "`aB2` and `aB` are both `aB2` in TypeScript; `aB2` becomes `aB2_2`",
            "`id` is there twice in one scope; this one becomes `id2` in TypeScript",
            "generated code needs `request` for itself in TypeScript; `request` becomes `request2`",
        ];
        assert_eq!(found, expect);
    }

    #[test]
    fn names_that_nobody_emits_are_not_reported() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let row = sample.record("class", &[("a_b", text), ("aB", text), ("class", text)]);
        sample.ir.pruned.set(row, true);
        // An operation outside the tree, as webhooks and callbacks are.
        let params = vec![
            sample.param("from", Location::Query, Role::Plain),
            sample.param("From", Location::Query, Role::Plain),
        ];
        sample.op("hook", params);
        let options = NameOptions { report_collisions: true, report_escapes: true, ..NameOptions::default() };
        let mut diags = Diags::new();
        let names = assign(&sample.ir, &profile::PYTHON, &options, &mut diags);
        assert_eq!(diags.iter().collect::<Vec<_>>(), Vec::<&base::Diagnostic>::new());
        let found: Vec<&str> = sample.ir.types.fields.ids().map(|id| names.field(id)).collect();
        assert_eq!(found, ["a_b", "a_b2", "class_"]);
    }

    #[test]
    fn arguments_come_before_hidden_parameters_and_the_body_after_both() {
        let mut sample = Sample::new();
        let params = vec![
            sample.param("id", Location::Path, Role::Plain),
            sample.param("ID", Location::Query, Role::Auth),
            sample.param("Id", Location::Header, Role::Plain),
            sample.param("body", Location::Header, Role::Plain),
            sample.param("default", Location::Header, Role::DryRun),
        ];
        let op = sample.op("get", params);
        let names = names(&sample, &profile::TYPESCRIPT);
        let found: Vec<&str> = sample.ir.ops.params.ids().map(|id| names.param(id)).collect();
        assert_eq!(found, ["id", "id3", "id2", "body", "default_"]);
        assert_eq!(names.body_arg(op), "body2");
    }

    #[test]
    fn the_tree_has_members_files_classes_and_functions() {
        let sample = shop();
        let cases: [(&Profile, [&str; 8]); 3] = [
            (
                &profile::TYPESCRIPT,
                ["pets", "live", "live", "petsLive", "PetsLiveResource", "watch", "petsLiveWatch", "PetsLiveWatchArgs"],
            ),
            (
                &profile::PYTHON,
                [
                    "pets",
                    "live",
                    "live",
                    "pets_live",
                    "PetsLiveResource",
                    "watch",
                    "pets_live_watch",
                    "PetsLiveWatchArgs",
                ],
            ),
            (
                &profile::CSHARP,
                ["Pets", "Live", "Live", "PetsLive", "PetsLiveResource", "Watch", "PetsLiveWatch", "PetsLiveWatchArgs"],
            ),
        ];
        let (pets, live) = (crate::ResourceId::from_index(0), crate::ResourceId::from_index(1));
        let watch = OpId::from_index(2);
        for (profile, expect) in cases {
            let names = names(&sample, profile);
            let found = [
                names.resource(pets),
                names.resource(live),
                names.resource_file(live),
                names.resource_module(live),
                names.resource_class(live),
                names.method(watch),
                names.op_function(watch),
                names.op_args(watch),
            ];
            assert_eq!(found, expect, "{}", profile.language);
        }
        let names = names(&sample, &profile::TYPESCRIPT);
        assert_eq!(names.namespace(NamespaceId::from_index(0)), "shop");
        assert_eq!(names.op_function(OpId::from_index(3)), "petSold");
    }

    #[test]
    fn members_of_a_resource_share_its_scope() {
        let mut sample = Sample::new();
        let (list, make, private) = (sample.op("a", vec![]), sample.op("b", vec![]), sample.op("c", vec![]));
        let names_of = [(list, "list"), (make, "constructor"), (private, "request")];
        let pets = sample.resource("pets", None, &names_of);
        let child = sample.resource("List", Some(pets), &[]);
        let file = sample.resource("Index", Some(pets), &[]);
        let device = sample.resource("con", Some(pets), &[]);
        sample.place();
        let options = NameOptions { used_members: &["request"], ..NameOptions::default() };
        let names = assign(&sample.ir, &profile::TYPESCRIPT, &options, &mut Diags::new());
        let found = [names.method(list), names.method(make), names.method(private), names.resource(child)];
        assert_eq!(found, ["list", "constructor_", "request2", "list2"]);
        assert_eq!([file, device].map(|id| names.resource_file(id)), ["index_", "con_"]);
    }

    #[test]
    fn inline_types_are_named_after_their_owner() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let leaf = sample.record("", &[("x", text)]);
        let list = sample.ty("", Shape::Array { items: leaf });
        let choice = sample.text_enum("", &["a", "A", "a2"]);
        let variant = sample.record("", &[("y", text)]);
        let union = sample.union("", &[("first", variant), ("text", text)], None);
        let extra = sample.record("", &[("z", text)]);
        let owner = sample.record("pet", &[("all-tags", list), ("state", choice), ("u", union)]);
        if let Shape::Record { additional, .. } = &mut sample.ir.types.rows[owner].shape {
            *additional = Additional::Typed(extra);
        }
        sample.ty("PetState", Shape::Any);
        let inner = sample.record("", &[("w", text)]);
        let lists = sample.ty("", Shape::Array { items: inner });
        sample.ty("Rows", Shape::Array { items: lists });
        let filter = sample.record("", &[("f", text)]);
        let mut param = sample.param("filter", Location::Query, Role::Plain);
        param.ty = filter;
        let op = sample.op("findPets", vec![param]);
        let (body, answer) = (sample.record("", &[]), sample.record("", &[]));
        let content = sample.content("application/json", Encoding::Json, body);
        let contents = sample.ir.ops.contents.extend([content]);
        let body_row = crate::Body { contents, required: true, doc: crate::Doc::default() };
        sample.ir.ops.rows[op].body = Some(sample.ir.ops.bodies.push(body_row));
        let content = sample.content("application/json", Encoding::Json, answer);
        let response = sample.response(Status::Exact(200), vec![content]);
        sample.ir.ops.rows[op].responses = sample.ir.ops.responses.extend([response]);
        let orphan = sample.record("", &[]);

        let names = names(&sample, &profile::TYPESCRIPT);
        let cases = [
            (leaf, "PetAllTagsItem"),
            (choice, "PetState2"),
            (union, "PetU"),
            (variant, "PetUFirst"),
            (extra, "PetValue"),
            (inner, "RowsItemItem"),
            (filter, "FindPetsFilter"),
            (body, "FindPetsBody"),
            (answer, "FindPetsResponse"),
            (orphan, "Inline"),
        ];
        for (id, expect) in cases {
            assert_eq!(names.ty(id), expect);
        }
        assert_eq!(names.try_ty(text), None);
        assert_eq!(names.op_args(op), "FindPetsArgs");
        let values: Vec<&str> = sample.ir.types.enum_values.ids().map(|id| names.enum_value(id)).collect();
        assert_eq!(values, ["A", "A2", "A2_2"]);
        assert_eq!(names.variant(crate::VariantId::from_index(0)), "First");
    }

    #[test]
    fn deep_and_long_names_stay_short() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let long = "x".repeat(10_000);
        let mut inner = sample.record("", &[("leaf", text)]);
        for _ in 0..200 {
            inner = sample.record("", &[("aVeryLongNameForAField", inner), (&long, text)]);
        }
        sample.record("Top", &[("first", inner), (&(long.clone() + "y"), text), (&(long + "z"), text)]);
        let names = names(&sample, &profile::RUST);
        let all = sample.ir.types.rows.ids().filter_map(|id: TypeId| names.try_ty(id));
        let mut all: Vec<&str> = all.chain(sample.ir.types.fields.ids().map(|id| names.field(id))).collect();
        assert!(all.iter().all(|name| name.len() <= MAX_NAME_LEN + 8));
        let n_types = 202;
        all.truncate(n_types);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n_types);
    }

    #[test]
    fn names_are_identifiers_whatever_the_wire_says() {
        let hostile = [
            "a`;drop",
            "*/ x",
            "\u{202e}evil",
            "\0",
            "\"",
            "${x}",
            "<T>",
            "constructor",
            "__proto__",
            "toString",
            "1",
            "-1",
            "COM1",
            "..",
            "a/b",
            "",
            " ",
            "def f():",
        ];
        for profile in Profile::ALL {
            for options in
                [false, true].map(|keep| NameOptions { preserve_wire_field_names: keep, ..NameOptions::default() })
            {
                let all = [fields(profile, &options, &hostile), types(profile, &options, &hostile)].concat();
                for name in all {
                    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
                    assert!(plain && !name.starts_with(|c: char| c.is_ascii_digit()), "{}: {name}", profile.language);
                }
            }
        }
    }

    #[test]
    fn the_same_names_every_time() {
        let sample = shop();
        for profile in Profile::ALL {
            let (a, b) = (names(&sample, profile), names(&sample, profile));
            assert!(a.members.pool.iter().eq(b.members.pool.iter()), "{}", profile.language);
            assert!(a.top_level.pool.iter().eq(b.top_level.pool.iter()), "{}", profile.language);
        }
    }
}
