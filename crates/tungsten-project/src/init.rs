//! `tungsten init`: the two manifests of a new project, made from what the description says about itself.
//!
//! Writes `tungsten.yml` and `agent.yml` and nothing else, and only for a description that could be compiled: what is
//! no OpenAPI document is refused with the findings that `check` would have. What is there already is kept unless
//! `force` is given; a symlink or anything else that is no regular file is refused even then. Both places are looked at
//! before the first file is written.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::diag::quoted;
use base::source::Access;
use base::{Diagnostic, Severity, Source, Sources};
use tungsten_frontend::{Compiled, InputRequest, LoadError, Loader};
use tungsten_ir::{Ir, Method, OpKind};

use crate::disk::{DiskLoader, Root};
use crate::failure::Failure;
use crate::project::{beside, is_url};
use crate::targets::emitter;

/// What `init` was asked for.
#[derive(Debug)]
pub struct Request<'a> {
    pub dir: &'a Path,
    /// The description as the caller named it, relative to the working directory.
    pub from: Option<&'a Path>,
    pub name: Option<&'a str>,
    /// Built-in target names.
    pub targets: &'a [String],
    pub force: bool,
}

/// What `init` did.
#[derive(Debug, PartialEq, Eq)]
pub struct Written {
    pub api_name: String,
    pub namespace: String,
    pub spec: String,
    pub spec_found: bool,
    /// `tungsten.yml`, then `agent.yml`.
    pub files: Vec<WrittenFile>,
}

/// A file that `init` wrote.
#[derive(Debug, PartialEq, Eq)]
pub struct WrittenFile {
    pub path: PathBuf,
    pub overwritten: bool,
}

/// Targets of a project that asks for none, as far as this version has an emitter for them.
const DEFAULT_TARGETS: [&str; 3] = ["typescript", "python", "docs"];

/// The targets that `init` configures when none is asked for.
pub fn default_targets() -> Vec<&'static str> {
    DEFAULT_TARGETS.into_iter().filter(|target| emitter(target).is_some()).collect()
}

/// Why `init` did nothing.
#[derive(Debug)]
pub enum InitError {
    /// A manifest is there already.
    Exists(PathBuf),
    /// The manifest's place is taken by something that is no regular file.
    NotAFile(PathBuf),
    /// The description that was named is not there.
    NoSpec(PathBuf),
    /// A URL was named as the description.
    Url(String),
    /// A folder was named as the description; the description that lies in it, if one does.
    Folder(PathBuf, Option<PathBuf>),
    /// The file is no OpenAPI document that this version compiles: why, in diagnostics with errors among them.
    NotADescription(Vec<Diagnostic>, Arc<Sources>),
    BadName(String),
    Failure(Failure),
}

impl From<Failure> for InitError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Names under which a description is looked for.
const CANDIDATES: [&str; 3] = ["openapi.json", "openapi.yaml", "openapi.yml"];
const PLACEHOLDER: &str = "openapi.yaml";

/// Writes the manifests into the folder, which is created if missing.
pub fn init(request: &Request<'_>) -> Result<Written, InitError> {
    let found = find_spec(request)?;
    let facts = found.as_deref().map(read_facts).transpose()?.unwrap_or_default();
    std::fs::create_dir_all(request.dir).map_err(Failure::of("creating", request.dir))?;
    let dir = request.dir.canonicalize().map_err(Failure::of("opening", request.dir))?;
    let spec = match &found {
        Some(path) => relative(&dir, &path.canonicalize().map_err(Failure::of("opening", path))?),
        None => PLACEHOLDER.to_owned(),
    };
    let folder_name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let api_name = match request.name {
        Some(name) if tungsten_manifest::machine_name(name) == name => name.to_owned(),
        Some(name) => return Err(InitError::BadName(name.to_owned())),
        None => tungsten_manifest::api_name(facts.title.as_deref().into_iter().chain([folder_name.as_str()])),
    };
    let stem = found.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let namespace = tungsten_manifest::namespace_name(stem.as_deref().unwrap_or_default(), &api_name);
    let texts = [
        ("tungsten.yml", manifest_text(&api_name, &namespace, &spec, found.is_some(), &facts, request.targets)),
        ("agent.yml", agent_text(&namespace, &facts.effects)),
    ];
    let mut places = Vec::new();
    for (name, _) in &texts {
        let path = request.dir.join(name);
        let path = path.strip_prefix(".").unwrap_or(&path).to_owned();
        let overwritten = is_there(&path, request.force)?;
        places.push(WrittenFile { path, overwritten });
    }
    for (file, (_, text)) in places.iter().zip(&texts) {
        write_new(&file.path, text)?;
    }
    Ok(Written { api_name, namespace, spec, spec_found: found.is_some(), files: places })
}

