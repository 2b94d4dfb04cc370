//! Writes a target's files into its output folder, which it must own.
//!
//! `.tungsten/manifest.json` lists what the last run wrote; only files named there are ever removed, only files that
//! differ are written, each to a temporary name first. Paths with a `custom` segment are created once and then belong
//! to the user. A folder that holds anything and no manifest belongs to somebody else; symlinks are never followed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use base::digest::Digest;
use base::limits::FILE_BYTES;
use base::source::Access;
use base::{Code, Diagnostic, Files, Place, RelPath, Source};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tungsten_emit::is_created_once;

use crate::failure::Failure;

const MANIFEST: &str = ".tungsten/manifest.json";
const RESERVED_DIR: &str = ".tungsten";
const GENERATOR: &str = env!("TUNGSTEN_SOURCES");
const TEMPORARY_SUFFIX: &str = ".tungsten-new";

/// What to do with the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Make the folder hold them.
    Write,
    /// Report what writing would do.
    DryRun,
    /// Report whether the folder holds them.
    Check,
}

/// A target's output and where it goes.
#[derive(Debug)]
pub struct Target<'a> {
    /// Absolute folder of the project; nothing outside it is written.
    pub project: &'a Path,
    /// Folder of the target, relative to the project, `/`-separated.
    pub out: &'a str,
    pub files: &'a Files,
    /// Digests of the inputs, by name.
    pub inputs: &'a BTreeMap<String, String>,
    pub tungsten_version: &'a str,
}

