//! The salts of ids (A7). Owns this opening's salt, and those of earlier openings whose tasks remain.
//!
//! A copy of a store, a restored backup and an opening after a lost tail start from the same state. They reach the same places in
//! the tables. So each opening draws a salt for the ids of the tasks that it accepts. A manager opened from nothing needs none:
//! its seed is its own.

use crate::base::codec::Text;
use crate::base::id::{self, NO_SALT};
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::base::stored::stored;
use crate::state::State;

/// The maximum number of remembered callers' ids of forgotten tasks.
const FORMER_IDS: usize = 1_000;

/// Stands for the task's salt: the salt of the task's first text.
pub(crate) const OF_TASK: u64 = 0;

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Salts {
    /// The current opening's salt.
    pub current: u64,
    /// The salts of tasks that were known when it began, sorted by key. They stay while it lasts.
    older: Vec<(Key, u64)>,
}

stored!(Salts { current, older });

impl Default for Salts {
    fn default() -> Self {
        Self { current: NO_SALT, older: Vec::new() }
    }
}

impl Salts {
    /// The salt of the opening that admitted a task.
    #[inline]
    fn of(&self, task: Key) -> u64 {
        if self.older.is_empty() { self.current } else { self.find(task) }
    }

    #[inline(never)]
    fn find(&self, task: Key) -> u64 {
        let found = self.older.binary_search_by_key(&task, |(key, _)| *key).ok();
        found.and_then(|at| self.older.get(at)).map_or(self.current, |(_, salt)| *salt)
    }

    /// Every task of an earlier opening, with its salt.
    pub fn older(&self) -> &[(Key, u64)] {
        &self.older
    }
}

impl State {
    fn seed_of_ids(&self) -> (u64, u64) {
        self.seed.unwrap_or_default()
    }

    /// The id that the caller gave a retained task (A9).
    pub(crate) fn own_id(&self, task: Key) -> Option<&Text> {
        self.node(task.index).spec().filter(|_| self.tree.contains(task))?.task_id.as_ref()
    }

    /// The id of a task, living or forgotten: the caller's while it is remembered, else ours.
    #[must_use]
    pub fn id_of(&self, task: Key) -> String {
        self.given_id(task).map_or_else(|| self.made_id(task), ToString::to_string)
    }

    /// The caller's id, while it is remembered.
    pub(crate) fn given_id(&self, task: Key) -> Option<&Text> {
        let former = || self.former_ids.iter().find(|(former, _)| *former == task).map(|(_, id)| id);
        self.own_id(task).or_else(former)
    }

    /// Remembers the caller's id of a removed task: notices, keys and events may mention it later.
    pub(in crate::state) fn keep_former_id(&mut self, task: Key, id: Text) {
        if self.former_ids.len() >= FORMER_IDS {
            self.former_ids.pop_front();
        }
        self.former_ids.push_back((task, id));
    }

    fn made_id(&self, task: Key) -> String {
        id::encode(self.seed_of_ids(), self.salts.of(task), task)
    }

    /// Our id of a task as four numbers, of eight digits each.
    #[must_use]
    pub(crate) fn id_parts(&self, task: Key) -> [u32; 4] {
        id::parts(self.seed_of_ids(), self.salts.of(task), task)
    }

    /// The task of this store that an id names, current or removed.
    #[must_use]
    pub fn task_of_id(&self, id: &str) -> Option<Key> {
        if let Some(index) = self.own_ids.get(id) {
            return Some(self.key(*index));
        }
        let (salt, task) = id::decode(self.seed_of_ids(), id)?;
        // Tasks forgotten before this opening have no salt any more.
        (salt == self.salts.of(task) || self.tree.was_removed(task)).then_some(task)
    }

    /// The delivery id of a run's end, valid while its notice is retained or if this opening made it (N1).
    #[must_use]
    pub fn delivery_id(&self, of: RunKey) -> String {
        let salt = self.find_notice(of).map_or(self.salts.current, |notice| self.notices.at(notice).salt);
        id::encode_delivery(self.seed_of_ids(), salt, of)
    }

    /// The run whose end has this delivery id.
    #[must_use]
    pub fn delivery_of_id(&self, id: &str) -> Option<RunKey> {
        let of = id::decode_delivery(self.seed_of_ids(), id)?;
        (self.delivery_id(of) == id).then_some(of)
    }

    /// The prefix of the keys of a run's actions (`run.idempotencyKey`): the same in each attempt at its message.
    #[must_use]
    pub fn work_key(&self, task: Key, number: u32) -> String {
        let current = self.node(task.index).run;
        let run = self.runs.at(current);
        let is_known = self.tree.contains(task) && current != NONE && run.number == number;
        let (salt, first) = if is_known { (run.salt, run.first_attempt()) } else { (OF_TASK, number) };
        let keyed = self.node(task.index).rare.as_ref().and_then(|rare| rare.once.work).filter(|_| self.tree.contains(task));
        match keyed {
            Some(work) if salt == OF_TASK && (is_known || number == 1) => id::encode_work(work),
            _ => {
                let salt = if salt == OF_TASK { self.salts.of(task) } else { salt };
                format!("{}-{first}", id::encode(self.seed_of_ids(), salt, task))
            }
        }
    }

    /// The identity of a keyed spawn's work, made only of the key, its parent and its parameters. So it is the same if the task
    /// was lost with the tail of a journal.
    pub(in crate::state) fn keyed_work(&self, parent: Key, key: &str, digest: u64) -> (u64, u64) {
        let node = self.node(parent.index);
        let of = match node.rare.as_ref().and_then(|rare| rare.once.work) {
            Some(work) => id::encode_work(work),
            // Not the caller's id, which may name other work once the task is forgotten (A7).
            None if node.is_task() => self.made_id(parent),
            // A session is identified by its name.
            None => format!("session {}", node.text),
        };
        id::keyed(self.seed_of_ids(), &format!("{digest} {} {of} {key}", of.len()))
    }

    /// Another opening begins: known tasks keep their salt.
    pub(in crate::state) fn salted(&mut self, salt: u64) {
        let forgotten = self.keys.all().map(|(_, entry)| entry.task);
        let of_notices = self.notices.indices().flat_map(|index| {
            let notice = self.notices.at(index);
            [Some(self.named_by(index)), notice.rerouted_from]
        });
        let living = self.tree.indices().filter(|index| self.node(*index).is_task()).map(|index| self.key(index));
        let mut older: Vec<_> = living.chain(forgotten).chain(of_notices.flatten()).map(|task| (task, self.salts.of(task))).collect();
        older.sort_unstable();
        older.dedup();
        self.salts = Salts { current: salt, older };
    }
}
