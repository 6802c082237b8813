//! What users and models read: snapshots, lists, notices, refusals. TypeScript's tests read the same through the package.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use serde_json::{Value, json};
use subagents::view::Filter;
use subagents::{
    Actor, Amounts, Bounds, DEFAULT_SESSION, Defaults, Estimate, Input, Key, Manager, Mode, OnParentEnd, Outcome, ROOT, Reading, Rejection,
    Reply, ResultDetails, Returned, RunKey, RunOutput, Spawn, Spec, Status, StopReason, UNCAPPED, Usage, notice_view, view,
};

const SEED: (u64, u64) = (1, 2);
const PROGRAM: Actor = Actor::Program;

fn manager() -> Manager {
    let mut manager = Manager::new();
    manager.handle(5, PROGRAM, Input::Seed(SEED.0, SEED.1)).unwrap();
    manager.handle(5, PROGRAM, Input::SetLimits(vec![("maxDepth".into(), 3), ("maxConcurrent".into(), 20)])).unwrap();
    manager
}

fn node(reply: Result<Reply, Rejection>) -> Key {
    match reply {
        Ok(Reply::Node(key)) => key,
        other => panic!("it is refused: {other:?}"),
    }
}

fn spawn(manager: &mut Manager, now: u64, actor: Actor, spawn: Spawn) -> Key {
    node(manager.handle(now, actor, Input::Spawn(spawn)))
}

fn work(text: &str) -> Spawn {
    Spawn { text: Some(text.into()), ..Spawn::default() }
}

fn with_spec(spec: Spec) -> Spawn {
    Spawn { spec: Some(Box::new(spec)), ..work("work") }
}

fn background() -> Spawn {
    Spawn { background: true, ..work("work") }
}

fn settle(manager: &mut Manager, now: u64, task: Key, outcome: Outcome) {
    let run = manager.state().node(task.index).runs;
    manager.handle(now, PROGRAM, Input::HostReturned { task, run, outcome }).unwrap();
}

fn output(text: &str) -> Outcome {
    Outcome { output: text.into(), ..Outcome::default() }
}

/// The fields of a task as it stands.
fn fields<const N: usize>(manager: &Manager, task: Key, names: [&str; N]) -> [Value; N] {
    let seen = serde_json::to_value(view::task(manager.state(), task.index, 0)).unwrap();
    names.map(|name| seen.get(name).unwrap_or_else(|| panic!("there is no {name}")).clone())
}

#[test]
fn a_snapshot_goes_with_the_task_from_its_queue_to_its_end() {
    let mut manager = manager();
    manager.handle(10, PROGRAM, Input::SetLimits(vec![("maxConcurrent".into(), 1)])).unwrap();
    let first = spawn(&mut manager, 10, PROGRAM, work("first"));
    let task = spawn(&mut manager, 20, PROGRAM, work("  Read a.md\nand b.md"));
    let times = ["status", "stopReason", "createdAt", "startedAt", "endedAt", "durationMs"];
    assert_eq!(fields(&manager, task, times), [json!("pending"), json!(null), json!(20.0), json!(null), json!(null), json!(null)]);
    settle(&mut manager, 50, first, Outcome::default());
    manager.handle(60, Actor::Run(task, 1), Input::BeginTurn { estimate: Estimate::default(), whole: false }).unwrap();
    assert_eq!(fields(&manager, task, times), [json!("running"), json!(null), json!(20.0), json!(50.0), json!(null), json!(10.0)]);
    let held = ["parked", "cancelRequested", "hostStillRunning", "turns"];
    assert_eq!(fields(&manager, task, held), [json!(null), json!(false), json!(false), json!(1.0)]);
    settle(&mut manager, 80, task, output("done"));
    manager.handle(90, PROGRAM, Input::Tick).unwrap();
    assert_eq!(fields(&manager, task, times), [json!("completed"), json!("finished"), json!(20.0), json!(50.0), json!(80.0), json!(30.0)]);

    let texts = ["label", "instructions", "output", "lastInput", "lastOutput", "profile", "format"];
    let read = json!(["Read a.md", "  Read a.md\nand b.md", "done", "  Read a.md\nand b.md", "done", "minimal", "text"]);
    assert_eq!(json!(fields(&manager, task, texts)), read);
    assert_eq!(fields(&manager, task, ["taskId", "parentId", "depth"]), [json!(manager.state().id_of(task)), json!(null), json!(1)]);
}

