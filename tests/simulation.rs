//! The main test: random trees of sub-agents with hostile hosts in virtual time, from a seed. After
//! every step all invariants hold, and an independent model made from the facts agrees.
//!
//! `SUBAGENTS_SEEDS` says how many seeds to run, `SUBAGENTS_SEED_START` with which to begin.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

mod simulation {
    pub(crate) mod actions;
    pub(crate) mod counts;
    pub(crate) mod host;
    pub(crate) mod model;
    pub(crate) mod rng;
    pub(crate) mod world;
}

use std::collections::BTreeMap;

use simulation::counts::Counts;
use simulation::world::World;

/// How many seeds run unless the environment says otherwise: a minute or so on one core.
const SEEDS: u64 = 2_000;
const STEPS: u64 = 300;

fn from_env(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Runs one seed and gives back what occurred, with a hash of all its facts.
fn run(seed: u64) -> (Counts, u64) {
    let hostile = !seed.is_multiple_of(8);
    let mut world = World::new(seed, hostile);
    world.set_up();
    for step in 0..STEPS {
        world.steps = step;
        world.act();
    }
    world.finish();
    (world.counts.clone(), world.history)
}

#[test]
fn hostile_hosts_break_nothing() {
    let (start, seeds) = (from_env("SUBAGENTS_SEED_START", 0), from_env("SUBAGENTS_SEEDS", SEEDS));
    let all = start..start.saturating_add(seeds);
    if from_env("SUBAGENTS_KEEP_GOING", 0) > 0 {
        return survey(all);
    }
    let mut counts = Counts::default();
    for seed in all {
        let (occurred, history) = run(seed);
        counts.merge(&occurred);
        if seed.is_multiple_of(20) {
            assert_eq!(run(seed).1, history, "seed {seed} gave other facts the second time");
        }
    }
    eprintln!("{}", counts.table());
}

/// Runs all seeds and lists the failing ones by what failed, the numbers in it left out.
fn survey(seeds: std::ops::Range<u64>) {
    let mut failures: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    std::panic::set_hook(Box::new(|_| {}));
    for seed in seeds {
        let Err(panic) = std::panic::catch_unwind(|| run(seed)) else { continue };
        let message = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let kind: String = message.unwrap_or_default().chars().filter(|char| !char.is_ascii_digit()).take(150).collect();
        failures.entry(kind).or_insert((0, seed)).0 += 1;
    }
    let _ = std::panic::take_hook();
    for (kind, (count, seed)) in &failures {
        eprintln!("{count} seeds, the first is {seed}: {kind}");
    }
    assert!(failures.is_empty(), "some seeds failed");
}
