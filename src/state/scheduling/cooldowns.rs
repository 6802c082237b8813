//! Cooldowns: the rate limits that cool down, the last start, and the distance between starts (X1). Owns the record;
//! `rules/scheduling/rates.rs` decides its changes.

use crate::base::codec::Text;
use crate::base::stored::stored;
use crate::model::limits::{AFTER_COOLDOWN_MS, UNLIMITED};
use crate::model::status::Parked;
use crate::state::State;
use crate::state::runs::run::{Phase, Run};

/// A rate limit that cools down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cooldown {
    /// The `rateLimitKey` of the tasks that share it.
    pub key: Text,
    /// When it ends.
    pub until: u64,
}

stored!(Cooldown { key, until } from Self { key: Text::default(), until: 0 });

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rates {
    /// The cooldowns: nearly always none.
    pub cooldowns: Vec<Cooldown>,
    /// When a run last started or re-entered.
    pub last_start: Option<u64>,
    /// The number of further starts that keep the distance after a cooldown.
    pub staggers: u64,
}

stored!(Rates { cooldowns, last_start, staggers });

impl Rates {
    /// The end of a key's cooldown, if any.
    #[must_use]
    pub fn until(&self, key: &str) -> Option<u64> {
        self.cooldowns.iter().find(|cooldown| *cooldown.key == *key).map(|cooldown| cooldown.until)
    }

    /// Whether a key cools down.
    pub(crate) fn cools(&self, key: &str) -> bool {
        self.until(key).is_some()
    }

    /// The cooldown that ends first; of two at the same time, the one opened first.
    pub(crate) fn first(&self) -> Option<&Cooldown> {
        self.cooldowns.iter().min_by_key(|cooldown| cooldown.until)
    }

    pub(crate) fn set(&mut self, key: Text, until: u64) {
        match self.cooldowns.iter_mut().find(|cooldown| cooldown.key == key) {
            Some(cooldown) => cooldown.until = until,
            None => self.cooldowns.push(Cooldown { key, until }),
        }
    }

    /// A run starts or re-enters.
    pub(crate) fn started(&mut self, now: u64) {
        self.last_start = Some(now);
        self.staggers = self.staggers.saturating_sub(1);
    }
}

impl State {
    /// The key of a task's rate limit. Tasks without a key share one limit.
    pub(crate) fn rate_limit_key(&self, task: u32) -> &str {
        self.node(task).spec().and_then(|spec| spec.rate_limit_key.as_deref()).unwrap_or_default()
    }

    /// Whether the rate limit of a task cools down.
    pub(crate) fn is_cooling(&self, task: u32) -> bool {
        !self.rates.cooldowns.is_empty() && self.rates.cools(self.rate_limit_key(task))
    }

    /// The time of the next allowed start, if later than now.
    pub(crate) fn next_start(&self, now: u64) -> Option<u64> {
        let next = self.rates.last_start.map(|last| last.saturating_add(self.distance_ms()));
        next.filter(|at| *at > now)
    }

    /// The minimum distance between the last start and the next.
    fn distance_ms(&self) -> u64 {
        let least = if self.rates.staggers > 0 && !self.lifts_distance() { AFTER_COOLDOWN_MS } else { 0 };
        self.limits.stagger_ms.max(least)
    }

    /// A cooldown is over. The next starts keep a distance: otherwise all waiting work would call the model at the same instant.
    /// With unlimited slots, as many starts keep it as there are runs.
    pub(in crate::state) fn cooldown_over(&mut self, key: &str) {
        self.rates.cooldowns.retain(|cooldown| *cooldown.key != *key);
        let most = self.limits.max_concurrent;
        self.rates.staggers = if most == UNLIMITED { u64::from(self.runs.len()) } else { most };
    }

    /// Whether the user set `staggerMs` to 0: starts need no distance, even after a cooldown.
    fn lifts_distance(&self) -> bool {
        self.stagger_given && self.limits.stagger_ms == 0
    }

    /// When new work with this key may start, if later than now.
    pub(crate) fn ready_at(&self, now: u64, key: Option<&str>) -> Option<u64> {
        let key = key.unwrap_or_default();
        let cooled = if self.rates.cooldowns.is_empty() { None } else { self.rates.until(key) };
        cooled.filter(|until| *until > now).max(self.next_start(now)).max(self.start_by_rate(now, key))
    }

    /// The same for an existing task.
    pub(crate) fn task_ready_at(&self, now: u64, task: u32) -> Option<u64> {
        self.ready_at(now, Some(self.rate_limit_key(task)))
    }

    /// Whether a run waits for a cooldown or a rate, which ends by itself.
    pub(crate) fn awaits_rates(&self, now: u64) -> bool {
        let waits = |run: &Run| match run.phase {
            Phase::Queued => self.is_cooling(run.task) || self.is_over_rate(now, run.task),
            Phase::Open => run.is_parked(Parked::Cooldown) || run.is_parked(Parked::Rate),
            Phase::Backoff { .. } | Phase::Lingering { .. } | Phase::Abandoned => false,
        };
        self.runs.indices().any(|index| waits(self.runs.at(index)))
    }
}
