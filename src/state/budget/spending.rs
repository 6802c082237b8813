//! Usage by kinds of tokens and by model, and the priced part of a run's dollars. Owns these sums, up the tree and by
//! agent (B11). Never: knows a price.

use crate::base::amounts::{Amounts, Dimension, Nanos};
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::NONE;
use crate::model::kinds::Kinds;
use crate::model::usage::Dimensions;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::tally::{Cost, Past, RunTally, Used};
use crate::state::runs::run::{Phase, Run};
use crate::state::tree::node::Node;

/// The maximum number of rows; further agents and models share the row without names.
const COSTS: usize = 1_000;
/// The maximum number of remembered models without a price.
const UNPRICED: usize = 10_000;

impl Node {
    /// The usage of its last run, by model.
    pub(crate) fn tally(&self) -> Option<&RunTally> {
        self.tally_of(self.runs)
    }

    /// The usage of one of its runs, if still listed separately.
    pub(crate) fn tally_of(&self, run: u32) -> Option<&RunTally> {
        self.rare.as_ref()?.tally.as_ref()?.runs.iter().find(|tally| tally.run == run)
    }

    fn tally_of_mut(&mut self, run: u32) -> Option<&mut RunTally> {
        self.rare.as_mut()?.tally.as_mut()?.runs.iter_mut().find(|tally| tally.run == run)
    }

    /// The tokens of its last run, by kind.
    #[must_use]
    pub fn kinds(&self) -> Kinds {
        self.tally().map_or(Kinds::NONE, RunTally::kinds)
    }

    /// Its tokens and those of all below it, by kind.
    #[must_use]
    pub fn kinds_below(&self) -> Kinds {
        self.rare.as_ref().and_then(|rare| rare.tally.as_ref()).map_or(Kinds::NONE, |tally| tally.below)
    }
}

impl State {
    /// Whether a run has used a model without a price.
    pub(crate) fn is_unpriced(&self, task: u32, run: u32) -> bool {
        self.node(task).tally_of(run).is_some_and(|tally| tally.unpriced)
    }

    /// The doubtful dimensions of a run's usage, as in [`Run::doubts`](crate::state::runs::run::Run::doubts). Its cost is
    /// doubtful, too, if it has used a model without a price.
    pub(crate) fn doubts_of(&self, index: u32) -> u8 {
        let run = self.runs.at(index);
        let lacks = self.is_unpriced(run.task, run.number) && !run.reports.invalid.has(Dimension::Cost);
        run.doubts() | if lacks { Dimensions::only(Dimension::Cost).0 } else { 0 }
    }

    /// Whether this model was used without a price before. At the maximum number, every model counts as such.
    pub(crate) fn knows_unpriced(&self, model_id: &Option<Text>) -> bool {
        self.unpriced.len() >= UNPRICED || self.unpriced.binary_search(model_id).is_ok()
    }

    /// The next booking of a run is for these tokens.
    pub(in crate::state) fn tokens_used(
        &mut self,
        RunKey { task, run }: RunKey,
        model_id: Option<Text>,
        kinds: Kinds,
        priced: Option<Nanos>,
        without: bool,
    ) {
        let agent = self.agent_of(task.index);
        if without
            && self.unpriced.len() < UNPRICED
            && let Err(at) = self.unpriced.binary_search(&model_id)
        {
            self.unpriced.insert(at, model_id.clone());
        }
        if let Some(cost) = self.cost_of(&agent, &model_id) {
            cost.kinds = cost.kinds.plus(kinds);
            cost.unpriced |= without;
        }
        let mut at = task.index;
        while at != NONE {
            let node = self.tree.at_mut(at);
            at = node.parent;
            let tally = node.rare_mut().tally.get_or_insert_default();
            tally.below = tally.below.plus(kinds);
        }
        // The usage of an earlier run is no longer listed separately once its host function is over.
        let Some(Amounts { turns: begun, .. }) = self.booked(task.index, run) else { return };
        let is_said = self.node(task.index).spec().is_some_and(|spec| spec.model_id.is_some());
        self.begin_tally(task.index, run);
        let Some(tally) = self.tree.at_mut(task.index).tally_of_mut(run) else { return };
        let is_first = tally.used.is_empty() && model_id.is_some() && !is_said;
        tally.unpriced |= without;
        let known = tally.used.iter().position(|used| used.model_id == model_id);
        tally.last = known.unwrap_or(tally.used.len());
        if known.is_none() {
            tally.used.push(Used { model_id: model_id.clone(), ..Used::default() });
        }
        if let Some(used) = tally.used.get_mut(tally.last) {
            used.kinds = used.kinds.plus(kinds);
            used.priced = used.priced.saturating_add(priced.unwrap_or(Nanos(0)).0);
        }
        if is_first {
            self.name_turns(&agent, &model_id, Amounts { turns: begun, ..Amounts::ZERO });
        }
    }

