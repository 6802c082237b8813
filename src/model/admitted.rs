//! The parts of an admission's fact besides the task: its place in the queue, its idempotency key. Owns these records.

use crate::base::codec::Text;
use crate::base::record::record;
use crate::model::status::WaitingFor;

record! {
    /// The place of a task's first run in the queue, from its admission on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct First {
        /// Its place by priority and age: lower comes first.
        pub rank: i64,
        /// Its place between parents of the same rank: lower comes first.
        pub round: u64,
        /// The reason why it waits; absent if it starts at once.
        pub waiting_for: Option<WaitingFor>,
    }
}

record! {
    /// The idempotency key of a task's spawn (D7), in the scope of the task or session above.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct KeyUse {
        /// The key.
        pub key: Text,
        /// A hash of the parameters.
        pub digest: u64,
        /// When it stops answering.
        pub until: u64,
        /// The same hash, without the budget.
        pub work: u64,
    }
}
