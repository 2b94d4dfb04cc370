//! Finds and reads a project: a folder with `tungsten.yml`, a manifest by name, or a single OpenAPI document.
//!
//! Decides the input root, the one folder below which documents are read: the project's folder, or the nearest folder
//! that also holds every document that the manifest names. A single document may read beside itself and below.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use base::limits::FILE_BYTES;
use base::source::{Access, OpenError};
use base::{Code, Diagnostic, Diags, Place, Source, Sources};
use tungsten_manifest::Manifest;

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
    /// Folder below which documents are read.
    pub root: Root,
    /// Name of the project's own manifest; nothing for a single document, whose manifest is the default one.
    pub manifest_name: Option<String>,
    pub sources: Arc<Sources>,
    pub diagnostics: Vec<Diagnostic>,
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
    if absolute.is_dir() {
        let Some(name) = MANIFEST_NAMES.iter().find(|name| absolute.join(name).exists()) else {
            diags.report(Code::TG0101, Place::file(display), "the folder has no tungsten.yml").help =
                Some("name an OpenAPI document, or write a manifest with `tungsten init`".to_owned());
            return Ok(opened(absolute.clone(), Root::at(&absolute, ""), None, None, sources, diags));
        };
        return Ok(read_manifest(&absolute, name, &mut sources, diags));
    }
    let dir = absolute.parent().unwrap_or(&here).to_owned();
    let name = absolute.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if is_manifest_name(&name) {
        return Ok(read_manifest(&dir, &name, &mut sources, diags));
    }
    // Documents of a project without a manifest are named as the caller named theirs.
    let prefix = display.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let root = Root::at(&dir, prefix);
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
        root,
        manifest_name: manifest_name.map(str::to_owned),
        sources: Arc::new(sources),
        diagnostics,
    }
}

fn is_manifest_name(name: &str) -> bool {
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    name.starts_with("tungsten") && is_yaml
}

fn read_manifest(dir: &Path, name: &str, sources: &mut Sources, mut diags: Diags) -> Opened {
    let manifest = parse_manifest(&dir.join(name), name, sources, &mut diags);
    let specs = manifest.iter().flat_map(|manifest| manifest.inputs.iter()).map(|input| input.spec.to_string());
    let root = Root::of_project(dir, &specs.collect::<Vec<_>>());
    opened(dir.to_owned(), root, manifest, Some(name), std::mem::take(sources), diags)
}

fn parse_manifest(path: &Path, name: &str, sources: &mut Sources, diags: &mut Diags) -> Option<Manifest> {
    let source = match Source::open(path, name, FILE_BYTES, Access::Read) {
        Ok(source) => Arc::new(source),
        Err(error) => {
            let found = match error {
                OpenError::NotAFile => "the manifest is not a regular file".to_owned(),
                OpenError::TooLarge(size) => format!("the manifest has {size} bytes, more than is read"),
                OpenError::Io(error) => format!("the manifest could not be read: {error}"),
            };
            diags.report(Code::TG0101, Place::file(name), found);
            return None;
        }
    };
    let id = sources.push(Arc::clone(&source));
    tungsten_manifest::read_source(source, id, diags)
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
    use super::{is_manifest_name, normalized};
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
    fn paths_are_normalized_by_their_text() {
        assert_eq!(normalized(Path::new("/a/./b/../c")), PathBuf::from("/a/c"));
        assert_eq!(normalized(Path::new("/../a")), PathBuf::from("/a"));
    }
}
