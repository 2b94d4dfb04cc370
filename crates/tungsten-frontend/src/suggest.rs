//! "Did you mean" among the many names of a description.
//!
//! Reads a name that a manifest gives and those that there are; returns a help text. Names that share no beginning and no
//! end with it are passed over first, so that the comparison, which looks at few, looks at the right ones.

/// Letters at an end of two names that make them worth comparing.
const SHARED: usize = 3;

/// `did you mean ...?` for the nearest name, when one is near.
pub(crate) fn did_you_mean<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let wanted_key = wanted.to_lowercase();
    let is_close = |name: &&str| {
        let name = name.to_lowercase();
        let shared = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
            a.zip(b).take_while(|(a, b)| a == b).take(SHARED).count() == SHARED
        };
        name.chars().count() <= 2 * SHARED
            || shared(&mut last_part(&name).chars(), &mut last_part(&wanted_key).chars())
            || shared(&mut name.chars().rev(), &mut wanted_key.chars().rev())
    };
    base::suggest::nearest(wanted, known.filter(is_close)).map(|near| format!("did you mean `{near}`?"))
}

/// The name without its namespace, or the last segment of a path.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', '/']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_names_are_found_among_many() {
        let many: Vec<String> = (0..500).map(|index| format!("api.getThing{index}")).collect();
        let known = || many.iter().map(String::as_str).chain(["api.listPets", "api.x"]);
        assert_eq!(did_you_mean("api.listPats", known()).as_deref(), Some("did you mean `api.listPets`?"));
        assert_eq!(did_you_mean("api.lostPets", known()).as_deref(), Some("did you mean `api.listPets`?"));
        assert_eq!(did_you_mean("api.removeEverything", known()), None);
        assert_eq!(did_you_mean("", known()), None);
    }
}
