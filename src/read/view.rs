//! What users read: snapshots of tasks and their lists. Owns their fields; computes from the state and keeps
//! nothing.

mod account;
mod policing;
mod totals;

use serde::Serialize;

pub(crate) use account::usage_of;
pub use account::{BudgetView, DimensionView, RemainingView, RunLimitsView, UsageView, budget, remaining, run_limits};
pub use policing::{PolicingView, policing};
pub use totals::{ConcurrencyView, DrainView, StatsView, WaitingView, concurrency, drained, stats, waiting};

use crate::base::codec::Text;
use crate::base::id;
pub use crate::base::number::Number;
use crate::base::number::{instant, number};
use crate::base::slab::{Key, NONE};
use crate::base::text::cut_to_chars;
use crate::model::limits::{PREVIEW_CHARS, PREVIEW_MESSAGES};
use crate::model::rejection::Rejection;
use crate::model::status::{OnParentEnd, Parked, Status, StopReason, WaitingFor};
use crate::state::node::Kind;
use crate::state::run::Previous;
use crate::state::{DEFAULT_SESSION, ROOT, State};

/// The profile of a task that was given none.
const DEFAULT_PROFILE: &str = "minimal";

/// A task as it stands.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct TaskView {
    pub task_id: String,
    pub parent_id: Option<String>,
    pub label: Text,
    pub nickname: Option<Text>,
    pub status: Status,
    pub parked: Option<Parked>,
    pub waiting_for: Option<WaitingFor>,
    pub cancel_requested: bool,
    pub stop_reason: Option<StopReason>,
    pub raised_by: Option<&'static str>,
    pub background: bool,
    pub manual: bool,
    pub depth: u32,
    pub run: u32,
    pub turns: Number,
    pub instructions: Text,
    pub context_hint: Text,
    pub output: Text,
    pub partial: bool,
    pub truncated: bool,
    pub error: Option<Text>,
    pub host_status: Option<Text>,
    pub host_task_id: Option<Text>,
    pub host_still_running: bool,
    pub late_result: Option<Text>,
    pub progress: Option<Text>,
    pub context_tokens: Option<Number>,
    pub artifacts: Option<Text>,
    pub value: Option<Text>,
    pub tools: Option<Vec<Text>>,
    pub system_prompt: Option<Text>,
    pub profile: Text,
    pub model_id: Option<Text>,
    pub source_agent_id: Option<Text>,
    pub metadata: Option<Text>,
    pub rate_limit_key: Option<Text>,
    pub disallowed_tools: Option<Vec<Text>>,
    pub released: bool,
    pub format: &'static str,
    pub report: Option<Text>,
    pub max_turns: Number,
    pub queue_size: u32,
    pub question: Option<Text>,
    pub undelivered: Vec<Text>,
    pub queued_preview: Vec<String>,
    pub last_input: Option<Text>,
    pub last_output: Option<Text>,
    pub on_parent_end: OnParentEnd,
    pub created_at: Option<Number>,
    pub started_at: Option<Number>,
    pub ended_at: Option<Number>,
    pub updated_at: Option<Number>,
    pub duration_ms: Option<Number>,
    pub usage: UsageView,
    pub budget: BudgetView,
}

/// How an attempt ended that is followed by another (X5).
#[derive(Clone, Debug, Serialize)]
pub struct AttemptView {
    /// Why.
    pub reason: StopReason,
    /// What went wrong.
    pub error: Option<Text>,
}

/// How the attempt before a run ended.
#[must_use]
pub fn attempt(previous: &Previous) -> AttemptView {
    AttemptView { reason: previous.reason, error: previous.error.clone() }
}

fn id_of(state: &State, slot: u32) -> String {
    id::encode(state.seed.unwrap_or_default(), state.key(slot))
}

