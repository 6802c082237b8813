//! What was used by kinds of tokens and by model: of a node's last run, of a node and all below it, and of the manager by agent
//! and model (B11). Owns the records; what changes them is `spending.rs`.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::stored::stored;
use crate::model::kinds::Kinds;

/// What was used of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Used {
    /// Which; absent if it is unknown.
    pub model_id: Option<Text>,
    /// The tokens.
    pub kinds: Kinds,
    /// What prices came to for them, in nano-dollars.
    pub priced: u64,
}

stored!(Used { model_id, kinds, priced });

/// What one run has used, or a main agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunTally {
    /// Which run; 0 for a main agent.
    pub run: u32,
    /// What it has used, by model.
    pub used: Vec<Used>,
    /// Which of these it used last.
    pub last: usize,
    /// Whether it has used a model that has no price.
    pub unpriced: bool,
    /// How many tokens of what is booked next for it don't count against caps.
    pub due: u64,
}

stored!(RunTally { run, used, last, unpriced, due });

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// What the last run has used, and those before it whose host function is still running.
    pub runs: Vec<RunTally>,
    /// What the node and all below it have used.
    pub below: Kinds,
}

stored!(Tally { runs, below });

impl RunTally {
    /// The model that it used last.
    pub(in crate::state) fn model(&self) -> Option<&Used> {
        self.used.get(self.last)
    }

    /// The tokens by kind.
    pub(crate) fn kinds(&self) -> Kinds {
        self.used.iter().fold(Kinds::NONE, |sum, used| sum.plus(used.kinds))
    }

    /// What prices have booked.
    pub(crate) fn priced(&self) -> u64 {
        self.used.iter().fold(0, |sum, used| sum.saturating_add(used.priced))
    }
}

/// What an agent has spent of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// The definition that the agent was made from; absent where it has none.
    pub agent: Option<Text>,
    /// The model; absent if it is unknown.
    pub model_id: Option<Text>,
    /// The tokens by kind.
    pub kinds: Kinds,
    /// All of it.
    pub spent: Amounts,
    /// How many runs that was, of those that have ended.
    pub runs: u64,
    /// Whether some of it has no price, though there are prices.
    pub unpriced: bool,
}

stored!(Cost { agent, model_id, kinds, spent, runs, unpriced });