#[test]
fn a_snapshot_of_what_has_nothing_to_do_yet() {
    let mut manager = manager();
    let idle = spawn(&mut manager, 10, PROGRAM, Spawn::default());
    let shown = ["status", "stopReason", "label", "lastInput", "lastOutput", "cancelRequested", "parked"];
    assert_eq!(json!(fields(&manager, idle, shown)), json!(["idle", null, "", null, null, false, null]));
    manager.handle(11, PROGRAM, Input::Close { task: idle, grace_ms: None }).unwrap();
    assert_eq!(fields(&manager, idle, ["status", "stopReason"]), [json!("closed"), json!("closed")]);
    manager.handle(12, PROGRAM, Input::Resume(idle)).unwrap();
    assert_eq!(fields(&manager, idle, ["status", "stopReason"]), [json!("idle"), json!(null)], "its end is no longer one");
    manager.handle(13, PROGRAM, Input::Cancel { task: idle, reason: StopReason::Cancelled, grace_ms: None }).unwrap();
    assert_eq!(fields(&manager, idle, ["status", "endedAt"]), [json!("cancelled"), json!(13.0)]);
    let done = spawn(&mut manager, 20, PROGRAM, work("work"));
    settle(&mut manager, 21, done, Outcome::default());
    for input in [Input::Close { task: done, grace_ms: None }, Input::Resume(done)] {
        manager.handle(22, PROGRAM, input).unwrap();
    }
    manager.handle(23, PROGRAM, Input::Cancel { task: done, reason: StopReason::Cancelled, grace_ms: None }).unwrap();
    assert_eq!(fields(&manager, done, ["status", "endedAt"]), [json!("cancelled"), json!(21.0)], "that of its last run");
}

#[test]
fn the_last_input_is_what_was_sent_last_whether_it_started_a_run_or_waits() {
    let mut manager = manager();
    let task = spawn(&mut manager, 10, PROGRAM, work("work"));
    let mut shown = |now, text: Option<&str>| {
        let input = match text {
            Some(text) => Input::Send { task, mode: Mode::Queue, text: text.into() },
            None => Input::HostReturned { task, run: manager.state().node(task.index).runs, outcome: Outcome::default() },
        };
        manager.handle(now, PROGRAM, input).unwrap();
        fields(&manager, task, ["lastInput"])
    };
    assert_eq!(shown(11, None), [json!("work")]);
    assert_eq!(shown(12, Some("it starts")), [json!("it starts")]);
    assert_eq!(shown(13, Some("it waits")), [json!("it waits")]);
    assert_eq!(shown(14, Some("and this")), [json!("and this")]);
    assert_eq!(shown(15, None), [json!("and this")], "that the run began which waited first is no news");
}

#[test]
fn a_snapshot_tells_of_waits_and_stops() {
    let mut manager = manager();
    let parent = spawn(&mut manager, 10, PROGRAM, work("parent"));
    let child = spawn(&mut manager, 10, Actor::Run(parent, 1), work("child"));
    assert_eq!(fields(&manager, child, ["parentId", "depth"]), [json!(manager.state().id_of(parent)), json!(2)]);
    let target = Input::WaitFor { target: child, timeout_ms: None };
    manager.handle(11, Actor::Run(parent, 1), target).unwrap();
    let stops = ["status", "parked", "cancelRequested"];
    assert_eq!(fields(&manager, parent, stops), [json!("running"), json!("children"), json!(false)]);
    manager.handle(12, PROGRAM, Input::Interrupt { task: child, grace_ms: Some(100) }).unwrap();
    assert_eq!(fields(&manager, child, stops), [json!("running"), json!(null), json!(true)], "it was told to stop");
    manager.handle(13, PROGRAM, Input::Cancel { task: parent, reason: StopReason::Cancelled, grace_ms: Some(100) }).unwrap();
    let below = spawn_refused(&mut manager, parent);
    assert_eq!(below, Rejection::Aborted);
    assert_eq!(fields(&manager, parent, ["cancelRequested"]), [json!(true)]);
    manager.handle(200, PROGRAM, Input::Tick).unwrap();
    let over = ["status", "hostStillRunning", "cancelRequested", "stopReason"];
    assert_eq!(fields(&manager, parent, over), [json!("cancelled"), json!(true), json!(false), json!("cancelled")]);
}

