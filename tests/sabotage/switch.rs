//! The switch by which a test breaks one rule of the core at a time. Only in the copy that `npm run sabotage`
//! makes, where the changed lines ask `holds!("D1 depth")`.

use std::cell::Cell;

thread_local! {
    static BROKEN: Cell<&'static str> = const { Cell::new("") };
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// Whether a rule holds: false while a test breaks it.
macro_rules! holds {
    ($rule:literal) => {
        $crate::sabotage::holds($rule)
    };
}

/// Breaks a rule on this thread, and mends the one that was broken before.
pub fn break_rule(rule: &'static str) {
    BROKEN.set(rule);
    ASKED.set(0);
}

/// See [`holds!`]. Determinism is broken now and then only, as no function of the inputs would.
pub(crate) fn holds(rule: &str) -> bool {
    if BROKEN.get() != rule {
        return true;
    }
    ASKED.set(ASKED.get().wrapping_add(1));
    rule == "the same facts each time" && !ASKED.get().is_multiple_of(7)
}
