//! Usage by kinds of tokens and by model: of a node's last run, of its subtree, and of the manager by agent and model
//! (B11). Owns the records; `spending.rs` changes them.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::stored::stored;
use crate::model::kinds::Kinds;

/// The usage of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Used {
    /// The model; absent if unknown.
    pub model_id: Option<Text>,
    /// The tokens.
    pub kinds: Kinds,
    /// Their cost by prices, in nano-dollars.
    pub priced: u64,
}

stored!(Used { model_id, kinds, priced });

/// The usage of one run, or of a main agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunTally {
    /// The run's number; 0 for a main agent.
    pub run: u32,
    /// Its usage, by model.
    pub used: Vec<Used>,
    /// The index of the model that it used last.
    pub last: usize,
    /// Whether it has used a model without a price.
    pub unpriced: bool,
    /// Tokens of its next booking that don't count against caps.
    pub due: u64,
}

stored!(RunTally { run, used, last, unpriced, due });

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// The usage of the last run, and of earlier ones whose host function is still running.
    pub runs: Vec<RunTally>,
    /// The usage of the node and all below it.
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

    /// The nano-dollars that prices have booked.
    pub(crate) fn priced(&self) -> u64 {
        self.used.iter().fold(0, |sum, used| sum.saturating_add(used.priced))
    }
}

/// The usage of ended runs, each with all its attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Past {
    /// The number of runs.
    pub runs: u64,
    /// Their tokens and turns, and the dollars of those whose cost is known.
    pub spent: Amounts,
    /// The number of runs with a known cost.
    pub paid: u64,
    /// The tokens by kind.
    pub kinds: Kinds,
    /// Whether one model's prices alone don't give the dollars.
    pub said: bool,
}

stored!(Past { runs, spent, paid, kinds, said });

impl Past {
    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            runs: self.runs.saturating_add(other.runs),
            spent: self.spent.plus(other.spent),
            paid: self.paid.saturating_add(other.paid),
            kinds: self.kinds.plus(other.kinds),
            said: self.said || other.said,
        }
    }

    /// Joins this attempt and the earlier ones into one run.
    #[must_use]
    pub(in crate::state) fn after(self, before: Self) -> Self {
        Self { runs: 1, paid: self.paid.min(before.paid), ..self.plus(before) }
    }
}

/// The spending of an agent on one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// The agent's definition, if it has one.
    pub agent: Option<Text>,
    /// The model; absent if unknown.
    pub model_id: Option<Text>,
    /// The tokens by kind.
    pub kinds: Kinds,
    /// The total.
    pub spent: Amounts,
    /// The number of ended runs.
    pub runs: u64,
    /// Whether a part has no price, though there are prices.
    pub unpriced: bool,
    /// The usage of its ended runs.
    pub past: Past,
}

impl Cost {
    /// Whether it is the row of this agent and model.
    pub(in crate::state) fn is_of(&self, agent: &Option<Text>, model_id: &Option<Text>) -> bool {
        self.agent == *agent && self.model_id == *model_id
    }
}

stored!(Cost { agent, model_id, kinds, spent, runs, unpriced, past });
