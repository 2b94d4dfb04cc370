//! Finds and reads a project: a folder with `tungsten.yml`, a manifest by name, or a single OpenAPI document.
//!
//! Decides the input root, the one folder below which documents are read: the project's folder, or the nearest folder
//! that also holds every document that the manifest names. A single document may read beside itself and below.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use base::limits::{self, FILE_BYTES};
use base::source::{Access, OpenError};
use base::{Code, Diagnostic, Diags, Place, Source, SourceId, Sources};
use tungsten_manifest::{AgentManifest, Manifest};

use crate::disk::Root;
use crate::doctor;
use crate::failure::Failure;

/// Manifest names that are looked for in a folder.
const MANIFEST_NAMES: [&str; 2] = ["tungsten.yml", "tungsten.yaml"];

/// A project as it was found. With errors among the diagnostics there may be no manifest.
#[derive(Debug)]
pub struct Opened {
    /// Absolute folder of the project: output folders are relative to it.
    pub dir: PathBuf,
    pub manifest: Option<Manifest>,
    /// What `agent.yml` says, where there is one.
    pub agent: Option<AgentManifest>,
    /// Name of that file.
    pub agent_name: Option<String>,
    /// Folder below which documents are read.
    pub root: Root,
    /// How the names of the project's files are shown to people.
    pub shown: Shown,
    /// Name of the project's own manifest; nothing for a single document, whose manifest is the default one.
    pub manifest_name: Option<String>,
    pub sources: Arc<Sources>,
    pub diagnostics: Vec<Diagnostic>,
}

/// How files are shown to somebody who stands in the working directory, whereas their names in diagnostics are counted
/// from the project's folder, so that `--json` says the same wherever it is called.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Shown {
    /// The project's folder as it is seen from the working directory; empty, or `/`-terminated.
    folder: String,
}

impl Shown {
    /// For the folder that was named as `given`, which is `absolute`. Below the working directory it is shown from
    /// there, elsewhere as it was named.
    fn of(given: &Path, absolute: &Path, here: &Path) -> Self {
        let folder = match absolute.strip_prefix(here) {
            Ok(inside) => inside.to_string_lossy(),
            Err(_) => given.to_string_lossy(),
        };
        let folder = folder.replace('\\', "/");
        let is_closed = folder.is_empty() || folder.ends_with('/');
        Self { folder: if is_closed { folder } else { folder + "/" } }
    }

    /// The path under which the file or folder of a name can be opened from the working directory.
    pub fn path(&self, name: &str) -> String {
        let (mut folder, mut name) = (self.folder.as_str(), name);
        if name.is_empty() || name.starts_with('/') {
            return name.to_owned();
        }
        while let Some(outside) = name.strip_prefix("../") {
            let parent = folder.trim_end_matches('/');
            let start = parent.rfind('/').map_or(0, |slash| slash + 1);
            if matches!(&parent[start..], "" | "." | "..") {
                break;
            }
            (folder, name) = (&folder[..start], outside);
        }
        format!("{folder}{name}")
    }
}

/// A local package that a target's options name.
#[derive(Debug)]
pub struct LocalPackage {
    pub target: String,
    pub option: String,
    pub path: String,
    pub found: bool,
}

impl Opened {
    /// Configured targets, in manifest order.
    pub fn target_names(&self) -> Vec<String> {
        let targets = self.manifest.iter().flat_map(|manifest| manifest.targets.iter());
        targets.map(|(name, _)| name.to_string()).collect()
    }

    /// The local packages that `*_path` options of the targets name.
    pub fn local_packages(&self) -> Vec<LocalPackage> {
        let mut packages = Vec::new();
        for (name, target) in self.manifest.iter().flat_map(|manifest| manifest.targets.iter()) {
            for option in target.options.iter().filter(|option| option.key.ends_with("_path")) {
                let tungsten_manifest::Raw::Text(path) = &option.value else { continue };
                packages.push(LocalPackage {
                    target: name.to_string(),
                    option: option.key.clone(),
                    path: path.clone(),
                    found: doctor::has_package(&self.dir.join(target.out.normalized()).join(path)),
                });
            }
        }
        packages
    }
}

