//! Naming profiles: how each language spells the names of each role. Data only; `names` applies it.
//!
//! Case, reserved words, the first character and the builtin types that generated code uses are here and nowhere else.
//! An emitter that wants to change a case or dodge a keyword lacks a row in its profile.

use base::files::DEVICE_NAMES;
use base::{Id, Interner};

use crate::words::{Case, Words};

use Case::{Camel, Lower, Pascal, Screaming, Snake};
use Role::{Field, File, Function, Method, Module, Param, Type, Variant};

/// What a name is used for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Types, argument types, resource classes.
    Type,
    /// Enum values and variants of unions.
    Variant,
    Field,
    /// Methods and resources as members of a client.
    Method,
    /// Keys of the arguments object.
    Param,
    /// Namespaces and modules.
    Module,
    /// Standalone functions.
    Function,
    /// File names without their ending.
    File,
}

impl Role {
    pub const ALL: [Self; 8] =
        [Self::Type, Self::Variant, Self::Field, Self::Method, Self::Param, Self::Module, Self::Function, Self::File];

    /// The word that stands in for a name without any usable character.
    pub fn fallback(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Variant => "value",
            Self::Field => "field",
            Self::Method | Self::Function => "operation",
            Self::Param => "param",
            Self::Module | Self::File => "module",
        }
    }
}

/// Words that roles may not use.
#[derive(Clone, Copy, Debug)]
pub struct Reserved {
    pub roles: &'static [Role],
    pub words: &'static [&'static str],
}

/// How one language spells names.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Lower-case name of the language.
    pub language: &'static str,
    /// The language as people write it.
    pub title: &'static str,
    pub cases: &'static [(Role, Case)],
    pub reserved: &'static [Reserved],
    /// Types that generated code names as they are; a type of the same name gets the word `model`.
    pub builtin_types: &'static [&'static str],
    /// What is put before a leading digit, where it is not `_`.
    pub digit_prefixes: &'static [(Role, &'static str)],
    /// Whether names that differ in case only are one name (for types, methods and functions).
    pub ignores_case: bool,
    /// How private names of generated code start. No name of a description does.
    pub private_prefix: &'static str,
}

impl Profile {
    /// All profiles, by language.
    pub const ALL: [&'static Self; 11] =
        [&CSHARP, &DART, &GO, &JAVA, &KOTLIN, &PHP, &PYTHON, &RUBY, &RUST, &SWIFT, &TYPESCRIPT];

    pub fn case(&self, role: Role) -> Case {
        self.cases.iter().find(|(of, _)| *of == role).map_or(Case::Camel, |(_, case)| *case)
    }

    pub fn digit_prefix(&self, role: Role) -> &'static str {
        self.digit_prefixes.iter().find(|(of, _)| *of == role).map_or("_", |(_, prefix)| prefix)
    }

    /// The identifier that the words of `parts` make together. It is not unique: that is a matter of its scope.
    pub fn identifier(&self, role: Role, parts: &[&str]) -> String {
        self.identifiers()(role, parts)
    }

    /// [`Profile::identifier`] for many: the profile's words are made ready once.
    pub fn identifiers(&self) -> impl Fn(Role, &[&str]) -> String {
        let lexicon = Lexicon::new(self, &[]);
        move |role, parts| {
            let mut words = Words::default();
            for part in parts {
                words.push(part);
            }
            let mut name = String::new();
            self.spell(role, &mut words, &lexicon, &mut name);
            name
        }
    }

    /// Writes the identifier of `words` to `name`; says whether it had to be escaped to be one.
    pub(crate) fn spell(&self, role: Role, words: &mut Words, lexicon: &Lexicon, name: &mut String) -> bool {
        let mut escaped = words.is_empty();
        if words.is_empty() {
            words.push(role.fallback());
        }
        name.clear();
        words.write(self.case(role), name);
        if role == Role::Type && lexicon.is_builtin_type(name) {
            words.push("model");
            name.clear();
            words.write(self.case(role), name);
        }
        name.truncate(MAX_NAME_LEN);
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert_str(0, self.digit_prefix(role));
            escaped = true;
        }
        if lexicon.is_reserved(role, name) {
            name.push('_');
            escaped = true;
        }
        escaped
    }
}

