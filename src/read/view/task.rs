//! A task as users read it. Owns the fields of its snapshot: one row each, with its type, its text and its source.
//! Changes nothing.

use crate::base::codec::Text;
use crate::base::number::{Bound, Instant, Number, Sum, dollars, instant, number};
use crate::base::slab::NONE;
use crate::base::text::cut_to_chars;
use crate::base::view::{Id, Json};
use crate::base::view_record::{Part, view};
use crate::model::kinds::Kinds;
use crate::model::limits::{PREVIEW_CHARS, PREVIEW_MESSAGES};
use crate::model::run_output::DetailsView;
use crate::model::status::{OnParentEnd, Parked, Status, StopReason, WaitingFor};
use crate::read::view::{BudgetView, UsageView, budget, usage_of};
use crate::state::State;
use crate::state::budget::tally::RunTally;
use crate::state::runs::run::{Phase, Slot};

/// The profile of a task that was given none.
pub const DEFAULT_PROFILE: &str = "minimal";

fn id_of(state: &State, index: u32) -> String {
    state.id_of(state.key(index))
}

/// A snapshot of the task at an index. A time before the last fact counts as that fact's time.
#[must_use]
pub fn task(state: &State, index: u32, now: u64) -> TaskView<'_> {
    TaskView::of(state, index, now)
}

/// The option that raises the limit at which a task's last run ended, if it ended at one.
#[must_use]
pub fn raised_by(state: &State, index: u32, reason: StopReason) -> Option<&'static str> {
    match reason {
        StopReason::MaxTurns => Some("maxTurns"),
        StopReason::Timeout | StopReason::NeverReported => Some("timeoutMs"),
        StopReason::IdleTimeout => Some("idleTimeoutMs"),
        StopReason::BudgetExhausted => state.budget_raised_by(index),
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
        | StopReason::HostLost => None,
    }
}

view! {
    /// The reservation of a run.
    pub struct ReservationView "RunReservation" {
        /// Tokens, input and output together.
        pub tokens: Number,
        /// US dollars.
        pub cost_usd: Number,
        /// Turns.
        pub turns: Number,
    }
}

view! {
    /// A run that has ended, and whose host function has not returned.
    pub struct LingeringView "LingeringRun" {
        /// Its number.
        pub run: u32,
        /// Its host function was abandoned: it no longer holds a slot or budget.
        pub abandoned: bool,
        /// It had a slot at its end, and holds it until its host function returns or is abandoned.
        pub holds_slot: bool,
        /// Its spending so far.
        pub usage: UsageView,
        /// Its reservation, until its host function returns or is abandoned.
        pub reserved: ReservationView,
    }
}

/// The runs of a task that have ended and whose host function has not returned, the last one first.
fn lingering(state: &State, index: u32) -> Vec<LingeringView> {
    let of = |at: u32| {
        let run = state.runs.at(at);
        let (reserved, doubts) = (run.reserved, state.doubts_of(at));
        let kinds = state.node(index).tally_of(run.number).map_or(Kinds::NONE, RunTally::kinds);
        LingeringView {
            run: run.number,
            abandoned: run.phase == Phase::Abandoned,
            holds_slot: run.slot == Slot::Taken,
            usage: usage_of(run.booked, kinds, doubts & 7, doubts >> 3),
            reserved: ReservationView { tokens: number(reserved.tokens), cost_usd: dollars(reserved.nanos), turns: number(reserved.turns) },
        }
    };
    state.lingering(index).map(of).collect()
}

