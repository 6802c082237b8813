//! The closed lists of policies: the points at which they are asked, and their answers (P1). Owns the names; the rules
//! say what each answer does.

use crate::base::codec::Text;
use crate::base::named::named;
use crate::base::record::record;
use crate::base::stored::stored_as_fields;
use crate::model::status::StopReason;

named! {
    /// The point at which a policy is asked.
    pub enum Point {
        /// A sub-agent is about to be spawned.
        BeforeSpawn = 0 "before_spawn",
        /// An agent is about to start.
        BeforeStart = 1 "before_start",
        /// An agent is about to call its model.
        BeforeTurn = 2 "before_turn",
        /// An agent is about to use a tool.
        BeforeTool = 3 "before_tool",
        /// An agent has used a tool.
        AfterTool = 4 "after_tool",
        /// An agent is about to end.
        BeforeEnd = 5 "before_end",
        /// An agent's time is over.
        OnTimeout = 6 "on_timeout",
    }
}

named! {
    /// A policy's answer that changes what happens.
    pub enum Answer {
        /// The model gets a text.
        Inject = 0 "inject",
        /// Another turn comes before the end.
        ForceTurn = 1 "force_turn",
        /// The action is refused.
        Block = 2 "block",
        /// The agent is done, with this output.
        Finish = 3 "finish",
    }
}

stored_as_fields! {
    Answer = Self::Inject;
}

impl Answer {
    /// Whether the answer ends the agent's run at this point. Only `Finish` and `Block` do, except before a spawn and on a
    /// timeout. `Block` of a tool doesn't either.
    #[must_use]
    pub const fn ends_at(self, point: Point) -> bool {
        match (self, point) {
            (Self::Inject | Self::ForceTurn, _) | (_, Point::BeforeSpawn | Point::OnTimeout) => false,
            (Self::Finish, Point::BeforeStart | Point::BeforeTurn | Point::BeforeTool | Point::AfterTool | Point::BeforeEnd)
            | (Self::Block, Point::BeforeStart | Point::BeforeTurn | Point::BeforeEnd) => true,
            (Self::Block, Point::BeforeTool | Point::AfterTool) => false,
        }
    }
}

record! {
    /// A policy's answer, as the host reports it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Ruling {
        /// The point at which it was asked.
        pub point: Point,
        /// Its answer.
        pub answer: Answer,
        /// Why the run ends, if it does.
        pub reason: StopReason,
        /// The policy's name.
        pub policy: Text,
        /// Its text: for the model, a reason, or a report.
        pub text: Text,
    }
}