/// The words of a profile, ready for look-ups.
pub(crate) struct Lexicon {
    words: Interner,
    /// The roles that each word is reserved for, a bit a role, and [`BUILTIN`].
    uses: Vec<u16>,
    ignores_case: bool,
}

/// The bit of a builtin type, above those of the roles.
const BUILTIN: u16 = 1 << 15;

impl Lexicon {
    /// The words of `profile`, and types that the target uses beside the builtin ones.
    pub fn new(profile: &Profile, used_types: &[&str]) -> Self {
        let mut lexicon = Self { words: Interner::new(), uses: Vec::new(), ignores_case: profile.ignores_case };
        for word in profile.builtin_types.iter().chain(used_types) {
            lexicon.add(word, BUILTIN);
        }
        for (roles, words) in profile.reserved.iter().map(|list| (list.roles, list.words)) {
            for (&role, word) in roles.iter().flat_map(|role| words.iter().map(move |word| (role, word))) {
                lexicon.reserve(role, word);
            }
        }
        for word in DEVICE_NAMES {
            lexicon.reserve(Role::File, word);
        }
        lexicon
    }

    /// Whether `name` is a word that `role` may not use.
    pub fn is_reserved(&self, role: Role, name: &str) -> bool {
        let bit = 1 << role as u16;
        if self.folds(role) { self.has(&name.to_ascii_lowercase(), bit) } else { self.has(name, bit) }
    }

    pub fn is_builtin_type(&self, name: &str) -> bool {
        self.has(name, BUILTIN)
    }

    fn reserve(&mut self, role: Role, word: &str) {
        let bit = 1 << role as u16;
        if self.folds(role) { self.add(&word.to_ascii_lowercase(), bit) } else { self.add(word, bit) }
    }

    /// Whether words of a role are compared without case: files are, since some file systems do so.
    fn folds(&self, role: Role) -> bool {
        self.ignores_case || role == Role::File
    }

    fn add(&mut self, word: &str, bit: u16) {
        let index = self.words.intern(word).index();
        if self.uses.len() <= index {
            self.uses.resize(index + 1, 0);
        }
        self.uses[index] |= bit;
    }

    fn has(&self, word: &str, bit: u16) -> bool {
        self.words.find(word).is_some_and(|sym| self.uses[sym.index()] & bit != 0)
    }
}

/// Longest identifier in characters. A longer name is cut; what then meets another gets a number.
pub const MAX_NAME_LEN: usize = 160;

/// Roles whose names stand alone, so that any keyword hurts.
const NAMES: &[Role] = &[Type, Variant, Field, Method, Param, Module, Function];

/// ECMAScript 2025, section 12.7.2 (with strict mode and module code), and what TypeScript adds for types.
#[rustfmt::skip]
pub const TYPESCRIPT: Profile = Profile {
    language: "typescript",
    title: "TypeScript",
    cases: &[
        (Type, Pascal),
        (Variant, Pascal),
        (Field, Camel),
        (Method, Camel),
        (Param, Camel),
        (Module, Camel),
        (Function, Camel),
        (File, Camel),
    ],
    reserved: &[
        Reserved {
            roles: &[Type, Param, Module, Function],
            words: &[
                "any", "arguments", "as", "async", "await", "bigint", "boolean", "break", "case", "catch", "class",
                "const", "continue", "debugger", "declare", "default", "delete", "do", "else", "enum", "eval",
                "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in",
                "instanceof", "interface", "let", "namespace", "never", "new", "null", "number", "object", "package",
                "private", "protected", "public", "return", "static", "string", "super", "switch", "symbol", "this",
                "throw", "true", "try", "type", "typeof", "undefined", "unknown", "var", "void", "while", "with",
                "yield",
            ],
        },
        Reserved { roles: &[Method], words: &["constructor"] },
        Reserved { roles: &[File], words: &["index"] },
    ],
    builtin_types: &[
        "Array", "ArrayBuffer", "AsyncIterable", "BigInt", "Blob", "Boolean", "Date", "Error", "File", "FormData",
        "Function", "Headers", "Infinity", "Iterable", "Map", "NaN", "Number", "Object", "Omit", "Partial", "Pick",
        "Promise", "ReadableStream", "Readonly", "ReadonlyArray", "Record", "Request", "Response", "Set", "String",
        "Symbol", "Uint8Array", "URL",
    ],
    digit_prefixes: &[],
    ignores_case: false,
    private_prefix: "_",
};

