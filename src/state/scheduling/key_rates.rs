//! The rates of keys: their used part, runs that wait for a turn, counts ahead of reports, recent tokens of turns (B11, B13).
//! Owns these records; `base/bucket.rs` has the arithmetic, and `rules/scheduling/rates.rs` releases waiting runs.
//!
//! A start counts one request, that of the run's first turn. A turn counts one request and its expected tokens, until the host
//! reports the used ones.

use std::collections::VecDeque;

use crate::base::amounts::{Amounts, Estimate};
use crate::base::bucket::Bucket;
use crate::base::codec::Text;
use crate::base::stored::stored;
use crate::model::rate::KeyRate;
use crate::model::status::Parked;
use crate::state::State;
use crate::state::budget::recent::Lately;

/// The used part of one key's rate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyUsed {
    /// The `rateLimitKey`.
    pub key: Text,
    /// Requests.
    pub requests: Bucket,
    /// Tokens.
    pub tokens: Bucket,
    /// Runs parked for a turn, first come first, and since when; without runs that must stop.
    pub line: VecDeque<(u64, u32)>,
}

stored!(KeyUsed { key, requests, tokens, line });

/// The amounts that a run has counted ahead of its reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CountedAhead {
    /// Its index.
    pub run: u32,
    /// The request of its next turn.
    pub request: bool,
    /// The tokens of that turn too: the run queued for them.
    pub turn: bool,
    /// Counted tokens that it has not reported.
    pub tokens: u64,
}

stored!(CountedAhead { run, request, turn, tokens });

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyRates {
    /// The rates per minute; nearly always none.
    pub rates: Vec<KeyRate>,
    /// Keys with a used part, sorted.
    pub used: Vec<KeyUsed>,
    /// Runs with amounts counted ahead, sorted.
    pub ahead: Vec<CountedAhead>,
    /// The number of runs parked for a turn.
    pub parked: u32,
    /// Recent token usage by key, the latest update last.
    pub lately: Vec<(Text, Lately)>,
    /// Whether there have been rates.
    pub known: bool,
}

stored!(KeyRates { rates, used, ahead, parked, lately, known });

/// The maximum number of keys with a mean.
const LEARNED: usize = 100;

/// The later of two optional times.
fn later(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.max(other)
}

impl KeyUsed {
    /// When these requests and tokens are available, if later than now.
    fn ready_at(&self, rate: &KeyRate, now: u64, (requests, tokens): (u64, u64)) -> Option<u64> {
        let request = rate.requests_per_minute.and_then(|per| self.requests.ready_at(per, now, requests));
        let token = rate.tokens_per_minute.and_then(|per| self.tokens.ready_at(per, now, tokens));
        later(request, token)
    }

    fn is_full(&self, rate: &KeyRate, now: u64) -> bool {
        let [requests, tokens] = [(&self.requests, rate.requests_per_minute), (&self.tokens, rate.tokens_per_minute)]
            .map(|(bucket, per)| per.is_none_or(|per| bucket.is_full(per, now)));
        requests && tokens
    }
}

impl KeyRates {
    /// The rate of a key, if it has one.
    #[must_use]
    pub fn of(&self, key: &str) -> Option<&KeyRate> {
        if self.rates.is_empty() { None } else { KeyRate::find(&self.rates, key) }
    }

    fn used(&self, key: &str) -> Option<&KeyUsed> {
        self.used.binary_search_by(|used| (*used.key).cmp(key)).ok().and_then(|at| self.used.get(at))
    }

    /// The amounts that a run has counted ahead.
    #[must_use]
    pub fn ahead_of(&self, run: u32) -> Option<&CountedAhead> {
        self.ahead.binary_search_by_key(&run, |ahead| ahead.run).ok().and_then(|at| self.ahead.get(at))
    }

    fn change_ahead(&mut self, run: u32, change: impl FnOnce(&mut CountedAhead)) {
        let at = self.ahead.binary_search_by_key(&run, |ahead| ahead.run).unwrap_or_else(|at| {
            self.ahead.insert(at, CountedAhead { run, ..CountedAhead::default() });
            at
        });
        if let Some(ahead) = self.ahead.get_mut(at) {
            change(ahead);
        }
    }

