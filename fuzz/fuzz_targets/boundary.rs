//! The boundary: whatever numbers and bytes JavaScript hands over, decoding them never panics, the core takes
//! or refuses what they say, and everything that must hold between two inputs does.
//!
//! The decoding is the boundary's own (`src/wasm/numbers.rs`, `src/wasm/texts.rs`); what follows stands in for
//! the exported methods, which only name the numbers.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use numbers::{NANOS, instant, option, reading};
use subagents::{Actor, Amounts, Input, Key, Manager, Mode, Outcome, Returned, Product, Extras, Spawn, Spec, State, StopReason, TABLE, Usage, read_all, Estimate, Nanos};
use texts::Texts;

#[allow(dead_code, unused_imports, unfulfilled_lint_expectations)]
#[path = "../../src/wasm/numbers.rs"]
mod numbers;
#[path = "../../src/wasm/texts.rs"]
mod texts;

// The names that those files know the core by.
mod amounts {
    pub use subagents::UNCAPPED;
}
mod codec {
    pub use subagents::Text;
}
mod input {
    pub use subagents::Reading;
}
mod slab {
    pub use subagents::{Key, NONE};
}

/// What JavaScript says next: a number that a program would give, or any bits.
struct Caller<'a, 'b>(&'b mut Unstructured<'a>);

impl Caller<'_, '_> {
    fn number(&mut self) -> Result<f64> {
        let usual = [-1.0, 0.0, 1.0, 2.0, 0.5, 10.0, 100.0, 2_000.0, 1e6, 9_007_199_254_740_991.0, f64::NAN, f64::INFINITY];
        Ok(match self.0.int_in_range(0..=usual.len())? {
            at if at < usual.len() => usual[at],
            _ => f64::from_bits(self.0.arbitrary()?),
        })
    }

    fn small(&mut self) -> Result<u32> {
        if self.0.ratio(1, 12)? { self.0.arbitrary() } else { self.0.int_in_range(0..=6) }
    }

    fn len(&mut self) -> Result<u32> {
        if self.0.ratio(1, 4)? { Ok(slab::NONE) } else { self.0.int_in_range(0..=24) }
    }

    fn key(&mut self) -> Result<Key> {
        Ok(Key { index: self.small()?, generation: if self.0.ratio(1, 10)? { self.small()? } else { 1 } })
    }

    fn actor(&mut self) -> Result<Actor> {
        let (key, run) = (self.key()?, self.0.int_in_range(0..=2)?);
        Ok(match (key.index, run) {
            (subagents::ROOT, _) => Actor::Program,
            (_, 0) => Actor::Session(key),
            (_, run) => Actor::Run(key, run),
        })
    }

    fn option(&mut self) -> Result<Option<u64>> {
        Ok(option(self.number()?, 1.0))
    }

    fn amounts(&mut self) -> Result<Amounts> {
        let (tokens, cost, turns) = (self.number()?, self.number()?, self.number()?);
        let amount = |value, scale| option(value, scale).unwrap_or(0);
        Ok(Amounts { tokens: amount(tokens, 1.0), nanos: amount(cost, NANOS), turns: amount(turns, 1.0) })
    }

    fn usage(&mut self) -> Result<Usage> {
        let (tokens, cost, turns) = (self.number()?, self.number()?, self.number()?);
        Ok(Usage { tokens: reading(tokens, 1.0), nanos: reading(cost, NANOS), turns: reading(turns, 1.0) })
    }

    fn spec(&mut self) -> Result<Option<Box<Spec>>> {
        if self.0.ratio(2, 3)? {
            return Ok(None);
        }
        let spec = Spec {
            max_turns: self.option()?,
            timeout_ms: self.option()?,
            idle_timeout_ms: self.option()?,
            turn_estimate: self.option()?,
            turn_estimate_usd: self.option()?.map(Nanos),
            priority: Some(numbers::signed(self.number()?)),
            ..Spec::default()
        };
        Ok(Some(Box::new(spec)))
    }

    fn spawn(&mut self, texts: &mut Texts<'_>) -> Result<Spawn> {
        Ok(Spawn {
            text: texts.next(self.len()?),
            background: self.0.arbitrary()?,
            tokens: option(self.number()?, 1.0),
            nanos: option(self.number()?, NANOS),
            turns: option(self.number()?, 1.0),
            spec: self.spec()?,
            ..Spawn::default()
        })
    }

