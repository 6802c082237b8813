//! What users read: snapshots of tasks, lists, statistics. Owns their fields and units; computes from
//! the state and keeps nothing.

use serde::{Serialize, Serializer};

use crate::amounts::UNCAPPED;
use crate::codec::Text;
use crate::id;
use crate::slab::{Key, NONE};
use crate::state::ledger::{self, Account};
use crate::state::node::Kind;
use crate::state::{DEFAULT_SESSION, ROOT, State};
use crate::status::{Parked, Status, StopReason};
use crate::text::label_of;

/// A number for JavaScript; what is uncapped is `Infinity`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

#[expect(clippy::as_conversions, reason = "JavaScript has no other numbers; beyond 2^53 they round")]
pub(crate) fn number(value: u64) -> Number {
    Number(if value == UNCAPPED { f64::INFINITY } else { value as f64 })
}

fn dollars(nanos: u64) -> Number {
    Number(number(nanos).0 / 1e9)
}

fn instant(at: u64) -> Option<Number> {
    (at != 0).then(|| number(at))
}

/// One dimension of a budget.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the words are those of rule B2")]
pub struct DimensionView {
    pub cap: Number,
    pub spent: Number,
    pub held: Number,
    pub available: Number,
    pub overspent: Number,
}

/// A budget: tokens, US dollars, turns.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the words are those of rule B1")]
pub struct BudgetView {
    pub tokens: DimensionView,
    pub cost_usd: DimensionView,
    pub turns: DimensionView,
}

fn budget(state: &State, slot: u32) -> BudgetView {
    let account: Account = state.node(slot).account;
    let available = ledger::available(&state.tree, &state.runs, slot, crate::amounts::Amounts::ZERO);
    let over = account.overspent();
    let view = |convert: fn(u64) -> Number, pick: fn(crate::amounts::Amounts) -> u64| DimensionView {
        cap: if pick(account.cap) == UNCAPPED { Number(f64::INFINITY) } else { convert(pick(account.cap)) },
        spent: convert(pick(account.spent)),
        held: convert(pick(account.held)),
        available: if pick(available) == UNCAPPED { Number(f64::INFINITY) } else { convert(pick(available)) },
        overspent: convert(pick(over)),
    };
    BudgetView {
        tokens: view(number, |amounts| amounts.tokens),
        cost_usd: view(dollars, |amounts| amounts.nanos),
        turns: view(number, |amounts| amounts.turns),
    }
}

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
    pub cancel_requested: bool,
    pub stop_reason: Option<StopReason>,
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
    pub tools: Option<Vec<Text>>,
    pub system_prompt: Option<Text>,
    pub profile: Option<Text>,
    pub model_id: Option<Text>,
    pub source_agent_id: Option<Text>,
    pub max_turns: Number,
    pub queue_size: u32,
    pub created_at: Option<Number>,
    pub started_at: Option<Number>,
    pub ended_at: Option<Number>,
    pub updated_at: Option<Number>,
    pub duration_ms: Option<Number>,
    pub usage: UsageView,
    pub budget: BudgetView,
}

/// What the last run spent.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct UsageView {
    pub tokens: Number,
    pub cost_usd: Number,
    pub turns: Number,
    pub unknown: Vec<&'static str>,
    pub invalid: Vec<&'static str>,
}

fn dimensions(bits: u8) -> Vec<&'static str> {
    [(1, "tokens"), (2, "costUsd"), (4, "turns")].into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| name).collect()
}

fn id_of(state: &State, slot: u32) -> String {
    id::encode(state.seed.unwrap_or_default(), state.key(slot))
}