    /// Makes a tally for a run, if it has none, and drops the tallies of runs that are over.
    fn begin_tally(&mut self, task: u32, run: u32) {
        if self.node(task).tally_of(run).is_some() {
            return;
        }
        let open: Vec<u32> = self.runs_of(task).map(|at| self.runs.at(at).number).collect();
        let node = self.tree.at_mut(task);
        let last = node.runs;
        let tally = node.rare_mut().tally.get_or_insert_default();
        tally.runs.retain(|tally| tally.run == last || open.contains(&tally.run));
        tally.runs.push(RunTally { run, ..RunTally::default() });
    }

    /// Counts the turns that a run had begun before its model was known under that model.
    fn name_turns(&mut self, agent: &Option<Text>, model_id: &Option<Text>, begun: Amounts) {
        if agent.is_some()
            && let Some(unnamed) = self.cost_of(agent, &None)
        {
            unnamed.spent = unnamed.spent.minus(begun);
        }
        if let Some(named) = self.cost_of(agent, model_id) {
            named.spent = named.spent.plus(begun);
        }
    }

    /// This many tokens of the next booking don't count against caps.
    pub(in crate::state) fn not_to_count(&mut self, (task, run): (u32, u32), uncounted: u64) {
        if let Some(tally) = self.tree.at_mut(task).tally_of_mut(run) {
            tally.due = uncounted;
        }
    }

    /// The part of a run's next booking that counts against caps (B11).
    #[inline]
    pub(crate) fn counted(&self, task: u32, run: u32, amount: Amounts) -> Amounts {
        let node = self.node(task);
        if node.rare.is_none() {
            return amount;
        }
        node.tally_of(run).map_or(amount, |tally| Amounts { tokens: amount.tokens.saturating_sub(tally.due), ..amount })
    }

    /// The same for a booking now. If more tokens were from the cache than are booked, the excess is no longer counted.
    #[inline]
    pub(in crate::state) fn count_booked(&mut self, task: u32, run: u32, amount: Amounts) -> Amounts {
        let due = self.node(task).tally_of(run).map_or(0, |tally| tally.due);
        if due == 0 {
            return amount;
        }
        self.not_to_count((task, run), 0);
        self.uncount((task, run), due.saturating_sub(amount.tokens));
        Amounts { tokens: amount.tokens.saturating_sub(due), ..amount }
    }

    #[inline(never)]
    fn uncount(&mut self, (task, run): (u32, u32), tokens: u64) {
        let back = Amounts { tokens, ..Amounts::ZERO };
        let path: Vec<u32> = ledger::path(&self.tree, task).collect();
        for at in path {
            let spent = &mut self.tree.at_mut(at).account.spent;
            *spent = spent.minus(back);
        }
        if let Some(cost) = self.cost_by(task, run) {
            cost.spent = cost.spent.minus(back);
        }
    }

    /// The model under which a run's spending counts: the last one that it named, else that of its spawn.
    pub(crate) fn model_of(&self, task: u32, run: u32) -> Option<&Text> {
        let said = self.node(task).tally_of(run).and_then(RunTally::model);
        said.map_or_else(|| self.node(task).spec().and_then(|spec| spec.model_id.as_ref()), |used| used.model_id.as_ref())
    }

    /// Counts an amount in the row of a run's agent and model.
    pub(in crate::state) fn note_cost(&mut self, task: u32, run: u32, amount: Amounts) {
        if let Some(cost) = self.cost_by(task, run) {
            cost.spent = cost.spent.plus(amount);
        }
    }

    /// Counts an ended run in that row.
    pub(in crate::state) fn note_run(&mut self, task: u32, run: u32) {
        if let Some(cost) = self.cost_by(task, run) {
            cost.runs = cost.runs.saturating_add(1);
        }
    }

