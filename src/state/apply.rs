//! The only function that changes the state. Owns the change that each fact makes: one arm for each, by subject, without a
//! decision. A fact's meaning never changes, so old facts always give the same state.

use crate::base::amounts::{Amounts, Estimate, Nanos};
use crate::base::run_key::RunKey;
use crate::model::fact::{Fact, manager_facts, message_facts, run_facts, tree_facts, turn_facts};
use crate::model::status::Parked;
use crate::model::usage::Dimensions;
use crate::state::budget::ledger;
use crate::state::budget::reservations::Booking;
use crate::state::runs::run::{Previous, WaitingTurn};
use crate::state::tree::node::{Kind, Node};
use crate::state::{Drain, State};

impl State {
    /// Applies a fact that happened at `now`.
    pub fn apply(&mut self, now: u64, mut fact: Fact) {
        self.take_in(now, &mut fact);
    }

    /// Applies a fact in place: moves all its parts out, so that none is left to drop.
    #[inline(always)]
    pub(crate) fn take_in(&mut self, now: u64, fact: &mut Fact) {
        self.now = now;
        if !self.live(now, fact) {
            self.apply_rare(now, std::mem::replace(fact, Fact::DrainOverran {}));
        }
    }

    /// Applies the facts that not every run has. Out of line: inlined, each call would load every part of every kind of fact.
    #[inline(never)]
    fn apply_rare(&mut self, now: u64, fact: Fact) {
        match fact {
            manager_facts!() => self.apply_to_manager(now, fact),
            tree_facts!() => self.apply_to_tree(now, fact),
            message_facts!() => self.apply_to_messages(now, fact),
            run_facts!() => self.apply_to_runs(now, fact),
            turn_facts!() => self.apply_to_turns(now, fact),
        }
    }

