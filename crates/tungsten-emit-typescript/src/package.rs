//! The target's options and `package.json`.
//!
//! Reads the raw options; writes checked values and the manifest. Defaults that depend on the API are made here.

use base::{Code, Diags, SpecText};
use tungsten_emit::escape::json;
use tungsten_emit::{Grammar, Input, OptionKind, OptionRow, OptionTable};
use tungsten_ir::profile::{Role, TYPESCRIPT};
use tungsten_ir::words::{Case, Words};

/// The options of the target, for the reader, the manifest's schema and the reference page.
pub const OPTIONS: OptionTable = OptionTable {
    target: "typescript",
    code: Code::TG0711,
    rows: &[
        OptionRow {
            name: "package",
            kind: OptionKind::Text(Grammar::NpmName),
            default: "`<api-kebab>-sdk`",
            doc: "Name of the npm package.",
        },
        OptionRow {
            name: "version",
            kind: OptionKind::Text(Grammar::Version),
            default: "`0.1.0`",
            doc: "Version of the npm package.",
        },
        OptionRow {
            name: "runtime",
            kind: OptionKind::Text(Grammar::Range),
            default: "`^0.1.0`",
            doc: "Version range of the runtime that the package depends on.",
        },
        OptionRow {
            name: "runtime_path",
            kind: OptionKind::Text(Grammar::RelativePath),
            default: "none",
            doc: "Folder of the runtime, relative to the output; replaces the version range.",
        },
    ],
};

/// The module of what the API sends, before the last of `exports`.
const WEBHOOKS_EXPORT: &str = r#""./webhooks": {
      "types": "./dist/webhooks.d.ts",
      "default": "./dist/webhooks.js"
    },
    "#;

/// What the package is called and depends on.
#[derive(Debug)]
pub(crate) struct Package {
    pub name: String,
    pub version: String,
    runtime: String,
    /// Version of the generator.
    pub generator: String,
    /// Class of the client.
    pub client: String,
    /// The API's machine name.
    pub api: String,
    api_version: String,
}

impl Package {
    /// Checks the options; a wrong one is reported and its default is used.
    pub(crate) fn new(input: &Input<'_>, diags: &mut Diags) -> Self {
        let options = OPTIONS.read(input.options, diags);
        let api = input.ir.names.resolve(input.ir.api.name).to_owned();
        let text = |name: &str, default: String| options.text(name).map_or(default, str::to_owned);
        let runtime = match options.text("runtime_path") {
            Some(path) => format!("file:{path}"),
            None => text("runtime", "^0.1.0".to_owned()),
        };
        Self {
            name: text("package", default_name(&api)),
            version: text("version", "0.1.0".to_owned()),
            runtime,
            generator: input.header.version.clone(),
            client: TYPESCRIPT.identifier(Role::Type, &[&api, "client"]),
            api,
            api_version: input.ir.names.resolve(input.ir.api.version).to_owned(),
        }
    }

    /// `package.json`.
    pub(crate) fn manifest(&self, has_macros: bool, has_webhooks: bool) -> String {
        let quoted = |text: &str| json::string(SpecText::new(text));
        let description = format!("TypeScript SDK for the {} API ({})", self.api, self.api_version);
        let last_export = "\"./package.json\": \"./package.json\"";
        let webhooks = if has_webhooks { WEBHOOKS_EXPORT } else { "" };
        fill(
            include_str!("../assets/package.json"),
            &[
                (last_export, format!("{webhooks}{last_export}")),
                ("\"__PACKAGE__\"", quoted(&self.name)),
                ("\"__VERSION__\"", quoted(&self.version)),
                ("\"__DESCRIPTION__\"", quoted(&description)),
                ("\"__RUNTIME__\"", quoted(&self.runtime)),
                ("\n    \"./macros\": \"__MACROS__\",", if has_macros { MACROS.to_owned() } else { String::new() }),
            ],
        )
    }
}

/// The entry of the macros.
const MACROS: &str = r#"
    "./macros": {
      "types": "./dist/macros.d.ts",
      "default": "./dist/macros.js"
    },"#;

/// `<api-kebab>-sdk`. An API's name holds letters and digits; anything else would not be an npm name.
fn default_name(api: &str) -> String {
    let snake = Words::of(api).to_case(Case::Snake);
    let kebab: String = snake.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let kebab = kebab.trim_matches('-');
    if kebab.is_empty() { "api-sdk".to_owned() } else { format!("{}-sdk", kebab.chars().take(200).collect::<String>()) }
}

/// Fills placeholders in one pass, so that a value that looks like a placeholder stays what it is.
pub(crate) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while !rest.is_empty() {
        let next = values
            .iter()
            .filter_map(|(mark, value)| rest.find(mark).map(|at| (at, *mark, value)))
            .min_by_key(|(at, ..)| *at);
        let Some((at, mark, value)) = next else { break };
        out.push_str(&rest[..at]);
        out.push_str(value);
        rest = &rest[at + mark.len()..];
    }
    out.push_str(rest);
    out
}