fn spawn_refused(manager: &mut Manager, parent: Key) -> Rejection {
    manager.handle(13, Actor::Run(parent, 1), Input::Spawn(work("late"))).expect_err("it is being cancelled")
}

#[test]
fn a_snapshot_shows_the_last_message_and_the_last_output() {
    let mut manager = manager();
    let task = spawn(&mut manager, 10, PROGRAM, work("work"));
    let send = |text: &str| Input::Send { task, mode: Mode::Queue, text: text.into() };
    manager.handle(11, PROGRAM, send("and this")).unwrap();
    assert_eq!(fields(&manager, task, ["lastInput", "queueSize"]), [json!("and this"), json!(1)], "it waits");
    settle(&mut manager, 12, task, output("first"));
    assert_eq!(fields(&manager, task, ["status", "lastOutput"]), [json!("running"), json!("first")]);
    settle(&mut manager, 13, task, Outcome::default());
    assert_eq!(fields(&manager, task, ["lastInput", "output", "lastOutput"]), [json!("and this"), json!(""), json!("first")]);
    manager.handle(14, PROGRAM, send("once more")).unwrap();
    settle(&mut manager, 15, task, Outcome::default());
    assert_eq!(fields(&manager, task, ["lastOutput"]), [json!("first")], "the last that there was");
}

#[test]
fn a_budget_is_shown_in_the_units_of_the_outside() {
    let mut manager = manager();
    manager.handle(10, PROGRAM, Input::SetBudget(Amounts { tokens: 9_000, nanos: 5_000_000_000, turns: UNCAPPED }.into())).unwrap();
    let task = spawn(&mut manager, 10, PROGRAM, Spawn { tokens: Some(4_000), ..with_spec(Spec { max_turns: Some(7), ..Spec::default() }) });
    manager.handle(11, Actor::Run(task, 1), Input::BeginTurn { estimate: Estimate::default(), whole: false }).unwrap();
    let usage = Usage { tokens: Reading::Is(1_500), nanos: Reading::Is(250_000_000), turns: Reading::Invalid, instead: 0, priced: false };
    manager.handle(12, Actor::Run(task, 1), Input::Report { usage, tokens: None, context_tokens: Some(900), message: None }).unwrap();
    let cost = serde_json::to_value(view::budget(manager.state(), ROOT)).unwrap()["costUsd"].clone();
    assert_eq!(cost, json!({ "cap": 5.0, "spent": 0.25, "reserved": 0.0, "available": 4.75, "overspent": 0.0 }));
    let [own] = fields(&manager, task, ["budget"]);
    assert_eq!((&own["tokens"]["cap"], &own["tokens"]["spent"]), (&json!(4_000.0), &json!(1_500.0)));
    assert!(view::budget(manager.state(), ROOT).turns.cap.0.0.is_infinite());
    // The least cap on the path, where it has none of its own (B1).
    assert!((view::run_limits(manager.state(), task.index).cost_usd.0 - 5.0).abs() < f64::EPSILON);
    assert!((view::run_limits(manager.state(), task.index).max_turns.0 - 7.0).abs() < f64::EPSILON);
    let costly = spawn(&mut manager, 12, PROGRAM, Spawn { nanos: Some(2_500_000_000), ..Spawn::default() });
    assert!((view::run_limits(manager.state(), costly.index).cost_usd.0 - 2.5).abs() < f64::EPSILON);
    settle(&mut manager, 13, task, Outcome { usage: Usage { tokens: Reading::Missing, ..usage }, ..Outcome::default() });
    let [used, context] = fields(&manager, task, ["usage", "contextTokens"]);
    assert_eq!(
        (&used["costUsd"], &used["unknown"], &used["invalid"], context),
        (&json!(0.25), &json!([]), &json!(["turns"]), json!(900.0))
    );
}

