//! Views for users: snapshots of tasks and their lists. Owns their fields; changes nothing.

mod account;
mod costs;
mod estimate;
mod policing;
mod task;
mod totals;

pub(crate) use account::usage_of;
pub use account::{BudgetView, DimensionView, LeftView, RemainingView, RunLimitsView, UsageView, budget, remaining, run_limits};
pub use costs::{CostShareView, CostsView, TookView, costs, took_in_all};
pub use estimate::{EstimateView, Planned, estimate};
pub use policing::{CountView, PolicingView, policing};
pub use task::{DEFAULT_PROFILE, LingeringView, ReservationView, TaskView, raised_by, task};
pub use totals::{ConcurrencyView, DrainView, StatsView, WaitingView, concurrency, drained, stats, waiting};

use crate::base::codec::Text;
pub use crate::base::number::Number;
use crate::base::slab::Key;
use crate::base::view::{ViewField, write_list};
use crate::base::view_record::view;
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};
use crate::state::runs::run::Previous;
use crate::state::{DEFAULT_SESSION, ROOT, State};

view! {
    /// How the attempt before a run ended.
    pub struct AttemptView "PreviousError" of(previous: &Previous) with {} {
        /// Why it ended.
        reason: StopReason = previous.reason,
        /// The error; null if it is not known.
        error: Option<Text> = previous.error.clone(),
    }
}

/// How the attempt before a run ended (X5).
#[must_use]
pub fn attempt(previous: &Previous) -> AttemptView {
    AttemptView::of(previous)
}

view! {
    /// The answer of `checkConsumerSpawn`, the gate before each spawn.
    pub struct GateView "SpawnGate" {
        /// Whether the sub-agent may be spawned.
        pub allowed: bool,
        /// The reason for a refusal, for the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub reason: Option<String>,
    }
}

/// The tasks to list; an absent or empty field excludes none.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// With one of these statuses.
    pub statuses: Vec<Status>,
    /// Children of this node, not those below them; for the root, tasks that no task spawned.
    pub parent: Option<u32>,
    /// With exactly this label.
    pub label: Option<Text>,
    /// In the background, or not.
    pub background: Option<bool>,
}

impl Filter {
    fn has_status(&self, state: &State, index: u32) -> bool {
        let node = state.node(index);
        node.is_task() && (self.statuses.is_empty() || self.statuses.contains(&node.status))
    }

    /// Whether it accepts a task that has one of its statuses.
    fn takes(&self, state: &State, index: u32) -> bool {
        let node = state.node(index);
        self.parent.is_none_or(|parent| if parent == ROOT { !state.node(node.parent).is_task() } else { node.parent == parent })
            && self.background.is_none_or(|background| node.background == background)
            && self.label.as_deref().is_none_or(|wanted| state.node(index).label() == wanted)
    }

    const fn is_by_status(&self) -> bool {
        self.parent.is_none() && self.label.is_none() && self.background.is_none()
    }
}

/// The tasks below `top` that the filter accepts, parents before their children, in order of age. Returns one page of them, and
/// the count over all pages.
#[must_use]
pub fn list(state: &State, top: u32, filter: &Filter, offset: u32, limit: u32) -> (Vec<u32>, u32) {
    let statuses = &filter.statuses;
    let wide = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    // This many tasks have one of the statuses: once they are found, the search ends.
    let wanted = Status::ALL.iter().filter(|status| statuses.is_empty() || statuses.contains(status));
    let most = wanted.fold(0_u32, |sum, status| sum.saturating_add(state.count(*status)));
    let matches = |index: &u32| filter.takes(state, *index);
    let found = || state.below(top).filter(|index| filter.has_status(state, *index)).take(wide(most)).filter(matches);
    let items = found().skip(wide(offset)).take(wide(limit)).collect();
    // The counts of the whole tree are stored; only a part has to be counted.
    let whole = top == ROOT || (top == DEFAULT_SESSION && state.node(ROOT).family().last_child == DEFAULT_SESSION);
    let total = if whole && filter.is_by_status() { most } else { u32::try_from(found().count()).unwrap_or(u32::MAX) };
    (items, total)
}

/// The tasks of a page, which are written one by one.
#[derive(Clone, Debug)]
pub struct Tasks<'a> {
    state: &'a State,
    indices: Vec<u32>,
    now: u64,
}

impl Tasks<'_> {
    fn views(&self) -> impl ExactSizeIterator<Item = TaskView<'_>> {
        self.indices.iter().map(|index| task(self.state, *index, self.now))
    }
}

impl serde::Serialize for Tasks<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.views())
    }
}

impl ViewField for Tasks<'_> {
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        Vec::<TaskView<'_>>::form()
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_list(self.views(), out);
    }
}

view! {
    /// A page of a list of tasks.
    pub struct TaskPage<'a> "TaskPage" {
        /// Its tasks.
        pub items: Tasks<'a>,
        /// The count over all pages.
        pub total: u32,
    }
}

/// A page of the tasks from [`list`].
#[must_use]
pub fn page<'a>(state: &'a State, top: u32, filter: &Filter, (offset, limit): (u32, u32), now: u64) -> TaskPage<'a> {
    let (indices, total) = list(state, top, filter, offset, limit);
    TaskPage { items: Tasks { state, indices, now }, total }
}

/// The task that a key names.
///
/// # Errors
/// [`Rejection`] if it doesn't exist, or is no task.
pub fn find(state: &State, key: Key) -> Result<u32, Rejection> {
    if state.tree.contains(key) && state.node(key.index).is_task() {
        Ok(key.index)
    } else if state.tree.was_removed(key) {
        Err(Rejection::Forgotten)
    } else {
        Err(Rejection::UnknownTask)
    }
}
