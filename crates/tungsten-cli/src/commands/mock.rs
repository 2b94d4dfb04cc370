//! `tungsten mock`: serves the API until standard input closes.

use std::io::Read as _;
use std::sync::Arc;

use base::source::Access;
use serde_json::json;

use crate::args::Mock;
use crate::outcome::{CommandError, ErrorKind, Exit, Hold, Outcome, count_phrase};
use crate::progress::Progress;

pub fn run(args: &Mock, wants_json: bool) -> Outcome {
    let progress = Progress::start("compiling", !wants_json);
    let opened = tungsten_project::open(&args.project.path);
    let mut compilation = match opened {
        Ok(project) => tungsten_project::compile_opened(project, Access::Read),
        Err(failure) => return Outcome::failed(Some("mock"), failure.into()),
    };
    drop(progress);
    let diagnostics = std::mem::take(&mut compilation.diagnostics);
    let (Exit::Success, Some(ir)) = (Exit::of(&diagnostics, false, &[]), compilation.ir.take()) else {
        let (exit, counts) = (Exit::of(&diagnostics, false, &[]), count_phrase(&diagnostics));
        let outcome = Outcome { exit, summary: format!("nothing is served: {counts}"), ..Outcome::of("mock") };
        return outcome.with_diagnostics(diagnostics, compilation.sources, compilation.project.shown);
    };
    let options = tungsten_mock::Options {
        seed: args.seed,
        gates: args.gates.clone(),
        max_recorded_calls: args.max_recorded_calls,
        max_idempotent_responses: args.max_idempotent_responses,
    };
    let server = match tungsten_mock::start(Arc::new(ir), Arc::new(compilation.docs), args.port, options) {
        Ok(server) => server,
        Err(error) => {
            let message = format!("listening on 127.0.0.1:{} failed: {error}", args.port);
            let error = CommandError::new(ErrorKind::Io, message).help("name another port, or 0 for a free one");
            return Outcome::failed(Some("mock"), error);
        }
    };
    let base_url = server.base_url();
    let mut outcome = Outcome::of("mock");
    outcome.result = Some(json!({
        "base_url": base_url,
        "enabled_gates": server.enabled_gates(),
        "max_recorded_calls": args.max_recorded_calls,
        "max_idempotent_responses": args.max_idempotent_responses,
    }));
    outcome.text = format!("{base_url}\n");
    outcome.summary = "serving until standard input closes".to_owned();
    outcome.hold = Hold::until(move || {
        // Whatever ends the reading, end of input or a failure, ends the server.
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        drop(server);
    });
    outcome
}
