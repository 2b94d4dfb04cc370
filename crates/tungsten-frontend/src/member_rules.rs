//! Rules of OpenAPI about single members that a closed list of keys does not say: names, lists, members in other places.
//!
//! Reads one member and what is around it; writes nothing. The walk over a document asks, so that components which nothing
//! refers to are checked as well; what a reader makes of a member is the reader's business.

use base::{Id, Sym};
use base_doc::{Doc, DocSet, Kind, NodeId};
use tungsten_ir::Method;

use crate::grammar::Place;
use crate::keywords as kw;

/// Parameters of a list that are looked at for one that must be alone: more would make long lists slow.
const NEIGHBOURS: usize = 64;

/// A rule that is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    HeaderName,
    PathName,
    /// `allowReserved` where nothing is percent-encoded.
    NothingEncoded,
    /// `allowReserved` where only OpenAPI 3.2 has it.
    NotEncodedBefore32,
    /// `in: querystring` without `content`.
    WholeQueryContent,
    /// `in: querystring` beside another parameter of the query.
    WholeQueryAlone,
    /// `in: querystring` where only OpenAPI 3.2 has it.
    WholeQueryIsNew,
    /// `style: cookie` where only OpenAPI 3.2 has it.
    RawCookieIsNew,
    /// A method under `additionalOperations` that has a key of its own.
    OwnKey,
    /// A key of `additionalOperations` that is no method.
    NoMethod,
    NoChoices,
}

impl Rule {
    /// Whether what OpenAPI 3.2 has breaks it as well.
    pub(crate) fn holds_in_32(self) -> bool {
        !matches!(self, Self::NotEncodedBefore32 | Self::WholeQueryIsNew | Self::RawCookieIsNew)
    }

    /// What was found.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::HeaderName => "no header can have this name",
            Self::PathName => "no placeholder can have this name, for it holds a brace",
            Self::NothingEncoded => "`allowReserved` has no effect here: nothing is percent-encoded",
            Self::NotEncodedBefore32 => "before OpenAPI 3.2, `allowReserved` has no effect on anything but the query",
            Self::WholeQueryContent => "a parameter that is the whole query string is described by `content`",
            Self::WholeQueryAlone => "a parameter that is the whole query string stands beside another of the query",
            Self::WholeQueryIsNew => {
                "only OpenAPI 3.2 has parameters that are the whole query string; it is read as that"
            }
            Self::RawCookieIsNew => "only OpenAPI 3.2 has the style `cookie`; it is read as that",
            Self::OwnKey => "this method has a key of its own in a path item, and belongs there",
            Self::NoMethod => "this is no method that a request can have",
            Self::NoChoices => "the list of choices is empty; any value is good",
        }
    }
}

/// Where a member stands.
pub(crate) struct Around<'a> {
    pub(crate) docs: &'a DocSet,
    pub(crate) tree: &'a Doc,
    /// The object that has it.
    pub(crate) parent: NodeId,
    /// What holds that object.
    pub(crate) within: NodeId,
}

impl Around<'_> {
    fn text(&self, object: NodeId, key: Sym) -> Option<&str> {
        self.tree.get(object, key).and_then(|node| self.tree.as_str(node))
    }
}

/// The rule that a member breaks, and the value to point at.
pub(crate) fn broken(around: &Around<'_>, place: Place, key: Sym, node: NodeId) -> Option<(NodeId, Rule)> {
    let name = || around.docs.keys.resolve(key);
    match (place, key) {
        (Place::Parameter, kw::IN) => parameter(around, node),
        (Place::Parameter, kw::STYLE) if around.tree.as_str(node) == Some("cookie") => {
            Some((node, Rule::RawCookieIsNew))
        }
        (Place::Header, kw::ALLOW_RESERVED) => Some((node, Rule::NothingEncoded)),
        (Place::Variable, kw::ENUM) if around.tree.n_children(node) == 0 => Some((node, Rule::NoChoices)),
        (Place::Headers, _) if !is_token(name()) => Some((node, Rule::HeaderName)),
        (Place::Operations, _) if own_key(name()).is_some() => Some((node, Rule::OwnKey)),
        (Place::Operations, _) if !is_token(name()) => Some((node, Rule::NoMethod)),
        _ => None,
    }
}

fn parameter(around: &Around<'_>, place: NodeId) -> Option<(NodeId, Rule)> {
    let (tree, parent) = (around.tree, around.parent);
    let name = tree.get(parent, kw::NAME).filter(|&name| tree.as_str(name).is_some());
    let is_name = |good: fn(&str) -> bool| name.is_none_or(|name| tree.as_str(name).is_none_or(good));
    let reserved = tree.get(parent, kw::ALLOW_RESERVED);
    let is_raw_cookie = || around.text(parent, kw::STYLE) == Some("cookie");
    match tree.as_str(place)? {
        "header" if !is_name(is_token) => Some((name?, Rule::HeaderName)),
        "path" if !is_name(|name| !name.contains(['{', '}'])) => Some((name?, Rule::PathName)),
        "header" => reserved.map(|at| (at, Rule::NothingEncoded)),
        "cookie" if is_raw_cookie() => reserved.map(|at| (at, Rule::NothingEncoded)),
        "cookie" | "path" => reserved.map(|at| (at, Rule::NotEncodedBefore32)),
        "querystring" if tree.get(parent, kw::CONTENT).is_none() => Some((place, Rule::WholeQueryContent)),
        "querystring" => {
            let list = around.within;
            let shares = |other: NodeId| match around.text(other, kw::IN) {
                Some("query") => true,
                Some("querystring") => other.index() < parent.index(),
                _ => false,
            };
            let is_listed = tree.kind(list) == Kind::Array;
            let mut near = tree.children(list).take(NEIGHBOURS);
            let is_alone = !is_listed || !near.any(|other| other != parent && shares(other));
            Some((place, if is_alone { Rule::WholeQueryIsNew } else { Rule::WholeQueryAlone }))
        }
        _ => None,
    }
}

/// The method whose key in a path item a name of `additionalOperations` should have been.
pub(crate) fn own_key(name: &str) -> Option<Method> {
    Method::FIXED.into_iter().find(|method| method.fixed_name() == Some(name))
}

/// Whether a text is a token (RFC 9110, section 5.6.2): what names of methods and headers are.
pub(crate) fn is_token(text: &str) -> bool {
    let is_mark = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
}

#[cfg(test)]
mod tests {
    use tungsten_ir::Method;

    use super::{is_token, own_key};

    #[test]
    fn methods_and_headers_are_tokens() {
        for text in ["COPY", "X-Rate-Limit", "M-SEARCH", "a", "!#$%&'*+-.^_`|~"] {
            assert!(is_token(text), "{text}");
        }
        for text in ["", "Bad=Header", "a b", "a\n", "ä", "a/b", "[x]"] {
            assert!(!is_token(text), "{text}");
        }
    }

    #[test]
    fn capitals_tell_a_method_with_a_key_of_its_own() {
        assert_eq!(own_key("POST"), Some(Method::Post));
        assert_eq!(own_key("QUERY"), Some(Method::Query));
        for name in ["post", "COPY", ""] {
            assert_eq!(own_key(name), None, "{name}");
        }
    }
}