/// The Python language reference, section 2.3.1, and the members of Pydantic's models.
#[rustfmt::skip]
pub const PYTHON: Profile = Profile {
    language: "python",
    title: "Python",
    cases: &[
        (Type, Pascal),
        (Variant, Screaming),
        (Field, Snake),
        (Method, Snake),
        (Param, Snake),
        (Module, Snake),
        (Function, Snake),
        (File, Snake),
    ],
    reserved: &[
        Reserved {
            roles: &[Type, Variant, Field, Method, Param, Module, Function, File],
            words: &[
                "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
                "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
                "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
            ],
        },
        Reserved { roles: &[Method, Param], words: &["cls", "self"] },
        // Members of a model and names that annotations beside the field use.
        Reserved {
            roles: &[Field],
            words: &[
                "bool", "bytes", "construct", "copy", "date", "datetime", "dict", "float", "from_orm", "int", "json",
                "list", "model_computed_fields", "model_config", "model_construct", "model_copy", "model_dump",
                "model_dump_json", "model_extra", "model_fields", "model_fields_set", "model_json_schema",
                "model_parametrized_name", "model_post_init", "model_rebuild", "model_validate",
                "model_validate_json", "model_validate_strings", "object", "parse_file", "parse_obj", "parse_raw",
                "schema", "schema_json", "set", "str", "time", "timedelta", "tuple", "type", "update_forward_refs",
                "validate",
            ],
        },
        // `mro` and what the class of enums keeps for itself.
        Reserved { roles: &[Variant], words: &["MRO"] },
    ],
    builtin_types: &[
        "Annotated", "Any", "ArithmeticError", "BaseModel", "Callable", "ConfigDict", "ConnectionError", "Decimal",
        "Dict", "Enum", "Err", "Exception", "Field", "Generic", "IntEnum", "Iterable", "Iterator", "KeyError",
        "List", "Literal", "LookupError", "Mapping", "Ok", "Optional", "Result", "RuntimeError", "Sequence", "Set",
        "StrEnum", "TimeoutError", "Tuple", "Type", "TypedDict", "TypeError", "Union", "Unset", "ValueError",
        "Warning",
    ],
    digit_prefixes: &[(Field, "field_"), (Param, "field_"), (Module, "resource_"), (File, "resource_")],
    ignores_case: false,
    private_prefix: "_",
};

/// The Rust reference, section "Keywords": strict and reserved ones, edition 2024.
#[rustfmt::skip]
pub const RUST: Profile = Profile {
    language: "rust",
    title: "Rust",
    cases: &[
        (Type, Pascal),
        (Variant, Pascal),
        (Field, Snake),
        (Method, Snake),
        (Param, Snake),
        (Module, Snake),
        (Function, Snake),
        (File, Snake),
    ],
    reserved: &[
        Reserved {
            roles: &[Type, Variant, Field, Method, Param, Module, Function, File],
            words: &[
                "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
                "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
                "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
                "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized",
                "use", "virtual", "where", "while", "yield",
            ],
        },
        Reserved { roles: &[File, Module], words: &["alloc", "core", "mod", "std"] },
    ],
    builtin_types: &[
        "Box", "BTreeMap", "Clone", "Copy", "Debug", "Default", "Deserialize", "Err", "Error", "HashMap", "Iterator",
        "None", "Ok", "Option", "Result", "Send", "Serialize", "Some", "String", "Sync", "ToString", "Value", "Vec",
    ],
    digit_prefixes: &[],
    ignores_case: false,
    private_prefix: "__",
};

