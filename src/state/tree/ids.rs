//! The salt that an id is made with (A7). Owns the salts: that of this opening, and those of earlier ones whose tasks remain.
//!
//! A copy of a store, a restored backup and an opening after a lost tail begin from the same state. They reach the same places in
//! the tables. So each opening draws a salt for the ids of the tasks that it accepts. A manager that was opened from nothing
//! needs none: its seed is its own.

use crate::base::codec::Text;
use crate::base::id::{self, NO_SALT};
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::base::stored::stored;
use crate::state::State;

/// So many callers' ids of forgotten tasks are remembered, to be shown.
const FORMER_IDS: usize = 1_000;

/// The salt of a message that is the task's first text: that of its task.
pub(crate) const OF_TASK: u64 = 0;

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Salts {
    /// The present opening's.
    pub current: u64,
    /// Those of tasks that were known when it began, in the order of their keys. They stay for as long as it lasts.
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

    /// The id of a task, living or forgotten: the caller's as long as it is remembered, else ours.
    #[must_use]
    pub fn id_of(&self, task: Key) -> String {
        self.given_id(task).map_or_else(|| self.made_id(task), ToString::to_string)
    }

    /// The caller's, as long as it is remembered.
    pub(crate) fn given_id(&self, task: Key) -> Option<&Text> {
        let former = || self.former_ids.iter().find(|(former, _)| *former == task).map(|(_, id)| id);
        self.own_id(task).or_else(former)
    }

    /// Remembers the name of a removed task: notices, keys and events may mention it later.
    pub(in crate::state) fn keep_former_id(&mut self, task: Key, id: Text) {
        if self.former_ids.len() >= FORMER_IDS {
            self.former_ids.pop_front();
        }
        self.former_ids.push_back((task, id));
    }

    fn made_id(&self, task: Key) -> String {
        id::encode(self.seed_of_ids(), self.salts.of(task), task)
    }

    /// The same as four numbers, of eight of its digits each.
    #[must_use]
    pub(crate) fn id_parts(&self, task: Key) -> [u32; 4] {
        id::parts(self.seed_of_ids(), self.salts.of(task), task)
    }

    /// The task that an id names, if it is one of this store's, present or past.
    #[must_use]
    pub fn task_of_id(&self, id: &str) -> Option<Key> {
        if let Some(index) = self.own_ids.get(id) {
            return Some(self.key(*index));
        }
        let (salt, task) = id::decode(self.seed_of_ids(), id)?;
        // No salt is retained of tasks that were forgotten before this opening.
        (salt == self.salts.of(task) || self.tree.was_removed(task)).then_some(task)
    }

    /// The id under which the end of a run is delivered, while its notice is retained, or if it was made in this opening (N1).
    #[must_use]
    pub fn delivery_id(&self, of: RunKey) -> String {
        let salt = self.find_notice(of).map_or(self.salts.current, |notice| self.notices.at(notice).salt);
        id::encode_delivery(self.seed_of_ids(), salt, of)
    }

    /// The run whose end has this delivery id, if its notice is retained.
    #[must_use]
    pub fn delivery_of_id(&self, id: &str) -> Option<RunKey> {
        let of = id::decode_delivery(self.seed_of_ids(), id)?;
        (self.delivery_id(of) == id).then_some(of)
    }

    /// The beginning of the keys of a run's actions (`run.idempotencyKey`): the same in each attempt at its message.
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

    /// The identity of the work of a spawn under a key. It is made only of the key, its parent and its parameters. So it is the
    /// same if the task was lost with the tail of a journal.
    pub(in crate::state) fn keyed_work(&self, parent: Key, key: &str, digest: u64) -> (u64, u64) {
        let node = self.node(parent.index);
        let of = match node.rare.as_ref().and_then(|rare| rare.once.work) {
            Some(work) => id::encode_work(work),
            // Not the caller's, which may come to mean other work once the task is forgotten (A7).
            None if node.is_task() => self.made_id(parent),
            // A session is known by its name.
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
