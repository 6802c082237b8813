//! Generates the error types in TypeScript and `docs/reference/errors.md`. The core's codes come from its table of refusals; the
//! codes of the package around it are here.

use std::fmt::Write;

use subagents::{Details, Refusal, Rejection};

use crate::words::without_rules;

/// The codes that the package itself throws.
const PACKAGE: &[Refusal] = &[
    Refusal {
        code: "disposed",
        doc: "The manager has been disposed.",
        remedy: "Make a new manager. What was pending rejects with this code.",
        ..Refusal::BARE
    },
    Refusal {
        code: "internal",
        doc: "The manager's core failed; no call of it works again. Other managers continue.",
        remedy: "Report the error with its message and make a new manager.",
        ..Refusal::BARE
    },
    Refusal {
        code: "unknown_agent",
        doc: "No agent is defined under this name.",
        remedy: "Use a name of `details.known`, or define the agent in `agents`.",
        certain: &["agent", "known"],
        ..Refusal::BARE
    },
    Refusal {
        code: "unknown_profile",
        doc: "There is no profile of this name.",
        remedy: "Use a name of `details.known`, or define the profile in `profiles`.",
        certain: &["profile", "known"],
        ..Refusal::BARE
    },
    Refusal {
        code: "policy_blocked",
        doc: "A policy refused a spawn.",
        remedy: "Read the message, which is the policy's; `details.policy` names it, `details.report` is its report where it made one.",
        certain: &["policy"],
        perhaps: &["report"],
        ..Refusal::BARE
    },
    Refusal {
        code: "spawn_denied",
        doc: "`checkConsumerSpawn` refused a spawn, threw, or answered with no boolean.",
        remedy: "See what your own gate answered: `details.reason`.",
        certain: &["reason"],
        ..Refusal::BARE
    },
    Refusal {
        code: "unread_notice",
        doc: "A background sub-agent ended 10 s ago, and nothing reads its notice. `onError` gets it once; nothing is thrown.",
        remedy: "Take notices with `inbox.next()` or `inbox.lease()`, give `onWake`, or wait for the sub-agent.",
        ..Refusal::BARE
    },
    Refusal {
        code: "needs_input",
        doc: "A wait ended because the sub-agent asks and waits for a message.",
        remedy: "Answer with `send(details.taskId, text)`, then wait again.",
        certain: &["task_id", "question"],
        ..Refusal::BARE
    },
    Refusal {
        code: "store_locked",
        doc: "Another process, or another manager, has the store, or has taken it over.",
        remedy: "Dispose the other manager or end the other process, then open the store again.",
        perhaps: &["store", "path", "pid", "host", "since"],
        ..Refusal::BARE
    },
    Refusal {
        code: "store_damaged",
        doc: "What is in the store can't be trusted.",
        remedy: "Restore the store from a copy; `details.record` or `details.byte` is the place.",
        perhaps: &["store", "record", "byte"],
        ..Refusal::BARE
    },
    Refusal {
        code: "store_version",
        doc: "What is in the store was written by a newer version of this package.",
        remedy: "Open the store with that version.",
        perhaps: &["store", "record", "version", "supported"],
        ..Refusal::BARE
    },
    Refusal {
        code: "store_failed",
        doc: "The store could not keep what happened, so the manager is over. `cause` has the error of the store.",
        remedy: "Mend the fault in `cause`, then open the store with a new manager.",
        perhaps: &["store", "record", "through", "how"],
        ..Refusal::BARE
    },
    Refusal {
        code: "worker_lost",
        doc: "A run on workers has lost more of them than `maxLosses` allows, or its job could not run.",
        remedy: "Check what ended the workers: memory, a deploy without a drain, or an event loop blocked for `lostAfterMs`.",
        certain: &["losses"],
        ..Refusal::BARE
    },
    Refusal {
        code: "invalid_result",
        doc: "Data of a worker or its queue can't be read. The run ends with this stop reason.",
        remedy: "Give the manager its own queue, and workers of the same version. `details.place` names the wrong field.",
        certain: &["place"],
        ..Refusal::BARE
    },
    Refusal {
        code: "clock_skew",
        doc: "The clock of a worker differs from that of its Postgres by more than an eighth of `lostAfterMs`.",
        remedy: "Set the clock of the worker's machine, as with NTP. The worker continues when its clock is right.",
        certain: &["ahead_ms", "allowed_ms"],
        ..Refusal::BARE
    },
    Refusal {
        code: "lead_replaced",
        doc: "Another process has taken the lead of the queue that carries the runs out.",
        remedy: "Give each manager a queue of its own, and end the process that leads one before the next begins.",
        certain: &["queue"],
        ..Refusal::BARE
    },
    Refusal {
        code: "instance_limit",
        doc: "The runtime allows no further instance of the module.",
        remedy: "Dispose managers that are not used, or give each agent a session of one manager.",
        ..Refusal::BARE
    },
    Refusal {
        code: "not_ready",
        doc: "The WebAssembly module is missing, of another version, or can't be compiled. Or the queue of `subagents/bullmq` can't be opened.",
        remedy: "Await `init` of `subagents/slim`, or follow the message: it says what is missing or refused.",
        ..Refusal::BARE
    },
];

