//! Every view of what is in a manager that TypeScript reads from bytes, and two that it gets as objects. Owns which there are:
//! `tests/package/boundary/rows.test.ts` finds a reader whose view is left out. Texts and lists of them are no views.

use subagents::lookup::{self, OwnId};
use subagents::view::{self, Filter, Planned};
use subagents::{
    Actor, DEFAULT_SESSION, DeniedInVain, Manager, Missing, Page, ROOT, RunKey, ViewField, ViewRecord, ViewShape, notice_view,
};

/// What is done with a view.
pub(crate) trait Seen {
    fn see<V: ViewField + serde::Serialize>(&mut self, shape: ViewShape, view: &V);
}

/// Views that are written, and forgotten.
impl Seen for Vec<u8> {
    fn see<V: ViewField + serde::Serialize>(&mut self, _: ViewShape, view: &V) {
        self.clear();
        view.write(self);
    }
}

/// Shows each of them.
pub(crate) fn see_all(manager: &Manager, now: u64, seen: &mut impl Seen) {
    let (state, now) = (manager.state(), manager.time_of(now));
    seen.see(view::StatsView::shape(), &view::stats(state, manager.can_spawn(now, Actor::Program), now));
    seen.see(view::ConcurrencyView::shape(), &view::concurrency(state, now));
    seen.see(view::DrainView::shape(), &view::drained(state, manager.left_open()));
    seen.see(view::CostsView::shape(), &view::costs(state));
    seen.see(Missing::shape(), &state.missing());
    for own in lookup::own_ids(state) {
        seen.see(OwnId::shape(), &own);
    }
    let mut last = 0;
    while let Some(release) = lookup::release_after(state, last) {
        seen.see(lookup::ReleaseView::shape(), &release);
        last = release.serial;
    }
    let tasks: Vec<u32> = view::list(state, ROOT, &Filter::default(), 0, u32::MAX).0;
    for top in [ROOT, DEFAULT_SESSION].into_iter().chain(tasks.first().copied()) {
        for filter in [Filter::default(), Filter { parent: Some(top), background: Some(true), ..Filter::default() }] {
            seen.see(view::TaskPage::shape(), &view::page(state, top, &filter, (0, 2), now));
        }
    }
    for index in [ROOT].into_iter().chain(state.children(ROOT)).chain(tasks.iter().copied()) {
        let key = state.key(index);
        seen.see(view::BudgetView::shape(), &view::budget(state, index));
        if let Some(policing) = lookup::policed(state, key) {
            seen.see(view::PolicingView::shape(), &policing);
        }
        if let Some(in_vain) = manager.denied_in_vain(index) {
            seen.see(DeniedInVain::shape(), &in_vain);
        }
        for notice in state.inbox(lookup::inbox(index)) {
            seen.see(notice_view::NoticeView::shape(), &notice_view::notice(state, notice));
        }
    }
    for index in tasks {
        let (key, run) = (state.key(index), lookup::last_run(state, state.key(index)));
        seen.see(view::TaskView::shape(), &view::task(state, index, now));
        seen.see(view::RunLimitsView::shape(), &view::run_limits(state, index));
        seen.see(view::RemainingView::shape(), &view::remaining(state, index, run));
        seen.see(view::TookView::shape(), &view::took_in_all(state, key, run));
        seen.see(lookup::LastRun::shape(), &lookup::last_run_of(state, key));
        seen.see(RunKey::shape(), &RunKey { task: key, run });
        if let Ok(reported) = lookup::reported(state, &state.id_of(key)) {
            seen.see(lookup::ReportedRun::shape(), &reported);
        }
        if let Some(attempt) = lookup::previous(state, key, run) {
            seen.see(view::AttemptView::shape(), &attempt);
        }
        for offset in [0, 3] {
            if let Ok(page) = manager.read_result(Actor::Program, key, offset, 4) {
                seen.see(Page::shape(), &page);
            }
        }
        if let Some(spec) = lookup::spec(state, key) {
            let line = Planned { spec: spec.clone(), otherwise: None, count: 2, turns: None };
            seen.see(view::EstimateView::shape(), &view::estimate(state, &[line]));
        }
    }
}
