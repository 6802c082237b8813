//! The key of a run: its task, and its number in the task, from 1. Owns the pair.

use crate::base::slab::Key;
use crate::base::view_record::view;

view! {
    /// One run of a task.
    #[derive(Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct RunKey "RunKey" {
        /// The task.
        pub task: Key,
        /// The number of the run; 0 stands for a main agent, or for a whole subtree.
        pub run: u32,
    }
}
