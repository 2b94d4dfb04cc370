//! Media types as descriptions and messages write them.

/// The media type without its parameters, in lower case (RFC 9110, section 8.3.1).
pub fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::essence;

    #[test]
    fn parameters_and_case_are_left_out() {
        assert_eq!(essence(" Application/JSON ; charset=utf-8"), "application/json");
        assert_eq!(essence(""), "");
    }
}
