//! Cooldowns: which rate limits cool down and until when, when something last started, and what waits for that (X1).
//! Owns the record; `rules/scheduling/rates.rs` decides what changes it.

use crate::base::codec::Text;
use crate::base::stored::stored;
use crate::model::limits::{AFTER_COOLDOWN_MS, UNLIMITED};
use crate::model::status::Parked;
use crate::state::State;
use crate::state::runs::run::{Phase, Run};

/// A rate limit that cools down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cooldown {
    /// Whose: the `rateLimitKey` of the tasks that share it.
    pub key: Text,
    /// When it is over.
    pub until: u64,
}

stored!(Cooldown { key, until } from Self { key: Text::default(), until: 0 });

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rates {
    /// What cools down: nothing, nearly always.
    pub cooldowns: Vec<Cooldown>,
    /// When a run last started or returned.
    pub last_start: Option<u64>,
    /// How many starts are still to keep the distance that holds after a cooldown.
    pub staggers: u64,
}

stored!(Rates { cooldowns, last_start, staggers });

impl Rates {
    /// Until when a key cools down, if it does.
    #[must_use]
    pub fn until(&self, key: &str) -> Option<u64> {
        self.cooldowns.iter().find(|cooldown| *cooldown.key == *key).map(|cooldown| cooldown.until)
    }

    /// Whether a key cools down.
    pub(crate) fn cools(&self, key: &str) -> bool {
        self.until(key).is_some()
    }

    /// The cooldown that is over first; of two at the same time the one that was opened first.
    pub(crate) fn first(&self) -> Option<&Cooldown> {
        self.cooldowns.iter().min_by_key(|cooldown| cooldown.until)
    }

    pub(crate) fn set(&mut self, key: Text, until: u64) {
        match self.cooldowns.iter_mut().find(|cooldown| cooldown.key == key) {
            Some(cooldown) => cooldown.until = until,
            None => self.cooldowns.push(Cooldown { key, until }),
        }
    }

    /// A run starts, or returns.
    pub(crate) fn started(&mut self, now: u64) {
        self.last_start = Some(now);
        self.staggers = self.staggers.saturating_sub(1);
    }
}

impl State {
    /// The key of a task's rate limit. Tasks that were given none share one.
    pub(crate) fn rate_limit_key(&self, task: u32) -> &str {
        self.node(task).spec().and_then(|spec| spec.rate_limit_key.as_deref()).unwrap_or_default()
    }

    /// Whether the rate limit of a task cools down.
    pub(crate) fn is_cooling(&self, task: u32) -> bool {
        !self.rates.cooldowns.is_empty() && self.rates.cools(self.rate_limit_key(task))
    }

    /// When the next start may be, if that is later than now.
    pub(crate) fn next_start(&self, now: u64) -> Option<u64> {
        let next = self.rates.last_start.map(|last| last.saturating_add(self.distance_ms()));
        next.filter(|at| *at > now)
    }

    /// How far the next start has to be from the last one.
    fn distance_ms(&self) -> u64 {
        let least = if self.rates.staggers > 0 && !self.lifts_distance() { AFTER_COOLDOWN_MS } else { 0 };
        self.limits.stagger_ms.max(least)
    }

    /// A cooldown is over. All work that waits for it would otherwise call the model at the same instant. If any number may run
    /// at once, as many starts are apart as there are runs.
    pub(in crate::state) fn cooldown_over(&mut self, key: &str) {
        self.rates.cooldowns.retain(|cooldown| *cooldown.key != *key);
        let most = self.limits.max_concurrent;
        self.rates.staggers = if most == UNLIMITED { u64::from(self.runs.len()) } else { most };
    }

    /// Whether the user has said that starts need no distance, after a cooldown either.
    fn lifts_distance(&self) -> bool {
        self.stagger_given && self.limits.stagger_ms == 0
    }

    /// When new work with this key may start, if that is later than now.
    pub(crate) fn ready_at(&self, now: u64, key: Option<&str>) -> Option<u64> {
        let key = key.unwrap_or_default();
        let cooled = if self.rates.cooldowns.is_empty() { None } else { self.rates.until(key) };
        cooled.filter(|until| *until > now).max(self.next_start(now)).max(self.start_by_rate(now, key))
    }

    /// The same for a task that exists.
    pub(crate) fn task_ready_at(&self, now: u64, task: u32) -> Option<u64> {
        self.ready_at(now, Some(self.rate_limit_key(task)))
    }

    /// Whether anything waits only for a cooldown or a rate: it continues by itself, whatever else is missing.
    pub(crate) fn awaits_rates(&self, now: u64) -> bool {
        let waits = |run: &Run| match run.phase {
            Phase::Queued => self.is_cooling(run.task) || self.is_over_rate(now, run.task),
            Phase::Open => run.is_parked(Parked::Cooldown) || run.is_parked(Parked::Rate),
            Phase::Backoff { .. } | Phase::Lingering { .. } | Phase::Abandoned => false,
        };
        self.runs.indices().any(|index| waits(self.runs.at(index)))
    }
}
