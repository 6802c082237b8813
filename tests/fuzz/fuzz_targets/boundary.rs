//! The boundary: whatever numbers and bytes JavaScript hands over, decoding them never panics, the core takes
//! or refuses what they say, everything that must hold between two inputs does, and every view of it is written.
//!
//! The decoding is the boundary's own (`src/wasm/numbers.rs`, `src/wasm/texts.rs`); what follows stands in for
//! the exported methods, which only name the numbers.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use numbers::{NANOS, instant, option, reading, signed};
use subagents::{
    ALWAYS_BLOCKED, Actor, Amounts, Answer, Answers, Bounds, Caps, Defaults, Effect, Estimate, ResultDetails, Input, Key, KeyRate, Kinds, Manager, Mode,
    ModelPrice, NONE, Nanos, OPERATOR_TOOLS, OnParentEnd, Once, Outcome, Point, RunOutput, ROOT, Reader, Reply, Retry, RetryEnded, Returned, Ruling,
    SEND_TOOLS, SPAWN_TOOLS, Spawn, Spec, Staged, State, StopReason, TABLE, Text, ReportedTokens, UNCAPPED, UNLIMITED, Unit, Usage, ModelLimits,
    read_all,
};
use texts::Texts;

// The target needs only a part of it, and the lint that it expects is one of the core alone.
#[allow(dead_code, unfulfilled_lint_expectations)]
#[path = "../../../src/wasm/numbers.rs"]
mod numbers;
#[path = "../../../src/wasm/texts.rs"]
mod texts;
#[path = "../../core/common/every_view.rs"]
mod every_view;

// The names by which those files know the core.
mod base {
    pub(crate) mod amounts {
        pub(crate) use subagents::UNCAPPED;
    }
    pub(crate) mod codec {
        pub(crate) use subagents::Text;
    }
    pub(crate) mod slab {
        pub(crate) use subagents::Key;
    }
}
mod model {
    pub(crate) use subagents::codes;
    pub(crate) mod outcome {
        pub(crate) use subagents::Reading;
    }
}

/// What JavaScript says next: a number that a program would give, or any bits; and the texts in the scratch.
struct Caller<'a, 'b> {
    bytes: &'b mut Unstructured<'a>,
    scratch: [u8; 24],
}

impl Caller<'_, '_> {
    fn number(&mut self) -> Result<f64> {
        let usual = [-1.0, 0.0, 1.0, 2.0, 0.5, 10.0, 100.0, 2_000.0, 1e6, 9_007_199_254_740_991.0, f64::NAN, f64::INFINITY];
        Ok(match self.bytes.int_in_range(0..=usual.len())? {
            at if at < usual.len() => usual[at],
            _ => f64::from_bits(self.bytes.arbitrary()?),
        })
    }

    fn small(&mut self) -> Result<u32> {
        if self.bytes.ratio(1, 12)? { self.bytes.arbitrary() } else { self.bytes.int_in_range(0..=6) }
    }

