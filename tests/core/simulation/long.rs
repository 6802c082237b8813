//! Long runs: `npm run simulate`. Owns how they show how far they are and which seed failed first; what a
//! seed does is `run` of `simulation.rs`.
#![allow(clippy::disallowed_types, reason = "how long it takes is shown, and decides nothing")]

use std::time::{Duration, Instant};

use super::counts::Counts;

/// How often a long run says how far it is.
const PULSE: Duration = Duration::from_secs(5);

#[test]
#[ignore = "runs as long as it is told to; `npm run simulate` starts it"]
fn long_run() {
    let (start, seeds) = (crate::from_env("SUBAGENTS_SEED_START", 0), crate::from_env("SUBAGENTS_SEEDS", crate::SEEDS));
    let (begun, mut shown) = (Instant::now(), Instant::now());
    let mut counts = Counts::default();
    for (done, seed) in (start..start.saturating_add(seeds)).enumerate() {
        // A failing seed is reported by the world as it falls: the first one, for nothing comes after it.
        counts.merge(&crate::run_twice(seed));
        crate::run_on_one_slot(seed);
        if shown.elapsed() >= PULSE {
            shown = Instant::now();
            let pace = (done + 1) as f64 / begun.elapsed().as_secs_f64();
            eprintln!("seed {seed}: {} of {seeds}, {pace:.0} a second", done + 1);
        }
    }
    if seeds > 1 {
        eprintln!("{}", counts.table());
    }
    eprintln!("{seeds} seeds from {start} broke nothing in {:.1} s", begun.elapsed().as_secs_f64());
}