    fn outcome(&mut self, texts: &mut Texts<'_>) -> Result<Outcome> {
        let returned = [Returned::Completed, Returned::Failed, Returned::Cancelled, Returned::TimedOut, Returned::Threw, Returned::Invalid];
        let returned = self.0.choose(&returned)?;
        let mut next = || Ok(texts.next(self.len()?));
        let output = next()?.unwrap_or_default();
        let extras = Extras::of(|| next().ok().flatten(), None);
        Ok(Outcome { returned: *returned, usage: self.usage()?, product: Product::new(output, extras) })
    }

    fn input(&mut self, scratch: &[u8]) -> Result<Input> {
        let mut texts = Texts::new(scratch);
        let mut text = |caller: &mut Self| Ok(texts.next(caller.len()?).unwrap_or_default());
        Ok(match self.0.int_in_range(0..=28)? {
            0..=4 => Input::Spawn(self.spawn(&mut Texts::new(scratch))?),
            5 => Input::CreateTask(self.spawn(&mut Texts::new(scratch))?),
            6 => Input::MarkRunning(self.key()?),
            7 => Input::MarkEnded { task: self.key()?, outcome: self.outcome(&mut Texts::new(scratch))? },
            8..=10 => {
                let (task, run) = (self.key()?, self.0.int_in_range(0..=2)?);
                Input::Settle { task, run, outcome: self.outcome(&mut Texts::new(scratch))? }
            }
            11 => Input::Wait { targets: vec![self.key()?, self.key()?], all: self.0.arbitrary()?, idle: false, timeout_ms: self.option()? },
            12 => Input::WaitFor { target: self.key()?, timeout_ms: self.option()? },
            13 => Input::EndWait(self.key()?),
            14 => Input::BeginTurn { estimate: Estimate { tokens: self.option()?, nanos: self.option()? } },
            15 => Input::Report { usage: self.usage()?, context_tokens: self.option()?, message: Some(text(self)?) },
            16 => {
                let mode = *self.0.choose(&[Mode::Queue, Mode::Steer, Mode::Interrupt])?;
                Input::Send { task: self.key()?, mode, text: text(self)? }
            }
            17 => {
                let reason = StopReason::from_number(self.0.arbitrary()?).unwrap_or(StopReason::Cancelled);
                Input::Cancel { task: self.key()?, reason, grace_ms: self.option()? }
            }
            18 => Input::Forget(self.key()?),
            19 => Input::AddBudget { task: self.key()?, amount: self.amounts()? },
            20 => Input::SetBudget(self.amounts()?),
            21 => Input::SetDefaults(Defaults { task_cap: self.amounts()?, ..Defaults::default() }),
            22 => {
                let row = &TABLE[self.0.choose_index(TABLE.len())?];
                Input::SetLimits(vec![(row.name.into(), self.option()?.unwrap_or(row.default))])
            }
            23 => Input::Interrupt { task: self.key()?, grace_ms: self.option()? },
            24 => Input::Ask { question: text(self)?, timeout_ms: self.option()? },
            25 => Input::Lease { max: self.option()?, lease_ms: self.option()? },
            26 => Input::StartedElsewhere { task: self.key()?, run: self.0.int_in_range(0..=2)? },
            27 => Input::NameElsewhere { task: self.key()?, run: self.0.int_in_range(0..=2)?, host_task_id: text(self)? },
            _ if self.0.ratio(1, 5)? => Input::Drain { timeout_ms: self.option()?.unwrap_or(0) },
            _ => Input::Allocate(self.option()?.unwrap_or(0)),
        })
    }
}

fuzz_target!(|bytes: &[u8]| {
    let _ = play(bytes);
});

fn play(bytes: &[u8]) -> Result<()> {
    let mut unstructured = Unstructured::new(bytes);
    let scratch: [u8; 24] = unstructured.arbitrary()?;
    let mut caller = Caller(&mut unstructured);
    let mut manager = Manager::new();
    manager.listen(true);
    let mut folded = State::new();
    for _ in 0..60 {
        if caller.0.is_empty() {
            break;
        }
        let (now, actor, input) = (instant(caller.number()?), caller.actor()?, caller.input(&scratch)?);
        // Times that come from JavaScript only grow; what is said twice at once is said at the same time.
        let now = now.min(1 << 53);
        let shown = format!("{actor:?} {input:?}");
        let _ = manager.handle(now, actor, input);
        let _ = manager.take_effects();
        if let Err(error) = manager.check_invariants() {
            panic!("{error}\nafter {shown}");
        }
        let facts = manager.take_facts();
        for (at, fact) in read_all(&facts).expect("the manager's own facts read back") {
            folded.apply(at, fact);
        }
    }
    assert!(folded == *manager.state(), "the state is the fold of the facts");
    Ok(())
}
