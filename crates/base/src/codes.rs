//! The registry of diagnostic codes: one row here and one page in `codes/` for each. From these come the enum,
//! `tungsten explain`, the documentation and the tests. A code is never used for another meaning.

use crate::diag::Severity;

macro_rules! codes {
    ($($code:ident $severity:ident $title:literal;)+) => {
        /// A diagnostic code, `TGnnnn`; the first two digits name its area.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $code,)+
        }

        /// All codes in order.
        pub const ALL: &[Code] = &[$(Code::$code,)+];

        impl Code {
            /// `TGnnnn`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => stringify!($code),)+ }
            }

            /// One line, lower-case start, no full stop.
            pub fn title(self) -> &'static str {
                match self { $(Self::$code => $title,)+ }
            }

            pub fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)+ }
            }

            /// The code's page: Markdown with `Meaning.`, `Fix.`, a bad and a good example.
            pub fn page(self) -> &'static str {
                match self { $(Self::$code => include_str!(concat!("../codes/", stringify!($code), ".md")),)+ }
            }
        }
    };
}

codes! {
    TG0101 Error "input file could not be read";
    TG0102 Error "input is not valid JSON or YAML";
    TG0103 Error "unsupported OpenAPI version";
    TG0104 Error "document lacks something it cannot mean anything without";
    TG0105 Error "input exceeds a work budget";
    TG0110 Warning "document breaks the OpenAPI format in a way that has one reading";
    TG0111 Info "path key carries a query string; its pairs are sent on every call";
    TG0112 Info "header credential scheme inferred from a header parameter";
    TG0201 Error "unresolvable $ref";
    TG0202 Error "remote $ref is not fetched";
    TG0203 Info "types refer to each other in a circle; the recursion is kept";
    TG0204 Error "$ref leaves the input root";
    TG0205 Error "circle of $refs without a type in it";
    TG0206 Warning "overlay action matches nothing";
    TG0207 Error "overlay document or action is invalid";
    TG0301 Warning "untagged union; its variants are tried in order";
    TG0302 Warning "members of an allOf contradict each other";
    TG0303 Info "schema keyword is not modelled";
    TG0304 Info "unknown string format; treated as a plain string";
    TG0305 Info "schema states no type; any value is accepted";
    TG0306 Warning "discriminator cannot be applied as written";
    TG0307 Warning "schema admits no value";
    TG0308 Warning "types.break_cycles entry names no property on a circle";
    TG0309 Warning "`type` names no JSON type";
    TG0310 Warning "number that a double does not hold";
    TG0311 Warning "schema contradicts itself";
    TG0401 Warning "two names meet in one scope; one was renamed";
    TG0402 Info "name is not an identifier; it was escaped";
    TG0403 Info "operation has no operationId; one was made from its method and path";
    TG0501 Info "pagination inferred";
    TG0502 Warning "security requirement names an undefined scheme";
    TG0503 Error "auth profile satisfies an undefined scheme";
    TG0504 Info "operation left out or only planned by the manifest";
    TG0505 Info "runtime gate recorded from x-runtime-gate";
    TG0506 Error "rpc_unflatten names no envelope of methods";
    TG0507 Warning "path placeholder without a parameter; a required string is assumed";
    TG0508 Warning "malformed part of an operation ignored";
    TG0509 Warning "unsupported security scheme ignored";
    TG0530 Warning "event stream states no schema; events are any JSON value";
    TG0531 Warning "event stream under several success statuses; the first is used";
    TG0532 Info "sequence of parts in an answer is passed as bytes";
    TG0570 Warning "invalid search.embeddings of the mcp target; the index is off";
    TG0601 Error "manifest is not valid YAML";
    TG0602 Error "manifest does not have the expected shape";
    TG0603 Warning "manifest names an unknown operation";
    TG0604 Warning "manifest names an unknown namespace, tag, resource or path";
    TG0605 Warning "agent rule names an operation that cannot serve it";
    TG0606 Warning "remediation names an unknown error code";
    TG0607 Warning "agent rule names a field or a value that the operation does not have";
    TG0608 Warning "gate is not declared or disagrees with the description";
    TG0609 Warning "macro left out, or its safety tier raised";
    TG0610 Warning "unknown `x-agent-*` extension ignored";
    TG0611 Warning "malformed `x-agent-*` extension ignored";
    TG0612 Error "targets share or nest their output directories";
    TG0613 Warning "option of agent.yml is not applied by this version";
    TG0614 Warning "gate that no operation names";
    TG0615 Warning "manifest option is not applied by this version";
    TG0620 Warning "auth profile has no effect";
    TG0621 Warning "pagination entry names what the operation does not have";
    TG0701 Error "output could not be written";
    TG0702 Info "target has no emitter in this version; skipped";
    TG0703 Error "output directory belongs to somebody else";
    TG0704 Error "output path leaves the output directory or is reserved";
    TG0705 Warning "option that the target does not have";
    TG0711 Warning "invalid option of the typescript target; the default is used";
    TG0712 Info "OpenID Connect scheme is sent as a bearer token";
    TG0713 Warning "unions that hold together make too many alternatives for a type";
    TG0714 Warning "typescript SDK cannot send what an operation describes";
    TG0720 Warning "invalid option of the mcp target; the default is used";
    TG0731 Warning "invalid option of the python target; the default is used";
    TG0740 Warning "invalid option of the rust target; the default is used";
    TG0760 Info "types that no operation reaches are left out";
    TG0790 Warning "invalid option of the webmcp target; the default is used";
    TG0901 Error "generated output is stale";
    TG0920 Warning "overlay suggest: no action can be made for a finding that has one in principle";
    TG0921 Info "overlay suggest: no overlay action fixes findings of this code";
}

