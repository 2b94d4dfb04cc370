//! What stands where in an OpenAPI document: an operation, a list of parameters, a schema; and of which kind it is.
//!
//! Reads keys on the way from a root; writes nothing. One table (OpenAPI 3.0.4, section 4.7, 3.1.1, section 4.8, and
//! 3.2.0, section 4), whatever the version: a member that only one of them has is no misspelling in the other. The members of schemas are
//! read by `read`; here they only tell a schema from what is none. Below an unknown key, and in a file that is no whole
//! document, a place is unknown until a key says that schemas begin.

use base::Sym;
use base_doc::{Doc, Kind};

use crate::keywords as kw;

/// What a value is, by where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Unknown,
    Root,
    Info,
    Contact,
    License,
    ExternalDocs,
    Servers,
    Server,
    Variables,
    Variable,
    Tags,
    Tag,
    Security,
    Requirement,
    Components,
    PathItems,
    PathItem,
    /// Operations by method.
    Operations,
    Operation,
    Parameters,
    ParametersByName,
    Parameter,
    RequestBodies,
    RequestBody,
    Responses,
    Response,
    Headers,
    HeadersByName,
    Header,
    Content,
    MediaType,
    Encodings,
    /// Encodings by place.
    EncodingList,
    Encoding,
    Examples,
    Example,
    Links,
    Link,
    Callbacks,
    Callback,
    SecuritySchemes,
    SecurityScheme,
    Flows,
    Flow,
    Scopes,
    /// Schemas by name, or a list of them.
    Schemas,
    Schema,
    Discriminator,
    Xml,
}

/// Which kinds a value may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Any,
    Text,
    Bool,
    Object,
    List,
    /// A text; a number or a boolean is read as one.
    Scalar,
    /// A schema: an object, or a boolean.
    Schema,
}

impl Form {
    pub(crate) fn admits(self, kind: Kind) -> bool {
        match self {
            Self::Any => true,
            Self::Text => kind == Kind::String,
            Self::Bool => kind == Kind::Bool,
            Self::Object => kind == Kind::Object,
            Self::List => kind == Kind::Array,
            Self::Scalar => matches!(kind, Kind::String | Kind::Number | Kind::Bool),
            Self::Schema => matches!(kind, Kind::Object | Kind::Bool),
        }
    }

    pub(crate) fn phrase(self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Text | Self::Scalar => "a text",
            Self::Bool => "a boolean",
            Self::Object => "an object",
            Self::List => "a list",
            Self::Schema => "a schema",
        }
    }
}

/// A member of an object: its key, its form, and what stands in it.
type Member = (Sym, Form, Place);

macro_rules! members {
    ($($key:ident $form:ident $($place:ident)?;)+) => {
        &[$((kw::$key, Form::$form, members!(@ $($place)?))),+]
    };
    (@ $place:ident) => { Place::$place };
    (@) => { Place::Unknown };
}

