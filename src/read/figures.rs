//! The usage of runs in texts (R5). Owns which figures are known, and how a number is written.

use crate::base::slab::Key;
use crate::base::text::counted;
use crate::model::kinds::Kinds;
use crate::state::State;
use crate::state::tree::node::Node;

/// The usage of a run. A figure that its host did not report is absent. So are all figures of a run that never started (R5).
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Turns.
    pub turns: Option<u64>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Tokens that were read from the provider's cache.
    pub cached: Option<u64>,
    /// Whether some of the usage is an estimate (B15).
    pub estimated: bool,
    /// Billionths of a dollar.
    pub nanos: Option<u64>,
    /// Milliseconds.
    pub duration_ms: Option<u64>,
    /// The spending of the task and all below it, if that is more than the run's.
    pub in_all: Option<InAll>,
}

impl Figures {
    /// The text for a model; `None` if no figure is known.
    pub(super) fn text(self) -> Option<String> {
        let turns = self.turns.map(|turns| counted(turns, "turn"));
        let duration = self.duration_ms.map(|ms| format!("{} s", decimal(ms, 1_000, 1)));
        let [tokens, dollars] = spent(self.tokens, self.nanos, self.estimated);
        let cached = self.cached.filter(|cached| *cached > 0).map(|cached| format!(" ({cached} from the cache)")).unwrap_or_default();
        let tokens = tokens.map(|tokens| tokens + &cached);
        let own = listed([turns, tokens, dollars, duration]);
        let in_all = self.in_all.map(|InAll { tokens, nanos, estimated, of }| format!("{of}: {}", listed(spent(tokens, nanos, estimated))));
        let parts: Vec<String> = [Some(own).filter(|own| !own.is_empty()), in_all].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// The spending of a task and all below it. A figure that none of them reported is absent (R5).
#[derive(Clone, Copy, Debug)]
pub struct InAll {
    /// Tokens.
    pub tokens: Option<u64>,
    /// Billionths of a dollar.
    pub nanos: Option<u64>,
    /// Whether some of the spending is an estimate (B15).
    pub estimated: bool,
    /// The scope of the sum, in words.
    pub of: &'static str,
}

/// Whether a task has had more than its last run: runs before it, such as earlier attempts (X5), or sub-agents.
const fn has_more(node: &Node) -> bool {
    node.runs > 1 || node.family.is_some()
}

/// The spending of a task and all below it, if this is its last run and that is more than the run's (R5).
#[must_use]
pub fn in_all(state: &State, task: Key, run: u32) -> Option<InAll> {
    if !state.tree.contains(task) {
        return None;
    }
    let node = state.node(task.index);
    let (all, own) = (node.account.spent, node.last_usage);
    let is_more = all.tokens > own.tokens || all.nanos > own.nanos;
    let reported = |amount: u64| Some(amount).filter(|amount| *amount > 0);
    let of = if node.family.is_some() { "with its sub-agents, in all" } else { "in all its runs" };
    let spent = InAll { tokens: reported(all.tokens), nanos: reported(all.nanos), estimated: node.kinds_below().estimated, of };
    (node.is_task() && node.runs == run && has_more(node) && is_more).then_some(spent)
}

/// The tokens of a task's run by kind, if it is the last one.
#[must_use]
pub fn kinds(state: &State, task: Key, run: u32) -> Kinds {
    let node = state.tree.contains(task).then(|| state.node(task.index)).filter(|node| node.runs == run);
    node.map_or(Kinds::NONE, Node::kinds)
}

/// The tokens of a task and all below it by kind. If it has had only its last run and no sub-agents, the tokens of that run (R5).
#[must_use]
pub fn kinds_in_all(state: &State, task: Key, run: u32) -> Kinds {
    let node = state.node(task.index);
    if !state.tree.contains(task) || node.runs != run {
        return Kinds::NONE;
    }
    if has_more(node) { node.kinds_below() } else { node.kinds() }
}

/// Tokens and dollars, if known.
fn spent(tokens: Option<u64>, nanos: Option<u64>, estimated: bool) -> [Option<String>; 2] {
    let about = if estimated { "about " } else { "" };
    let tokens = tokens.map(|tokens| format!("{about}{}", counted(tokens, "token")));
    [tokens, nanos.map(|nanos| format!("{about}${}", decimal(nanos, 1_000_000_000, 4)))]
}

fn listed<const N: usize>(facts: [Option<String>; N]) -> String {
    facts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `value / unit` with this many digits after the point, rounded half up. It uses integers, since printing floats would be a
/// tenth of the module.
fn decimal(value: u64, unit: u64, digits: u32) -> String {
    let shift = 10_u64.pow(digits);
    let step = unit.checked_div(shift).unwrap_or(1).max(1);
    let rounded = value.saturating_add(step.checked_div(2).unwrap_or(0)).checked_div(step).unwrap_or(0);
    let whole = rounded.checked_div(shift).unwrap_or(0);
    let rest = rounded.checked_rem(shift).unwrap_or(0);
    format!("{whole}.{rest:0width$}", width = usize::try_from(digits).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_and_time_are_rounded_in_integers() {
        assert_eq!(decimal(31_250_000, 1_000_000_000, 4), "0.0313");
        assert_eq!(decimal(1_999_960_000, 1_000_000_000, 4), "2.0000");
        assert_eq!(decimal(1_249, 1_000, 1), "1.2");
        assert_eq!(decimal(0, 1_000, 1), "0.0");
    }
}
