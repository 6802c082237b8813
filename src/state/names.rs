//! Nicknames: which task bears which (A4). Owns the list, sorted by name; a name has one bearer.

use super::State;
use crate::codec::Text;

impl State {
    /// The task that a nickname names.
    #[must_use]
    pub fn bearer(&self, nickname: &str) -> Option<u32> {
        let at = self.place_of_name(nickname).ok()?;
        self.names.get(at).map(|(_, slot)| *slot)
    }

    /// The nickname of a task, while it bears it.
    #[must_use]
    pub fn nickname(&self, slot: u32) -> Option<&Text> {
        let name = self.node(slot).spec()?.nickname.as_ref()?;
        (self.bearer(name) == Some(slot)).then_some(name)
    }

    fn place_of_name(&self, nickname: &str) -> Result<usize, usize> {
        self.names.binary_search_by(|(name, _)| (**name).cmp(nickname))
    }

    /// A task takes its nickname, from whoever bore it.
    pub(super) fn take_name(&mut self, slot: u32, nickname: &str) {
        match self.place_of_name(nickname) {
            Ok(at) => {
                if let Some((_, bearer)) = self.names.get_mut(at) {
                    *bearer = slot;
                }
            }
            Err(at) => self.names.insert(at, (nickname.into(), slot)),
        }
    }

    /// A task that goes lets go of its nickname.
    pub(super) fn drop_name(&mut self, slot: u32) {
        let Some(name) = self.nickname(slot) else { return };
        if let Ok(at) = self.place_of_name(name) {
            self.names.remove(at);
        }
    }
}
