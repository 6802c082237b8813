//! The independent account of a restart: what is lost with its process is queued again as often as it may be, and work
//! waits for what the next process lacks (J3). Made from the facts alone.

use subagents::{DEFAULT_SESSION, Fact, Key, OnHostLost, StopReason, Text};

use super::model::{Model, NodeFacts, Place, RunFacts};

impl Model {
    pub(super) fn take_presence(&mut self, fact: &Fact) -> Result<(), String> {
        match fact {
            Fact::DefinitionsKnown { agents, profiles } => {
                ensure!(self.reopened, "J3: {fact:?} of a process that goes on");
                self.known = Some((agents.clone(), profiles.clone()));
                let sessions = self.nodes.iter().filter(|node| node.parent == Some(0) && !node.forgotten && !node.session_closed);
                self.absent = sessions.map(|node| node.key).filter(|key| key.index != DEFAULT_SESSION).collect();
            }
            Fact::SessionRegistered { task } => ensure!(self.absent.remove(task), "J3: {task:?} was registered, but is there"),
            _ => {}
        }
        Ok(())
    }

    /// Whether a task waits for what the present process lacks, its session or a definition, or for the program (X6).
    pub(crate) fn lacks(&self, task: Key) -> bool {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        let for_program = |node: &NodeFacts| node.driven && node.taken.is_none();
        node.is_some_and(for_program) || self.lacks_here(task)
    }

    /// Whether it waits for what the present process lacks.
    pub(crate) fn lacks_here(&self, task: Key) -> bool {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        node.is_some_and(|node| self.lacks_session(node) || self.lacks_definition(node))
    }

    pub(crate) fn lacks_session(&self, node: &NodeFacts) -> bool {
        self.by_key.get(&node.key).is_some_and(|at| self.path(*at).any(|at| self.absent.contains(&self.nodes[at].key)))
    }

    pub(crate) fn lacks_definition(&self, node: &NodeFacts) -> bool {
        let has = |name: &Option<Text>, names: &[Text]| name.as_ref().is_none_or(|name| names.contains(name));
        let (agent, profile) = &node.definitions;
        self.known.as_ref().is_some_and(|(agents, profiles)| !has(agent, agents) || !has(profile, profiles))
    }

    /// Whether what is tried again at a time is so because its process was lost, and not by `retry`.
    pub(crate) fn queues_lost(&self, now: u64, until: u64) -> bool {
        self.reopened && self.on_host_lost != OnHostLost::Fail && until == now
    }

    /// What becomes of the runs that are lost or left: where hosts are found again after a restart, none begins anew (J3).
    pub(crate) fn lost(&self) -> OnHostLost {
        let found = self.reopened && self.outlived && self.on_host_lost == OnHostLost::Requeue;
        if found { OnHostLost::Resume } else { self.on_host_lost }
    }

    /// The message of a run that is lost waits for the next number, as often as it may be; no attempt is taken by that.
    pub(super) fn queue_lost(&mut self, at: usize, run: u32, attempt: u32, until: u64) -> Result<(), String> {
        // What runs elsewhere can't have ended the process.
        let most = if self.outlived { u64::MAX } else { self.limits.max_lost };
        let node = &mut self.nodes[at];
        let Some(record) = node.runs.get_mut(&run) else { return Err(format!("J3: there is no run {run} of {:?}", node.key)) };
        let open = matches!(record.place, Place::Held | Place::Parked) && !record.ended && !record.returned;
        ensure!(open && record.reserved.is_zero() && record.stop_until.is_none(), "J3: {record:?} is queued again");
        ensure!(attempt == record.attempt, "J3: attempt {attempt} of {record:?}, which only was lost");
        let lost = record.losses();
        ensure!(lost <= most, "J3: {record:?} is queued again, maxLost is {most}");
        (record.ended, record.place) = (true, Place::Gone);
        let next = RunFacts { place: Place::Backoff { until }, attempt, lost, ..RunFacts::queued(None) };
        node.runs.insert(run + 1, next);
        self.hand_children_on(at, run);
        Ok(())
    }

