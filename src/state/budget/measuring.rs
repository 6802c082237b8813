//! Measuring: the tokens of earlier turns, as the expected need of the next, and the number of turns of runs (B13). Owns
//! measurements from reports and ends. Nodes with a cap on tokens or dollars measure their subtree, keys with a rate of tokens
//! their turns. An open run measures its own turns if its task caps tokens. Never: decides whether a turn may begin.

use crate::base::amounts::{Amounts, Dimension, UNCAPPED};
use crate::base::codec::Text;
use crate::base::slab::NONE;
use crate::model::status::StopReason;
use crate::model::usage::Dimensions;
use crate::state::State;
use crate::state::budget::recent::TURNS;
use crate::state::runs::run::{Phase, Run};

impl State {
    /// The mean usage of turns below the nearest node, from this one up, with a cap on tokens and a known mean. `latest`: see
    /// [`Lately::mean`].
    #[must_use]
    pub(crate) fn learned(&self, node: u32, latest: Option<u64>) -> Option<u64> {
        let mut at = node;
        while at != NONE {
            let node = self.node(at);
            if node.account.cap.tokens != UNCAPPED
                && let Some(mean) = node.family().lately.as_ref().and_then(|lately| lately.mean(latest))
            {
                return Some(mean);
            }
            at = node.parent;
        }
        None
    }

    /// The nearest node, from this one up, with a cap on tokens, or [`NONE`].
    pub(crate) fn learner(&self, node: u32) -> u32 {
        let mut at = node;
        while at != NONE && self.node(at).account.cap.tokens == UNCAPPED {
            at = self.node(at).parent;
        }
        at
    }

    /// Whether the usage of turns matters: there has been a cap, or a rate.
    const fn measures(&self) -> bool {
        self.is_capped || self.key_rates.known
    }

    /// A turn begins: later reports are its own. The previous turn is over, if it had a report.
    pub(in crate::state) fn measure_turn(&mut self, index: u32) {
        if !self.measures() {
            return;
        }
        self.close_turn(index, true);
        self.runs.at_mut(index).turn_tokens.begin();
    }

    /// This many further tokens were reported for a run's turns.
    pub(in crate::state) fn measure(&mut self, now: u64, index: u32, amount: Amounts) {
        if !self.measures() {
            return;
        }
        let run = self.runs.at(index);
        let (task, number) = (run.task, run.number);
        let counted = self.counted(task, number, amount);
        self.count_reported(now, (task, number), amount.tokens);
        self.runs.at_mut(index).turn_tokens.add(counted.tokens);
    }

    /// The end of a run gives its total usage: its last turn is over. A run whose host takes no turns counts as one turn. Amounts
    /// booked because a report was invalid or the host was lost don't measure turns. Nor do amounts booked for a run that waits
    /// to continue the turn of a lost host.
    #[inline]
    pub(in crate::state) fn measure_end(&mut self, now: u64, index: u32, usage: Amounts, invalid: Dimensions, reason: Option<StopReason>) {
        if self.measures() {
            self.measure_last(now, index, usage, invalid, reason);
        }
    }

    #[inline(never)]
    fn measure_last(&mut self, now: u64, index: u32, usage: Amounts, invalid: Dimensions, reason: Option<StopReason>) {
        let waits = matches!(self.runs.at(index).phase, Phase::Queued | Phase::Backoff { .. });
        if waits || invalid.has(Dimension::Tokens) || reason.is_some_and(StopReason::is_lost) {
            return;
        }
        let booked = self.runs.at(index).booked;
        if usage.tokens > booked.tokens {
            self.measure(now, index, usage.zip(booked, u64::saturating_sub));
        }
        self.close_turn(index, false);
        if reason == Some(StopReason::Finished) {
            self.measure_run(index);
        }
    }

    /// A completed run has taken the turns that it needed.
    fn measure_run(&mut self, index: u32) {
        let Run { turns, task, .. } = *self.runs.at(index);
        let mut at = if turns > 0 { self.node(task).parent } else { NONE };
        while at != NONE {
            let node = self.tree.at_mut(at);
            at = node.parent;
            if node.account.cap.tokens != UNCAPPED || node.account.cap.nanos != UNCAPPED {
                node.family_mut().lately.get_or_insert_default().add_run(turns);
            }
        }
    }

    /// Divides the tokens reported since the last measurement equally among the turns begun since.
    fn close_turn(&mut self, index: u32, goes_on: bool) {
        let run = self.runs.at_mut(index);
        let Some(each) = run.turn_tokens.latest() else { return };
        let (task, turns) = (run.task, run.turn_tokens.close());
        let times = usize::try_from(turns).unwrap_or(TURNS).min(TURNS);
        if goes_on && self.node(task).account.cap.tokens != UNCAPPED {
            let lately = self.runs.at_mut(index).turn_tokens.lately.get_or_insert_default();
            (0..times).for_each(|_| lately.add(each));
        }
        if self.key_rates.known {
            let key: Text = self.rate_limit_key(task).into();
            self.key_rates.learn(&key, each, times);
        }
        let mut at = self.node(task).parent;
        while at != NONE {
            let node = self.tree.at_mut(at);
            at = node.parent;
            if node.account.cap.tokens != UNCAPPED {
                let lately = node.family_mut().lately.get_or_insert_default();
                (0..times).for_each(|_| lately.add(each));
            }
        }
    }
}
