//! Generates the kinds of tokens: their names, their types, and how they cross as numbers.

use std::fmt::Write;

use subagents::{KindsView, ViewRecord};

use crate::words::{camel, comment, without_rules};

/// The kinds: the name and the description of each.
fn kinds() -> Vec<(String, String)> {
    let fields = KindsView::shape().fields.into_iter().filter(|field| field.form == "float?");
    fields.map(|field| (camel(field.name), without_rules(field.doc))).collect()
}

/// The list of their names.
pub fn names() -> String {
    let names: Vec<_> = kinds().into_iter().map(|(name, _)| format!("'{name}'")).collect();
    format!("/** The kinds of tokens. */\nexport const TOKEN_KINDS = [{}] as const;\n", names.join(", "))
}

/// The types, the reader and the places. Tokens from hosts have no kind that is null.
pub fn tokens() -> String {
    let [mut given, mut none, mut read, mut places] = [const { String::new() }; 4];
    for (at, (name, doc)) in kinds().iter().enumerate() {
        let doc = doc.split("; null").next().unwrap_or_default().trim_end_matches('.').to_owned() + ".";
        let _ = writeln!(given, "{}  {name}?: number | undefined;", comment(&doc));
        let _ = writeln!(none, "  {name}: null,");
        let _ = writeln!(read, "    {name}: kind({at}),");
        let _ = write!(places, "{name}: number, ");
    }
    let estimated = kinds().len();
    format!(
        "import type {{ EventKinds }} from './facts.js';\n\n\
         {}\n\
         /** Tokens by kind, as a host gives them. A kind that is left out is unknown. */\nexport interface TokenKinds {{\n{given}}}\n\n\
         /** What a report or a result says of its tokens beside how many there were. */\nexport interface ReportedTokens {{\n  \
         /** -1 for a kind that it leaves out; the last number is 1 if some of it is an estimate, else 0. */\n  \
         readonly kinds: readonly [{places}estimated: number];\n  \
         /** The model, where it is named. */\n  readonly modelId: string | undefined;\n}}\n\n\
         /** No kind was reported. */\nexport const NO_KINDS: EventKinds = /* @__PURE__ */ Object.freeze({{\n{none}  estimated: false,\n}});\n\n\
         /** Reads the kinds, each below 0 if it was not reported, and behind them whether they are an estimate. */\n\
         export function tokensAt(numbers: Float64Array, at: number): EventKinds {{\n  \
         const kind = (place: number): number | null => {{\n    const tokens = numbers[at + place] as number;\n    \
         return tokens < 0 ? null : tokens;\n  }};\n  return {{\n{read}    estimated: numbers[at + {estimated}] === 1,\n  }};\n}}\n",
        names()
    )
}
