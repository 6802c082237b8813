//! The tools of an agent, by name. Owns the list, which sub-agents share with the agent above them. The lists passed on are
//! computed only once.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::base::codec::{Field, Text};
use crate::base::event_buffer::{EncodeEvent, EventBuffer};
use crate::base::reader::Reader;

/// See the module's documentation.
#[derive(Clone, Debug)]
pub struct ToolList(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    names: Vec<Text>,
    /// The lists passed on to sub-agents: to those that may have sub-agents, then to leaves.
    handed_on: [OnceLock<HandedOn>; 2],
}

#[derive(Debug)]
struct HandedOn {
    /// The tools that the program had blocked at that time.
    blocked: Vec<Text>,
    /// The remaining tools; absent if none was withheld.
    rest: Option<ToolList>,
}

impl ToolList {
    /// Whether both are one shared list.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The list without the tools that the sub-agent doesn't get. These depend on the tools that the program has blocked, and on
    /// whether the sub-agent is a leaf: it can't have sub-agents.
    pub(crate) fn handed_on(&self, to_leaf: bool, blocked: &[Text], is_blocked: impl Fn(&str) -> bool) -> Self {
        let rest = || {
            let rest: Vec<Text> = self.iter().filter(|name| !is_blocked(name)).cloned().collect();
            (rest.len() < self.len()).then(|| rest.into())
        };
        let [to_others, to_leaves] = &self.0.handed_on;
        let known = if to_leaf { to_leaves } else { to_others };
        let known = known.get_or_init(|| HandedOn { blocked: blocked.into(), rest: rest() });
        let rest = if known.blocked == blocked { known.rest.clone() } else { rest() };
        rest.unwrap_or_else(|| self.clone())
    }
}

impl From<Vec<Text>> for ToolList {
    fn from(names: Vec<Text>) -> Self {
        Self(Arc::new(Shared { names, handed_on: Default::default() }))
    }
}

impl Deref for ToolList {
    type Target = [Text];

    fn deref(&self) -> &[Text] {
        &self.0.names
    }
}

impl PartialEq for ToolList {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for ToolList {}

impl Hash for ToolList {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Field for ToolList {
    fn kind() -> String {
        Vec::<Text>::kind()
    }

    fn put(&self, out: &mut Vec<u8>) {
        self.0.names.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Self {
        Vec::take(reader).into()
    }
}

impl EncodeEvent for ToolList {
    fn encode_event(&self, out: &mut EventBuffer) {
        self.0.names.encode_event(out);
    }
}
