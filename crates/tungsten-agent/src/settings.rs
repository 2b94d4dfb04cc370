//! What holds for the whole API: repeats, unknown outcomes, disclosure.
//!
//! Reads `defaults` and `disclosure.prune`; writes the settings of the agent model, and TG0613 for options without
//! effect.

use base::Code;
use tungsten_ir::{Disclosure, DisclosureMode, Jitter, OnUnknown, Retries, RetryRule, UnknownOutcome};
use tungsten_manifest::{AgentManifest, RetryRule as StatedRule};

use crate::cx::Cx;

pub(crate) fn settings(manifest: &AgentManifest, cx: &mut Cx<'_>) {
    let stated = &manifest.defaults.retries;
    let default = Retries::default();
    cx.ir.agent.retries = Retries {
        read_only: stated.read_only.as_ref().map_or(default.read_only, retry_rule),
        mutating: stated.mutating.as_ref().map_or(default.mutating, retry_rule),
        honor_retry_after: stated.honor_retry_after,
    };
    let stated = &manifest.defaults.unknown_outcome;
    let outcome = |word: Option<&str>| word.and_then(OnUnknown::parse).unwrap_or_default();
    cx.ir.agent.unknown_outcome = UnknownOutcome {
        on_timeout: outcome(stated.on_timeout.as_deref()),
        on_connection_reset: outcome(stated.on_connection_reset.as_deref()),
        on_ambiguous_status: outcome(stated.on_ambiguous_status.as_deref()),
    };
    disclosure(manifest, cx);
}

fn retry_rule(stated: &StatedRule) -> RetryRule {
    let backoff = &stated.backoff;
    RetryRule {
        max: stated.max.0,
        base_ms: backoff.base_ms.0,
        max_ms: backoff.max_ms.0,
        jitter: backoff.jitter.as_deref().and_then(Jitter::parse).unwrap_or(Jitter::Full),
    }
}

fn disclosure(manifest: &AgentManifest, cx: &mut Cx<'_>) {
    let (budgets, prune) = (&manifest.defaults.disclosure, &manifest.disclosure.prune);
    let phrases: Vec<_> = prune.descriptions.drop_phrases.iter().map(|phrase| cx.text(phrase)).collect();
    let fields: Vec<_> = prune.drop_fields.iter().map(|field| cx.sym(field)).collect();
    cx.ir.agent.disclosure = Disclosure {
        mode: budgets.mode.as_deref().and_then(DisclosureMode::parse).unwrap_or(DisclosureMode::Auto),
        threshold: budgets.threshold.0,
        list_budget_tokens: budgets.list_budget_tokens.0,
        description_budget_tokens: budgets.description_budget_tokens.0,
        schema_budget_tokens: budgets.schema_budget_tokens.0,
        max_sentences: prune.descriptions.max_sentences.0,
        drop_phrases: phrases,
        drop_fields: fields,
        keep_examples: prune.keep_examples,
    };
    let first_field = prune.drop_fields.first().map(|field| &field.place);
    // The default is what many manifests write out, so only another number says something.
    let counts = budgets.threshold.0 != Disclosure::default().threshold;
    let options = [
        ("disclosure.prune.drop_fields", first_field),
        ("disclosure.prune.keep_examples", prune.keep_examples.then_some(&prune.place)),
        ("defaults.disclosure.threshold", counts.then_some(&budgets.place)),
    ];
    for (option, place) in options {
        if let Some(place) = place {
            let message = format!("`{option}` is not applied by this version; it is ignored");
            cx.report(Code::TG0613, place, message).help = Some("leave it out".to_owned());
        }
    }
}
