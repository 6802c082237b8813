//! The project's own build commands, called as `cargo xtask <command>`.
//! This file reads the command line; each command has its module.

mod bindings;
mod codes;
mod commands;
mod compile;
mod errors;
mod events;
mod factory;
mod generate;
mod host;
mod optimize;
mod options;
mod outputs;
mod package;
mod profile;
mod records;
mod reference;
mod run_output;
mod short_names;
mod tokens;
mod toolchain;
mod tools;
mod views;
mod words;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::compile::Build;

const USAGE: &str = "\
usage: cargo xtask <command>

  build              make pkg/ from the crate
  build --quick      make it in seconds, unoptimised: to try a change, not to be committed
  build --named      make it as it is published, with the names of its functions: to count by function
  check              make it again and compare with the committed pkg/ (Linux x64)
  profile            count how often each branch is taken, for the compiler: after a change of what every sub-agent runs
                     through; `npm run build:pkg` follows
  generate           write the files that the crate's tables make
  generate --check   compare them instead of writing";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not by returning it: that would add a backtrace of no use here.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["build"] => package::build(&root()?),
        ["build", "--quick"] => package::build_to_try(&root()?, Build::Quick),
        ["build", "--named"] => package::build_to_try(&root()?, Build::Named),
        ["check"] => package::check(&root()?),
        ["profile"] => profile::make(&root()?),
        ["generate"] => generate::generate(&root()?, &generate::files()?, false),
        ["generate", "--check"] => generate::generate(&root()?, &generate::files()?, true),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("{USAGE}"),
    }
}

/// The root of the checkout, which Cargo gives at run time. If checkouts share a target directory, the path of compile time may
/// be another checkout's.
fn root() -> Result<PathBuf> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").context("the root is not known; call this as `cargo xtask`")?;
    Path::new(&manifest).parent().map(Path::to_owned).context("xtask lies at the root of the file system")
}