/// Opens what the command line names. Fails only on trouble with the world; a missing file is a diagnostic.
pub fn open(path: &Path) -> Result<Opened, Failure> {
    let mut diags = Diags::new();
    let mut sources = Sources::new();
    let display = path.to_string_lossy().replace('\\', "/");
    let here = std::env::current_dir().map_err(Failure::of("finding", "the working directory"))?;
    let absolute = normalized(&here.join(path));
    if is_url(&display) && !absolute.exists() {
        diags.report(Code::TG0101, Place::file(display), "tungsten reads files and fetches no URL").help =
            Some("download the document, then name the file".to_owned());
        return Ok(opened(here.clone(), Root::at(&here, ""), None, None, sources, diags));
    }
    if absolute.is_dir() {
        let shown = Shown::of(path, &absolute, &here);
        let Some(name) = MANIFEST_NAMES.iter().find(|name| absolute.join(name).exists()) else {
            diags.report(Code::TG0101, Place::file(display), "the folder has no tungsten.yml").help =
                Some("name an OpenAPI document, or write a manifest with `tungsten init`".to_owned());
            return Ok(opened(absolute.clone(), Root::at(&absolute, ""), None, None, sources, diags));
        };
        return Ok(Opened { shown, ..read_manifest(&absolute, name, &mut sources, diags) });
    }
    let dir = absolute.parent().unwrap_or(&here).to_owned();
    let name = absolute.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if is_manifest_name(&name) {
        let shown = Shown::of(path.parent().unwrap_or(path), &dir, &here);
        return Ok(Opened { shown, ..read_manifest(&dir, &name, &mut sources, diags) });
    }
    // Documents of a project without a manifest are named as the caller named theirs.
    let root = Root::at(&dir, beside(&display));
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let api_name = tungsten_manifest::machine_name(stem);
    let namespace = tungsten_manifest::namespace_name(stem, &api_name);
    let manifest = Manifest::default_for(&api_name, &namespace, &name);
    Ok(opened(dir, root, Some(manifest), None, sources, diags))
}

fn opened(
    dir: PathBuf,
    root: Root,
    manifest: Option<Manifest>,
    manifest_name: Option<&str>,
    sources: Sources,
    diags: Diags,
) -> Opened {
    let diagnostics = diags.finish(&sources);
    Opened {
        dir,
        manifest,
        agent: None,
        agent_name: None,
        root,
        shown: Shown::default(),
        manifest_name: manifest_name.map(str::to_owned),
        sources: Arc::new(sources),
        diagnostics,
    }
}