/// The fields of `details` that the package itself fills: key, name, type, description.
const PACKAGE_FIELDS: &[Field] = &[
    ("expected", "expected", "string", "What the argument must be."),
    ("suggestion", "suggestion", "string", "The name that was probably meant, if a name is unknown."),
    ("reason", "reason", "string | null", "Why: the stop reason of a run whose signal fired, or what the host's gate said."),
    ("timeout_ms", "timeoutMs", "number", "How long a wait lasted that reached its limit, in milliseconds."),
    ("policy", "policy", "string", "The policy that refused."),
    ("report", "report", "string", "The report that the policy made instead."),
    ("question", "question", "string | null", "What the sub-agent asks."),
    ("agent", "agent", "string", "The name of the agent that was asked for."),
    ("profile", "profile", "string", "The name of the profile that was asked for."),
    ("known", "known", "readonly string[]", "The names that there are."),
    ("record", "record", "number", "The number of the record in the store."),
    ("byte", "byte", "number", "The place in the store's file, in bytes from its beginning."),
    ("version", "version", "number", "The form of what is stored that the record or the snapshot has."),
    ("losses", "losses", "number", "How many workers the run has lost."),
    ("place", "place", "string", "Where in what was sent; empty for all of it."),
    ("ahead_ms", "aheadMs", "number", "By how many milliseconds the worker's clock is ahead; below 0, behind."),
    ("allowed_ms", "allowedMs", "number", "By how many milliseconds it may differ."),
    ("queue", "queue", "string", "The name of the queue."),
    ("id", "id", "string", "The id of the host's own, or ours, that a report named."),
    ("store", "store", "string", "The store, by its name or its place."),
    ("path", "path", "string", "The lock of a store's file."),
    ("pid", "pid", "number", "The number of the process that has the store."),
    ("host", "host", "string", "The machine on which that process runs."),
    ("since", "since", "string", "When that process took the store, in ISO 8601."),
    ("through", "through", "number", "The last record in the store's snapshot. Earlier records are gone."),
    ("how", "how", "string", "What became of the records."),
    ("line", "line", "number", "The line of an agent's file that is wrong."),
    ("file", "file", "string", "The agent's file that is wrong."),
    ("supported", "supported", "number", "The latest form that this package reads."),
];

/// The package's additions to errors with a code of the core.
const ADDED: &[(&str, &[&str])] = &[
    ("invalid_argument", &["expected", "suggestion", "line", "file", "id"]),
    ("unknown_task", &["id"]),
    ("aborted", &["reason", "timeout_ms"]),
];

type Field = (&'static str, &'static str, &'static str, &'static str);

fn fields() -> Vec<Field> {
    let core = Details::FIELDS.iter().map(|field| (field.key, field.name, field.kind, field.doc.trim()));
    core.chain(PACKAGE_FIELDS.iter().copied()).collect()
}

fn field(key: &str) -> Option<Field> {
    fields().into_iter().find(|(own, ..)| *own == key)
}

/// Every code, in alphabetical order.
fn codes() -> Vec<&'static Refusal> {
    let mut all: Vec<_> = Rejection::TABLE.iter().chain(PACKAGE).collect();
    all.sort_by_key(|row| row.code);
    all
}

/// The fields that errors of this code may have.
fn fields_of(row: &Refusal) -> Vec<Field> {
    let added = ADDED.iter().filter(|(code, _)| *code == row.code).flat_map(|(_, keys)| keys.iter());
    row.certain.iter().chain(row.perhaps).chain(added).filter_map(|key| field(key)).collect()
}

