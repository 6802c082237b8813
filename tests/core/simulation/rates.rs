//! The rates of keys, seen a second time from the facts alone (B11): when requests were made, by a schedule in place of a bucket.
//! Owns the rates that the manager of a life is given, and this schedule; `world.rs` holds the manager to it.

use std::collections::BTreeMap;

use subagents::{Fact, Key, KeyRate, Parked, State};

/// What keys allow in a life that has rates.
pub(crate) fn rates() -> Vec<KeyRate> {
    let rate = |key: &str, requests: Option<u64>, tokens: Option<u64>| KeyRate {
        key: key.into(),
        requests_per_minute: requests,
        tokens_per_minute: tokens,
    };
    vec![rate("*", Some(900), None), rate("a", Some(30), None), rate("b*", None, Some(12_000)), rate("c", Some(20), Some(15_000))]
}

/// Whether a key has a rate of tokens, where there are rates.
pub(crate) fn has_tokens(key: &str) -> bool {
    key == "b" || key == "c"
}

/// One request takes so much of a schedule, whose clock goes by the requests that a minute allows.
const REQUEST: u128 = 60_000;
const BURST_MS: u128 = 6_000;

#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    /// By key: when the next request would be due if they came evenly.
    due: BTreeMap<String, u128>,
    /// Runs whose next turn has its request already, and those that have stood in line for it.
    ahead: BTreeMap<(Key, u32), bool>,
    given: bool,
}

fn per_minute(key: &str) -> Option<u128> {
    match key {
        "a" => Some(30),
        "b" => None,
        "c" => Some(20),
        _ => Some(900),
    }
}

impl Schedule {
    /// A request is made. `free`: whether it may come too early, as those do that nothing here lets wait.
    fn request(&mut self, at: u64, key: &str, free: bool) -> Result<(), String> {
        let Some(per) = per_minute(key).filter(|_| self.given) else { return Ok(()) };
        let now = u128::from(at) * per;
        let due = self.due.entry(key.into()).or_default();
        let next = (*due).max(now) + REQUEST;
        if !free && *due > now && next - now > BURST_MS * per {
            return Err(format!("B11: a request of `{key}` at {at} came {} too early", next - now - BURST_MS * per));
        }
        *due = next;
        Ok(())
    }

    /// Whether a start under this key may have to wait: its requests have come as fast as they may, or it has a rate of tokens, which
    /// this doesn't count.
    pub(crate) fn may_wait(&self, at: u64, key: &str) -> bool {
        let Some(per) = per_minute(key).filter(|_| self.given) else { return self.given && key.starts_with('b') };
        let (now, due) = (u128::from(at) * per, self.due.get(key).copied().unwrap_or_default());
        key == "c" || (due > now && due + REQUEST - now > BURST_MS * per)
    }

    /// Takes a fact; `before` is the state that it came to.
    pub(crate) fn take(&mut self, at: u64, fact: &Fact, before: &State) -> Result<(), String> {
        let key = |task: &Key| {
            before.node(task.index).rare.as_ref().and_then(|rare| rare.spec.rate_limit_key.as_deref()).unwrap_or_default().to_owned()
        };
        match fact {
            Fact::RatesSet { rates } => self.given = !rates.is_empty(),
            Fact::RateLeft { key, requests: Some(left), .. } => {
                if let Some(per) = per_minute(key) {
                    let used = (BURST_MS * per).saturating_sub(u128::from(*left) * REQUEST);
                    let due = self.due.entry(key.to_string()).or_default();
                    *due = (*due).max(u128::from(at) * per + used);
                }
            }
            Fact::RunStarted { task, run, .. } => {
                self.ahead.insert((*task, *run), false);
                self.request(at, &key(task), false)?;
            }
            Fact::RunUnparked { task, run, why: Parked::Rate, .. } => {
                let is_paid = self.ahead.insert((*task, *run), true).is_some();
                return if is_paid { Ok(()) } else { self.request(at, &key(task), false) };
            }
            Fact::TurnStarted { task, run: 0, .. } => self.request(at, &key(task), true)?,
            Fact::TurnStarted { task, run, .. } => {
                let is_paid = self.ahead.remove(&(*task, *run)).is_some();
                return if is_paid { Ok(()) } else { self.request(at, &key(task), false) };
            }
            Fact::RunParked { task, why: Parked::Rate, .. } | Fact::TurnDelayed { task, parks: Some(Parked::Rate), .. } => {
                ensure!(self.given, "B11: {task:?} waits for no rate");
            }
            _ => {}
        }
        Ok(())
    }
}
