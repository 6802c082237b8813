//! Changes wasm-bindgen's glue, which has one instance per module, into a factory that makes an instance at each call. It works
//! only on text, and fails if the glue isn't what it expects: a new wasm-bindgen must not change it unnoticed.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};

/// From here on the glue loads and keeps its one instance.
const GLUE_TAIL: &str = "\nlet wasmModule, wasmInstance, wasm;\n";
/// From here on the types declare that loading.
const TYPES_TAIL: &str = "\nexport type InitInput =";
/// The one module the crate may import from, shared by all instances.
const HOST_IMPORT: &str = " from './host.js';";

/// Forbidden in the retained part: names whose declarations were cut away, and words that a bundler, a strict CSP or a server
/// runtime refuses.
const FORBIDDEN: [&str; 12] = [
    "wasmModule",
    "wasmInstance",
    "script_src",
    "import.meta",
    "import(",
    "require(",
    "eval(",
    "new Function",
    "fetch(",
    "document",
    "XMLHttpRequest",
    "importScripts",
];

/// Where a Rust future continues: a task of its own, outside of any call.
const OWN_TASK: &str = "queueMicrotask(getObject(arg0));";
/// The same, with failures reported. The object is looked up now: its index is released when this returns.
const GUARDED_TASK: &str = "queueMicrotask(guarded.bind(undefined, getObject(arg0)));";

/// The call by which `getrandom` draws. At the first use of `crypto`, Node loads all of its cryptography: a fifth of a start.
const OWN_RANDOM: &str = "globalThis.crypto.getRandomValues(";
/// The same, unless the maker of the instance knows a lighter way.
const GIVEN_RANDOM: &str = "random(";

/// The registry that frees collected objects.
const OWN_FREEING: &str = "new FinalizationRegistry(";

/// The two files that a user of `pkg/` imports.
#[derive(Debug)]
pub struct Factory {
    pub glue: String,
    pub types: String,
}

/// Turns wasm-bindgen's output for its target `web` into the factory.
pub fn factory(glue: &str, types: &str) -> Result<Factory> {
    let (head, body) = split_head(glue)?;
    let (body, tail) = split_once_only(body, GLUE_TAIL).context("the glue's end")?;
    ensure!(!tail.contains("__wbindgen_start"), "the glue calls __wbindgen_start once it has an instance; the factory doesn't");
    let (body, names) = without_exports(body)?;
    refuse_forbidden(&body)?;
    let (before, after) = split_once_only(&body, OWN_TASK).context("the tasks of futures")?;
    let body = format!("{before}{GUARDED_TASK}{after}");
    let (before, after) = split_once_only(&body, OWN_RANDOM).context("the randomness")?;
    let body = format!("{before}{GIVEN_RANDOM}{after}");
    Ok(Factory { glue: wrap(&head, &guard_freeing(&body)?, &names), types: wrap_types(types, &names)? })
}

/// Frees nothing in an instance that has failed: no call of the program would get the error of a failure there.
fn guard_freeing(body: &str) -> Result<String> {
    let mut parts = body.split(OWN_FREEING);
    let mut guarded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, call) = part.split_once(" => wasm.").filter(|(name, _)| name.chars().all(is_identifier)).context("the freeing")?;
        guarded.extend([OWN_FREEING, name, " => instance.hasFailed || wasm.", call]);
    }
    Ok(guarded)
}

/// Splits the directive and imports at the top from all that follows.
fn split_head(glue: &str) -> Result<(String, &str)> {
    let mut head = String::new();
    let mut rest = glue;
    while let Some((line, after)) = rest.split_once('\n') {
        if line.starts_with("import ") {
            ensure!(line.ends_with(HOST_IMPORT), "the crate may import from './host.js' alone, not: {line}");
        } else if !line.is_empty() && !line.starts_with("/* @ts-self-types=") {
            break;
        }
        if !line.is_empty() {
            head.push_str(line);
            head.push('\n');
        }
        rest = after;
    }
    ensure!(head.starts_with("/* @ts-self-types="), "the glue does not start as it used to");
    Ok((head, rest))
}

/// Removes `export` from the declarations and returns their names.
fn without_exports(body: &str) -> Result<(String, Vec<String>)> {
    let mut plain = String::with_capacity(body.len());
    let mut names = Vec::new();
    for line in body.lines() {
        match line.strip_prefix("export ") {
            Some(declaration) => {
                let name = declared_name(declaration).with_context(|| format!("the factory can't hand out: {line}"))?;
                ensure!(name != "memory", "`memory` is taken: {line}");
                names.push(name.to_owned());
                plain.push_str(declaration);
            }
            None => plain.push_str(line),
        }
        plain.push('\n');
    }
    ensure!(!names.is_empty(), "the crate exports nothing");
    Ok((plain, names))
}