/// What happened, or would happen, to each file. Paths are relative to the output folder, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub written: Vec<String>,
    pub unchanged: Vec<String>,
    pub removed: Vec<String>,
    /// Files of the user's that were left as they are.
    pub preserved: Vec<String>,
    /// For [`Mode::Check`]: files that are missing, differ or should be gone.
    pub stale: Vec<String>,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Refusal {
    /// TG0703 or TG0704; `--force` may help for the first.
    Diagnostic(Box<Diagnostic>),
    Failure(Failure),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// `.tungsten/manifest.json`.
#[derive(Serialize, Deserialize, Debug, Default, Clone, PartialEq, Eq)]
struct Manifest {
    format: u32,
    tungsten_version: String,
    /// Tells builds of one version apart.
    #[serde(default)]
    generator: String,
    inputs: BTreeMap<String, String>,
    files: Vec<ManifestFile>,
    custom: Vec<String>,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
struct ManifestFile {
    path: String,
    digest: String,
}

/// Compares the files with the folder and, in [`Mode::Write`], makes the folder hold them.
///
/// Refuses a folder that it does not own (unless `force`), symlinks, and paths under `.tungsten/`. On a refusal nothing
/// is written; on a failure what was written so far is listed in the manifest, so that the next run goes on from it.
pub fn apply(target: &Target<'_>, mode: Mode, force: bool) -> Result<Changes, Refusal> {
    let mut folder = Folder::open(target)?;
    let old = folder.manifest(force)?;
    for (path, _) in target.files.iter() {
        folder.check_path(path)?;
    }
    let (mut changes, to_write) = compare(&folder, target)?;
    let removed = to_remove(&mut folder, target, old.as_ref());
    changes.removed = removed.iter().map(ToString::to_string).collect();

    let new = manifest_of(target);
    let manifest_differs = old.as_ref() != Some(&new);
    if mode == Mode::Check {
        changes.stale.append(&mut changes.written);
        changes.stale.append(&mut changes.removed);
        changes.stale.sort();
        return Ok(changes);
    }
    if mode == Mode::DryRun || !(manifest_differs || !to_write.is_empty() || !removed.is_empty()) {
        return Ok(changes);
    }
    folder.create()?;
    folder.write_manifest(&union(&new, old.as_ref()))?;
    folder.write_files(&to_write)?;
    for path in &removed {
        folder.remove(path)?;
    }
    folder.write_manifest(&new)?;
    Ok(changes)
}

/// Whether the folder holds what the last run wrote, unedited, and that run was of this very generator over inputs that
/// still have the same digests: then a run would write nothing. `manifests` are the manifests that there are now: one
/// that was written since is no input of that run. Returns the files.
pub fn is_current(project: &Path, out: &str, tungsten_version: &str, manifests: &[&str]) -> Option<Changes> {
    let (files, inputs) = (Files::new(), BTreeMap::new());
    let target = Target { project, out, files: &files, inputs: &inputs, tungsten_version };
    let folder = Folder::open(&target).ok()?;
    let manifest = folder.manifest(false).ok()??;
    let is_ours = manifest.generator == GENERATOR && manifest.tungsten_version == tungsten_version;
    let same = |bytes: &[u8], digest: &str| Digest::of(bytes).to_string() == digest;
    let inputs_same = || {
        manifest.inputs.par_iter().all(|(name, digest)| {
            Source::open(&project.join(name), name, FILE_BYTES, Access::Map)
                .is_ok_and(|input| same(input.bytes(), digest))
        })
    };
    let file_same = |file: &ManifestFile| {
        let is_inside = RelPath::new(&file.path).is_some();
        is_inside && folder.read(&file.path).is_ok_and(|bytes| bytes.is_some_and(|bytes| same(&bytes, &file.digest)))
    };
    let is_current = is_ours
        && !manifest.inputs.is_empty()
        && manifests.iter().all(|name| manifest.inputs.contains_key(*name))
        && inputs_same()
        && manifest.files.par_iter().all(file_same)
        && manifest.custom.iter().all(|path| RelPath::new(path).is_some_and(|path| folder.exists(&path)));
    is_current.then(|| Changes {
        unchanged: manifest.files.iter().map(|file| file.path.clone()).collect(),
        preserved: manifest.custom.clone(),
        ..Changes::default()
    })
}

/// Sorts the target's files into those to write, unchanged ones and the user's own.
fn compare(folder: &Folder<'_>, target: &Target<'_>) -> Result<(Changes, Vec<RelPath>), Refusal> {
    let mut changes = Changes::default();
    let mut to_write = Vec::new();
    for (path, bytes) in target.files.iter() {
        let present = folder.read(path.as_str())?;
        let name = path.to_string();
        match present {
            Some(_) if is_created_once(path) => changes.preserved.push(name),
            Some(present) if present == bytes => changes.unchanged.push(name),
            _ => {
                changes.written.push(name);
                to_write.push(path.clone());
            }
        }
    }
    Ok((changes, to_write))
}

/// Files of the last run that this one no longer has and that are still there.
fn to_remove(folder: &mut Folder<'_>, target: &Target<'_>, old: Option<&Manifest>) -> Vec<RelPath> {
    let mut removed = Vec::new();
    for file in old.into_iter().flat_map(|manifest| &manifest.files) {
        // A manifest that was edited by hand may name anything; only safe paths inside the folder are ours.
        let Some(path) = RelPath::new(&file.path) else { continue };
        if target.files.contains(&path) || is_created_once(&path) || path.segments().next() == Some(RESERVED_DIR) {
            continue;
        }
        if folder.check_path(&path).is_ok() && folder.exists(&path) {
            removed.push(path);
        }
    }
    removed.sort();
    removed
}

fn manifest_of(target: &Target<'_>) -> Manifest {
    let (custom, generated): (Vec<_>, Vec<_>) = target.files.iter().partition(|(path, _)| is_created_once(path));
    let file = |(path, bytes): (&RelPath, &[u8])| ManifestFile {
        path: path.to_string(),
        digest: Digest::of(bytes).to_string(),
    };
    Manifest {
        format: 1,
        tungsten_version: target.tungsten_version.to_owned(),
        generator: GENERATOR.to_owned(),
        inputs: target.inputs.clone(),
        files: generated.into_par_iter().map(file).collect(),
        custom: custom.into_iter().map(|(path, _)| path.to_string()).collect(),
    }
}

/// The manifest while files are being written: what is there and what will be, so that a run that is cut short leaves
/// nothing that the next one would not know.
fn union(new: &Manifest, old: Option<&Manifest>) -> Manifest {
    let named: BTreeSet<&str> = new.files.iter().map(|file| file.path.as_str()).collect();
    let gone = old.iter().flat_map(|manifest| &manifest.files).filter(|file| !named.contains(file.path.as_str()));
    let mut files: Vec<ManifestFile> = new.files.iter().chain(gone).cloned().collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    // Without a generator no run takes the half-written folder for a finished one.
    Manifest { files, generator: String::new(), ..new.clone() }
}

/// The output folder. Everything goes through a directory handle that cannot leave it.
struct Folder<'a> {
    target: &'a Target<'a>,
    dir: Option<Dir>,
    /// Folders below the output folder that were looked at and are no symlinks.
    checked: BTreeSet<String>,
}

impl<'a> Folder<'a> {
    /// Opens the folder if it is there. Each part of its path is looked at: none may be a symlink or a file.
    fn open(target: &'a Target<'a>) -> Result<Self, Refusal> {
        let mut dir = Dir::open_ambient_dir(target.project, ambient_authority())
            .map_err(Failure::of("opening the project folder", target.project))?;
        let mut walked = target.project.to_owned();
        for segment in target.out.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
            walked.push(segment);
            let metadata = match dir.symlink_metadata(segment) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self { target, dir: None, checked: BTreeSet::new() });
                }
                Err(error) => return Err(Failure::of("looking at", &walked)(error).into()),
            };
            if metadata.is_symlink() {
                return Err(refusal(Code::TG0704, target.out, "the output folder is, or lies behind, a symlink"));
            }
            if !metadata.is_dir() {
                let error = io::Error::new(io::ErrorKind::NotADirectory, "it is a file");
                return Err(Failure::of("using the output folder", &walked)(error).into());
            }
            dir = dir.open_dir(segment).map_err(Failure::of("opening", &walked))?;
        }
        Ok(Self { target, dir: Some(dir), checked: BTreeSet::new() })
    }

    /// The last run's manifest; nothing for a folder that is new or empty (or, with `force`, somebody else's).
    fn manifest(&self, force: bool) -> Result<Option<Manifest>, Refusal> {
        let Some(dir) = &self.dir else { return Ok(None) };
        let is_link = |path| dir.symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        if is_link(RESERVED_DIR) || is_link(MANIFEST) {
            return Err(refusal(Code::TG0704, self.target.out, "`.tungsten` in the output folder is a symlink"));
        }
        if let Some(bytes) = self.read(MANIFEST)? {
            match serde_json::from_slice::<Manifest>(&bytes) {
                Ok(manifest) if manifest.format == 1 => return Ok(Some(manifest)),
                _ if force => return Ok(None),
                _ => {
                    let found = "`.tungsten/manifest.json` in the output folder is not one that tungsten wrote";
                    return Err(refusal(Code::TG0703, self.target.out, found));
                }
            }
        }
        let dir = self.dir.as_ref().expect("looked at above");
        let mut entries = dir.entries().map_err(Failure::of("listing", self.path("")))?;
        if entries.next().is_none() || force {
            return Ok(None);
        }
        Err(refusal(Code::TG0703, self.target.out, "the output folder holds files that tungsten did not write"))
    }

    /// Refuses a path that is reserved, lies behind a symlink or is one.
    fn check_path(&mut self, path: &RelPath) -> Result<(), Refusal> {
        if path.segments().next() == Some(RESERVED_DIR) {
            return Err(refusal(Code::TG0704, self.target.out, format!("`{path}` is inside the reserved `.tungsten`")));
        }
        let Some(dir) = &self.dir else { return Ok(()) };
        let mut walked = String::new();
        for segment in path.segments() {
            if !walked.is_empty() {
                walked.push('/');
            }
            walked.push_str(segment);
            if self.checked.contains(&walked) {
                continue;
            }
            let is_file = walked.len() == path.as_str().len();
            match dir.symlink_metadata(&walked) {
                Ok(metadata) if metadata.is_symlink() => {
                    return Err(refusal(Code::TG0704, self.target.out, format!("`{walked}` is a symlink")));
                }
                Ok(metadata) if is_file && !metadata.is_file() => {
                    return Err(refusal(Code::TG0704, self.target.out, format!("`{walked}` is not a regular file")));
                }
                Ok(metadata) if !is_file && !metadata.is_dir() => {
                    return Err(refusal(Code::TG0704, self.target.out, format!("`{walked}` is not a folder")));
                }
                Ok(_) if is_file => {}
                Ok(_) => {
                    self.checked.insert(walked.clone());
                }
                // Nothing there: nothing below it either.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(Failure::of("looking at", self.path(&walked))(error).into()),
            }
        }
        Ok(())
    }

    fn exists(&self, path: &RelPath) -> bool {
        self.dir.as_ref().is_some_and(|dir| dir.symlink_metadata(path.as_str()).is_ok())
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refusal> {
        let Some(dir) = &self.dir else { return Ok(None) };
        match dir.read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::of("reading", self.path(path))(error).into()),
        }
    }

    fn create(&mut self) -> Result<(), Refusal> {
        if self.dir.is_some() {
            return Ok(());
        }
        let project = Dir::open_ambient_dir(self.target.project, ambient_authority())
            .map_err(Failure::of("opening the project folder", self.target.project))?;
        project.create_dir_all(self.target.out).map_err(Failure::of("creating", self.path("")))?;
        self.dir = Some(project.open_dir(self.target.out).map_err(Failure::of("opening", self.path("")))?);
        Ok(())
    }

    /// Creates the folder that a file goes into.
    fn create_parent(&mut self, path: &str) -> Result<(), Refusal> {
        let dir = self.dir.as_ref().expect("the folder was created before anything is written");
        if let Some((parent, _)) = path.rsplit_once('/')
            && !self.checked.contains(parent)
        {
            dir.create_dir_all(parent).map_err(Failure::of("creating", self.path(parent)))?;
            self.checked.insert(parent.to_owned());
        }
        Ok(())
    }

    /// Writes files of the target, in parallel. Each folder is opened once: a path of several folders would be walked
    /// anew for each step of each file.
    fn write_files(&mut self, paths: &[RelPath]) -> Result<(), Refusal> {
        let mut by_parent: BTreeMap<&str, Vec<&RelPath>> = BTreeMap::new();
        for path in paths {
            self.create_parent(path.as_str())?;
            let parent = path.as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
            by_parent.entry(parent).or_default().push(path);
        }
        let folder = &*self;
        let write_all = |(parent, paths): (&&str, &Vec<&RelPath>)| {
            let dir = folder.open_parent(parent)?;
            let write = |path: &&RelPath| {
                let bytes = folder.target.files.get(path).expect("only files of the target are written");
                folder.write(&dir, path.as_str(), bytes)
            };
            paths.par_iter().map(write).collect::<Vec<_>>().into_iter().collect()
        };
        let written: Vec<Result<(), Refusal>> = by_parent.par_iter().map(write_all).collect();
        written.into_iter().collect()
    }

    /// A folder inside the output folder.
    fn open_parent(&self, parent: &str) -> Result<Dir, Refusal> {
        let dir = self.dir.as_ref().expect("the folder was created before anything is written");
        let opened = if parent.is_empty() { dir.try_clone() } else { dir.open_dir(parent) };
        opened.map_err(|error| Failure::of("opening", self.path(parent))(error).into())
    }

    /// Writes beside the file, then renames: a reader sees the old bytes or the new ones. `dir` holds the file.
    fn write(&self, dir: &Dir, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let temporary = format!("{name}{TEMPORARY_SUFFIX}");
        let write = || -> io::Result<()> {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(true);
            let mut file = dir.open_with(&temporary, &options)?;
            file.write_all(bytes)?;
            drop(file);
            dir.rename(&temporary, dir, name)
        };
        write().map_err(|error| {
            // The first error is the one to tell; a temporary file that cannot be removed either is left.
            let _ = dir.remove_file(&temporary);
            Failure::of("writing", self.path(path))(error).into()
        })
    }

    fn write_manifest(&mut self, manifest: &Manifest) -> Result<(), Refusal> {
        let mut text = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
        text.push('\n');
        self.create_parent(MANIFEST)?;
        self.write(&self.open_parent(RESERVED_DIR)?, MANIFEST, text.as_bytes())
    }

    /// Removes a file and the folders that it leaves empty.
    fn remove(&mut self, path: &RelPath) -> Result<(), Refusal> {
        let dir = self.dir.as_ref().expect("a file to remove lies in a folder that is there");
        dir.remove_file(path.as_str()).map_err(Failure::of("removing", self.path(path.as_str())))?;
        let mut parent = path.as_str();
        while let Some((folder, _)) = parent.rsplit_once('/') {
            // A folder that still holds something stays: that is the whole test for emptiness.
            if dir.remove_dir(folder).is_err() {
                break;
            }
            self.checked.remove(folder);
            parent = folder;
        }
        Ok(())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.target.project.join(self.target.out).join(path)
    }
}