/// The Java language specification, section 3.9, with literals and contextual keywords that types may not be.
#[rustfmt::skip]
pub const JAVA: Profile = Profile {
    language: "java",
    title: "Java",
    cases: &[
        (Type, Pascal),
        (Variant, Screaming),
        (Field, Camel),
        (Method, Camel),
        (Param, Camel),
        (Module, Lower),
        (Function, Camel),
        (File, Pascal),
    ],
    reserved: &[
        Reserved {
            roles: NAMES,
            words: &[
                "_", "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const",
                "continue", "default", "do", "double", "else", "enum", "extends", "false", "final", "finally",
                "float", "for", "goto", "if", "implements", "import", "instanceof", "int", "interface", "long",
                "native", "new", "null", "package", "permits", "private", "protected", "public", "record", "return",
                "sealed", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw",
                "throws", "transient", "true", "try", "var", "void", "volatile", "when", "while", "yield",
            ],
        },
        // Members of every object; accessors and methods of these names would not override what they should.
        Reserved {
            roles: &[Field, Method],
            words: &["clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"],
        },
    ],
    builtin_types: &[
        "Boolean", "Byte", "Class", "Comparable", "Double", "Enum", "Error", "Exception", "Float", "Integer",
        "Iterable", "Iterator", "List", "Long", "Map", "Number", "Object", "Optional", "Override", "Record",
        "Runtime", "Set", "Short", "String", "System", "Thread", "Throwable", "Void",
    ],
    digit_prefixes: &[],
    ignores_case: false,
    private_prefix: "__",
};

/// The C# specification, section 6.4.4, with contextual keywords that hurt as parameters.
#[rustfmt::skip]
pub const CSHARP: Profile = Profile {
    language: "csharp",
    title: "C#",
    cases: &[
        (Type, Pascal),
        (Variant, Pascal),
        (Field, Pascal),
        (Method, Pascal),
        (Param, Camel),
        (Module, Pascal),
        (Function, Pascal),
        (File, Pascal),
    ],
    reserved: &[
        Reserved {
            roles: NAMES,
            words: &[
                "abstract", "as", "async", "await", "base", "bool", "break", "byte", "case", "catch", "char",
                "checked", "class", "const", "continue", "decimal", "default", "delegate", "do", "double", "dynamic",
                "else", "enum", "event", "explicit", "extern", "false", "file", "finally", "fixed", "float", "for",
                "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock", "long",
                "namespace", "new", "null", "object", "operator", "out", "override", "params", "private",
                "protected", "public", "readonly", "record", "ref", "required", "return", "sbyte", "scoped",
                "sealed", "short", "sizeof", "stackalloc", "static", "string", "struct", "switch", "this", "throw",
                "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "value", "var",
                "virtual", "void", "volatile", "while", "yield",
            ],
        },
        // Members of every object.
        Reserved {
            roles: &[Field, Method, Variant],
            words: &["Equals", "Finalize", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "ToString"],
        },
    ],
    builtin_types: &[
        "Action", "Attribute", "Boolean", "Byte", "Char", "Console", "DateOnly", "DateTime", "DateTimeOffset",
        "Decimal", "Dictionary", "Double", "Enum", "Environment", "Exception", "Func", "Guid", "IDictionary",
        "IEnumerable", "IList", "Int32", "Int64", "List", "Math", "Nullable", "Object", "Random", "Single", "Stream",
        "String", "System", "Task", "TimeOnly", "TimeSpan", "Tuple", "Type", "Uri", "Version",
    ],
    digit_prefixes: &[],
    ignores_case: false,
    private_prefix: "_",
};

/// The Kotlin grammar: hard keywords. Soft ones are identifiers everywhere that generated code needs.
#[rustfmt::skip]
pub const KOTLIN: Profile = Profile {
    language: "kotlin",
    title: "Kotlin",
    cases: &[
        (Type, Pascal),
        (Variant, Screaming),
        (Field, Camel),
        (Method, Camel),
        (Param, Camel),
        (Module, Lower),
        (Function, Camel),
        (File, Pascal),
    ],
    reserved: &[
        Reserved {
            roles: NAMES,
            words: &[
                "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface",
                "is", "null", "object", "package", "return", "super", "this", "throw", "true", "try", "typealias",
                "typeof", "val", "var", "when", "while",
            ],
        },
        Reserved {
            roles: &[Field, Method],
            words: &[
                "clone", "copy", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString",
                "wait",
            ],
        },
    ],
    builtin_types: &[
        "Any", "Array", "Boolean", "Byte", "ByteArray", "Char", "Comparable", "Double", "Enum", "Error", "Exception",
        "Float", "Int", "Iterable", "Iterator", "List", "Long", "Map", "MutableList", "MutableMap", "Nothing",
        "Number", "Pair", "Result", "Sequence", "Set", "Short", "String", "Throwable", "Unit",
    ],
    digit_prefixes: &[],
    ignores_case: false,
    private_prefix: "__",
};

