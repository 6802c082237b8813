//! Hosts that ask, and messages to them. Owns what is expected of both.

use subagents::{Actor, Amounts, Input, Key, Manager, Mode, NONE, ROOT, Receipt, Reply};

use super::world::World;

impl World {
    /// Asks whoever asked for this one (M5).
    pub(super) fn host_ask(&mut self, task: Key, run: u32) {
        let timeout_ms = self.rng.pick(&[None, Some(1), Some(100), Some(5_000)]);
        let waiting = self.state().find_run(task.index, run).is_some_and(|index| !self.manager.waits().waiters(index).is_empty());
        // It waits before it has the answer, as for a turn.
        self.set_asking(task, run, true);
        let question = self.rng.pick(&["Which?", "Why?"]);
        // Mostly what an attempt before it had asked.
        let before = self.state().node(task.index).answer_kept().map_or("", |(_, asked, _)| asked);
        let asked = ["Which?", "Why?"].into_iter().find(|asked| *asked == before).filter(|_| self.rng.chance(80));
        let question = asked.unwrap_or(question).into();
        let reply = self.say(Actor::Run(task, run), Input::Ask { question, timeout_ms });
        match reply {
            Ok(Reply::Asked) => {
                if self.model.question_of(task).is_none() {
                    self.counts.note("questions", "answered as an attempt before");
                } else if waiting {
                    self.counts.note("waits", "ended by a question");
                }
                return;
            }
            Ok(Reply::Unanswered { stopped }) => {
                self.counts.note("questions", if stopped { "asked while told to stop" } else { "in vain" });
            }
            Ok(other) => panic!("M5: {other:?} is no answer to a question"),
            Err(_) => {}
        }
        let open = self.model.question_of(task).is_some_and(|asked| asked == run);
        self.set_asking(task, run, open);
    }

    /// Another host carries the run on: what is set aside for its turns counts as used where a cap bounds it, and what is set
    /// aside for the whole run stays (J3).
    pub(super) fn host_replaced(&mut self, task: Key, run: u32) {
        let replace = Input::ReplaceHost { resumes: self.rng.chance(50) };
        let mut copy = self.manager.clone();
        let _ = copy.handle(self.host_time(), Actor::Program, Input::Tick);
        let record = |manager: &Manager| manager.state().find_run(task.index, run).map(|index| manager.state().runs.at(index).clone());
        let before = record(&copy);
        let said = copy.handle(self.host_time(), Actor::Run(task, run), replace.clone());
        if let (Some(before), Some(after), Ok(_)) = (before, record(&copy), &said) {
            assert!(
                before.whole || after.waiting_turn.is_some() || after.reserved.is_zero(),
                "J3: {after:?} holds what another host began"
            );
            let booked = after.booked.zip(before.booked, u64::saturating_sub);
            let capped = copy.state().node(ROOT).account.cap.zip(self.least_cap(task), u64::min);
            let held = before.reserved.zip(capped, |held, cap| if cap == u64::MAX { 0 } else { held });
            let begun = if before.whole { Amounts::ZERO } else { held };
            assert_eq!(booked, begun, "J3: what {before:?} had begun is booked, and no more");
            let name = if booked.is_zero() { "by one that had begun nothing" } else { "by one that had begun a turn" };
            self.counts.note("hosts replaced", name);
        }
        let reply = self.say(Actor::Run(task, run), replace);
        assert_eq!(reply, said, "J3: {task:?} has another host");
    }

    /// The least cap of a task and of all above it.
    fn least_cap(&self, task: Key) -> Amounts {
        let (mut at, mut least) = (task.index, Amounts::UNCAPPED);
        while at != NONE {
            let node = self.state().node(at);
            (at, least) = (node.parent, least.zip(node.account.cap, u64::min));
        }
        least
    }

    pub(super) fn set_asking(&mut self, task: Key, run: u32, asking: bool) {
        if let Some(host) = self.hosts.get_mut(&(task, run)) {
            host.asking = asking;
        }
    }

    pub(crate) fn host_ask_done(&mut self, task: Key, run: u32) {
        self.set_asking(task, run, false);
        if self.hosts.get(&(task, run)).is_some_and(|host| host.waits == 0 && !host.turn_waiting && !host.approving && !host.returned) {
            self.later(task, run);
        }
    }

    /// A turn gets all that had come to steer it, once, in order (M1).
    pub(crate) fn check_inject(&mut self, task: Key, inject: Vec<subagents::Text>, untold: usize) {
        let delivered = self.model.take_delivered(task);
        if !delivered.is_empty() {
            self.counts.note("turns", "steered");
        }
        assert!(inject.starts_with(&delivered), "M1: {delivered:?} steers {task:?}, it got {inject:?}");
        let questions = &inject[delivered.len()..];
        assert!(questions.iter().all(|text| text.contains("asks:")), "M5: {questions:?} are no questions");
        assert_eq!(questions.len(), untold, "M5: the questions that {task:?} was told of");
        if untold > 0 {
            self.counts.note("turns", "told of questions");
        }
    }

    pub(crate) fn random_mode(&mut self) -> Mode {
        self.rng.pick(&[Mode::Queue, Mode::Queue, Mode::Steer, Mode::Interrupt])
    }

    /// Sends, and checks what the receipt says (M2).
    pub(crate) fn send_and_check(&mut self, actor: Actor, task: Key, mode: Mode, text: subagents::Text) {
        self.say_what_revives(actor, task);
        let node = self.state().node(task.index);
        let (known, runs, asks) = (self.state().tree.contains(task), node.runs, self.model.question_of(task).is_some());
        let waiting = node.undelivered_messages();
        let mut copy = self.manager.clone();
        let said = copy
            .handle(self.host_time(), Actor::Program, Input::Tick)
            .and_then(|_| copy.handle(self.host_time(), actor, Input::Send { task, mode, text: text.clone() }));
        let reply = self.say(actor, Input::Send { task, mode, text });
        let Ok(Reply::Sent(receipt)) = reply else { return };
        assert!(known && said == Ok(Reply::Sent(receipt)));
        let (now, node) = (copy.state(), copy.state().node(task.index));
        match receipt {
            Receipt::Queued => {
                self.counts.note("messages", "queued");
                assert!(now.tree.contains(task) && node.undelivered_messages() > 0, "M2: said to be queued, but nothing waits");
            }
            Receipt::Started => {
                self.counts.note("messages", "started");
                assert!(node.runs > runs, "M2: said to be started, but no run was queued");
                let waits = node.status == subagents::Status::Pending && node.lingering == NONE;
                // What interrupts goes on where it stood; a run may count on the slot that it gives up itself.
                let newcomer = mode != Mode::Interrupt && waiting == 0 && !matches!(actor, Actor::Run(..)) && !self.model.lacks(task);
                assert!(!(newcomer && waits && now.reject), "D2: {task:?} waits, though nothing may wait");
            }
            Receipt::Delivered => {
                self.counts.note("messages", "delivered");
                assert!(asks && node.question().is_none(), "M5: said to be delivered, but {task:?} asked nothing");
            }
        }
    }
}
