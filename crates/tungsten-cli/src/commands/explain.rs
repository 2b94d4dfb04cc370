//! `tungsten explain`: a diagnostic code from the registry, or an operation or type from the compiled project.

use base::Code;
use serde_json::json;
use tungsten_project::Explained;

use crate::args::Explain;
use crate::outcome::{CommandError, ErrorKind, Exit, Outcome};

pub fn run(args: &Explain) -> Outcome {
    if let Some(code) = Code::parse(&args.target) {
        return explain_code(code);
    }
    let looks_like_code = args.target.len() == 6 && args.target.to_ascii_uppercase().starts_with("TG");
    if looks_like_code {
        let what = base::diag::quoted(&args.target);
        let error = CommandError::new(ErrorKind::NotFound, format!("there is no code {what}"));
        return Outcome::failed(Some("explain"), error.help("codes are TGnnnn; docs/codes.md lists them"));
    }
    let compilation = match tungsten_project::compile(&args.project) {
        Ok(compilation) => compilation,
        Err(failure) => return Outcome::failed(Some("explain"), failure.into()),
    };
    if compilation.ir.is_none() {
        let what = base::diag::quoted(&args.target);
        let summary = format!("{what} is no diagnostic code, and it can be looked up only in a project without errors");
        let exit = Exit::of(&compilation.diagnostics, false, &[]);
        let outcome = Outcome { exit, summary, ..Outcome::of("explain") };
        return outcome.with_diagnostics(compilation.diagnostics, compilation.sources, compilation.project.shown);
    }
    let found = match compilation.explain(&args.target) {
        Explained::Operation { id, resource, planned, fragment } => {
            json!({ "kind": "operation", "id": id, "resource": resource, "planned": planned, "fragment": fragment })
        }
        Explained::Type { id, fragment } => json!({ "kind": "type", "id": id, "fragment": fragment }),
        Explained::Ambiguous(ids) => {
            let what = base::diag::quoted(&args.target);
            let error = CommandError::new(ErrorKind::NotFound, format!("{what} fits several"));
            return Outcome::failed(Some("explain"), error.help(format!("name one of: {}", ids.join(", "))));
        }
        Explained::Nothing(near) => {
            let what = base::diag::quoted(&args.target);
            let error = CommandError::new(ErrorKind::NotFound, format!("no code, operation or type is called {what}"));
            let error = if near.is_empty() { error } else { error.help(format!("did you mean {}?", near.join(", "))) };
            return Outcome::failed(Some("explain"), error);
        }
    };
    let text = serde_json::to_string_pretty(&found["fragment"]).expect("a fragment is plain data") + "\n";
    Outcome { result: Some(found), text, ..Outcome::of("explain") }
}

fn explain_code(code: Code) -> Outcome {
    let result = json!({
        "kind": "diagnostic_code",
        "code": code.name(),
        "summary": code.title(),
        "area": code.area(),
        "meaning": code.section("Meaning"),
        "fix": code.section("Fix"),
    });
    Outcome { result: Some(result), text: code.page().to_owned(), ..Outcome::of("explain") }
}