/// The name in `class Name {`, `class Name extends Other {` or `function name(`.
fn declared_name(declaration: &str) -> Option<&str> {
    let rest = declaration.strip_prefix("class ").or_else(|| declaration.strip_prefix("function "))?;
    let end = rest.find(|character| !is_identifier(character))?;
    Some(&rest[..end])
}

fn refuse_forbidden(body: &str) -> Result<()> {
    for line in body.lines().filter(|line| !is_comment(line)) {
        for word in FORBIDDEN {
            if contains_word(line, word) {
                bail!("the glue holds `{word}`: {}", line.trim());
            }
        }
    }
    Ok(())
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "* ", "*/"].iter().any(|start| line.starts_with(start)) || line == "*"
}

/// Whether `word` is in `line` and no part of a longer name: `retrieval(` is no `eval(`.
fn contains_word(line: &str, word: &str) -> bool {
    let ends_in_name = word.ends_with(is_identifier);
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        let is_longer = before.is_some_and(is_identifier) || (ends_in_name && after.is_some_and(is_identifier));
        !is_longer
    })
}

fn is_identifier(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '$'
}

fn wrap(head: &str, body: &str, names: &[String]) -> String {
    format!(
        "\
{head}
// Made by `cargo xtask build` and overwritten by it: wasm-bindgen's glue inside
// a function, so that each call owns an instance. What is imported above is
// shared by all of them.
export function instantiate(module, random = (bytes) => globalThis.crypto.getRandomValues(bytes)) {{
{body}
function guarded(task) {{
    try {{
        task();
    }} catch (error) {{
        if (instance.onFailure === undefined) throw error;
        instance.onFailure(error);
    }}
}}
const wasm = new WebAssembly.Instance(module, __wbg_get_imports()).exports;
const instance = {{ {}, memory: wasm.memory, onFailure: undefined, hasFailed: false }};
return instance;
}}
",
        names.join(", "),
        body = body.trim(),
    )
}

fn wrap_types(types: &str, names: &[String]) -> Result<String> {
    let (kept, _) = split_once_only(types, TYPES_TAIL).context("the types' end")?;
    let mut declarations = String::with_capacity(kept.len());
    let mut declared = BTreeSet::new();
    for line in kept.lines() {
        // Takes only names that the glue exports: types of the crate's own TypeScript sections stay exported as they are.
        let taken = line.strip_prefix("export ").filter(|rest| declared_name(rest).is_some_and(|name| names.iter().any(|n| n == name)));
        match taken {
            Some(declaration) => {
                declared.extend(declared_name(declaration).map(str::to_owned));
                declarations.push_str("declare ");
                declarations.push_str(declaration);
            }
            None => declarations.push_str(line),
        }
        declarations.push('\n');
    }
    let exported: BTreeSet<String> = names.iter().cloned().collect();
    ensure!(declared == exported, "the glue exports {exported:?}, the types declare {declared:?}");
    let members: Vec<String> =
        names.iter().map(|name| format!("    /** A class of the module. */\n    readonly {name}: typeof {name};")).collect();
    Ok(format!(
        "\
{}

export type {{ {} }};

/** What one wasm instance offers. Nothing of it is shared with another instance. */
export interface Instance {{
{members}
    /** Its memory. */
    readonly memory: {{
        /** Its bytes: another object each time the memory has grown. */
        readonly buffer: ArrayBuffer;
    }};
    /** Gets what fails in a task of the module's own, outside of any call. Default: it is an uncaught error. */
    onFailure: ((error: unknown) => void) | undefined;
    /** Set it once a call has trapped: nothing that was collected is freed any more. */
    hasFailed: boolean;
}}

/**
 * Makes a fresh instance of `subagents.wasm`.
 *
 * @param module the compiled `WebAssembly.Module`; one serves any number of instances.
 * @param random fills bytes with randomness that can't be guessed; default: `crypto.getRandomValues`.
 * @throws RangeError where the runtime takes no further instance.
 */
export function instantiate(module: object, random?: (bytes: Uint8Array) => void): Instance;
",
        declarations.trim_end(),
        names.join(", "),
        members = members.join("\n"),
    ))
}

