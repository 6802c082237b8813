//! The inputs of the manager, and its replies. Owns both lists; decides nothing.

use crate::base::amounts::{Amounts, Caps, Estimate};
use crate::base::codec::Text;
use crate::base::codes::numbered;
use crate::base::named::named;
use crate::base::record::record;
use crate::base::records::records;
use crate::base::slab::Key;
use crate::model::effect::WaitedFor;
use crate::model::kinds::{ModelPrice, ReportedTokens};
use crate::model::outcome::{Outcome, Usage};
use crate::model::policy::Ruling;
use crate::model::rate::KeyRate;
use crate::model::retry::Retry;
use crate::model::spawn::{Once, Spawn};
use crate::model::status::{OnParentEnd, Status, StopReason};

/// The caller of an input (A1).
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
    /// The fate of a run in flight when its manager is reopened (J3).
    #[derive(Default)]
    pub enum OnHostLost {
        /// It ends `host_lost`.
        #[default]
        Fail = 0,
        /// It is queued again, and starts over.
        Requeue = 1,
        /// It is queued again, and continues from its last checkpoint.
        Resume = 2,
    }
}

named! {
    /// When a message is delivered (M1).
    pub enum Mode {
        /// To a later run, after the messages that already wait.
        Queue = 0 "queue",
        /// To the open run, at its next turn or tool boundary.
        Steer = 1 "steer",
        /// At once: the open run is aborted, and the next one gets it.
        Interrupt = 2 "interrupt",
    }
}

named! {
    /// The result of sending a message (M2).
    pub enum Receipt {
        /// It waits.
        Queued = 0 "queued",
        /// It starts a run, now or as soon as a slot is free.
        Started = 1 "started",
        /// It answered a question.
        Delivered = 2 "delivered",
    }
}

record! {
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
}

/// The defaults of new work; an absent one stays the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// The cap of a task without one of its own.
    pub task_cap: Caps,
    /// How runs are retried if their spawn doesn't set it.
    pub retry: Option<Box<Retry>>,
    /// Whether work at the slot limit is refused instead of queued.
    pub reject: Option<bool>,
    /// What happens to background work when its parent's run ends well, if its spawn doesn't set it (C3).
    pub on_parent_end: Option<OnParentEnd>,
}