    fn flag(&mut self) -> Result<bool> {
        self.bytes.arbitrary()
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> Result<T> {
        self.bytes.choose(list).copied()
    }

    /// The length of a text: of one that is there, of none, and seldom any at all.
    fn len(&mut self) -> Result<u32> {
        Ok(match self.bytes.int_in_range(0..=33)? {
            len @ 0..=24 => len,
            25 => self.bytes.arbitrary()?,
            _ => NONE,
        })
    }

    /// Texts of different places begin alike, so that names meet.
    fn some_text(&mut self) -> Result<Option<Text>> {
        let len = self.len()?;
        Ok(Texts::new(&self.scratch).next(len))
    }

    fn text(&mut self) -> Result<Text> {
        Ok(self.some_text()?.unwrap_or_default())
    }

    /// The name of a tool: one that the core knows, or any.
    fn tool(&mut self) -> Result<Text> {
        let known = [SPAWN_TOOLS, SEND_TOOLS, OPERATOR_TOOLS, ALWAYS_BLOCKED].concat();
        if self.flag()? { Ok(self.one_of(&known)?.into()) } else { self.text() }
    }

    fn tools(&mut self) -> Result<Vec<Text>> {
        (0..self.bytes.int_in_range(0..=2)?).map(|_| self.tool()).collect()
    }

    fn key(&mut self) -> Result<Key> {
        Ok(Key { index: self.small()?, generation: if self.bytes.ratio(1, 10)? { self.small()? } else { 1 } })
    }

    fn run(&mut self) -> Result<u32> {
        self.bytes.int_in_range(0..=2)
    }

    fn actor(&mut self) -> Result<Actor> {
        let (key, run) = (self.key()?, self.run()?);
        Ok(match (key.index, run) {
            (ROOT, _) => Actor::Program,
            (_, 0) => Actor::Session(key),
            (_, run) => Actor::Run(key, run),
        })
    }

    fn option(&mut self) -> Result<Option<u64>> {
        Ok(option(self.number()?, 1.0))
    }

    fn dollars(&mut self) -> Result<Option<u64>> {
        Ok(option(self.number()?, NANOS))
    }

    fn caps(&mut self) -> Result<Caps> {
        Ok(Caps { tokens: self.option()?, nanos: self.dollars()?, turns: self.option()? })
    }

    /// Amounts; `absent` stands for those that are not given.
    fn amounts(&mut self, absent: u64) -> Result<Amounts> {
        Ok(self.caps()?.over(Amounts { tokens: absent, nanos: absent, turns: absent }))
    }

    fn usage(&mut self) -> Result<Usage> {
        let (tokens, cost, turns) = (self.number()?, self.number()?, self.number()?);
        Ok(Usage { tokens: reading(tokens, 1.0), nanos: reading(cost, NANOS), turns: reading(turns, 1.0), instead: 0, priced: false })
    }

    /// The tokens by kind and their model, where any are reported.
    fn told(&mut self) -> Result<Option<Box<ReportedTokens>>> {
        if !self.flag()? {
            return Ok(None);
        }
        let kinds = Kinds {
            input_tokens: reading(self.number()?, 1.0).known(),
            output_tokens: reading(self.number()?, 1.0).known(),
            cache_read_tokens: reading(self.number()?, 1.0).known(),
            cache_write_tokens: reading(self.number()?, 1.0).known(),
            cache_write1h_tokens: reading(self.number()?, 1.0).known(),
            reasoning_tokens: reading(self.number()?, 1.0).known(),
            estimated: self.flag()?,
        };
        Ok(Some(Box::new(ReportedTokens { kinds, model_id: self.some_text()?, otherwise: self.some_text()?, unread: false })))
    }

    fn prices(&mut self) -> Result<Vec<ModelPrice>> {
        let mut price = || {
            let [input, output] = [self.dollars()?, self.dollars()?].map(|nanos| Nanos(nanos.unwrap_or(0)));
            let [cache_read, cache_write, cache_write1h] =
                [self.dollars()?, self.dollars()?, self.dollars()?].map(|nanos| nanos.map(Nanos));
            Ok(ModelPrice { model: self.text()?, input, output, cache_read, cache_write, cache_write1h })
        };
        Ok(vec![price()?, price()?])
    }

    fn rates(&mut self) -> Result<Vec<KeyRate>> {
        let mut rate =
            || Ok(KeyRate { key: self.text()?, requests_per_minute: self.option()?, tokens_per_minute: self.option()? });
        Ok(vec![rate()?, rate()?])
    }

    fn retry(&mut self) -> Result<Option<Box<Retry>>> {
        let Some(max) = self.option()? else { return Ok(None) };
        let on = if self.flag()? { vec![self.one_of(StopReason::ALL)?] } else { Retry::USUALLY_ON.to_vec() };
        Ok(Some(Box::new(Retry { max, backoff_ms: self.option()?.unwrap_or(Retry::BACKOFF_MS), on })))
    }

    /// What is staged for a spawn: up to three options of all that there are.
    fn spec(&mut self) -> Result<Option<Box<Spec>>> {
        if self.bytes.ratio(1, 2)? {
            return Ok(None);
        }
        let given = [self.one_of(Spec::STAGED)?, self.one_of(Spec::STAGED)?, self.one_of(Spec::STAGED)?];
        Ok(Some(Box::new(Spec::from_staged(&mut Options { caller: self, given }))))
    }

    fn spawn(&mut self) -> Result<Spawn> {
        let (turns, nanos) = if self.bytes.ratio(1, 4)? { (self.option()?, self.dollars()?) } else { (None, None) };
        let Caps { tokens, nanos: cost, turns: cap } = self.caps()?;
        Ok(Spawn {
            text: self.some_text()?,
            background: self.flag()?,
            tokens,
            nanos: cost,
            turns: cap,
            answers: self.one_of(&[Answers::Yes, Answers::WithTool, Answers::No, Answers::Sends])?,
            limits: ModelLimits { turns, nanos },
            spec: self.spec()?,
        })
    }

    fn once(&mut self) -> Result<Once> {
        let retry_ended = match self.bytes.int_in_range(0..=3)? {
            0 => Some(RetryEnded::Bad),
            1 => Some(RetryEnded::On(vec![self.one_of(StopReason::ALL)?])),
            _ => None,
        };
        let (parameters, work) = (self.text()?, self.text()?);
        Ok(Once { spawn: self.spawn()?, key: self.text()?, parameters, work, retry_ended })
    }

    fn outcome(&mut self) -> Result<Outcome> {
        let returned = Returned::from_number(self.bytes.int_in_range(0..=7)?).unwrap_or(Returned::Invalid);
        let (usage, output) = (self.usage()?, self.text()?);
        let output = match self.bytes.int_in_range(0..=3)? {
            // The scratch as it is: lengths that lead anywhere.
            0 => {
                let (scratch, duration_ms) = (self.scratch, reading(self.number()?, 1.0).known());
                let mut texts = Texts::new(&scratch);
                RunOutput::new(output, ResultDetails::of(|| texts.next_framed(), duration_ms))
            }
            1 => {
                let duration_ms = reading(self.number()?, 1.0).known();
                let framed = || {
                    let frame = [&self.len().ok()?.to_le_bytes(), &self.scratch[..]].concat();
                    Texts::new(&frame).next_framed()
                };
                RunOutput::new(output, ResultDetails::of(framed, duration_ms))
            }
            _ => output.into(),
        };
        Ok(Outcome { returned, usage, output, tokens: self.told()? })
    }

    fn limit(&mut self) -> Result<(Text, u64)> {
        let row = &TABLE[self.bytes.choose_index(TABLE.len())?];
        let value = option(self.number()?, if row.unit == Unit::Dollars { NANOS } else { 1.0 });
        Ok((row.name.into(), value.filter(|value| *value >= row.unit.least()).unwrap_or(row.default)))
    }

    /// The inputs that come often have several numbers.
    fn input(&mut self) -> Result<Input> {
        if self.bytes.ratio(1, 40)? {
            // Any bytes are a command, or refused.
            let mut reader = Reader::new(self.bytes.bytes(12)?);
            let read = Input::take(&mut reader);
            return Ok(if reader.has_failed() { Input::Tick } else { read });
        }
        Ok(match self.bytes.int_in_range(0..=79)? {
            0..=9 => Input::Spawn(self.spawn()?),
            10..=12 => Input::SpawnOnce(Box::new(self.once()?)),
            13..=14 => Input::TakeRun(self.key()?),
            15..=22 => Input::HostReturned { task: self.key()?, run: self.run()?, outcome: self.outcome()? },
            23 => {
                let targets = (0..self.bytes.int_in_range(0..=3)?).map(|_| self.key()).collect::<Result<_>>()?;
                Input::Wait { targets, all: self.flag()?, idle: self.flag()?, timeout_ms: self.option()? }
            }
            24 => Input::WaitFor { target: self.key()?, timeout_ms: self.option()? },
            25 => Input::EndWait(self.key()?),
            26..=28 => Input::BeginTurn { estimate: Estimate { tokens: self.option()?, nanos: self.dollars()? }, whole: self.flag()? },
            29..=30 => {
                let usage = Usage { turns: Default::default(), ..self.usage()? };
                Input::Report {
                    usage,
                    tokens: self.told()?,
                    context_tokens: reading(self.number()?, 1.0).known(),
                    message: self.some_text()?,
                }
            }
            31..=33 => {
                Input::Send { task: self.key()?, mode: self.one_of(&[Mode::Queue, Mode::Steer, Mode::Interrupt])?, text: self.text()? }
            }
            34..=35 => Input::Cancel { task: self.key()?, reason: self.one_of(StopReason::ALL)?, grace_ms: self.option()? },
            36 => Input::Forget(self.key()?),
            37 => Input::AddBudget { task: self.key()?, amount: self.amounts(0)? },
            38 => Input::SetBudget(self.caps()?),
            39 => {
                let reject = if self.flag()? { Some(self.flag()?) } else { None };
                let on_parent_end = if self.flag()? { Some(self.one_of(OnParentEnd::ALL)?) } else { None };
                Input::SetDefaults(Defaults { task_cap: self.caps()?, retry: self.retry()?, reject, on_parent_end })
            }
            40..=42 => Input::SetLimits((0..self.bytes.int_in_range(0..=2)?).map(|_| self.limit()).collect::<Result<_>>()?),
            43 => Input::Interrupt { task: self.key()?, grace_ms: self.option()? },
            44..=45 => Input::Ask { question: self.text()?, timeout_ms: self.option()? },
            46 => Input::Lease { max: self.option()?, lease_ms: self.option()? },
            47 => Input::StartedElsewhere { task: self.key()?, run: self.run()? },
            48 => Input::NameElsewhere { task: self.key()?, run: self.run()?, host_task_id: self.text()? },
            51 => Input::Seed(self.bytes.arbitrary()?, self.bytes.arbitrary()?),
            52 => Input::OpenSession(self.text()?),
            53 => Input::RegisterSession(self.key()?),
            54 => Input::SetTools(self.key()?, if self.flag()? { Some(self.tools()?) } else { None }),
            55 => Input::SetModel(self.key()?, self.some_text()?),
            56 => Input::ReplaceHost { resumes: self.flag()? },
            57..=58 => Input::Close { task: self.key()?, grace_ms: self.option()? },
            59 => Input::Resume(self.key()?),
            60 => {
                let reason = self.one_of(&[StopReason::Closed, StopReason::SignalAborted])?;
                Input::CloseSession { session: self.key()?, reason, grace_ms: self.option()? }
            }
            49..=50 => Input::TakeRun(self.key()?),
            61 => Input::MoveToBackground(self.key()?),
            62 => Input::Woken(self.key()?),
            63..=64 => Input::Ack { task: self.key()?, run: self.run()? },
            65 => Input::ReportRateLimit {
                retry_after_ms: self.option()?.unwrap_or(0),
                remaining_requests: self.option()?,
                remaining_tokens: self.option()?,
            },
            66 => Input::ReleaseResult(self.key()?),
            67 => Input::SetSessionBudget(self.key()?, self.amounts(UNCAPPED)?),
            68..=69 => {
                let (point, answer, reason) = (self.one_of(Point::ALL)?, self.one_of(Answer::ALL)?, self.one_of(StopReason::ALL)?);
                Input::Rule(Ruling { point, answer, reason, policy: self.text()?, text: self.text()? })
            }
            70 => Input::AwaitApproval,
            71 => Input::Approved { starting: self.flag()? },
            72 => Input::Count { policy: self.text()?, limit: self.option()?.unwrap_or(UNLIMITED), todos: self.flag()? },
            73 => Input::Todos { open: self.small()?.into(), todos: self.text()? },
            74 => Input::Checkpoint(self.text()?),
            75 => Input::BeginTool(self.tool()?),
            76 => Input::EndTool(self.flag()?),
            77 => {
                let mut bound = || Ok(self.option()?.unwrap_or(UNLIMITED));
                Input::BeginMainTurn(Bounds { turns: bound()?, context_tokens: bound()?, ms: bound()? })
            }
            78 => Input::EndMain,
            _ => match self.bytes.int_in_range(0..=15)? {
                13 => Input::Save(self.text()?),
                14 => Input::Acquire { task: self.key()?, data: self.some_text()? },
                15 => Input::Released(self.small()?.into()),
                6 => Input::StoodStill(self.option()?.unwrap_or(0)),
                7 => Input::WaitsWithin { wait: self.key()?, task: self.key()?, run: self.run()? },
                8 => Input::NoteHost { task: self.key()?, run: self.run()?, called: self.flag()? },
                9 => Input::AwaitNotice,
                11 => Input::SetPrices(self.prices()?),
                12 => Input::SetRates(self.rates()?),
                10 => {
                    let wait = if self.flag()? { Some(self.key()?) } else { None };
                    Input::AbortCall { task: self.key()?, wait, reads: self.flag()? }
                }
                0 => Input::Drain { timeout_ms: self.option()?.unwrap_or(UNLIMITED) },
                1 => Input::BlockTools(self.tools()?),
                _ => Input::Tick,
            },
        })
    }
}

/// The input as the core gets it: a command goes over as bytes.
fn over_the_boundary(input: Input) -> Input {
    let mut bytes = Vec::new();
    if !input.put(&mut bytes) {
        return input;
    }
    let mut reader = Reader::new(&bytes);
    let read = Input::take(&mut reader);
    assert!(!reader.has_failed() && reader.is_done() && read == input, "a command reads back as it was: {input:?}");
    read
}

/// Any bytes are a reply and an effect, or refused; what was read reads back from its own bytes.
fn replies_and_effects(bytes: &[u8]) {
    fn reads_back<T: PartialEq + std::fmt::Debug>(bytes: &[u8], take: fn(&mut Reader<'_>) -> T, put: fn(&T, &mut Vec<u8>) -> bool) {
        let mut reader = Reader::new(bytes);
        let read = take(&mut reader);
        let mut written = Vec::new();
        if reader.has_failed() || !put(&read, &mut written) {
            return;
        }
        let mut again = Reader::new(&written);
        assert!(take(&mut again) == read && again.is_done() && !again.has_failed(), "it reads back as it was: {read:?}");
    }
    reads_back(bytes, Reply::take, Reply::put);
    reads_back(bytes, Effect::take, Effect::put);
}

/// Compiles as long as these are all the inputs that there are: one that comes to them has to be made above, too.
const fn is_made(input: &Input) {
    match input {
        Input::Seed(..) | Input::SetLimits(..) | Input::SetBudget(..) | Input::SetDefaults(..) | Input::OpenSession(..) => {}
        Input::SetPrices(..) | Input::SetRates(..) => {}
        Input::RegisterSession(..) | Input::SetTools(..) | Input::SetModel(..) | Input::Spawn(..) | Input::Send { .. } => {}
        Input::Interrupt { .. } | Input::Ask { .. } | Input::BeginTurn { .. } | Input::Report { .. } => {}
        Input::ReplaceHost { .. } | Input::HostReturned { .. } | Input::StartedElsewhere { .. } | Input::NameElsewhere { .. } => {}
        Input::Wait { .. }
        | Input::WaitFor { .. }
        | Input::WaitsWithin { .. }
        | Input::EndWait(..)
        | Input::Cancel { .. }
        | Input::Forget(..) => {}
        Input::Close { .. } | Input::Resume(..) | Input::CloseSession { .. } | Input::AddBudget { .. } | Input::Drain { .. } => {}
        Input::TakeRun(..) => {}
        Input::MoveToBackground(..) | Input::Lease { .. } | Input::Woken(..) | Input::Ack { .. } => {}
        Input::SpawnOnce(..) => {}
        Input::ReportRateLimit { .. } | Input::ReleaseResult(..) | Input::SetSessionBudget(..) | Input::Rule(..) => {}
        Input::NoteHost { .. } | Input::AwaitNotice | Input::AbortCall { .. } => {}
        Input::AwaitApproval | Input::Approved { .. } | Input::Count { .. } | Input::Todos { .. } | Input::Checkpoint(..) => {}
        Input::Save(..) | Input::Acquire { .. } | Input::Released(..) => {}
        Input::BeginTool(..)
        | Input::EndTool(_)
        | Input::BlockTools(..)
        | Input::BeginMainTurn(..)
        | Input::EndMain
        | Input::StoodStill(_)
        | Input::Tick => {}
    }
}

/// The options of a spawn as the core reads them, of which a few are given.
struct Options<'o, 'a, 'b> {
    caller: &'o mut Caller<'a, 'b>,
    given: [&'static str; 3],
}

impl Options<'_, '_, '_> {
    fn read<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> Result<Option<T>>) -> Option<T> {
        if self.given.contains(&name) { read(self).ok().flatten() } else { None }
    }
}

