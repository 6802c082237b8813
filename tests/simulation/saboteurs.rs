//! The simulation would notice: each rule of the core is broken in turn, and a seed has to fail for it.
//! Only in builds with the feature `sabotage`; `npm run sabotage` starts it.
//!
//! Owns the list: the switch, as the core asks for it, and the words of the check that has to bite.

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use subagents::sabotage::break_rule;

/// Seeds that a broken rule may survive; most fall within ten.
const SEEDS: u64 = 6_000;
/// How many seeds may fail by another check before the one that is meant bites.
const ANOTHER: usize = 60;
/// A broken rule may make the core go round in circles; then it was noticed by nobody.
const PATIENCE: Duration = Duration::from_secs(120);

const SABOTEURS: &[(&str, &str)] = &[
    ("A1 an ended run", "A1: an ended run was answered"),
    ("A1 descendants only", "A1: "),
    ("A4 no id is a name", "A4: "),
    ("A4 one open bearer", "A4: "),
    ("B1 maxTurns", "B1: turn"),
    ("B10 concurrency_limit", "D1: "),
    ("B10 gives back", "L8: "),
    ("B10 what is there", "B3: a reserve"),
    ("B2 held up the path", "holds"),
    ("B2 spent up the path", "spent"),
    ("B3 at most what is available", "B3: a hold"),
    ("B3 one turn's estimate", "B3: "),
    ("B4 a turn never lends", "B4: "),
    ("B4 borrows", "B3: "),
    ("B4 gives back", "B4: "),
    ("B5 asks again", "task "),
    ("B5 gives up in the end", "S5: something doesn't finish"),
    ("B5 refuses what is spent", "B5: "),
    ("B5 waits for held budget", "B5: "),
    ("B6 books the truth", "B6: "),
    ("B7 invalid books the hold", "B7: "),
    ("B8 keeps wrapUpTokens", "B8: an ordinary turn"),
    ("B8 once", "B8: a second"),
    ("C1 closes what had ended", "C1: "),
    ("C1 leaves first", "C1: "),
    ("C1 seals", "C1: "),
    ("C1 settles", "C1: a cancel never settled"),
    ("C1 the whole subtree", "C1: "),
    ("C2 only shortens", "C2: a grace grew"),
    ("C3 background lives on", "C3: "),
    ("C3 ends with its parent", "C3: "),
    ("C3 foreground ends", "C3: "),
    ("C3 seals what ends with its parent", "C1: "),
    ("C3 waits for them", "C3: "),
    ("C3 works for the open run", "C3: "),
    ("C3 works for this run", "C3: "),
    ("C4 a closed one is silent", "C4: a closed session spoke"),
    ("C4 goes in the end", "C4: "),
    ("C4 never the default one", "C4: the default"),
    ("C4 stops what runs", "C4: "),
    ("D1 counts children", "open children"),
    ("D1 depth", "D1: depth"),
    ("D1 sessions", "D1: "),
    ("D1 slots", "D1: "),
    ("D1 tasks", "D1: "),
    ("D1 width", "D1: "),
    ("D2 maxQueued", "D2: "),
    ("D2 order", "D2: "),
    ("D2 reject", "D2: "),
    ("D2 raises what is waited for", "D2: "),
    ("D2 waiter's priority", "D2: "),
    ("D3 queue", "D3: "),
    ("D3 slots", "D3: "),
    ("D7 conflicts", "D7: "),
    ("D7 maxIdempotencyKeys", "D7: "),
    ("D7 the first task", "D7: "),
    ("D8 cancels what is queued", "D8: "),
    ("D8 cancels what runs", "D8: "),
    ("D8 only shortens", "D8: a drain"),
    ("D8 refuses spawns", "D8: a task was admitted"),
    ("D8 starts no message", "D8: run"),
    ("D8 waits for what runs", "D8: a drain ended"),
    ("J1 refuses what can't follow", "J1: "),
    ("J3 a drain is over", "J3: a drain outlived"),
    ("J3 books open holds", "J3: "),
    ("J3 ends what was in flight", "J3: a run goes on"),
    ("J3 host functions are gone", "J3: a run goes on"),
    ("J3 leases return", "J3: a notice is still"),
    ("J3 waits are gone", "J3: "),
    ("J3 wakes", "J3: session"),
    ("L2 ends once", "L2: "),
    ("L4 the first reason stands", "L4: an answer ends"),
    ("L4 what it was told counts", "L4: "),
    ("L5 fires the signal", "L5: not aborted"),
    ("L6 goes on", "L6: "),
    ("L6 last host function", "L6: run"),
    ("L7 not below a closed one", "L7: "),
    ("L7 not under a close", "L7: "),
    ("L7 not while draining", "L7: "),
    ("L7 reopens what is closed", "L7: "),
    ("L7 resumed by whoever closed it", "L7: "),
    ("L7 revived by whoever joined its stop", "L7: "),
    ("L7 revived by whoever stopped it", "L7: "),
    ("L8 makes room at last", "L8: "),
    ("L8 never one not collected", "L8: "),
    ("L8 none for nobody", "L8: "),
    ("L8 nothing open", "L8: "),
    ("L8 releases what has ended", "L8: the result of"),
    ("L8 retain", "`retain` is"),
    ("M1 steers reach the turn", "M5: "),
    ("M2 maxMessages", "M2: "),
    ("M2 an unheard message", "M2: what run"),
    ("M4 background lives on", "C3: "),
    ("M4 holds the queue", "M4: "),
    ("M5 one question", "M5: "),
    ("M5 somebody can answer", "M5: "),
    ("N1 moves on", "N1: "),
    ("N1 one for each end", "N1: "),
    ("N1 the nearest at work", "N1: "),
    ("N2 forgets no end below", "L8: "),
    ("N2 leases end", "is armed for"),
    ("N2 maxDeliveries", "N2: "),
    ("N2 one's own", "N2: "),
    ("N3 the next turn acknowledges", "N3: a turn began"),
    ("N3 wakes", "N3: "),
    ("P1 finishes well", "P1: "),
    ("P1 its report is the output", "P1: "),
    ("P1 withholds what was refused", "had been refused"),
    ("P2 never what is blocked", "P2: "),
    ("P2 of its parent's", "P2: "),
    ("P2 what it was given", "P2: "),
    ("P2 its parent's model", "P2: "),
    ("P3 counts to its limit", "P3: call"),
    ("P3 forces for open to-dos", "P3: "),
    ("P3 forces no turn past the bounds", "P3: "),
    ("R1 cuts", "R1: "),
    ("R1 pages", "R1: "),
    ("S1 gives its slot up", "waits, parks"),
    ("S1 no turn without a slot", "S1: a turn began without a slot"),
    ("S1 until its last wait", "waits, parks"),
    ("S2 before new starts", "S2: "),
    ("S2 no turn over the limit", "S2: a turn began over the limit"),
    ("S2 over the limit", "S2: "),
    ("S3 its deadline", "S3: "),
    ("S4 books the hold", "S4: "),
    ("S4 counts the abandoned", "abandoned is"),
    ("S4 keeps its slot", "D4: "),
    ("S4 maxAbandoned", "S4: a run started beside"),
    ("T1 an approval gives the slot up", "T1: a policy"),
    ("T1 grace", "T1: "),
    ("T1 stands still", "T1: told to wrap up"),
    ("T2 silence", "T2: "),
    ("T2 stands still", "T2: "),
    ("T3 never backwards", "T3: "),
    ("T3 wakes in time", "is due, but the timer"),
    ("W1 all of them", "W1: a wait ended for nothing"),
    ("W2 any end not collected", "W2: "),
    ("W2 heard by waiting", "N1: "),
    ("W4 a wait hands over", "W4: "),
    ("X1 cools down", "X1: "),
    ("X1 maxCooldowns", "X1: "),
    ("X1 only lengthens", "X1: "),
    ("X1 staggerMs", "X1: "),
    ("X2 the states sum to the total", "the counts are"),
    ("a refusal changes nothing", "left facts"),
    ("the same facts each time", "gave other facts"),
    ("the state is the fold of the facts", "the fold of the facts"),
];

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

/// The list is the core's: every switch that the core asks for is tried, and no other.
#[test]
fn the_list_names_the_switches_of_the_core() {
    let mut asked = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.file_name().is_some_and(|name| name != "sabotage.rs") {
                let text = fs::read_to_string(entry).expect("a source file");
                let names = text.split("holds!(\"").skip(1).filter_map(|rest| rest.split_once('"'));
                asked.extend(names.map(|(name, _)| name.to_owned()));
            }
        }
    }
    let listed: BTreeSet<String> = SABOTEURS.iter().map(|(rule, _)| (*rule).to_owned()).collect();
    assert_eq!(asked, listed);
}
