//! Rules that a test build can break, one at a time, to prove that the tests would notice
//! (`tests/simulation/saboteurs.rs` lists them).
//!
//! A rule's own line asks `holds!("D1 depth")`. Owns the answer: in every build that ships it is `true` when
//! it is compiled, and nothing of the question is left. Never: a setting that a user could reach.

#[cfg(all(feature = "sabotage", target_arch = "wasm32"))]
compile_error!("the feature `sabotage` breaks rules on purpose; it is for native tests only");

/// Whether a rule holds: always, but for tests that break it.
macro_rules! holds {
    ($rule:literal) => {
        $crate::sabotage::holds($rule)
    };
}

/// See [`holds!`].
#[cfg(not(feature = "sabotage"))]
#[inline(always)]
pub(crate) const fn holds(_rule: &str) -> bool {
    true
}

#[cfg(feature = "sabotage")]
pub use on_purpose::break_rule;
#[cfg(feature = "sabotage")]
pub(crate) use on_purpose::holds;

#[cfg(feature = "sabotage")]
mod on_purpose {
    use std::cell::Cell;

    thread_local! {
        static BROKEN: Cell<&'static str> = const { Cell::new("") };
        static ASKED: Cell<u64> = const { Cell::new(0) };
    }

    /// Breaks a rule on this thread, and mends the one that was broken before.
    pub fn break_rule(rule: &'static str) {
        BROKEN.set(rule);
        ASKED.set(0);
    }

    /// Whether the rule holds. Determinism is broken now and then only, as no function of the inputs would.
    pub(crate) fn holds(rule: &str) -> bool {
        if BROKEN.get() != rule {
            return true;
        }
        ASKED.set(ASKED.get().wrapping_add(1));
        rule == "the same facts each time" && !ASKED.get().is_multiple_of(7)
    }
}
