//! `tungsten doctor`: which tools are there, and what a project needs of them.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use tungsten_project::doctor::{Tool, tools};

use crate::args::Doctor;
use crate::outcome::{CommandError, ErrorKind, Exit, Outcome};

pub fn run(args: &Doctor) -> Outcome {
    let path = match (&args.path, args.strict) {
        (Some(path), _) => Some(path.as_path()),
        (None, true) => Some(Path::new(".")),
        (None, false) => None,
    };
    if let Some(path) = path.filter(|path| !path.exists()) {
        let error = CommandError::new(ErrorKind::NotFound, format!("there is no {}", path.display()));
        return Outcome::failed(Some("doctor"), error.help("name a project folder or a manifest"));
    }
    let project = match path.map(tungsten_project::open).transpose() {
        Ok(project) => project,
        Err(failure) => return Outcome::failed(Some("doctor"), failure.into()),
    };
    let targets = project.as_ref().map(tungsten_project::Opened::target_names).unwrap_or_default();
    let tools = tools(&targets);
    let mut result = json!({ "tools": tools.iter().map(tool_json).collect::<Vec<_>>() });
    let mut text: String = tools.iter().map(tool_line).collect();
    let mut outcome = Outcome::of("doctor");
    if let Some(project) = project {
        let missing: Vec<&str> = tools.iter().filter(|tool| !tool.ok).map(|tool| tool.name).collect();
        let local = project.local_packages();
        let _ =
            writeln!(text, "\ntargets: {}", if targets.is_empty() { "none".to_owned() } else { targets.join(", ") });
        for package in &local {
            let state = if package.found { "found" } else { "not there yet" };
            let _ = writeln!(text, "{}.{}: {} ({state})", package.target, package.option, package.path);
        }
        let local: Vec<Value> = local
            .iter()
            .map(|p| json!({ "target": p.target, "option": p.option, "path": p.path, "found": p.found }))
            .collect();
        result["project"] = json!({ "targets": targets, "missing": missing, "local_packages": local });
        outcome.exit = Exit::of(&project.diagnostics, false, &[]);
        if args.strict && !missing.is_empty() {
            outcome.exit = Exit::Input;
            outcome.summary = format!("missing or too old: {}", missing.join(", "));
        }
        outcome = outcome.with_diagnostics(project.diagnostics, project.sources, project.shown);
    }
    outcome.result = Some(result);
    outcome.text = text;
    outcome
}

fn tool_json(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "found": tool.found,
        "version": tool.version,
        "purpose": tool.purpose,
        "required": tool.required,
        "ok": tool.ok,
    })
}

fn tool_line(tool: &Tool) -> String {
    let state = match (&tool.version, tool.found) {
        (Some(version), _) => version.clone(),
        (None, true) => "found".to_owned(),
        (None, false) => "not found".to_owned(),
    };
    let needed = match (tool.required, tool.ok, tool.minimum) {
        (true, false, Some(minimum)) => format!(" [needed: {minimum} or newer]"),
        (true, false, None) => " [needed]".to_owned(),
        _ => String::new(),
    };
    format!("{:<10} {state}{needed}: {}\n", tool.name, tool.purpose)
}
