//! Which rule answers which input. Owns that list, the frequent ones first; starts and ends of runs have their own path
//! (`manager.rs`).

use crate::base::run_key::RunKey;
use crate::model::input::{Actor, Input, Reply};
use crate::model::rejection::Rejection;
use crate::rules::budget::{pricing, reserving};
use crate::rules::journal::draining;
use crate::rules::messages::{asking, sending};
use crate::rules::notices::{delivery, wake};
use crate::rules::policies::tools;
use crate::rules::policies::{answers, main_agent};
use crate::rules::runs::turns;
use crate::rules::runs::{background, cancelling, closing, host_ends, interrupting};
use crate::rules::scheduling::{admission, driving, rates};
use crate::rules::tree::{forgetting, resources, sessions};
use crate::rules::waiting;
use crate::rules::{results, settings};
use crate::step::Step;

/// The frequent inputs, except those that begin and end runs.
#[inline]
pub(super) fn decide(step: &mut Step<'_>, actor: Actor, input: Input) -> Result<Reply, Rejection> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "`let_others_decide` names them all")]
    match input {
        Input::Seed(high, low) => settings::seed(step, high, low),
        Input::SetLimits(limits) => settings::limits(step, limits),
        Input::SetBudget(cap) => settings::budget(step, cap),
        Input::SetDefaults(defaults) => settings::defaults(step, defaults),
        Input::BeginTurn { estimate, whole } => turns::begin(step, actor, estimate, whole),
        Input::Report { usage, tokens, context_tokens, message } => turns::report(step, actor, (usage, tokens), context_tokens, message),
        Input::EndWait(wait) => waiting::end(step, wait),
        Input::Tick => Ok(Reply::Done),
        rare => let_others_decide(step, actor, rare),
    }
}

/// The rarer inputs. They have their own function because a runtime compiles a function at its first call. So no host's first
/// call waits for the code of rare inputs.
#[inline(never)]
fn let_others_decide(step: &mut Step<'_>, actor: Actor, input: Input) -> Result<Reply, Rejection> {
    match input {
        Input::SetPrices(prices) => pricing::set(step, prices),
        Input::SetRates(given) => rates::set(step, given),
        Input::OpenSession(name) => sessions::open(step, name),
        Input::RegisterSession(session) => sessions::register(step, session),
        Input::SetTools(session, list) => tools::set(step, session, list),
        Input::SetModel(session, model_id) => sessions::set_model(step, session, model_id),
        Input::Send { task, mode, text } => sending::send(step, actor, task, mode, text),
        Input::Interrupt { task, grace_ms } => interrupting::interrupt(step, actor, task, grace_ms),
        Input::Ask { question, timeout_ms } => asking::ask(step, actor, question, timeout_ms),
        Input::NoteHost { task, run, called } => host_ends::note_host(step, RunKey { task, run }, called),
        Input::StartedElsewhere { task, run } => host_ends::started_elsewhere(step, task, run),
        Input::NameElsewhere { task, run, host_task_id } => host_ends::named_elsewhere(step, task, run, host_task_id),
        Input::Wait { targets, all, idle, timeout_ms } => {
            waiting::wait(step, actor, &targets, waiting::Until { all, idle, listed: true, timeout_ms })
        }
        Input::WaitsWithin { wait, task, run } => waiting::begin_within(step, wait, task, run),
        Input::Cancel { task, reason, grace_ms } => cancelling::cancel(step, actor, task, reason, grace_ms),
        Input::AwaitNotice => waiting::await_notice(step, actor),
        Input::AbortCall { task, wait, reads } => cancelling::abort_call(step, task, wait, reads),
        Input::Forget(task) => forgetting::forget(step, actor, task),
        Input::Close { task, grace_ms } => closing::close(step, actor, task, grace_ms),
        Input::Resume(task) => closing::resume(step, actor, task),
        Input::CloseSession { session, reason, grace_ms } => sessions::close(step, actor, session, reason, grace_ms),
        Input::AddBudget { task, amount } => reserving::add(step, actor, task, amount),
        Input::Drain { timeout_ms } => draining::drain(step, timeout_ms),
        Input::MoveToBackground(task) => background::move_task(step, actor, task),
        Input::TakeRun(task) => driving::take(step, actor, task),
        Input::Lease { max, lease_ms } => delivery::lease(step, actor, max, lease_ms),
        Input::Woken(session) => wake::woken(step, session),
        Input::Ack { task, run } => delivery::ack(step, actor, RunKey { task, run }),
        Input::SpawnOnce(once) => admission::spawn_once(step, actor, *once),
        Input::ReportRateLimit { retry_after_ms, remaining_requests, remaining_tokens } => {
            rates::report(step, actor, retry_after_ms, (remaining_requests, remaining_tokens))
        }
        Input::ReleaseResult(task) => results::release(step, actor, task),
        Input::SetSessionBudget(session, cap) => settings::session_budget(step, session, cap),
        Input::Rule(ruling) => answers::rule(step, actor, ruling),
        Input::AwaitApproval => answers::await_approval(step, actor),
        Input::Approved { starting } => answers::approved(step, actor, starting),
        Input::Count { policy, limit, todos } => answers::count(step, actor, policy, limit, todos),
        Input::Todos { open, todos } => answers::todos(step, actor, open, todos),
        Input::Checkpoint(data) => turns::checkpoint(step, actor, data),
        Input::Save(data) => turns::save(step, actor, data),
        Input::Acquire { task, data } => resources::acquire(step, task, data),
        Input::Released(serial) => resources::released(step, serial),
        Input::ReplaceHost { resumes } => turns::replace_host(step, actor, resumes),
        Input::BeginTool(name) => answers::begin_tool(step, actor, name),
        Input::EndTool(listens) => answers::end_tool(step, actor, listens),
        Input::BlockTools(list) => tools::block(step, list),
        Input::BeginMainTurn(bounds) => main_agent::begin_turn(step, actor, bounds),
        Input::EndMain => main_agent::end(step, actor),
        Input::StoodStill(_) => Ok(Reply::Done),
        // None of these arrives here: `handle` and `decide` call their rules.
        Input::Seed(..)
        | Input::SetLimits(..)
        | Input::SetBudget(..)
        | Input::SetDefaults(..)
        | Input::Spawn(..)
        | Input::BeginTurn { .. }
        | Input::Report { .. }
        | Input::HostReturned { .. }
        | Input::WaitFor { .. }
        | Input::EndWait(..)
        | Input::Tick => Err(Rejection::InvalidArgument { argument: None, what: "this input has another way in".into() }),
    }
}