    /// Changes the used part of a key that has a rate.
    fn change(&mut self, now: u64, key: &str, change: impl FnOnce(&KeyRate, &mut KeyUsed)) {
        let Some(rate) = KeyRate::find(&self.rates, key).cloned() else { return };
        let at = self.used.binary_search_by(|used| (*used.key).cmp(key)).unwrap_or_else(|_| self.insert_key(now, key));
        if let Some(used) = self.used.get_mut(at) {
            change(&rate, used);
        }
    }

    /// Makes the record of a key. Whenever their number has doubled, drops the records of unused rates.
    fn insert_key(&mut self, now: u64, key: &str) -> usize {
        if self.used.len().is_power_of_two() {
            let rates = &self.rates;
            self.used.retain(|used| !used.line.is_empty() || KeyRate::find(rates, &used.key).is_some_and(|rate| !used.is_full(rate, now)));
        }
        let at = self.used.partition_point(|used| *used.key < *key);
        self.used.insert(at, KeyUsed { key: key.into(), ..KeyUsed::default() });
        at
    }

    /// Uses up requests and tokens of a key.
    fn take(&mut self, now: u64, key: &str, (requests, tokens): (u64, u64)) {
        self.change(now, key, |rate, used| {
            for (bucket, per, amount) in
                [(&mut used.requests, rate.requests_per_minute, requests), (&mut used.tokens, rate.tokens_per_minute, tokens)]
            {
                if let Some(per) = per.filter(|_| amount > 0) {
                    bucket.take(per, now, amount);
                }
            }
        });
    }

    /// Learns that this many turns of a key took this many tokens each.
    pub(in crate::state) fn learn(&mut self, key: &str, tokens: u64, times: usize) {
        if self.of(key).is_none_or(|rate| rate.tokens_per_minute.is_none()) {
            return;
        }
        let known = self.lately.iter().rposition(|(known, _)| **known == *key);
        let oldest = (known.is_none() && self.lately.len() >= LEARNED).then_some(0);
        let mut learned = known
            .or(oldest)
            .map(|at| self.lately.remove(at))
            .filter(|(of, _)| **of == *key)
            .unwrap_or_else(|| (key.into(), Lately::default()));
        (0..times).for_each(|_| learned.1.add(tokens));
        self.lately.push(learned);
    }

    /// The mean tokens of a key's turns, once known. `latest`: see [`Lately::mean`].
    pub(in crate::state) fn mean(&self, key: &str, latest: Option<u64>) -> Option<u64> {
        self.of(key)?;
        let learned = self.lately.iter().rfind(|(known, _)| **known == *key);
        learned.and_then(|(_, lately)| lately.mean(latest))
    }

    /// Replaces the rates. The used part of each stays used.
    pub(in crate::state) fn set(&mut self, now: u64, rates: Vec<KeyRate>) {
        self.known |= !rates.is_empty();
        for used in &mut self.used {
            let [before, after] = [&self.rates, &rates].map(|rates| KeyRate::find(rates, &used.key).cloned().unwrap_or_default());
            for (bucket, before, after) in [
                (&mut used.requests, before.requests_per_minute, after.requests_per_minute),
                (&mut used.tokens, before.tokens_per_minute, after.tokens_per_minute),
            ] {
                match after {
                    Some(_) => bucket.settle(before.unwrap_or(0), now),
                    None => *bucket = Bucket::default(),
                }
            }
        }
        self.rates = rates;
        let rates = &self.rates;
        self.used.retain(|used| !used.line.is_empty() || KeyRate::find(rates, &used.key).is_some());
    }

    /// A provider reports that no more than this is left of a key.
    pub(in crate::state) fn left(&mut self, now: u64, key: &str, (requests, tokens): (Option<u64>, Option<u64>)) {
        self.change(now, key, |rate, used| {
            for (bucket, per, left) in
                [(&mut used.requests, rate.requests_per_minute, requests), (&mut used.tokens, rate.tokens_per_minute, tokens)]
            {
                if let (Some(per), Some(left)) = (per, left) {
                    bucket.leave(per, now, left);
                }
            }
        });
    }