/// What stands before the names of files that lie beside the one of `path`; empty, or `/`-terminated.
pub(crate) fn beside(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

/// The path of a file as it is seen from the folder `here`, which is absolute, by its text alone: relative, with `/`
/// between its parts and `..` where it lies outside; absolute when the two share nothing but the root.
pub fn relative_path(here: &Path, path: &str) -> String {
    let (here, file) = (normalized(here), normalized(&here.join(path)));
    let parts = |path: &Path| -> Vec<String> {
        let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
        names.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (from, to) = (parts(&here), parts(&file));
    let n_shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if n_shared == 0 && !from.is_empty() {
        return file.to_string_lossy().replace('\\', "/");
    }
    let up = std::iter::repeat_n("..", from.len() - n_shared);
    let relative = up.chain(to[n_shared..].iter().map(String::as_str)).collect::<Vec<_>>().join("/");
    if relative.is_empty() { ".".to_owned() } else { relative }
}

/// Whether the text is a URL with an authority (RFC 3986, section 3.1): `https://...`, `file://...`.
pub fn is_url(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    text.split_once(":/").is_some_and(|(scheme, rest)| scheme.len() > 1 && rest.starts_with('/') && is_scheme(scheme))
}

fn is_manifest_name(name: &str) -> bool {
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    name.starts_with("tungsten") && is_yaml
}

fn read_manifest(dir: &Path, name: &str, sources: &mut Sources, mut diags: Diags) -> Opened {
    let source = read_source(&dir.join(name), name, sources, &mut diags);
    let manifest = source.and_then(|(source, id)| tungsten_manifest::read_source(source, id, &mut diags));
    let agent_name = manifest.as_ref().and_then(|manifest| agent_name(dir, manifest));
    let agent = agent_name.as_deref().and_then(|name| read_agent(dir, name, sources, &mut diags));
    let files: Vec<String> = manifest.iter().flat_map(Manifest::files).map(str::to_owned).collect();
    let root = Root::of_project(dir, &files);
    Opened { agent, agent_name, ..opened(dir.to_owned(), root, manifest, Some(name), std::mem::take(sources), diags) }
}

/// Name of the agent manifest of a project that names none.
const AGENT_NAME: &str = "agent.yml";

/// The agent manifest: the one that is named, which must be there, or the one beside the project's manifest.
fn agent_name(dir: &Path, manifest: &Manifest) -> Option<String> {
    match &manifest.agent {
        Some(name) => Some(name.to_string()),
        None => dir.join(AGENT_NAME).exists().then(|| AGENT_NAME.to_owned()),
    }
}

fn read_agent(dir: &Path, name: &str, sources: &mut Sources, diags: &mut Diags) -> Option<AgentManifest> {
    let (source, id) = read_source(&dir.join(name), name, sources, diags)?;
    tungsten_manifest::read_agent_source(source, id, diags)
}

fn read_source(path: &Path, name: &str, sources: &mut Sources, diags: &mut Diags) -> Option<(Arc<Source>, SourceId)> {
    let source = match Source::open(path, name, FILE_BYTES, Access::Read) {
        Ok(source) => Arc::new(source),
        Err(error) => {
            let (code, found) = match error {
                OpenError::NotAFile => (Code::TG0101, "the manifest is not a regular file".to_owned()),
                OpenError::TooLarge(size) => (Code::TG0105, limits::file_too_large(size)),
                OpenError::Io(error) => (Code::TG0101, format!("the manifest could not be read: {error}")),
            };
            diags.report(code, Place::file(name), found);
            return None;
        }
    };
    let id = sources.push(Arc::clone(&source));
    Some((source, id))
}

/// The path without `.` and `..`, by its text alone.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Shown, is_manifest_name, is_url, normalized, relative_path};
    use std::path::{Path, PathBuf};

    #[test]
    fn manifests_are_known_by_their_names() {
        for name in ["tungsten.yml", "tungsten.prod.yml", "tungsten-two.yaml"] {
            assert!(is_manifest_name(name), "{name}");
        }
        for name in ["openapi.yml", "tungsten.json", "my-tungsten.yml"] {
            assert!(!is_manifest_name(name), "{name}");
        }
    }

    #[test]
    fn files_are_shown_as_the_working_directory_sees_them() {
        let here = Path::new("/srv/me/desk");
        let cases = [
            (".", "openapi.yaml", "openapi.yaml"),
            (".", "../shared/x.yaml", "../shared/x.yaml"),
            ("sub", "openapi.yaml", "sub/openapi.yaml"),
            ("./sub/deep/", "openapi.yaml", "sub/deep/openapi.yaml"),
            ("sub/deep", "../x.yaml", "sub/x.yaml"),
            ("sub/deep", "../../../x.yaml", "../x.yaml"),
            ("/srv/me/desk/sub", "openapi.yaml", "sub/openapi.yaml"),
            ("../desk/sub", "openapi.yaml", "sub/openapi.yaml"),
            ("..", "openapi.yaml", "../openapi.yaml"),
            ("../other", "../x.yaml", "../x.yaml"),
            ("../other", "../../x.yaml", "../../x.yaml"),
            ("/srv/api", "../x.yaml", "/srv/x.yaml"),
            ("sub", "/etc/x.yaml", "/etc/x.yaml"),
            ("sub", "", ""),
        ];
        for (given, name, expect) in cases {
            let shown = Shown::of(Path::new(given), &normalized(&here.join(given)), here);
            assert_eq!(shown.path(name), expect, "{given} {name}");
        }
    }

    #[test]
    fn paths_are_seen_from_a_folder() {
        let cases = [
            ("/srv/me", "api/x.yaml", "api/x.yaml"),
            ("/srv/me", "./api/../x.yaml", "x.yaml"),
            ("/srv/me", "/srv/me/api/x.yaml", "api/x.yaml"),
            ("/srv/me", "../other/x.yaml", "../other/x.yaml"),
            ("/srv/me/deep", "/srv/x.yaml", "../../x.yaml"),
            ("/srv/me", "/etc/x.yaml", "/etc/x.yaml"),
            ("/srv/me", "/srv/me", "."),
            ("/", "/etc/x.yaml", "etc/x.yaml"),
        ];
        for (here, path, expect) in cases {
            assert_eq!(relative_path(Path::new(here), path), expect, "{here} {path}");
        }
    }

    #[test]
    fn urls_are_known_by_their_scheme() {
        for url in ["https://example.test/a.json", "file:///etc/hostname", "git+ssh://x"] {
            assert!(is_url(url), "{url}");
        }
        for path in ["a.yaml", "c://x", "://x", "a b://x", "https:/x", "http"] {
            assert!(!is_url(path), "{path}");
        }
    }

    #[test]
    fn paths_are_normalized_by_their_text() {
        assert_eq!(normalized(Path::new("/a/./b/../c")), PathBuf::from("/a/c"));
        assert_eq!(normalized(Path::new("/../a")), PathBuf::from("/a"));
    }
}
