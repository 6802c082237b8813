//! The facts that are followed by nothing which stands beside the state. Owns this list alone.

/// The facts that neither the queue nor an open wait follows, as a pattern. `QueueUpdate::of` and `WaitUpdate::of` name all others,
/// so that the compiler asks where a new fact belongs.
macro_rules! facts_aside {
    () => {
        $crate::model::fact::Fact::Seeded { .. }
            | $crate::model::fact::Fact::DefaultsSet { .. }
            | $crate::model::fact::Fact::SessionOpened { .. }
            | $crate::model::fact::Fact::MainAgentSet { .. }
            | $crate::model::fact::Fact::MessageQueued { .. }
            | $crate::model::fact::Fact::SteersAgain { .. }
            | $crate::model::fact::Fact::TokensUsed { .. }
            | $crate::model::fact::Fact::PricesSet { .. }
            | $crate::model::fact::Fact::RateLeft { .. }
            | $crate::model::fact::Fact::WrapUpRequested { .. }
            | $crate::model::fact::Fact::RunUnparked { .. }
            | $crate::model::fact::Fact::StopRequested { .. }
            | $crate::model::fact::Fact::CheckpointSaved { .. }
            | $crate::model::fact::Fact::DataSaved { .. }
            | $crate::model::fact::Fact::ResourceAcquired { .. }
            | $crate::model::fact::Fact::ResourceReleased { .. }
            | $crate::model::fact::Fact::RunElsewhere { .. }
            | $crate::model::fact::Fact::CancelRequested { .. }
            | $crate::model::fact::Fact::CancelSettled { .. }
            | $crate::model::fact::Fact::TaskEnded { .. }
            | $crate::model::fact::Fact::TaskResumed { .. }
            | $crate::model::fact::Fact::EndsCollected { .. }
            | $crate::model::fact::Fact::KeyDropped { .. }
            | $crate::model::fact::Fact::CooldownSet { .. }
            | $crate::model::fact::Fact::ResultReleased { .. }
            | $crate::model::fact::Fact::TaskBackgrounded { .. }
            | $crate::model::fact::Fact::QueuePaused { .. }
            | $crate::model::fact::Fact::QuestionAsked { .. }
            | $crate::model::fact::Fact::QuestionClosed { .. }
            | $crate::model::fact::Fact::QuestionDelivered { .. }
            | $crate::model::fact::Fact::NoticeMoved { .. }
            | $crate::model::fact::Fact::DrainStarted { .. }
            | $crate::model::fact::Fact::DrainOverran { .. }
            | $crate::model::fact::Fact::DrainEnded { .. }
            | $crate::model::fact::Fact::PolicyAnswered { .. }
            | $crate::model::fact::Fact::CallCounted { .. }
            | $crate::model::fact::Fact::TodosReported { .. }
            | $crate::model::fact::Fact::ToolBegan { .. }
            | $crate::model::fact::Fact::ToolEnded { .. }
            | $crate::model::fact::Fact::ToolsBlocked { .. }
            | $crate::model::fact::Fact::MainEnded { .. }
            | $crate::model::fact::Fact::SessionClosed { .. }
            | $crate::model::fact::Fact::SessionFreed { .. }
            | $crate::model::fact::Fact::Reopened { .. }
            | $crate::model::fact::Fact::DefinitionsKnown { .. }
    };
}
pub(crate) use facts_aside;
