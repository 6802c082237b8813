//! Nicknames: their tasks, and the task that a name means to an actor (A4). Owns the list, sorted by name, session and parent: a
//! name is unique among the children of one parent.

use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::base::stored::stored;
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::state::{DEFAULT_SESSION, ROOT, State};

/// A name and its bearer. The session comes before the parent, so that a search stays within one session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named {
    /// The nickname.
    pub name: Text,
    /// The session that the bearer works for.
    pub session: u32,
    /// The bearer's parent.
    pub parent: u32,
    /// The bearer.
    pub index: u32,
}

stored!(Named { name, session, parent, index } from Self { name: Text::default(), session: 0, parent: 0, index: 0 });

impl State {
    /// The child of `parent` with a nickname.
    #[must_use]
    pub fn bearer(&self, parent: u32, nickname: &str) -> Option<u32> {
        let at = self.place_of_name(parent, nickname).ok()?;
        self.names.get(at).map(|named| named.index)
    }

    /// The nickname of a task, while it has it.
    #[must_use]
    pub fn nickname(&self, index: u32) -> Option<&Text> {
        let node = self.node(index);
        let name = node.spec()?.nickname.as_ref()?;
        (self.bearer(node.parent, name) == Some(index)).then_some(name)
    }

    /// The task that an actor means by a nickname: its own child, else the nearest deeper one. Tasks outside its scope count as
    /// absent.
    pub fn find_named(&self, actor: Actor, nickname: &str) -> Result<Key, Rejection> {
        let (top, _) = self.place_of(actor)?;
        if let Some(index) = self.bearer(top, nickname) {
            return Ok(self.key(index));
        }
        let session = self.session_of(top);
        let first = self.names.partition_point(|named| (&*named.name, named.session) < (nickname, session));
        let others = self.names.iter().skip(first).take_while(|named| *named.name == *nickname && named.session == session);
        let mut nearest: Vec<u32> = Vec::new();
        for index in others.map(|named| named.index).filter(|index| self.is_within(*index, top)) {
            let depth = self.node(index).depth;
            let best = nearest.first().map_or(u16::MAX, |index| self.node(*index).depth);
            if depth < best {
                nearest.clear();
            }
            if depth <= best {
                nearest.push(index);
            }
        }
        self.only(nickname, &nearest)
    }

    /// The only task with a name; refuses none and several.
    pub(in crate::state) fn only(&self, name: &str, tasks: &[u32]) -> Result<Key, Rejection> {
        match tasks {
            [] => Err(Rejection::UnknownTask),
            [index] => Ok(self.key(*index)),
            [..] => {
                let task_ids = tasks.iter().map(|index| self.id_of(self.key(*index))).collect();
                Err(Rejection::AmbiguousNickname { nickname: name.to_owned(), task_ids })
            }
        }
    }

    /// Whether some task has this nickname.
    pub(in crate::state) fn is_nickname(&self, name: &str) -> bool {
        self.names.binary_search_by(|named| (*named.name).cmp(name)).is_ok()
    }

    /// The session that a node works for, or is.
    #[must_use]
    pub fn session_of(&self, index: u32) -> u32 {
        crate::state::budget::ledger::path(&self.tree, index).take_while(|at| *at != ROOT).last().unwrap_or(index)
    }

    /// The key of a node's session; the default session has none.
    #[must_use]
    pub fn session_key(&self, index: u32) -> Option<&Text> {
        let session = self.session_of(index);
        (session != ROOT && session != DEFAULT_SESSION).then(|| &self.node(session).text)
    }

    fn place_of_name(&self, parent: u32, nickname: &str) -> Result<usize, usize> {
        let session = self.session_of(parent);
        self.names.binary_search_by(|named| (&*named.name, named.session, named.parent).cmp(&(nickname, session, parent)))
    }

    /// Lists a task's caller's id and its nickname, which it takes from the sibling that had it.
    #[inline(never)]
    pub(in crate::state) fn take_name(&mut self, index: u32) {
        if let Some(id) = self.own_id(self.key(index)).cloned() {
            self.own_ids.insert(id, index);
        }
        let node = self.node(index);
        let parent = node.parent;
        let Some(name) = node.spec().and_then(|spec| spec.nickname.clone()) else { return };
        match self.place_of_name(parent, &name) {
            Ok(at) => {
                if let Some(named) = self.names.get_mut(at) {
                    named.index = index;
                }
            }
            Err(at) => {
                let session = self.session_of(parent);
                self.names.insert(at, Named { name, session, parent, index });
            }
        }
    }

    /// Releases a removed task's caller's id and nickname.
    pub(in crate::state) fn drop_name(&mut self, index: u32) {
        if let Some(id) = self.own_id(self.key(index)).cloned() {
            self.own_ids.remove(&id);
            self.keep_former_id(self.key(index), id);
        }
        let Some(name) = self.nickname(index) else { return };
        if let Ok(at) = self.place_of_name(self.node(index).parent, name) {
            self.names.remove(at);
        }
    }
}
