//! Servers: where an API can be reached.
//!
//! Reads `servers` lists; writes servers and their variables. Relative URLs stay as they are, since only a caller knows
//! where the description was found.

use crate::lookup::Map;
use base::{Code, Span, Sym};
use base_doc::{Kind, Value};
use tungsten_ir::{Server, ServerId, ServerVariable};

use crate::keywords as kw;
use crate::lower::Lowering;

/// Reads the `servers` of a document, a path or an operation; empty when there are none. `code` is for what is wrong.
pub(crate) fn servers<'a>(lower: &mut Lowering<'a>, owner: Value<'a>, code: Code) -> Span<ServerId> {
    let Some(list) = owner.get(kw::SERVERS) else { return Span::EMPTY };
    if list.kind() != Kind::Array {
        let message = format!("`servers` is {}, not a list; it is ignored", list.kind().phrase());
        lower.report(code, list, message);
        return Span::EMPTY;
    }
    let rows: Vec<Server> = list.children().filter_map(|server| read_server(lower, server, code)).collect();
    lower.ir.servers.extend(rows)
}

/// A server that a project names.
fn named(lower: &mut Lowering<'_>, url: &str) -> Server {
    let url = lower.name(url);
    Server { template: url, url, name: None, description: None, variables: Span::EMPTY }
}

/// Reads one server; nothing for one without a URL, which is reported.
pub(crate) fn server<'a>(lower: &mut Lowering<'a>, server: Value<'a>, code: Code) -> Option<ServerId> {
    let row = read_server(lower, server, code)?;
    Some(lower.ir.servers.push(row))
}

fn read_server<'a>(lower: &mut Lowering<'a>, server: Value<'a>, code: Code) -> Option<Server> {
    let Some(template) = server.get(kw::URL).and_then(Value::as_str) else {
        lower.report(code, server.get(kw::URL).unwrap_or(server), "a server without a text as its `url` is ignored");
        return None;
    };
    let mut variables = Vec::new();
    for variable in server.get(kw::VARIABLES).into_iter().flat_map(Value::children) {
        variables.extend(read_variable(lower, variable, code));
    }
    let url = fill(lower, template, &variables);
    if url.contains(['{', '}']) {
        lower.report(
            code,
            server,
            "a variable of the server's `url` has no default; the `url` is kept as it is written",
        );
    }
    let description = server.get(kw::DESCRIPTION).and_then(|text| lower.text_of(text));
    let (template, url) = (lower.name(template), lower.name(&url));
    let name = server.get(kw::NAME).and_then(Value::as_str).filter(|name| !name.is_empty());
    let name = name.map(|name| lower.name(name));
    Some(Server { template, url, name, description, variables: lower.ir.server_variables.extend(variables) })
}

fn read_variable<'a>(lower: &mut Lowering<'a>, variable: Value<'a>, code: Code) -> Option<ServerVariable> {
    let name = variable.key()?;
    let stated = variable.get(kw::DEFAULT);
    let first_choice = || variable.get(kw::ENUM).and_then(|choices| choices.children().next());
    match stated {
        None => {
            lower.report(code, variable, "a server variable has no default; its first choice, if any, is used");
        }
        Some(value) if value.kind() != Kind::String => {
            let message = format!("the default of a server variable is {}; it is read as text", value.kind().phrase());
            lower.report(code, value, message);
        }
        Some(_) => {}
    }
    let default: Sym = lower.name(stated.or_else(first_choice).and_then(scalar_text)?);
    let choices = variable.get(kw::ENUM).filter(|choices| choices.kind() == Kind::Array);
    if let (Some(value), Some(choices)) = (stated, choices)
        && choices.n_children() > 0
        && choices.children().all(|choice| scalar_text(choice) != scalar_text(value))
    {
        lower.report(code, value, "the default of the server variable is none of its choices; it is kept");
    }
    let description = variable.get(kw::DESCRIPTION).and_then(|text| lower.text_of(text));
    let choices = choices.into_iter().flat_map(Value::children).filter_map(scalar_text);
    let choices: Vec<Sym> = choices.map(|choice| lower.name(choice)).collect();
    Some(ServerVariable { name, default, choices: lower.ir.server_choices.extend(choices), description })
}

fn scalar_text(value: Value<'_>) -> Option<&str> {
    let bool_text = value.as_bool().map(|yes| if yes { "true" } else { "false" });
    value.as_str().or_else(|| value.as_number()).or(bool_text)
}

/// The template with its variables' defaults.
fn fill(lower: &Lowering<'_>, template: &str, variables: &[ServerVariable]) -> String {
    let defaults: Map<&str, &str> = variables
        .iter()
        .map(|variable| (lower.ir.names.resolve(variable.name), lower.ir.names.resolve(variable.default)))
        .collect();
    let mut url = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        let name = &rest[open + 1..open + length];
        url.push_str(&rest[..open]);
        url.push_str(defaults.get(name).copied().unwrap_or(&rest[open..=open + length]));
        rest = &rest[open + length + 1..];
    }
    url.push_str(rest);
    url
}

/// Puts the server that a project prefers before those of the API.
pub(crate) fn prefer(lower: &mut Lowering<'_>, url: &str) {
    let first = named(lower, url);
    let others: Vec<Server> =
        lower.ir.servers.slice(lower.ir.api.servers).iter().filter(|server| server.url != first.url).copied().collect();
    lower.ir.api.servers = lower.ir.servers.extend(std::iter::once(first).chain(others));
}
