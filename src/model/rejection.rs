//! Why a request was refused. Owns the closed list of codes, with the fields that explain each.
//! A refused request has changed nothing.

use serde::Serialize;

use crate::base::amounts::Dimension;
use crate::base::number::{Number, dollars, number};
use crate::base::quote::{NAME_CHARS, quoted};
use crate::base::slab::Key;
use crate::model::status::Status;

/// A refused request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// An argument has a value that is not taken.
    #[error("{what}")]
    InvalidArgument {
        /// Which, where it has a name.
        argument: Option<&'static str>,
        /// What was expected, naming the argument.
        what: String,
    },
    /// The run that speaks has ended, or is being cancelled (A1, C1).
    #[error(
        "whoever asked has ended, or is being cancelled or closed, so it can't start or change anything; \
        after a cancel of all it can again once that has settled"
    )]
    ActorEnded,
    /// A run that was told to stop asked for foreground work, which would end with it (D9).
    #[error("whoever asked was told to stop, so nothing is started that would end with it")]
    Aborted,
    /// No such task.
    #[error("there is no sub-agent with this id")]
    UnknownTask,
    /// The task was there and has been forgotten (L8).
    #[error("this sub-agent has been forgotten: by `forget`, with its session, or because `retain` bounds how many ended ones are kept")]
    Forgotten,
    /// The task is not below the one who asks (A1).
    #[error("this sub-agent is not one of yours")]
    NotReachable,
    /// Too deep (D1).
    #[error("sub-agents may not nest deeper than {limit}; `maxDepth` raises it")]
    DepthLimit {
        /// `maxDepth`.
        limit: u64,
    },
    /// Too many children (D1).
    #[error("this parent already has {limit} sub-agents at work; `maxChildren` raises it")]
    ChildrenLimit {
        /// `maxChildren`.
        limit: u64,
    },
    /// Too many tasks (D1).
    #[error("{limit} sub-agents are kept and none may go; `maxTasks` raises it, `forget` makes room")]
    TasksLimit {
        /// `maxTasks`.
        limit: u64,
    },
    /// Too many sessions (D1).
    #[error("{limit} sessions are open; `maxSessions` raises it, `closeSession` makes room")]
    SessionsLimit {
        /// `maxSessions`.
        limit: u64,
    },
    /// No slot, and nothing may wait (D2).
    #[error("{active} of {limit} sub-agents are running; `maxConcurrent` raises it")]
    ConcurrencyLimit {
        /// Held slots.
        active: u64,
        /// `maxConcurrent`.
        limit: u64,
    },
    /// The queue is full (D2).
    #[error("{}; `maxQueued` raises it", queue_full(*.limit))]
    QueueFull {
        /// `maxQueued`.
        limit: u64,
    },
    /// Not enough budget is left for one turn (B5).
    #[error("{remaining} {} of {} budget remain, one turn needs {}; `{option}`{} raises it", dimension.unit(), whose.name(), needs(*dimension, *needed), whose.or_later())]
    BudgetExhausted {
        /// Of what.
        dimension: Dimension,
        /// What is left, spent and held deducted, in the smallest unit of its dimension.
        remaining: u64,
        /// One turn's estimate.
        needed: u64,
        /// Whose cap it is.
        whose: Whose,
        /// The option that raises the cap.
        option: &'static str,
    },
    /// Too many host functions were abandoned (S4).
    #[error("{limit} abandoned host functions are still running, so nothing starts until one returns; `maxAbandoned` raises it")]
    AbandonedLimit {
        /// `maxAbandoned`.
        limit: u64,
    },
    /// The message queue of the task is full (M2).
    #[error("{limit} messages already wait for this sub-agent; `maxMessages` raises it")]
    MessagesLimit {
        /// `maxMessages`.
        limit: u64,
    },
    /// The task can't do this where it stands.
    #[error("this sub-agent is {}, so it can't {action}", status.name())]
    WrongStatus {
        /// Where it stands.
        status: Status,
        /// What was asked of it.
        action: &'static str,
    },
    /// The manual style's calls are for manual tasks only, the others for the others (B10).
    #[error("{}", wrong_style(*.manual, .action))]
    WrongStyle {
        /// Whether it was made by `createTask`.
        manual: bool,
        /// What was asked of it.
        action: &'static str,
    },
    /// A nickname is taken (A4).
    #[error("an open sub-agent is already called `{}`", named(nickname))]
    NicknameTaken {
        /// The name.
        nickname: String,
    },
    /// A nickname means several, none nearer than the others (A4).
    #[error("{} sub-agents are called `{nickname}`: {}; name the one that is meant by its id", task_ids.len(), task_ids.join(", "))]
    AmbiguousNickname {
        /// The name.
        nickname: String,
        /// The ids of its bearers.
        task_ids: Vec<String>,
    },
    /// More is released than was allocated (B10).
    #[error("{released} tokens were to be released, {allocated} are allocated")]
    NotAllocated {
        /// What was to go back.
        released: u64,
        /// What is out.
        allocated: u64,
    },
    /// None of the requested tools may be handed on (P2).
    #[error("none of the requested tools ({}) may be used here; there are {}", names(requested), list(available))]
    NoTools {
        /// What was asked for.
        requested: Vec<String>,
        /// What could be had.
        available: Vec<String>,
    },
    /// The key was used for a spawn with other parameters (D7).
    #[error("this idempotency key was used before, with other parameters")]
    IdempotencyConflict {
        /// The task that it stands for.
        task: Key,
    },
    /// The key stands for a task that has been forgotten; nothing is started for it (D7).
    #[error("this idempotency key stands for a sub-agent that is {} and has been forgotten; nothing was started", last_status.name())]
    IdempotencyForgotten {
        /// The task that it stands for.
        task: Key,
        /// Where that stood when it was forgotten.
        last_status: Status,
    },
    /// A rate limit cools down or the last start was just now, and nothing may wait (D2, X1).
    #[error("a rate limit lets the next sub-agent start in {retry_after_ms} ms; `onLimit: 'queue'` lets it wait")]
    RateLimited {
        /// How long that is, in milliseconds.
        retry_after_ms: u64,
    },
    /// The result was released (L8).
    #[error("the result of this sub-agent has been released")]
    Released,
    /// Too many notices wait for their acknowledgement (N2).
    #[error("{limit} notices wait to be acknowledged; `inbox.ack` makes room, `maxNotices` raises it")]
    NoticesLimit {
        /// `maxNotices`.
        limit: u64,
    },
    /// The run was not given this tool (P2).
    #[error("`{}` is no tool of this sub-agent{}", named(tool), listed(available.as_deref()))]
    ToolBlocked {
        /// What was to be used.
        tool: String,
        /// What may be used, where that is known.
        available: Option<Vec<String>>,
    },
    /// A drain is under way (D8).
    #[error("the manager is draining and takes no new work")]
    Draining,
}