/// The Swift Programming Language, "Lexical Structure": keywords of declarations, statements, expressions and types.
#[rustfmt::skip]
pub const SWIFT: Profile = Profile {
    language: "swift",
    title: "Swift",
    cases: &[
        (Type, Pascal),
        (Variant, Camel),
        (Field, Camel),
        (Method, Camel),
        (Param, Camel),
        (Module, Pascal),
        (Function, Camel),
        (File, Pascal),
    ],
    reserved: &[Reserved {
        roles: NAMES,
        words: &[
            "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case",
            "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
            "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "indirect", "init",
            "inout", "internal", "is", "let", "nil", "open", "operator", "precedencegroup", "private", "protocol",
            "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
            "throw", "throws", "true", "try", "typealias", "var", "where", "while",
        ],
    }],
    builtin_types: &[
        "Array", "Bool", "Character", "Codable", "CodingKey", "Data", "Date", "Decodable", "Decoder", "Dictionary",
        "Double", "Encodable", "Encoder", "Equatable", "Error", "Float", "Hashable", "Identifiable", "Int", "Int32",
        "Int64", "Never", "Optional", "Result", "Sendable", "Set", "String", "Task", "URL", "UUID", "Void",
    ],
    digit_prefixes: &[],
    ignores_case: false,
    private_prefix: "_",
};

/// The PHP manual, "List of Keywords", "List of other reserved words" and predefined constants; compared without case.
#[rustfmt::skip]
pub const PHP: Profile = Profile {
    language: "php",
    title: "PHP",
    cases: &[
        (Type, Pascal),
        (Variant, Pascal),
        (Field, Camel),
        (Method, Camel),
        (Param, Camel),
        (Module, Pascal),
        (Function, Camel),
        (File, Pascal),
    ],
    reserved: &[
        Reserved {
            roles: &[Type, Variant, Method, Module, Function],
            words: &[
                "__halt_compiler", "abstract", "and", "array", "as", "bool", "break", "callable", "case", "catch",
                "class", "clone", "const", "continue", "declare", "default", "die", "do", "echo", "else", "elseif",
                "empty", "enddeclare", "endfor", "endforeach", "endif", "endswitch", "endwhile", "enum", "eval",
                "exit", "extends", "false", "final", "finally", "float", "fn", "for", "foreach", "function",
                "global", "goto", "if", "implements", "include", "include_once", "instanceof", "insteadof", "int",
                "interface", "isset", "iterable", "list", "match", "mixed", "namespace", "never", "new", "null",
                "object", "or", "parent", "print", "private", "protected", "public", "readonly", "require",
                "require_once", "return", "self", "static", "string", "switch", "throw", "trait", "true", "try",
                "unset", "use", "var", "void", "while", "xor", "yield",
            ],
        },
        // A property or argument is written with `$`, so only the object itself is taken.
        Reserved { roles: &[Field, Param], words: &["this"] },
    ],
    builtin_types: &[
        "ArrayAccess", "ArrayObject", "BackedEnum", "Closure", "Countable", "DateInterval", "DateTime",
        "DateTimeImmutable", "DateTimeInterface", "Error", "Exception", "Generator", "Iterator", "IteratorAggregate",
        "JsonSerializable", "Stringable", "Throwable", "Traversable", "TypeError", "UnitEnum", "ValueError",
    ],
    digit_prefixes: &[],
    ignores_case: true,
    private_prefix: "_",
};

