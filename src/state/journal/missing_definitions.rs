//! Missing definitions: restored work whose session, agent definition or profile this process hasn't registered (J3). Owns the
//! registrations; `rules/journal/reopening.rs` records them. The work that a drain leaves to the next process is here too (D8).

use std::collections::BinaryHeap;

use crate::base::codec::Text;
use crate::base::slab::NONE;
use crate::base::view_record::view;
use crate::model::input::Actor;
use crate::model::spec::Spec;
use crate::model::status::{Parked, WaitingFor};
use crate::state::budget::ledger;
use crate::state::{DEFAULT_SESSION, ROOT, State};

view! {
    /// The names that restored work waits for.
    #[derive(Default, PartialEq, Eq)]
    pub struct Missing "Missing" {
        /// Keys of sessions: `manager.session(key)` registers one, and its work continues.
        pub sessions: Vec<Text> as "readonly string[]",
        /// Agents that the options of `open` don't define.
        pub agents: Vec<Text> as "readonly string[]",
        /// Profiles that the options of `open` don't define.
        pub profiles: Vec<Text> as "readonly string[]",
    }
}

/// Lists a name once.
#[inline(never)]
fn note(list: &mut Vec<Text>, name: Option<&Text>) {
    if let Some(name) = name.filter(|name| !list.contains(name)) {
        list.push(name.clone());
    }
}

impl State {
    /// Notes this process's agents and profiles; it registers each session later.
    pub(in crate::state) fn definitions_known(&mut self, agents: Vec<Text>, profiles: Vec<Text>) {
        self.known = Some((agents, profiles));
        self.absent = self.open_sessions().collect::<BinaryHeap<u32>>().into_sorted_vec();
    }

    /// The open sessions with a key, oldest first.
    pub(crate) fn open_sessions(&self) -> impl Iterator<Item = u32> + '_ {
        self.children(ROOT).filter(|index| *index != DEFAULT_SESSION && !self.is_closed_session(*index))
    }

    /// What the next or queued run of a task lacks, if anything. It may lack a session or definition in this process, or the
    /// program to take it up (X6).
    pub(crate) fn lacks_for(&self, task: u32) -> Option<WaitingFor> {
        let spec = self.node(task).spec();
        if self.node(task).run == NONE || self.run_of(task).awaits_program {
            return self.lacks_below(task, spec);
        }
        self.lacks_here(task, spec)
    }

    /// The same for a task with this spec that is, or would be, below a node.
    #[inline]
    pub(crate) fn lacks_below(&self, node: u32, spec: Option<&Spec>) -> Option<WaitingFor> {
        self.lacks_here(node, spec).or_else(|| spec.is_some_and(|spec| spec.driven).then_some(WaitingFor::Program))
    }

    #[inline]
    pub(crate) fn lacks_here(&self, node: u32, spec: Option<&Spec>) -> Option<WaitingFor> {
        // Without a restart, nothing is missing.
        if self.absent.is_empty() && self.known.is_none() { None } else { self.lacks_after_restart(node, spec) }
    }

    #[inline(never)]
    fn lacks_after_restart(&self, node: u32, spec: Option<&Spec>) -> Option<WaitingFor> {
        if !self.absent.is_empty() && self.absent.contains(&self.session_of(node)) {
            return Some(WaitingFor::Session);
        }
        let lacks = self.missing_agent(spec).is_some() || self.missing_profile(spec).is_some();
        lacks.then_some(WaitingFor::Definition)
    }

    /// Whether a drain leaves a task's queued run to another process. It does if no run above waits for sub-agents and no call
    /// needs the run, or if the drain's time has run out (D8).
    pub(crate) fn is_left(&self, task: u32) -> bool {
        let waits = |index: u32| self.node(index).run != NONE && self.run_of(index).is_parked(Parked::Children);
        let is_needed = || self.is_called_for(task) || ledger::path(&self.tree, task).any(waits);
        self.draining.is_some_and(|drain| drain.leaves_queued && (drain.overran || !is_needed()))
    }

    /// Whether a drain refuses an actor's spawn or message (D8). A run may need its sub-agents to end well, so it may delegate
    /// until the time is over. It may delegate in the background only if another process continues that work.
    #[inline]
    pub(crate) fn is_refused_by_drain(&self, actor: Actor, background: bool) -> bool {
        let is_run = matches!(actor, Actor::Run(..));
        self.draining.is_some_and(|drain| !is_run || drain.overran || drain.over || (background && !drain.leaves_queued))
    }

    fn missing_agent<'a>(&self, spec: Option<&'a Spec>) -> Option<&'a Text> {
        let (agents, _) = self.known.as_ref()?;
        spec?.agent.as_ref().filter(|name| !agents.contains(name))
    }

    fn missing_profile<'a>(&self, spec: Option<&'a Spec>) -> Option<&'a Text> {
        let (_, profiles) = self.known.as_ref()?;
        spec?.profile.as_ref().filter(|name| !profiles.contains(name))
    }

    /// The definitions and sessions that this process lacks for waiting work.
    #[must_use]
    pub fn missing(&self) -> Missing {
        let mut missing = Missing::default();
        let has_work = |index: &u32| self.node(*index).run != NONE || self.node(*index).queued_messages() > 0;
        for task in self.below(ROOT).filter(|index| self.node(*index).is_task()).filter(has_work) {
            let session = self.session_of(task);
            note(&mut missing.sessions, self.absent.contains(&session).then(|| &self.node(session).text));
            note(&mut missing.agents, self.missing_agent(self.node(task).spec()));
            note(&mut missing.profiles, self.missing_profile(self.node(task).spec()));
        }
        // Notices that wait for a session reach no other inbox.
        for session in &self.absent {
            note(&mut missing.sessions, self.has_notices(*session).then(|| &self.node(*session).text));
        }
        missing
    }
}