/// Splits at the only `separator`.
fn split_once_only<'a>(text: &'a str, separator: &str) -> Result<(&'a str, &'a str)> {
    let found = text.matches(separator).count();
    ensure!(found == 1, "{:?} stands there {found} times instead of once", separator.trim());
    text.split_once(separator).context("the separator was just counted")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "\
/* @ts-self-types=\"./subagents.d.ts\" */
import { startRun } from './host.js';


/**
 * It may fetch( and eval( in a comment.
 */
export class Core {
    retrieval(at) {
        return startRun(at);
    }
}
function __wbg_get_imports() {
    queueMicrotask(getObject(arg0));
    globalThis.crypto.getRandomValues(arg0);
}
const CoreFinalization = new FinalizationRegistry(ptr => wasm.free(ptr));

let wasmModule, wasmInstance, wasm;
function __wbg_finalize_init(instance, module) {
    wasm = instance.exports;
}
export { initSync, __wbg_init as default };
";

    const TYPES: &str = "\
/* tslint:disable */
export interface Page { readonly total: number }

export class Core {
    retrieval(at: number): number;
}

export type InitInput = WebAssembly.Module;
";

    fn error(glue: &str, types: &str) -> String {
        match factory(glue, types) {
            Ok(made) => panic!("the factory took it: {made:?}"),
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn the_glue_becomes_the_body_of_a_function() {
        let made = factory(GLUE, TYPES).expect("the glue is well formed");
        assert_eq!(
            made.glue,
            "\
/* @ts-self-types=\"./subagents.d.ts\" */
import { startRun } from './host.js';

// Made by `cargo xtask build` and overwritten by it: wasm-bindgen's glue inside
// a function, so that each call owns an instance. What is imported above is
// shared by all of them.
export function instantiate(module, random = (bytes) => globalThis.crypto.getRandomValues(bytes)) {
/**
 * It may fetch( and eval( in a comment.
 */
class Core {
    retrieval(at) {
        return startRun(at);
    }
}
function __wbg_get_imports() {
    queueMicrotask(guarded.bind(undefined, getObject(arg0)));
    random(arg0);
}
const CoreFinalization = new FinalizationRegistry(ptr => instance.hasFailed || wasm.free(ptr));
function guarded(task) {
    try {
        task();
    } catch (error) {
        if (instance.onFailure === undefined) throw error;
        instance.onFailure(error);
    }
}
const wasm = new WebAssembly.Instance(module, __wbg_get_imports()).exports;
const instance = { Core, memory: wasm.memory, onFailure: undefined, hasFailed: false };
return instance;
}
"
        );
    }

    #[test]
    fn the_types_name_the_instance_and_not_the_wasm_api() {
        let types = factory(GLUE, TYPES).expect("the glue is well formed").types;
        assert!(types.contains("export interface Page { readonly total: number }"));
        assert!(types.contains("\ndeclare class Core {\n"));
        assert!(types.contains("\nexport type { Core };\n"));
        assert!(types.contains("    readonly Core: typeof Core;\n"));
        assert!(!types.contains("InitInput"));
    }

    #[test]
    fn an_import_from_elsewhere_is_refused() {
        let glue = GLUE.replace("./host.js", "./other.js");
        assert!(error(&glue, TYPES).contains("'./host.js' alone"));
    }

    #[test]
    fn an_export_that_is_no_class_or_function_is_refused() {
        let glue = GLUE.replace("function __wbg_get", "export const Kind = 1;\nfunction __wbg_get");
        assert!(error(&glue, TYPES).contains("can't hand out: export const Kind"));
    }

    #[test]
    fn a_missing_or_doubled_end_is_refused() {
        let missing = GLUE.replace("let wasmModule, wasmInstance, wasm;", "let wasm;");
        assert!(error(&missing, TYPES).contains("0 times"));
        let doubled = format!("{GLUE}{GLUE}");
        assert!(error(&doubled, TYPES).contains("2 times"));
        assert!(error(GLUE, "export class Core {\n}\n").contains("0 times"));
    }

    #[test]
    fn code_that_loads_or_evaluates_is_refused() {
        for code in ["eval('1')", "fetch(at)", "wasmModule", "new Function('x')", "document.body"] {
            let glue = GLUE.replace("startRun(at)", code);
            assert!(error(&glue, TYPES).contains("the glue holds"), "{code}");
        }
    }

    #[test]
    fn glue_and_types_that_disagree_are_refused() {
        let types = TYPES.replace("class Core", "class Other");
        assert!(error(GLUE, &types).contains("the types declare"));
    }
}
