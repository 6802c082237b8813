//! Recomputes all costs from the reports, and compares them at every node. A replay without prices must give the same.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use proptest::prelude::*;
use subagents::{
    Actor, Amounts, Input, Key, Kinds, Manager, ModelPrice, Nanos, Outcome, ROOT, Reading, Reply, ReportedTokens, Spawn, State, UNCAPPED,
    Usage, read_all,
};

const MODELS: [&str; 2] = ["dear", "cheap-1"];
/// Of each model what a million tokens cost, in nano-dollars: fresh, from the cache, written.
const PRICES: [[u64; 3]; 2] = [[15_333_333, 1_700_001, 75_000_007], [999_999, 100_003, 4_000_001]];

/// One report: which model, fresh tokens, tokens from the cache, tokens out, and dollars where the host says them.
type Report = (usize, u64, u64, u64, Option<u64>);

/// One run: its reports, then the dollars of its total, or none.
type Life = (Vec<Report>, Option<u64>);

fn prices() -> Vec<ModelPrice> {
    let of = |model: &str, [input, read, output]: [u64; 3]| ModelPrice {
        model: model.into(),
        input: Nanos(input),
        output: Nanos(output),
        cache_read: Some(Nanos(read)),
        ..ModelPrice::default()
    };
    vec![of("dear", PRICES[0]), of("cheap*", PRICES[1])]
}

fn told((model, fresh, read, out, _): Report) -> Box<ReportedTokens> {
    let kinds = Kinds { input_tokens: Some(fresh + read), output_tokens: Some(out), cache_read_tokens: Some(read), ..Kinds::NONE };
    Box::new(ReportedTokens { kinds, model_id: Some(MODELS[model].into()), ..ReportedTokens::default() })
}

/// What the tokens of one model cost in all, rounded down once.
fn cost(model: usize, [fresh, read, out]: [u64; 3]) -> u64 {
    let [input, cached, output] = PRICES[model];
    (fresh * input + read * cached + out * output) / 1_000_000
}

/// What a run costs: what the host said itself, and what prices come to for the rest, unless its total says otherwise. Also its
/// tokens, and those of them that count against a cap where the cache counts for a quarter.
fn expected((reports, total): &Life) -> (u64, u64, u64) {
    let mut tokens = [[0_u64; 3]; 2];
    let (mut said, mut priced, mut all, mut cached) = (0, 0, 0, 0);
    for &(model, fresh, read, out, nanos) in reports {
        let before = cost(model, tokens[model]);
        for (sum, more) in tokens[model].iter_mut().zip([fresh, read, out]) {
            *sum += more;
        }
        match nanos {
            Some(nanos) => said += nanos,
            None => priced += cost(model, tokens[model]) - before,
        }
        all += fresh + read + out;
        cached += read;
    }
    let spent = total.map_or(said + priced, |total| total.max(said));
    (spent, all, all - cached * 750 / 1_000)
}

fn lives() -> impl Strategy<Value = Vec<Life>> {
    let tokens = || 0..50_000_u64;
    let report = (0..2_usize, tokens(), tokens(), tokens(), prop::option::weighted(0.3, 0..9_000_000_u64));
    prop::collection::vec((prop::collection::vec(report, 0..8), prop::option::of(0..9_000_000_u64)), 1..5)
}

proptest! {
    #[test]
    fn b11_what_is_booked_is_what_a_second_count_of_the_reports_comes_to(lives in lives(), nested: bool) {
        let mut manager = Manager::new();
        manager.listen(true);
        let mut now = 0;
        let mut say = |manager: &mut Manager, actor: Actor, input: Input| -> Reply {
            now += 1;
            let reply = manager.handle(now, actor, input).expect("it is taken");
            manager.check_invariants().expect("all invariants hold");
            reply
        };
        let limits = vec![("countCacheReads".into(), 250), ("maxConcurrent".into(), 9), ("maxDepth".into(), 9)];
        say(&mut manager, Actor::Program, Input::SetLimits(limits));
        say(&mut manager, Actor::Program, Input::SetBudget(Amounts { tokens: 1 << 40, nanos: 1 << 50, turns: UNCAPPED }.into()));
        say(&mut manager, Actor::Program, Input::SetPrices(prices()));
        let (mut above, mut tasks): (Actor, Vec<Key>) = (Actor::Program, Vec::new());
        for _ in &lives {
            let spawn = Spawn { text: Some("work".into()), ..Spawn::default() };
            let Reply::Node(task) = say(&mut manager, above, Input::Spawn(spawn)) else { panic!("it is admitted") };
            tasks.push(task);
            if nested {
                above = Actor::Run(task, 1);
            }
        }
        // From below, so that no end stops another run.
        let mut sums = (0, 0, 0);
        for (task, life) in tasks.iter().zip(&lives).rev() {
            let (reports, total) = life;
            for report in reports {
                let &(_, fresh, read, out, nanos) = report;
                let usage = Usage {
                    tokens: Reading::Is(fresh + read + out),
                    nanos: nanos.map_or(Reading::Missing, Reading::Is),
                    ..Usage::default()
                };
                let input = Input::Report { usage, tokens: Some(told(*report)), context_tokens: None, message: None };
                say(&mut manager, Actor::Run(*task, 1), input);
            }
            let usage = Usage { nanos: total.map_or(Reading::Missing, Reading::Is), ..Usage::default() };
            let outcome = Outcome { usage, output: "done".into(), ..Outcome::default() };
            say(&mut manager, Actor::Program, Input::HostReturned { task: *task, run: 1, outcome });
            let (nanos, tokens, counted) = expected(life);
            let node = manager.state().node(task.index);
            prop_assert_eq!((node.last_usage.nanos, node.last_usage.tokens), (nanos, tokens));
            sums = (sums.0 + nanos, sums.1 + tokens, sums.2 + counted);
            if nested {
                prop_assert_eq!((node.account.spent.nanos, node.account.spent.tokens), (sums.0, sums.2), "B2: its own and all below");
            }
        }
        let root = manager.state().node(ROOT).account;
        prop_assert_eq!((root.spent.nanos, root.spent.tokens, root.reserved), (sums.0, sums.2, Amounts::ZERO));
        // By model all adds up, but for what was said without a model.
        let by_model = manager.state().costs.iter().fold(Amounts::ZERO, |sum, cost| sum.plus(cost.spent));
        prop_assert!(root.spent.lacks(by_model).is_none());
        prop_assert_eq!(by_model.tokens, root.spent.tokens);

        // Who folds the facts needs no price.
        let facts = read_all(&manager.take_facts()).expect("its own facts read back");
        let mut folded = State::new();
        for (at, fact) in facts {
            prop_assert!(folded.may_follow(&fact), "{} may not follow", fact.name());
            folded.apply(at, fact);
        }
        prop_assert_eq!(folded.node(ROOT).account, root);
        prop_assert_eq!(&folded.costs, &manager.state().costs);
    }
}
