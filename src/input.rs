//! What the manager is told and what it answers. Owns the words of both; never a decision.

use crate::amounts::Amounts;
use crate::codec::Text;
use crate::slab::Key;
use crate::spec::Spec;
use crate::status::StopReason;

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

/// A number as the host gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reading {
    /// It gave none.
    #[default]
    Missing,
    /// It gave something that can't be: negative, not a number, not finite.
    Invalid,
    /// It gave this.
    Is(u64),
}

/// Usage as the host gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens.
    pub tokens: Reading,
    /// Nano-dollars.
    pub nanos: Reading,
    /// Turns.
    pub turns: Reading,
}

/// What to spawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spawn {
    /// What it is asked to do; absent for a task that starts idle.
    pub text: Option<Text>,
    /// Nobody waits for it.
    pub background: bool,
    /// Its cap, where it isn't the default one.
    pub tokens: Option<u64>,
    /// Its cap in nano-dollars.
    pub nanos: Option<u64>,
    /// Its cap in turns over its life.
    pub turns: Option<u64>,
    /// The rest.
    pub spec: Option<Box<Spec>>,
}

/// How a host function ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// With a result whose status means success.
    Completed,
    /// With a result whose status means failure.
    Failed,
    /// With a result whose status means that it was cancelled.
    Cancelled,
    /// With a result whose status means that its time ran out.
    TimedOut,
    /// It threw, or its promise was rejected.
    Threw,
    /// With something that is no result.
    Invalid,
}

/// What a host function left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub returned: Returned,
    /// What it produced.
    pub output: Text,
    /// The run's own total.
    pub usage: Usage,
    /// What went wrong.
    pub error: Option<Text>,
    /// The host's own word for how it ended, where it isn't one of ours.
    pub host_status: Option<Text>,
    /// The host's own id.
    pub host_task_id: Option<Text>,
    /// What it made beside its output, as JSON.
    pub artifacts: Option<Text>,
    /// How long it took by the host's measure, in milliseconds.
    pub duration_ms: Option<u64>,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            returned: Returned::Completed,
            output: Text::default(),
            usage: Usage::default(),
            error: None,
            host_status: None,
            host_task_id: None,
            artifacts: None,
            duration_ms: None,
        }
    }
}

/// What the manager is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Randomness for ids and fences, once.
    Seed(u64, u64),
    /// Sets limits; they bind new work only.
    SetLimits(Vec<(Text, u64)>),
    /// Sets the cap of the whole manager.
    SetBudget(Amounts),
    /// Sets the default cap of a task.
    SetTaskCap(Amounts),
    /// Sets whether work at the slot limit is refused instead of queued.
    SetReject(bool),
    /// Opens a session.
    OpenSession(Text),

    /// Tells which tools a session has.
    SetTools(Key, Option<Vec<Text>>),

    /// Admits a sub-agent.
    Spawn(Spawn),
    /// Sends a message: the next run's.
    Send {
        /// To whom.
        task: Key,
        /// What.
        text: Text,
    },
    /// Asks for leave to call the model once more.
    BeginTurn {
        /// Tokens that the turn is expected to need.
        estimate: Option<u64>,
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
    /// A host function ended.
    Settle {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
        /// What it left.
        outcome: Outcome,
    },

    /// The host runs it somewhere else and will report its end by `Settle`.
    StartedElsewhere {
        /// Whose.
        task: Key,
        /// Which run.
        run: u32,
    },

    /// Waits for the current runs of tasks.
    Wait {
        /// Which; ids that aren't there are left out by the caller.
        targets: Vec<Key>,
        /// Whether for all of them.
        all: bool,
        /// For how long at most.
        timeout_ms: Option<u64>,
    },
    /// Waits for the current run of one task.
    WaitFor {
        /// Which.
        target: Key,
        /// For how long at most.
        timeout_ms: Option<u64>,
    },
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
    /// Forgets an ended task and all under it.
    Forget(Key),
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

    /// Nothing but the time.
    Tick,
}

/// What the manager answers to a request that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Done; there is nothing to say.
    Done,
    /// A session or task is there.
    Node(Key),
    /// A message was taken; whether its run started at once.
    Sent {
        /// The number of the run that it starts, if that is known.
        started: bool,
    },
    /// The turn may be made.
    Go {
        /// Its number, from 1.
        turn: u64,
        /// Whether it is the last one, and why.
        wrap_up: Option<StopReason>,
    },
    /// The turn may be made later; [`Effect::TurnReady`](crate::effect::Effect::TurnReady) says when to ask again.
    Later,
    /// No turn any more.
    Stop(StopReason),
    /// The answer comes with [`Effect::WaitDone`](crate::effect::Effect::WaitDone).
    Waiting(Key),
    /// So many tokens.
    Tokens(u64),
}