    /// What worked for a run that goes on under the next number works for that. One that goes on from its checkpoint has its
    /// sub-agents; one that begins anew would start them again, so they end (C3, J3).
    fn hand_children_on(&mut self, at: usize, run: u32) {
        for child in self.nodes.iter_mut().filter(|child| child.parent == Some(at) && child.parent_run == run) {
            child.parent_run = run + 1;
        }
        let resumes = self.lost() == OnHostLost::Resume;
        self.nodes[at].talk.owe(resumes);
        if !resumes {
            self.ended_now.insert(self.nodes[at].key, (run + 1, false));
        }
    }

    /// The message of a run that a drain has stopped waits for the next process (D8). It wasn't lost.
    pub(super) fn hand_on(&mut self, at: usize, run: u32, attempt: u32, until: u64) -> Result<(), String> {
        ensure!(self.draining && self.on_host_lost != OnHostLost::Fail, "D8: {run} is handed on: {:?}", self.on_host_lost);
        let node = &mut self.nodes[at];
        let Some(record) = node.runs.get_mut(&run) else { return Err(format!("D8: there is no run {run} of {:?}", node.key)) };
        let open = matches!(record.place, Place::Held | Place::Parked) && !record.ended && !record.returned;
        ensure!(open && record.reserved.is_zero() && attempt == record.attempt, "D8: {record:?} is handed on, attempt {attempt}");
        (record.ended, record.place) = (true, Place::Gone);
        let next = RunFacts { place: Place::Backoff { until }, attempt, ..RunFacts::queued(None) };
        node.runs.insert(run + 1, next);
        let task = node.key;
        for target in self.waits.values_mut().filter(|wait| wait.open).flat_map(|wait| &mut wait.targets) {
            if *target == (task, run) {
                target.1 = run + 1;
            }
        }
        self.hand_children_on(at, run);
        Ok(())
    }

    /// A run saves how far it is, or, once it is lost, the next one gets that.
    pub(super) fn save_checkpoint(&mut self, task: Key, run: u32, data: &Text) -> Result<(), String> {
        let resumes = (self.reopened || (self.stored && self.draining)) && self.lost() == OnHostLost::Resume;
        let record = self.run(task, run)?;
        let carried = matches!(record.place, Place::Backoff { .. });
        if !carried {
            record.lost = 0;
        }
        let at = self.at(task)?;
        if !carried {
            self.nodes[at].talk.cover();
        }
        let before = self.nodes[at].checkpoint.replace(data.clone());
        ensure!(!carried || (resumes && before.as_ref() == Some(data)), "J3: {task:?} goes on from {data}, it told {before:?}");
        Ok(())
    }

    /// What was lost, or was stopped by a drain, and might have been queued again doesn't end for that.
    pub(super) fn check_given_up(&self, task: Key, reason: StopReason, lost: u64) -> Result<(), String> {
        let wished = self.reopened && self.on_host_lost != OnHostLost::Fail && reason == StopReason::HostLost;
        let at = self.at(task)?;
        let might = (self.outlived || lost <= self.limits.max_lost) && self.is_uncapped(task) && !self.is_sealed(at);
        ensure!(!wished || !might, "J3: {task:?} was lost {lost} times, and ends for that");
        self.check_left(task, reason)
    }

    /// With a store a drain ends nothing that the next process may go on with (D8).
    fn check_left(&self, task: Key, reason: StopReason) -> Result<(), String> {
        if !self.stored || !self.draining || reason != StopReason::Drained {
            return Ok(());
        }
        let node = &self.nodes[self.at(task)?];
        let queued = node.runs.values().any(|run| matches!(run.place, Place::Queued | Place::Backoff { .. }));
        ensure!(!queued, "D8: {task:?} was queued, and a drain has ended it");
        let goes_on = self.on_host_lost != OnHostLost::Fail && self.is_uncapped(task);
        ensure!(!goes_on, "D8: {task:?} could go on in the next process, and a drain has ended it");
        Ok(())
    }
}
