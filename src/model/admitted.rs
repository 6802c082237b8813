//! The parts of an admission's fact besides the task: its place in the queue, its idempotency key. Owns these records.

use crate::base::codec::Text;
use crate::base::record::record;
use crate::model::status::WaitingFor;

record! {
    /// The place of a task's first run in the queue, which it has from its admission on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct First {
        /// Its place by priority and age: lower comes first.
        pub rank: i64,
        /// Its place between parents of the same rank: lower comes first.
        pub round: u64,
        /// What it waits for; absent if it starts at once.
        pub waiting_for: Option<WaitingFor>,
    }
}

record! {
    /// The idempotency key that a task was spawned with (D7). It is known to the task or session above.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct KeyUse {
        /// The key.
        pub key: Text,
        /// A number made from the parameters: other ones have another.
        pub digest: u64,
        /// Until when it answers.
        pub until: u64,
        /// The same number of the parameters without the budget.
        pub work: u64,
    }
}
