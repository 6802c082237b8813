//! The only function that changes the state. One arm a fact, and no decision: what a fact means never
//! changes, so that old facts always fold to the same state.

use super::ledger;
use super::node::{Kind, Node};
use super::run::{Loan, Phase, Seat};
use super::wait::{Target, Wait};
use super::{Drain, State};
use crate::amounts::Amounts;
use crate::codec::Text;
use crate::fact::Fact;
use crate::slab::NONE;
use crate::status::{Parked, Status, StopReason};

impl State {
    /// Applies what happened at `now`.
    #[expect(clippy::too_many_lines, reason = "one short arm a fact; splitting the list would hide that it is complete")]
    pub fn apply(&mut self, now: u64, fact: Fact) {
        self.now = now;
        match fact {
            Fact::Seeded { high, low } => self.seed = Some((high, low)),
            Fact::LimitSet { limit, value } => {
                self.estimate_given |= *limit == *"turnEstimate";
                self.limits.set(&limit, value);
            }
            Fact::CapSet { task, cap } => self.tree.at_mut(task.slot).account.cap = cap,
            Fact::AdmissionSet { reject } => self.reject = reject,
            Fact::TaskCapSet { cap } => self.task_cap = cap,
            Fact::SessionOpened { task: _, name } => {
                let slot = self
                    .tree
                    .insert(Node { kind: Kind::Session, parent: super::ROOT, text: name, created_at: now, ..Node::default() })
                    .slot;
                self.link_child(slot);
            }
            Fact::ToolsSet { task, tools } => self.tree.at_mut(task.slot).rare_mut().spec.tools = tools,

            Fact::TaskAdmitted { task: _, parent, parent_run, background, manual, cap, text, spec } => {
                let depth = self.node(parent.slot).depth.saturating_add(1);
                let slot = self.tree.claim().slot;
                let node = self.tree.at_mut(slot);
                node.kind = if manual { Kind::Manual } else { Kind::Task };
                node.background = background;
                node.depth = depth;
                node.parent = parent.slot;
                node.parent_run = parent_run;
                node.account.cap = cap;
                node.created_at = now;
                node.updated_at = now;
                node.text = text;
                node.rare = spec.map(|spec| Box::new(super::node::Rare { spec: *spec, ..Default::default() }));
                self.link_child(slot);
                self.count_in(if manual { Status::Pending } else { Status::Idle });
                self.tree.at_mut(slot).status = if manual { Status::Pending } else { Status::Idle };
            }
            Fact::ReserveChanged { task, tokens } => {
                let before = Amounts { tokens: self.node(task.slot).reserve(), ..Amounts::ZERO };
                ledger::hold(&mut self.tree, task.slot, before, Amounts { tokens, ..Amounts::ZERO });
                self.tree.at_mut(task.slot).rare_mut().reserve = tokens;
            }
            Fact::MessageQueued { task, ahead, text } => {
                let node = self.tree.at_mut(task.slot);
                node.updated_at = now;
                let messages = &mut node.rare_mut().messages;
                if ahead { messages.push_front(text) } else { messages.push_back(text) }
            }
            Fact::MessagesDropped { task, count } => {
                let messages = &mut self.tree.at_mut(task.slot).rare_mut().messages;
                messages.truncate(messages.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX)));
            }

