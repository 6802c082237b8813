//! What goes into the manager and what it answers. Owns the words of both; never a decision.

use crate::base::amounts::{Amounts, Caps, Estimate};
use crate::base::codec::Text;
use crate::base::codes::numbered;
use crate::base::slab::Key;
use crate::model::outcome::{Outcome, Usage};
use crate::model::policy::Ruling;
use crate::model::retry::Retry;
use crate::model::spawn::{Once, Spawn};
use crate::model::status::{OnParentEnd, Status, StopReason};

/// Who speaks (A1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The program: it reaches everything and spawns under the default session.
    Program,
    /// A host's own agent: it reaches its own descendants.
    Session(Key),
    /// A run: it reaches its task's descendants.
    Run(Key, u32),
}

numbered! {
    /// What becomes of a run in flight when its manager is opened again (J3).
    #[derive(Default)]
    pub enum OnHostLost {
        /// It ends `host_lost`.
        #[default]
        Fail = 0,
        /// It is queued again, and begins anew.
        Requeue = 1,
        /// It is queued again, and goes on from its last checkpoint.
        Resume = 2,
    }
}

numbered! {
    /// When a message is to be heard (M1).
    #[derive(Default)]
    pub enum Mode {
        /// By the next run, after those that wait already.
        #[default]
        Queue = 0,
        /// By the run under way, at its next turn or tool boundary.
        Steer = 1,
        /// At once: the run under way is aborted, and the next one hears it.
        Interrupt = 2,
    }
}

numbered! {
    /// What became of a message (M2).
    pub enum Receipt {
        /// It waits.
        Queued = 0,
        /// It is the message of a run that starts now, or as soon as a slot is free.
        Started = 1,
        /// It answered a question.
        Delivered = 2,
    }
}

/// The limits of a main agent until it has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Turns.
    pub turns: u64,
    /// The size of its context in tokens.
    pub context_tokens: u64,
    /// Milliseconds from its first turn.
    pub ms: u64,
}

/// What holds for new work; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// What a task may spend that is given no cap of its own; lifted, the cap of a manual task goes too.
    pub task_cap: Caps,
    /// How runs are tried again whose spawn doesn't say.
    pub retry: Option<Box<Retry>>,
    /// Whether work at the slot limit is refused instead of queued.
    pub reject: Option<bool>,
    /// What becomes of background work, whose spawn doesn't say, when the run that it works for ends well (C3).
    pub on_parent_end: Option<OnParentEnd>,
}