fn refusal(code: Code, out: &str, message: impl Into<String>) -> Refusal {
    let mut diagnostic = Diagnostic::new(code, Place::file(out), message);
    diagnostic.help = Some(match code {
        Code::TG0703 => {
            "point `out` at a new or empty folder, or pass `--force` to write beside what is there".to_owned()
        }
        _ => "move what stands in the way, or choose another `out`".to_owned(),
    });
    Refusal::Diagnostic(Box::new(diagnostic))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use base::{Code, Files, RelPath};

    use super::{Changes, Mode, Refusal, Target, apply};

    fn files(list: &[(&str, &str)]) -> Files {
        let mut files = Files::new();
        for (path, text) in list {
            files.add(RelPath::new(path).expect("safe"), *text);
        }
        files
    }

    fn run(project: &Path, list: &[(&str, &str)], mode: Mode, force: bool) -> Result<Changes, Refusal> {
        let files = files(list);
        let inputs = BTreeMap::new();
        let target = Target { project, out: "gen/ts", files: &files, inputs: &inputs, tungsten_version: "0" };
        apply(&target, mode, force)
    }

    fn code(result: Result<Changes, Refusal>) -> Code {
        match result {
            Err(Refusal::Diagnostic(diagnostic)) => diagnostic.code,
            other => panic!("expected a refusal: {other:?}"),
        }
    }

    #[test]
    fn a_second_run_writes_nothing_and_a_third_only_what_differs() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let first = [("a.ts", "1"), ("sub/b.ts", "2"), ("src/custom/index.ts", "mine")];
        let changes = run(dir.path(), &first, Mode::Write, false).expect("written");
        assert_eq!(changes.written, ["a.ts", "src/custom/index.ts", "sub/b.ts"]);

        let manifest = dir.path().join("gen/ts/.tungsten/manifest.json");
        let before = fs::metadata(&manifest).and_then(|m| m.modified()).expect("there");
        fs::write(dir.path().join("gen/ts/src/custom/index.ts"), "edited").expect("writable");
        let changes = run(dir.path(), &first, Mode::Write, false).expect("unchanged");
        assert!(changes.written.is_empty() && changes.removed.is_empty());
        assert_eq!(changes.preserved, ["src/custom/index.ts"]);
        assert_eq!(fs::metadata(&manifest).and_then(|m| m.modified()).expect("there"), before);

        let changes = run(dir.path(), &[("a.ts", "1b")], Mode::Write, false).expect("written");
        assert_eq!(
            (changes.written.as_slice(), changes.removed.as_slice()),
            (&["a.ts".to_owned()][..], &["sub/b.ts".to_owned()][..])
        );
        assert!(!dir.path().join("gen/ts/sub").exists(), "a folder left empty goes too");
        assert_eq!(fs::read_to_string(dir.path().join("gen/ts/src/custom/index.ts")).expect("kept"), "edited");
    }

    #[test]
    fn a_check_names_what_is_stale_and_touches_nothing() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        run(dir.path(), &[("a.ts", "1"), ("b.ts", "2")], Mode::Write, false).expect("written");
        let changes = run(dir.path(), &[("a.ts", "new"), ("c.ts", "3")], Mode::Check, false).expect("compared");
        assert_eq!(changes.stale, ["a.ts", "b.ts", "c.ts"]);
        assert_eq!(fs::read_to_string(dir.path().join("gen/ts/a.ts")).expect("kept"), "1");
        let changes = run(dir.path(), &[("a.ts", "1"), ("b.ts", "2")], Mode::Check, false).expect("compared");
        assert!(changes.stale.is_empty());
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused_and_kept_under_force() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(dir.path().join("gen/ts")).expect("creatable");
        fs::write(dir.path().join("gen/ts/mine.txt"), "x").expect("writable");
        assert_eq!(code(run(dir.path(), &[("a.ts", "1")], Mode::Write, false)), Code::TG0703);
        run(dir.path(), &[("a.ts", "1")], Mode::Write, true).expect("forced");
        run(dir.path(), &[("b.ts", "1")], Mode::Write, false).expect("ours now");
        assert!(dir.path().join("gen/ts/mine.txt").exists());
        assert!(!dir.path().join("gen/ts/a.ts").exists());
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_are_refused_wherever_they_stand() {
        use std::os::unix::fs::symlink;
        let elsewhere = tempfile::tempdir().expect("a temporary folder");
        fs::write(elsewhere.path().join("victim"), "safe").expect("writable");

        let dir = tempfile::tempdir().expect("a temporary folder");
        symlink(elsewhere.path(), dir.path().join("gen")).expect("linkable");
        assert_eq!(code(run(dir.path(), &[("a.ts", "1")], Mode::Write, true)), Code::TG0704);

        let dir = tempfile::tempdir().expect("a temporary folder");
        run(dir.path(), &[("a.ts", "1")], Mode::Write, false).expect("written");
        fs::remove_file(dir.path().join("gen/ts/a.ts")).expect("removable");
        symlink(elsewhere.path().join("victim"), dir.path().join("gen/ts/a.ts")).expect("linkable");
        assert_eq!(code(run(dir.path(), &[("a.ts", "1")], Mode::Write, true)), Code::TG0704);
        symlink(elsewhere.path(), dir.path().join("gen/ts/sub")).expect("linkable");
        assert_eq!(code(run(dir.path(), &[("sub/victim", "1")], Mode::Write, true)), Code::TG0704);
        assert_eq!(fs::read_to_string(elsewhere.path().join("victim")).expect("kept"), "safe");
    }

    #[test]
    fn a_manifest_that_names_files_outside_removes_none() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        fs::write(dir.path().join("outside.txt"), "x").expect("writable");
        fs::create_dir_all(dir.path().join("gen/ts/.tungsten")).expect("creatable");
        let manifest = r#"{"format":1,"tungsten_version":"0","inputs":{},"files":[{"path":"../../outside.txt","digest":""}],"custom":[]}"#;
        fs::write(dir.path().join("gen/ts/.tungsten/manifest.json"), manifest).expect("writable");
        run(dir.path(), &[("a.ts", "1")], Mode::Write, false).expect("written");
        assert!(dir.path().join("outside.txt").exists());
    }

    #[test]
    fn an_out_that_is_a_file_is_trouble_with_the_world() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        fs::write(dir.path().join("gen"), "x").expect("writable");
        assert!(matches!(run(dir.path(), &[("a.ts", "1")], Mode::Write, true), Err(Refusal::Failure(_))));
    }
}
