//! Resources that a task acquired outside the manager, such as a folder (J7). Owns their move from the task to the list of
//! releases, which outlives the task.

use crate::base::codec::Text;
use crate::base::stored::stored;
use crate::state::State;

/// A task's acquired resources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Acquired {
    /// The result of `acquire`, as JSON; absent before it returned.
    pub data: Option<Text>,
}

stored!(Acquired { data });

/// Resources to be released.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Release {
    /// Its number, above those of all earlier releases in the list.
    pub serial: u64,
    /// The id of the task that acquired it.
    pub owner: Text,
    /// The result of `acquire`, as JSON; absent if it never returned.
    pub data: Option<Text>,
}

stored!(Release { serial, owner, data });

impl State {
    pub(in crate::state) fn resource_acquired(&mut self, task: u32, data: Option<Text>) {
        self.tree.at_mut(task).rare_mut().acquired = Some(Acquired { data });
    }

    /// A task is closed or forgotten: removes the data that its runs saved (J6), and lists its acquired resources for release.
    pub(in crate::state) fn leave_data(&mut self, index: u32) {
        let Some(rare) = &mut self.tree.at_mut(index).rare else { return };
        rare.saved = None;
        let Some(Acquired { data }) = rare.acquired.take() else { return };
        let serial = self.releases.last().map_or(0, |last| last.serial).saturating_add(1);
        let owner = self.id_of(self.key(index)).into();
        self.releases.push(Release { serial, owner, data });
    }

    pub(in crate::state) fn resource_released(&mut self, serial: u64) {
        if let Ok(at) = self.find_release(serial) {
            self.releases.remove(at);
        }
    }

    /// The index of this release in the list, or the index at which it would be inserted.
    fn find_release(&self, serial: u64) -> Result<usize, usize> {
        self.releases.binary_search_by_key(&serial, |release| release.serial)
    }

    /// The release with this number.
    pub(crate) fn release_numbered(&self, serial: u64) -> Option<&Release> {
        self.releases.get(self.find_release(serial).ok()?)
    }

    /// The first release after this number.
    pub(crate) fn release_after(&self, serial: u64) -> Option<&Release> {
        self.releases.get(self.find_release(serial.saturating_add(1)).unwrap_or_else(|at| at))
    }
}