records! {
    /// An input of the manager. Its rows are commands, which cross the boundary as bytes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Input unless (Input::Tick) {
        by_numbers {
            /// Seeds ids and fences, once.
            Seed(u64, u64),
            /// Sets limits; they bind new work only.
            SetLimits(Vec<(Text, u64)>),
            /// Sets the cap of the whole manager.
            SetBudget(Caps),
            /// Sets defaults of new work.
            SetDefaults(Defaults),
            /// Replaces the prices of models.
            SetPrices(Vec<ModelPrice>),
            /// Replaces the rates of keys.
            SetRates(Vec<KeyRate>),

            /// Admits a sub-agent.
            Spawn(Spawn),
            /// Admits a sub-agent unless its key was used before.
            SpawnOnce(Box<Once>),
            /// Requests permission for the next turn.
            BeginTurn {
                /// The expected need of the turn.
                estimate: Estimate,
                /// Whether the whole run's budget stays reserved (B14).
                whole: bool,
            },
            /// Reports usage, as a delta, or progress.
            Report {
                /// The delta.
                usage: Usage,
                /// Details of its tokens, besides their number.
                tokens: Option<Box<ReportedTokens>>,
                /// The size of the context in tokens.
                context_tokens: Option<u64>,
                /// Its progress message.
                message: Option<Text>,
            },
            /// A host function ended.
            HostReturned {
                /// The task.
                task: Key,
                /// The run's number.
                run: u32,
                /// Its result.
                outcome: Outcome,
            },
            /// Waits for the current run of one task.
            WaitFor {
                /// The task.
                target: Key,
                /// The maximum wait.
                timeout_ms: Option<u64>,
            },
            /// Lets running work end, then cancels the rest.
            Drain {
                /// The time until it cancels.
                timeout_ms: u64,
            },
            /// Leases the notices that wait for the actor (N2).
            Lease {
                /// The maximum number.
                max: Option<u64>,
                /// The time of the lease. Default: `leaseMs`.
                lease_ms: Option<u64>,
            },
            /// Acknowledges a notice (N2).
            Ack {
                /// The task that ended.
                task: Key,
                /// The run's number.
                run: u32,
            },
            /// Only the time.
            Tick,
            /// The process stood still for this many milliseconds until now, stopped or asleep. Nothing fires before the next
            /// [`Self::Tick`]: inputs that came meanwhile go first.
            StoodStill(u64),
        }

        /// Opens a session, or finds it open.
        OpenSession(
            /// Its key.
            key: Text
        ) = 0,
        /// Registers a session from before a restart again: its work continues (J3).
        RegisterSession(
            /// The session.
            session: Key
        ) = 1,
        /// Sets the tools of a session.
        SetTools(
            /// The session.
            session: Key,
            /// Their names; absent if they aren't known.
            tools: Option<Vec<Text>>
        ) = 2,
        /// Sets the model of a session; its sub-agents inherit it.
        SetModel(
            /// The session.
            session: Key,
            /// The model's id.
            model_id: Option<Text>
        ) = 3,
        /// Sets the cap of a session.
        SetSessionBudget(
            /// The session.
            session: Key,
            /// Its cap.
            cap: Amounts
        ) = 4,
        /// Cancels all work in a session, and frees it (C4).
        CloseSession {
            /// The session.
            session: Key,
            /// The stop reason.
            reason: StopReason,
            /// How long its runs may take to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 5,
        /// Sets the tools that no sub-agent gets.
        BlockTools(
            /// Their names.
            tools: Vec<Text>
        ) = 6,

        /// Sends a message.
        Send {
            /// The receiver.
            task: Key,
            /// When it is delivered.
            mode: Mode,
            /// The message.
            text: Text,
        } = 10,
        /// Stops the run of a task; the task lives on, and its queue waits for the next send.
        Interrupt {
            /// The task.
            task: Key,
            /// How long it may take to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 11,
        /// A run asks its requester, and waits for the answer.
        Ask {
            /// The question.
            question: Text,
            /// The maximum wait in milliseconds. Default: `askTimeoutMs`.
            timeout_ms: Option<u64>,
        } = 12,
        /// Waits for the current runs of tasks.
        Wait {
            /// The tasks; the caller leaves out unknown ids.
            targets: Vec<Key>,
            /// Whether to wait for all targets.
            all: bool,
            /// Whether to wait until no target has a message left to run.
            idle: bool,
            /// The maximum wait in milliseconds; 0 looks once. Absent for no deadline.
            timeout_ms: Option<u64>,
        } = 13,
        /// A run waits for its next notice, without its slot, while work that could make one is open (S1, N2). Its wait reports
        /// nothing.
        AwaitNotice = 14,
        /// Moves a foreground task to the background, and answers the waits for it (X3).
        MoveToBackground(
            /// The task.
            task: Key
        ) = 15,
        /// The program takes up the queued run of a task that it drives (X6).
        TakeRun(
            /// The task.
            task: Key
        ) = 16,
        /// A wait of the program or of a session was opened in the context of a run, which gives up its slot for it (S6).
        WaitsWithin {
            /// The wait.
            wait: Key,
            /// The task of that run.
            task: Key,
            /// The run's number.
            run: u32,
        } = 17,
        /// Ends a wait, without an effect on sub-agents (W3).
        EndWait(
            /// The wait.
            wait: Key
        ) = 18,
        /// Cancels a task because the caller of a tool aborted the call that waits for it: its end then has no reader (W5).
        AbortCall {
            /// The task.
            task: Key,
            /// The call's wait, if it is open.
            wait: Option<Key>,
            /// Whether the calling session reads its inbox.
            reads: bool,
        } = 19,

        /// Cancels a task and all under it.
        Cancel {
            /// The task; a session or the root for all below it.
            task: Key,
            /// The stop reason.
            reason: StopReason,
            /// How long its runs may take to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 20,
        /// Closes a task and all under it (C1).
        Close {
            /// The task.
            task: Key,
            /// How long its runs may take to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 21,
        /// Reopens a closed task (L7).
        Resume(
            /// The task.
            task: Key
        ) = 22,
        /// Forgets an ended task and all under it.
        Forget(
            /// The task.
            task: Key
        ) = 23,
        /// Drops the result of an ended task.
        ReleaseResult(
            /// The task.
            task: Key
        ) = 24,
        /// Raises a cap.
        AddBudget {
            /// The owner; the root for the manager's cap.
            task: Key,
            /// The added amount.
            amount: Amounts,
        } = 25,

        /// The host has notified a session's main agent of waiting notices (N2).
        Woken(
            /// The session.
            session: Key
        ) = 30,

        /// The run's host is lost, and another one continues the run.
        ReplaceHost {
            /// Whether it continues from the last checkpoint.
            resumes: bool,
        } = 40,
        /// Notes whether a started run's host function has been called: a policy may take time before that (M2).
        NoteHost {
            /// The task.
            task: Key,
            /// The run's number.
            run: u32,
            /// Whether it has been called.
            called: bool,
        } = 41,
        /// The host runs it elsewhere and will report its end by `HostReturned`.
        StartedElsewhere {
            /// The task.
            task: Key,
            /// The run's number.
            run: u32,
        } = 42,
        /// The host gives its own id of a run that it runs elsewhere.
        NameElsewhere {
            /// The task.
            task: Key,
            /// The run's number.
            run: u32,
            /// The host's own id.
            host_task_id: Text,
        } = 43,
        /// A run met a rate limit, or its provider reported the remaining rate.
        ReportRateLimit {
            /// The milliseconds to wait.
            retry_after_ms: u64,
            /// Remaining requests.
            remaining_requests: Option<u64>,
            /// Remaining tokens.
            remaining_tokens: Option<u64>,
        } = 44,
        /// A run saves its progress.
        Checkpoint(
            /// The data, as JSON.
            data: Text
        ) = 45,
        /// A run saves data for the later runs of its task.
        Save(
            /// The data, as JSON.
            data: Text
        ) = 47,
        /// The host is about to acquire a task's resources, or has acquired them (J7).
        Acquire {
            /// The task.
            task: Key,
            /// The resources, as JSON; absent before `acquire` is called.
            data: Option<Text>,
        } = 48,
        /// The host has released a task's resources.
        Released(
            /// The number of the release.
            serial: u64
        ) = 49,
        /// Reports a to-do list.
        Todos {
            /// The number of open to-dos.
            open: u64,
            /// The list, as JSON.
            todos: Text,
        } = 46,

        /// A policy gave an answer other than "continue" (P1).
        Rule(
            /// Its answer.
            ruling: Ruling
        ) = 50,
        /// A policy needs time to answer.
        AwaitApproval = 51,
        /// The policy has answered.
        Approved {
            /// Whether the run's host function has not been called yet.
            starting: bool,
        } = 52,
        /// A policy counts a call.
        Count {
            /// The policy's name.
            policy: Text,
            /// The maximum count.
            limit: u64,
            /// Whether it counts only if to-dos are open.
            todos: bool,
        } = 53,
        /// A tool is about to be used.
        BeginTool(
            /// Its name.
            name: Text
        ) = 54,
        /// A tool was used, or the host requests steering messages.
        EndTool(
            /// Whether its agent reads messages within the turn.
            listens: bool
        ) = 55,
        /// Requests permission for a main agent's next turn.
        BeginMainTurn(
            /// Its limits.
            bounds: Bounds
        ) = 56,
        /// A main agent has answered.
        EndMain = 57,
    }
}

records! {
    /// The manager's reply to an accepted request.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Reply unless (Reply::Done) {
        by_numbers {
            /// The task that an idempotency key was first used for.
            Again(Key),
            /// The indices of the leased notices.
            Notices(Vec<u32>),
            /// Whether there was something to acknowledge.
            Acked(bool),
        }

        /// Done.
        Done = 0,
        /// The new session or task, or the one that was already there.
        Node(
            /// Its key.
            key: Key
        ) = 1,
        /// A message was accepted.
        Sent(
            /// The receipt.
            receipt: Receipt
        ) = 2,
        /// The answer comes with [`Effect::AskDone`](crate::model::effect::Effect::AskDone).
        Asked = 3,
        /// No answer will come.
        Unanswered {
            /// Whether the run was asked to stop; else its requester has no tool to answer with.
            stopped: bool,
        } = 4,
        /// The wait is refused: a target asks a question and waits for the answer.
        NeedsInput = 5,
        /// The wait looked once, and its condition was not met.
        NotYet = 6,
        /// The turn may begin.
        Go {
            /// Its number, from 1.
            turn: u64,
            /// Why it is the last turn; absent if it isn't.
            wrap_up: Option<StopReason>,
            /// Texts for the conversation before it.
            inject: Vec<Text>,
        } = 7,
        /// The turn may begin later; [`Effect::TurnReady`](crate::model::effect::Effect::TurnReady) says when to ask again.
        Later = 8,
        /// No further turn.
        Stop(
            /// The stop reason.
            reason: StopReason
        ) = 9,
        /// The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone).
        Waiting(
            /// The wait.
            wait: Key
        ) = 10,
        /// A call was counted.
        Counted {
            /// The number of the call; 0 if there was nothing to count.
            count: u64,
            /// The maximum number.
            limit: u64,
        } = 15,
        /// No further call may be counted.
        Exhausted = 16,
        /// The texts that steer the run.
        Steered(
            /// The texts, in order.
            texts: Vec<Text>
        ) = 17,
        /// A close was accepted.
        Closing {
            /// The task's previous status.
            previous: Status,
            /// The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone); `None` if it is already
            /// closed.
            wait: Option<Key>,
        } = 18,
        /// A wait for a list of targets ended at once, or the wait to end was already over.
        WaitOver {
            /// Whether it looked once and its condition was not met.
            timed_out: bool,
            /// The state of each target, in their order; empty in the reply to `EndWait`.
            targets: Vec<WaitedFor>,
        } = 19,
    }
}
