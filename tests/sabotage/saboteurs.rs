//! The simulation would notice: each rule of the core is broken in turn, and a seed has to fail for it.
//! A part of the simulation only in the copy of the crate that `npm run sabotage` makes.
//! Owns how long a broken rule may survive. Which there are says `saboteurs.toml`.

use std::panic::catch_unwind;
use std::sync::mpsc;
use std::time::Duration;

use subagents::sabotage::break_rule;

/// Seeds that a broken rule may survive; most fall within ten.
const SEEDS: u64 = 10_000;
/// How many seeds may fail by another check before the one that is meant bites.
const ANOTHER: usize = 60;
/// A broken rule may make the core go round in circles; then it was noticed by nobody.
const PATIENCE: Duration = Duration::from_secs(900);

/// Which rules are broken, and the words of the check that has to notice: made from `saboteurs.toml`.
const SABOTEURS: &[(&str, &str)] = include!("list.rs");

/// Runs seeds with one rule broken until one fails by the check that is meant: which, and what it said. Else
/// the first that fails by another check.
fn first_failure(rule: &'static str, words: &str) -> Option<(u64, String)> {
    break_rule(rule);
    let mut failures = (0..SEEDS).filter_map(failure);
    let first = failures.next()?;
    if first.1.contains(words) {
        return Some(first);
    }
    failures.take(ANOTHER).find(|(_, message)| message.contains(words)).or(Some(first))
}

fn failure(seed: u64) -> Option<(u64, String)> {
    let panic = catch_unwind(|| {
        let (counts, history) = crate::run(seed);
        if seed.is_multiple_of(20) {
            assert_eq!(crate::run(seed).1, history, "seed {seed} gave other facts the second time");
        }
        if seed.is_multiple_of(10) {
            crate::run_on_one_slot(seed / 10);
        }
        counts
    });
    let panic = panic.err()?;
    let message = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    Some((seed, message.unwrap_or_default()))
}

#[test]
fn every_broken_rule_is_noticed() {
    let only = std::env::var("SUBAGENTS_SABOTEUR").ok();
    std::panic::set_hook(Box::new(|_| {}));
    let mut unnoticed = Vec::new();
    for (rule, words) in SABOTEURS.iter().filter(|(rule, _)| only.as_ref().is_none_or(|only| rule.contains(only.as_str()))) {
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || tell.send(first_failure(rule, words)));
        let verdict = match told.recv_timeout(PATIENCE) {
            Err(_) => Err("it goes on for ever".to_owned()),
            Ok(None) => Err(format!("{SEEDS} seeds pass")),
            Ok(Some((seed, message))) if message.contains(words) => Ok(format!("seed {seed}: {message}")),
            Ok(Some((seed, message))) => Err(format!("seed {seed} fails, but for another reason: {message}")),
        };
        let shown: String = verdict.as_ref().unwrap_or_else(|error| error).chars().take(150).collect();
        eprintln!("{} {rule:<36} {shown}", if verdict.is_ok() { "noticed  " } else { "UNNOTICED" });
        if verdict.is_err() {
            unnoticed.push(*rule);
        }
    }
    let _ = std::panic::take_hook();
    assert!(unnoticed.is_empty(), "nobody notices when these are broken: {unnoticed:?}");
}