impl Staged for Options<'_, '_, '_> {
    fn text(&mut self, name: &str) -> Option<Text> {
        self.read(name, |options| match name {
            "onParentEnd" => Ok(Some(options.caller.one_of(OnParentEnd::ALL)?.name().into())),
            _ => options.caller.some_text(),
        })
    }
    fn texts(&mut self, name: &str) -> Option<Vec<Text>> {
        self.read(name, |options| options.caller.tools().map(Some))
    }
    fn count(&mut self, name: &str) -> Option<u64> {
        self.read(name, |options| options.caller.option())
    }
    fn dollars(&mut self, name: &str) -> Option<u64> {
        self.read(name, |options| options.caller.dollars())
    }
    fn integer(&mut self, name: &str) -> Option<i64> {
        self.read(name, |options| Ok(Some(signed(options.caller.number()?))))
    }
    fn retry(&mut self, name: &str) -> Option<Box<Retry>> {
        self.read(name, |options| options.caller.retry())
    }

    fn prices(&mut self, name: &str) -> Option<Vec<ModelPrice>> {
        self.read(name, |options| options.caller.prices().map(Some))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let _ = play(bytes);
});

fn play(bytes: &[u8]) -> Result<()> {
    let mut bytes = Unstructured::new(bytes);
    let scratch: [u8; 24] = bytes.arbitrary()?;
    replies_and_effects(&scratch);
    let mut caller = Caller { bytes: &mut bytes, scratch };
    let mut manager = Manager::new();
    manager.listen(true);
    let mut folded = State::new();
    let mut clock = 0;
    for step in 0..60 {
        if caller.bytes.is_empty() {
            break;
        }
        let (time, actor, input) = (instant(caller.number()?), caller.actor()?, over_the_boundary(caller.input()?));
        is_made(&input);
        // Mostly the clock goes on a little or stands still; sometimes it is set to anything, behind what it was as well.
        let now = if caller.bytes.ratio(1, 16)? { time } else { time.min(100_000).saturating_add(clock) };
        clock = now.min(1 << 53);
        let shown = format!("{actor:?} {input:?}");
        let _ = manager.handle(clock, actor, input);
        let _ = manager.take_effects();
        if let Err(error) = manager.check_invariants() {
            panic!("{error}\nafter {shown}");
        }
        let facts = manager.take_facts();
        for (at, fact) in read_all(&facts).expect("the manager's own facts read back") {
            folded.apply(at, fact);
        }
        // Each time would take longer than all the rest.
        if step % 8 == 7 {
            every_view::see_all(&manager, clock, &mut Vec::new());
        }
    }
    every_view::see_all(&manager, clock, &mut Vec::new());
    assert!(folded == *manager.state(), "the state is the fold of the facts");
    Ok(())
}