fn find_spec(request: &Request<'_>) -> Result<Option<PathBuf>, InitError> {
    match request.from {
        Some(path) if path.is_file() => Ok(Some(path.to_owned())),
        Some(path) if path.is_dir() => Err(InitError::Folder(path.to_owned(), candidate(path))),
        Some(path) => match path.to_string_lossy() {
            url if is_url(&url) => Err(InitError::Url(url.into_owned())),
            _ => Err(InitError::NoSpec(path.to_owned())),
        },
        None => Ok(candidate(request.dir)),
    }
}

/// The description in a folder, under one of the names that descriptions mostly have.
fn candidate(folder: &Path) -> Option<PathBuf> {
    CANDIDATES.iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// What a description says about itself.
#[derive(Default)]
struct Facts {
    title: Option<String>,
    server: Option<String>,
    /// By path, then by method.
    effects: Vec<Effect>,
}

/// An operation that changes something.
struct Effect {
    path: String,
    method: Method,
    /// Without the namespace.
    id: String,
}

/// Methods with side effects, in the order in which the operations of a path are listed.
const CHANGING: [Method; 4] = [Method::Post, Method::Put, Method::Patch, Method::Delete];

fn effects(ir: &Ir) -> Vec<Effect> {
    let name = |sym| ir.names.resolve(sym).to_owned();
    let calls = ir.ops.rows.iter().filter(|(_, op)| op.kind == OpKind::Call && CHANGING.contains(&op.method));
    let mut effects: Vec<Effect> =
        calls.map(|(_, op)| Effect { path: name(op.path.raw), method: op.method, id: name(op.local_id) }).collect();
    let rank = |method: Method| CHANGING.iter().position(|known| *known == method);
    effects.sort_by(|a, b| a.path.cmp(&b.path).then_with(|| rank(a.method).cmp(&rank(b.method))));
    effects
}

/// Reads title and first server. A description with faults in it gives what it has, and `check` will name the faults;
/// one of which nothing can be compiled is refused.
fn read_facts(path: &Path) -> Result<Facts, InitError> {
    let compiled = compile_alone(path);
    let Some(ir) = &compiled.ir else {
        let mut diagnostics = compiled.diags.finish(&compiled.sources);
        diagnostics.retain(|found| found.severity == Severity::Error);
        return Err(InitError::NotADescription(diagnostics, Arc::new(compiled.sources)));
    };
    let docs = &compiled.docs;
    let effects = effects(ir);
    let Some(first) = docs.docs.ids().next() else { return Ok(Facts { effects, ..Facts::default() }) };
    let member = |value: base_doc::Value<'_>, key: &str| {
        docs.keys.find(key).and_then(|key| value.get(key)).map(base_doc::Value::at)
    };
    let root = docs.root(first);
    let title = member(root, "info").and_then(|info| member(docs.value(info), "title"));
    let first_server =
        member(root, "servers").and_then(|servers| docs.value(servers).children().next().map(base_doc::Value::at));
    let url = first_server.and_then(|server| member(docs.value(server), "url"));
    let text = |at: Option<base_doc::NodeRef>| at.and_then(|at| docs.value(at).as_str()).map(str::to_owned);
    Ok(Facts { title: text(title), server: text(url), effects })
}