/// The option that raises the limit at which a task's last run ended, where it ended at one.
#[must_use]
pub fn raised_by(state: &State, slot: u32, reason: StopReason) -> Option<&'static str> {
    match reason {
        StopReason::MaxTurns => Some("maxTurns"),
        StopReason::Timeout | StopReason::NeverReported => Some("timeoutMs"),
        StopReason::IdleTimeout => Some("idleTimeoutMs"),
        StopReason::BudgetExhausted => state.budget_raised_by(slot),
        StopReason::Finished
        | StopReason::HostFailed
        | StopReason::HostThrew
        | StopReason::InvalidResult
        | StopReason::HostCancelled
        | StopReason::HostTimedOut
        | StopReason::Cancelled
        | StopReason::AncestorCancelled
        | StopReason::ParentEnded
        | StopReason::Interrupted
        | StopReason::Closed
        | StopReason::SignalAborted
        | StopReason::Drained
        | StopReason::Policy
        | StopReason::MarkedFailed
        | StopReason::HostLost => None,
    }
}

/// A snapshot of the task in a slot. A time before that of the last fact counts as that.
#[must_use]
pub fn task(state: &State, slot: u32, now: u64) -> TaskView {
    let node = state.node(slot);
    let run = state.run_of(slot);
    let cold = node.cold.as_deref();
    let spec = node.spec();
    let ended = !node.status.is_open() && node.status != Status::Idle;
    let label = node.label().into();
    let measured = if node.started_at == 0 {
        None
    } else {
        let until = if node.run == NONE { node.ended_at } else { now.max(state.now) };
        Some(until.saturating_sub(node.started_at))
    };
    let doubts = if node.run == NONE { node.usage_doubts } else { run.doubts() };
    let max_turns = state.max_turns_of(slot);
    TaskView {
        task_id: id_of(state, slot),
        parent_id: state.node(node.parent).is_task().then(|| id_of(state, node.parent)),
        label,
        nickname: state.nickname(slot).cloned(),
        status: node.status,
        parked: if node.run == NONE { None } else { run.parked() },
        waiting_for: state.waits_for(now.max(state.now), slot),
        cancel_requested: state.is_sealed(slot) || (node.run != NONE && run.stop.is_some()),
        stop_reason: ended.then_some(node.reason),
        raised_by: if ended { raised_by(state, slot, node.reason) } else { None },
        background: node.background,
        manual: node.kind == Kind::Manual,
        depth: u32::from(node.depth),
        run: node.runs,
        turns: number(node.last_usage.turns),
        instructions: node.text.clone(),
        context_hint: spec.and_then(|spec| spec.context_hint.clone()).unwrap_or_default(),
        output: node.output.clone(),
        partial: node.partial,
        truncated: node.cut,
        error: cold.and_then(|cold| cold.error.clone()),
        host_status: cold.and_then(|cold| cold.host_status.clone()),
        host_task_id: cold.and_then(|cold| cold.host_task_id.clone()),
        host_still_running: node.lingering != NONE,
        late_result: cold.and_then(|cold| cold.late_result.clone()),
        progress: cold.and_then(|cold| cold.progress.clone()),
        context_tokens: cold.and_then(|cold| cold.context_tokens).map(number),
        artifacts: cold.and_then(|cold| cold.artifacts.clone()),
        value: cold.and_then(|cold| cold.value.clone()),
        tools: spec.and_then(|spec| spec.tools.clone()),
        system_prompt: spec.and_then(|spec| spec.system_prompt.clone()),
        profile: spec.and_then(|spec| spec.profile.clone()).unwrap_or_else(|| DEFAULT_PROFILE.into()),
        model_id: spec.and_then(|spec| spec.model_id.clone()),
        metadata: spec.and_then(|spec| spec.metadata.clone()),
        source_agent_id: spec.and_then(|spec| spec.source_agent_id.clone()),
        rate_limit_key: spec.and_then(|spec| spec.rate_limit_key.clone()),
        disallowed_tools: spec.and_then(|spec| spec.disallowed_tools.clone()),
        released: cold.is_some_and(|cold| cold.released),
        format: if spec.is_some_and(|spec| spec.json) { "json" } else { "text" },
        report: state.policing(slot).and_then(|policing| policing.report.clone()),
        max_turns: number(max_turns),
        queue_size: u32::try_from(node.undelivered_messages()).unwrap_or(u32::MAX),
        question: node.question().cloned(),
        undelivered: node.undelivered().to_vec(),
        queued_preview: cold.map_or_else(Vec::new, |cold| {
            cold.messages.iter().take(PREVIEW_MESSAGES).map(|text| cut_to_chars(text, PREVIEW_CHARS).to_owned()).collect()
        }),
        last_input: cold.and_then(|cold| cold.last_input.as_ref()).or_else(|| Some(&node.text).filter(|text| !text.is_empty())).cloned(),
        last_output: Some(&node.output)
            .filter(|output| !output.is_empty())
            .or_else(|| cold.and_then(|cold| cold.last_output.as_ref()))
            .cloned(),
        on_parent_end: state.on_parent_end(slot),
        created_at: instant(node.created_at),
        started_at: instant(node.started_at),
        ended_at: instant(node.ended_at),
        updated_at: instant(node.updated_at),
        duration_ms: cold.and_then(|cold| cold.duration_ms).or(measured).map(number),
        usage: usage_of(node.last_usage, doubts & 7, doubts >> 3),
        budget: budget(state, slot),
    }
}