    /// Forgets a run that is over or starts over: the amounts that it counted ahead stay counted.
    pub(in crate::state) fn forget(&mut self, run: u32) {
        if let Ok(at) = self.ahead.binary_search_by_key(&run, |ahead| ahead.run) {
            self.ahead.remove(at);
        }
    }
}

impl State {
    /// When a run with this key may start, behind waiting turns, if its rate delays it.
    pub(crate) fn start_by_rate(&self, now: u64, key: &str) -> Option<u64> {
        let rate = self.key_rates.of(key)?;
        let used = self.key_rates.used(key)?;
        let ready = used.ready_at(rate, now, (1, 1));
        match used.line.front() {
            Some((_, first)) => Some(later(ready, self.turn_in_line(now, *first)).unwrap_or(now).max(now.saturating_add(1))),
            None => ready,
        }
    }

    /// The same if no turn waits: waiting turns have their own time.
    pub(crate) fn start_alone_by_rate(&self, now: u64, key: &str) -> Option<u64> {
        let used = self.key_rates.used(key).filter(|used| used.line.is_empty())?;
        used.ready_at(self.key_rates.of(key)?, now, (1, 1))
    }

    /// Whether a queued or new run of a task has to wait for its rate.
    pub(crate) fn is_over_rate(&self, now: u64, task: u32) -> bool {
        !self.key_rates.rates.is_empty() && self.start_by_rate(now, self.rate_limit_key(task)).is_some()
    }

    /// Whether the next turn of an open run has to wait for its rate, behind waiting turns.
    pub(crate) fn is_turn_over_rate(&self, now: u64, index: u32, given: Estimate) -> bool {
        if self.key_rates.rates.is_empty() || self.key_rates.ahead_of(index).is_some_and(|ahead| ahead.turn) {
            return false;
        }
        let key = self.rate_limit_key(self.runs.at(index).task);
        let first = self.key_rates.used(key).and_then(|used| used.line.front());
        let others_wait = self.key_rates.of(key).is_some() && first.is_some_and(|(_, first)| *first != index);
        others_wait || self.ready_at_rate(now, index, given).is_some()
    }

    /// When the rate alone allows a run's next turn, if later than now.
    fn ready_at_rate(&self, now: u64, index: u32, given: Estimate) -> Option<u64> {
        let key = self.rate_limit_key(self.runs.at(index).task);
        let (rate, used) = (self.key_rates.of(key)?, self.key_rates.used(key)?);
        let has_request = self.key_rates.ahead_of(index).is_some_and(|ahead| ahead.request);
        // Without a request to count, an excess of requests by others is no obstacle.
        let rate = if has_request { &KeyRate { requests_per_minute: None, ..rate.clone() } } else { rate };
        let (needed, _) = self.next_turn(index, given);
        used.ready_at(rate, now, (1, needed.tokens))
    }

    /// When a waiting turn may begin, if later than now.
    fn turn_in_line(&self, now: u64, index: u32) -> Option<u64> {
        self.ready_at_rate(now, index, self.runs.at(index).waiting_estimate())
    }

    /// The run that has waited longest, among those first in line whose turns may begin.
    pub(crate) fn first_within_rate(&self, now: u64) -> Option<u32> {
        if self.key_rates.parked == 0 {
            return None;
        }
        let firsts = self.key_rates.used.iter().filter_map(|used| used.line.front());
        let may_begin = |(_, run): &&(u64, u32)| self.turn_in_line(now, *run).is_none() && !self.is_cooling(self.runs.at(*run).task);
        firsts.filter(may_begin).min().map(|(_, run)| *run)
    }

    /// When any key's first turn in line may begin. Turns that the rate no longer delays don't count.
    pub(crate) fn next_turn_by_rate(&self, now: u64) -> Option<u64> {
        if self.key_rates.parked == 0 {
            return None;
        }
        let firsts = self.key_rates.used.iter().filter_map(|used| used.line.front());
        firsts.filter_map(|(_, run)| self.turn_in_line(now, *run)).min()
    }

    /// A run queues for its rate.
    pub(in crate::state) fn join_rate_queue(&mut self, now: u64, index: u32) {
        let key: Text = self.rate_limit_key(self.runs.at(index).task).into();
        let rates = &mut self.key_rates;
        rates.parked = rates.parked.saturating_add(1);
        let at = rates.used.binary_search_by(|used| used.key.cmp(&key)).unwrap_or_else(|_| rates.insert_key(now, &key));
        if let Some(used) = rates.used.get_mut(at) {
            used.line.push_back((now, index));
        }
    }

