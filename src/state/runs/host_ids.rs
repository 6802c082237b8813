//! The ids that hosts gave to work that they started (X4), and which of them a model reads (D6). Owns the list, sorted
//! by id and index. A task has the id of each of its runs; a host may give one id to several.

use crate::base::codec::Text;
use crate::base::id;
use crate::base::slab::{Key, NONE};
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::state::State;

/// The longest id of a host's that a model reads.
const SHOWN_CHARS: usize = 128;

impl State {
    /// A host named the last run of a task.
    pub(in crate::state) fn name_by_host(&mut self, index: u32, host_id: Text) {
        let rare = self.tree.at_mut(index).rare_mut();
        rare.details.host_task_id = Some(host_id.clone());
        // Models read the last one.
        rare.host_ids.retain(|known| *known != host_id);
        rare.host_ids.push(host_id.clone());
        let entry = (host_id, index);
        if let Err(at) = self.hosted.binary_search(&entry) {
            self.hosted.insert(at, entry);
        }
    }

    /// A task that goes lets go of its ids.
    pub(in crate::state) fn drop_host_ids(&mut self, index: u32) {
        let Some(rare) = self.tree.at_mut(index).rare.as_deref_mut() else { return };
        for host_id in std::mem::take(&mut rare.host_ids) {
            if let Ok(at) = self.hosted.binary_search(&(host_id, index)) {
                self.hosted.remove(at);
            }
        }
    }

    /// The tasks that go by an id of a host's.
    fn hosted_as<'a>(&'a self, host_id: &'a str) -> impl Iterator<Item = u32> + 'a {
        let first = self.hosted.partition_point(|(known, _)| **known < *host_id);
        self.hosted.iter().skip(first).take_while(move |(known, _)| **known == *host_id).map(|(_, index)| *index)
    }

    /// The task that an actor means by an id of a host's: of those in its reach the one that has an open run, else the only
    /// one. What lies outside of its reach is as if it were not there.
    pub fn find_hosted(&self, actor: Actor, host_id: &str) -> Result<Key, Rejection> {
        let reached: Vec<u32> = self.hosted_as(host_id).filter(|index| self.reach(actor, self.key(*index)).is_ok()).collect();
        let open: Vec<u32> = reached.iter().copied().filter(|index| self.node(*index).run != NONE).collect();
        match (open.as_slice(), reached.as_slice()) {
            ([index], _) | ([], [index]) => Ok(self.key(*index)),
            (_, []) => Err(Rejection::UnknownTask),
            ([], several) | (several, _) => {
                let task_ids = several.iter().map(|index| self.id_of(self.key(*index))).collect();
                Err(Rejection::AmbiguousNickname { nickname: host_id.to_owned(), task_ids })
            }
        }
    }

    /// The id that a model reads for a task. That is the host's own if the last run got one, every actor takes it for this task,
    /// and it can't be taken for words; else ours.
    #[must_use]
    pub fn shown_id(&self, task: Key) -> String {
        let ours = || self.id_of(task);
        if !self.tree.contains(task) {
            return ours();
        }
        let Some(host_id) = self.node(task.index).rare.as_deref().and_then(|rare| rare.host_ids.last()) else { return ours() };
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