/// The types of the codes and of their details.
pub fn types() -> String {
    let mut codes_type = String::from("/** What an error is about. */\nexport type SubAgentErrorCode =");
    let mut certain = String::from("/** What an error of these codes has for certain. */\nexport interface CertainErrorDetails {\n");
    for row in codes() {
        let _ = write!(codes_type, "\n  /** {} */\n  | '{}'", without_rules(row.doc), row.code);
        let fields: Vec<_> =
            row.certain.iter().filter_map(|key| field(key)).map(|(_, name, kind, _)| format!("readonly {name}: {kind}")).collect();
        if !fields.is_empty() {
            let _ = writeln!(certain, "  {}: {{ {} }};", row.code, fields.join("; "));
        }
    }
    let details: String = fields().iter().map(|(_, name, kind, doc)| format!("  /** {doc} */\n  readonly {name}?: {kind};\n")).collect();
    format!(
        "{codes_type};\n\n/** The details of an error. Its code decides which fields there are. */\n\
         export interface SubAgentErrorDetails {{\n{details}  /** Whatever else the code has. */\n  readonly [field: string]: unknown;\n}}\n\n\
         {certain}}}\n"
    )
}

/// The text of a tool to a model about a refused spawn.
pub fn advice() -> String {
    let mut made = String::from(
        "import type { SubAgentErrorCode } from '../../generated/errors.js';\n\n\
         /** What a model can do whose spawn was refused, by the code of that; of others nothing can be said. */\n\
         export const ADVICE: { readonly [Code in SubAgentErrorCode]?: string } = {\n",
    );
    for row in codes() {
        let _ = row.advice.map(|advice| writeln!(made, "  {}: '{advice}',", row.code));
    }
    made.push_str(
        "};\n\n/** Codes which say that there is no room for one more. */\nexport const FULL: ReadonlySet<SubAgentErrorCode> = new Set([\n",
    );
    for row in codes().into_iter().filter(|row| row.full) {
        let _ = writeln!(made, "  '{}',", row.code);
    }
    made + "] as const);\n"
}

/// The page of the errors.
pub fn page() -> String {
    let mut made = String::from(PAGE);
    for row in codes() {
        let names: Vec<_> = fields_of(row).iter().map(|(_, name, ..)| format!("`{name}`")).collect();
        let _ = writeln!(made, "| `{}` | {} | {} | {} |", row.code, without_rules(row.doc), row.remedy, names.join(", "));
    }
    made.push_str("\n## The fields of `details`\n\n| field | type | what it holds |\n|---|---|---|\n");
    for (_, name, kind, doc) in fields() {
        let _ = writeln!(made, "| `{name}` | `{}` | {doc} |", kind.replace('|', "\\|"));
    }
    made
}

const PAGE: &str = "\
# Errors

Every error that the package throws, or that a promise of it rejects with, is a `SubAgentError`. Its `code` is one of the codes below,
its `message` says what was wrong in this case, and `details` has the fields for programs. TypeScript narrows `details` by `code`.
`isSubAgentError(error, code)` says whether a caught value is such an error. What a host function throws is not an error
of the package: the run ends `failed`, and the result has it as `cause`.

```ts
import { isSubAgentError, SubAgentManager } from 'subagents';

const manager = new SubAgentManager({ maxConcurrent: 1, onLimit: 'reject', spawnSubAgent: async () => ({ output: 'done' }) });
const first = manager.spawn({ instructions: 'Read a.md' });
try {
  manager.spawn({ instructions: 'Read b.md' });
} catch (error) {
  if (!isSubAgentError(error, 'concurrency_limit')) throw error;
  console.log(error.details.active, 'of', error.details.limit, 'run;', error.details.option, 'raises it');
}
await first.wait();
```
```text
1 of 1 run; maxConcurrent raises it
```

A request that was refused has changed nothing. A model gets no errors: its tool answers with a text that says what was refused and why.

## All codes

| code | when it comes | what to do | `details` |
|---|---|---|---|
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_once_and_every_field_that_a_row_names_is_told() {
        let codes = codes();
        assert!(codes.windows(2).all(|pair| pair[0].code != pair[1].code));
        for row in &codes {
            assert!(without_rules(row.doc).ends_with('.') && row.remedy.ends_with('.'), "{}", row.code);
            let added = ADDED.iter().filter(|(code, _)| *code == row.code).map(|(_, keys)| keys.len()).sum::<usize>();
            assert_eq!(fields_of(row).len(), row.certain.len() + row.perhaps.len() + added, "{}", row.code);
        }
        assert!(ADDED.iter().all(|(code, _)| codes.iter().any(|row| row.code == *code)));
    }
}
