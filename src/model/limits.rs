//! The table of limits: every bound with its name, unit, default and minimum.
//!
//! Owns every default; docs and TypeScript types are made from [`TABLE`]. Never: enforces one (its rule does).

use crate::base::codec::Text;
use crate::base::stored::{Codec, Stored};

/// A limit's unit, which decides its valid values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A count of things; below 1 is an error.
    Count,
    /// A count that may be 0.
    CountOrNone,
    /// Milliseconds; must be above 0.
    Milliseconds,
    /// Milliseconds that may be 0.
    MillisecondsOrNone,
    /// Bytes of UTF-8.
    Bytes,
    /// Money, stored in nano-dollars; must be above 0.
    Dollars,
}

impl Unit {
    /// The minimum value.
    #[must_use]
    pub const fn least(self) -> u64 {
        match self {
            Self::Count | Self::Milliseconds | Self::Bytes | Self::Dollars => 1,
            Self::CountOrNone | Self::MillisecondsOrNone => 0,
        }
    }

    /// Its name in docs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count | Self::CountOrNone => "count",
            Self::Milliseconds | Self::MillisecondsOrNone => "ms",
            Self::Bytes => "bytes",
            Self::Dollars => "US dollars",
        }
    }
}

/// Lifts a limit.
pub const UNLIMITED: u64 = u64::MAX;

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The option's name.
    pub name: &'static str,
    /// The value if the user gives none.
    pub default: u64,
    /// Its unit.
    pub unit: Unit,
    /// The heading of its group. For docs, like the next field: the shipped module needs neither.
    #[cfg(not(target_arch = "wasm32"))]
    pub group: &'static str,
    /// Its meaning, in a sentence.
    #[cfg(not(target_arch = "wasm32"))]
    pub doc: &'static str,
}