view! {
    /// A sub-agent at one moment. Instants are epoch milliseconds, or null.
    pub struct TaskView<'a> "TaskSnapshot" of(state: &'a State, index: u32, now: u64) with {
        let node = state.node(index);
        let run = state.run_of(index);
        let rare = node.rare.as_deref();
        let details = node.details();
        let spec = node.spec();
        let ended = !node.status.is_open() && node.status != Status::Idle;
        let until = if node.run == NONE { node.ended_at } else { now.max(state.now) };
        let measured = (node.started_at != 0).then(|| until.saturating_sub(node.started_at));
        let doubts = if node.run == NONE { node.usage_doubts } else { state.doubts_of(node.run) };
    } {
        /// The sub-agent's id: the `taskId` of its spawn, else `sub_` and 32 hex digits.
        task_id: Id = Id(id_of(state, index)),
        /// The sub-agent that spawned it; null if the program or a session did.
        parent_id: Option<Id> = state.node(node.parent).is_task().then(|| Id(id_of(state, node.parent))),
        /// The key of the session that it belongs to; null for the manager's own.
        session_key: Option<&'a str> = state.session_key(index).map(|key| &**key),
        /// A name for display: the label of its spawn, else the beginning of its text.
        label: &'a str = node.label(),
        /// The nickname of its spawn; null if it has none.
        nickname: Option<&'a str> = state.nickname(index).map(|name| &**name),
        /// Its status.
        status: Status = node.status,
        /// Why it is running without a slot; null if it has one, or is not running.
        parked: Option<Parked> = if node.run == NONE { None } else { run.parked() },
        /// Its reason to wait if its work has not begun, else null; of several reasons, the first of `WAITING_FOR`.
        waiting_for: Option<WaitingFor> = state.waits_for(now.max(state.now), index),
        /// A cancel of it is in progress.
        cancel_requested: bool = state.is_sealed(index) || (node.run != NONE && run.stop.is_some()),
        /// Why its last run ended; null before an end.
        stop_reason: Option<StopReason> = ended.then_some(node.reason),
        /// The option that raises the limit at which its last run ended, such as `maxTurns`; else null.
        raised_by: Option<&'static str> = if ended { raised_by(state, index, node.reason) } else { None },
        /// It runs in the background: its end makes a notice.
        background: bool = node.background,
        /// Its depth; 1 below the main agent.
        depth: u32 = u32::from(node.depth),
        /// The number of its last run; 0 if there was none.
        run: u32 = node.runs,
        /// Turns of its last run.
        turns: Sum = Sum(number(node.last_usage.turns)),
        /// The text of its spawn; empty if it was spawned without one.
        instructions same as label: &'a str = &node.text,
        /// The context that was given besides the text; empty if there was none.
        context_hint: &'a str = spec.and_then(|spec| spec.context_hint.as_deref()).unwrap_or_default(),
        /// The output of its last run: a sub-agent's text, not the user's.
        output: &'a str = &node.output,
        /// The output is unfinished: the run was stopped or broke off.
        partial: bool = node.partial,
        /// The output was cut at `maxResultBytes`.
        truncated: bool = node.cut,
        /// The rest of its last run's result.
        #[serde(flatten)]
        details: Part<DetailsView<'a>> = Part(DetailsView::of(details)),
        /// The host's own id for it; null if the host gave none.
        host_task_id: Option<&'a str> = details.host_task_id.as_deref(),
        /// The host function of an ended run has not returned.
        host_still_running: bool = node.lingering != NONE,
        /// Its runs that have ended and whose host function has not returned, the last one first.
        lingering: Vec<LingeringView> = lingering(state, index),
        /// The late output, from its host function or `reportSettled` after the end; null if none came.
        late_result: Option<&'a str> = rare.and_then(|rare| rare.late_result.as_deref()),
        /// Its last progress message; null if it sent none.
        progress: Option<&'a str> = rare.and_then(|rare| rare.progress.as_deref()),
        /// The size of its context as last reported, in tokens; null if it was not reported.
        context_tokens: Option<Number> = rare.and_then(|rare| rare.context_tokens).map(number),
        /// Names of the tools that it may use; null if neither its parent nor its spawn named any.
        tools: Option<&'a [Text]> = spec.and_then(|spec| spec.tools.as_deref()),
        /// The system prompt of its spawn, or of its definition; null if its profile makes one.
        system_prompt: Option<&'a str> = spec.and_then(|spec| spec.system_prompt.as_deref()),
        /// The profile that makes its system prompt if none was given.
        profile same as "minimal": &'a str = spec.and_then(|spec| spec.profile.as_deref()).unwrap_or(DEFAULT_PROFILE),
        /// The model's id; null if none is known.
        model_id: Option<&'a str> = spec.and_then(|spec| spec.model_id.as_deref()),
        /// The effort of its model; null if neither its spawn nor its definition sets it.
        effort: Option<&'a str> = spec.and_then(|spec| spec.effort.as_deref()),
        /// The name of the definition that it was spawned from; null if there was none.
        agent: Option<&'a str> = spec.and_then(|spec| spec.agent.as_deref()),
        /// The metadata that the program gave at its spawn; null if it gave none.
        metadata: Option<Json<&'a str>> as "Metadata | null" = spec.and_then(|spec| spec.metadata.as_deref()).map(Json),
        /// Commands that its agent must have run after its last change of a file; null if its spawn requires none.
        must_have: Option<Json<&'a str>> as "StoredMustHave[] | null" = spec.and_then(|spec| spec.must_have.as_deref()).map(Json),
        /// The rate limit that it shares with others; null if its spawn named none.
        rate_limit_key: Option<&'a str> = spec.and_then(|spec| spec.rate_limit_key.as_deref()),
        /// Tools that its definition forbids; null if it forbids none.
        disallowed_tools: Option<&'a [Text]> = spec.and_then(|spec| spec.disallowed_tools.as_deref()),
        /// Its last result was released, and `output` is empty.
        released: bool = rare.is_some_and(|rare| rare.released),
        /// The format of its result's text.
        format same as "text": &'static str as "'text' | 'json'" = if spec.is_some_and(|spec| spec.json) { "json" } else { "text" },
        /// The report of a policy that finished its last run, or ran on its timeout; null if there is none.
        report: Option<&'a str> = state.policing(index).and_then(|policing| policing.report.as_deref()),
        /// Turns that each of its runs may take; `Infinity` if there is no limit.
        max_turns: Bound = Bound(number(state.max_turns_of(index))),
        /// The number of messages that wait for it.
        queue_size: u32 = u32::try_from(node.undelivered_messages()).unwrap_or(u32::MAX),
        /// Its open question: a message to it is the answer. Null if it asks none.
        question: Option<&'a str> = node.question().map(|text| &**text),
        /// Messages and texts that reached no run, oldest first: all since its last run, up to 100 from before.
        undelivered: &'a [Text] = node.undelivered(),
        /// The beginnings of the first three messages that wait for it, 100 characters each.
        queued_preview: Vec<&'a str> = rare.map_or_else(Vec::new, |rare| {
                rare.messages.iter().take(PREVIEW_MESSAGES).map(|message| cut_to_chars(&message.text, PREVIEW_CHARS)).collect()
            }),
        /// The last text for it, including waiting messages; null if there was none.
        last_input same as instructions: Option<&'a str> = rare
            .and_then(|rare| rare.last_input.as_deref())
            .or_else(|| Some(&*node.text).filter(|text| !text.is_empty())),
        /// The last output of any of its runs; null if none had one.
        last_output same as output: Option<&'a str> = Some(&*node.output)
                .filter(|output| !output.is_empty())
                .or_else(|| rare.and_then(|rare| rare.last_output.as_deref())),
        /// What happens to it when the run that spawned it ends well.
        on_parent_end: OnParentEnd = state.on_parent_end(index),
        /// When it was spawned.
        created_at: Option<Instant> = instant(node.created_at),
        /// When its last run started; null before that.
        started_at: Option<Instant> = instant(node.started_at),
        /// When its last run ended; null before that.
        ended_at: Option<Instant> = instant(node.ended_at),
        /// When it last changed.
        updated_at: Option<Instant> = instant(node.updated_at),
        /// How long the last run took so far, in milliseconds, by the host's measure if given; null before its start.
        duration_ms: Option<Number> = details.duration_ms.or(measured).map(number),
        /// The spending of the last run, without that of its sub-agents; `budget` includes that.
        usage: UsageView = usage_of(node.last_usage, node.kinds(), doubts & 7, doubts >> 3),
        /// The cap, the spending and the reservations of it and its sub-agents, over its life.
        budget: BudgetView = budget(state, index),
    }
}
