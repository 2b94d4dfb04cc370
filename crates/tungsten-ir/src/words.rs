//! Words and casing: how a name of a description becomes words, and words become an identifier.
//!
//! Reads names of any script, writes ASCII letters, digits and the joint of the case (`_`, `-`). All case conversion
//! of the project is here. Which case a role has is a matter of the profiles, uniqueness one of `names`.

/// How words are joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Case {
    /// `petStore`
    Camel,
    /// `PetStore`
    Pascal,
    /// `pet_store`
    Snake,
    /// `PET_STORE`
    Screaming,
    /// `pet-store`
    Kebab,
    /// `petstore`
    Lower,
}

/// Lower-case words of ASCII letters and digits, stored one behind the other so that one value serves many names.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Words {
    text: String,
    ends: Vec<usize>,
}

/// What a character is to the splitter. Letters and digits outside ASCII shape the words but leave no trace in them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Separator,
}

impl Words {
    /// The words of one text.
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        words.push(text);
        words
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }

    /// Appends the words of `text`.
    ///
    /// What is neither letter nor digit separates. A capital after a small letter starts a word; in a run of capitals
    /// the last one does when a small letter follows, but a lone plural `s` stays with the acronym (`userIDs` is
    /// `user`, `ids`). Digits stay with what is before them; a letter after a digit starts a word if the word already
    /// has a letter. Letters and digits outside ASCII are dropped where they stand; nothing is transliterated.
    pub fn push(&mut self, text: &str) {
        self.text.reserve(text.len());
        let mut chars = text.chars();
        let (mut before, mut has_letter) = (Class::Separator, false);
        while let Some(c) = chars.next() {
            let class = Class::of(c);
            let starts_word = match (before, class) {
                (_, Class::Separator) | (Class::Lower, Class::Upper) => true,
                (Class::Upper, Class::Upper) => ends_capitals(chars.clone()),
                (Class::Digit, Class::Lower | Class::Upper) => has_letter,
                _ => false,
            };
            if starts_word {
                self.end_word();
                has_letter = false;
            }
            has_letter |= matches!(class, Class::Lower | Class::Upper);
            if c.is_ascii_alphanumeric() {
                self.text.push(c.to_ascii_lowercase());
            }
            before = class;
        }
        self.end_word();
    }

    /// Ends the word that is being written, unless nothing is left of it.
    fn end_word(&mut self) {
        if self.text.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.text.len());
        }
    }

    /// Appends the words in a case to `out`.
    ///
    /// Camel and Pascal put `_` between two digits of different words, so that `v1` `2fa` does not read as twelve.
    pub fn write(&self, case: Case, out: &mut String) {
        out.reserve(self.text.len() + self.ends.len());
        for (index, word) in self.iter().enumerate() {
            match case {
                Case::Camel | Case::Pascal => {
                    let digits_meet =
                        out.ends_with(|c: char| c.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_digit());
                    if digits_meet {
                        out.push('_');
                    }
                    let capital = case == Case::Pascal || index > 0;
                    push_word(word, capital, out);
                }
                Case::Snake | Case::Screaming | Case::Kebab => {
                    if index > 0 {
                        out.push(if case == Case::Kebab { '-' } else { '_' });
                    }
                    let start = out.len();
                    out.push_str(word);
                    if case == Case::Screaming {
                        out[start..].make_ascii_uppercase();
                    }
                }
                Case::Lower => out.push_str(word),
            }
        }
    }

    /// The words in a case; empty when there are none.
    pub fn to_case(&self, case: Case) -> String {
        let mut out = String::new();
        self.write(case, &mut out);
        out
    }
}

/// The words of `text` in a case; empty when it has no usable character.
pub fn to_case(text: &str, case: Case) -> String {
    Words::of(text).to_case(case)
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            // Combining marks belong to the letter before them.
            '\u{300}'..='\u{36f}' => Self::Lower,
            _ if c.is_ascii() => Self::Separator,
            _ if c.is_uppercase() => Self::Upper,
            _ if c.is_numeric() => Self::Digit,
            _ if c.is_alphabetic() => Self::Lower,
            _ => Self::Separator,
        }
    }
}

/// Whether the capital before `rest` starts a word: a small letter follows, and not just the plural of an acronym.
fn ends_capitals(mut rest: std::str::Chars<'_>) -> bool {
    let next = rest.next();
    let small_follows = next.is_some_and(|c| Class::of(c) == Class::Lower);
    let plural = next == Some('s') && rest.next().is_none_or(|c| Class::of(c) != Class::Lower);
    small_follows && !plural
}

fn push_word(word: &str, capital: bool, out: &mut String) {
    let start = out.len();
    out.push_str(word);
    if capital {
        out[start..=start].make_ascii_uppercase();
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Words, to_case};

    #[test]
    fn names_split_into_words() {
        let cases = [
            ("userIDs", "user ids"),
            ("userIDsOfTeam", "user ids of team"),
            ("URLs", "urls"),
            ("getAsText", "get as text"),
            ("HTTPServer2", "http server2"),
            ("HTTPSome", "http some"),
            ("oauth2Token", "oauth2 token"),
            ("OAuth2", "o auth2"),
            ("v1beta", "v1 beta"),
            ("v1_2", "v1 2"),
            ("123abc", "123abc"),
            ("123ABc", "123a bc"),
            ("2faCode", "2fa code"),
            ("sha256sum", "sha256 sum"),
            ("__proto__", "proto"),
            ("constructor", "constructor"),
            ("pet-store.items[]", "pet store items"),
            ("X-Rate-Limit", "x rate limit"),
            ("@odata.type", "odata type"),
            ("Gr\u{f6}\u{df}e", "gre"),
            ("na\u{ef}veName", "nave name"),
            ("re\u{301}sume\u{301}", "resume"),
            ("\u{418}\u{43c}\u{44f}Id", "id"),
            ("\u{540d}\u{524d}", ""),
            ("\u{1f600}", ""),
            ("a\u{1f600}b", "a b"),
            ("a\u{202e}b", "a b"),
            ("", ""),
            ("_", ""),
        ];
        for (text, expect) in cases {
            assert_eq!(Words::of(text).iter().collect::<Vec<_>>().join(" "), expect, "{text:?}");
        }
    }

    #[test]
    fn words_are_joined_by_case() {
        let cases = [
            ("pet store", ["petStore", "PetStore", "pet_store", "PET_STORE", "pet-store", "petstore"]),
            ("v1 2fa", ["v1_2fa", "V1_2fa", "v1_2fa", "V1_2FA", "v1-2fa", "v12fa"]),
            ("userIDs", ["userIds", "UserIds", "user_ids", "USER_IDS", "user-ids", "userids"]),
            ("", [""; 6]),
        ];
        let order = [Case::Camel, Case::Pascal, Case::Snake, Case::Screaming, Case::Kebab, Case::Lower];
        for (text, expect) in cases {
            for (case, expect) in order.into_iter().zip(expect) {
                assert_eq!(to_case(text, case), expect);
            }
        }
    }

    #[test]
    fn several_texts_make_one_list_of_words() {
        let mut words = Words::of("petStore");
        words.push("v2");
        words.push("2nd");
        assert_eq!(words.to_case(Case::Pascal), "PetStoreV2_2nd");
        words.clear();
        assert!(words.is_empty());
    }
}
