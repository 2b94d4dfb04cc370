//! The words of OpenAPI and JSON Schema, each a constant symbol.
//!
//! Every interner of a run starts with this list, so that a key is compared with a keyword as one number, in every
//! document. The order means nothing; a word stands once.

macro_rules! words {
    ($($name:ident $text:literal)+) => {
        /// All words, in symbol order.
        pub const WORDS: &[&str] = &[$($text),+];

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Place { $($name),+ }

        $(#[doc = concat!("`", $text, "`")] pub const $name: base::Sym = base::Sym::at(Place::$name as u32);)+
    };
}

words! {
    // The document.
    OPENAPI "openapi" SWAGGER "swagger" INFO "info" TITLE "title" VERSION "version" PATHS "paths"
    WEBHOOKS "webhooks" COMPONENTS "components" SERVERS "servers" SECURITY "security" TAGS "tags"
    EXTERNAL_DOCS "externalDocs" JSON_SCHEMA_DIALECT "jsonSchemaDialect" TERMS_OF_SERVICE "termsOfService"
    CONTACT "contact" LICENSE "license" SUMMARY "summary" DESCRIPTION "description" URL "url" NAME "name"
    VARIABLES "variables" EMAIL "email" IDENTIFIER "identifier"
    // Components.
    SCHEMAS "schemas" RESPONSES "responses" PARAMETERS "parameters" EXAMPLES "examples"
    REQUEST_BODIES "requestBodies" HEADERS "headers" SECURITY_SCHEMES "securitySchemes" LINKS "links"
    CALLBACKS "callbacks" PATH_ITEMS "pathItems"
    // Operations and what belongs to them.
    GET "get" PUT "put" POST "post" DELETE "delete" OPTIONS "options" HEAD "head" PATCH "patch" TRACE "trace"
    OPERATION_ID "operationId" OPERATION_REF "operationRef" REQUEST_BODY "requestBody" DEPRECATED "deprecated"
    IN "in" REQUIRED "required" SCHEMA "schema" CONTENT "content" STYLE "style" EXPLODE "explode"
    ALLOW_RESERVED "allowReserved" ALLOW_EMPTY_VALUE "allowEmptyValue" ENCODING "encoding"
    CONTENT_TYPE "contentType" EXAMPLE "example" VALUE "value" EXTERNAL_VALUE "externalValue" SERVER "server"
    // Places and styles.
    PATH "path" QUERY "query" HEADER "header" COOKIE "cookie" SIMPLE "simple" FORM "form" LABEL "label"
    MATRIX "matrix" SPACE_DELIMITED "spaceDelimited" PIPE_DELIMITED "pipeDelimited" DEEP_OBJECT "deepObject"
    // Security schemes.
    TYPE "type" SCHEME "scheme" BEARER_FORMAT "bearerFormat" FLOWS "flows" OPEN_ID_CONNECT_URL "openIdConnectUrl"
    IMPLICIT "implicit" PASSWORD "password" CLIENT_CREDENTIALS "clientCredentials"
    AUTHORIZATION_CODE "authorizationCode" AUTHORIZATION_URL "authorizationUrl" TOKEN_URL "tokenUrl"
    REFRESH_URL "refreshUrl" SCOPES "scopes" API_KEY "apiKey" HTTP "http" OAUTH2 "oauth2"
    OPEN_ID_CONNECT "openIdConnect" MUTUAL_TLS "mutualTLS" BEARER "bearer" BASIC "basic"
    // References.
    REF "$ref" DYNAMIC_REF "$dynamicRef" RECURSIVE_REF "$recursiveRef" ANCHOR "$anchor"
    DYNAMIC_ANCHOR "$dynamicAnchor" RECURSIVE_ANCHOR "$recursiveAnchor" ID "$id" DEFS "$defs"
    DEFINITIONS "definitions" SCHEMA_URI "$schema" VOCABULARY "$vocabulary" COMMENT "$comment"
    // Schemas.
    ALL_OF "allOf" ONE_OF "oneOf" ANY_OF "anyOf" NOT "not" IF "if" THEN "then" ELSE "else"
    PROPERTIES "properties" PATTERN_PROPERTIES "patternProperties" ADDITIONAL_PROPERTIES "additionalProperties"
    PROPERTY_NAMES "propertyNames" UNEVALUATED_PROPERTIES "unevaluatedProperties"
    UNEVALUATED_ITEMS "unevaluatedItems" ITEMS "items" PREFIX_ITEMS "prefixItems"
    ADDITIONAL_ITEMS "additionalItems" CONTAINS "contains" MIN_CONTAINS "minContains" MAX_CONTAINS "maxContains"
    DEPENDENT_REQUIRED "dependentRequired" DEPENDENT_SCHEMAS "dependentSchemas" DEPENDENCIES "dependencies"
    ENUM "enum" CONST "const" DEFAULT "default" FORMAT "format" PATTERN "pattern" MULTIPLE_OF "multipleOf"
    MINIMUM "minimum" MAXIMUM "maximum" EXCLUSIVE_MINIMUM "exclusiveMinimum" EXCLUSIVE_MAXIMUM "exclusiveMaximum"
    MIN_LENGTH "minLength" MAX_LENGTH "maxLength" MIN_ITEMS "minItems" MAX_ITEMS "maxItems"
    UNIQUE_ITEMS "uniqueItems" MIN_PROPERTIES "minProperties" MAX_PROPERTIES "maxProperties"
    NULLABLE "nullable" DISCRIMINATOR "discriminator" PROPERTY_NAME "propertyName" MAPPING "mapping"
    DEFAULT_MAPPING "defaultMapping" READ_ONLY "readOnly" WRITE_ONLY "writeOnly" XML "xml"
    CONTENT_ENCODING "contentEncoding" CONTENT_MEDIA_TYPE "contentMediaType" CONTENT_SCHEMA "contentSchema"
    // Type names.
    NULL "null" BOOLEAN "boolean" INTEGER "integer" NUMBER "number" STRING "string" ARRAY "array" OBJECT "object"
    // Extensions with a meaning here.
    X_ENUM_VARNAMES "x-enum-varnames" X_ENUM_NAMES "x-enumNames" X_ENUM_DESCRIPTIONS "x-enum-descriptions"
    X_AGENT_SENSITIVE "x-agent-sensitive" X_TUNGSTEN_STREAM_DONE "x-tungsten-stream-done"
    // What OpenAPI 3.2 brought.
    SELF "$self" ADDITIONAL_OPERATIONS "additionalOperations" MEDIA_TYPES "mediaTypes" PARENT "parent" KIND "kind"
    ITEM_SCHEMA "itemSchema" ITEM_ENCODING "itemEncoding" PREFIX_ENCODING "prefixEncoding" DATA_VALUE "dataValue"
    SERIALIZED_VALUE "serializedValue" OAUTH2_METADATA_URL "oauth2MetadataUrl"
    DEVICE_AUTHORIZATION "deviceAuthorization" DEVICE_AUTHORIZATION_URL "deviceAuthorizationUrl"
    NODE_TYPE "nodeType" QUERYSTRING "querystring"
    // XML and events.
    NAMESPACE "namespace" PREFIX "prefix" ATTRIBUTE "attribute" WRAPPED "wrapped" DATA "data"
}

#[cfg(test)]
mod tests {
    use super::{OPENAPI, TYPE, WORDS};

    #[test]
    fn a_constant_is_the_symbol_of_its_word() {
        let interner = base::Interner::with_words(WORDS);
        assert_eq!(interner.resolve(OPENAPI), "openapi");
        assert_eq!(interner.resolve(TYPE), "type");
        assert_eq!(
            interner.find("x-tungsten-stream-done").map(|sym| interner.resolve(sym)),
            Some("x-tungsten-stream-done")
        );
    }
}
