//! Generates the tools of the model: their names and texts, and the names that adapters never pass on.

use std::fmt::Write;

use subagents::tool::NAME;
use subagents::{ALWAYS_BLOCKED, Naming, OPERATOR_TOOLS, OTHER_OPTIONS, SPAWN_TOOLS, Spec, TOOLS, Tool};

use crate::words::snake;

/// The presets, ours first.
const PRESETS: [&str; 4] = ["subagents", "claude", "codex", "opencode"];

/// A string of TypeScript.
fn text(value: &str) -> String {
    if value.contains('\'') { format!("\"{value}\"") } else { format!("'{value}'") }
}

/// Strings of TypeScript, separated by commas.
fn texts(values: &[&str]) -> String {
    values.iter().map(|value| text(value)).collect::<Vec<_>>().join(", ")
}

fn naming(operation: &str, naming: &Naming) -> String {
    let mut named: Vec<_> = naming.fields.iter().map(|(means, name)| (*means, (*name).to_owned())).collect();
    if operation == "spawn" && naming.preset == "subagents" {
        for option in Spec::OPTIONS.iter().chain(OTHER_OPTIONS).filter(|option| option.is_asked) {
            if named.iter().all(|(means, _)| *means != option.name) {
                named.push((option.name, snake(option.name)));
            }
        }
    }
    let fields: Vec<_> = named.iter().map(|(means, name)| format!("{means}: {}", text(name))).collect();
    let fields = if fields.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", fields.join(", ")) };
    let background = if naming.background { ", background: true" } else { "" };
    format!(
        "      {}: {{ name: {}, fields: {fields}, required: [{}]{background} }},\n",
        naming.preset,
        text(naming.name),
        texts(naming.required)
    )
}

fn row(tool: &Tool) -> String {
    let shown = tool.shown.map_or_else(String::new, |(label, description)| {
        format!("    label: {},\n    description:\n      {},\n", text(label), text(description))
    });
    let names: String = tool.names.iter().map(|each| naming(tool.operation, each)).collect();
    format!("  {}: {{\n{shown}    usual: [{}],\n    names: {{\n{names}    }},\n  }},\n", tool.operation, texts(tool.usual))
}

/// The tools, a row each.
pub fn rows() -> String {
    let operations: Vec<_> = TOOLS.iter().map(|tool| tool.operation).collect();
    format!(
        "import type {{ ActingTool, NamedTool }} from '../naming.js';\n\n\
         /** The name of the tool that stands alone. */\nexport const SUB_AGENT_TOOL_NAME = {};\n\n\
         /** What a tool does. */\nexport const OPERATIONS = [{}] as const;\n\
         /** What a tool does. */\nexport type Operation = (typeof OPERATIONS)[number];\n\
         /** What a tool does, but spawning. */\nexport type Acting = Exclude<Operation, 'spawn'>;\n\n\
         /** Every one of them; what a model reads of the one that spawns is made of the limits in force. */\n\
         export const TOOLS: Readonly<Record<'spawn', NamedTool> & Record<Acting, ActingTool>> = {{\n{}}};\n",
        text(NAME),
        texts(&operations),
        TOOLS.iter().map(row).collect::<String>()
    )
}

/// The tools for adapters: the names that they never pass on, each tool's own name, and the tools that change nothing.
pub fn for_adapters() -> String {
    let own: String = TOOLS.iter().map(|tool| format!("  {}: {},\n", tool.operation, text(tool.own))).collect();
    let reads: Vec<_> = TOOLS.iter().filter(|tool| tool.reads).map(|tool| tool.operation).collect();
    let mut made = format!(
        "import type {{ Operation }} from '../../tools/generated/tools.js';\n\n\
         /** Names that no client has for tools of its own. */\n\
         export const OWN_NAMES: Readonly<Record<Operation, string>> = {{\n{own}}};\n\
         /** The tools that change nothing. */\nexport const READS: readonly string[] = [{}];\n",
        texts(&reads)
    );
    for (name, doc, names) in [
        ("ALWAYS_BLOCKED", "Never handed to a sub-agent: they speak to the user or delegate around the limits.", ALWAYS_BLOCKED),
        ("SPAWN_TOOLS", "Handed on only where a sub-agent may have sub-agents itself.", SPAWN_TOOLS),
        ("OPERATOR_TOOLS", "So is what else is of use only to an agent that may have sub-agents.", OPERATOR_TOOLS),
    ] {
        let _ = writeln!(made, "/** {doc} */\nexport const {name}: readonly string[] = [{}];", texts(names));
    }
    made
}

/// The name of each tool in each preset, as a table of a page. A tool that the preset has only on request is in brackets.
pub fn table() -> String {
    let mut made = String::new();
    for tool in TOOLS {
        let ours = tool.names.iter().find(|naming| naming.preset == PRESETS[0]).map_or("", |naming| naming.name);
        let cell = |preset: &str| {
            let name = tool.names.iter().find(|naming| naming.preset == preset).map_or(ours, |naming| naming.name);
            if tool.usual.contains(&preset) { format!("`{name}`") } else { format!("(`{name}`)") }
        };
        let cells: Vec<_> = PRESETS.iter().map(|preset| cell(preset)).collect();
        let _ = writeln!(made, "| {} | {} | `{}` |", tool.operation, cells.join(" | "), tool.own);
    }
    made
}
