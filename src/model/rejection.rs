//! Why a request was refused. Owns the closed list of codes, one row each. The users' errors, the types of other languages and
//! the page of errors are generated from it. A refused request has changed nothing.

use crate::base::amounts::Dimension;
use crate::base::number::{Number, dollars, number};
use crate::base::quote::{NAME_CHARS, quoted};
use crate::base::slab::Key;
use crate::base::text::{agreeing, counted};
use crate::model::refusal::refusals;
use crate::model::status::Status;

refusals! {
    /// A value of an argument, option or field is invalid, or the name of an option is unknown.
    InvalidArgument "invalid_argument" { argument: Option<&'static str>, what: String }
    says("{what}")
    perhaps(argument = *argument)
    remedy("Correct the call: the message says what was expected, `details.argument` names the place.")

    /// The calling run has ended, or its sub-agent or session is being cancelled or closed (A1, C1).
    ActorEnded "actor_ended"
    says(
        "this agent has ended, or is being cancelled or closed, so it can't start or change anything. \
        After a cancel of all its sub-agents it can again once they have stopped. \
        `manager.session(key)` opens a closed session anew"
    )
    model("this agent has ended, or is being stopped, so it can't start or change anything")
    remedy("Return from the host function. Use a session again after `cancelAll` resolves; open a closed one anew by `manager.session(key)`.")

    /// A signal has fired, a wait reached its time limit, or a stopping run asked for foreground
    /// work (D9).
    Aborted "aborted"
    says("this agent has to stop, so nothing is started that would end with it")
    remedy("Stop what the signal belongs to. The sub-agent of a wait continues: wait for it again.")

    /// No sub-agent has this id, and none within reach has this nickname.
    UnknownTask "unknown_task"
    says("there is no sub-agent with this id")
    remedy("Look it up with `list`. Ids are of one manager; nicknames count within the reach of the one who asks.")

    /// The sub-agent existed and has been forgotten (L8).
    Forgotten "forgotten"
    says("this sub-agent has been forgotten: by `forget`, with its session, or because `retain` or `maxTasks` bounds how many are retained")
    model("this sub-agent ended some time ago and has been forgotten")
    remedy("Keep the result that the wait gave, or raise `retain` and `maxTasks`.")

    /// The sub-agent is not below the calling run or session (A1).
    NotReachable "not_reachable"
    says("this sub-agent is not one of yours")
    remedy("Ask through the manager, which reaches all, or through the run or the session that started it.")

    /// A sub-agent would be nested too deep (D1).
    DepthLimit "depth_limit" { limit: u64 }
    says("sub-agents may not nest deeper than {limit}; `maxDepth` raises it")
    model("sub-agents may not nest deeper than {limit}")
    option("maxDepth")
    details(limit = *limit)
    advises(WORK)
    remedy("Let the run do the work itself, or raise `maxDepth`.")

    /// A parent has too many children queued or running (D1).
    ChildrenLimit "children_limit" { limit: u64 }
    says("this parent already has {} running; `maxChildren` raises it", counted(*limit, "sub-agent"))
    model("{} of yours {} running, and no more may be", counted(*limit, "sub-agent"), are(*limit))
    option("maxChildren")
    details(limit = *limit)
    advises(WAIT, full)
    remedy("Wait for one of them, or raise `maxChildren`.")

    /// One tree has spawned its maximum of sub-agents (D10).
    SpawnsLimit "spawns_limit" { limit: u64, task: Option<Key> }
    says("{}", spawns_limit(*limit, task.is_some()))
    model("{} {} been started here, and no more may be", counted(*limit, "sub-agent"), agreeing(*limit, "has", "have"))
    option("maxSpawns")
    details(limit = *limit)
    perhaps(task_id = *task)
    advises(WORK, full)
    remedy("Let the run do the work itself. Or raise `maxSpawns`: by `setLimits`, or at the spawn of `details.taskId`.")

    /// Too many sub-agents are retained, and none may be forgotten (D1).
    TasksLimit "tasks_limit" { limit: u64 }
    says("{} {} retained and none may go; `maxTasks` raises it, `forget` drops one", counted(*limit, "sub-agent"), are(*limit))
    model("{} {} retained, and no more may be", counted(*limit, "sub-agent"), are(*limit))
    option("maxTasks")
    details(limit = *limit)
    advises(WORK, full)
    remedy("Wait for open ones, `forget` ended ones, acknowledge notices, or raise `maxTasks`.")

    /// Too many sessions are open (D1).
    SessionsLimit "sessions_limit" { limit: u64 }
    says("{} {} open; `maxSessions` raises it, `closeSession` closes one", counted(*limit, "session"), are(*limit))
    model("{} {} open, and no more may be", counted(*limit, "session"), are(*limit))
    option("maxSessions")
    details(limit = *limit)
    remedy("Close sessions that are over with `closeSession`, or raise `maxSessions`.")

    /// No slot is free, and nothing may wait for one: `onLimit` is `'reject'` (D2).
    ConcurrencyLimit "concurrency_limit" { active: u64, limit: u64 }
    says("{active} of {} {} running; `maxConcurrent` raises it", counted(*limit, "sub-agent"), are(*active))
    model("{active} of {} {} running", counted(*limit, "sub-agent"), are(*active))
    option("maxConcurrent")
    details(active = *active, limit = *limit)
    advises(WAIT, full)
    remedy("Try again when one has ended, let work wait with `onLimit: 'queue'`, or raise `maxConcurrent`.")

    /// No slot is free, and the queue is full (D2).
    QueueFull "queue_full" { limit: u64 }
    says("{}; `maxQueued` raises it", queue_full(*limit))
    model("{}", queue_full(*limit))
    option("maxQueued")
    details(limit = *limit)
    advises(WAIT, full)
    remedy("Try again when queued work has begun, or raise `maxQueued`.")

    /// The rest of a budget is less than one turn's estimate (B5).
    BudgetExhausted "budget_exhausted" { dimension: Dimension, remaining: u64, needed: u64, whose: Whose, option: &'static str }
    says("{}, one turn needs {}; `{option}`{} raises it",
        remains(*dimension, *remaining, whose.name()), needs(*dimension, *needed), whose.or_later())
    model("the budget is used up: what remains of its {} is less than one turn needs", dimension.unit())
    option(option)
    details(unit = dimension.unit(), remaining = in_unit(*dimension, *remaining), needed = in_unit(*dimension, *needed))
    perhaps(task_id = whose.task())
    advises(WORK)
    remedy("Raise the cap with `addBudget`, or for new work with the option that `details.option` names.")

    /// Too many host functions did not return after their runs had ended, so nothing starts. `onError` is called too (S4).
    AbandonedLimit "abandoned_limit" { limit: u64 }
    says("{} {} still running, so nothing starts until one returns or its sub-agent is forgotten; `maxAbandoned` raises it", counted(*limit, "abandoned host function"), are(*limit))
    model("{} that {} stopped {} not returned, and nothing starts until {} does", counted(*limit, "sub-agent"), agreeing(*limit, "was", "were"), agreeing(*limit, "has", "have"), agreeing(*limit, "it", "one of them"))
    option("maxAbandoned")
    details(limit = *limit)
    advises(WORK, full)
    remedy("Have the host function return when `run.signal` fires, `forget` its sub-agent, or raise `maxAbandoned`.")

    /// Nothing moves: sub-agents with queued work below them hold every slot. `onError` is called (S6).
    Stalled "stalled" { task_ids: Vec<String>, limit: u64 }
    says("nothing moves: `maxConcurrent` is {limit}, and sub-agents with queued work below them hold every slot: {}. A run gives its slot up if it waits by `run.wait`, by handles of `run.spawn` or by tools of `run.createTools()`. `maxConcurrent` raises the number of slots", task_ids.join(", "))
    model("every sub-agent that runs has sub-agents that wait for its slot")
    option("maxConcurrent")
    details(task_ids = task_ids.clone(), limit = *limit)
    remedy("Wait with the calls of `run`, which give the slot up, give `asyncContext: true`, or raise `maxConcurrent`.")

    /// A used model is missing in `prices`, so its cost is unknown. `onError` gets it once for each model (B11).
    NoPrice "no_price" { model_id: Option<String> }
    says("{}", no_price(model_id.as_deref()))
    perhaps(model_id = model_id.clone())
    remedy("Add the model to `prices` (`name*` matches any ending), set `modelId`, or report `costUsd`.")

    /// A run under a dollar cap reported no cost: it counts as zero. `onError` gets it once (B7).
    CostUnknown "cost_unknown" { task: Key }
    says("a run has completed under a cap in dollars, and nothing says what it cost, so the cap counts nothing for it. Report `costUsd`; or give `prices`, and report tokens by kind, such as `inputTokens`")
    details(task_id = *task)
    remedy("Report `costUsd`; or give `prices`, name the model with `modelId`, and report the tokens by kind.")

    /// Too many messages wait for the sub-agent (M2).
    MessagesLimit "messages_limit" { limit: u64 }
    says("{}; `maxMessages` raises it", messages_wait(*limit))
    model("{}", messages_wait(*limit))
    option("maxMessages")
    details(limit = *limit)
    remedy("Wait until it has taken some, or raise `maxMessages`.")

    /// The sub-agent can't do this in its status.
    WrongStatus "wrong_status" { status: Status, action: &'static str, retry_after_ms: Option<u64> }
    says("this sub-agent is {}, so it can't {action}{}", status.name(), retry_after_ms.map_or_else(String::new, |ms| format!("; it can in {ms} ms")))
    details(status = status.name(), action = *action)
    perhaps(retry_after_ms = *retry_after_ms)
    remedy("Look at `details.status`: wait for an open sub-agent, `resume` a closed one.")

    /// This call needs a sub-agent that the program drives; a host runs this one (X6).
    WrongStyle "wrong_style" { action: &'static str }
    says("this sub-agent was not spawned with `drive: 'program'`, so it can't {action}")
    details(action = *action)
    remedy("Spawn it with `drive: 'program'`.")

    /// An open sub-agent of the same parent has this nickname (A4).
    NicknameTaken "nickname_taken" { nickname: String }
    says("an open sub-agent is already called `{}`", named(nickname))
    details(nickname = nickname.clone())
    remedy("Choose another nickname, or wait until the other sub-agent has ended.")

    /// A retained sub-agent has this id (A9).
    IdTaken "id_taken" { task: Key }
    says("a sub-agent already has this id; choose another, or `forget` that one when it has ended")
    model("a sub-agent already has this id; choose another")
    details(task_id = *task)
    remedy("Choose another id, or `forget` the sub-agent that has it once that has ended.")

    /// Several sub-agents have this nickname, and none is nearer than the others (A4).
    AmbiguousNickname "ambiguous_nickname" { nickname: String, task_ids: Vec<String> }
    says("{} sub-agents are called `{nickname}`: {}; name the one that is meant by its id", task_ids.len(), task_ids.join(", "))
    details(nickname = nickname.clone(), task_ids = task_ids.clone())
    remedy("Use one of the ids in `details.taskIds`.")

    /// None of the requested tools may be passed on (P2).
    NoTools "no_tools" { requested: Vec<String>, available: Vec<String> }
    says("{}", no_tools(requested, available))
    details(requested = requested.clone(), available = available.clone())
    remedy("Request some of `details.available`, or give the manager or the parent the tools.")

    /// The idempotency key was used for a spawn with other parameters (D7).
    IdempotencyConflict "idempotency_conflict" { task: Key }
    says("this idempotency key was used before, with other parameters; use a new key for new work")
    details(task_id = *task)
    remedy("Use a new key for new work: every option but `label`, `signal` and `metadata` must be the same.")

    /// The idempotency key names a sub-agent that has been forgotten (D7).
    IdempotencyForgotten "idempotency_forgotten" { task: Key, last_status: Status }
    says("this idempotency key stands for a sub-agent that is {} and has been forgotten; nothing was started", last_status.name())
    details(task_id = *task, status = "forgotten", last_status = last_status.name())
    remedy("The work was done: `details.lastStatus` says how it ended. Use a new key to do it again.")

    /// A rate limit cools down or the last start was just now, and work may not wait (D2, X1).
    RateLimited "rate_limited" { retry_after_ms: u64 }
    says("a rate limit lets the next sub-agent start in {retry_after_ms} ms; `onLimit: 'queue'` lets it wait")
    model("a rate limit lets the next sub-agent start in {retry_after_ms} ms")
    details(retry_after_ms = *retry_after_ms)
    remedy("Try again after `details.retryAfterMs`, or let work wait with `onLimit: 'queue'`.")

    /// The result was released (L8).
    Released "released"
    says("the result of this sub-agent has been released")
    remedy("Keep what the wait gave, or read the result before `release`.")

    /// Too many notices are unacknowledged, so background work is refused (N2).
    NoticesLimit "notices_limit" { limit: u64 }
    says("{} {} to be acknowledged; `inbox.ack` drops one, `maxNotices` raises it", counted(*limit, "notice"), agreeing(*limit, "waits", "wait"))
    model("{} {} not been read yet, and no more may wait", counted(*limit, "result"), agreeing(*limit, "has", "have"))
    option("maxNotices")
    details(limit = *limit)
    remedy("Acknowledge notices with `inbox.ack`, or raise `maxNotices`.")

    /// The run was not given this tool (P2).
    ToolBlocked "tool_blocked" { tool: String, available: Option<Vec<String>> }
    says("`{}` is no tool of this sub-agent{}", named(tool), listed(available.as_deref()))
    details(requested = vec![tool.clone()])
    perhaps(available = available.clone())
    remedy("Give the model the tools of `run.tools` alone, or give the sub-agent this tool.")

    /// A drain has begun (D8).
    Draining "draining"
    says("the manager is draining and takes no new work")
    advises(WORK)
    remedy("Use another manager: this one shuts down. Until the drain ends, runs may spawn in the foreground and send messages.")
}

/// The owner of the cap with too little left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The manager's.
    Manager,
    /// A session's.
    Session,
    /// This sub-agent's: the caller, the target, or one above it.
    Task(Key),
    /// The new sub-agent's.
    New,
}

impl Whose {
    const fn name(self) -> &'static str {
        match self {
            Self::Manager => "the manager's",
            Self::Session => "the session's",
            Self::Task(_) => "the sub-agent's",
            Self::New => "the new sub-agent's",
        }
    }

    /// The existing sub-agent that owns the cap, if one does.
    const fn task(self) -> Option<Key> {
        if let Self::Task(task) = self { Some(task) } else { None }
    }

    /// The other way to raise the cap of an existing owner: `addBudget`.
    const fn or_later(self) -> &'static str {
        match self {
            Self::Manager | Self::Session | Self::Task(_) => " or `addBudget`",
            Self::New => "",
        }
    }
}

/// A turn's need. An unknown cost counts as the smallest amount: work is refused only if nothing is left.
fn needs(dimension: Dimension, needed: u64) -> String {
    match dimension {
        Dimension::Cost if needed <= 1 => "more".to_owned(),
        Dimension::Cost => format!("{} (`turnEstimateUsd`)", dimension.written(needed)),
        Dimension::Tokens => format!("{needed} (`turnEstimate`)"),
        Dimension::Turns => needed.to_string(),
    }
}

impl Rejection {
    /// Refuses a request that the status doesn't allow; waiting doesn't help.
    #[must_use]
    pub const fn wrong_status(status: Status, action: &'static str) -> Self {
        Self::WrongStatus { status, action, retry_after_ms: None }
    }
}

/// An amount in the unit of its dimension, as users read it.
fn in_unit(dimension: Dimension, amount: u64) -> Number {
    if dimension == Dimension::Cost { dollars(amount) } else { number(amount) }
}

fn spawns_limit(limit: u64, is_task: bool) -> String {
    let (whose, way) = if is_task { ("this sub-agent", "at its spawn") } else { ("this session", "by `setLimits`") };
    let spawned = counted(limit, "sub-agent");
    format!("{spawned} {} been spawned below {whose}, and no more may be; `maxSpawns` raises it, {way}", agreeing(limit, "has", "have"))
}

fn queue_full(limit: u64) -> String {
    if limit == 0 {
        "no slot is free, and none may wait for one".to_owned()
    } else {
        format!("{} {} already queued", counted(limit, "sub-agent"), are(limit))
    }
}

fn messages_wait(limit: u64) -> String {
    format!("{} already {} for this sub-agent", counted(limit, "message"), agreeing(limit, "waits", "wait"))
}

fn no_price(model_id: Option<&str>) -> String {
    match model_id {
        Some(id) => format!("`prices` has none for the model {}, so what it costs is unknown: add it, or report `costUsd`", named(id)),
        None => {
            "tokens were reported without a model, so what they cost is unknown: name it with `modelId`, or report `costUsd`".to_owned()
        }
    }
}

const fn are(number: u64) -> &'static str {
    agreeing(number, "is", "are")
}

