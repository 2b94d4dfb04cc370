//! Where things are: the workspace, its target folder, the tools, the shared data beside the checkout.

use std::path::{Path, PathBuf};

/// The workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Where `cargo xtask setup` installs tools.
pub fn tools() -> PathBuf {
    root().join("target/tools")
}

/// Published descriptions and test suites, when they are there.
pub fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("TUNGSTEN_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    folder.join("corpus/CORPUS.toml").exists().then(|| folder.canonicalize().unwrap_or(folder))
}
