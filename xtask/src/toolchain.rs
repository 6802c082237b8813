//! Owns what the build needs from the installed Rust: the wasm target, and compiler flags that keep this machine's paths out of
//! the bytes. `rust-toolchain.toml` chooses the toolchain.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Starts with two pages of memory instead of seventeen, and an overflow traps
/// at address zero instead of running into the data.
const STACK_SIZE: &str = "-Clink-arg=-zstack-size=65536";

/// LLVM makes fewer copies of code: the module is a fifth smaller. Nearly all of that is the lower threshold for inlining, which
/// is 225 otherwise. V8 keeps nothing in registers over a call, so functions of every run are marked `#[inline]`, for which LLVM
/// has another threshold. Early loads on other paths (7 kB gzip) and copies of loops (0.4 kB) shorten no cycle by a hundredth.
const FEWER_COPIES: [&str; 4] = [
    "-Cllvm-args=-inline-threshold=45",
    "-Cllvm-args=-enable-pre=false",
    "-Cllvm-args=-enable-load-pre=false",
    "-Cllvm-args=-unroll-threshold=50",
];

/// 128 bits at once, which every present runtime supports. Fewer instructions copy records and scan texts, and the module is
/// smaller. `bindings.rs` says why the others are off.
const FEATURES: &str = "-Ctarget-feature=+simd128,-reference-types,-multivalue";

/// Ensures that the pinned toolchain can compile for wasm, and fetches the target by rustup if it can't. A fresh machine has no
/// such target, and cargo does not fetch one by itself.
pub fn ensure_wasm_target(root: &Path) -> Result<()> {
    if wasm_target_is_installed(root)? {
        return Ok(());
    }
    eprintln!("adding the target {WASM_TARGET} to the pinned toolchain");
    let advice = format!(
        "the pinned Rust has no target {WASM_TARGET}, and `rustup target add {WASM_TARGET}` did \
         not add it; see rust-toolchain.toml for the version that needs it"
    );
    let status = Command::new("rustup").args(["target", "add", WASM_TARGET]).current_dir(root).status().with_context(|| advice.clone())?;
    ensure!(status.success() && wasm_target_is_installed(root)?, advice);
    Ok(())
}

fn wasm_target_is_installed(root: &Path) -> Result<bool> {
    // rustc names the directory whether or not anything is in it.
    let libraries = rustc(root, &["--print", "target-libdir", "--target", WASM_TARGET])?;
    Ok(Path::new(libraries.trim()).is_dir())
}

/// The flags of every wasm build.
pub fn wasm_flags(root: &Path) -> Result<Vec<String>> {
    let sysroot = rustc(root, &["--print", "sysroot"])?;
    let version = rustc(root, &["-vV"])?;
    let commit = commit_hash(&version)?;
    let standard_library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    let cargo_home = cargo_home()?;
    let mut remaps = vec![(root.to_owned(), "/src".to_owned()), (standard_library, format!("/rustc/{commit}"))];
    // The folder of each registry has a name made from its address, which differs if a mirror is used.
    for registry in folders(&cargo_home.join("registry/src"))? {
        remaps.push((registry, "/cargo".to_owned()));
    }
    remaps.push((cargo_home, "/cargo".to_owned()));
    let mut flags = remap_flags(remaps);
    flags.extend([STACK_SIZE, FEATURES].into_iter().chain(FEWER_COPIES).map(str::to_owned));
    Ok(flags)
}

/// Flags in the form of `CARGO_ENCODED_RUSTFLAGS`, which replaces the flags of every other source.
pub fn encoded(flags: &[String]) -> String {
    flags.join("\x1f")
}

/// The path of a tool of LLVM that comes with the pinned toolchain, fetched by rustup if it isn't there.
pub fn llvm_tool(root: &Path, name: &str) -> Result<PathBuf> {
    let folder = Path::new(rustc(root, &["--print", "target-libdir"])?.trim()).with_file_name("bin");
    let tool = folder.join(name);
    if !tool.is_file() {
        run(Command::new("rustup").args(["component", "add", "llvm-tools"]).current_dir(root))?;
    }
    ensure!(tool.is_file(), "the pinned Rust has no {name}, and `rustup component add llvm-tools` did not add it");
    Ok(tool)
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name} could not be started"))?;
    ensure!(status.success(), "{name} failed");
    Ok(())
}

/// rustc takes the last flag that matches, so the longest path comes last: a
/// Cargo home inside the checkout must still become `/cargo`.
fn remap_flags(mut remaps: Vec<(PathBuf, String)>) -> Vec<String> {
    remaps.sort_by_key(|(from, _)| from.as_os_str().len());
    remaps.into_iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect()
}

fn commit_hash(version: &str) -> Result<&str> {
    version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).context("`rustc -vV` names no commit-hash")
}

fn cargo_home() -> Result<PathBuf> {
    let home = match env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => env::home_dir().context("neither CARGO_HOME nor a home directory is set")?.join(".cargo"),
    };
    std::path::absolute(&home).with_context(|| format!("no absolute path for {}", home.display()))
}

/// The entries of `parent`, which need not exist.
fn folders(parent: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = || format!("{} cannot be read", parent.display());
    if !parent.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(parent).with_context(unreadable)?;
    let mut folders = Vec::new();
    for entry in entries {
        folders.push(entry.with_context(unreadable)?.path());
    }
    // In an order of our own: other flags would make Cargo build again.
    folders.sort();
    Ok(folders)
}

fn rustc(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("rustc").args(arguments).current_dir(root).output().context("rustc could not be started")?;
    ensure!(output.status.success(), "rustc {} failed: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    String::from_utf8(output.stdout).context("rustc printed something that is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_is_remapped_last() {
        let flags = remap_flags(vec![
            (PathBuf::from("/a/checkout/.cargo"), "/cargo".to_owned()),
            (PathBuf::from("/a/checkout"), "/src".to_owned()),
        ]);
        assert_eq!(flags, ["--remap-path-prefix=/a/checkout=/src", "--remap-path-prefix=/a/checkout/.cargo=/cargo",]);
    }

    #[test]
    fn the_commit_hash_is_read_from_the_verbose_version() {
        let version = "rustc 1.0.0\nbinary: rustc\ncommit-hash: 0123abc\nhost: some\n";
        assert_eq!(commit_hash(version).ok(), Some("0123abc"));
        assert!(commit_hash("rustc 1.0.0\n").is_err());
    }
}
