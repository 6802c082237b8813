//! The facts: everything that changes the state. They are also the events that users see and the records of a store. Owns their
//! list and their bytes; `state/apply.rs` applies them.
//!
//! A number is never reused and a field never moved, so old bytes keep their meaning. A later field names its form: `name since
//! 7: type`.

use crate::base::amounts::{Amounts, Nanos};
use crate::base::codec::{Field, FieldShape, Text};
use crate::base::event_buffer::{EncodeEvent, EventBuffer};
use crate::base::reader::{Malformed, Reader};
use crate::base::record::{form_of, next_field};
use crate::base::slab::Key;
use crate::model::admitted::{First, KeyUse};
use crate::model::ended::{AbandonAt, NewNotice};
use crate::model::kinds::{Kinds, ModelPrice};
use crate::model::policy::{Answer, Point};
use crate::model::rate::KeyRate;
use crate::model::retry::Retry;
use crate::model::run_output::RunOutput;
use crate::model::spec::Spec;
use crate::model::status::{Delivery, MessagePlace, OnParentEnd, Parked, Status, StopReason, WaitingFor};
use crate::model::tool_list::ToolList;
use crate::model::usage::{Dimensions, Loans};

/// How a fact looks to readers in other languages.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its stored number.
    pub number: u8,
    /// Its name, in upper camel case.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// Its fields, in stored order.
    pub fields: Vec<FieldShape>,
}

/// Any of these facts, as a pattern.
macro_rules! any_of {
    ($(aside $name:ident)+) => { $($crate::model::fact::Fact::$name { .. })|+ };
    ($($name:ident)+) => { $($crate::model::fact::Fact::$name { .. })|+ };
}
pub(crate) use any_of;