/// An input of the manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Randomness for ids and fences, once.
    Seed(u64, u64),
    /// Sets limits; they bind new work only.
    SetLimits(Vec<(Text, u64)>),
    /// Sets the cap of the whole manager. One on tokens also stands for the manual style's pool; lifted, it lifts that.
    SetBudget(Caps),
    /// Sets what holds for new work.
    SetDefaults(Defaults),
    /// Opens a session.
    OpenSession(Text),
    /// A session that was there before a restart is registered again: its work goes on (J3).
    RegisterSession(Key),

    /// Sets the tools of a session.
    SetTools(Key, Option<Vec<Text>>),
    /// Sets the model of a session; its sub-agents inherit it.
    SetModel(Key, Option<Text>),

    /// Admits a sub-agent.
    Spawn(Spawn),
    /// Sends a message.
    Send {
        /// To whom.
        task: Key,
        /// When it is to be heard.
        mode: Mode,
        /// What.
        text: Text,
    },
    /// Stops the run of a task; the task lives on, and its queue waits for the next send.
    Interrupt {
        /// Whose.
        task: Key,
        /// How long it has to return, where it isn't `graceMs`.
        grace_ms: Option<u64>,
    },
    /// A run asks its requester, and waits for the answer.
    Ask {
        /// What.
        question: Text,
        /// For how long at most, where it isn't `askTimeoutMs`.
        timeout_ms: Option<u64>,
    },
    /// Asks for leave to call the model once more.
    BeginTurn {
        /// What the turn is expected to need.
        estimate: Estimate,
    },
    /// Reports what a turn used, as a delta, or how it goes.
    Report {
        /// The delta.
        usage: Usage,
        /// The size of the context in tokens.
        context_tokens: Option<u64>,
        /// What it is doing.
        message: Option<Text>,
    },
    /// The host that carried the run on is lost, and another one goes on with it.
    ReplaceHost {
        /// It goes on from the last checkpoint.
        resumes: bool,
    },
    /// A host function ended.
    Settle {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// What it left.
        outcome: Outcome,
    },

    /// Whether the host function of a run that has begun is called by now: a policy may be asked before that takes its time (M2).
    NoteHost {
        /// Whose run.
        task: Key,
        /// Which run.
        run: u32,
        /// Whether it is called.
        called: bool,
    },
    /// The host runs it somewhere else and will report its end by `Settle`.
    StartedElsewhere {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
    },

    /// The host says by which id it knows a run that it runs somewhere else.
    NameElsewhere {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// The host's own id.
        host_task_id: Text,
    },

    /// Waits for the current runs of tasks.
    Wait {
        /// Which; ids that aren't there are left out by the caller.
        targets: Vec<Key>,
        /// Whether for all of them.
        all: bool,
        /// Whether until none of them has a message left to run.
        idle: bool,
        /// For how long at most; 0 looks once.
        timeout_ms: Option<u64>,
    },
    /// A wait of the program or of a session was opened in the context of a run, which gives its slot up for it (S6).
    WaitsWithin {
        /// Which wait.
        wait: Key,
        /// Whose context.
        task: Key,
        /// Which run's.
        run: u32,
    },
    /// Waits for the current run of one task.
    WaitFor {
        /// Which.
        target: Key,
        /// For how long at most.
        timeout_ms: Option<u64>,
    },
    /// A run waits for its next notice, with whatever could make one: it gives up its slot (S1, N2). Its wait tells nothing.
    AwaitNotice,
    /// Ends a wait.
    EndWait(Key),
    /// Cancels a task and all under it.
    Cancel {
        /// Which; a session or the root for all under it.
        task: Key,
        /// Why.
        reason: StopReason,
        /// How long its runs have to return, where it isn't `graceMs`.
        grace_ms: Option<u64>,
    },
    /// Cancels a task because a tool's call that waits for it was aborted by its own caller: nobody has its end then (W5).
    AbortCall {
        /// Which.
        task: Key,
        /// The call's wait, where it is open.
        wait: Option<Key>,
        /// Whether the session that called reads its inbox.
        reads: bool,
    },
    /// Forgets an ended task and all under it.
    Forget(Key),
    /// Closes a task and all under it (C1).
    Close {
        /// Which.
        task: Key,
        /// How long its runs have to return, where it isn't `graceMs`.
        grace_ms: Option<u64>,
    },
    /// Reopens a closed task (L7).
    Resume(Key),
    /// Cancels what is under a session, and frees it (C4).
    CloseSession {
        /// Which.
        session: Key,
        /// Why.
        reason: StopReason,
        /// How long its runs have to return, where it isn't `graceMs`.
        grace_ms: Option<u64>,
    },
    /// Raises a cap.
    AddBudget {
        /// Whose.
        task: Key,
        /// By how much.
        amount: Amounts,
    },
    /// Lets running work end, then cancels.
    Drain {
        /// For how long.
        timeout_ms: u64,
    },

    /// Lets a foreground task go on in the background, and answers the waits for it (X3).
    MoveToBackground(Key),
    /// Hands out the notices that wait for the actor (N2).
    Lease {
        /// How many at most.
        max: Option<u64>,
        /// For how long, where it isn't `leaseMs`.
        lease_ms: Option<u64>,
    },
    /// The host has told the main agent of a session that notices wait for it (N2).
    Woken(Key),
    /// Acknowledges a notice (N2).
    Ack {
        /// Whose end.
        task: Key,
        /// Which run's.
        run: u32,
    },

    /// Makes a manual task (B10).
    CreateTask(Spawn),
    /// A manual task starts.
    MarkRunning(Key),
    /// A manual task ends.
    MarkEnded {
        /// Which.
        task: Key,
        /// With what.
        outcome: Outcome,
    },
    /// Sets tokens aside for the program.
    Allocate(u64),
    /// Gives back tokens that were set aside for the program.
    Release(u64),

    /// Admits a sub-agent unless its key was used before.
    SpawnOnce(Box<Once>),
    /// A run met a rate limit.
    ReportRateLimit {
        /// How long to wait, in milliseconds.
        retry_after_ms: u64,
    },
    /// Lets go of the result of an ended task.
    ReleaseResult(Key),
    /// Sets the cap of a session.
    SetSessionBudget(Key, Amounts),
    /// A policy answered something else than "continue" (P1).
    Rule(Ruling),
    /// A policy takes its time.
    AwaitApproval,
    /// The policy has answered.
    Approved {
        /// The run's host function has not been called yet.
        starting: bool,
    },
    /// A policy counts a call.
    Count {
        /// Which policy.
        policy: Text,
        /// How often it may count.
        limit: u64,
        /// Only where to-dos are open.
        todos: bool,
    },
    /// Reports a to-do list.
    Todos {
        /// How many are open.
        open: u64,
        /// The list, as JSON.
        todos: Text,
    },
    /// A run saves how far its work is, as JSON.
    Checkpoint(Text),
    /// A tool is about to be used.
    BeginTool(Text),
    /// A tool was used.
    EndTool,
    /// Sets the tools that no sub-agent gets.
    BlockTools(Vec<Text>),
    /// A main agent asks for leave to call its model once more.
    BeginMainTurn(Bounds),
    /// A main agent has answered.
    EndMain,

    /// Nothing but the time.
    Tick,
    /// The process stood still for so many milliseconds until now, stopped or asleep. Nothing fires before the next
    /// [`Self::Tick`]: what came meanwhile goes first.
    StoodStill(u64),
}

