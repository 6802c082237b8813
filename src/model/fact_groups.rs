//! Groups of facts, as patterns. Owns the subject of each fact, and which facts only the state follows. Code that treats all
//! facts does it subject by subject, so the compiler asks for the subject of a new fact.

macro_rules! any_of {
    ($($name:ident)+) => { $($crate::model::fact::Fact::$name { .. })|+ };
}
pub(crate) use any_of;

/// The manager itself: its options, its drain, its time, its process.
macro_rules! manager_facts {
    () => {
        $crate::model::fact_groups::any_of!(
            Seeded LimitSet DefaultsSet PricesSet RatesSet RateLeft CooldownSet CooldownOver ToolsBlocked
            DrainStarted DrainOverran DrainEnded StoodStill Reopened DefinitionsKnown
        )
    };
}
pub(crate) use manager_facts;

/// Sessions and tasks: how each begins and ends, what it may spend, and what is retained of it.
macro_rules! tree_facts {
    () => {
        $crate::model::fact_groups::any_of!(
            CapSet SessionOpened MainAgentSet SessionRegistered SessionClosed SessionFreed TaskAdmitted
            TaskForgotten TaskBackgrounded TaskEnded TaskResumed EndsCollected CancelRequested CancelSettled
            KeyDropped ResultReleased ResourceAcquired ResourceReleased
        )
    };
}
pub(crate) use tree_facts;

/// Messages to a task and from it, questions, notices.
macro_rules! message_facts {
    () => {
        $crate::model::fact_groups::any_of!(
            MessageQueued SteersAgain MessagesDropped QueuePaused QuestionAsked QuestionClosed QuestionDelivered
            NoticeMoved
        )
    };
}
pub(crate) use message_facts;

/// The phases of a run, and its host function.
macro_rules! run_facts {
    () => {
        $crate::model::fact_groups::any_of!(
            RunQueued RunTaken RunRaised RunStarted RunParked RunUnparked RunReentered WrapUpRequested
            StopRequested RunEnded RunRetried RunReturned HostReturned HostAbandoned RunElsewhere
            CheckpointSaved DataSaved
        )
    };
}
pub(crate) use run_facts;

/// What a run does, or a main agent: turns, usage, tools, and what policies say of that.
macro_rules! turn_facts {
    () => {
        $crate::model::fact_groups::any_of!(
            TurnStarted TurnDelayed RunReported TokensUsed ToolBegan ToolEnded MainEnded PolicyAnswered
            CallCounted TodosReported
        )
    };
}
pub(crate) use turn_facts;

/// The facts that neither the queue nor an open wait follows. `QueueUpdate::of` and `WaitUpdate::of` name all others.
macro_rules! facts_aside {
    () => {
        $crate::model::fact_groups::any_of!(
            Seeded DefaultsSet SessionOpened MainAgentSet MessageQueued SteersAgain TokensUsed PricesSet
            RateLeft WrapUpRequested RunUnparked StopRequested CheckpointSaved DataSaved ResourceAcquired
            ResourceReleased RunElsewhere CancelRequested CancelSettled TaskEnded TaskResumed EndsCollected
            KeyDropped CooldownSet ResultReleased TaskBackgrounded QueuePaused QuestionAsked QuestionClosed
            QuestionDelivered NoticeMoved DrainStarted DrainOverran DrainEnded PolicyAnswered CallCounted
            TodosReported ToolBegan ToolEnded ToolsBlocked MainEnded SessionClosed SessionFreed Reopened
            DefinitionsKnown
        )
    };
}
pub(crate) use facts_aside;