/// Declares the facts, subject by subject: name, stored number, and fields. Each subject is a pattern too, so that code for all
/// facts can go subject by subject. `QueueUpdate::of` and `WaitUpdate::of` name each fact that isn't marked `aside`.
macro_rules! facts {
    ($(in $group:ident
        $($(#[doc = $doc:literal])+ $name:ident = $number:literal $($aside:ident)? {
            $($(#[doc = $fdoc:literal])+ $field:ident $(since $form:literal)?: $type:ty,)*
        })+
    )+) => {
        /// Something that happened.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Fact { $($($(#[doc = $doc])+ $name { $($(#[doc = $fdoc])+ $field: $type,)* },)+)+ }

        impl Fact {
            /// Appends the fact's bytes: its number, then its fields.
            pub fn put(&self, out: &mut Vec<u8>) {
                match self { $($(Self::$name { $($field,)* } => { out.push($number); $($field.put(out);)* })+)+ }
            }

            /// Appends the fact for listeners in this process: its number, then its fields.
            #[inline(never)]
            pub fn encode_event(&self, out: &mut EventBuffer) {
                match self { $($(Self::$name { $($field,)* } => { out.numbers.push(f64::from($number)); $($field.encode_event(out);)* })+)+ }
            }

            /// Reads one fact back. If the bytes are no fact, the reader fails, and the fact means nothing.
            pub fn take(reader: &mut Reader<'_>) -> Self {
                let at = reader.position();
                match reader.byte() {
                    $($($number => Self::$name { $($field: next_field!(reader $(since $form)?),)* },)+)+
                    _ => {
                        reader.fail(at);
                        Self::DrainOverran {}
                    }
                }
            }

            /// The fact's name.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self { $($(Self::$name { .. } => stringify!($name),)+)+ }
            }

            /// The shapes of all facts.
            #[must_use]
            pub fn shapes() -> Vec<Shape> {
                vec![$($(Shape {
                    number: $number,
                    name: stringify!($name),
                    doc: concat!($($doc),+),
                    fields: [Vec::new(), $(<$type as Field>::fields(stringify!($field), form_of!($($form)?), concat!($($fdoc),+)),)*].concat(),
                },)+)+]
            }
        }

        $(macro_rules! $group {
            () => { $crate::model::fact::any_of!($($name)+) };
        }
        pub(crate) use $group;)+

        /// The facts that affect neither the queue nor an open wait.
        macro_rules! facts_aside {
            () => { $crate::model::fact::any_of!($($($($aside $name)?)+)+) };
        }
        pub(crate) use facts_aside;
    };
}

facts! {
    // The manager itself: its options, its drain, its time, its process.
    in manager_facts

    /// The manager got the random seed of its ids and fences.
    Seeded = 0 aside {
        /// The first half.
        high: u64,
        /// The second half.
        low: u64,
    }
    /// A limit was set; it binds new work only.
    LimitSet = 1 {
        /// The option's name.
        limit: Text,
        /// The new value; US dollars are in billionths.
        value: u64,
    }
    /// The defaults of new work were set: all of them.
    DefaultsSet = 142 aside {
        /// The cap of a task without one of its own.
        task_cap: Amounts,
        /// How runs are retried if their spawn doesn't set it; absent: not at all.
        retry: Option<Box<Retry>>,
        /// Whether work at the slot limit is refused instead of queued.
        reject: bool,
        /// What happens to background work when its parent's run ends well, if its spawn doesn't set it.
        on_parent_end: Option<OnParentEnd>,
    }
    /// The prices of models were set: all of them.
    PricesSet = 161 aside {
        /// The prices, in US dollars a million tokens.
        prices: Vec<ModelPrice>,
    }
    /// The rates of keys, in requests and tokens per minute, were set: all of them.
    RatesSet = 162 {
        /// The rates.
        rates: Vec<KeyRate>,
    }
    /// A provider reported the remaining rate of a key.
    RateLeft = 163 aside {
        /// The `rateLimitKey`.
        key: Text,
        /// Requests; absent if not reported.
        requests: Option<u64>,
        /// Tokens; absent if not reported.
        tokens: Option<u64>,
    }
    /// A rate limit cools down: work with its key waits.
    CooldownSet = 112 aside {
        /// The `rateLimitKey`; empty for work without one.
        key: Text,
        /// When it ends.
        until: u64,
    }
    /// A cooldown is over.
    CooldownOver = 113 {
        /// The `rateLimitKey`.
        key: Text,
    }
    /// A drain began.
    DrainStarted = 60 aside {
        /// When it cancels the remaining work.
        until: u64,
        /// Whether queued work that no run waits for is left to the next process that opens the store.
        leaves_queued: bool,
    }
    /// A drain's time ran out; the remaining work is cancelled.
    DrainOverran = 62 aside {}
    /// A drain has nothing left to wait for.
    DrainEnded = 61 aside {
        /// Whether its time ran out.
        timed_out: bool,
    }
    /// The tools that no sub-agent gets were set.
    ToolsBlocked = 105 aside {
        /// Their names.
        tools: Vec<Text>,
    }
    /// The manager was opened from its facts: the host functions and waits of the earlier process are lost, and so is a drain.
    /// Notices for those waits become pending.
    Reopened = 120 aside {
        /// The salt in the ids of all work from this opening; below 2^53.
        salt: u64,
    }
    /// The process that reopened the manager gave its definitions. Work that needs others waits. Work of each session with a key
    /// waits until the process registers the session.
    DefinitionsKnown = 121 aside {
        /// Names of agents.
        agents: Vec<Text>,
        /// Names of profiles.
        profiles: Vec<Text>,
    }
    /// The process stood still, stopped or asleep. Deadlines, questions, silences and leases move by that time.
    StoodStill = 155 {
        /// The duration in milliseconds.
        ms: u64,
    }

    // Sessions and tasks: how each begins and ends, its cap, and how it is retained.
    in tree_facts

    /// The cap of a manager, session or task was set.
    CapSet = 2 {
        /// The manager, session or sub-agent.
        task: Key,
        /// The new cap.
        cap: Amounts,
    }
    /// A session began.
    SessionOpened = 5 aside {
        /// The id of its main agent.
        task: Key,
        /// Its name.
        name: Text,
    }
    /// The program set the tools or the model of a session's main agent.
    MainAgentSet = 6 aside {
        /// The session.
        task: Key,
        /// The names of its tools; absent: unknown.
        tools: Option<ToolList>,
        /// The model's id; absent: unknown.
        model_id: Option<Text>,
    }
    /// A sub-agent was admitted. If it has a text, its first run is queued.
    TaskAdmitted = 10 {
        /// The new task.
        task: Key,
        /// The task or session that it works for.
        parent: Key,
        /// The parent's run that spawned it; 0 for a session.
        parent_run: u32,
        /// It runs in the background: its end makes a notice.
        background: bool,
        /// A model spawned it by a tool.
        by_model: bool,
        /// Its cap for its whole life.
        cap: Amounts,
        /// Its task, in words.
        text: Text,
        /// The spawn's other options, if any.
        spec: Option<Box<Spec>>,
        /// Its requester has no tool to answer with: its questions stay without an answer.
        unanswerable: bool,
        /// The place of its first run in the queue; absent if it has none yet.
        first: Option<First>,
        /// Its idempotency key.
        once: Option<Box<KeyUse>>,
    }
    /// A sub-agent's `acquire` is about to be called, or has returned.
    ResourceAcquired = 171 aside {
        /// The sub-agent.
        task: Key,
        /// Its result, as JSON; absent if it is about to be called.
        data: Option<Text>,
    }
    /// `release` was called for the resources of a closed or forgotten sub-agent.
    ResourceReleased = 172 aside {
        /// The number of the release.
        serial: u64,
        /// The id of the sub-agent.
        owner: Text,
    }
    /// A cancel of the task began, or another joined it: nothing below it starts. If `interrupt` is true, an interrupt stopped
    /// runs whose ends need no notice; nothing else is cancelled.
    CancelRequested = 40 aside {
        /// The manager, session or sub-agent.
        task: Key,
        /// The caller: the manager, a session or a sub-agent.
        by: Key,
        /// Whether it and all below it end closed.
        close: bool,
        /// Whether only its run stops, with that run's foreground work: the task lives on.
        interrupt: bool,
        /// Tasks whose ends need no notice, because their receivers ordered these ends.
        claimed: Vec<Key>,
        /// If the caller aborted its call of a tool: whether it reads its inbox. The end is still undelivered (W5).
        caller_reads: Option<bool>,
    }
    /// The cancel of the task is over.
    CancelSettled = 41 aside {
        /// The manager, session or sub-agent.
        task: Key,
    }
    /// A task ended without a run, or was closed that had ended before.
    TaskEnded = 42 aside {
        /// The sub-agent.
        task: Key,
        /// Its status.
        status: Status,
        /// Why it ended.
        stop_reason: StopReason,
    }
    /// A closed task was reopened.
    TaskResumed = 43 aside {
        /// The sub-agent.
        task: Key,
    }
    /// The ends of these tasks' last runs were collected.
    EndsCollected = 44 aside {
        /// The sub-agents.
        tasks: Vec<Key>,
    }
    /// A task was forgotten; its spending stays with its parent.
    TaskForgotten = 45 {
        /// The sub-agent.
        task: Key,
    }
    /// An idempotency key was dropped.
    KeyDropped = 111 aside {
        /// The task or session in whose scope it was used.
        scope: Key,
        /// The key.
        key: Text,
    }
    /// The result of an ended task was released; the task is still there.
    ResultReleased = 114 aside {
        /// The sub-agent.
        task: Key,
    }
    /// A foreground task continues in the background: its end makes a notice.
    TaskBackgrounded = 70 aside {
        /// The sub-agent.
        task: Key,
    }
    /// A session was closed; it stays until the host functions under it have returned.
    SessionClosed = 83 aside {
        /// The id of its main agent.
        task: Key,
    }
    /// A closed session was dropped.
    SessionFreed = 84 aside {
        /// The id of its main agent.
        task: Key,
    }
    /// A session from before a restart was registered again: its work continues.
    SessionRegistered = 122 {
        /// The id of its main agent.
        task: Key,
    }

    // Messages to and from a task, questions, notices.
    in message_facts

    /// A message arrived and waits: for the current run's end, its next turn or tool boundary, or in the queue.
    MessageQueued = 12 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its last run.
        run: u32,
        /// Its place among the waiting messages.
        place: MessagePlace,
        /// Its text.
        text: Text,
    }
    /// The next attempt gets the steering messages of the last attempt, and those that missed it.
    SteersAgain = 14 aside {
        /// The sub-agent.
        task: Key,
        /// The number of the run that gets them.
        run: u32,
        /// The messages that the last attempt read, oldest first; only those after its checkpoint if the next one continues
        /// there.
        texts: Vec<Text>,
        /// The number of messages that it had not read. They went ahead of the queue at its end.
        missed: u32,
    }
    /// The last messages, nearly always all, were dropped undelivered. Before that, undelivered steering messages went ahead of
    /// the queue.
    MessagesDropped = 13 {
        /// The sub-agent.
        task: Key,
        /// The number of dropped messages.
        count: u32,
    }
    /// A task's messages were paused until the next send, or resumed.
    QueuePaused = 74 aside {
        /// The sub-agent.
        task: Key,
        /// Whether they are paused.
        paused: bool,
    }
    /// A run asked its requester a question, and is parked for `input` until the answer.
    QuestionAsked = 75 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The question.
        question: Text,
        /// When it continues without an answer.
        until: Option<u64>,
        /// Whether the requester's run was waiting for the task, and so has read the question.
        delivered: bool,
    }
    /// A question was answered, or stays without an answer: the run is no longer parked for it. If no question was open, the run
    /// repeated an earlier attempt's question, and got the same answer.
    QuestionClosed = 76 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The answer, if any.
        answer: Option<Text>,
        /// Whether its time ran out.
        timed_out: bool,
        /// Parked for instead: `reentry` (a slot) or `cooldown`. Absent if another reason remains, or it has a slot.
        parks: Option<Parked>,
    }
    /// The parent's run tried to wait for a task that asks, and so has read its question.
    QuestionDelivered = 78 aside {
        /// The sub-agent that asks.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
    }
    /// A notice's delivery changed: it was leased, returned, acknowledged or undelivered, or a wait will deliver it. Or its
    /// receiver was woken or replaced, or another actor has read the same end.
    NoticeMoved = 91 aside {
        /// The sub-agent that ended.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The new state of its delivery.
        delivery: Delivery,
        /// The session or task that owns its inbox: another one if its first receiver no longer runs.
        to: Key,
        /// How often it was leased, or its receiver was woken without taking it.
        attempt: u32,
        /// Leased: when it returns; absent if a turn has it. Pending: until when only the woken receiver may take it.
        until: Option<u64>,
        /// Other sessions or tasks above that got the end by a wait. If any, nothing else changed.
        delivered_to: Vec<Key>,
    }

    // The phases of a run, and its host function.
    in run_facts

    /// A later run, or an attempt that is due, waits for its slot.
    RunQueued = 20 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Its place by priority and age: lower comes first.
        rank: i64,
        /// Its place between parents of the same rank: lower comes first.
        round: u64,
        /// Its message; absent for the first text and for another attempt at the same message.
        message: Option<Text>,
        /// Why it waits; absent if it starts at once. A due attempt always has a reason.
        waiting_for: Option<WaitingFor>,
        /// Its spawn was repeated with `retryEnded`: it is another attempt after a bad end.
        again: bool,
    }
    /// The program took up the queued run of a task that it drives: now the run waits for its slot.
    RunTaken = 64 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
    }
    /// A queued run moves forward, because a run of higher priority waits for it.
    RunRaised = 63 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Its new place by priority and age: lower comes first.
        rank: i64,
    }
    /// A run got its slot and its host function is called.
    RunStarted = 21 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Its maximum of turns.
        max_turns: u64,
        /// Its soft deadline, in milliseconds of running.
        timeout_ms: u64,
        /// Its maximum silence, in milliseconds.
        idle_timeout_ms: u64,
        /// Its reservation: its budget for the whole run, if anything caps it.
        reserved: Amounts,
        /// The amounts that it borrows and returns, if any.
        loans: Option<Box<Loans>>,
    }
    /// A run must wrap up.
    WrapUpRequested = 28 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The reason.
        stop_reason: StopReason,
        /// When it must stop.
        until: Option<u64>,
    }
    /// A run can't continue for now and released its slot, if it had one. For a question, a delayed turn or a return, that event
    /// replaces this one.
    RunParked = 29 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The reason.
        why: Parked,
        /// The sub-agents that it waits for, if any. While parked, it may start to wait for others.
        waits_for: Vec<Key>,
    }
    /// A run's reason to be parked ended.
    RunUnparked = 30 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The reason that ended.
        why: Parked,
        /// Parked for instead: `reentry` (a slot), `cooldown` or `rate`. Absent if another reason remains, or it has a slot.
        parks: Option<Parked>,
    }
    /// A parked run has a slot again.
    RunReentered = 31 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Whether that exceeded the manager's limit.
        over_limit: bool,
        /// Its new reservation, if its next turn is reserved.
        reserved: Option<Amounts>,
        /// The amounts that it borrows for that and returns, if any.
        loans: Option<Box<Loans>>,
    }
    /// A run must stop.
    StopRequested = 32 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The reason.
        stop_reason: StopReason,
        /// The status that its end will have.
        status: Status,
        /// When it ends, even if its host function hasn't returned.
        until: u64,
    }
    /// A run ended. Its open question stays without an answer, and undelivered steering messages go ahead of the queue.
    RunEnded = 33 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Its status.
        status: Status,
        /// Why it ended.
        stop_reason: StopReason,
        /// Whether the output is unfinished: the run was stopped or broke off.
        partial: bool,
        /// Whether its host function is still running.
        host_open: bool,
        /// Whether the output was cut at `maxResultBytes`.
        cut: bool,
        /// Whether a wait has already returned it.
        collected: bool,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions that the host did not report.
        unknown: Dimensions,
        /// Dimensions whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for its usage and returns, if any.
        loans: Option<Box<Loans>>,
        /// Its output.
        output: RunOutput,
        /// When its host function is abandoned; absent if it has returned or is never abandoned.
        abandon_at: AbandonAt,
        /// If the run never started: whether its message returns to the queue instead of being dropped. Absent otherwise.
        message_requeued: Option<bool>,
        /// Its notice, if it was a background run.
        notice: Option<NewNotice>,
    }
    /// A run ended badly and is retried under the next number. Waits for it continue.
    RunRetried = 130 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The number of attempts so far.
        attempt: u32,
        /// Why it ended.
        stop_reason: StopReason,
        /// Its error.
        error: Option<Text>,
        /// The host's own word for how it ended.
        host_status: Option<Text>,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions that the host did not report.
        unknown: Dimensions,
        /// Dimensions whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for its usage and returns, if any.
        loans: Option<Box<Loans>>,
        /// When it is retried.
        until: u64,
    }
    /// A run saved its progress. If its process is lost, it may continue from there.
    CheckpointSaved = 133 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The progress, as JSON.
        data: Text,
    }
    /// A run saved data for the later runs of its sub-agent.
    DataSaved = 170 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The data, as JSON.
        data: Text,
    }
    /// The host function of an ended run returned, or the run was reported once more.
    HostReturned = 34 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Its total usage; absent, because unknown, if its task has run again.
        usage: Option<Amounts>,
        /// Dimensions that the host did not report.
        unknown: Dimensions,
        /// Dimensions whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for its usage and returns, if any.
        loans: Option<Box<Loans>>,
        /// Its late output.
        late_result: Option<Text>,
    }
    /// The host function of an ended run was abandoned.
    HostAbandoned = 35 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Its total usage: its reservation counts as used.
        usage: Amounts,
    }
    /// The host carries out the run elsewhere and will report its end. Recorded again if the host gives its own id for the run.
    RunElsewhere = 46 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The host's own id, if it gave one.
        host_task_id: Option<Text>,
    }
    /// A host function completed; its run ends once the sub-agents that it waits for have settled.
    RunReturned = 82 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions that the host did not report.
        unknown: Dimensions,
        /// Dimensions whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for its usage and returns, if any.
        loans: Option<Box<Loans>>,
        /// Its output.
        output: RunOutput,
    }

    // The actions of a run or a main agent: turns, usage, tools, and the answers of policies.
    in turn_facts

    /// A turn waits for its slot or for budget that others have reserved. Its run releases its slot, if it has one.
    TurnDelayed = 37 {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The host's estimate of its tokens, if it gave one; 0 at the start of the run.
        estimate: Option<u64>,
        /// The host's estimate of its cost in US dollars, if it gave one.
        estimate_usd: Option<Nanos>,
        /// The rest of its reservation, if it returns the dollars of the whole run: others may need no more.
        reserved: Option<Amounts>,
        /// The borrowed amounts that it returns, if any.
        loans: Option<Box<Loans>>,
        /// The first that applies: `cooldown`, `rate`, `slot` or `budget`; absent if not known yet.
        waiting_for: Option<WaitingFor>,
        /// The new reason to be parked: `cooldown`, `rate`, or `reentry` for a slot. Absent if it stays the same.
        parks: Option<Parked>,
        /// Whether it needs the budget of the whole run.
        whole: bool,
    }
    /// A turn began.
    TurnStarted = 24 {
        /// The sub-agent; a session for its main agent.
        task: Key,
        /// The number of its run; 0 for a main agent.
        run: u32,
        /// The turn's number, from 1.
        turn: u64,
        /// Whether it is the last turn, for wrapping up.
        wrap_up: bool,
        /// Why it must wrap up with this turn, if new.
        wrap_up_reason: Option<StopReason>,
        /// Whether this is the only wrap-up turn in its task's life.
        spends_wrap_up: bool,
        /// Its new reservation. The turn itself is spent.
        reserved: Amounts,
        /// The amounts that it borrows and returns, if any.
        loans: Option<Box<Loans>>,
        /// The number of steering messages that it got: all that had arrived.
        steers: u32,
        /// Sub-agents whose questions it has read.
        questions: Vec<Key>,
        /// Whether the reservation is for the whole run, until its end or next turn; otherwise for this turn.
        whole: bool,
    }
    /// A run, or the main agent of a session, reported usage or progress. Also recorded if a run's host is lost: unreported work
    /// is then booked. If the host is another process, which may still report it, it stays reserved.
    RunReported = 27 {
        /// The sub-agent; a session for its main agent.
        task: Key,
        /// The number of its run; 0 for a main agent.
        run: u32,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions that the report named.
        reported: Dimensions,
        /// Dimensions whose report was invalid.
        invalid: Dimensions,
        /// Its new reservation.
        reserved: Amounts,
        /// The amounts that it borrows and returns, if any.
        loans: Option<Box<Loans>>,
        /// The size of its context in tokens, if reported.
        context_tokens: Option<u64>,
        /// Its progress message, if any.
        message: Option<Text>,
    }
    /// A run, or the main agent of a session, reported used tokens by kind. The next event books them.
    TokensUsed = 160 aside {
        /// The sub-agent; a session for its main agent.
        task: Key,
        /// The number of its run; 0 for a main agent.
        run: u32,
        /// The model; absent if it is unknown.
        model_id: Option<Text>,
        /// The new usage, by kind.
        kinds: Kinds,
        /// US dollars by prices; absent if the host reports them itself, or a price is missing.
        cost_usd: Option<Nanos>,
        /// Whether there are prices, but none for its model: its cost is unknown.
        unpriced: bool,
        /// The tokens that don't count against caps: a part of the cache reads, by `countCacheReads`.
        uncounted: u64,
    }
    /// A policy gave an answer other than "continue".
    PolicyAnswered = 100 aside {
        /// The sub-agent; a session for its main agent.
        task: Key,
        /// The number of its run; 0 for a main agent.
        run: u32,
        /// The point at which it was asked.
        point: Point,
        /// Its answer.
        answer: Answer,
        /// Why the run ends, if it does.
        stop_reason: StopReason,
        /// The policy's name.
        policy: Text,
        /// Its text: for the model, a reason, or a report.
        text: Text,
        /// When the run must have returned, if the answer ends it.
        until: Option<u64>,
    }
    /// A policy counted a call.
    CallCounted = 101 aside {
        /// The sub-agent; a session for its main agent.
        task: Key,
        /// The number of its run; 0 for a main agent.
        run: u32,
        /// The policy's name.
        policy: Text,
    }
    /// An agent reported its to-dos.
    TodosReported = 102 aside {
        /// The sub-agent; a session for its main agent.
        task: Key,
        /// The number of its run; 0 for a main agent.
        run: u32,
        /// The number of open to-dos.
        open: u64,
        /// The list, as JSON.
        todos: Text,
    }
    /// A run uses a tool: it may be silent until the tool is done.
    ToolBegan = 103 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The tool's name.
        tool: Text,
    }
    /// A run has used a tool, or read messages or questions at a tool boundary.
    ToolEnded = 104 aside {
        /// The sub-agent.
        task: Key,
        /// The number of its run, from 1.
        run: u32,
        /// The number of steering messages that it got: all that had arrived.
        steers: u32,
        /// Sub-agents whose questions it has read.
        questions: Vec<Key>,
    }
    /// A main agent has answered: its limits start again.
    MainEnded = 107 aside {
        /// Its session.
        task: Key,
    }
}

/// Reads a sequence of stamped facts: the time in milliseconds, then the fact.
///
/// # Errors
/// `Malformed`, with the place of the first wrong byte.
pub fn read_all(bytes: &[u8]) -> Result<Vec<(u64, Fact)>, Malformed> {
    let mut reader = Reader::new(bytes);
    let mut facts = Vec::new();
    while !reader.is_done() {
        facts.push((u64::take(&mut reader), Fact::take(&mut reader)));
        reader.check()?;
    }
    Ok(facts)
}
