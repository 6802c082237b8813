//! What the fact of an end says beside the run: the notice that it makes. Owns that record.

use crate::base::record::record;
use crate::base::slab::Key;

record! {
    /// The notice that the end of a background run makes (N1).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Birth {
        /// In whose inbox it is.
        pub to: Key,
        /// The receiver that it would have had, had that one still been at work.
        pub rerouted_from: Option<Key>,
        /// Whether its receiver knows the end already, so that nothing has to be delivered.
        pub acked: bool,
        /// Whether an open wait of its receiver will hand it over.
        pub awaited: bool,
    }
}