impl Code {
    /// The code of that name, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        ALL.iter().copied().find(|code| code.name().eq_ignore_ascii_case(name))
    }

    /// What to do, where it is the same for every finding of the code; a finding may know better. Every error about a
    /// description has one, and so has each warning whose message does not say what was done instead.
    pub fn help(self) -> Option<&'static str> {
        Some(match self {
            Self::TG0101 => "correct the path or the permissions; a path in `tungsten.yml` is counted from its folder",
            Self::TG0102 => "repair the text at this place",
            Self::TG0103 => "state the OpenAPI version that the document is written in; convert Swagger 2.0 first",
            Self::TG0104 => "name the OpenAPI document itself, not a list of documents, a part of one or an example",
            Self::TG0105 => {
                "if a generator repeats itself, mend that; else split the input into smaller parts that `$ref` each \
                 other (`tungsten explain TG0105` lists the limits)"
            }
            Self::TG0201 => "correct the reference or add what it names; upper and lower case matter",
            Self::TG0202 => "keep a copy beside the document and refer to it by a relative path",
            Self::TG0204 => "move the file below the input root, or put a `tungsten.yml` into a folder that holds both",
            Self::TG0205 => "let one schema of the circle say what its values are",
            Self::TG0206 => "correct the path so that it names what the document has, or remove the action",
            Self::TG0207 => "write the overlay as OpenAPI Overlay 1.0 or 1.1 has it",
            Self::TG0301 => {
                "give every variant a required property with a `const` of its own and name it in a `discriminator`"
            }
            Self::TG0302 => "let the places agree, or leave out the one that is not meant",
            Self::TG0306 => {
                "let every variant be an object with the property, and every entry of the mapping name a variant"
            }
            Self::TG0307 => "state the values that are meant, or take the schema out",
            Self::TG0503 => "list schemes as `components/securitySchemes` names them",
            Self::TG0506 => {
                "name the path, the method and the properties of an operation whose body is one of several methods"
            }
            Self::TG0509 => {
                "complete the scheme; for a kind that is not supported, give the client a transport that sends the \
                 credential"
            }
            _ => return None,
        })
    }

    /// What the code's area is about.
    pub fn area(self) -> &'static str {
        match &self.name()[2..4] {
            "01" => "parsing and input limits",
            "02" => "references and cycles",
            "03" => "types",
            "04" => "naming",
            "05" => "operations, pagination and authentication",
            "06" => "manifests",
            "07" => "emitters and output",
            _ => "commands",
        }
    }

    /// One section of the page: the text behind `**Meaning.**` or `**Fix.**`, up to the next blank line.
    pub fn section(self, name: &str) -> &'static str {
        let marker = format!("**{name}.**");
        let rest = self.page().split_once(marker.as_str()).map_or("", |(_, rest)| rest);
        rest.split("\n\n").next().unwrap_or_default().trim()
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Code};

    #[test]
    fn every_code_has_a_page_in_the_common_form() {
        for code in ALL {
            let page = code.page();
            assert!(page.starts_with(&format!("# {code}: {}\n", code.title())), "{code}: heading");
            assert!(!code.section("Meaning").is_empty(), "{code}: meaning");
            assert!(!code.section("Fix").is_empty(), "{code}: fix");
        }
    }

    #[test]
    fn every_page_has_a_code() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/codes");
        for entry in std::fs::read_dir(folder).expect("the folder is part of the crate") {
            let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
            assert!(Code::parse(name.trim_end_matches(".md")).is_some(), "{name} belongs to no code");
        }
    }

    #[test]
    fn titles_start_small_and_end_without_a_stop() {
        for code in ALL {
            let title = code.title();
            assert!(
                !title.ends_with('.') && !title.starts_with(char::is_uppercase) || title.starts_with("OpenID"),
                "{code}"
            );
        }
        assert!(ALL.is_sorted());
    }
}