/// Compiles one document without those that it refers to, which are no concern of a manifest.
fn compile_alone(path: &Path) -> Compiled {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let disk = DiskLoader::new(Root::at(folder, beside(&path.to_string_lossy())), Access::Map);
    let input = InputRequest { namespace: "api".to_owned(), spec: name.clone() };
    let request = tungsten_frontend::Request {
        api_name: "api".to_owned(),
        inputs: vec![input],
        ..tungsten_frontend::Request::default()
    };
    tungsten_frontend::compile(&request, &Alone { disk, name })
}

/// Reads one file and finds no other.
struct Alone {
    disk: DiskLoader,
    name: String,
}

impl Loader for Alone {
    fn load(&self, path: &str) -> Result<Source, LoadError> {
        if path == self.name { self.disk.load(path) } else { Err(LoadError::NotFound) }
    }

    fn name(&self, path: &str) -> String {
        self.disk.name(path)
    }
}

/// The path from a folder to a file, `/`-separated, with `..` where the file lies outside.
fn relative(dir: &Path, file: &Path) -> String {
    let (dir, file): (Vec<_>, Vec<_>) = (dir.components().collect(), file.components().collect());
    let n_common = dir.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), dir.len() - n_common);
    let down = file[n_common..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

fn manifest_text(
    api_name: &str,
    namespace: &str,
    spec: &str,
    spec_found: bool,
    facts: &Facts,
    targets: &[String],
) -> String {
    let mut out = format!("tungsten: 1\napi:\n  name: {api_name}\n");
    if let Some(title) = &facts.title {
        let _ = writeln!(out, "  title: {}", yaml_string(title));
    }
    let todo = if spec_found { "" } else { " # TODO: the path of the OpenAPI document" };
    let _ = write!(out, "inputs:\n  - namespace: {namespace}\n    spec: {}{todo}\n", yaml_string(spec));
    out.push_str("servers:\n");
    if let Some(server) = facts.server.as_ref().filter(|url| url.starts_with("http") && !url.contains(['{', ' '])) {
        let _ = writeln!(out, "  default: {}", yaml_string(server));
    }
    out.push_str("  allow_override: true\ntargets:\n");
    let has = |name: &str| targets.iter().any(|target| target == name);
    // The browser adapter calls the SDK, so it needs one.
    let sdk = ["typescript".to_owned()];
    let added = sdk.iter().filter(|_| has("webmcp") && !has("typescript"));
    for target in targets.iter().chain(added) {
        let calls_sdk = target == "webmcp" || target == "mcp" && has("typescript");
        let sdk = if calls_sdk { ", sdk_path: ../typescript" } else { "" };
        let _ = writeln!(out, "  {target}: {{ out: generated/{target}{sdk} }}");
    }
    out
}

/// `agent.yml` with the defaults that hold anyway, and a list of what its owner should look at.
fn agent_text(namespace: &str, effects: &[Effect]) -> String {
    let mut out = String::from(
        "# What agents may do with this API. `tungsten schema agent` describes every key.
agent: 1
defaults:
  safety:
    get: read_only
    post: mutating
    put: mutating
    patch: mutating
    delete: destructive
  idempotency: none
",
    );
    if effects.is_empty() {
        return out;
    }
    out.push_str(
        "# TODO: review the operations with side effects. Give one that needs it a tier of its own, such as:
# tools:
",
    );
    let example = effects.iter().find(|effect| effect.method == Method::Delete).unwrap_or(&effects[0]);
    let reference = |effect: &Effect| format!("{namespace}.{}", effect.id);
    let tier = if example.method == Method::Delete { "irreversible" } else { "destructive" };
    let _ = writeln!(out, "#   - operation: {}\n#     safety: {tier}\n#", yaml_string(&reference(example)));
    for effect in effects {
        // Quoted: a text of the description is one line of the comment and no more.
        let (path, id) = (quoted(&effect.path), quoted(&reference(effect)));
        let _ = writeln!(out, "# {} {path} {id}", effect.method.key().unwrap_or_default());
    }
    out
}

/// A double-quoted YAML scalar: JSON strings are one of its forms (YAML 1.2, section 1.3).
fn yaml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a file is there that may be overwritten.
fn is_there(path: &Path, force: bool) -> Result<bool, InitError> {
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => Err(InitError::NotAFile(path.to_owned())),
        Ok(_) if !force => Err(InitError::Exists(path.to_owned())),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Failure::of("looking at", path)(error).into()),
    }
}

