//! Applies the four facts of every run: admitted, started, ended, forgotten. Owns these arms of
//! [`apply`](State::apply); moves values out of the fact to avoid copies.

use crate::base::amounts::Amounts;
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::model::admitted::KeyUse;
use crate::model::fact::Fact;
use crate::model::run_output::ResultDetails;
use crate::model::status::{Status, StopReason};
use crate::model::usage::Dimensions;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::reservations::Booking;
use crate::state::runs::run::Phase;
use crate::state::tree::node::{Asker, Kind, RareFields};
use crate::state::tree::rare_fields::KeyOfSpawn;

impl State {
    /// Applies one of the four, and returns whether it is one. The fact then has nothing left to drop.
    #[inline]
    pub(in crate::state) fn live(&mut self, now: u64, fact: &mut Fact) -> bool {
        #[expect(clippy::wildcard_enum_match_arm, reason = "`apply_rare` has all others")]
        match fact {
            Fact::TaskAdmitted { .. } => self.admitted(now, fact),
            Fact::RunStarted { .. } => self.started(now, fact),
            Fact::RunEnded { .. } => self.ended(now, fact),
            Fact::TaskForgotten { task } => self.forget(task.index),
            _ => return false,
        }
        true
    }

    #[inline(never)]
    fn started(&mut self, now: u64, fact: &mut Fact) {
        let Fact::RunStarted { task, run, max_turns, timeout_ms, idle_timeout_ms, reserved, loans } = fact else { return };
        let index = self.run_started(now, task.index, *max_turns, *timeout_ms, *idle_timeout_ms);
        match loans.take() {
            None if self.runs.at(index).reserved.is_zero() => self.book_start(task.index, index, *reserved),
            loans => {
                ledger::start(&mut self.tree, task.index, Amounts::ZERO);
                // Without a new reservation, the one for its surviving host's turn stays.
                if !reserved.is_zero() {
                    // The usage that this host has reported since stays too.
                    let usage = self.runs.at(index).booked;
                    self.book_at(now, RunKey { task: *task, run: *run }, index, Booking { usage, reserved: *reserved, whole: true, loans });
                }
            }
        }
    }

    #[inline(never)]
    fn admitted(&mut self, now: u64, fact: &mut Fact) {
        let Fact::TaskAdmitted { task: _, parent, parent_run, background, by_model, cap, text, spec, unanswerable, first, once } = fact
        else {
            return;
        };
        let (parent, spec) = (*parent, spec.take());
        let depth = self.node(parent.index).depth.saturating_add(1);
        let is_named = spec.as_ref().is_some_and(|spec| spec.nickname.is_some() || spec.task_id.is_some());
        let status = if first.is_some() { Status::Pending } else { Status::Idle };
        let index = self.tree.claim().index;
        let node = self.tree.at_mut(index);
        node.kind = Kind::Task;
        node.background = *background;
        node.asker = match (*unanswerable, *by_model) {
            (true, _) => Asker::MuteModel,
            (false, true) => Asker::Model,
            (false, false) => Asker::Program,
        };
        node.depth = depth;
        node.parent = parent.index;
        node.parent_run = *parent_run;
        node.account.cap = *cap;
        self.is_capped |= *cap != Amounts::UNCAPPED;
        node.created_at = now;
        node.updated_at = now;
        node.status = status;
        node.text = std::mem::take(text);
        if let Some(spec) = spec {
            node.rare_mut().spec = *spec;
            *self.prioritised = self.prioritised.saturating_add(u32::from(node.is_prioritised()));
        }
        if is_named {
            self.take_name(index);
        }
        self.link_child(index);
        self.count_spawn(parent.index);
        self.count_in(status);
        if let Some(once) = once.take() {
            self.key_used(parent, index, *once);
        }
        if let Some(first) = first {
            self.first_run_queued(now, index, parent.index, first.rank, first.round);
        }
    }

    #[inline(never)]
    fn ended(&mut self, now: u64, fact: &mut Fact) {
        let Fact::RunEnded {
            task,
            run: number,
            status,
            stop_reason: reason,
            partial,
            host_open,
            cut,
            collected,
            usage,
            unknown,
            invalid,
            loans,
            output,
            abandon_at,
            message_requeued,
            notice,
        } = fact
        else {
            return;
        };
        let (of, loans) = (RunKey { task: *task, run: *number }, loans.take());
        let (index, number) = (task.index, *number);
        if self.node(index).rare.is_some() {
            self.settle_mailbox(of, false);
        }
        if let Some(again) = *message_requeued {
            self.message_undelivered(of, again);
        }
        if let Some(run) = self.find_run(index, number) {
            self.note_attempted(index, run, *status);
            if *host_open {
                self.leave_host_open(of, run);
            } else {
                self.price_ended(run, usage.nanos, (*unknown, *invalid), Some(*reason));
                self.measure_end(now, run, *usage, *invalid, Some(*reason));
                self.book_end(now, of, run, *usage, loans);
            }
            self.note_past(run, *usage, *unknown);
            self.run_ended(now, index, run, host_open.then_some(*abandon_at));
        }
        let node = self.tree.at_mut(index);
        node.usage_doubts = Dimensions::doubts(*unknown, *invalid);
        node.reason = *reason;
        node.end = (*status, *reason);
        node.partial = *partial;
        node.cut = *cut;
        node.collected = *collected;
        node.ended_at = now;
        let details = output.take_details();
        node.keep_output(std::mem::take(&mut output.text));
        if node.rare.is_some() || details.is_some() {
            keep_details(node.rare_mut(), details);
        }
        if let Some(drain) = &mut self.draining {
            let count = if *reason == StopReason::Drained { &mut drain.cancelled } else { &mut drain.ended };
            *count = count.saturating_add(1);
        }
        self.set_status(now, index, *status);
        if let Some(notice) = notice.take() {
            self.notice_made(index, number, notice);
        }
    }

    /// Ends a run whose host function continues to use its reservation.
    #[inline(never)]
    fn leave_host_open(&mut self, of: RunKey, run: u32) {
        if self.runs.at(run).whole {
            self.stop_lending(of, &[]);
        }
        if self.runs.at(run).phase == Phase::Open {
            let had_last = self.had_last_turn(run);
            ledger::end(&mut self.tree, of.task.index, Amounts::ZERO, Amounts::ZERO, had_last);
        }
    }

    /// Records the key of a spawn.
    #[inline(never)]
    fn key_used(&mut self, parent: Key, index: u32, once: KeyUse) {
        let work = Some(self.keyed_work(parent, &once.key, once.digest));
        let serial = self.keys.insert(parent, once, self.key(index));
        self.tree.at_mut(index).rare_mut().once = KeyOfSpawn { serial, work };
    }
}

/// Replaces the details of the previous run's result.
#[inline(never)]
fn keep_details(rare: &mut RareFields, details: Option<Box<ResultDetails>>) {
    let known = rare.details.host_task_id.take();
    rare.details = details.map_or(ResultDetails::NONE, |details| *details);
    rare.details.host_task_id = rare.details.host_task_id.take().or(known);
    rare.released = false;
    rare.checkpoint = None;
}