/// What the manager answers to a request that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Done; there is nothing to say.
    Done,
    /// A session or task is there.
    Node(Key),
    /// A message was taken.
    Sent(Receipt),
    /// The answer comes with [`Effect::AskDone`](crate::model::effect::Effect::AskDone).
    Asked,
    /// No answer will come.
    Unanswered {
        /// The run was told to stop; else its requester has no tool to answer with.
        stopped: bool,
    },
    /// There is nothing to wait for: one of the targets waits for an answer itself.
    NeedsInput,
    /// The wait was to look once, and what it was for has not come.
    NotYet,
    /// The turn may be made.
    Go {
        /// Its number, from 1.
        turn: u64,
        /// Whether it is the last one, and why.
        wrap_up: Option<StopReason>,
        /// What goes into the conversation before it.
        inject: Vec<Text>,
    },
    /// The turn may be made later; [`Effect::TurnReady`](crate::model::effect::Effect::TurnReady) says when to ask again.
    Later,
    /// No turn any more.
    Stop(StopReason),
    /// The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone).
    Waiting(Key),
    /// So many tokens.
    Tokens(u64),
    /// The task that an idempotency key was first used for.
    Again(Key),
    /// These notices, by their indices.
    Notices(Vec<u32>),
    /// Whether there was something to acknowledge.
    Acked(bool),
    /// A call was counted.
    Counted {
        /// Which one it was; 0 where there was nothing to count.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
    /// No call more may be counted.
    Exhausted,
    /// The texts that steer the run.
    Steered(Vec<Text>),
    /// A close was taken.
    Closing {
        /// Where the task stood.
        previous: Status,
        /// The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone); `None` where it is closed by now.
        wait: Option<Key>,
    },
}
