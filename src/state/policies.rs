//! The record of policies about an agent: their counts, its to-do list, the answer that ends its run. Owns the record, how facts
//! change it, and how that answer changes an end; never asks a policy.

use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::stored::stored;
use crate::model::policy::{Answer, Point};
use crate::model::run_output::{ResultDetails, RunOutput};
use crate::model::status::{Parked, Status, StopReason};
use crate::state::State;

/// The answer that ends a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// The output itself was refused, so it is withheld.
    pub withheld: bool,
    /// The reason, or the report.
    pub text: Text,
}

stored!(Verdict { answer, withheld, text } from Self { answer: Answer::Inject, withheld: false, text: Text::default() });

/// The record of policies about one run, or about a main agent since its last end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Policing {
    /// How often each counting policy has counted.
    pub counts: Vec<(Text, u64)>,
    /// The number of open to-dos.
    pub open_todos: u64,
    /// The reported list, as JSON.
    pub todos: Text,
    /// The answer that ends the run.
    pub verdict: Option<Verdict>,
    /// The report of a policy that answered `finish`, also on its timeout.
    pub report: Option<Text>,
    /// Turns of a main agent.
    pub turns: u64,
    /// When a main agent began.
    pub since: u64,
    /// When its last turn began.
    pub turn_at: u64,
    /// A main agent had its last turn.
    pub wrapped_up: bool,
}

stored!(Policing { counts, open_todos, todos, verdict, report, turns, since, turn_at, wrapped_up });

impl Policing {
    /// How often a policy has counted.
    #[must_use]
    pub fn count(&self, policy: &str) -> u64 {
        self.counts.iter().find(|(name, _)| **name == *policy).map_or(0, |(_, count)| *count)
    }
}

impl State {
    /// The record of policies about a node, if any.
    #[must_use]
    pub fn policing(&self, index: u32) -> Option<&Policing> {
        self.node(index).rare.as_ref().and_then(|rare| rare.policing.as_deref())
    }

    /// How a run that was asked to wrap up is recorded (L4).
    pub(crate) fn wrap_up_status(&self, task: u32, reason: StopReason) -> Status {
        let finished = || self.policing(task).and_then(|policing| policing.verdict.as_ref()).is_some_and(|it| it.answer == Answer::Finish);
        if reason == StopReason::Timeout {
            Status::TimedOut
        } else if reason == StopReason::Policy && finished() {
            Status::Completed
        } else {
            Status::Failed
        }
    }

    /// The result of a run that a policy ended: the policy's report, or its reason with the host's output, unless the policy
    /// refused that output.
    pub(crate) fn output_of_policy(&self, task: u32, output: RunOutput) -> RunOutput {
        let Some(verdict) = self.policing(task).and_then(|policing| policing.verdict.clone()) else { return output };
        let is_finished = verdict.answer == Answer::Finish;
        if !is_finished && !verdict.withheld {
            return output.change(|details| details.error = Some(verdict.text));
        }
        // Each field by name, so that a new one is asked about: may it leave a run whose output was refused?
        let (_, ResultDetails { error: _, host_status, artifacts, value: _, receipts, host_task_id, duration_ms }) = output.into_parts();
        let (text, error) = if is_finished { (verdict.text, None) } else { (Text::default(), Some(verdict.text)) };
        let artifacts = artifacts.filter(|_| is_finished);
        RunOutput::new(text, ResultDetails { error, host_status, artifacts, value: None, receipts, host_task_id, duration_ms })
    }

    /// Whether a run's progress may replace its output: not if the output was refused.
    pub(crate) fn may_show_progress(&self, task: u32) -> bool {
        !self.policing(task).and_then(|policing| policing.verdict.as_ref()).is_some_and(|verdict| verdict.withheld)
    }

    /// Whether a run is parked for a policy's answer, and so may still release its reservation.
    pub(crate) fn awaits_approval(&self) -> bool {
        self.runs.indices().any(|index| self.runs.at(index).is_parked(Parked::Approval))
    }

    pub(in crate::state) fn policing_mut(&mut self, index: u32) -> &mut Policing {
        self.tree.at_mut(index).rare_mut().policing.get_or_insert_default()
    }

    pub(in crate::state) fn policy_answered(
        &mut self,
        of: RunKey,
        (point, answer): (Point, Answer),
        reason: StopReason,
        text: Text,
        until: Option<u64>,
    ) {
        if answer == Answer::Finish && point != Point::BeforeSpawn {
            self.policing_mut(of.task.index).report = Some(text.clone());
        }
        let (Some(until), Some(index)) = (until, self.find(of)) else { return };
        self.policing_mut(of.task.index).verdict = Some(Verdict { answer, withheld: point == Point::BeforeEnd, text });
        let run = self.runs.at_mut(index);
        run.wrap_up_reason = Some(reason);
        run.timers.grace_until = Some(until);
        run.waiting_turn = None;
        self.arm(index);
    }

    pub(in crate::state) fn call_counted(&mut self, index: u32, policy: Text) {
        let counts = &mut self.policing_mut(index).counts;
        match counts.iter_mut().find(|(name, _)| *name == policy) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => counts.push((policy, 1)),
        }
    }

    pub(in crate::state) fn todos_reported(&mut self, index: u32, open: u64, todos: Text) {
        let policing = self.policing_mut(index);
        (policing.open_todos, policing.todos) = (open, todos);
    }

    pub(in crate::state) fn main_turn_started(&mut self, now: u64, index: u32, turn: u64, wrap_up: bool) {
        let policing = self.policing_mut(index);
        if turn == 1 {
            policing.since = now;
        }
        (policing.turns, policing.turn_at) = (turn, now);
        policing.wrapped_up |= wrap_up;
    }

    /// Resets counts, turns and time; the to-do list stays.
    pub(in crate::state) fn main_ended(&mut self, index: u32) {
        let policing = self.policing_mut(index);
        policing.counts.clear();
        (policing.turns, policing.since, policing.wrapped_up, policing.report) = (0, 0, false, None);
    }

    pub(in crate::state) fn tool_began(&mut self, now: u64, of: RunKey) {
        if let Some(index) = self.find(of) {
            let run = self.runs.at_mut(index);
            run.tools = run.tools.saturating_add(1);
            run.restart_silence(now);
            self.arm(index);
        }
    }

    pub(in crate::state) fn tool_ended(&mut self, now: u64, of: RunKey) {
        if let Some(index) = self.find(of).filter(|index| self.runs.at(*index).tools > 0) {
            let run = self.runs.at_mut(index);
            run.tools = run.tools.saturating_sub(1);
            run.restart_silence(now);
            self.arm(index);
        }
    }
}