const ROOT: &[Member] = members! {
    OPENAPI Any; SELF Text; INFO Object Info; JSON_SCHEMA_DIALECT Text; SERVERS List Servers; PATHS Object PathItems;
    WEBHOOKS Object PathItems; COMPONENTS Object Components; SECURITY List Security; TAGS List Tags;
    EXTERNAL_DOCS Object ExternalDocs;
};
const INFO: &[Member] = members! {
    TITLE Scalar; SUMMARY Text; DESCRIPTION Text; TERMS_OF_SERVICE Text; CONTACT Object Contact;
    LICENSE Object License; VERSION Scalar;
};
const CONTACT: &[Member] = members! { NAME Text; URL Text; EMAIL Text; };
const LICENSE: &[Member] = members! { NAME Text; IDENTIFIER Text; URL Text; };
const EXTERNAL_DOCS: &[Member] = members! { DESCRIPTION Text; URL Text; };
const SERVER: &[Member] = members! { URL Text; NAME Text; DESCRIPTION Text; VARIABLES Object Variables; };
const VARIABLE: &[Member] = members! { ENUM List; DEFAULT Scalar; DESCRIPTION Text; };
const TAG: &[Member] = members! {
    NAME Text; SUMMARY Text; DESCRIPTION Text; EXTERNAL_DOCS Object ExternalDocs; PARENT Text; KIND Text;
};
const COMPONENTS: &[Member] = members! {
    SCHEMAS Object Schemas; RESPONSES Object Responses; PARAMETERS Object ParametersByName;
    EXAMPLES Object Examples; REQUEST_BODIES Object RequestBodies; HEADERS Object HeadersByName;
    SECURITY_SCHEMES Object SecuritySchemes; LINKS Object Links; CALLBACKS Object Callbacks;
    PATH_ITEMS Object PathItems; MEDIA_TYPES Object Content;
};
const PATH_ITEM: &[Member] = members! {
    REF Text; SUMMARY Text; DESCRIPTION Text; GET Object Operation; PUT Object Operation; POST Object Operation;
    DELETE Object Operation; OPTIONS Object Operation; HEAD Object Operation; PATCH Object Operation;
    TRACE Object Operation; QUERY Object Operation; ADDITIONAL_OPERATIONS Object Operations; SERVERS List Servers;
    PARAMETERS List Parameters;
};
const OPERATION: &[Member] = members! {
    TAGS List; SUMMARY Text; DESCRIPTION Text; EXTERNAL_DOCS Object ExternalDocs; OPERATION_ID Scalar;
    PARAMETERS List Parameters; REQUEST_BODY Object RequestBody; RESPONSES Object Responses;
    CALLBACKS Object Callbacks; DEPRECATED Bool; SECURITY List Security; SERVERS List Servers;
};
const PARAMETER: &[Member] = members! {
    NAME Text; IN Text; DESCRIPTION Text; REQUIRED Bool; DEPRECATED Bool; ALLOW_EMPTY_VALUE Bool; STYLE Text;
    EXPLODE Bool; ALLOW_RESERVED Bool; SCHEMA Schema Schema; EXAMPLE Any; EXAMPLES Object Examples;
    CONTENT Object Content;
};
const HEADER: &[Member] = members! {
    DESCRIPTION Text; REQUIRED Bool; DEPRECATED Bool; ALLOW_EMPTY_VALUE Bool; STYLE Text; EXPLODE Bool;
    ALLOW_RESERVED Bool; SCHEMA Schema Schema; EXAMPLE Any; EXAMPLES Object Examples; CONTENT Object Content;
};
const REQUEST_BODY: &[Member] = members! { DESCRIPTION Text; CONTENT Object Content; REQUIRED Bool; };
const RESPONSE: &[Member] = members! {
    SUMMARY Text; DESCRIPTION Text; HEADERS Object Headers; CONTENT Object Content; LINKS Object Links;
};
const MEDIA_TYPE: &[Member] = members! {
    DESCRIPTION Text; SCHEMA Schema Schema; ITEM_SCHEMA Schema Schema; EXAMPLE Any; EXAMPLES Object Examples;
    ENCODING Object Encodings; PREFIX_ENCODING List EncodingList; ITEM_ENCODING Object Encoding;
};
const ENCODING: &[Member] = members! {
    CONTENT_TYPE Text; HEADERS Object Headers; STYLE Text; EXPLODE Bool; ALLOW_RESERVED Bool;
    ENCODING Object Encodings; PREFIX_ENCODING List EncodingList; ITEM_ENCODING Object Encoding;
};
const EXAMPLE: &[Member] = members! {
    SUMMARY Text; DESCRIPTION Text; VALUE Any; DATA_VALUE Any; SERIALIZED_VALUE Text; EXTERNAL_VALUE Text;
};
const LINK: &[Member] = members! {
    OPERATION_REF Text; OPERATION_ID Text; PARAMETERS Object; REQUEST_BODY Any; DESCRIPTION Text;
    SERVER Object Server;
};
const SECURITY_SCHEME: &[Member] = members! {
    TYPE Text; DESCRIPTION Text; NAME Text; IN Text; SCHEME Text; BEARER_FORMAT Text; FLOWS Object Flows;
    OPEN_ID_CONNECT_URL Text; OAUTH2_METADATA_URL Text; DEPRECATED Bool;
};
const FLOWS: &[Member] = members! {
    IMPLICIT Object Flow; PASSWORD Object Flow; CLIENT_CREDENTIALS Object Flow; AUTHORIZATION_CODE Object Flow;
    DEVICE_AUTHORIZATION Object Flow;
};
const FLOW: &[Member] = members! {
    AUTHORIZATION_URL Text; DEVICE_AUTHORIZATION_URL Text; TOKEN_URL Text; REFRESH_URL Text; SCOPES Object Scopes;
};
const DISCRIMINATOR: &[Member] = members! { PROPERTY_NAME Any; MAPPING Any; DEFAULT_MAPPING Any; };
const XML: &[Member] = members! {
    NODE_TYPE Text; NAME Text; NAMESPACE Text; PREFIX Text; ATTRIBUTE Bool; WRAPPED Bool;
};

