//! What the fact of an end says beside the run: the notice that it makes. Owns that record.

use crate::base::codec::record;
use crate::base::slab::Key;

record! {
    /// The notice that the end of a background run makes (N1).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Birth {
        /// In whose inbox it is.
        pub to: Key,
        /// For whom it would have been, had that one still been at work.
        pub rerouted_from: Option<Key>,
        /// Whether whom it is for knows the end already, so that nothing has to be delivered.
        pub acked: bool,
        /// Whether an open wait of whom it is for will hand it over.
        pub awaited: bool,
    }
}
