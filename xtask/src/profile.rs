//! Owns the profile of the module: how often `bench/training.mjs`, which represents ordinary work, takes each branch. LLVM
//! optimises frequent code for speed and the rest for size. `cargo xtask profile` makes it again. A function that changed since
//! is compiled without a profile, and rustc warns; a new one is optimised for speed.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::compile::Build;
use crate::package::build_to_try;
use crate::toolchain::{llvm_tool, run};

/// The profile of functions that run often, in the form that rustc reads: the output of `llvm-profdata show --all-functions`.
const FILE: &str = "xtask/module.profdata";

/// The other functions, each with the attribute that makes LLVM compile it as small as possible: 4 % of the module (gzip). Their
/// names are long and many.
const COLD: &str = "xtask/module.cold.csv.gz";

/// Where LLVM finds them.
const COLD_UNPACKED: &str = "target/module.cold.csv";

/// A function runs often if one of its paths was taken this many times.
const OFTEN: u64 = 1_000;

/// The naming of functions in a profile, and so in code compiled with it.
const MANGLING: &str = "-Csymbol-mangling-version=v0";

/// Only the paths that are taken are counted, not the values of expressions.
const WITHOUT_VALUES: &str = "-Cllvm-args=-disable-vp=true";

/// Functions are counted as they are written, before LLVM inlines: so the counts fit however it inlines later.
const AS_WRITTEN: &str = "-Cllvm-args=-disable-preinline";

/// LLVM's use of the profile. It makes code that never ran small in a program of any size (else only in large ones). It inlines
/// that code nowhere, and moves it out of functions that run often. Without a profile a plain cycle executes a fifth more
/// instructions.
const BY_PROFILE: [&str; 4] = [
    "-Cllvm-args=-pgso-lwss-only=false",
    "-Cllvm-args=-inlinecold-threshold=0",
    "-Cllvm-args=-inline-cold-callsite-threshold=0",
    "-Cllvm-args=-hot-cold-split=true",
];

/// The flags of rustc for a counting module. It exports the counters, their names and the place of each.
pub fn counting() -> Vec<String> {
    let exports = ["cnts", "data", "names"]
        .iter()
        .flat_map(|section| ["start", "stop"].map(|end| format!("-Clink-arg=--export=__{end}___llvm_prf_{section}")));
    ["-Cprofile-generate", "-Zno-profiler-runtime", WITHOUT_VALUES, AS_WRITTEN, "--cfg", "counting"]
        .into_iter()
        .map(str::to_owned)
        .chain(exports)
        .collect()
}

/// The flags of rustc for a module compiled with the profile.
pub fn flags(root: &Path) -> Result<Vec<String>> {
    let path = root.join(FILE);
    let mut hasher = DefaultHasher::new();
    for file in [FILE, COLD] {
        fs::read(root.join(file)).with_context(|| format!("{file} cannot be read"))?.hash(&mut hasher);
    }
    let mut flags: Vec<String> = [MANGLING, WITHOUT_VALUES, AS_WRITTEN].into_iter().chain(BY_PROFILE).map(str::to_owned).collect();
    flags.push(format!("-Cprofile-use={}", path.display()));
    // Cargo knows only the path: this makes it compile again when the profile changes.
    flags.extend(["--cfg".to_owned(), format!("profile=\"{:x}\"", hasher.finish())]);
    Ok(flags)
}

/// The flag for only this crate: the functions of others are not in the list, and LLVM would report each as missing.
pub fn flag_of_crate(root: &Path) -> Result<String> {
    let (packed, path) = (fs::File::open(root.join(COLD))?, root.join(COLD_UNPACKED));
    fs::create_dir_all(root.join("target"))?;
    io::copy(&mut GzDecoder::new(packed), &mut fs::File::create(&path)?)?;
    Ok(format!("-Cllvm-args=-forceattrs-csv-path={}", path.display()))
}

/// Fails if the profile names functions otherwise, such as after a new version of the crate or of rustc. The profile would have
/// no effect, and nothing would report that.
pub fn expect_fitting(root: &Path, raw_wasm: &Path) -> Result<()> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("{} cannot be read", path.display()));
    let (profile, wasm) = (read(&root.join(FILE))?, read(raw_wasm)?);
    let name = crate_name(&profile).with_context(|| format!("{FILE} names no function of the crate"))?;
    if !wasm.windows(name.len()).any(|bytes| bytes == name) {
        bail!("{FILE} was made of another version of the crate or by another rustc; run `cargo xtask profile`");
    }
    Ok(())
}

/// The mark of this crate in the names of functions: `Cs`, the part that distinguishes crates of one name, its name.
fn crate_name(profile: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"_9subagents";
    let end = profile.windows(NAME.len()).position(|bytes| bytes == NAME)?;
    let start = profile.get(..end)?.windows(2).rposition(|bytes| bytes == b"Cs")?;
    profile.get(start..end + NAME.len())
}

/// Makes the profile again; leaves the counting module in `pkg/` and `dist/`.
pub fn make(root: &Path) -> Result<()> {
    build_to_try(root, Build::Counting)?;
    let counts = root.join("target/counting/counts.txt");
    run(Command::new("node").arg("scripts/build.mjs").current_dir(root))?;
    run(Command::new("node").arg("bench/training.mjs").arg(&counts).current_dir(root))?;
    let (often, cold) = sorted_out(&fs::read_to_string(&counts)?)?;
    fs::write(&counts, often)?;
    let mut packed = GzEncoder::new(fs::File::create(root.join(COLD))?, Compression::best());
    packed.write_all(cold.as_bytes())?;
    packed.finish()?;
    run(Command::new(llvm_tool(root, "llvm-profdata")?).arg("merge").arg(&counts).arg("-o").arg(root.join(FILE)))?;
    println!("{FILE} and {COLD} are made; `npm run build:pkg` compiles by them");
    Ok(())
}

/// Divides a profile as text into the functions that run often, and the list of the others.
fn sorted_out(counts: &str) -> Result<(String, String)> {
    let functions = counts.strip_prefix(":ir\n").context("these are no counts")?;
    let mut often = ":ir\n".to_owned();
    let mut cold = Vec::new();
    for function in functions.split("\n\n").map(str::trim).filter(|function| !function.is_empty()) {
        // Its name, its hash and the number of counts come before them. A name in one unit of code has that unit before it.
        if function.lines().skip(3).filter_map(|line| line.parse::<u64>().ok()).any(|count| count >= OFTEN) {
            often.push_str(&format!("{function}\n\n"));
        } else {
            let name = function.lines().next().and_then(|name| name.rsplit(';').next()).context("a function has no name")?;
            cold.push(format!("{name},minsize\n"));
        }
    }
    cold.sort_unstable();
    Ok((often, cold.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_run_often_are_kept_and_the_others_listed() -> Result<()> {
        let function = |name: &str, count: u64| format!("{name}\n7777\n2\n0\n{count}\n\n");
        let counts = format!(":ir\n{}{}{}", function("unit;z", 999), function("often", 1_000), function("a", 0));
        let (often, cold) = sorted_out(&counts)?;
        assert_eq!(often, format!(":ir\n{}", function("often", 1_000)));
        assert_eq!(cold, "a,minsize\nz,minsize\n");
        Ok(())
    }

    #[test]
    fn the_crate_is_found_in_the_names_of_its_functions() {
        assert_eq!(crate_name(b"..._RNvNtCsg12_4core3ptr...NtCsx9Z_9subagents5model"), Some(b"Csx9Z_9subagents".as_slice()));
        assert_eq!(crate_name(b"_RNvNtCsg12_4core3ptr"), None);
    }
}