/// The Ruby documentation, "keywords". Constants may not start with `_`, so a leading digit gets `N`.
#[rustfmt::skip]
pub const RUBY: Profile = Profile {
    language: "ruby",
    title: "Ruby",
    cases: &[
        (Type, Pascal),
        (Variant, Screaming),
        (Field, Snake),
        (Method, Snake),
        (Param, Snake),
        (Module, Pascal),
        (Function, Snake),
        (File, Snake),
    ],
    reserved: &[
        Reserved {
            roles: NAMES,
            words: &[
                "BEGIN", "END", "__ENCODING__", "__FILE__", "__LINE__", "alias", "and", "begin", "break", "case",
                "class", "def", "defined", "do", "else", "elsif", "end", "ensure", "false", "for", "if", "in",
                "module", "next", "nil", "not", "or", "redo", "rescue", "retry", "return", "self", "super", "then",
                "true", "undef", "unless", "until", "when", "while", "yield",
            ],
        },
        // Members of every object that generated accessors would replace.
        Reserved {
            roles: &[Field, Method],
            words: &[
                "clone", "display", "dup", "extend", "freeze", "hash", "initialize", "inspect", "instance_of",
                "instance_variables", "itself", "method", "methods", "object_id", "public_send", "respond_to",
                "send", "singleton_class", "tap", "to_s",
            ],
        },
    ],
    builtin_types: &[
        "Array", "BasicObject", "Class", "Comparable", "Data", "Date", "DateTime", "Enumerable", "Enumerator",
        "Exception", "File", "Float", "Hash", "Integer", "IO", "Kernel", "Method", "Module", "NilClass", "Numeric",
        "Object", "Proc", "Process", "Random", "Range", "Regexp", "Set", "StandardError", "String", "Struct",
        "Symbol", "Thread", "Time",
    ],
    digit_prefixes: &[(Type, "N"), (Variant, "N"), (Module, "N")],
    ignores_case: false,
    private_prefix: "_",
};

/// The Dart language specification, section "Reserved Words", and built-in identifiers that types may not be.
#[rustfmt::skip]
pub const DART: Profile = Profile {
    language: "dart",
    title: "Dart",
    cases: &[
        (Type, Pascal),
        (Variant, Camel),
        (Field, Camel),
        (Method, Camel),
        (Param, Camel),
        (Module, Snake),
        (Function, Camel),
        (File, Snake),
    ],
    reserved: &[
        Reserved {
            roles: NAMES,
            words: &[
                "Function", "abstract", "as", "assert", "async", "await", "break", "case", "catch", "class", "const",
                "continue", "covariant", "default", "deferred", "do", "dynamic", "else", "enum", "export", "extends",
                "extension", "external", "factory", "false", "final", "finally", "for", "get", "if", "implements",
                "import", "in", "interface", "is", "late", "library", "mixin", "new", "null", "operator", "part",
                "required", "rethrow", "return", "set", "static", "super", "switch", "this", "throw", "true", "try",
                "typedef", "var", "void", "while", "with", "yield",
            ],
        },
        // Members of every object and of every enum.
        Reserved { roles: &[Field, Method, Variant], words: &["hashCode", "noSuchMethod", "runtimeType", "toString"] },
        Reserved { roles: &[Variant], words: &["index", "name", "values"] },
    ],
    builtin_types: &[
        "BigInt", "Comparable", "DateTime", "Deprecated", "Duration", "Enum", "Error", "Exception", "Future",
        "Iterable", "Iterator", "List", "Map", "Never", "Null", "Object", "Pattern", "Record", "RegExp", "Set",
        "Stream", "String", "Symbol", "Type", "Uint8List", "Uri",
    ],
    digit_prefixes: &[(Type, "$"), (Variant, "$"), (Field, "$"), (Method, "$"), (Param, "$"), (Function, "$")],
    ignores_case: false,
    private_prefix: "_",
};

