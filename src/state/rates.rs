//! Rates: which rate limits cool down and until when, and when something last started (X1). Owns the
//! record; `rules/rates.rs` decides what has to wait for it.

use crate::base::codec::Text;

/// A rate limit that cools down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cooldown {
    /// Whose: the `rateLimitKey` of the tasks that share it.
    pub key: Text,
    /// When it is over.
    pub until: u64,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rates {
    /// What cools down: nothing, nearly always.
    pub cooldowns: Vec<Cooldown>,
    /// When a run last started or came back.
    pub last_start: Option<u64>,
}

impl Rates {
    /// Until when a key cools down, if it does.
    #[must_use]
    pub fn until(&self, key: &str) -> Option<u64> {
        self.cooldowns.iter().find(|cooldown| *cooldown.key == *key).map(|cooldown| cooldown.until)
    }

    pub(crate) fn set(&mut self, key: Text, until: u64) {
        match self.cooldowns.iter_mut().find(|cooldown| cooldown.key == key) {
            Some(cooldown) => cooldown.until = until,
            None => self.cooldowns.push(Cooldown { key, until }),
        }
    }

    pub(crate) fn over(&mut self, key: &str) {
        self.cooldowns.retain(|cooldown| *cooldown.key != *key);
    }
}
