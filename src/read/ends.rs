//! The text of an end for a model: its cause, its cost, its result. Owns the texts.

use crate::base::quote::{ERROR_CHARS, LABEL_CHARS, NAME_CHARS, TASK_CHARS, quoted};
use crate::base::slab::{Key, NONE};
use crate::base::text::inline;
use crate::model::status::{Status, StopReason};
use crate::read::fence::{self, Kind, Source};
use crate::read::figures::Figures;
use crate::state::State;

/// How a run ended.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// The recorded status.
    pub status: Status,
    /// The reason.
    pub reason: StopReason,
    /// The error.
    pub error: Option<&'a str>,
    /// The host's own word for the status.
    pub host_status: Option<&'a str>,
}

/// The shown parts of an end.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// The run that it belongs to.
    pub source: Source,
    /// How the run ended.
    pub how: How<'a>,
    /// Its usage and time.
    pub figures: Figures,
    /// The run's output.
    pub output: &'a str,
    /// The receipts of its tool calls, as JSON.
    pub receipts: Option<&'a str>,
    /// How much of the output is shown.
    pub inline_bytes: usize,
    /// Its own sub-agents that continue in the background, each as a model names it (W6).
    pub going_on: Vec<String>,
}

/// The text of an end for a model: a line of facts, then the run's output, error and receipts.
#[must_use]
pub fn result_text(shown: &Shown<'_>) -> String {
    let mut line = format!("Sub-agent {} {}", shown.source.id, phrase(&shown.how));
    if let Some(figures) = shown.figures.text() {
        line = format!("{line} ({figures})");
    }
    let going_on = going_on_text(&shown.going_on).map_or_else(String::new, |text| format!(" {text}"));
    match left(&shown.source, (shown.how.error, shown.receipts), shown.output, shown.inline_bytes) {
        Some(left) => format!("{line}.{going_on}\n{left}"),
        None => format!("{line}. {NOTHING}{going_on}"),
    }
}

/// The most sub-agents that one text names.
const NAMED: usize = 10;

/// Names the sub-agents of an ended one that continue; `None` if none does.
fn going_on_text(all: &[String]) -> Option<String> {
    let (named, more) = all.split_at_checked(NAMED).unwrap_or((all, &[]));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    (!all.is_empty()).then(|| format!("Still at work in the background below it: {}{more}.", named.join(", ")))
}

/// The sub-agents of an ended task that continue in the background, each as a model names it.
#[must_use]
pub fn going_on(state: &State, task: Key) -> Vec<String> {
    let is_over = state.tree.contains(task) && state.node(task.index).run == NONE;
    let below = is_over.then(|| state.left_behind(task.index)).into_iter().flatten();
    below.map(|index| format!("{} [{}]", state.shown_id(state.key(index)), quoted(state.node(index).label(), LABEL_CHARS))).collect()
}

/// The parts of a notice's text: the end of a background run.
#[derive(Clone, Debug)]
pub(crate) struct NoticeParts<'a> {
    pub(crate) source: Source,
    pub(crate) how: How<'a>,
    /// As in [`Shown`].
    pub(crate) figures: Figures,
    pub(crate) label: &'a str,
    /// Its instructions.
    pub(crate) task: &'a str,
    pub(crate) output: &'a str,
    /// As in [`Shown`].
    pub(crate) receipts: Option<&'a str>,
    pub(crate) inline_bytes: usize,
    /// As in [`Shown`].
    pub(crate) going_on: &'a [String],
}

/// The text of a notice, in nanobot's form: who ended, how, its instructions, and its result; then its usage.
pub(crate) fn notice_text(parts: &NoticeParts<'_>) -> String {
    let left = left(&parts.source, (parts.how.error, parts.receipts), parts.output, parts.inline_bytes);
    let result = left.map_or_else(|| NOTHING.to_owned(), |left| format!("\n{left}"));
    let took = parts.figures.text().map_or_else(String::new, |figures| format!("\n\nIt took: {figures}."));
    let going_on = going_on_text(parts.going_on).map_or_else(String::new, |text| format!("\n\n{text}"));
    format!(
        "[Subagent '{}' {}]\n\nTask: '{}'\n\nResult: {result}{took}{going_on}",
        quoted(parts.label, LABEL_CHARS),
        phrase(&parts.how),
        quoted(parts.task, TASK_CHARS)
    )
}

const NOTHING: &str = "It left no output.";

/// A run's output, its error unless the line before has all of it, and the receipts of its tool calls (R9). Each is in a fence of
/// its own, cut.
fn left(source: &Source, (error, receipts): (Option<&str>, Option<&str>), output: &str, inline_bytes: usize) -> Option<String> {
    let error = error.filter(|error| !is_shown_whole(error));
    // An error is added to the output and doesn't replace it.
    let rest = if output.is_empty() { inline_bytes } else { inline_bytes.checked_div(4).unwrap_or(0) };
    let output = (!output.is_empty()).then_some(output);
    let parts: Vec<String> = [(Kind::Output, output, inline_bytes), (Kind::Error, error, rest), (Kind::Receipts, receipts, rest)]
        .into_iter()
        .filter_map(|(kind, text, bytes)| Some(fence::marked(source, kind, &inline(text?, bytes))))
        .collect();
    (!parts.is_empty()).then(|| fence::noted(&parts))
}

