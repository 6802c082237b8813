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

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Which run `used` is of; 0 for a main agent.
    pub run: u32,
    /// What that has used, by model.
    pub used: Vec<Used>,
    /// Which of these it used last.
    pub last: usize,
    /// Whether it has used a model that has no price.
    pub unpriced: bool,
    /// How many tokens of what is booked next for that run don't count against caps.
    pub due: u64,
    /// What the node and all below it have used.
    pub below: Kinds,
}

stored!(Tally { run, used, last, unpriced, due, below });

impl Tally {
    /// The model that it used last.
    pub(in crate::state) fn model(&self) -> Option<&Used> {
        self.used.get(self.last)
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