#[test]
fn what_policies_know_of_a_main_agent_is_its_session_s_and_of_a_task_its_run_s() {
    let mut manager = manager();
    let session = node(manager.handle(5, PROGRAM, Input::OpenSession("s".into())));
    let bounds = Bounds { turns: 9, context_tokens: UNCAPPED, ms: UNCAPPED };
    for _ in 0..2 {
        manager.handle(6, Actor::Session(session), Input::BeginMainTurn(bounds)).unwrap();
    }
    let turns = |manager: &Manager, key: Key| view::policing(manager.state(), key.index).turns.0.to_string();
    assert_eq!(turns(&manager, session), "2");
    let task = spawn(&mut manager, 7, PROGRAM, work("work"));
    manager.handle(8, Actor::Run(task, 1), Input::BeginTurn { estimate: Estimate::default(), whole: false }).unwrap();
    assert_eq!(turns(&manager, task), "1");
}

/// The labels that a filter takes below a node, and the total.
fn listed(manager: &Manager, top: u32, filter: &Filter) -> (Vec<String>, u32) {
    let (items, total) = view::list(manager.state(), top, filter, 0, u32::MAX);
    (items.iter().map(|index| manager.state().node(*index).label().to_owned()).collect(), total)
}

#[test]
fn a_list_is_narrowed_by_status_parent_label_and_background() {
    let mut manager = manager();
    let labelled = |label: &str| with_spec(Spec { label: Some(label.into()), ..Spec::default() });
    let a = spawn(&mut manager, 10, PROGRAM, labelled("a"));
    let b = spawn(&mut manager, 10, Actor::Run(a, 1), Spawn { background: true, ..labelled("b") });
    let c = spawn(&mut manager, 10, PROGRAM, labelled("c"));
    settle(&mut manager, 11, c, Outcome::default());
    let all = Filter::default();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(listed(&manager, ROOT, &all), (names(&["a", "b", "c"]), 3), "parents before their children");
    assert_eq!(listed(&manager, DEFAULT_SESSION, &all), (names(&["a", "b", "c"]), 3));
    assert_eq!(listed(&manager, a.index, &all), (names(&["b"]), 1));
    assert_eq!(view::list(manager.state(), ROOT, &all, 1, 1), (vec![b.index], 3), "a page of it");

    let with = |statuses: &[Status]| Filter { statuses: statuses.to_vec(), ..Filter::default() };
    assert_eq!(listed(&manager, ROOT, &with(&[Status::Running])), (names(&["a", "b"]), 2));
    assert_eq!(listed(&manager, ROOT, &with(&[Status::Completed, Status::Completed])), (names(&["c"]), 1), "named twice, counted once");
    assert_eq!(listed(&manager, a.index, &with(&[Status::Completed])), (names(&[]), 0));
    let below = |parent| Filter { parent: Some(parent), ..Filter::default() };
    assert_eq!(listed(&manager, ROOT, &below(a.index)), (names(&["b"]), 1));
    assert_eq!(listed(&manager, ROOT, &below(b.index)), (names(&[]), 0));
    assert_eq!(listed(&manager, ROOT, &below(ROOT)), (names(&["a", "c"]), 2), "what no task spawned");
    assert_eq!(listed(&manager, ROOT, &Filter { label: Some("a".into()), ..Filter::default() }), (names(&["a"]), 1));
    assert_eq!(listed(&manager, ROOT, &Filter { background: Some(true), ..Filter::default() }), (names(&["b"]), 1));
    assert_eq!(listed(&manager, ROOT, &Filter { background: Some(false), ..Filter::default() }), (names(&["a", "c"]), 2));

    let session = node(manager.handle(12, PROGRAM, Input::OpenSession("s".into())));
    let d = spawn(&mut manager, 12, Actor::Session(session), labelled("d"));
    assert_eq!(listed(&manager, ROOT, &all), (names(&["a", "b", "c", "d"]), 4));
    assert_eq!(listed(&manager, DEFAULT_SESSION, &all), (names(&["a", "b", "c"]), 3), "the other session's are not its own");
    assert_eq!(listed(&manager, session.index, &all), (names(&["d"]), 1));
    assert_eq!(view::find(manager.state(), d), Ok(d.index));
}