    /// The manager's options, drain, time and process.
    #[inline(always)]
    fn apply_to_manager(&mut self, now: u64, fact: Fact) {
        match fact {
            Fact::Seeded { high, low } => self.seed = Some((high, low)),
            Fact::LimitSet { limit, value } => {
                self.estimate_given |= *limit == *"turnEstimate";
                self.price_given |= *limit == *"turnEstimateUsd";
                self.stagger_given |= *limit == *"staggerMs";
                self.limits.set(&limit, value);
            }
            Fact::DefaultsSet { task_cap, retry, reject, on_parent_end } => {
                (self.task_cap, self.retry, self.reject, self.on_parent_end) = (task_cap, retry, reject, on_parent_end);
            }
            Fact::PricesSet { prices } => self.prices = prices,
            Fact::RatesSet { rates } => self.key_rates.set(now, rates),
            Fact::RateLeft { key, requests, tokens } => self.key_rates.left(now, &key, (requests, tokens)),
            Fact::CooldownSet { key, until } => self.rates.set(key, until),
            Fact::StoodStill { ms } => self.stood_still(now, ms),
            Fact::CooldownOver { key } => self.cooldown_over(&key),
            Fact::DrainStarted { until, leaves_queued } => {
                let fresh = Drain { until, leaves_queued, ended: 0, cancelled: 0, overran: false, over: false };
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
            Fact::ToolsBlocked { tools } => self.blocked = tools,
            Fact::Reopened { salt } => {
                self.salted(salt);
                self.draining = None;
                self.leave_all_to_program();
                self.await_no_notices();
            }
            Fact::DefinitionsKnown { agents, profiles } => self.definitions_known(agents, profiles),
            tree_facts!() | message_facts!() | run_facts!() | turn_facts!() => {}
        }
    }

    /// Sessions and tasks, and their retention.
    #[inline(always)]
    fn apply_to_tree(&mut self, now: u64, fact: Fact) {
        match fact {
            // `runs/apply.rs` has these.
            Fact::TaskAdmitted { .. } | Fact::TaskForgotten { .. } => {}
            Fact::CapSet { task, cap } => {
                self.is_capped |= cap != Amounts::UNCAPPED;
                self.tree.at_mut(task.index).account.cap = cap;
            }
            Fact::SessionOpened { task: _, name } => {
                let index = self.tree.insert(Node { kind: Kind::Session, parent: crate::state::ROOT, text: name, ..Node::default() }).index;
                self.link_child(index);
            }
            Fact::MainAgentSet { task, tools, model_id } => {
                let spec = &mut self.tree.at_mut(task.index).rare_mut().spec;
                (spec.tools, spec.model_id) = (tools, model_id);
            }
            Fact::TaskBackgrounded { task } => self.tree.at_mut(task.index).background = true,
            Fact::ResourceAcquired { task, data } => self.resource_acquired(task.index, data),
            Fact::ResourceReleased { serial, owner: _ } => self.resource_released(serial),
            Fact::CancelRequested { task, by, close, interrupt, claimed, caller_reads } => {
                self.cancel_requested(task, by, (close, interrupt), &claimed, caller_reads);
            }
            Fact::CancelSettled { task } => self.cancel_settled(task.index),
            Fact::SessionClosed { task } => self.session_closed(task.index),
            Fact::SessionFreed { task } => self.session_freed(task.index),
            Fact::TaskEnded { task, status, stop_reason: reason } => self.task_ended(now, task.index, status, reason),
            Fact::TaskResumed { task } => self.task_resumed(now, task.index),
            Fact::EndsCollected { tasks } => {
                for task in tasks {
                    self.tree.at_mut(task.index).collected = true;
                    self.retain(task.index);
                }
            }
            Fact::KeyDropped { scope, key } => self.key_dropped(scope, &key),
            Fact::ResultReleased { task } => self.result_released(now, task.index),
            Fact::SessionRegistered { task } => self.absent.retain(|index| *index != task.index),
            manager_facts!() | message_facts!() | run_facts!() | turn_facts!() => {}
        }
    }

    /// Messages, questions and notices.
    #[inline(always)]
    fn apply_to_messages(&mut self, now: u64, fact: Fact) {
        match fact {
            Fact::MessageQueued { task, run: _, place, text } => {
                self.count_paused_around(task.index, |it| it.message_queued(task, place, text));
            }
            Fact::SteersAgain { task, run: _, texts, missed } => self.steers_again(task.index, texts.len(), missed),
            Fact::MessagesDropped { task, count } => self.count_paused_around(task.index, |it| it.messages_dropped(task, count)),
            Fact::QueuePaused { task, paused } => self.count_paused_around(task.index, |it| it.queue_paused(task, paused)),
            Fact::QuestionAsked { task, run, question, until, delivered } => {
                self.question_asked(RunKey { task, run }, question, until);
                self.note_asker(task, !delivered);
                self.run_parked(now, RunKey { task, run }, Parked::Input);
            }
            Fact::QuestionDelivered { task, run: _ } => self.note_asker(task, false),
            Fact::QuestionClosed { task, run, answer, timed_out: _, parks } => {
                self.question_closed(RunKey { task, run }, answer);
                self.run_unparked(now, RunKey { task, run }, Parked::Input, parks);
            }
            Fact::NoticeMoved { task, run, delivery, to, attempt, until, delivered_to } => {
                for by in delivered_to {
                    self.end_delivered_to(RunKey { task, run }, by.index);
                }
                self.notice_moved(RunKey { task, run }, delivery, to, (attempt, until));
            }
            manager_facts!() | tree_facts!() | run_facts!() | turn_facts!() => {}
        }
    }

    /// The phases of runs, and their host functions.
    #[inline(always)]
    fn apply_to_runs(&mut self, now: u64, fact: Fact) {
        match fact {
            // `runs/apply.rs` has these.
            Fact::RunStarted { .. } | Fact::RunEnded { .. } => {}
            Fact::RunQueued { task, run, rank, round, message, waiting_for: _, again } => {
                if again {
                    self.attempt_queued(now, task.index, run, rank, round);
                } else if self.node(task.index).runs == run {
                    self.retry_due(now, task.index, rank, round);
                } else {
                    self.count_paused_around(task.index, |it| it.run_queued(now, task.index, run, rank, round, message));
                }
            }
            Fact::RunTaken { task, run: _ } => self.take_from_program(self.node(task.index).run),
            Fact::RunRaised { task, run: _, rank } => self.run_raised(task.index, rank),
            Fact::WrapUpRequested { task, run, stop_reason: reason, until } => self.wrap_up_requested(RunKey { task, run }, reason, until),
            Fact::RunParked { task, run, why, waits_for: _ } => self.run_parked(now, RunKey { task, run }, why),
            Fact::RunUnparked { task, run, why, parks } => self.run_unparked(now, RunKey { task, run }, why, parks),
            Fact::RunReentered { task, run, over_limit, reserved, loans } => {
                if let Some(reserved) = reserved {
                    self.reserve_turn(now, RunKey { task, run }, reserved, loans);
                }
                self.run_reentered(now, RunKey { task, run }, over_limit);
            }
            Fact::StopRequested { task, run, stop_reason: reason, status, until } => {
                self.stop_requested(RunKey { task, run }, (reason, status), until)
            }
            Fact::RunRetried { task, run, attempt, stop_reason: reason, error, host_status: _, usage, unknown, invalid, loans, until } => {
                self.settle_mailbox(RunKey { task, run }, true);
                self.turns_ended(now, RunKey { task, run }, usage, (unknown, invalid), Some(reason));
                let takes_turns = self.find_run(task.index, run).is_some_and(|index| self.runs.at(index).takes_turns());
                let past = self.find_run(task.index, run).and_then(|index| self.past_of(index, usage, unknown));
                let previous = Previous { reason, error, open: self.left_open(RunKey { task, run }, reason, usage), takes_turns, past };
                self.book(now, RunKey { task, run }, Booking { usage, reserved: Amounts::ZERO, whole: false, loans });
                let had_last = self.had_last_turn(self.node(task.index).run);
                ledger::end(&mut self.tree, task.index, Amounts::ZERO, Amounts::ZERO, had_last);
                self.run_retried(now, (task.index, run), attempt, previous, until);
            }
            Fact::CheckpointSaved { task, run: _, data } => self.checkpoint_saved(task.index, data),
            Fact::DataSaved { task, run: _, data } => self.tree.at_mut(task.index).rare_mut().saved = Some(data),
            Fact::HostReturned { task, run, usage, unknown, invalid, loans, late_result } => {
                if let Some(usage) = usage {
                    self.turns_ended(now, RunKey { task, run }, usage, (unknown, invalid), None);
                    self.book(now, RunKey { task, run }, Booking { usage, reserved: Amounts::ZERO, whole: false, loans });
                }
                self.host_returned(RunKey { task, run }, Dimensions::doubts(unknown, invalid), late_result);
            }
            Fact::HostAbandoned { task, run, usage } => {
                self.book(now, RunKey { task, run }, Booking { usage, reserved: Amounts::ZERO, whole: false, loans: None });
                self.host_abandoned(RunKey { task, run });
            }
            Fact::RunElsewhere { task, run, host_task_id } => self.run_elsewhere(task.index, run, host_task_id),
            Fact::RunReturned { task, run, usage, unknown, invalid, loans, output } => {
                self.settle_mailbox(RunKey { task, run }, false);
                self.turns_ended(now, RunKey { task, run }, usage, (unknown, invalid), None);
                self.book(now, RunKey { task, run }, Booking { usage, reserved: Amounts::ZERO, whole: false, loans });
                self.tree.at_mut(task.index).usage_doubts = Dimensions::doubts(unknown, invalid);
                self.run_returned(now, task.index, run, output);
            }
            manager_facts!() | tree_facts!() | message_facts!() | turn_facts!() => {}
        }
    }

    /// Turns, usage, tools, and the answers of policies.
    #[inline(always)]
    fn apply_to_turns(&mut self, now: u64, fact: Fact) {
        match fact {
            Fact::TurnStarted { task, run: 0, turn, wrap_up, .. } => {
                self.count_main_turn(now, task.index);
                self.main_turn_started(now, task.index, turn, wrap_up);
            }
            Fact::TurnStarted { task, run, turn, wrap_up, wrap_up_reason, spends_wrap_up, reserved, loans, steers, questions, whole } => {
                self.deliver_at_boundary(task, steers, &questions);
                self.turn_started(now, RunKey { task, run }, (turn, wrap_up_reason), (reserved, whole, loans));
                self.spend_last_turn(RunKey { task, run }, spends_wrap_up, wrap_up);
            }
            Fact::TurnDelayed { task, run, estimate, estimate_usd, reserved, loans, waiting_for: _, parks, whole } => {
                self.takes_turns = true;
                self.release_turn(task.index, run);
                if let (Some(reserved), Some(index)) = (reserved, self.find_run(task.index, run)) {
                    let usage = self.runs.at(index).booked;
                    self.book(now, RunKey { task, run }, Booking { usage, reserved, whole: true, loans });
                }
                if let Some(index) = self.find_run(task.index, run) {
                    let estimate = Estimate { tokens: estimate, nanos: estimate_usd.map(|Nanos(nanos)| nanos) };
                    self.runs.at_mut(index).waiting_turn = Some(WaitingTurn { estimate, whole });
                }
                if let Some(why) = parks {
                    self.run_parked(now, RunKey { task, run }, why);
                }
            }
            Fact::RunReported { task, run, usage, reported, invalid, reserved, loans, context_tokens, message } => {
                if run == 0 {
                    self.book(now, RunKey { task, run }, Booking { usage, reserved, whole: false, loans: None });
                } else {
                    self.run_reported(now, RunKey { task, run }, (usage, reserved, loans), (reported, invalid));
                }
                if context_tokens.is_some() || message.is_some() {
                    let node = self.tree.at_mut(task.index);
                    node.updated_at = now;
                    let rare = node.rare_mut();
                    rare.context_tokens = context_tokens.or(rare.context_tokens);
                    rare.progress = message.or_else(|| rare.progress.take());
                }
            }
            Fact::TokensUsed { task, run, model_id, kinds, cost_usd, unpriced, uncounted } => {
                self.tokens_used(RunKey { task, run }, model_id, kinds, cost_usd, unpriced);
                self.not_to_count((task.index, run), uncounted);
            }
            Fact::PolicyAnswered { task, run, point, answer, stop_reason: reason, policy: _, text, until } => {
                self.policy_answered(RunKey { task, run }, (point, answer), reason, text, until);
            }
            Fact::CallCounted { task, run: _, policy } => self.call_counted(task.index, policy),
            Fact::TodosReported { task, run: _, open, todos } => self.todos_reported(task.index, open, todos),
            Fact::ToolBegan { task, run, tool: _ } => self.tool_began(now, RunKey { task, run }),
            Fact::ToolEnded { task, run, steers, questions } => {
                self.deliver_at_boundary(task, steers, &questions);
                self.tool_ended(now, RunKey { task, run });
            }
            Fact::MainEnded { task } => self.main_ended(task.index),
            manager_facts!() | tree_facts!() | message_facts!() | run_facts!() => {}
        }
    }
}