    /// A run no longer queues for its rate. A run that must stop has already left the line.
    pub(in crate::state) fn leave_rate_queue(&mut self, index: u32) {
        if !self.runs.at(index).is_parked(Parked::Rate) {
            return;
        }
        let key: Text = self.rate_limit_key(self.runs.at(index).task).into();
        let rates = &mut self.key_rates;
        if let Ok(at) = rates.used.binary_search_by(|used| used.key.cmp(&key))
            && let Some(used) = rates.used.get_mut(at)
            && let Some(place) = used.line.iter().position(|(_, run)| *run == index)
        {
            used.line.remove(place);
            rates.parked = rates.parked.saturating_sub(1);
        }
    }

    /// A run starts.
    pub(in crate::state) fn count_start(&mut self, now: u64, index: u32) {
        if self.key_rates.rates.is_empty() {
            return;
        }
        let key: Text = self.rate_limit_key(self.runs.at(index).task).into();
        if self.key_rates.of(&key).is_some() {
            self.key_rates.take(now, &key, (1, 0));
            self.key_rates.change_ahead(index, |ahead| *ahead = CountedAhead { run: index, request: true, ..CountedAhead::default() });
        }
    }

    /// A run that queued counts its turn ahead.
    pub(in crate::state) fn count_waited(&mut self, now: u64, index: u32) {
        let (needed, _) = self.next_turn(index, self.runs.at(index).waiting_estimate());
        self.count_turn(now, index, needed.tokens);
        if self.key_rates.ahead_of(index).is_some() {
            self.key_rates.change_ahead(index, |ahead| (ahead.request, ahead.turn) = (true, true));
        }
    }

    /// Counts a turn that is expected to take this many tokens.
    pub(in crate::state) fn count_turn(&mut self, now: u64, index: u32, tokens: u64) {
        if self.key_rates.rates.is_empty() {
            return;
        }
        let key: Text = self.rate_limit_key(self.runs.at(index).task).into();
        if self.key_rates.of(&key).is_none() {
            return;
        }
        let before = self.key_rates.ahead_of(index).cloned().unwrap_or_default();
        let more = if before.turn { 0 } else { tokens };
        self.key_rates.take(now, &key, (u64::from(!before.request), more));
        self.key_rates.change_ahead(index, |ahead| {
            *ahead = CountedAhead { run: index, request: false, turn: false, tokens: before.tokens.saturating_add(more) };
        });
    }

    /// Counts a main agent's turn, whose need is unknown, as one request.
    pub(in crate::state) fn count_main_turn(&mut self, now: u64, task: u32) {
        if !self.key_rates.rates.is_empty() {
            let key: Text = self.rate_limit_key(task).into();
            self.key_rates.take(now, &key, (1, 0));
        }
    }

    /// Counts further reported tokens of a run or a main agent. They replace those that the run has counted ahead. Amounts booked
    /// for a host that reports nothing, such as a lost one, count against no rate.
    pub(in crate::state) fn count_reported(&mut self, now: u64, (task, number): (u32, u32), more: u64) {
        if self.key_rates.rates.is_empty() || more == 0 {
            return;
        }
        let tokens = self.counted(task, number, Amounts { tokens: more, ..Amounts::ZERO }).tokens;
        let index = self.find_run(task, number);
        let key: Text = self.rate_limit_key(task).into();
        let ahead = index.and_then(|index| self.key_rates.ahead_of(index)).map_or(0, |ahead| ahead.tokens);
        if let Some(index) = index.filter(|_| ahead > 0) {
            self.key_rates.change_ahead(index, |ahead| ahead.tokens = 0);
        }
        if tokens >= ahead {
            return self.key_rates.take(now, &key, (0, tokens.saturating_sub(ahead)));
        }
        self.key_rates.change(now, &key, |rate, used| {
            if let Some(per) = rate.tokens_per_minute {
                used.tokens.refund(per, now, ahead.saturating_sub(tokens));
            }
        });
    }
}