impl Place {
    /// What the root of a document is: a whole document says its version.
    pub(crate) fn of_root(doc: &Doc) -> Self {
        let says = |key| doc.get(doc.root(), key).is_some();
        if says(kw::OPENAPI) || says(kw::SWAGGER) { Self::Root } else { Self::Unknown }
    }

    /// The members of an object that has a closed set of them, beside extensions; nothing for others.
    pub(crate) fn members(self) -> &'static [Member] {
        match self {
            Self::Root => ROOT,
            Self::Info => INFO,
            Self::Contact => CONTACT,
            Self::License => LICENSE,
            Self::ExternalDocs => EXTERNAL_DOCS,
            Self::Server => SERVER,
            Self::Variable => VARIABLE,
            Self::Tag => TAG,
            Self::Components => COMPONENTS,
            Self::PathItem => PATH_ITEM,
            Self::Operation => OPERATION,
            Self::Parameter => PARAMETER,
            Self::Header => HEADER,
            Self::RequestBody => REQUEST_BODY,
            Self::Response => RESPONSE,
            Self::MediaType => MEDIA_TYPE,
            Self::Encoding => ENCODING,
            Self::Example => EXAMPLE,
            Self::Link => LINK,
            Self::SecurityScheme => SECURITY_SCHEME,
            Self::Flows => FLOWS,
            Self::Flow => FLOW,
            Self::Discriminator => DISCRIMINATOR,
            Self::Xml => XML,
            _ => &[],
        }
    }

    /// What each member of an object is whose keys the author chooses, and each item of a list.
    pub(crate) fn items(self) -> Option<(Form, Self)> {
        let (form, place) = match self {
            Self::Servers => (Form::Object, Self::Server),
            Self::Variables => (Form::Object, Self::Variable),
            Self::Tags => (Form::Object, Self::Tag),
            Self::Security => (Form::Object, Self::Requirement),
            Self::Requirement => (Form::List, Self::Unknown),
            Self::PathItems | Self::Callback => (Form::Object, Self::PathItem),
            Self::Operations => (Form::Object, Self::Operation),
            Self::Parameters | Self::ParametersByName => (Form::Object, Self::Parameter),
            Self::RequestBodies => (Form::Object, Self::RequestBody),
            Self::Responses => (Form::Object, Self::Response),
            Self::Headers | Self::HeadersByName => (Form::Object, Self::Header),
            Self::Content => (Form::Object, Self::MediaType),
            Self::Encodings | Self::EncodingList => (Form::Object, Self::Encoding),
            Self::Examples => (Form::Object, Self::Example),
            Self::Links => (Form::Object, Self::Link),
            Self::Callbacks => (Form::Object, Self::Callback),
            Self::SecuritySchemes => (Form::Object, Self::SecurityScheme),
            Self::Scopes => (Form::Text, Self::Unknown),
            Self::Schemas => (Form::Schema, Self::Schema),
            _ => return None,
        };
        Some((form, place))
    }

    /// The form and the place of what stands under `key`, or in a list without one. Nothing for a key that is no member
    /// of an object with a closed set of them.
    pub(crate) fn below(self, key: Option<Sym>) -> Option<(Form, Self)> {
        if let Some(item) = self.items() {
            return Some(item);
        }
        let place = match (self, key) {
            // The tuple form of `items`.
            (Self::Schema, None) => Self::Schema,
            (Self::Schema | Self::Unknown, Some(key)) => self.schema_below(key),
            (_, Some(key)) if !self.members().is_empty() => {
                let found = self.members().iter().find(|(name, ..)| *name == key);
                return found.map(|&(_, form, place)| (form, place));
            }
            _ => Self::Unknown,
        };
        let form = if key.is_some_and(is_definitions) && self == Self::Schema { Form::Object } else { Form::Any };
        Some((form, place))
    }

    /// Where a keyword leads to further schemas (JSON Schema 2020-12, section 10). In a place that is not known, only
    /// keywords count that nothing but a schema has.
    fn schema_below(self, key: Sym) -> Self {
        match key {
            kw::PROPERTIES | kw::PATTERN_PROPERTIES | kw::ALL_OF | kw::ONE_OF | kw::ANY_OF | kw::PREFIX_ITEMS => {
                Self::Schemas
            }
            kw::ITEMS | kw::ADDITIONAL_PROPERTIES => Self::Schema,
            kw::SCHEMA | kw::ITEM_SCHEMA if self == Self::Unknown => Self::Schema,
            _ if self == Self::Unknown => Self::Unknown,
            kw::DEFS | kw::DEFINITIONS | kw::DEPENDENT_SCHEMAS => Self::Schemas,
            kw::DISCRIMINATOR => Self::Discriminator,
            kw::XML => Self::Xml,
            kw::NOT
            | kw::IF
            | kw::THEN
            | kw::ELSE
            | kw::CONTAINS
            | kw::PROPERTY_NAMES
            | kw::ADDITIONAL_ITEMS
            | kw::UNEVALUATED_ITEMS
            | kw::UNEVALUATED_PROPERTIES
            | kw::CONTENT_SCHEMA => Self::Schema,
            _ => Self::Unknown,
        }
    }

    /// Whether a Reference Object may stand here, beside which nothing counts but `summary` and `description`: not where
    /// schemas and path items do, which have a `$ref` of their own.
    pub(crate) fn may_be_reference(self) -> bool {
        matches!(
            self,
            Self::Parameter
                | Self::RequestBody
                | Self::Response
                | Self::Header
                | Self::MediaType
                | Self::Example
                | Self::Link
                | Self::Callback
                | Self::SecurityScheme
        )
    }

    /// Whether only OpenAPI 3.2 has this member.
    pub(crate) fn is_of_32(self, key: Sym) -> bool {
        match self {
            Self::Root => key == kw::SELF,
            Self::Server => key == kw::NAME,
            Self::Tag => matches!(key, kw::SUMMARY | kw::PARENT | kw::KIND),
            Self::Components => key == kw::MEDIA_TYPES,
            Self::PathItem => matches!(key, kw::QUERY | kw::ADDITIONAL_OPERATIONS),
            Self::Response => key == kw::SUMMARY,
            Self::MediaType => {
                matches!(key, kw::DESCRIPTION | kw::ITEM_SCHEMA | kw::PREFIX_ENCODING | kw::ITEM_ENCODING)
            }
            Self::Encoding => matches!(key, kw::ENCODING | kw::PREFIX_ENCODING | kw::ITEM_ENCODING),
            Self::Example => matches!(key, kw::DATA_VALUE | kw::SERIALIZED_VALUE),
            Self::SecurityScheme => matches!(key, kw::OAUTH2_METADATA_URL | kw::DEPRECATED),
            Self::Flows => key == kw::DEVICE_AUTHORIZATION,
            Self::Flow => key == kw::DEVICE_AUTHORIZATION_URL,
            Self::Discriminator => key == kw::DEFAULT_MAPPING,
            Self::Xml => key == kw::NODE_TYPE,
            _ => false,
        }
    }

    /// Members that may not stand beside this one.
    pub(crate) fn excluded_by(self, key: Sym) -> &'static [Sym] {
        match (self, key) {
            (Self::Parameter | Self::Header | Self::MediaType, kw::EXAMPLES) => &[kw::EXAMPLE],
            (Self::Parameter | Self::Header, kw::STYLE | kw::EXPLODE | kw::ALLOW_RESERVED) => &[kw::CONTENT],
            (Self::Example, kw::DATA_VALUE) => &[kw::VALUE],
            (Self::Example, kw::SERIALIZED_VALUE) => &[kw::VALUE, kw::EXTERNAL_VALUE],
            (Self::Example, kw::EXTERNAL_VALUE) => &[kw::VALUE],
            (Self::MediaType | Self::Encoding, kw::PREFIX_ENCODING | kw::ITEM_ENCODING) => &[kw::ENCODING],
            (Self::Link, kw::OPERATION_REF) => &[kw::OPERATION_ID],
            (Self::License, kw::IDENTIFIER) => &[kw::URL],
            (Self::Xml, kw::NODE_TYPE) => &[kw::ATTRIBUTE, kw::WRAPPED],
            _ => &[],
        }
    }

    /// What stands here, for a message; nothing where that is not known or a schema.
    pub(crate) fn phrase(self) -> Option<&'static str> {
        Some(match self {
            Self::Unknown | Self::Schema => return None,
            Self::Root => "a whole document",
            Self::Info => "the `info` of a document",
            Self::Contact => "a contact",
            Self::License => "a license",
            Self::ExternalDocs => "an external documentation",
            Self::Servers => "a list of servers",
            Self::Server => "a server",
            Self::Variables => "a list of server variables",
            Self::Variable => "a server variable",
            Self::Tags => "a list of tags",
            Self::Tag => "a tag",
            Self::Security => "a list of security requirements",
            Self::Requirement => "a security requirement",
            Self::Components => "the `components` of a document",
            Self::PathItems => "a list of paths",
            Self::PathItem => "a path item",
            Self::Operations => "a list of operations",
            Self::Operation => "an operation",
            Self::Parameters | Self::ParametersByName => "a list of parameters",
            Self::Parameter => "a parameter",
            Self::RequestBodies => "a list of request bodies",
            Self::RequestBody => "a request body",
            Self::Responses => "a list of responses",
            Self::Response => "a response",
            Self::Headers | Self::HeadersByName => "a list of headers",
            Self::Header => "a header",
            Self::Content => "a list of media types",
            Self::MediaType => "a media type",
            Self::Encodings | Self::EncodingList => "a list of encodings",
            Self::Encoding => "an encoding",
            Self::Examples => "a list of examples",
            Self::Example => "an example",
            Self::Links => "a list of links",
            Self::Link => "a link",
            Self::Callbacks => "a list of callbacks",
            Self::Callback => "a callback",
            Self::SecuritySchemes => "a list of security schemes",
            Self::SecurityScheme => "a security scheme",
            Self::Flows => "a list of OAuth flows",
            Self::Flow => "an OAuth flow",
            Self::Scopes => "a list of scopes",
            Self::Schemas => "a list of schemas",
            Self::Discriminator => "a discriminator",
            Self::Xml => "an XML object",
        })
    }

    /// Whether an operation, or what is about operations, stands here: not the head of the document.
    pub(crate) fn is_of_operation(self) -> bool {
        !matches!(
            self,
            Self::Root
                | Self::Info
                | Self::Contact
                | Self::License
                | Self::ExternalDocs
                | Self::Servers
                | Self::Server
                | Self::Variables
                | Self::Variable
                | Self::Tags
                | Self::Tag
                | Self::Components
        )
    }
}