    /// The usage of a run with this total, including its earlier attempts. If it never started: only theirs.
    pub(in crate::state) fn past_of(&self, index: u32, usage: Amounts, unknown: Dimensions) -> Option<Past> {
        let run = self.runs.at(index);
        let before = run.previous.as_ref().and_then(|previous| previous.past);
        if matches!(run.phase, Phase::Queued | Phase::Backoff { .. }) {
            return before;
        }
        let tally = self.node(run.task).tally_of(run.number);
        let (kinds, priced) = tally.map_or((Kinds::NONE, 0), |tally| (tally.kinds(), tally.priced()));
        let said = usage.nanos != priced
            || kinds.filled(usage.tokens).input_tokens > kinds.input_tokens.or(Some(0))
            || tally.is_some_and(|tally| tally.used.len() > 1);
        let is_paid = !unknown.has(Dimension::Cost);
        let this = Past { runs: 1, spent: usage, paid: u64::from(is_paid), kinds, said };
        Some(before.map_or(this, |before| this.after(before)))
    }

    /// A run ends: counts that usage in the row of its agent and model.
    pub(in crate::state) fn note_past(&mut self, index: u32, usage: Amounts, unknown: Dimensions) {
        let Some(mut past) = self.past_of(index, usage, unknown) else { return };
        if past.paid == 0 {
            past.spent.nanos = 0;
        }
        let Run { task, number, .. } = *self.runs.at(index);
        let (agent, model_id) = (self.agent_of(task), self.model_of(task, number).cloned());
        if let Some(cost) = self.cost_of(&agent, &model_id).filter(|cost| cost.is_of(&agent, &model_id)) {
            cost.past = cost.past.plus(past);
        }
    }

    fn cost_by(&mut self, task: u32, run: u32) -> Option<&mut Cost> {
        let rare = self.node(task).rare.as_deref()?;
        if rare.tally.is_none() && rare.spec.model_id.is_none() && rare.spec.agent.is_none() {
            return None;
        }
        let model_id = self.model_of(task, run).cloned();
        let agent = self.agent_of(task);
        if agent.is_some() || model_id.is_some() { self.cost_of(&agent, &model_id) } else { None }
    }

    /// Takes back dollars that prices had booked, because the host gives a lower cost or divides the tokens differently. Starts
    /// with the last named model.
    #[inline(never)]
    pub(in crate::state) fn return_priced(&mut self, (task, number): (u32, u32), index: Option<u32>, nanos: u64) {
        // A saturated sum stays the same: its value is unknown.
        let less = |from: &mut u64, nanos: u64| *from = if *from == u64::MAX { *from } else { from.saturating_sub(nanos) };
        if let Some(index) = index {
            less(&mut self.runs.at_mut(index).booked.nanos, nanos);
        }
        let path: Vec<u32> = ledger::path(&self.tree, task).collect();
        for at in path {
            less(&mut self.tree.at_mut(at).account.spent.nanos, nanos);
        }
        let agent = self.agent_of(task);
        let node = self.tree.at_mut(task);
        if node.runs == number {
            less(&mut node.last_usage.nanos, nanos);
        }
        let mut left = nanos;
        let mut from = Vec::new();
        if let Some(tally) = node.tally_of_mut(number) {
            let mut used: Vec<(usize, &mut Used)> = tally.used.iter_mut().enumerate().collect();
            used.sort_by_key(|(at, _)| *at != tally.last);
            for (_, Used { model_id, priced, .. }) in used {
                let amount = std::mem::take(priced).min(left);
                left = left.saturating_sub(amount);
                from.push((model_id.clone(), amount));
            }
        }
        for (model_id, amount) in from {
            if let Some(cost) = self.cost_of(&agent, &model_id) {
                less(&mut cost.spent.nanos, amount);
            }
        }
    }

    /// The definition of a task's agent.
    fn agent_of(&self, task: u32) -> Option<Text> {
        self.node(task).spec().and_then(|spec| spec.agent.clone())
    }

    fn cost_of(&mut self, agent: &Option<Text>, model_id: &Option<Text>) -> Option<&mut Cost> {
        let has_names = agent.is_some() || model_id.is_some();
        let at = match self.costs.iter().position(|cost| cost.is_of(agent, model_id)) {
            Some(at) => at,
            None if has_names && self.costs.len() >= COSTS => return self.cost_of(&None, &None),
            None => {
                self.costs.push(Cost { agent: agent.clone(), model_id: model_id.clone(), ..Cost::default() });
                self.costs.len().saturating_sub(1)
            }
        };
        self.costs.get_mut(at)
    }
}
