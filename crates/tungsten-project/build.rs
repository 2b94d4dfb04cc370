//! Gives the crate a digest of the workspace's sources and of what pins its dependencies: output is only trusted to be
//! current when the very generator that made it is asked again. Outside the workspace the version stands for the
//! sources.

use std::path::{Path, PathBuf};

fn main() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default();
    // A newer dependency may print other bytes from the same sources.
    let root = crates.parent().map(Path::to_owned).unwrap_or_default();
    let mut files = vec![root.join("Cargo.lock"), root.join("Cargo.toml")];
    files.retain(|file| file.is_file());
    let mut folders = vec![crates];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "tests" && name != "target" {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ["rs", "toml", "md", "ts", "json"].iter().any(|e| ending == *e))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut digest = Fnv::default();
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        digest.add(&std::fs::read(file).unwrap_or_default());
    }
    println!("cargo:rustc-env=TUNGSTEN_SOURCES={:016x}", digest.value(&files));
}

/// 64-bit FNV-1a: tells builds apart, protects nothing.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn value(&self, files: &[PathBuf]) -> u64 {
        self.0 ^ files.len() as u64
    }
}