#[test]
fn who_is_looked_for_is_there_was_there_or_never_was() {
    let mut manager = manager();
    let task = spawn(&mut manager, 10, PROGRAM, work("work"));
    assert_eq!(view::find(manager.state(), manager.state().key(DEFAULT_SESSION)), Err(Rejection::UnknownTask), "a session is no task");
    assert_eq!(view::find(manager.state(), Key { generation: task.generation + 1, ..task }), Err(Rejection::UnknownTask), "not yet");
    settle(&mut manager, 11, task, Outcome::default());
    manager.handle(12, PROGRAM, Input::Forget(task)).unwrap();
    assert_eq!(view::find(manager.state(), task), Err(Rejection::Forgotten));
    assert_eq!(view::find(manager.state(), Key { generation: task.generation + 1, ..task }), Err(Rejection::UnknownTask), "not yet");
}

fn notice_of(manager: &Manager, task: Key) -> Value {
    let index = manager.state().find_notice(RunKey { task, run: manager.state().node(task.index).runs }).expect("it makes a notice");
    serde_json::to_value(notice_view::notice(manager.state(), index)).unwrap()
}

#[test]
fn a_notice_tells_who_ended_and_what_it_said() {
    let mut manager = manager();
    let spec = Spec { label: Some("reader".into()), nickname: Some("ann".into()), ..Spec::default() };
    let task = spawn(&mut manager, 10, PROGRAM, Spawn { spec: Some(Box::new(spec)), ..background() });
    let usage = Usage { tokens: Reading::Is(70), nanos: Reading::Invalid, turns: Reading::Missing, instead: 0, priced: false };
    settle(&mut manager, 25, task, Outcome { output: "It says 4".into(), usage, ..Outcome::default() });
    let notice = notice_of(&manager, task);
    let ids = (
        manager.state().delivery_of_id(notice["deliveryId"].as_str().unwrap()),
        manager.state().task_of_id(notice["taskId"].as_str().unwrap()),
    );
    assert_eq!(ids, (Some(RunKey { task, run: 1 }), Some(task)), "N1: its ids lead to it");
    let told = (&notice["label"], &notice["nickname"], &notice["instructions"], &notice["output"], &notice["durationMs"]);
    assert_eq!(told, (&json!("reader"), &json!("ann"), &json!("work"), &json!("It says 4"), &json!(15.0)));
    assert_eq!((&notice["usage"]["unknown"], &notice["usage"]["invalid"]), (&json!(["turns"]), &json!(["costUsd"])), "B7");
    let text = notice["text"].as_str().unwrap();
    assert!(text.starts_with("[Subagent 'reader' completed]\n\nTask: 'work'\n\nResult: \n<subagent-output id=\"sub_"), "{text}");
    assert!(text.contains("It says 4") && !text.contains("left no output"), "{text}");
    assert_eq!((&notice["origin"], &notice["sessionKey"]), (&json!({ "channel": "cli", "chatId": "direct" }), &json!(null)), "N5");

    let silent = spawn(&mut manager, 30, PROGRAM, background());
    settle(&mut manager, 1_030, silent, Outcome { returned: Returned::Failed, ..Outcome::default() });
    let text = "[Subagent 'work' failed]\n\nTask: 'work'\n\nResult: It left no output.\n\nIt took: 1.0 s.";
    assert_eq!(notice_of(&manager, silent)["text"], text, "R5");
    let failed = spawn(&mut manager, 1_032, PROGRAM, background());
    settle(
        &mut manager,
        1_033,
        failed,
        Outcome {
            returned: Returned::Threw,
            output: RunOutput::new("".into(), ResultDetails { error: Some("no such file".into()), ..ResultDetails::default() }),
            ..Outcome::default()
        },
    );
    let notice = notice_of(&manager, failed);
    assert!(notice["text"].as_str().unwrap().contains("no such file"), "its error is all there is");
    assert_eq!((&notice["stopReason"], &notice["partial"]), (&json!("host_threw"), &json!(false)));
    let spec = Spec { timeout_ms: Some(10), ..Spec::default() };
    let late = spawn(&mut manager, 1_040, PROGRAM, Spawn { spec: Some(Box::new(spec)), ..background() });
    settle(&mut manager, 1_060, late, output("half of it"));
    assert_eq!((&notice_of(&manager, late)["stopReason"], &notice_of(&manager, late)["partial"]), (&json!("timeout"), &json!(true)));
}

