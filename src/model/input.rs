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

named! {
    /// When a message is delivered (M1).
    pub enum Mode {
        /// To the next run, after those that wait already.
        Queue = 0 "queue",
        /// To the run under way, at its next turn or tool boundary.
        Steer = 1 "steer",
        /// At once: the run under way is aborted, and the next one gets it.
        Interrupt = 2 "interrupt",
    }
}

named! {
    /// What became of a message (M2).
    pub enum Receipt {
        /// It waits.
        Queued = 0 "queued",
        /// It is the message of a run that starts now, or as soon as a slot is free.
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

/// What holds for new work; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// What a task may spend that is given no cap of its own.
    pub task_cap: Caps,
    /// How runs are tried again whose spawn doesn't say.
    pub retry: Option<Box<Retry>>,
    /// Whether work at the slot limit is refused instead of queued.
    pub reject: Option<bool>,
    /// What becomes of background work, whose spawn doesn't say, when the run that it works for ends well (C3).
    pub on_parent_end: Option<OnParentEnd>,
}

records! {
    /// An input of the manager. Its rows are commands, which cross the boundary as bytes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Input unless (Input::Tick) {
        by_numbers {
            /// Randomness for ids and fences, once.
            Seed(u64, u64),
            /// Sets limits; they bind new work only.
            SetLimits(Vec<(Text, u64)>),
            /// Sets the cap of the whole manager.
            SetBudget(Caps),
            /// Sets what holds for new work.
            SetDefaults(Defaults),
            /// Sets what models cost, in place of all that was set before.
            SetPrices(Vec<ModelPrice>),
            /// Sets what keys allow a minute, in place of all that was set before.
            SetRates(Vec<KeyRate>),

            /// Admits a sub-agent.
            Spawn(Spawn),
            /// Admits a sub-agent unless its key was used before.
            SpawnOnce(Box<Once>),
            /// Asks for leave to call the model once more.
            BeginTurn {
                /// What the turn is expected to need.
                estimate: Estimate,
                /// Whether the budget of the whole run is to stay reserved (B14).
                whole: bool,
            },
            /// Reports what a turn used, as a delta, or how it goes.
            Report {
                /// The delta.
                usage: Usage,
                /// What it says of its tokens beside how many there were.
                tokens: Option<Box<ReportedTokens>>,
                /// The size of the context in tokens.
                context_tokens: Option<u64>,
                /// What it is doing.
                message: Option<Text>,
            },
            /// A host function ended.
            HostReturned {
                /// Whose.
                task: Key,
                /// Which run.
                run: u32,
                /// What it left.
                outcome: Outcome,
            },
            /// Waits for the current run of one task.
            WaitFor {
                /// Which.
                target: Key,
                /// For how long at most.
                timeout_ms: Option<u64>,
            },
            /// Lets running work end, then cancels.
            Drain {
                /// For how long.
                timeout_ms: u64,
            },
            /// Hands out the notices that wait for the actor (N2).
            Lease {
                /// How many at most.
                max: Option<u64>,
                /// For how long, where it isn't `leaseMs`.
                lease_ms: Option<u64>,
            },
            /// Acknowledges a notice (N2).
            Ack {
                /// Whose end.
                task: Key,
                /// Which run's.
                run: u32,
            },
            /// Nothing but the time.
            Tick,
            /// The process stood still for so many milliseconds until now, stopped or asleep. Nothing fires before the next
            /// [`Self::Tick`]: what came meanwhile goes first.
            StoodStill(u64),
        }

        /// Opens a session, or finds it open.
        OpenSession(
            /// Its key.
            key: Text
        ) = 0,
        /// Registers a session again that was there before a restart: its work goes on (J3).
        RegisterSession(
            /// Which.
            session: Key
        ) = 1,
        /// Sets the tools of a session.
        SetTools(
            /// Which session.
            session: Key,
            /// Their names; absent if they aren't known.
            tools: Option<Vec<Text>>
        ) = 2,
        /// Sets the model of a session; its sub-agents inherit it.
        SetModel(
            /// Which session.
            session: Key,
            /// The model's id.
            model_id: Option<Text>
        ) = 3,
        /// Sets the cap of a session.
        SetSessionBudget(
            /// Which session.
            session: Key,
            /// Its cap.
            cap: Amounts
        ) = 4,
        /// Cancels what is under a session, and frees it (C4).
        CloseSession {
            /// Which.
            session: Key,
            /// Why.
            reason: StopReason,
            /// How long its runs have to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 5,
        /// Sets the tools that no sub-agent gets.
        BlockTools(
            /// Their names.
            tools: Vec<Text>
        ) = 6,

        /// Sends a message.
        Send {
            /// To whom.
            task: Key,
            /// When it is delivered.
            mode: Mode,
            /// What.
            text: Text,
        } = 10,
        /// Stops the run of a task; the task lives on, and its queue waits for the next send.
        Interrupt {
            /// Whose.
            task: Key,
            /// How long it has to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 11,
        /// A run asks its requester, and waits for the answer.
        Ask {
            /// What.
            question: Text,
            /// For how many milliseconds at most. Default: `askTimeoutMs`.
            timeout_ms: Option<u64>,
        } = 12,
        /// Waits for the current runs of tasks.
        Wait {
            /// Which; ids that aren't there are left out by the caller.
            targets: Vec<Key>,
            /// Whether for all of them.
            all: bool,
            /// Whether until none of them has a message left to run.
            idle: bool,
            /// For how many milliseconds at most; 0 looks once. Absent for no deadline.
            timeout_ms: Option<u64>,
        } = 13,
        /// A run waits for its next notice, with whatever could make one: it gives up its slot (S1, N2). Its wait reports nothing.
        AwaitNotice = 14,
        /// Lets a foreground task go on in the background, and answers the waits for it (X3).
        MoveToBackground(
            /// Which.
            task: Key
        ) = 15,
        /// The program takes up the queued run of a task that it drives (X6).
        TakeRun(
            /// Whose.
            task: Key
        ) = 16,
        /// A wait of the program or of a session was opened in the context of a run, which gives its slot up for it (S6).
        WaitsWithin {
            /// Which wait.
            wait: Key,
            /// Whose context.
            task: Key,
            /// Which run's.
            run: u32,
        } = 17,
        /// Ends a wait; it touches no sub-agent (W3).
        EndWait(
            /// Which.
            wait: Key
        ) = 18,
        /// Cancels a task because a tool's call that waits for it was aborted by its own caller: its end has no reader then (W5).
        AbortCall {
            /// Which.
            task: Key,
            /// The call's wait, where it is open.
            wait: Option<Key>,
            /// Whether the session that called reads its inbox.
            reads: bool,
        } = 19,

        /// Cancels a task and all under it.
        Cancel {
            /// Which; a session or the root for all under it.
            task: Key,
            /// Why.
            reason: StopReason,
            /// How long its runs have to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 20,
        /// Closes a task and all under it (C1).
        Close {
            /// Which.
            task: Key,
            /// How long its runs have to return, in milliseconds. Default: `graceMs`.
            grace_ms: Option<u64>,
        } = 21,
        /// Reopens a closed task (L7).
        Resume(
            /// Which.
            task: Key
        ) = 22,
        /// Forgets an ended task and all under it.
        Forget(
            /// Which.
            task: Key
        ) = 23,
        /// Lets go of the result of an ended task.
        ReleaseResult(
            /// Whose.
            task: Key
        ) = 24,
        /// Raises a cap.
        AddBudget {
            /// Whose; the root for the manager's.
            task: Key,
            /// By how much.
            amount: Amounts,
        } = 25,

        /// The host has reported to the main agent of a session that notices wait for it (N2).
        Woken(
            /// Which session.
            session: Key
        ) = 30,

        /// The host that carried the run on is lost, and another one goes on with it.
        ReplaceHost {
            /// It goes on from the last checkpoint.
            resumes: bool,
        } = 40,
        /// Whether the host function of a run that has begun is called by now: a policy may be asked before that takes its time
        /// (M2).
        NoteHost {
            /// Whose run.
            task: Key,
            /// Which run.
            run: u32,
            /// Whether it is called.
            called: bool,
        } = 41,
        /// The host runs it somewhere else and will report its end by `HostReturned`.
        StartedElsewhere {
            /// Whose.
            task: Key,
            /// Which run.
            run: u32,
        } = 42,
        /// The host says by which id it knows a run that it runs somewhere else.
        NameElsewhere {
            /// Whose.
            task: Key,
            /// Which run.
            run: u32,
            /// The host's own id.
            host_task_id: Text,
        } = 43,
        /// A run met a rate limit, or its provider said what is left.
        ReportRateLimit {
            /// How many milliseconds to wait.
            retry_after_ms: u64,
            /// Requests that are left.
            remaining_requests: Option<u64>,
            /// Tokens that are left.
            remaining_tokens: Option<u64>,
        } = 44,
        /// A run saves how far its work is.
        Checkpoint(
            /// The data, as JSON.
            data: Text
        ) = 45,
        /// A run saves data for the later runs of its task.
        Save(
            /// The data, as JSON.
            data: Text
        ) = 47,
        /// The host is about to acquire what a task needs, or has (J7).
        Acquire {
            /// Whose.
            task: Key,
            /// What was acquired, as JSON; absent if it is about to be.
            data: Option<Text>,
        } = 48,
        /// The host has released what a task had acquired.
        Released(
            /// The number of the release.
            serial: u64
        ) = 49,
        /// Reports a to-do list.
        Todos {
            /// How many are open.
            open: u64,
            /// The list, as JSON.
            todos: Text,
        } = 46,

        /// A policy answered something else than "continue" (P1).
        Rule(
            /// Its answer.
            ruling: Ruling
        ) = 50,
        /// A policy takes its time.
        AwaitApproval = 51,
        /// The policy has answered.
        Approved {
            /// The run's host function has not been called yet.
            starting: bool,
        } = 52,
        /// A policy counts a call.
        Count {
            /// Which policy.
            policy: Text,
            /// How often it may count.
            limit: u64,
            /// Only where to-dos are open.
            todos: bool,
        } = 53,
        /// A tool is about to be used.
        BeginTool(
            /// Its name.
            name: Text
        ) = 54,
        /// A tool was used, or the host asks what steers the run.
        EndTool(
            /// The host has its agent read messages within the turn.
            listens: bool
        ) = 55,
        /// A main agent asks for leave to call its model once more.
        BeginMainTurn(
            /// Within what.
            bounds: Bounds
        ) = 56,
        /// A main agent has answered.
        EndMain = 57,
    }
}

records! {
    /// What the manager answers to a request that it took.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Reply unless (Reply::Done) {
        by_numbers {
            /// The task that an idempotency key was first used for.
            Again(Key),
            /// The indices of these notices.
            Notices(Vec<u32>),
            /// Whether there was something to acknowledge.
            Acked(bool),
        }

        /// Done; there is nothing to say.
        Done = 0,
        /// A session or task is there.
        Node(
            /// Which.
            key: Key
        ) = 1,
        /// A message was taken.
        Sent(
            /// What became of it.
            receipt: Receipt
        ) = 2,
        /// The answer comes with [`Effect::AskDone`](crate::model::effect::Effect::AskDone).
        Asked = 3,
        /// No answer will come.
        Unanswered {
            /// The run was asked to stop; else its requester has no tool to answer with.
            stopped: bool,
        } = 4,
        /// There is nothing to wait for: one of the targets waits for an answer itself.
        NeedsInput = 5,
        /// The wait was to look once, and what it was for has not come.
        NotYet = 6,
        /// The turn may be made.
        Go {
            /// Its number, from 1.
            turn: u64,
            /// Whether it is the last one, and why.
            wrap_up: Option<StopReason>,
            /// What goes into the conversation before it.
            inject: Vec<Text>,
        } = 7,
        /// The turn may be made later; [`Effect::TurnReady`](crate::model::effect::Effect::TurnReady) says when to ask again.
        Later = 8,
        /// No turn any more.
        Stop(
            /// Why.
            reason: StopReason
        ) = 9,
        /// The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone).
        Waiting(
            /// Which wait.
            wait: Key
        ) = 10,
        /// A call was counted.
        Counted {
            /// Which one it was; 0 where there was nothing to count.
            count: u64,
            /// How many there may be.
            limit: u64,
        } = 15,
        /// No call more may be counted.
        Exhausted = 16,
        /// The texts that steer the run.
        Steered(
            /// In order.
            texts: Vec<Text>
        ) = 17,
        /// A close was taken.
        Closing {
            /// Where the task stood.
            previous: Status,
            /// The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone); `None` where it is closed by now.
            wait: Option<Key>,
        } = 18,
        /// A wait for a list of targets was over at once, or one to be ended was over already.
        WaitOver {
            /// Whether it was to look once, and what it was for has not come.
            timed_out: bool,
            /// Where each of its targets stands, in their order; none for one to be ended.
            targets: Vec<WaitedFor>,
        } = 19,
    }
}
