//! The facts: everything that changes the state. They are also the events that users see and the records of a store.
//! Owns their list and their bytes; `state/apply.rs` says what each does.
//!
//! A number is never reused and a field never moved: old bytes keep their meaning. A later field names its form: `name
//! since 7: type`.

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
    /// What it says.
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

/// Declares the facts, subject by subject: name, stored number, and fields. Each subject is a pattern too, so that code which treats
/// all facts does it subject by subject. `QueueUpdate::of` and `WaitUpdate::of` name each fact that isn't marked `aside`.
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

            /// Reads one fact back. If the bytes are no fact, the reader has failed, and the fact means nothing.
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

        /// The facts that neither the queue nor an open wait follows.
        macro_rules! facts_aside {
            () => { $crate::model::fact::any_of!($($($($aside $name)?)+)+) };
        }
        pub(crate) use facts_aside;
    };
}

facts! {
    // The manager itself: its options, its drain, its time, its process.
    in manager_facts

    /// The manager got the randomness that its ids and fences are made with.
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
        /// The new value; of one in US dollars in billionths of a dollar.
        value: u64,
    }
    /// What holds for new work was set: all of it, as it is from now on.
    DefaultsSet = 142 aside {
        /// The cap of a task that is given none of its own.
        task_cap: Amounts,
        /// How runs are tried again if their spawn doesn't say; absent: not at all.
        retry: Option<Box<Retry>>,
        /// Whether work at the slot limit is refused instead of queued.
        reject: bool,
        /// What becomes of background work, whose spawn doesn't say, when the run that it works for ends well.
        on_parent_end: Option<OnParentEnd>,
    }
    /// What models cost was set: all of it, as it is from now on.
    PricesSet = 161 aside {
        /// The prices, in US dollars a million tokens.
        prices: Vec<ModelPrice>,
    }
    /// How many requests and tokens a minute keys allow was set: all of it, as it is from now on.
    RatesSet = 162 {
        /// The rates.
        rates: Vec<KeyRate>,
    }
    /// A provider said what it has left for a key.
    RateLeft = 163 aside {
        /// The `rateLimitKey`.
        key: Text,
        /// Requests; absent if it didn't say.
        requests: Option<u64>,
        /// Tokens; absent if it didn't say.
        tokens: Option<u64>,
    }
    /// A rate limit cools down: work with its key waits.
    CooldownSet = 112 aside {
        /// The `rateLimitKey`; empty for work that was given none.
        key: Text,
        /// When it is over.
        until: u64,
    }
    /// A cooldown is over.
    CooldownOver = 113 {
        /// The `rateLimitKey`.
        key: Text,
    }
    /// A drain began.
    DrainStarted = 60 aside {
        /// When it cancels what still runs.
        until: u64,
        /// Whether queued work that no run waits for is left to the process that opens the store next.
        leaves_queued: bool,
    }
    /// The time of a drain ran out; what still runs is cancelled.
    DrainOverran = 62 aside {}
    /// Nothing is left for a drain to wait for.
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
    /// Notices that a wait was to hand over wait to be handed out.
    Reopened = 120 aside {
        /// The salt in the ids of all work that this opening accepts; below 2^53.
        salt: u64,
    }
    /// The process that opened the manager again gave its definitions. Work that needs others waits, and that of
    /// each session with a key waits until the process has registered it.
    DefinitionsKnown = 121 aside {
        /// Names of agents.
        agents: Vec<Text>,
        /// Names of profiles.
        profiles: Vec<Text>,
    }
    /// The process stood still, stopped or asleep: deadlines, questions, silences and the leases of notices are later by as
    /// long.
    StoodStill = 155 {
        /// For how many milliseconds.
        ms: u64,
    }

    // Sessions and tasks: how each begins and ends, what it may spend, and what is retained of it.
    in tree_facts

    /// The cap of a manager, session or task was set.
    CapSet = 2 {
        /// Whose.
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
    /// The program said which tools or which model a session's main agent has.
    MainAgentSet = 6 aside {
        /// Which session.
        task: Key,
        /// The names of its tools; absent: unknown.
        tools: Option<ToolList>,
        /// The model's id; absent: unknown.
        model_id: Option<Text>,
    }
    /// A sub-agent was admitted, and its first run is queued if it has a text.
    TaskAdmitted = 10 {
        /// The new task.
        task: Key,
        /// The task or session that it works for.
        parent: Key,
        /// The parent's run that asked for it; 0 for a session.
        parent_run: u32,
        /// It runs in the background: its end makes a notice.
        background: bool,
        /// A model asked for it by a tool.
        by_model: bool,
        /// Its cap for its whole life.
        cap: Amounts,
        /// Its task, in words.
        text: Text,
        /// What else the spawn gave, if anything.
        spec: Option<Box<Spec>>,
        /// The agent that asked for it has no tool to answer it with: its questions stay without an answer.
        unanswerable: bool,
        /// The place of its first run in the queue; absent if it has none yet.
        first: Option<First>,
        /// The idempotency key that names it from now on.
        once: Option<Box<KeyUse>>,
    }
    /// `acquire` is about to be called for a sub-agent, or has returned.
    ResourceAcquired = 171 aside {
        /// Whose.
        task: Key,
        /// Its result, as JSON; absent if it is about to be called.
        data: Option<Text>,
    }
    /// `release` was called for what a closed or forgotten sub-agent had acquired.
    ResourceReleased = 172 aside {
        /// Which release.
        serial: u64,
        /// The id of the sub-agent.
        owner: Text,
    }
    /// A cancel of the task has begun, or another one joined it: nothing below it starts. If `interrupt` is true, an interrupt
    /// of it stopped runs whose ends need no notice; nothing else is cancelled.
    CancelRequested = 40 aside {
        /// Whose.
        task: Key,
        /// Who asked for it.
        by: Key,
        /// Whether what is under it ends closed.
        close: bool,
        /// Whether only its run is stopped, with the foreground work of that run: the task lives on.
        interrupt: bool,
        /// Those whose ends need no notice, since the agents that would get it have ordered these ends.
        claimed: Vec<Key>,
        /// If the caller aborted its call of a tool: whether it reads its inbox. The end is still undelivered (W5).
        caller_reads: Option<bool>,
    }
    /// The cancel of the task is over.
    CancelSettled = 41 aside {
        /// Whose.
        task: Key,
    }
    /// A task ended without a run, or was closed that had ended before.
    TaskEnded = 42 aside {
        /// Which.
        task: Key,
        /// How.
        status: Status,
        /// Why.
        stop_reason: StopReason,
    }
    /// A closed task was reopened.
    TaskResumed = 43 aside {
        /// Which.
        task: Key,
    }
    /// The ends of the last runs of tasks were collected.
    EndsCollected = 44 aside {
        /// Whose.
        tasks: Vec<Key>,
    }
    /// A task was forgotten; its spending stays with its parent.
    TaskForgotten = 45 {
        /// Which.
        task: Key,
    }
    /// An idempotency key is remembered no longer.
    KeyDropped = 111 aside {
        /// The task or session that had used it.
        scope: Key,
        /// The key.
        key: Text,
    }
    /// The result of an ended task was released; the task is still there.
    ResultReleased = 114 aside {
        /// Whose.
        task: Key,
    }
    /// A foreground task continues in the background: its end makes a notice.
    TaskBackgrounded = 70 aside {
        /// Which.
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
    /// A session that was there before is registered again: its work continues.
    SessionRegistered = 122 {
        /// The id of its main agent.
        task: Key,
    }

    // Messages to a task and from it, questions, notices.
    in message_facts

    /// A message arrived that has to wait: for the current run's end, its next turn or tool boundary, or the queue.
    MessageQueued = 12 aside {
        /// For whom.
        task: Key,
        /// Which of its runs is the last one.
        run: u32,
        /// The place in which it waits.
        place: MessagePlace,
        /// What it says.
        text: Text,
    }
    /// The next attempt will read again what steered the one before, and what came too late for it.
    SteersAgain = 14 aside {
        /// Whose.
        task: Key,
        /// Which of its runs will read them.
        run: u32,
        /// The messages that the last attempt had read after its checkpoint, if the next one continues from it; oldest first.
        texts: Vec<Text>,
        /// How many messages it had not read. They went ahead of the queue when it ended.
        missed: u32,
    }
    /// Messages were dropped undelivered: the last ones, nearly always all. Messages that were to steer the run went ahead of the
    /// queue before.
    MessagesDropped = 13 {
        /// Whose.
        task: Key,
        /// How many.
        count: u32,
    }
    /// The messages of a task wait for the next send, or continue.
    QueuePaused = 74 aside {
        /// Whose.
        task: Key,
        /// Whether they wait.
        paused: bool,
    }
    /// A run asked the agent that gave it its task, and is parked for `input` until that has answered.
    QuestionAsked = 75 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Its question.
        question: Text,
        /// When it continues without an answer.
        until: Option<u64>,
        /// Whether the run that spawned the task was waiting for it, and so has read the question.
        delivered: bool,
    }
    /// A question was answered, or stays without an answer: the run is parked for it no longer. If no question is open, the
    /// run asked what an earlier attempt had asked, and got the answer that was given then.
    QuestionClosed = 76 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// The answer; absent if there was none.
        answer: Option<Text>,
        /// Whether its time ran out.
        timed_out: bool,
        /// Parked for instead: `reentry` (a slot) or `cooldown`. Absent if another reason remains, or it has a slot.
        parks: Option<Parked>,
    }
    /// The parent's run wanted to wait for a task that asks, and has read its question.
    QuestionDelivered = 78 aside {
        /// Whose question.
        task: Key,
        /// Which run asks.
        run: u32,
    }
    /// The delivery of a notice changed: it was handed out, returned, was acknowledged, became undelivered, or a wait will hand
    /// it over. Or its receiver was woken for it, it has another receiver now, or another actor has read the same end.
    NoticeMoved = 91 aside {
        /// Whose end.
        task: Key,
        /// Which run's.
        run: u32,
        /// How far its delivery is now.
        delivery: Delivery,
        /// The session or task in whose inbox it is now: another one if its first receiver no longer runs.
        to: Key,
        /// How often it has been handed out, or its receiver was woken without taking it.
        attempt: u32,
        /// Leased: when it returns; absent if a turn has it. Pending: how long only the woken receiver may take it.
        until: Option<u64>,
        /// Other sessions or tasks above that got the end by a wait. If there are any, nothing else changed.
        delivered_to: Vec<Key>,
    }

    // The phases of a run, and its host function.
    in run_facts

    /// A later run, or an attempt whose time has come waits for its slot.
    RunQueued = 20 {
        /// Whose.
        task: Key,
        /// Which.
        run: u32,
        /// Its place by priority and age: lower comes first.
        rank: i64,
        /// Its place between parents of the same rank: lower comes first.
        round: u64,
        /// The message that it answers; absent for the first text and for an attempt at the same message.
        message: Option<Text>,
        /// What it waits for; absent if it starts at once. An attempt that is due always has one.
        waiting_for: Option<WaitingFor>,
        /// It is another attempt at the message of a run that ended badly: its spawn was repeated with `retryEnded`.
        again: bool,
    }
    /// The program took up the queued run of a task that it drives: from now on the run waits for its slot.
    RunTaken = 64 {
        /// Whose.
        task: Key,
        /// Which.
        run: u32,
    }
    /// A queued run comes forward, because a run of higher priority waits for it.
    RunRaised = 63 {
        /// Whose.
        task: Key,
        /// Which.
        run: u32,
        /// Its place by priority and age from now on: lower comes first.
        rank: i64,
    }
    /// A run got its slot and its host function is called.
    RunStarted = 21 {
        /// Whose.
        task: Key,
        /// Which.
        run: u32,
        /// Turns that it may take.
        max_turns: u64,
        /// Its soft deadline, in milliseconds of running.
        timeout_ms: u64,
        /// How long it may be silent, in milliseconds.
        idle_timeout_ms: u64,
        /// Its reservation: its budget for the whole run, if anything caps it.
        reserved: Amounts,
        /// The amounts that it borrows, and those that it returns, if any.
        loans: Option<Box<Loans>>,
    }
    /// A run must wrap up.
    WrapUpRequested = 28 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Why.
        stop_reason: StopReason,
        /// When it must stop.
        until: Option<u64>,
    }
    /// A run can't continue for now and gave its slot up, if it had one. If a question, a delayed turn or a return is the
    /// reason, the event of that says it instead.
    RunParked = 29 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Why.
        why: Parked,
        /// The sub-agents that it waits for, if any. It may begin to wait for others while parked.
        waits_for: Vec<Key>,
    }
    /// The reason for which a run was parked is over.
    RunUnparked = 30 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// The reason that is over.
        why: Parked,
        /// Parked for instead: `reentry` (a slot), `cooldown` or `rate`. Absent if another reason remains, or it has a slot.
        parks: Option<Parked>,
    }
    /// A run that was parked has a slot again.
    RunReentered = 31 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Whether that put the manager over its limit.
        over_limit: bool,
        /// Its reservation from now on, if its next turn is reserved.
        reserved: Option<Amounts>,
        /// The amounts that it borrows for that, and those that it returns, if any.
        loans: Option<Box<Loans>>,
    }
    /// A run must stop.
    StopRequested = 32 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Why.
        stop_reason: StopReason,
        /// How it will be recorded.
        status: Status,
        /// When it ends even if its host function hasn't returned.
        until: u64,
    }
    /// A run ended. Its question stays without an answer, and messages that were to steer it go ahead of the queue.
    RunEnded = 33 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// How.
        status: Status,
        /// Why.
        stop_reason: StopReason,
        /// Whether the output is what had been done when it was stopped.
        partial: bool,
        /// Whether its host function is still running.
        host_open: bool,
        /// Whether the output was cut at `maxResultBytes`.
        cut: bool,
        /// Whether a wait has returned it already.
        collected: bool,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions of that which the host did not report.
        unknown: Dimensions,
        /// Dimensions of that whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for that, and those that return, if any.
        loans: Option<Box<Loans>>,
        /// Its output.
        output: RunOutput,
        /// When its host function is given up, if it still runs and is given up at all; absent otherwise.
        abandon_at: AbandonAt,
        /// If the run never started: whether its message returns to the queue, or is dropped undelivered. Absent otherwise.
        message_requeued: Option<bool>,
        /// The notice that it makes, if it was a background run.
        notice: Option<NewNotice>,
    }
    /// A run ended badly and is tried again under the next number. Waits for it continue.
    RunRetried = 130 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// How many attempts there have been.
        attempt: u32,
        /// Why it ended.
        stop_reason: StopReason,
        /// What went wrong.
        error: Option<Text>,
        /// The host's own word for how it ended.
        host_status: Option<Text>,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions of that which the host did not report.
        unknown: Dimensions,
        /// Dimensions of that whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for that, and those that return, if any.
        loans: Option<Box<Loans>>,
        /// When it is tried again.
        until: u64,
    }
    /// A run saved how far its work is. If its process is lost, it may continue from there.
    CheckpointSaved = 133 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// How far, as JSON.
        data: Text,
    }
    /// A run saved data for the later runs of its sub-agent.
    DataSaved = 170 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// The data, as JSON.
        data: Text,
    }
    /// The host function of an ended run returned, or the run was reported once more.
    HostReturned = 34 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Its total usage; absent if its task has run again, so that it is unknown.
        usage: Option<Amounts>,
        /// Dimensions of that which the host did not report.
        unknown: Dimensions,
        /// Dimensions of that whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for that, and those that return, if any.
        loans: Option<Box<Loans>>,
        /// Its late output.
        late_result: Option<Text>,
    }
    /// The host function of an ended run was given up.
    HostAbandoned = 35 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Its total usage: its reservation counts as used.
        usage: Amounts,
    }
    /// The host carries the run out somewhere else and will report its end. Recorded again if the host gives its own id for
    /// such a run.
    RunElsewhere = 46 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// The host's own id, if it gave one.
        host_task_id: Option<Text>,
    }
    /// A host function returned well; its run ends once the sub-agents that it waits for have settled.
    RunReturned = 82 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions of that which the host did not report.
        unknown: Dimensions,
        /// Dimensions of that whose report was invalid.
        invalid: Dimensions,
        /// The amounts that it borrowed for that, and those that return, if any.
        loans: Option<Box<Loans>>,
        /// Its output.
        output: RunOutput,
    }

    // What a run does, or a main agent: turns, usage, tools, and what policies say of that.
    in turn_facts

    /// A turn waits for its slot or for budget that others have reserved, and its run gives its slot up, if it has one.
    TurnDelayed = 37 {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// The host's estimate of its tokens, if it gave one; 0 at the start of the run.
        estimate: Option<u64>,
        /// US dollars that it is expected to cost, if the host said so.
        estimate_usd: Option<Nanos>,
        /// What stays reserved for it, if it returns the dollars of the whole run: others may need no more.
        reserved: Option<Amounts>,
        /// The borrowed amounts that it returns, if any.
        loans: Option<Box<Loans>>,
        /// The first that applies: `cooldown`, `rate`, `slot` or `budget`; absent if it is not known yet.
        waiting_for: Option<WaitingFor>,
        /// What the run is now parked for: `cooldown`, `rate`, or `reentry` for a slot. Absent if that stays the same.
        parks: Option<Parked>,
        /// Whether it asks for the budget of the whole run.
        whole: bool,
    }
    /// A turn began.
    TurnStarted = 24 {
        /// Whose.
        task: Key,
        /// Which run; 0 for a main agent.
        run: u32,
        /// The turn's number, from 1.
        turn: u64,
        /// Whether it is the last one, for wrapping up.
        wrap_up: bool,
        /// Why it must wrap up with this turn, if that is new.
        wrap_up_reason: Option<StopReason>,
        /// Whether this is the one wrap-up turn that its task has in its life.
        spends_wrap_up: bool,
        /// Its reservation from now on. The turn itself is spent.
        reserved: Amounts,
        /// The amounts that it borrows, and those that it returns, if any.
        loans: Option<Box<Loans>>,
        /// How many messages that steer it it got: all that had arrived.
        steers: u32,
        /// Sub-agents whose question it has read.
        questions: Vec<Key>,
        /// Whether that is reserved for the whole run, until its end or its next turn; otherwise for this turn.
        whole: bool,
    }
    /// A run, or the main agent of a session, reported what it has used, or how it is doing. It is also recorded if the host of
    /// a run is lost. What that host had begun and not reported is then booked. If the host is another process, which may still
    /// report it, it stays reserved.
    RunReported = 27 {
        /// Whose.
        task: Key,
        /// Which run; 0 for a main agent.
        run: u32,
        /// Its total usage.
        usage: Amounts,
        /// Dimensions that the report named.
        reported: Dimensions,
        /// Dimensions whose report was invalid.
        invalid: Dimensions,
        /// Its reservation from now on.
        reserved: Amounts,
        /// The amounts that it borrows, and those that it returns, if any.
        loans: Option<Box<Loans>>,
        /// The size of its context in tokens, if it said so.
        context_tokens: Option<u64>,
        /// Its message.
        message: Option<Text>,
    }
    /// A run, or the main agent of a session, has used tokens whose kinds it reported. The event after it books them.
    TokensUsed = 160 aside {
        /// Whose.
        task: Key,
        /// Which run; 0 for a main agent.
        run: u32,
        /// The model; absent if it is unknown.
        model_id: Option<Text>,
        /// Its further usage, by kind.
        kinds: Kinds,
        /// US dollars by prices; absent if the host reports them itself, or there is no price.
        cost_usd: Option<Nanos>,
        /// Whether there are prices, and none for its model: its cost is unknown.
        unpriced: bool,
        /// How many of these tokens don't count against caps: a part of those read from the cache, as `countCacheReads` says.
        uncounted: u64,
    }
    /// A policy answered something else than "continue".
    PolicyAnswered = 100 aside {
        /// About whom; a session for its main agent.
        task: Key,
        /// Which run; 0 for a main agent.
        run: u32,
        /// The point at which it was asked.
        point: Point,
        /// Its answer.
        answer: Answer,
        /// Why the run ends, if it does.
        stop_reason: StopReason,
        /// Which policy.
        policy: Text,
        /// What it said: a text for the model, a reason, a report.
        text: Text,
        /// Until when the run has to return, if the answer ends it.
        until: Option<u64>,
    }
    /// A policy counted a call.
    CallCounted = 101 aside {
        /// Whose.
        task: Key,
        /// Which run; 0 for a main agent.
        run: u32,
        /// Which policy.
        policy: Text,
    }
    /// An agent reported its to-dos.
    TodosReported = 102 aside {
        /// Whose.
        task: Key,
        /// Which run; 0 for a main agent.
        run: u32,
        /// How many are open.
        open: u64,
        /// The list, as JSON.
        todos: Text,
    }
    /// A run uses a tool: it may be silent until that is over.
    ToolBegan = 103 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// The tool's name.
        tool: Text,
    }
    /// A run has used a tool, or reached the boundary of one and read something.
    ToolEnded = 104 aside {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// How many messages that steer it it got: all that had arrived.
        steers: u32,
        /// Sub-agents whose question it has read.
        questions: Vec<Key>,
    }
    /// A main agent has answered: its limits begin again.
    MainEnded = 107 aside {
        /// Its session.
        task: Key,
    }
}

/// Reads a sequence of stamped facts: the time in milliseconds, then the fact.
///
/// # Errors
/// `Malformed`, with the place of the first byte that is wrong.
pub fn read_all(bytes: &[u8]) -> Result<Vec<(u64, Fact)>, Malformed> {
    let mut reader = Reader::new(bytes);
    let mut facts = Vec::new();
    while !reader.is_done() {
        facts.push((u64::take(&mut reader), Fact::take(&mut reader)));
        reader.check()?;
    }
    Ok(facts)
}