/// The Go specification, section "Keywords". Predeclared identifiers may be shadowed only where nothing uses them.
#[rustfmt::skip]
pub const GO: Profile = Profile {
    language: "go",
    title: "Go",
    cases: &[
        (Type, Pascal),
        (Variant, Pascal),
        (Field, Pascal),
        (Method, Pascal),
        (Param, Camel),
        (Module, Lower),
        (Function, Pascal),
        // One word: an ending such as `_test` or `_linux` would mean something to the tools.
        (File, Lower),
    ],
    reserved: &[Reserved {
        roles: &[Param, Module],
        words: &[
            "any", "append", "bool", "break", "byte", "cap", "case", "chan", "clear", "close", "complex",
            "complex128", "complex64", "const", "continue", "copy", "default", "defer", "delete", "else", "error",
            "fallthrough", "false", "float32", "float64", "for", "func", "go", "goto", "if", "imag", "import",
            "init", "int", "int16", "int32", "int64", "int8", "interface", "iota", "len", "main", "make", "map",
            "max", "min", "new", "nil", "package", "panic", "print", "println", "range", "real", "recover", "return",
            "rune", "select", "string", "struct", "switch", "true", "type", "uint", "uint16", "uint32", "uint64",
            "uint8", "uintptr", "var",
        ],
    }],
    builtin_types: &["Client", "Error", "Option", "Result"],
    digit_prefixes: &[(Type, "N"), (Variant, "N"), (Field, "N"), (Method, "N"), (Function, "N")],
    ignores_case: false,
    private_prefix: "_",
};

#[cfg(test)]
mod tests {
    use super::{Lexicon, Profile, Role};

    #[test]
    fn every_role_of_every_language_has_a_case() {
        for profile in Profile::ALL {
            for role in Role::ALL {
                assert!(profile.cases.iter().any(|(of, _)| *of == role), "{} {role:?}", profile.language);
            }
        }
        assert!(Profile::ALL.windows(2).all(|pair| pair[0].language < pair[1].language));
    }

    #[test]
    fn word_lists_are_sorted_and_name_each_word_once() {
        for profile in Profile::ALL {
            let lists = profile.reserved.iter().map(|list| list.words);
            for words in lists {
                assert!(words.is_sorted_by(|a, b| a < b), "{}: {words:?}", profile.language);
            }
            let types = profile.builtin_types;
            assert!(types.is_sorted_by(|a, b| a.to_ascii_lowercase() < b.to_ascii_lowercase()), "{}", profile.language);
        }
    }

    #[test]
    fn no_reserved_word_survives_in_any_role() {
        for profile in Profile::ALL {
            let lexicon = Lexicon::new(profile, &[]);
            for list in profile.reserved {
                for (&role, &word) in list.roles.iter().flat_map(|role| list.words.iter().map(move |word| (role, word)))
                {
                    let name = profile.identifier(role, &[word]);
                    assert!(!lexicon.is_reserved(role, &name), "{} {role:?} {word} {name}", profile.language);
                }
            }
            for builtin in profile.builtin_types {
                let name = profile.identifier(Role::Type, &[builtin]);
                assert!(!profile.builtin_types.contains(&name.as_str()), "{} {builtin}", profile.language);
            }
        }
    }

    #[test]
    fn one_word_of_each_language_standard_is_escaped() {
        let cases = [
            ("typescript", Role::Param, "default", "default_"),
            ("typescript", Role::Method, "constructor", "constructor_"),
            ("typescript", Role::Method, "delete", "delete"),
            ("typescript", Role::Field, "constructor", "constructor"),
            ("python", Role::Method, "import", "import_"),
            ("python", Role::Module, "3d", "resource_3d"),
            ("rust", Role::Field, "type", "type_"),
            ("rust", Role::File, "mod", "mod_"),
            ("java", Role::Module, "new", "new_"),
            ("csharp", Role::Param, "params", "params_"),
            ("kotlin", Role::Method, "when", "when_"),
            ("swift", Role::Variant, "default", "default_"),
            ("php", Role::Type, "string", "String_"),
            ("php", Role::Variant, "CLASS", "Class_"),
            ("ruby", Role::Field, "end", "end_"),
            ("ruby", Role::Variant, "begin", "BEGIN_"),
            ("dart", Role::Variant, "values", "values_"),
            ("go", Role::Param, "range", "range_"),
        ];
        for (language, role, word, expect) in cases {
            let profile = Profile::ALL.into_iter().find(|profile| profile.language == language).expect("known");
            assert_eq!(profile.identifier(role, &[word]), expect, "{language} {role:?}");
        }
    }
}
