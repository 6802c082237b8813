//! Hosts' ids of work that they started (X4): the run of each, and the id that a model reads (D6). Owns the list, sorted by id
//! and index. A task has the id of each of its runs; a host may give one id to several tasks.

use crate::base::codec::Text;
use crate::base::id;
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::state::State;
use crate::state::runs::run::Run;

/// The maximum length of a host's id that a model reads.
const SHOWN_CHARS: usize = 128;

impl State {
    /// A host starts a run elsewhere, and may give its own id.
    pub(in crate::state) fn run_elsewhere(&mut self, index: u32, run: u32, host_id: Option<Text>) {
        let rare = self.tree.at_mut(index).rare_mut();
        rare.elsewhere = rare.elsewhere.max(run);
        let Some(host_id) = host_id else { return };
        rare.details.host_task_id = Some(host_id.clone());
        // Models read the last one.
        rare.host_ids.retain(|(known, _)| *known != host_id);
        rare.host_ids.push((host_id.clone(), run));
        let entry = (host_id, index);
        if let Err(at) = self.hosted.binary_search(&entry) {
            self.hosted.insert(at, entry);
        }
    }

    /// Releases the ids of a removed task.
    pub(in crate::state) fn drop_host_ids(&mut self, index: u32) {
        let Some(rare) = self.tree.at_mut(index).rare.as_deref_mut() else { return };
        for (host_id, _) in std::mem::take(&mut rare.host_ids) {
            if let Ok(at) = self.hosted.binary_search(&(host_id, index)) {
                self.hosted.remove(at);
            }
        }
    }

    /// The tasks with a host's id.
    fn hosted_as<'a>(&'a self, host_id: &'a str) -> impl Iterator<Item = u32> + 'a {
        let first = self.hosted.partition_point(|(known, _)| **known < *host_id);
        self.hosted.iter().skip(first).take_while(move |(known, _)| **known == *host_id).map(|(_, index)| *index)
    }

    /// The task that an actor means by a host's id. Tasks outside its scope count as absent.
    pub fn find_hosted(&self, actor: Actor, host_id: &str) -> Result<Key, Rejection> {
        let reached = self.hosted_as(host_id).filter(|index| self.reach(actor, self.key(*index)).is_ok());
        self.open_or_only(host_id, reached.map(|index| RunKey { task: self.key(index), run: self.node(index).runs }).collect())
            .map(|of| of.task)
    }

    /// The run that a host reports by an id. A host's own id means the last run with it; a manager's id means the task's last run
    /// elsewhere.
    pub fn find_reported(&self, id: &str) -> Result<RunKey, Rejection> {
        let task = self.task_of_id(id);
        if task.is_some_and(|task| self.tree.was_removed(task)) {
            return Err(Rejection::Forgotten);
        }
        let own = task.filter(|task| self.tree.contains(*task)).map(|task| RunKey { task, run: self.last_elsewhere(task.index) });
        let is_other = |index: &u32| own.is_none_or(|own| own.task.index != *index);
        let named = self.hosted_as(id).filter(is_other).map(|index| RunKey { task: self.key(index), run: self.last_hosted_as(index, id) });
        self.open_or_only(id, own.into_iter().filter(|own| own.run > 0).chain(named).collect())
    }

    /// The queued or open run among the runs with an id, one for each task; else the only run.
    fn open_or_only(&self, id: &str, mut found: Vec<RunKey>) -> Result<RunKey, Rejection> {
        let is_open = |of: &RunKey| self.run_of(of.task.index).number == of.run;
        if found.iter().any(is_open) {
            found.retain(is_open);
        }
        let Some(RunKey { run, .. }) = found.first().copied() else { return Err(Rejection::UnknownTask) };
        let tasks: Vec<u32> = found.into_iter().map(|of| of.task.index).collect();
        self.only(id, &tasks).map(|task| RunKey { task, run })
    }

    /// The number of a task's last run elsewhere; 0 before one.
    fn last_elsewhere(&self, index: u32) -> u32 {
        self.node(index).rare.as_ref().map_or(0, |rare| rare.elsewhere)
    }

    /// The number of the last run with this host's id.
    fn last_hosted_as(&self, index: u32, host_id: &str) -> u32 {
        let mut known = self.node(index).rare.iter().flat_map(|rare| &rare.host_ids);
        known.find(|(known, _)| **known == *host_id).map_or(0, |(_, run)| *run)
    }

    /// Whether a host runs it elsewhere, without a host function here.
    pub(crate) fn is_elsewhere(&self, run: &Run) -> bool {
        self.last_elsewhere(run.task) == run.number
    }

    /// Whether a run was lost with its process, and the task's current run continues its work.
    #[must_use]
    pub fn is_begun_anew(&self, task: Key, number: u32) -> bool {
        let run = self.run_of(task.index);
        run.number > number && run.previous.as_ref().is_some_and(|previous| previous.reason.is_lost())
    }

    /// The id of a task for a model: the last id from a host, if it is plain and names only this task; else ours.
    #[must_use]
    pub fn shown_id(&self, task: Key) -> String {
        let ours = || self.id_of(task);
        if !self.tree.contains(task) {
            return ours();
        }
        let Some(host_id) = self.node(task.index).rare.as_deref().and_then(|rare| rare.host_ids.last().map(|(id, _)| id)) else {
            return ours();
        };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/@+#=~".contains(&byte);
        let is_shown = !host_id.is_empty()
            && host_id.len() <= SHOWN_CHARS
            && host_id.bytes().all(plain)
            && !host_id.starts_with(id::PREFIX)
            && self.hosted_as(host_id).take(2).count() == 1
            && !self.is_nickname(host_id)
            && !self.own_ids.contains_key(host_id);
        if is_shown { host_id.to_string() } else { ours() }
    }
}