#[test]
fn a_notice_tells_where_the_work_came_from() {
    let mut manager = manager();
    let session = node(manager.handle(5, PROGRAM, Input::OpenSession("chat-7".into())));
    let from = |channel: Option<&str>, chat: Option<&str>| Spawn {
        spec: Some(Box::new(Spec { origin_channel: channel.map(Into::into), origin_chat_id: chat.map(Into::into), ..Spec::default() })),
        ..background()
    };
    let mut came_from = |actor, given| {
        let task = spawn(&mut manager, 6, actor, given);
        let below = spawn(
            &mut manager,
            6,
            Actor::Run(task, 1),
            Spawn { background: false, ..with_spec(Spec { label: Some("x".into()), ..Spec::default() }) },
        );
        let nested = spawn(&mut manager, 6, Actor::Run(below, 1), background());
        settle(&mut manager, 7, nested, Outcome::default());
        let notice = notice_of(&manager, nested);
        let told = (notice["origin"]["channel"].clone(), notice["origin"]["chatId"].clone(), notice["sessionKey"].clone());
        manager.handle(8, PROGRAM, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(0) }).unwrap();
        told
    };
    let own = Actor::Session(session);
    assert_eq!(came_from(own, from(Some("slack"), Some("c1"))), (json!("slack"), json!("c1"), json!("chat-7")), "N5: as above it");
    assert_eq!(came_from(own, from(Some("slack"), None)), (json!("slack"), json!("direct"), json!("chat-7")));
    assert_eq!(came_from(PROGRAM, from(None, Some("c1"))), (json!("cli"), json!("c1"), json!(null)), "the default session has no key");
}