/// Whether a line can hold the whole of an error.
fn is_shown_whole(error: &str) -> bool {
    quoted(error, ERROR_CHARS).chars().count() == error.trim().chars().count()
}

/// An end as part of a sentence; the error and the host's own word are in quotes (N5).
pub(crate) fn phrase(how: &How<'_>) -> String {
    let (status, why) = (named(how.status), because(how.reason));
    let error = how.error.map(|error| quoted(error, ERROR_CHARS)).filter(|error| !error.is_empty());
    let error = match error {
        Some(error) if why.is_empty() => format!(": '{error}'"),
        Some(error) => format!("; the error is '{error}'"),
        None => String::new(),
    };
    // The host's own word for the end of a run that was asked to stop adds nothing.
    let word = how
        .host_status
        .filter(|_| how.reason.is_by_host())
        .map(|word| quoted(word, NAME_CHARS))
        .filter(|word| !word.is_empty() && *word != how.status.name());
    let word = word.map_or_else(String::new, |word| format!(" with status '{word}'"));
    format!("{status}{word}{why}{error}")
}

const fn named(status: Status) -> &'static str {
    match status {
        Status::Completed => "completed",
        Status::Failed => "failed",
        Status::TimedOut => "ran out of time",
        Status::Cancelled => "was cancelled",
        Status::Interrupted => "was interrupted",
        Status::Closed => "was closed",
        Status::Pending | Status::Running | Status::Idle => status.name(),
    }
}

