//! How a seed comes to its end: hosts return, time passes, everything is cancelled. Owns that nothing is left
//! open then, and nothing is held.

use subagents::{Actor, Amounts, Input, Key, ROOT, Reply, StopReason, UNLIMITED};

use super::model::Place;
use super::world::World;

impl World {
    /// Brings a seed to its end in one of several ways; afterwards nothing may be open.
    pub(crate) fn finish(&mut self) {
        self.ending = true;
        let way = self.rng.below(4);
        if self.rng.chance(30) {
            self.counts.note("endings", "drained");
            let timeout_ms = self.rng.pick(&[0, 50, 20_000, UNLIMITED]);
            self.say_now(Input::Drain { timeout_ms });
            if self.rng.chance(30) {
                self.say_now(Input::Drain { timeout_ms: 10 });
            }
            let spawn = self.random_spawn();
            self.say_now(Input::Spawn(spawn));
            if let Some(task) = self.random_task() {
                let mode = self.random_mode();
                self.say_now(Input::Send { task, mode, text: "too late".into() });
            }
            self.resume_while_draining();
            self.delegate_while_draining();
            self.hand_over();
        }
        self.crash_in_the_end();
        self.bring_all();
        match way {
            0 | 1 => {
                self.counts.note("endings", "every host returned");
                self.let_hosts_return();
            }
            2 => {
                self.counts.note("endings", "only the time passed");
                self.silence_hosts();
                self.let_time_pass();
            }
            _ => {
                self.counts.note("endings", "everything was cancelled");
                self.silence_hosts();
                let task = self.state().key(ROOT);
                let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Closed, grace_ms: Some(100) });
                self.silence_hosts();
                self.let_time_pass();
            }
        }
        if way >= 2 {
            self.end_what_has_no_deadline();
        }
        self.give_up_what_is_refused();
        self.check_all_is_over();
        self.let_hosts_return();
        self.check_nothing_is_left();
    }

    /// A run at work goes on delegating in a drain; the model says what it may not (D8).
    fn delegate_while_draining(&mut self) {
        let open: Vec<(Key, u32)> = self.hosts.iter().filter(|(_, host)| !host.returned).map(|(key, _)| *key).collect();
        if open.is_empty() {
            return;
        }
        let (task, run) = open[self.rng.index(open.len())];
        let spawn = self.random_spawn();
        if self.say(Actor::Run(task, run), Input::Spawn(spawn)).is_ok() {
            self.counts.note("endings", "a run spawned in a drain");
        }
        let children: Vec<Key> = self.state().children(task.index).map(|index| self.state().key(index)).collect();
        if !children.is_empty() {
            let child = children[self.rng.index(children.len())];
            let mode = self.random_mode();
            if self.say(Actor::Run(task, run), Input::Send { task: child, mode, text: "while there is time".into() }).is_ok() {
                self.counts.note("endings", "a run was told something in a drain");
            }
        }
    }

    /// Every host function returns, in a random order, again and again until none runs.
    pub(super) fn let_hosts_return(&mut self) {
        for _ in 0..1_000 {
            let open: Vec<(Key, u32)> = self.hosts.iter().filter(|(_, host)| !host.returned).map(|(key, _)| *key).collect();
            if open.is_empty() {
                // What is queued behind a host function or a wait may need the time to pass.
                if self.model.open_runs() == 0 || !self.pass_time() {
                    return;
                }
                continue;
            }
            let (task, run) = open[self.rng.index(open.len())];
            self.host_return(task, run);
        }
        panic!("the hosts return for ever");
    }

    pub(super) fn let_time_pass(&mut self) {
        for _ in 0..3_000 {
            if !self.pass_time() {
                return;
            }
            // Hosts that are called now never return either.
            self.silence_hosts();
        }
        panic!("the time passes for ever");
    }

    /// Without deadlines, with too many abandoned hosts, or with a grace without end, silence can last;
    /// then the program cancels and the hosts have to return.
    pub(super) fn end_what_has_no_deadline(&mut self) {
        if self.model.open_runs() == 0 {
            return;
        }
        let blocked = u64::from(self.state().abandoned) >= self.state().limits.max_abandoned;
        let lifted = self.model.nodes.iter().flat_map(|node| node.runs.values()).any(|run| run.place != Place::Gone && run.endless);
        assert!(
            blocked || lifted || (self.state().reject && *self.state().for_program > 0),
            "nothing hangs: {} runs are open, though every deadline has passed: {:#?}",
            self.model.open_runs(),
            self.open_run_states()
        );
        self.let_hosts_return();
        let task = self.state().key(ROOT);
        let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(0) });
        self.let_time_pass();
    }

    /// Where nothing may wait for a slot, the program may never take up what it drives (X6): then it cancels that.
    fn give_up_what_is_refused(&mut self) {
        if !self.state().reject {
            return;
        }
        let state = self.state();
        let tasks = state.queue.in_order().map(|run| state.runs.at(run)).filter(|run| run.awaits_program).map(|run| state.key(run.task));
        for task in tasks.collect::<Vec<_>>() {
            let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(0) });
        }
        self.let_hosts_return();
    }

    pub(super) fn open_run_states(&self) -> Vec<&subagents::run::Run> {
        let runs = &self.state().runs;
        runs.indices().map(|index| runs.at(index)).collect()
    }

    pub(super) fn check_all_is_over(&self) {
        assert_eq!(self.model.open_runs(), 0, "nothing hangs: runs are open at the end");
        let open: Vec<_> = self.model.waits.iter().filter(|(_, wait)| wait.open || !wait.told).collect();
        assert!(open.is_empty(), "nothing hangs: waits are open at the end: {open:?}");
        let sealed = self.model.nodes.iter().find(|node| node.sealed && !node.forgotten && !node.session_closed);
        assert!(sealed.is_none(), "C1: a cancel never settled: {sealed:?}");
    }

    /// With all hosts returned nothing is held, and everything can be forgotten.
    pub(super) fn check_nothing_is_left(&mut self) {
        assert_eq!(self.state().node(ROOT).account.reserved, Amounts::ZERO, "B2: something is held at the end");
        assert_eq!((self.state().taken_slots, self.state().parked, self.state().abandoned), (0, 0, 0), "S4: slots are held at the end");
        assert!(self.state().runs.is_empty(), "runs are kept at the end");
        let sessions: Vec<u32> = self.state().children(ROOT).collect();
        for session in &sessions {
            while let Some(task) = self.first_child(*session) {
                let reply = self.say(Actor::Program, Input::Forget(task));
                assert_eq!(reply, Ok(Reply::Done), "L8: {task:?} can't be forgotten");
            }
        }
        // What was below is still reported (N2).
        let untold: Vec<(Key, u32)> = self.model.notices.open.keys().copied().collect();
        for (task, run) in untold {
            self.counts.note("notices", "told of what was forgotten");
            let reply = self.say(Actor::Program, Input::Ack { task, run });
            assert_eq!(reply, Ok(Reply::Acked(true)), "N2: the end of {task:?}#{run} can't be acknowledged");
        }
        assert!(self.state().notices.is_empty(), "N2: notices are left of what was forgotten");
        assert_eq!(self.state().tree.len() as usize, sessions.len() + 1, "something is left of what was forgotten");
        assert_eq!(self.state().counts, [0; 9]);
        self.compare_fold();
    }

    pub(super) fn first_child(&self, index: u32) -> Option<Key> {
        self.state().children(index).next().map(|child| self.state().key(child))
    }
}