            Fact::RunQueued { task, run, rank, round, message } => self.run_queued(now, task.slot, run, rank, round, message),
            Fact::RunStarted { task, run: _, max_turns, timeout_ms, idle_timeout_ms } => {
                let slot = self.node(task.slot).run;
                let run = self.runs.at_mut(slot);
                let place = (run.rank, run.round, run.ticket);
                run.phase = Phase::Open;
                run.seat = Seat::Held;
                run.started_at = now;
                run.max_turns = max_turns;
                run.left_ms = timeout_ms;
                run.clock_since = Some(now);
                run.idle_timeout_ms = idle_timeout_ms;
                self.queue.remove(place, true);
                self.held = self.held.saturating_add(1);
                self.tree.at_mut(task.slot).started_at = now;
                self.set_status(now, task.slot, Status::Running);
                self.arm(slot);
            }
            Fact::HoldChanged { task, run, hold, whole } => self.change_hold(task.slot, run, hold, whole),
            Fact::HoldLent { task, run, borrower, amount } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let (before, whole) = (self.runs.at(slot).hold, self.runs.at(slot).whole);
                    self.change_hold(task.slot, run, before.minus(amount), whole);
                }
                let borrower = self.node(borrower.slot).run;
                let loans = &mut self.runs.at_mut(borrower).loans;
                match loans.iter_mut().find(|loan| loan.lender == task && loan.run == run) {
                    Some(loan) => loan.amount = loan.amount.plus(amount),
                    None => loans.push(Loan { lender: task, run, amount }),
                }
            }
            Fact::HoldReturned { task, run, borrower, borrower_run, amount } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let (before, whole) = (self.runs.at(slot).hold, self.runs.at(slot).whole);
                    self.change_hold(task.slot, run, before.plus(amount), whole);
                }
                if let Some(slot) = self.find_run(borrower.slot, borrower_run) {
                    for loan in &mut self.runs.at_mut(slot).loans {
                        if loan.lender == task && loan.run == run {
                            loan.amount = loan.amount.minus(amount);
                        }
                    }
                }
            }
            Fact::TurnStarted { task, run, turn, wrap_up } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let run = self.runs.at_mut(slot);
                    run.turns = turn;
                    run.wrapped_up |= wrap_up;
                    run.stop_waiting();
                    run.silent_since = if run.parks == 0 { Some(now) } else { None };
                    self.arm(slot);
                }
                self.tree.at_mut(task.slot).updated_at = now;
            }
            Fact::TurnDelayed { task, run, estimate } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let run = self.runs.at_mut(slot);
                    run.turn_waiting = true;
                    run.waiting_estimate = estimate;
                }
            }
            Fact::UsageBooked { task, run, amount } => {
                ledger::spend(&mut self.tree, task.slot, amount);
                if let Some(slot) = self.find_run(task.slot, run) {
                    let run = self.runs.at_mut(slot);
                    run.booked = run.booked.plus(amount);
                }
                let node = self.tree.at_mut(task.slot);
                if node.runs == run {
                    node.last_usage = node.last_usage.plus(amount);
                }
                node.updated_at = now;
            }
            Fact::UsageReported { task, run, reported, invalid } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let run = self.runs.at_mut(slot);
                    let bits = |bits: u32| bits.to_le_bytes().first().copied().unwrap_or(0);
                    run.reported |= bits(reported);
                    run.invalid = (run.invalid & !bits(reported)) | bits(invalid);
                    run.silent_since = if run.parks == 0 { Some(now) } else { None };
                    self.arm(slot);
                }
            }
            Fact::UsageDoubted { task, run, unknown, invalid } => {
                let node = self.tree.at_mut(task.slot);
                // A late result of an earlier run says nothing about the last one.
                if node.runs == run {
                    node.usage_doubts = ((unknown & 7) | ((invalid & 7) << 3)).to_le_bytes().first().copied().unwrap_or(0);
                }
            }
            Fact::ProgressReported { task, run: _, context_tokens, message } => {
                let node = self.tree.at_mut(task.slot);
                node.updated_at = now;
                let rare = node.rare_mut();
                rare.context_tokens = context_tokens.or(rare.context_tokens);
                rare.progress = message.or_else(|| rare.progress.take());
            }
            Fact::WrapUpTold { task, run, reason, until } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let run = self.runs.at_mut(slot);
                    run.told = Some(reason);
                    // Being told again takes no deadline away.
                    run.until = until.or(run.until);
                    run.stop_waiting();
                    self.arm(slot);
                }
            }
            Fact::WrapUpSpent { task } => self.tree.at_mut(task.slot).wrapped_up = true,
            Fact::RunParked { task, run, why } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let run = self.runs.at_mut(slot);
                    run.park(why, now);
                    if run.seat == Seat::Held {
                        run.seat = Seat::Parked;
                        self.held = self.held.saturating_sub(1);
                        self.parked = self.parked.saturating_add(1);
                    }
                    if why == Parked::Reentry {
                        self.reentry.push_back(slot);
                    } else {
                        self.leave_reentry(now, slot);
                    }
                    self.arm(slot);
                }
            }
            Fact::RunUnparked { task, run, why } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    self.runs.at_mut(slot).unpark(why, now);
                    self.arm(slot);
                }
            }
            Fact::RunReentered { task, run, over_limit: _ } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    self.leave_reentry(now, slot);
                    let run = self.runs.at_mut(slot);
                    run.seat = Seat::Held;
                    run.stop_waiting();
                    self.parked = self.parked.saturating_sub(1);
                    self.held = self.held.saturating_add(1);
                    self.arm(slot);
                }
            }
            Fact::StopRequested { task, run, reason, status, until } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    let run = self.runs.at_mut(slot);
                    run.stop = Some((reason, status));
                    run.until = Some(until);
                    run.stop_waiting();
                    self.arm(slot);
                }
            }
            Fact::RunEnded {
                task,
                run,
                status,
                reason,
                partial,
                host_open,
                cut,
                collected,
                output,
                error,
                host_status,
                host_task_id,
                artifacts,
                duration_ms,
                abandon_at,
            } => {
                let slot = task.slot;
                self.run_ended(now, slot, run, host_open.then_some(abandon_at));
                let node = self.tree.at_mut(slot);
                node.reason = reason;
                node.partial = partial;
                node.cut = cut;
                node.collected = collected;
                node.ended_at = now;
                node.output = output;
                if node.rare.is_some()
                    || error.is_some()
                    || host_status.is_some()
                    || host_task_id.is_some()
                    || artifacts.is_some()
                    || duration_ms.is_some()
                {
                    let rare = node.rare_mut();
                    rare.error = error;
                    rare.host_status = host_status;
                    rare.host_task_id = host_task_id.or_else(|| rare.host_task_id.take());
                    rare.artifacts = artifacts;
                    rare.duration_ms = duration_ms;
                }
                if let Some(drain) = &mut self.draining {
                    let count = if reason == StopReason::Drained { &mut drain.cancelled } else { &mut drain.ended };
                    *count = count.saturating_add(1);
                }
                self.set_status(now, slot, status);
            }
            Fact::HostReturned { task, run, late_result } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    self.unlink_lingering(task.slot, slot);
                    self.free_run(slot);
                }
                if let Some(late) = late_result {
                    self.tree.at_mut(task.slot).rare_mut().late_result = Some(late);
                }
                self.retain(task.slot);
            }
            Fact::HostAbandoned { task, run } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    self.give_up_seat(slot);
                    self.runs.at_mut(slot).phase = Phase::Abandoned;
                    self.abandoned = self.abandoned.saturating_add(1);
                    self.arm(slot);
                }
            }

            Fact::RunElsewhere { task, run } => {
                if let Some(slot) = self.find_run(task.slot, run) {
                    self.runs.at_mut(slot).elsewhere = true;
                }
            }
            Fact::CancelRequested { task } => self.tree.at_mut(task.slot).cancelling = true,
            Fact::CancelSettled { task } => {
                self.tree.at_mut(task.slot).cancelling = false;
                self.retain(task.slot);
            }
            Fact::TaskEnded { task, status, reason } => {
                let node = self.tree.at_mut(task.slot);
                node.reason = reason;
                node.ended_at = now;
                self.set_status(now, task.slot, status);
            }
            Fact::TaskResumed { task } => self.set_status(now, task.slot, Status::Idle),
            Fact::EndCollected { task } => {
                self.tree.at_mut(task.slot).collected = true;
                self.retain(task.slot);
            }
            Fact::TaskForgotten { task } => self.forget(task.slot),

            Fact::WaitOpened { wait: _, task: waiter, run, all, subtree, target, target_run, others, other_runs, until } => {
                let others = others.into_iter().zip(other_runs).map(|(task, run)| Target { task, run }).collect();
                let run = if run == 0 { NONE } else { self.find_run(waiter.slot, run).unwrap_or(NONE) };
                self.wait_opened(Wait {
                    run,
                    all,
                    subtree,
                    target: Some(Target { task: target, run: target_run }),
                    others,
                    outstanding: 0,
                    until,
                });
            }
            Fact::WaitClosed { wait, timed_out: _ } => self.wait_closed(wait.slot),

            Fact::DrainStarted { until } => {
                let fresh = Drain { until, ended: 0, cancelled: 0, overran: false, over: false };
                self.draining = Some(self.draining.map_or(fresh, |drain| Drain { until, ..drain }));
            }
            Fact::DrainOverran {} => {
                if let Some(drain) = &mut self.draining {
                    drain.overran = true;
                }
            }
            Fact::DrainEnded { timed_out: _ } => {
                if let Some(drain) = &mut self.draining {
                    drain.over = true;
                }
            }
        }
    }

    fn count_in(&mut self, status: Status) {
        if let Some(count) = self.counts.get_mut(usize::from(status.number())) {
            *count = count.saturating_add(1);
        }
    }

    pub(super) fn count_out(&mut self, status: Status) {
        if let Some(count) = self.counts.get_mut(usize::from(status.number())) {
            *count = count.saturating_sub(1);
        }
    }

    fn set_status(&mut self, now: u64, slot: u32, status: Status) {
        let node = self.tree.at_mut(slot);
        let before = std::mem::replace(&mut node.status, status);
        node.updated_at = now;
        self.count_out(before);
        self.count_in(status);
        if status.is_open() || status == Status::Idle { self.unretain(slot) } else { self.retain(slot) }
    }

    fn run_queued(&mut self, now: u64, task: u32, number: u32, rank: i64, round: u64, message: Option<Text>) {
        let at = self.runs.claim().slot;
        let ticket = self.queue.insert(rank, round, at);
        let took_message = message.is_some();
        let run = self.runs.at_mut(at);
        run.task = task;
        run.number = number;
        run.queued_at = now;
        run.rank = rank;
        run.round = round;
        run.ticket = ticket;
        run.message = message;
        let node = self.tree.at_mut(task);
        node.run = at;
        node.runs = number;
        node.last_usage = Amounts::ZERO;
        node.usage_doubts = 0;
        node.collected = false;
        if let Some(rare) = &mut node.rare {
            (rare.progress, rare.context_tokens) = (None, None);
        }
        if took_message && node.queued_messages() > 0 {
            node.rare_mut().messages.pop_front();
        }
        let parent = self.tree.at_mut(self.tree.at(task).parent);
        parent.round = round;
        parent.open_children = parent.open_children.saturating_add(1);
        self.set_status(now, task, Status::Pending);
    }

    /// The end of a run as far as slots, queue, waits and links go.
    fn run_ended(&mut self, now: u64, task: u32, number: u32, abandon_at: Option<u64>) {
        let Some(slot) = self.find_run(task, number) else { return };
        let run = self.runs.at_mut(slot);
        let waiters = std::mem::take(&mut run.waiters);
        let place = (run.rank, run.round, run.ticket);
        let was = run.phase;
        if was == Phase::Queued {
            self.queue.remove(place, false);
        }
        self.leave_reentry(now, slot);
        self.tree.at_mut(task).run = NONE;
        let parent = self.tree.at_mut(self.tree.at(task).parent);
        parent.open_children = parent.open_children.saturating_sub(1);
        for wait in waiters.iter() {
            self.target_ended(*wait);
        }
        if was == Phase::Open {
            for index in 0..self.settling.len() {
                let Some(wait) = self.settling.get(index).copied() else { break };
                let top = self.waits.at(wait).target.map_or(NONE, |target| target.task.slot);
                if self.is_within(task, top) {
                    self.target_ended(wait);
                }
            }
        }
        if was != Phase::Queued {
            self.runs_ended = self.runs_ended.saturating_add(1);
        }
        match abandon_at {
            Some(at) => {
                let next = std::mem::replace(&mut self.tree.at_mut(task).lingering, slot);
                let run = self.runs.at_mut(slot);
                run.phase = Phase::Lingering;
                run.until = Some(at);
                run.next_lingering = next;
                self.arm(slot);
            }
            None => self.free_run(slot),
        }
    }

    fn change_hold(&mut self, task: u32, number: u32, hold: Amounts, whole: bool) {
        let Some(slot) = self.find_run(task, number) else { return };
        let run = self.runs.at_mut(slot);
        let before = std::mem::replace(&mut run.hold, hold);
        run.whole = whole;
        if before != hold {
            ledger::hold(&mut self.tree, task, before, hold);
        }
    }
}