/// A snapshot of the task in a slot.
#[must_use]
pub fn task(state: &State, slot: u32) -> TaskView {
    let node = state.node(slot);
    let run = state.run_of(slot);
    let rare = node.rare.as_deref();
    let spec = node.spec();
    let ended = !node.status.is_open() && node.status != Status::Idle;
    let label = spec.and_then(|spec| spec.label.clone()).unwrap_or_else(|| label_of(&node.text).into());
    let measured = if node.started_at == 0 {
        None
    } else {
        let until = if ended { node.ended_at } else { state.now };
        Some(until.saturating_sub(node.started_at))
    };
    let max_turns = spec.and_then(|spec| spec.max_turns).unwrap_or(state.limits.max_turns);
    TaskView {
        task_id: id_of(state, slot),
        parent_id: state.node(node.parent).is_task().then(|| id_of(state, node.parent)),
        label,
        nickname: spec.and_then(|spec| spec.nickname.clone()),
        status: node.status,
        parked: if node.run == NONE { None } else { run.parked() },
        cancel_requested: state.is_sealed(slot) || (node.run != NONE && run.stop.is_some()),
        stop_reason: ended.then_some(node.reason),
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
        error: rare.and_then(|rare| rare.error.clone()),
        host_status: rare.and_then(|rare| rare.host_status.clone()),
        host_task_id: rare.and_then(|rare| rare.host_task_id.clone()),
        host_still_running: node.lingering != NONE,
        late_result: rare.and_then(|rare| rare.late_result.clone()),
        progress: rare.and_then(|rare| rare.progress.clone()),
        context_tokens: rare.and_then(|rare| rare.context_tokens).map(number),
        artifacts: rare.and_then(|rare| rare.artifacts.clone()),
        tools: spec.and_then(|spec| spec.tools.clone()),
        system_prompt: spec.and_then(|spec| spec.system_prompt.clone()),
        profile: spec.and_then(|spec| spec.profile.clone()),
        model_id: spec.and_then(|spec| spec.model_id.clone()),
        source_agent_id: spec.and_then(|spec| spec.source_agent_id.clone()),
        max_turns: number(max_turns),
        queue_size: u32::try_from(node.queued_messages()).unwrap_or(u32::MAX),
        created_at: instant(node.created_at),
        started_at: instant(node.started_at),
        ended_at: instant(node.ended_at),
        updated_at: instant(node.updated_at),
        duration_ms: rare.and_then(|rare| rare.duration_ms).or(measured).map(number),
        usage: UsageView {
            tokens: number(node.last_usage.tokens),
            cost_usd: dollars(node.last_usage.nanos),
            turns: number(node.last_usage.turns),
            unknown: dimensions(node.usage_unknown()),
            invalid: dimensions(node.usage_invalid()),
        },
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

/// The tasks below `top` with one of the statuses, parents before their children, in order of age; all
/// statuses where none is named.
#[must_use]
pub fn list(state: &State, top: u32, statuses: &[Status], offset: u32, limit: u32) -> ListView {
    let matches = |slot: &u32| state.node(*slot).is_task() && (statuses.is_empty() || statuses.contains(&state.node(*slot).status));
    let wide = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    let items = state.below(top).filter(matches).skip(wide(offset)).take(wide(limit)).map(|slot| task(state, slot)).collect();
    // For the whole tree the counts are kept; only a part has to be counted.
    let total = if top == ROOT || (top == DEFAULT_SESSION && state.node(ROOT).last_child == DEFAULT_SESSION) {
        let kept = if statuses.is_empty() { Status::ALL } else { statuses };
        kept.iter().fold(0_u32, |sum, status| sum.saturating_add(state.count(*status)))
    } else {
        u32::try_from(state.below(top).filter(matches).count()).unwrap_or(u32::MAX)
    };
    ListView { items, total }
}

/// Statistics; the statuses sum to the total.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct StatsView {
    pub total: u32,
    pub pending: u32,
    pub running: u32,
    pub idle: u32,
    pub completed: u32,
    pub failed: u32,
    pub timed_out: u32,
    pub cancelled: u32,
    pub interrupted: u32,
    pub closed: u32,
    pub runs_ended: Number,
    pub tokens_spent: Number,
    pub tokens_held: Number,
    pub tokens_remaining: Number,
    pub cost_spent_usd: Number,
    pub turns_spent: Number,
    pub max_concurrent: Number,
    pub can_spawn: bool,
}

/// The statistics of the manager.
#[must_use]
pub fn stats(state: &State, can_spawn: bool) -> StatsView {
    let account = state.node(ROOT).account;
    StatsView {
        total: state.tasks(),
        pending: state.count(Status::Pending),
        running: state.count(Status::Running),
        idle: state.count(Status::Idle),
        completed: state.count(Status::Completed),
        failed: state.count(Status::Failed),
        timed_out: state.count(Status::TimedOut),
        cancelled: state.count(Status::Cancelled),
        interrupted: state.count(Status::Interrupted),
        closed: state.count(Status::Closed),
        runs_ended: number(state.runs_ended),
        tokens_spent: number(account.spent.tokens),
        tokens_held: number(account.held.tokens),
        tokens_remaining: number(account.available().tokens),
        cost_spent_usd: dollars(account.spent.nanos),
        turns_spent: number(account.spent.turns),
        max_concurrent: number(state.limits.max_concurrent),
        can_spawn,
    }
}

/// How full the manager is (D4).
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct ConcurrencyView {
    pub active: u32,
    pub limit: Number,
    pub queued: Number,
    pub queue_limit: Number,
    pub parked: u32,
    pub abandoned: u32,
}

/// How full the manager is.
#[must_use]
pub fn concurrency(state: &State) -> ConcurrencyView {
    ConcurrencyView {
        active: state.held,
        limit: number(state.limits.max_concurrent),
        queued: number(state.queued()),
        queue_limit: number(state.limits.max_queued),
        parked: state.parked,
        abandoned: state.abandoned,
    }
}

/// The task that a key names.
///
/// # Errors
/// [`Rejection`](crate::Rejection) where it is not there, or is no task.
pub fn find(state: &State, key: Key) -> Result<u32, crate::Rejection> {
    if state.tree.contains(key) && state.node(key.slot).is_task() {
        Ok(key.slot)
    } else if state.tree.was_removed(key) {
        Err(crate::Rejection::Forgotten)
    } else {
        Err(crate::Rejection::UnknownTask)
    }
}

/// What a drain did (D8).
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct DrainView {
    pub ended: Number,
    pub cancelled: Number,
    pub still_running: u32,
    pub timed_out: bool,
}

/// What the drain did so far.
#[must_use]
pub fn drained(state: &State) -> DrainView {
    let drain = state.draining;
    DrainView {
        ended: number(drain.map_or(0, |drain| drain.ended)),
        cancelled: number(drain.map_or(0, |drain| drain.cancelled)),
        still_running: state.held.saturating_add(state.parked),
        timed_out: drain.is_some_and(|drain| drain.overran),
    }
}

/// What bounds a run.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct RunLimitsView {
    pub max_turns: Number,
    pub tokens: Number,
    pub cost_usd: Number,
    pub turns: Number,
    pub timeout_ms: Number,
    pub idle_timeout_ms: Number,
}

/// The bounds of the runs of a task.
#[must_use]
pub fn run_limits(state: &State, slot: u32) -> RunLimitsView {
    let node = state.node(slot);
    let (spec, limits, cap) = (node.spec(), &state.limits, node.account.cap);
    RunLimitsView {
        max_turns: number(spec.and_then(|spec| spec.max_turns).unwrap_or(limits.max_turns)),
        tokens: number(cap.tokens),
        cost_usd: if cap.nanos == UNCAPPED { Number(f64::INFINITY) } else { dollars(cap.nanos) },
        turns: number(cap.turns),
        timeout_ms: number(spec.and_then(|spec| spec.timeout_ms).unwrap_or(limits.timeout_ms)),
        idle_timeout_ms: number(spec.and_then(|spec| spec.idle_timeout_ms).unwrap_or(limits.idle_timeout_ms)),
    }
}