/// Whether schemas stand under this keyword that count only where a reference names them.
fn is_definitions(key: Sym) -> bool {
    matches!(key, kw::DEFS | kw::DEFINITIONS)
}

#[cfg(test)]
mod tests {
    use base::{Id, Sym};

    use super::{Form, Place};
    use crate::keywords as kw;

    #[track_caller]
    fn check(start: Place, keys: &[Option<Sym>], expect: Option<Place>) {
        let step = |at: Option<Place>, key: &Option<Sym>| at?.below(*key).map(|(_, place)| place);
        assert_eq!(keys.iter().fold(Some(start), step), expect, "{keys:?}");
    }

    #[test]
    fn schemas_are_told_from_what_is_none() {
        let schema = [Some(kw::COMPONENTS), Some(kw::SCHEMAS), Some(kw::PATHS)];
        check(Place::Root, &schema, Some(Place::Schema));
        let item = [&schema[..], &[Some(kw::PROPERTIES), Some(kw::GET), Some(kw::ALL_OF), None]].concat();
        check(Place::Root, &item, Some(Place::Schema));
        let operation = [Some(kw::PATHS), Some(kw::NAME), Some(kw::GET)];
        check(Place::Root, &operation, Some(Place::Operation));
        let media = [&operation[..], &[Some(kw::REQUEST_BODY), Some(kw::CONTENT), Some(kw::NAME)]].concat();
        check(Place::Root, &media, Some(Place::MediaType));
        check(Place::Unknown, &[Some(kw::GET), Some(kw::PROPERTIES), Some(kw::GET)], Some(Place::Schema));
        check(Place::Root, &[Some(kw::INFO), Some(kw::VERSION)], Some(Place::Unknown));
        check(Place::Root, &[Some(kw::GET)], None);
        assert_eq!(Place::Operation.below(Some(kw::TAGS)), Some((Form::List, Place::Unknown)));
    }

    #[test]
    fn a_place_lists_each_member_once() {
        for (place, n_members) in [(Place::Root, 11), (Place::Operation, 12), (Place::Parameter, 13)] {
            let mut names: Vec<usize> = place.members().iter().map(|(name, ..)| name.index()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!((names.len(), place.members().len()), (n_members, n_members), "{place:?}");
        }
    }
}