macro_rules! limits {
    ($(in $group:literal $($(#[doc = $doc:literal])+ $field:ident $name:literal = $default:literal $unit:ident,)+)+) => {
        /// A value for every limit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Limits { $($($(#[doc = $doc])+ pub $field: u64,)+)+ }

        /// Every limit.
        pub const TABLE: &[Row] = &[$($(Row {
            name: $name,
            default: $default,
            unit: Unit::$unit,
            #[cfg(not(target_arch = "wasm32"))]
            group: $group,
            #[cfg(not(target_arch = "wasm32"))]
            doc: concat!($($doc),+),
        },)+)+];

        impl Default for Limits {
            fn default() -> Self { Self { $($($field: $default,)+)+ } }
        }

        impl Limits {
            /// The values in the order of [`TABLE`].
            #[must_use]
            pub fn values(&self) -> Vec<u64> { vec![$($(self.$field,)+)+] }

            /// The value of a limit by its name, if it exists.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<u64> {
                match name { $($($name => Some(self.$field),)+)+ _ => None }
            }

            /// Sets a limit by its name; returns `false` if it doesn't exist.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name { $($($name => self.$field = value,)+)+ _ => return false }
                true
            }
        }
    };
}

limits! {
    in "How many"
    /// The number of slots: how many sub-agents run at once.
    max_concurrent "maxConcurrent" = 3 Count,
    /// How many may wait for a slot.
    max_queued "maxQueued" = 100_000 CountOrNone,
    /// How deep sub-agents may nest; at 1 a sub-agent has no sub-agents.
    max_depth "maxDepth" = 1 Count,
    /// How many running or queued children a parent may have; the program's own don't count.
    max_children "maxChildren" = 32 Count,
    /// How many sub-agents a session may ever spawn, at all depths; forgotten ones count.
    max_spawns "maxSpawns" = 0xffff_ffff_ffff_ffff Count,
    /// How many sessions may be open.
    max_sessions "maxSessions" = 10_000 Count,
    /// How many abandoned host functions may still be running before new starts stop.
    max_abandoned "maxAbandoned" = 16 Count,
    /// How many messages one task may have waiting.
    max_messages "maxMessages" = 20 Count,

    in "How much"
    /// How many turns one run may take.
    max_turns "maxTurns" = 20 Count,
    /// Tokens reserved per turn; if unset, from the third on, 1.5 times the recent mean.
    turn_estimate "turnEstimate" = 2_000 Count,
    /// Reserved per turn; if unset, the dearest of the run or the nearest sub-agents.
    turn_estimate_nanos "turnEstimateUsd" = 250_000_000 Dollars,
    /// How much a token read from a provider's cache counts against token caps, in thousandths.
    count_cache_reads "countCacheReads" = 1_000 CountOrNone,
    /// Tokens that a cap reserves for each wrap-up turn, at most a tenth of it.
    wrap_up_tokens "wrapUpTokens" = 1_000 CountOrNone,

    in "How long"
    /// How long a run may take, without queue time, until it must wrap up.
    timeout_ms "timeoutMs" = 1_800_000 Milliseconds,
    /// How long a stopping run may take to return.
    grace_ms "graceMs" = 10_000 MillisecondsOrNone,
    /// How long a run may be silent after its first report or turn.
    idle_timeout_ms "idleTimeoutMs" = 300_000 Milliseconds,
    /// How long a host function keeps its slot and reservation after its run ended.
    abandon_ms "abandonMs" = 60_000 Milliseconds,
    /// How long a sub-agent's question waits for its answer, with its run parked.
    ask_timeout_ms "askTimeoutMs" = 600_000 Milliseconds,
    /// How long a policy may take to answer; a gate without an answer refuses.
    approval_timeout_ms "approvalTimeoutMs" = 600_000 Milliseconds,
    /// How long runs with queued sub-agents may fill all slots before `onError` gets `stalled`.
    stall_ms "stallMs" = 5_000 Milliseconds,

    in "How long a text"
    /// The maximum output retained uncut.
    max_result_bytes "maxResultBytes" = 1_048_576 Bytes,
    /// The maximum output that a tool's answer shows in full.
    inline_bytes "inlineBytes" = 16_384 Bytes,

    in "How fast"
    /// How long work waits until its priority rises by one.
    ageing_ms "ageingMs" = 10_000 Milliseconds,
    /// Shortest time between starts or re-entries; 50 after a cooldown, unless you set 0.
    stagger_ms "staggerMs" = 0 MillisecondsOrNone,
    /// The longest cooldown after a rate limit; longer ones are shortened.
    max_cooldown_ms "maxCooldownMs" = 3_600_000 Milliseconds,
    /// How many rate limits cool down at once; beyond it, the first to end goes.
    max_cooldowns "maxCooldowns" = 1_000 Count,

    in "What is retained"
    /// How many tasks are retained, ended ones included; the oldest evictable one is forgotten first.
    max_tasks "maxTasks" = 100_000 Count,
    /// How many ended tasks stay readable after a wait or an `ack` for their end.
    retain "retain" = 1_000 CountOrNone,
    /// How often `onHostLost` repeats a run without a new checkpoint, before it ends `host_lost`.
    max_lost "maxLost" = 5 CountOrNone,
    /// How long a used idempotency key answers, and at least until its work ends.
    idempotency_ttl_ms "idempotencyTtlMs" = 86_400_000 Milliseconds,
    /// How many idempotency keys are remembered; beyond that, the oldest is dropped.
    max_idempotency_keys "maxIdempotencyKeys" = 100_000 Count,

    in "Notices"
    /// How long a leased notice may stay without `ack` before it is delivered again.
    lease_ms "leaseMs" = 60_000 Milliseconds,
    /// How often a notice is delivered before it stays undelivered.
    max_deliveries "maxDeliveries" = 5 Count,
    /// How many unacknowledged notices may wait before new background work is refused.
    max_notices "maxNotices" = 100_000 Count,
    /// How many notices one turn gets; the others come with the next turn.
    max_injected "maxInjected" = 32 Count,
}

/// Stored by name, so that limits can be added and removed.
impl Stored for Limits {
    fn blank() -> Self {
        Self::default()
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let mut list: Vec<(Text, u64)> = TABLE.iter().zip(self.values()).map(|(row, value)| (row.name.into(), value)).collect();
        list.walk(codec);
        for (name, value) in list {
            self.set(&name, value);
        }
    }
}

/// How long a wait for several targets lasts by default, in milliseconds.
pub const WAIT_MS: u64 = 30_000;
/// How often a process with an armed deadline checks that it is still running, in milliseconds. A late check means that it stood
/// still.
pub const BEAT_MS: u64 = 1_000;
/// The minimum milliseconds between the first starts after a cooldown, unless the user set `staggerMs` to 0.
pub(crate) const AFTER_COOLDOWN_MS: u64 = 50;
/// How long a notice waits unread before the program is notified, in milliseconds (N2).
pub const UNREAD_NOTICE_MS: u64 = 10_000;
/// The maximum length of a nickname, in characters.
pub const NICKNAME_CHARS: usize = 64;
/// How many waiting messages a snapshot previews.
pub(crate) const PREVIEW_MESSAGES: usize = 3;
/// The length of each preview, in characters.
pub(crate) const PREVIEW_CHARS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_and_the_struct_agree() {
        let mut limits = Limits::default();
        for (row, value) in TABLE.iter().zip(limits.values()) {
            assert_eq!(row.default, value, "{}", row.name);
            assert!(row.default >= row.unit.least(), "{}", row.name);
        }
        assert!(limits.set("maxConcurrent", 9) && limits.max_concurrent == 9);
        assert!(!limits.set("maxSomething", 9));
    }
}