fn write_new(path: &Path, text: &str) -> Result<(), InitError> {
    let temporary = path.with_extension("yml.new");
    let write = || {
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        std::fs::rename(&temporary, path)
    };
    Ok(write().map_err(Failure::of("writing", path))?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use base::Code;

    use super::{DEFAULT_TARGETS, InitError, Request, default_targets, init};

    fn request<'a>(dir: &'a Path, targets: &'a [String]) -> Request<'a> {
        Request { dir, from: None, name: None, targets, force: false }
    }

    #[test]
    fn the_manifest_says_what_the_description_says() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let text = "openapi: 3.0.0\ninfo: { title: \"Pet Store: two\", version: '1' }\nservers: [{ url: https://api.example.test }]\npaths: {}\n";
        fs::write(dir.path().join("openapi.yaml"), text).expect("writable");
        let targets = ["typescript".to_owned()];
        let written = init(&request(dir.path(), &targets)).expect("written");
        assert_eq!(
            (written.api_name.as_str(), written.spec.as_str(), written.spec_found),
            ("pet_store_two", "openapi.yaml", true)
        );
        let manifest = fs::read_to_string(dir.path().join("tungsten.yml")).expect("there");
        assert!(
            manifest.contains("title: \"Pet Store: two\"")
                && manifest.contains("default: \"https://api.example.test\"")
        );
        assert!(matches!(init(&request(dir.path(), &targets)), Err(InitError::Exists(_))));
        let forced = init(&Request { force: true, ..request(dir.path(), &targets) }).expect("forced");
        assert!(forced.files.iter().all(|file| file.overwritten));
    }

    #[test]
    fn what_changes_something_is_listed_for_review() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let text = "openapi: 3.0.0
info: { title: Pets, version: '1' }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    delete: { operationId: removePet, responses: { '204': { description: ok } } }
    patch: { operationId: \"mend\\nPet: x\", responses: { '204': { description: ok } } }
  /pets:
    get: { operationId: listPets, responses: { '204': { description: ok } } }
    post: { operationId: createPet, responses: { '204': { description: ok } } }
";
        fs::write(dir.path().join("openapi.yaml"), text).expect("writable");
        init(&request(dir.path(), &[])).expect("written");
        let agent = fs::read_to_string(dir.path().join("agent.yml")).expect("there");
        let comments: Vec<&str> = agent.lines().filter(|line| line.starts_with('#')).skip(1).collect();
        assert_eq!(
            comments,
            [
                "# TODO: review the operations with side effects. Give one that needs it a tier of its own, such as:",
                "# tools:",
                "#   - operation: \"pets.removePet\"",
                "#     safety: irreversible",
                "#",
                "# post `/pets` `pets.createPet`",
                "# patch `/pets/{id}` `pets.mend\\u{a}Pet: x`",
                "# delete `/pets/{id}` `pets.removePet`",
            ]
        );
    }

    #[test]
    fn an_agent_manifest_is_kept() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        fs::write(dir.path().join("agent.yml"), "agent: 1\n").expect("writable");
        assert!(matches!(init(&request(dir.path(), &[])), Err(InitError::Exists(path)) if path.ends_with("agent.yml")));
        assert!(!dir.path().join("tungsten.yml").exists());
    }

    #[test]
    fn adapters_call_the_sdk_beside_them() {
        let targets = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let text = super::manifest_text("a", "a", "a.yaml", true, &super::Facts::default(), &names);
            text.split_once("targets:\n").expect("targets").1.to_owned()
        };
        assert_eq!(
            targets(&["webmcp"]),
            "  webmcp: { out: generated/webmcp, sdk_path: ../typescript }\n  typescript: { out: generated/typescript }\n"
        );
        assert_eq!(targets(&["mcp"]), "  mcp: { out: generated/mcp }\n");
        assert!(targets(&["typescript", "mcp"]).contains("mcp: { out: generated/mcp, sdk_path: ../typescript }"));
    }

    #[test]
    fn without_a_description_the_path_is_left_to_do() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let written = init(&Request { name: Some("shop"), ..request(dir.path(), &[]) }).expect("written");
        assert!(!written.spec_found);
        assert!(fs::read_to_string(dir.path().join("tungsten.yml")).expect("there").contains("# TODO"));
        let missing = dir.path().join("none.yaml");
        let request = Request { from: Some(&missing), force: true, ..request(dir.path(), &[]) };
        assert!(matches!(init(&request), Err(InitError::NoSpec(_))));
    }

    #[test]
    fn what_is_no_description_is_refused() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let cases = [
            ("README.md", "# Pets\n\nThis is: a text.\n- a\n", Code::TG0102),
            ("notes.txt", "Remember the milk.\n", Code::TG0104),
            ("list.json", "[1]", Code::TG0104),
            ("package.json", "{\"name\": \"pets\", \"version\": \"1.0.0\"}", Code::TG0103),
            ("swagger.json", "{\"swagger\": \"2.0\"}", Code::TG0103),
            ("empty.yaml", "", Code::TG0102),
            ("cut.json", "{\"openapi\": \"3.1.0\",", Code::TG0102),
        ];
        for (name, text, code) in cases {
            let path = dir.path().join(name);
            fs::write(&path, text).expect("writable");
            let request = Request { from: Some(&path), ..request(dir.path(), &[]) };
            let Err(InitError::NotADescription(found, sources)) = init(&request) else { panic!("{name} is accepted") };
            assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [code], "{name}");
            assert_eq!(found[0].place.file_name(&sources), path.to_string_lossy(), "{name}");
            assert!(!dir.path().join("tungsten.yml").exists(), "{name}");
        }
        let folder = Request { from: Some(dir.path()), ..request(dir.path(), &[]) };
        assert!(matches!(init(&folder), Err(InitError::Folder(_, None))));
        let url = Request { from: Some(Path::new("https://pets.example.test/a.json")), ..request(dir.path(), &[]) };
        assert!(matches!(init(&url), Err(InitError::Url(_))));
    }

    #[test]
    fn faults_in_a_description_are_left_to_check() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let text = "openapi: 3.0.0\ninfo: { title: Pets }\npaths: { /a: { $ref: 'a.yaml' }, /b: { $ref: '#/none' } }\n";
        fs::write(dir.path().join("openapi.yaml"), text).expect("writable");
        assert_eq!(init(&request(dir.path(), &[])).expect("written").api_name, "pets");
    }

    #[test]
    fn default_targets_have_an_emitter() {
        let targets = default_targets();
        assert!(targets.contains(&"typescript"));
        for target in DEFAULT_TARGETS {
            assert_eq!(targets.contains(&target), crate::targets::emitter(target).is_some(), "{target}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_is_refused_even_under_force() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::os::unix::fs::symlink(dir.path().join("x"), dir.path().join("tungsten.yml")).expect("linkable");
        let request = Request { force: true, ..request(dir.path(), &[]) };
        assert!(matches!(init(&request), Err(InitError::NotAFile(_))));
    }
}