/// Whose cap leaves too little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The manager's.
    Manager,
    /// A session's.
    Session,
    /// That of this sub-agent: the one that asks or is asked for, or one above it.
    Task(Key),
    /// That of the sub-agent which was to be spawned.
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

    /// What raises it once it is there.
    const fn or_later(self) -> &'static str {
        match self {
            Self::Manager | Self::Session | Self::Task(_) => " or `addBudget`",
            Self::New => "",
        }
    }
}

/// What a turn needs. Of money that is the least there is, so work is refused only where nothing is left.
fn needs(dimension: Dimension, needed: u64) -> String {
    match dimension {
        Dimension::Cost => "more".to_owned(),
        Dimension::Tokens => format!("{needed} (`turnEstimate`)"),
        Dimension::Turns => needed.to_string(),
    }
}

fn wrong_style(manual: bool, action: &str) -> String {
    if manual {
        format!("this sub-agent was made with createTask, so {action} is not for it")
    } else {
        format!("this sub-agent was made with spawn, so it can't {action}")
    }
}

fn queue_full(limit: u64) -> String {
    if limit == 0 { "no slot is free, and none may wait for one".to_owned() } else { format!("{limit} sub-agents are already queued") }
}

fn listed(available: Option<&[String]>) -> String {
    available.map_or_else(String::new, |names| format!("; it has: {}", self::names(names)))
}

/// A name that a model chose: refusals come back to models as text (N5).
fn named(name: &str) -> String {
    quoted(name, NAME_CHARS)
}

fn names(names: &[String]) -> String {
    names.iter().map(|name| named(name)).collect::<Vec<_>>().join(", ")
}

/// Names one after the other, for a text.
fn list(names: &[String]) -> String {
    if names.is_empty() { "none that may be handed on".to_owned() } else { self::names(names) }
}