#[test]
fn a_refusal_says_what_is_missing_and_what_raises_it() {
    let mut manager = manager();
    let refused = |manager: &mut Manager, input| manager.handle(6, PROGRAM, input).expect_err("it is refused");
    let needs_much = || with_spec(Spec { turn_estimate: Some(900), ..Spec::default() });
    let given = refused(&mut manager, Input::Spawn(Spawn { tokens: Some(400), ..needs_much() }));
    assert_eq!(
        given.to_string(),
        "400 tokens of the new sub-agent's budget remain, one turn needs 900 (`turnEstimate`); `budget.tokens` raises it"
    );
    manager
        .handle(
            6,
            PROGRAM,
            Input::SetDefaults(Defaults { task_cap: Amounts { tokens: 500, ..Amounts::UNCAPPED }.into(), ..Defaults::default() }),
        )
        .unwrap();
    let usual = refused(&mut manager, Input::Spawn(needs_much()));
    assert_eq!(
        usual.to_string(),
        "500 tokens of the new sub-agent's budget remain, one turn needs 900 (`turnEstimate`); `taskBudget.tokens` raises it"
    );

    let task = spawn(&mut manager, 7, PROGRAM, Spawn { nanos: Some(1_000), ..work("work") });
    let usage = Usage { nanos: Reading::Is(1_000), ..Usage::default() };
    settle(&mut manager, 8, task, Outcome { usage, ..Outcome::default() });
    let own = refused(&mut manager, Input::Send { task, mode: Mode::Queue, text: "go on".into() });
    let said = "0 US dollars of the sub-agent's budget remain, one turn needs more; `budget.costUsd` or `addBudget` raises it";
    let id_in = |rejection: &Rejection| {
        serde_json::to_value(rejection.details(&|task| format!("the id of {}", task.index))).unwrap().get("taskId").cloned()
    };
    let id = json!(format!("the id of {}", task.index));
    assert_eq!((own.to_string().as_str(), id_in(&own), id_in(&usual)), (said, Some(id), None));
    let plain = spawn(&mut manager, 9, PROGRAM, work("work"));
    let usage = Usage { tokens: Reading::Is(500), ..Usage::default() };
    settle(&mut manager, 10, plain, Outcome { usage, ..Outcome::default() });
    manager.handle(10, PROGRAM, Input::SetBudget(Amounts { tokens: 500, ..Amounts::UNCAPPED }.into())).unwrap();
    let all = refused(&mut manager, Input::Send { task: plain, mode: Mode::Queue, text: "go on".into() });
    assert_eq!(
        all.to_string(),
        "0 tokens of the sub-agent's budget remain, one turn needs 100 (`turnEstimate`); `taskBudget.tokens` or `addBudget` raises it"
    );
    let new = refused(&mut manager, Input::Spawn(work("work")));
    assert_eq!(
        new.to_string(),
        "0 tokens of the manager's budget remain, one turn needs 100 (`turnEstimate`); `budget.tokens` or `addBudget` raises it"
    );
}

#[test]
fn a_refusal_of_tools_names_those_there_are() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let blocked = |available| Rejection::ToolBlocked { tool: "shell".into(), available }.to_string();
    assert_eq!(blocked(Some(names(&["read", "write"]))), "`shell` is no tool of this sub-agent; it has: read, write");
    assert_eq!(blocked(None), "`shell` is no tool of this sub-agent");
    let nothing = |available| Rejection::NoTools { requested: names(&["shell"]), available }.to_string();
    assert_eq!(nothing(names(&["read", "write"])), "none of the requested tools (shell) may be handed on to it; these may: read, write");
    assert_eq!(nothing(vec![]), "none of the requested tools (shell) may be handed on to it");
}

#[test]
fn a_refusal_for_want_of_a_place_says_whether_one_may_wait() {
    let refused = |max_queued| {
        let mut manager = manager();
        let limits = vec![("maxConcurrent".into(), 1), ("maxQueued".into(), max_queued)];
        manager.handle(6, PROGRAM, Input::SetLimits(limits)).unwrap();
        let mut spawn = || manager.handle(7, PROGRAM, Input::Spawn(work("work")));
        for _ in 0..=max_queued {
            node(spawn());
        }
        spawn().expect_err("it is refused").to_string()
    };
    assert_eq!(refused(0), "no slot is free, and none may wait for one; `maxQueued` raises it");
    assert_eq!(refused(2), "2 sub-agents are already queued; `maxQueued` raises it");
}

#[test]
fn a_refusal_of_what_the_host_runs_names_how_to_drive_it() {
    let mut manager = manager();
    let task = spawn(&mut manager, 8, PROGRAM, work("work"));
    let taken = manager.handle(9, PROGRAM, Input::TakeRun(task)).expect_err("it is refused").to_string();
    assert_eq!(taken, "this sub-agent was not spawned with `drive: 'program'`, so it can't be started");
}

