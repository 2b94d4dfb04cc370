//! Input files: their bytes, mapped or read, and positions in them.
//!
//! The only module of the workspace with `unsafe` code: it maps large files read-only. Mapping is for one-shot commands
//! alone (a file cut short under a mapping is a fault), so the caller chooses with [`Access`]. Only regular files are
//! opened; sizes are checked before a byte is read.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::digest::Digest;
use crate::ids::Id;
use crate::table::Table;

crate::ids! {
    /// An input file.
    SourceId "source";
}

/// Files above this size are mapped when mapping is allowed.
const MAP_FROM_BYTES: u64 = 64 << 10;

/// How a file may be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read into memory: for servers and anything that outlives an edit of the file.
    Read,
    /// Map large files: for commands that end soon.
    Map,
}

/// The bytes of one input.
#[derive(Debug)]
pub struct Source {
    /// How the file is named in diagnostics: relative to the project, `/`-separated.
    name: String,
    bytes: Bytes,
    lines: OnceLock<Vec<u32>>,
    /// Characters before each block of [`BLOCK`] bytes: a minified document is one line of many megabytes.
    chars: OnceLock<Vec<u32>>,
    /// Length of the valid UTF-8 prefix; found once.
    valid_bytes: OnceLock<usize>,
    digest: OnceLock<Digest>,
}

#[derive(Debug)]
enum Bytes {
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// Why a file could not be taken in.
#[derive(Debug)]
pub enum OpenError {
    /// A directory, a device, a pipe.
    NotAFile,
    /// Larger than the limit, in bytes.
    TooLarge(u64),
    Io(io::Error),
}

impl Source {
    /// An input that is in memory already.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self::of(name.into(), Bytes::Owned(bytes.into()))
    }

    fn of(name: String, bytes: Bytes) -> Self {
        Self {
            name,
            bytes,
            lines: OnceLock::new(),
            chars: OnceLock::new(),
            valid_bytes: OnceLock::new(),
            digest: OnceLock::new(),
        }
    }

    /// Opens a regular file of at most `limit` bytes.
    pub fn open(path: &Path, name: impl Into<String>, limit: u64, access: Access) -> Result<Self, OpenError> {
        // The kind is looked at before opening: opening a pipe would wait for a writer.
        if !std::fs::metadata(path).map_err(OpenError::Io)?.is_file() {
            return Err(OpenError::NotAFile);
        }
        let file = File::open(path).map_err(OpenError::Io)?;
        let size = file.metadata().map_err(OpenError::Io)?.len();
        if size > limit {
            return Err(OpenError::TooLarge(size));
        }
        let bytes = match access {
            Access::Map if size > MAP_FROM_BYTES => Bytes::Mapped(map(&file)?),
            _ => Bytes::Owned(read(file, size, limit)?),
        };
        Ok(Self::of(name.into(), bytes))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The digest of the bytes, found on first use.
    pub fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| Digest::of(self.bytes()))
    }

    /// The whole input as text, or the byte offset of the first byte that is not UTF-8.
    pub fn text(&self) -> Result<&str, usize> {
        let bytes = self.bytes();
        let valid = *self.valid_bytes.get_or_init(|| match std::str::from_utf8(bytes) {
            Ok(_) => bytes.len(),
            Err(error) => error.valid_up_to(),
        });
        if valid < bytes.len() {
            return Err(valid);
        }
        // SAFETY: the bytes were checked once, above, and nothing of ours writes them; for a mapped file the same holds
        // as for `map`: whoever rewrites an input under a one-shot command is outside what it promises.
        Ok(unsafe { std::str::from_utf8_unchecked(bytes) })
    }

    /// Line and column of a byte offset, both from 1, the column in characters. Offsets past the end are the end.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let bytes = self.bytes();
        let offset = (offset as usize).min(bytes.len());
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start as usize <= offset) - 1;
        let start = starts[line] as usize;
        let column = match bytes.get(start..offset) {
            Some(before) if before.len() <= BLOCK => count_chars(before),
            _ => self.chars_before(offset) - self.chars_before(start),
        };
        (line as u32 + 1, column + 1)
    }

    /// Bytes of a line (from 1), with its line end. Lines past the end are the last one.
    pub fn line_bytes(&self, line: u32) -> &[u8] {
        let starts = self.line_starts();
        let index = (line.max(1) as usize - 1).min(starts.len() - 1);
        let end = starts.get(index + 1).map_or(self.bytes().len(), |&next| next as usize);
        &self.bytes()[starts[index] as usize..end]
    }

    /// Characters before a byte offset.
    fn chars_before(&self, offset: usize) -> u32 {
        let bytes = self.bytes();
        let blocks = self.chars.get_or_init(|| {
            let mut n_chars = 0;
            let counted = bytes.chunks(BLOCK).map(|block| {
                let before = n_chars;
                n_chars += count_chars(block);
                before
            });
            counted.chain([0]).collect()
        });
        let block = offset / BLOCK;
        if block * BLOCK >= bytes.len() && block > 0 {
            return blocks[block - 1] + count_chars(&bytes[(block - 1) * BLOCK..offset]);
        }
        blocks[block] + count_chars(&bytes[block * BLOCK..offset])
    }

    /// The text of a line (from 1), without its line end.
    pub fn line(&self, line: u32) -> String {
        String::from_utf8_lossy(self.line_bytes(line)).trim_end_matches(['\n', '\r']).to_owned()
    }

    /// Byte offsets of line starts, found on first use: only errors need them.
    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let bytes = self.bytes();
            let mut starts = vec![0];
            let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
            // A return before a line feed is not the end yet.
            let ends = ends.filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
            starts.extend(ends.map(|at| at as u32 + 1));
            starts
        })
    }
}

