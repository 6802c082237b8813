//! What names a run. Owns the pair; the number is that of a run of its task, from 1.

use crate::base::slab::Key;
use crate::base::view::view;

view! {
    /// One run of a task.
    #[derive(Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct RunKey "RunKey" {
        /// The task.
        pub task: Key,
        /// Which of its runs; 0 where a main agent or a whole subtree is meant.
        pub run: u32,
    }
}