impl Rejection {
    /// The code of the error that users see.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InvalidArgument { .. } => "invalid_argument",
            Self::ActorEnded => "actor_ended",
            Self::Aborted => "aborted",
            Self::UnknownTask => "unknown_task",
            Self::Forgotten => "forgotten",
            Self::NotReachable => "not_reachable",
            Self::DepthLimit { .. } => "depth_limit",
            Self::ChildrenLimit { .. } => "children_limit",
            Self::TasksLimit { .. } => "tasks_limit",
            Self::SessionsLimit { .. } => "sessions_limit",
            Self::ConcurrencyLimit { .. } => "concurrency_limit",
            Self::QueueFull { .. } => "queue_full",
            Self::BudgetExhausted { .. } => "budget_exhausted",
            Self::AbandonedLimit { .. } => "abandoned_limit",
            Self::MessagesLimit { .. } => "messages_limit",
            Self::WrongStatus { .. } => "wrong_status",
            Self::WrongStyle { .. } => "wrong_style",
            Self::NicknameTaken { .. } => "nickname_taken",
            Self::AmbiguousNickname { .. } => "ambiguous_nickname",
            Self::NotAllocated { .. } => "not_allocated",
            Self::NoTools { .. } => "no_tools",
            Self::IdempotencyConflict { .. } => "idempotency_conflict",
            Self::IdempotencyForgotten { .. } => "idempotency_forgotten",
            Self::RateLimited { .. } => "rate_limited",
            Self::Released => "released",
            Self::NoticesLimit { .. } => "notices_limit",
            Self::ToolBlocked { .. } => "tool_blocked",
            Self::Draining => "draining",
        }
    }

    /// Why, for a model: without the options, which are the program's.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Forgotten => "this sub-agent ended some time ago and has been forgotten".to_owned(),
            Self::DepthLimit { limit } => format!("sub-agents may not nest deeper than {limit}"),
            Self::ChildrenLimit { limit } => format!("{limit} sub-agents of yours are at work, and no more may be"),
            Self::TasksLimit { limit } => format!("{limit} sub-agents are kept, and no more may be"),
            Self::SessionsLimit { limit } => format!("{limit} sessions are open, and no more may be"),
            Self::ConcurrencyLimit { active, limit } => format!("{active} of {limit} sub-agents are running"),
            Self::QueueFull { limit } => queue_full(*limit),
            Self::BudgetExhausted { dimension, .. } => {
                format!("the budget is used up: what remains of its {} is less than one turn needs", dimension.unit())
            }
            Self::AbandonedLimit { limit } => {
                format!("{limit} sub-agents that were stopped have not returned, and nothing starts until one of them does")
            }
            Self::MessagesLimit { limit } => format!("{limit} messages already wait for this sub-agent"),
            Self::RateLimited { retry_after_ms } => format!("a rate limit lets the next sub-agent start in {retry_after_ms} ms"),
            Self::NoticesLimit { limit } => format!("{limit} results have not been read yet, and no more may wait"),
            Self::InvalidArgument { .. }
            | Self::ActorEnded
            | Self::Aborted
            | Self::UnknownTask
            | Self::NotReachable
            | Self::WrongStatus { .. }
            | Self::WrongStyle { .. }
            | Self::NicknameTaken { .. }
            | Self::AmbiguousNickname { .. }
            | Self::NotAllocated { .. }
            | Self::NoTools { .. }
            | Self::IdempotencyConflict { .. }
            | Self::IdempotencyForgotten { .. }
            | Self::Released
            | Self::Draining
            | Self::ToolBlocked { .. } => self.to_string(),
        }
    }

    /// Every code, for the types of other languages.
    pub const CODES: &'static [&'static str] = &[
        "invalid_argument",
        "actor_ended",
        "aborted",
        "unknown_task",
        "forgotten",
        "not_reachable",
        "depth_limit",
        "children_limit",
        "tasks_limit",
        "sessions_limit",
        "concurrency_limit",
        "queue_full",
        "budget_exhausted",
        "abandoned_limit",
        "messages_limit",
        "wrong_status",
        "wrong_style",
        "nickname_taken",
        "ambiguous_nickname",
        "not_allocated",
        "no_tools",
        "idempotency_conflict",
        "idempotency_forgotten",
        "rate_limited",
        "released",
        "notices_limit",
        "tool_blocked",
        "draining",
    ];

    /// The task that it is about, where it isn't the one that was named.
    #[must_use]
    pub const fn task(&self) -> Option<Key> {
        if let Self::IdempotencyConflict { task }
        | Self::IdempotencyForgotten { task, .. }
        | Self::BudgetExhausted { whose: Whose::Task(task), .. } = self
        {
            Some(*task)
        } else {
            None
        }
    }

    /// The option that raises the limit which was met, where it was one.
    #[must_use]
    pub const fn raised_by(&self) -> Option<&'static str> {
        match self {
            Self::DepthLimit { .. } => Some("maxDepth"),
            Self::ChildrenLimit { .. } => Some("maxChildren"),
            Self::TasksLimit { .. } => Some("maxTasks"),
            Self::SessionsLimit { .. } => Some("maxSessions"),
            Self::ConcurrencyLimit { .. } => Some("maxConcurrent"),
            Self::QueueFull { .. } => Some("maxQueued"),
            Self::AbandonedLimit { .. } => Some("maxAbandoned"),
            Self::MessagesLimit { .. } => Some("maxMessages"),
            Self::NoticesLimit { .. } => Some("maxNotices"),
            Self::BudgetExhausted { option, .. } => Some(option),
            Self::InvalidArgument { .. }
            | Self::ActorEnded
            | Self::Aborted
            | Self::UnknownTask
            | Self::Forgotten
            | Self::NotReachable
            | Self::WrongStatus { .. }
            | Self::WrongStyle { .. }
            | Self::NicknameTaken { .. }
            | Self::AmbiguousNickname { .. }
            | Self::NotAllocated { .. }
            | Self::NoTools { .. }
            | Self::IdempotencyConflict { .. }
            | Self::IdempotencyForgotten { .. }
            | Self::RateLimited { .. }
            | Self::Released
            | Self::ToolBlocked { .. }
            | Self::Draining => None,
        }
    }

    /// The fields, for a typed `details` object.
    #[must_use]
    pub fn details(&self) -> Details {
        let mut details = Details { option: self.raised_by(), ..Details::default() };
        match self {
            Self::InvalidArgument { argument, .. } => details.argument = *argument,
            Self::ActorEnded | Self::Aborted | Self::UnknownTask | Self::Forgotten | Self::NotReachable | Self::Draining => {}
            Self::IdempotencyConflict { .. } | Self::Released => {}
            Self::IdempotencyForgotten { last_status, .. } => {
                (details.status, details.last_status) = (Some("forgotten"), Some(last_status.name()));
            }
            Self::RateLimited { retry_after_ms } => details.retry_after_ms = Some(number(*retry_after_ms)),
            Self::DepthLimit { limit }
            | Self::ChildrenLimit { limit }
            | Self::TasksLimit { limit }
            | Self::SessionsLimit { limit }
            | Self::QueueFull { limit }
            | Self::MessagesLimit { limit }
            | Self::AbandonedLimit { limit }
            | Self::NoticesLimit { limit } => details.limit = Some(number(*limit)),
            Self::ConcurrencyLimit { active, limit } => (details.active, details.limit) = (Some(number(*active)), Some(number(*limit))),
            Self::BudgetExhausted { dimension, remaining, needed, .. } => {
                let told = if *dimension == Dimension::Cost { dollars } else { number };
                (details.remaining, details.needed) = (Some(told(*remaining)), Some(told(*needed)));
                details.unit = Some(dimension.unit());
            }
            Self::WrongStatus { status, action } => (details.status, details.action) = (Some(status.name()), Some(*action)),
            Self::WrongStyle { action, .. } => details.action = Some(*action),
            Self::NicknameTaken { nickname } => details.nickname = Some(nickname.clone()),
            Self::AmbiguousNickname { nickname, task_ids } => {
                (details.nickname, details.task_ids) = (Some(nickname.clone()), Some(task_ids.clone()));
            }
            Self::NoTools { requested, available } => {
                (details.requested, details.available) = (Some(requested.clone()), Some(available.clone()))
            }
            Self::ToolBlocked { tool, available } => (details.requested, details.available) = (Some(vec![tool.clone()]), available.clone()),
            Self::NotAllocated { released, allocated } => {
                (details.released, details.allocated) = (Some(number(*released)), Some(number(*allocated)))
            }
        }
        details
    }
}

/// What a rejection tells beside its code; absent fields don't belong to it.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of `Rejection`")]
pub struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_ids: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub released: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocated: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<Number>,
    /// Filled in at the boundary, which knows how ids are made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_told_of_limits_without_the_options_that_raise_them() {
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
            let (said, told) = (rejection.to_string(), rejection.told());
            assert!(said.contains('`') || matches!(rejection, Rejection::Forgotten), "the program is told the option: {said}");
            assert!(!told.contains('`') && !told.contains("raises"), "a model is told no option: {told}");
        }
    }
}