/// A page of a list.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct ListView {
    pub items: Vec<TaskView>,
    pub total: u32,
}

/// Which tasks are listed; what is absent or empty leaves none out.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// With one of these statuses.
    pub statuses: Vec<Status>,
    /// Children of this node, not those below them; of the root: what no task spawned.
    pub parent: Option<u32>,
    /// With exactly this label.
    pub label: Option<Text>,
    /// In the background, or not.
    pub background: Option<bool>,
}

impl Filter {
    fn takes(&self, state: &State, slot: u32) -> bool {
        let node = state.node(slot);
        node.is_task()
            && (self.statuses.is_empty() || self.statuses.contains(&node.status))
            && self.parent.is_none_or(|parent| if parent == ROOT { !state.node(node.parent).is_task() } else { node.parent == parent })
            && self.background.is_none_or(|background| node.background == background)
            && self.label.as_deref().is_none_or(|wanted| state.node(slot).label() == wanted)
    }

    const fn is_by_status(&self) -> bool {
        self.parent.is_none() && self.label.is_none() && self.background.is_none()
    }
}

/// The tasks below `top` that the filter takes, parents before their children, in order of age.
#[must_use]
pub fn list(state: &State, top: u32, filter: &Filter, offset: u32, limit: u32, now: u64) -> ListView {
    let matches = |slot: &u32| filter.takes(state, *slot);
    let statuses = &filter.statuses;
    let wide = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    let items = state.below(top).filter(matches).skip(wide(offset)).take(wide(limit)).map(|slot| task(state, slot, now)).collect();
    // For the whole tree the counts are kept; only a part has to be counted.
    let whole = top == ROOT || (top == DEFAULT_SESSION && state.node(ROOT).family().last_child == DEFAULT_SESSION);
    let total = if whole && filter.is_by_status() {
        let wanted = Status::ALL.iter().filter(|status| statuses.is_empty() || statuses.contains(status));
        wanted.fold(0_u32, |sum, status| sum.saturating_add(state.count(*status)))
    } else {
        u32::try_from(state.below(top).filter(matches).count()).unwrap_or(u32::MAX)
    };
    ListView { items, total }
}

/// The task that a key names.
///
/// # Errors
/// [`Rejection`] where it is not there, or is no task.
pub fn find(state: &State, key: Key) -> Result<u32, Rejection> {
    if state.tree.contains(key) && state.node(key.slot).is_task() {
        Ok(key.slot)
    } else if state.tree.was_removed(key) {
        Err(Rejection::Forgotten)
    } else {
        Err(Rejection::UnknownTask)
    }
}
