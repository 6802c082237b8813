//! Breaks the rules of the core one at a time, in a copy of the crate, and sees that the simulation notices.
//!
//! Owns the copy and how the list `tests/sabotage/saboteurs.toml` is applied to it. The sources themselves know
//! nothing of this: each saboteur says which text of which file becomes which other text, where `holds!("name")`
//! is false while that rule is broken. All of them are compiled at once and chosen when the test runs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// The list: a table for each saboteur.
const LIST: &str = "tests/sabotage/saboteurs.toml";
/// The copy of the crate, with a target folder of its own beside it.
const COPY: &str = "target/sabotage/crate";
/// What the copy is made of.
const PARTS: [&str; 3] = ["Cargo.lock", "src", "tests"];

#[derive(Deserialize)]
struct List {
    saboteur: Vec<Saboteur>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saboteur {
    /// The rule that is broken, by the name that `holds!` asks for.
    rule: String,
    /// Words of the check that has to notice.
    noticed_by: String,
    edit: Vec<Edit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    file: String,
    old: String,
    new: String,
}

/// Applies the list to a copy and runs the simulation against every broken rule, or those whose name has `only`.
pub fn sabotage(root: &Path, only: Option<&str>) -> Result<()> {
    let saboteurs = list(root)?;
    let copy = root.join(COPY);
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    fs::create_dir_all(&copy)?;
    for part in PARTS {
        copy_all(&root.join(part), &copy.join(part))?;
    }
    // The copy is a crate of its own, outside of the workspace.
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?.replace("members = [\"xtask\"]", "members = []");
    fs::write(copy.join("Cargo.toml"), manifest)?;
    for saboteur in &saboteurs {
        for edit in &saboteur.edit {
            ensure!(edit.new.contains(&format!("holds!(\"{}\")", saboteur.rule)), "{}: an edit never asks for its rule", saboteur.rule);
            let path = copy.join(&edit.file);
            let text = fs::read_to_string(&path)?;
            // Another saboteur may have changed the same lines: then both edits stand on what the first one left.
            ensure!(
                text.matches(&edit.old).count() == 1,
                "{}: its text doesn't stand once in {}, as changed by the others",
                saboteur.rule,
                edit.file
            );
            fs::write(&path, text.replacen(&edit.old, &edit.new, 1))?;
        }
    }
    let lib = fs::read_to_string(copy.join("src/lib.rs"))?;
    let (head, rest) = lib.split_once("\nmod base;").context("src/lib.rs begins its modules with another one")?;
    fs::write(
        copy.join("src/lib.rs"),
        format!("{head}\n#[macro_use]\n#[path = \"../tests/sabotage/switch.rs\"]\npub mod sabotage;\n\nmod base;{rest}"),
    )?;
    let test = fs::read_to_string(copy.join("tests/core/simulation.rs"))?;
    fs::write(copy.join("tests/core/simulation.rs"), format!("{test}\n#[path = \"../sabotage/saboteurs.rs\"]\nmod saboteurs;\n"))?;
    let rows: Vec<String> = saboteurs.iter().map(|saboteur| format!("    ({:?}, {:?}),\n", saboteur.rule, saboteur.noticed_by)).collect();
    fs::write(copy.join("tests/sabotage/list.rs"), format!("&[\n{}]\n", rows.concat()))?;
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--quiet", "--test", "simulation", "saboteurs", "--", "--nocapture"]).current_dir(&copy);
    cargo.env("CARGO_TARGET_DIR", root.join("target/sabotage/target")).env("SUBAGENTS_KEEP_GOING", "1");
    cargo.env("RUSTFLAGS", "--cap-lints=allow");
    if let Some(only) = only {
        cargo.env("SUBAGENTS_SABOTEUR", only);
    }
    ensure!(cargo.status().context("cargo could not be started")?.success(), "a broken rule went unnoticed");
    Ok(())
}

/// Sees that the list still fits the sources: every text to be replaced stands there once.
pub fn check(root: &Path) -> Result<()> {
    let mut missing = Vec::new();
    let saboteurs = list(root)?;
    for saboteur in &saboteurs {
        for edit in &saboteur.edit {
            let count = fs::read_to_string(root.join(&edit.file)).map_or(0, |text| text.matches(&edit.old).count());
            if count != 1 {
                missing.push(format!("{}: its text stands {count} times in {}:\n{}", saboteur.rule, edit.file, edit.old));
            }
        }
    }
    if !missing.is_empty() {
        bail!("{LIST} doesn't fit the sources any more; write the texts anew, and run `npm run sabotage`:\n{}", missing.join("\n"));
    }
    println!("{} saboteurs fit the sources", saboteurs.len());
    Ok(())
}

fn list(root: &Path) -> Result<Vec<Saboteur>> {
    let text = fs::read_to_string(root.join(LIST))?;
    let List { saboteur } = toml::from_str(&text).with_context(|| format!("{LIST} can't be read"))?;
    let rules: BTreeSet<&str> = saboteur.iter().map(|saboteur| saboteur.rule.as_str()).collect();
    ensure!(rules.len() == saboteur.len(), "{LIST} names a rule twice");
    Ok(saboteur)
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        fs::copy(from, to).with_context(|| format!("{} can't be copied", from.display()))?;
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_name() != "node_modules" {
            copy_all(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