const fn because(reason: StopReason) -> &'static str {
    match reason {
        StopReason::MaxTurns => ": it had used all its turns, so its work is partial",
        StopReason::BudgetExhausted => ": the budget was used up, so its work may be partial",
        StopReason::InvalidResult => ": what ran it returned no result that can be used",
        StopReason::ParentEnded => ": the run it worked for has ended",
        StopReason::AncestorCancelled => " together with the work above it",
        StopReason::SignalAborted => ": its caller aborted",
        StopReason::Drained => ": no new work is taken",
        StopReason::IdleTimeout => ": it was silent for too long",
        StopReason::HostLost => ": the process that ran it is gone",
        StopReason::NeverReported => ": its result was never reported",
        StopReason::Policy => ": a policy stopped it",
        StopReason::HostThrew
        | StopReason::HostFailed
        | StopReason::Finished
        | StopReason::HostCancelled
        | StopReason::HostTimedOut
        | StopReason::Timeout
        | StopReason::Cancelled
        | StopReason::Interrupted
        | StopReason::Closed => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::figures::InAll;
    use proptest::prelude::*;

    fn source() -> Source {
        Source { seed: (1, 2), task: Key { index: 3, generation: 4 }, run: 1, id: "sub_1".into() }
    }

    fn how(status: Status, reason: StopReason) -> How<'static> {
        How { status, reason, error: None, host_status: None }
    }

    fn shown<'a>(how: How<'a>, output: &'a str) -> Shown<'a> {
        Shown { source: source(), how, figures: Figures::default(), output, receipts: None, inline_bytes: 1_000, going_on: Vec::new() }
    }

    #[test]
    fn a_result_says_how_it_ended_what_it_took_and_what_it_said() {
        let end = shown(how(Status::Completed, StopReason::Finished), "It says 4");
        let took = |figures: Figures| result_text(&Shown { figures, ..end.clone() });
        let (tokens, nanos) = (Some(300), Some(31_250_000));
        let all = took(Figures { turns: Some(1), tokens, nanos, duration_ms: Some(1_249), ..Figures::default() });
        assert!(all.starts_with("Sub-agent sub_1 completed (1 turn, 300 tokens, $0.0313, 1.2 s).\n<subagent-output"), "{all}");
        assert!(all.contains("\nIt says 4\n"), "{all}");
        let cached = took(Figures { tokens, cached: Some(250), ..Figures::default() });
        assert!(cached.starts_with("Sub-agent sub_1 completed (300 tokens (250 from the cache)).\n"), "{cached}");
        let about = took(Figures { tokens, nanos: Some(30_000_000), estimated: true, ..Figures::default() });
        assert!(about.starts_with("Sub-agent sub_1 completed (about 300 tokens, about $0.0300).\n"), "B15: {about}");
        let (tokens, nanos) = (Some(300), Some(30_000_000));
        let sum = InAll { tokens, nanos, estimated: false, of: "in all its runs" };
        let runs = took(Figures { turns: Some(1), in_all: Some(sum), ..Figures::default() });
        assert!(runs.starts_with("Sub-agent sub_1 completed (1 turn; in all its runs: 300 tokens, $0.0300).\n"), "{runs}");
        let dollars = took(Figures { in_all: Some(InAll { tokens: None, ..sum }), ..Figures::default() });
        assert!(dollars.starts_with("Sub-agent sub_1 completed (in all its runs: $0.0300).\n"), "{dollars}");
        let none = result_text(&Shown { figures: Figures { turns: Some(2), ..Figures::default() }, output: "", ..end });
        assert_eq!(none, "Sub-agent sub_1 completed (2 turns). It left no output.");
    }

    #[test]
    fn an_end_names_the_sub_agents_that_go_on_ten_of_them() {
        let end = shown(how(Status::Completed, StopReason::Finished), "");
        let one = result_text(&Shown { going_on: vec!["sub_2 [look]".into()], ..end.clone() });
        assert_eq!(one, "Sub-agent sub_1 completed. It left no output. Still at work in the background below it: sub_2 [look].");
        let many = result_text(&Shown { going_on: vec!["sub_2 [look]".into(); 12], ..end });
        assert!(many.ends_with(", sub_2 [look] and 2 more."), "{many}");
    }

    #[test]
    fn an_end_reads_as_a_sentence() {
        assert_eq!(phrase(&how(Status::Completed, StopReason::Finished)), "completed");
        assert_eq!(phrase(&how(Status::Failed, StopReason::HostFailed)), "failed");
        assert_eq!(phrase(&how(Status::Cancelled, StopReason::AncestorCancelled)), "was cancelled together with the work above it");
        assert_eq!(phrase(&how(Status::TimedOut, StopReason::Timeout)), "ran out of time");
        let failed = How { error: Some("no 'such'\nfile"), ..how(Status::Failed, StopReason::HostThrew) };
        assert_eq!(phrase(&failed), "failed: 'no ’such’ file'");
        let blocked = How { error: Some("not now"), ..how(Status::Failed, StopReason::Policy) };
        assert_eq!(phrase(&blocked), "failed: a policy stopped it; the error is 'not now'");
        let worded = How { host_status: Some("max_iterations"), ..how(Status::Completed, StopReason::Finished) };
        assert_eq!(phrase(&worded), "completed with status 'max_iterations'");
        let stopped = How { host_status: Some("cancelled"), ..how(Status::TimedOut, StopReason::Timeout) };
        assert_eq!(phrase(&stopped), "ran out of time");
    }

    #[test]
    fn an_error_stands_beside_an_output_whole() {
        let end = How { error: Some("disk full"), ..how(Status::Failed, StopReason::HostFailed) };
        let short = result_text(&shown(end, "half of it"));
        assert!(short.contains(" failed: 'disk full'.\n") && short.contains("\nhalf of it\n"), "{short}");
        assert!(!short.contains("subagent-error"), "{short}");
        let trace = format!("disk full\n{}", "at line 1\n".repeat(40));
        let long = result_text(&shown(How { error: Some(&trace), ..end }, "half of it"));
        assert!(long.contains("\n</subagent-output nonce=") && long.contains("\n<subagent-error id="), "{long}");
        assert_eq!(long.matches("It is data").count(), 1, "{long}");
    }

    proptest! {
        #[test]
        fn what_stands_outside_of_the_fences_is_ours(
            label: String, task: String, error in any::<Option<String>>(), word in any::<Option<String>>(), output: String,
        ) {
            let how = How {
                status: Status::Failed,
                reason: StopReason::HostFailed,
                error: error.as_deref(),
                host_status: word.as_deref(),
            };
            let figures = Figures { turns: Some(1), tokens: Some(300), ..Figures::default() };
            let whole = notice_text(&NoticeParts {
                source: source(),
                how,
                figures,
                label: &label,
                task: &task,
                output: &output,
                receipts: None,
                inline_bytes: 10_000,
                going_on: &[],
            });
            let took = "\n\nIt took: 1 turn, 300 tokens.";
            prop_assert!(whole.ends_with(took), "{}", whole);
            let text = whole.strip_suffix(took).unwrap_or_default();
            let fence = text.find("\n<subagent-").unwrap_or(text.len());
            let head: Vec<&str> = text.get(..fence).unwrap_or_default().split('\n').collect();
            prop_assert_eq!(head.len(), 5, "{}", text);
            prop_assert!(head.first().is_some_and(|line| line.starts_with("[Subagent '") && line.ends_with(']')), "{}", text);
            prop_assert!(head.get(2).is_some_and(|line| line.starts_with("Task: '") && line.ends_with('\'') && line.matches('\'').count() == 2) && head.get(4).is_some_and(|line| line.starts_with("Result: ")));
            let first = head.first().copied().unwrap_or_default();
            prop_assert_eq!(first.matches(['[', ']']).count(), 2, "{}", text);
            prop_assert_eq!(first.matches('\'').count() % 2, 0, "{}", text);
        }
    }
}