#[test]
fn a_stay_in_the_parents_end_is_shown_as_it_counts() {
    let mut manager = manager();
    let waits = with_spec(Spec { on_parent_end: Some(OnParentEnd::Wait), ..Spec::default() });
    let task = spawn(&mut manager, 6, PROGRAM, waits);
    let plain = spawn(&mut manager, 6, PROGRAM, work("work"));
    assert_ne!(fields(&manager, task, ["onParentEnd"]), fields(&manager, plain, ["onParentEnd"]));
}

#[test]
fn statistics_count_what_ran_and_a_drain_what_it_ended() {
    let mut manager = manager();
    manager.handle(6, PROGRAM, Input::SetLimits(vec![("maxConcurrent".into(), 2)])).unwrap();
    let [ends, stays, _queued] = [(); 3].map(|()| spawn(&mut manager, 6, PROGRAM, work("work")));
    let stats = serde_json::to_value(view::stats(manager.state(), true, 0)).unwrap();
    let shown = ["total", "pending", "running", "runsEnded", "maxConcurrent"].map(|name| stats[name].clone());
    assert_eq!(json!(shown), json!([3, 1, 2, 0.0, 2.0]));
    let now = serde_json::to_value(view::concurrency(manager.state(), 0)).unwrap();
    assert_eq!((&now["active"], &now["queued"], &now["abandoned"]), (&json!(2), &json!(1.0), &json!(0)));
    manager.handle(7, PROGRAM, Input::Drain { timeout_ms: 100 }).unwrap();
    settle(&mut manager, 8, ends, Outcome::default());
    manager.handle(107, PROGRAM, Input::Tick).unwrap();
    settle(&mut manager, 108, stays, Outcome::default());
    let drained = serde_json::to_value(view::drained(manager.state(), manager.left_open())).unwrap();
    assert_eq!(drained, json!({ "ended": 1.0, "cancelled": 2.0, "stillRunning": 0, "timedOut": true }), "D8: what was queued is cancelled");
    let stats = view::stats(manager.state(), false, 0);
    assert_eq!((stats.total, stats.cancelled, stats.runs_ended.0.to_string().as_str()), (3, 2, "2"), "what never started is no run");
}

/// A run that never started took no time, whatever the one before it took (L2, N1).
#[test]
fn a_run_that_never_started_has_no_time_of_its_own() {
    let mut manager = manager();
    let task = spawn(&mut manager, 6, PROGRAM, background());
    settle(&mut manager, 9, task, Outcome::default());
    assert_eq!(fields(&manager, task, ["startedAt", "durationMs"]), [json!(6.0), json!(3.0)]);
    manager.handle(10, PROGRAM, Input::SetLimits(vec![("maxConcurrent".into(), 1)])).unwrap();
    spawn(&mut manager, 10, PROGRAM, work("other"));
    manager.handle(20, PROGRAM, Input::Send { task, mode: Mode::Queue, text: "again".into() }).unwrap();
    assert_eq!(fields(&manager, task, ["startedAt", "durationMs"]), [json!(null), json!(null)], "it waits for its slot");
    manager.handle(30, PROGRAM, Input::Drain { timeout_ms: 100 }).unwrap();
    assert_eq!(fields(&manager, task, ["status", "startedAt", "durationMs"]), [json!("cancelled"), json!(null), json!(null)]);
    let notice = manager.state().notices.at(manager.state().find_notice(RunKey { task, run: 2 }).expect("N1"));
    assert_eq!(notice.duration_ms, 0);
}

#[test]
fn a_reopened_task_shows_what_its_last_run_took() {
    let mut manager = manager();
    let task = spawn(&mut manager, 6, PROGRAM, work("work"));
    settle(&mut manager, 9, task, Outcome::default());
    manager.handle(10, PROGRAM, Input::Close { task, grace_ms: None }).unwrap();
    manager.handle(100, PROGRAM, Input::Resume(task)).unwrap();
    assert_eq!(fields(&manager, task, ["status", "durationMs"]), [json!("idle"), json!(3.0)]);
}