/// Bytes between two counts of characters.
const BLOCK: usize = 16 << 10;

/// Characters that begin in the bytes: all but continuation bytes (RFC 3629, section 3).
fn count_chars(bytes: &[u8]) -> u32 {
    // Sums that fit a byte: the compiler then looks at many bytes at once.
    let chunks = bytes.chunks(usize::from(u8::MAX));
    chunks.map(|chunk| u32::from(chunk.iter().map(|byte| u8::from(byte & 0xc0 != 0x80)).sum::<u8>())).sum()
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

fn read(file: File, size: u64, limit: u64) -> Result<Vec<u8>, OpenError> {
    // A growing file is read one byte past the limit at most.
    let mut bytes = Vec::with_capacity(size as usize + 1);
    file.take(limit + 1).read_to_end(&mut bytes).map_err(OpenError::Io)?;
    if bytes.len() as u64 > limit { Err(OpenError::TooLarge(bytes.len() as u64)) } else { Ok(bytes) }
}

fn map(file: &File) -> Result<memmap2::Mmap, OpenError> {
    // SAFETY: the mapping is private and read-only, and no code of ours writes an input file. Another process that cuts
    // the file short while a one-shot command reads it ends that command with a fault, never with wrong output: this is
    // why `Access::Map` is left to commands that end soon.
    unsafe { memmap2::Mmap::map(file) }.map_err(OpenError::Io)
}

/// All inputs of a run.
#[derive(Default, Debug)]
pub struct Sources {
    table: Table<SourceId, Arc<Source>>,
}

impl Sources {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, source: Arc<Source>) -> SourceId {
        self.table.push(source)
    }

    pub fn get(&self, id: SourceId) -> &Arc<Source> {
        &self.table[id]
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// All inputs in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Arc<Source>)> {
        self.table.iter()
    }

    /// Whether `id` is one of these inputs.
    pub fn contains(&self, id: SourceId) -> bool {
        id.index() < self.table.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[track_caller]
    fn check(text: &str, offset: u32, expect: (u32, u32)) {
        assert_eq!(Source::from_bytes("x", text).line_column(offset), expect, "{text:?} at {offset}");
    }

    #[test]
    fn positions_count_characters_and_any_line_end() {
        check("", 0, (1, 1));
        check("ab", 1, (1, 2));
        check("ä\u{10000}b", 6, (1, 3));
        check("a\nb", 2, (2, 1));
        check("a\r\nb", 3, (2, 1));
        check("a\rb", 2, (2, 1));
        check("a\n", 99, (2, 1));
    }

    #[test]
    fn positions_in_a_very_long_line_are_right() {
        let text = "ä".repeat(20_000) + "\n" + &"b".repeat(40_000);
        check(&text, 30_000, (1, 15_001));
        check(&text, 40_001 + 39_000, (2, 39_001));
        check(&text, 32_768, (1, 16_385));
        check(&"c".repeat(16 << 10), 16 << 10, (1, (16 << 10) + 1));
    }

    #[test]
    fn a_line_comes_without_its_end() {
        let source = Source::from_bytes("x", "one\r\ntwo\nthree");
        assert_eq!([source.line(1), source.line(2), source.line(3)], ["one", "two", "three"]);
    }
}
