//! What occurred, how often: the proof that the simulation reaches what it claims to test.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Counters by group and name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts(BTreeMap<(&'static str, &'static str), u64>);

impl Counts {
    pub(crate) fn note(&mut self, group: &'static str, name: &'static str) {
        *self.0.entry((group, name)).or_default() += 1;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (key, count) in &other.0 {
            *self.0.entry(*key).or_default() += count;
        }
    }

    pub(crate) fn of(&self, group: &'static str, name: &'static str) -> u64 {
        self.0.get(&(group, name)).copied().unwrap_or(0)
    }

    /// A table of everything that occurred, a group a paragraph.
    pub(crate) fn table(&self) -> String {
        let mut out = String::new();
        let mut last = "";
        for ((group, name), count) in &self.0 {
            if *group != last {
                let _ = write!(out, "\n{group}\n");
                last = group;
            }
            let _ = writeln!(out, "  {name:<44}{count:>12}");
        }
        out
    }
}
