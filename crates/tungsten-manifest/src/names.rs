//! Machine names from titles and file names, for a project that states none.
//!
//! Reads text; writes a name of the form `^[a-z][a-z0-9_]*$` of at most 64 characters. Whether a name is taken is left
//! to the caller.

/// Longest name that is made from other text.
const MAX_LEN: usize = 64;

/// What a name is when there is nothing to make it from.
const FALLBACK: &str = "api";

/// Words of a file name that say nothing about the API in it.
const EMPTY_WORDS: &[&str] = &["openapi", "swagger", "spec", "api", "schema", "json"];

/// Slug of a title: lower-case ASCII letters and digits, `_` for each run of anything else, `api_` before a digit;
/// `api` when nothing is left.
pub fn machine_name(text: &str) -> String {
    slug(text).unwrap_or_else(|| FALLBACK.to_owned())
}

/// The name of an API: the slug of the first of the texts (title, folder name) that yields one, else `api`.
pub fn api_name<'a>(candidates: impl IntoIterator<Item = &'a str>) -> String {
    candidates.into_iter().find_map(slug).unwrap_or_else(|| FALLBACK.to_owned())
}

/// The namespace of a document: the first word of its file stem that means something, else of the API's name; version
/// words and words such as `openapi` do not.
pub fn namespace_name(file_stem: &str, api_name: &str) -> String {
    let word = [file_stem, api_name].into_iter().find_map(first_meaningful_word);
    word.unwrap_or_else(|| machine_name(api_name))
}

fn first_meaningful_word(text: &str) -> Option<String> {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let word = words.find(|word| {
        let lower = word.to_ascii_lowercase();
        !EMPTY_WORDS.contains(&lower.as_str()) && !is_version(&lower)
    })?;
    slug(word)
}

/// `1`, `2024`, `v2`, `v1beta1`.
fn is_version(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or(word);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && (word.starts_with('v') || digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn slug(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.len() > MAX_LEN {
            break;
        }
        if name.is_empty() && word.starts_with(|c: char| c.is_ascii_digit()) {
            name.push_str("api");
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(&word.to_ascii_lowercase());
    }
    // ASCII only: any length is a character boundary.
    name.truncate(MAX_LEN);
    let name = name.trim_end_matches('_');
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{api_name, machine_name, namespace_name};

    #[test]
    fn a_title_becomes_a_machine_name() {
        for (text, expect) in [
            ("Swagger Petstore", "swagger_petstore"),
            ("  GitHub v3 REST API ", "github_v3_rest_api"),
            ("3D Printing", "api_3d_printing"),
            ("", "api"),
            ("…", "api"),
            ("Übersicht: Kunden", "bersicht_kunden"),
            (&"long ".repeat(40), "long_long_long_long_long_long_long_long_long_long_long_long_long"),
        ] {
            assert_eq!(machine_name(text), expect, "{text:?}");
            assert!(machine_name(text).len() <= 64);
        }
        assert_eq!(machine_name(&"x".repeat(200)).len(), 64);
    }

    #[test]
    fn the_first_text_that_yields_a_name_is_taken() {
        assert_eq!(api_name(["", "--", "My Folder"]), "my_folder");
        assert_eq!(api_name([]), "api");
    }

    #[test]
    fn a_namespace_is_the_first_word_that_says_something() {
        for (stem, api, expect) in [
            ("public-v1", "acme", "public"),
            ("workflow-tools-v1", "acme", "workflow"),
            ("openapi", "swagger_petstore", "petstore"),
            ("api.github.com", "x", "github"),
            ("v1beta1_2024-01-01", "acme_api", "acme"),
            ("openapi-3.1", "api", "api"),
            ("2fa", "x", "api_2fa"),
            ("Vault", "x", "vault"),
        ] {
            assert_eq!(namespace_name(stem, api), expect, "{stem:?}");
        }
    }
}