/// The rest of a budget.
fn remains(dimension: Dimension, amount: u64, whose: &str) -> String {
    let (written, unit) = (dimension.written(amount), dimension.unit());
    let (unit, verb) = if written == "1" { (unit.trim_end_matches('s'), "remains") } else { (unit, "remain") };
    format!("{written} {unit} of {whose} budget {verb}")
}

fn listed(available: Option<&[String]>) -> String {
    available.map_or_else(String::new, |names| format!("; it has: {}", self::names(names)))
}

/// A name that a model chose: models read refusals as text (N5).
fn named(name: &str) -> String {
    quoted(name, NAME_CHARS)
}

fn names(names: &[String]) -> String {
    names.iter().map(|name| named(name)).collect::<Vec<_>>().join(", ")
}

/// `available` is empty if the parent's tools are unknown.
fn no_tools(requested: &[String], available: &[String]) -> String {
    let refused = format!("none of the requested tools ({}) may be handed on to it", names(requested));
    if available.is_empty() { refused } else { format!("{refused}; these may: {}", names(available)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_of_limits_without_the_options_that_raise_them() {
        let limit = 3;
        let rejections = [
            Rejection::Forgotten,
            Rejection::DepthLimit { limit },
            Rejection::ChildrenLimit { limit },
            Rejection::TasksLimit { limit },
            Rejection::SessionsLimit { limit },
            Rejection::ConcurrencyLimit { active: 3, limit },
            Rejection::QueueFull { limit },
            Rejection::QueueFull { limit: 0 },
            Rejection::BudgetExhausted {
                dimension: Dimension::Tokens,
                remaining: 1,
                needed: 2,
                whose: Whose::Manager,
                option: "budget.tokens",
            },
            Rejection::AbandonedLimit { limit },
            Rejection::MessagesLimit { limit },
            Rejection::RateLimited { retry_after_ms: 5 },
            Rejection::NoticesLimit { limit },
        ];
        for rejection in rejections {
            let (said, text) = (rejection.to_string(), rejection.model_text());
            assert!(said.contains('`') || matches!(rejection, Rejection::Forgotten), "the program reads the option: {said}");
            assert!(!text.contains('`') && !text.contains("raises"), "a model reads of no option: {text}");
        }
    }
}
