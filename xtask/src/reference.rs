//! Generates the pages of `docs/reference/` from the crate's tables: limits, closed lists of names, events and errors.

use std::fmt::Write;
use std::path::Path;

use subagents::{Answer, Delivery, Fact, MessagePlace, OnParentEnd, Parked, Point, Spec, Status, StopReason, TABLE, Unit, WaitingFor};

use crate::errors;
use crate::events::{event_field, event_type, record_kind};
use crate::outputs::OutputFile;
use crate::records;
use crate::tools;
use crate::words::{default_of, snake, without_rules};

const HEADER: &str = "<!-- Made by `cargo xtask generate` from the tables in src/; do not edit. -->\n\n";

/// The pages, with their content.
pub fn pages() -> Vec<OutputFile> {
    vec![page("limits.md", &limits()), page("names.md", &names()), page("events.md", &events()), page("errors.md", &errors::page())]
}

fn page(name: &str, content: &str) -> OutputFile {
    OutputFile { path: Path::new("docs/reference").join(name), content: format!("{HEADER}{content}").into_bytes() }
}

fn limits() -> String {
    let free: Vec<_> = TABLE.iter().filter(|row| row.unit.least() == 0).map(|row| format!("`{}`", row.name)).collect();
    let is_of_spawn = |name: &str| Spec::OPTIONS.iter().any(|option| option.name == name);
    let own: Vec<_> = TABLE.iter().filter(|row| is_of_spawn(row.name)).map(|row| format!("`{}`", row.name)).collect();
    let mut made = format!(
        "# Limits and their defaults\n\n\
         Each limit is an option of `new SubAgentManager({{ … }})`. A spawn or an agent definition may set its own: {}.\n\
         `setLimits` changes the limits of a running manager: new work follows the new values.\n\n\
         A limit is a whole number of at least 1, one in US dollars any number above 0; `Infinity` lifts it. These may be 0: {}.\n\
         Any other value throws a `SubAgentError` with the code `invalid_argument`.\n\
         `DEFAULT_LIMITS` holds the defaults.\n",
        own.join(", "),
        free.join(", ")
    );
    for rows in TABLE.chunk_by(|row, next| row.group == next.group) {
        let _ = write!(made, "\n## {}\n\n| option | default | min | unit | what it bounds |\n|---|---|---|---|---|\n", rows[0].group);
        for row in rows {
            let default = default_of(row).replace('_', ",");
            let min = if row.unit == Unit::Dollars { "above 0".to_owned() } else { row.unit.least().to_string() };
            let _ = writeln!(made, "| `{}` | {default} | {min} | {} | {} |", row.name, row.unit.name(), without_rules(row.doc));
        }
    }
    made
}

/// A closed list of names, with the meaning of each.
fn list(made: &mut String, title: &str, exported: &str, about: &str, values: &[(&'static str, &'static str)]) {
    let exported = match exported.split_once(' ') {
        _ if exported.is_empty() => String::new(),
        Some((entry, constant)) => format!(" `{entry}` exports the list as `{constant}`."),
        None => format!(" The package exports the list as `{exported}`."),
    };
    let _ = write!(made, "\n## {title}\n\n{about}{exported}\n\n| name | what it means |\n|---|---|\n");
    for (name, doc) in values {
        let _ = writeln!(made, "| `{name}` | {} |", without_rules(doc));
    }
}

macro_rules! values {
    ($($of:tt)+) => { $($of)+.iter().map(|value| (value.name(), value.doc())).collect::<Vec<_>>() };
}

const TOOLS: &str = "\n## Tools\n\nThe name of each tool in each preset of `createTools`. A tool in brackets is there only if `include` lists it. \
                     The last column has the names for MCP clients that have tools of the usual names.\n\n\
                     | operation | `subagents` | `claude` | `codex` | `opencode` | own |\n|---|---|---|---|---|---|\n";

fn names() -> String {
    let mut made = String::from(
        "# Names\n\nThe closed lists of names that snapshots, results, events and options use. A later version may add a name; it never changes one.\n",
    );
    list(&mut made, "TaskStatus", "TASK_STATUSES", "What a sub-agent does, or how it ended.", &values!(Status::ALL));
    list(&mut made, "StopReason", "STOP_REASONS", "Why a run ended.", &values!(StopReason::ALL));
    let retried: Vec<_> = StopReason::ALL.iter().copied().filter(|reason| reason.may_be_retried()).collect();
    list(&mut made, "RetryReason", "subagents/policies RETRY_REASONS", "The ends that `retry.on` may name.", &values!(retried));
    list(&mut made, "Delivery", "", "How far the delivery of a notice is.", &values!(Delivery::ALL));
    list(&mut made, "MessagePlace", "", "The place in which a message waits.", &values!(MessagePlace::ALL));
    list(&mut made, "ParkReason", "PARK_REASONS", "Why a running sub-agent holds no slot.", &values!(Parked::ALL));
    let waits = "What queued work waits for. If several reasons apply, it is the first of this list; but `session`, `definition` and `program` come before `cooldown`, and `rate` behind it.";
    list(&mut made, "WaitingFor", "WAITING_FOR", waits, &values!(WaitingFor::ALL));
    list(&mut made, "PolicyPoint", "subagents/policies POLICY_POINTS", "The points at which a policy is asked.", &values!(Point::ALL));
    let answers = "What a policy answers, unless it lets the run continue.";
    list(&mut made, "PolicyAnswerName", "subagents/policies POLICY_ANSWERS", answers, &values!(Answer::ALL));
    let ends = "What becomes of a background sub-agent when its parent's run ends well.";
    list(&mut made, "OnParentEnd", "ON_PARENT_END", ends, &values!(OnParentEnd::ALL));
    let _ = write!(made, "{TOOLS}{}", tools::table());
    made
}

fn events() -> String {
    let shapes: Vec<_> = Fact::shapes().into_iter().filter(|shape| shape.name != "Seeded").collect();
    let mut made = String::from(EVENTS);
    let list: Vec<_> = shapes.iter().map(|shape| format!("[`{0}`](#{0})", snake(shape.name))).collect();
    let _ = write!(made, "{}\n\n", list.join(" · "));
    for shape in &shapes {
        let _ = write!(made, "## {}\n\n{}\n\n", snake(shape.name), without_rules(shape.doc));
        let fields = shape.fields.iter();
        table(&mut made, fields.map(|field| (event_field(field.name), event_type(&field.kind), without_rules(field.doc))));
    }
    made.push_str("## Records within events\n\nAn instant is in epoch milliseconds. `null` means that nothing was given, or that nothing is known.\n\n");
    made.push_str("### EventAmounts\n\nAn amount of each thing that a budget bounds.\n\n");
    let amounts = [("tokens", "Tokens."), ("costUsd", "US dollars."), ("turns", "Calls of the model.")];
    table(&mut made, amounts.into_iter().map(|(name, doc)| (name.to_owned(), "number".to_owned(), doc.to_owned())));
    for each in records::records() {
        let _ = write!(made, "### {}\n\n{}\n\n", each.name(), each.doc);
        let fields = each.fields.iter();
        table(&mut made, fields.map(|field| (event_field(field.name), event_type(record_kind(field)), without_rules(field.doc))));
    }
    made.trim_end().to_owned() + "\n"
}

fn table(made: &mut String, fields: impl Iterator<Item = (String, String, String)>) {
    let rows: Vec<_> = fields.map(|(name, kind, doc)| format!("| `{name}` | {} | {doc} |\n", linked(&kind))).collect();
    if !rows.is_empty() {
        let _ = write!(made, "| field | type | what it holds |\n|---|---|---|\n{}\n", rows.concat());
    }
}

/// A type as a cell of a table, with a link if another place lists its values or fields.
fn linked(kind: &str) -> String {
    let bare = kind.trim_end_matches(" | null").trim_end_matches("[]");
    let target = match bare {
        "EventAmounts" => "#eventamounts",
        "TaskStatus" => "names.md#taskstatus",
        "StopReason" => "names.md#stopreason",
        "Delivery" => "names.md#delivery",
        "MessagePlace" => "names.md#messageplace",
        "ParkReason" => "names.md#parkreason",
        "WaitingFor" => "names.md#waitingfor",
        "PolicyPoint" => "names.md#policypoint",
        "PolicyAnswerName" => "names.md#policyanswername",
        "OnParentEnd" => "names.md#onparentend",
        _ => match records::records().into_iter().find(|each| each.name() == bare) {
            Some(each) => &format!("#{}", each.name().to_lowercase()),
            None => return format!("`{}`", kind.replace('|', "\\|")),
        },
    };
    format!("[`{}`]({target})", kind.replace('|', "\\|"))
}

const EVENTS: &str = "\
# Events

`manager.subscribe(listener)` calls the listener with every event, and returns the function that ends it. An event is a plain object of the
type `SubAgentEvent`. Its `type` says what happened, and TypeScript narrows its fields by it.

- Listeners are called after a step is complete: promises are settled and host functions are called before.
- If a listener throws, `onError` gets the error, and the manager continues.
- A listener gets nothing that happened before it subscribed. There is one exception: subscribe after `await SubAgentManager.open(…)`,
  before you await anything else. Then it gets all that happened since the store was read, such as the `run_ended` of a lost run.
- All listeners get the same object. To change one, make a copy: `structuredClone(event)`.

## The ten that you need first

| event | fields that you need | use it to |
|---|---|---|
| `task_admitted` | `label`, `parentId`, `background`, `first.waitingFor` | Show a new sub-agent. |
| `run_started` | `run`, `timeoutMs` | Show that it runs. |
| `run_reported` | `usage`, `message` | Show progress and usage. |
| `run_parked` | `why`, `waitsFor` | Show what it waits for. |
| `run_unparked` | `why`, `parks` | Show that it continues. |
| `question_asked` | `question`, `until` | Ask a person. |
| `stop_requested` | `stopReason`, `until` | Show that it is stopping. |
| `run_retried` | `error`, `until` | Log a failure that is tried again. |
| `run_queued` | `run`, `waitingFor` | Show that it waits again. |
| `run_ended` | `status`, `stopReason`, `output`, `usage` | Show and log the end. |

`question_asked`, `turn_delayed` and `run_returned` park a run too, and take the place of `run_parked`.

```ts
import { SubAgentManager } from 'subagents';

const manager = new SubAgentManager({
  maxDepth: 2,
  retry: { max: 1, backoffMs: 1 },
  spawnSubAgent: async ({ instructions }, run) => {
    if (instructions === 'Ask') await run.ask('Which year?');
    if (instructions === 'Delegate') await run.spawn({ instructions: 'Read a.md' }).wait();
    if (instructions === 'Fail once' && run.run === 1) throw new Error('the provider is down');
    if (instructions === 'Take long') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    run.report({ tokens: 120, message: 'nearly done' });
    return { output: 'done' };
  },
});
manager.subscribe((event) => {
  const { type } = event;
  if (event.type === 'task_admitted') console.log(type, '-', event.label, event.first?.waitingFor ?? 'starts at once');
  if (event.type === 'run_started') console.log(type, '-', event.label);
  if (event.type === 'run_reported') console.log(type, '-', event.label, event.usage.tokens, event.message);
  if (event.type === 'run_parked') console.log(type, '-', event.label, event.why, event.waitsFor.length);
  if (event.type === 'run_unparked') console.log(type, '-', event.label, event.why);
  if (event.type === 'question_asked') console.log(type, '-', event.label, event.question);
  if (event.type === 'run_retried') console.log(type, '-', event.label, event.error);
  if (event.type === 'run_queued') console.log(type, '-', event.label, event.run, event.waitingFor);
  if (event.type === 'stop_requested') console.log(type, '-', event.label, event.stopReason);
  if (event.type === 'run_ended') console.log(type, '-', event.label, event.status, event.stopReason, event.usage.tokens);
});
await manager.spawn('Delegate').wait();
const ask = manager.spawn('Ask');
await manager.wait([ask]);
manager.send(ask, '2024');
await ask.wait();
await manager.spawn('Fail once').wait();
await manager.spawn('Take long').cancel();
```
```text
task_admitted - Delegate starts at once
run_started - Delegate
task_admitted - Read a.md starts at once
run_started - Read a.md
run_parked - Delegate children 1
run_reported - Read a.md 120 nearly done
run_ended - Read a.md completed finished 120
run_unparked - Delegate children
run_reported - Delegate 120 nearly done
run_ended - Delegate completed finished 120
task_admitted - Ask starts at once
run_started - Ask
question_asked - Ask Which year?
run_reported - Ask 120 nearly done
run_ended - Ask completed finished 120
task_admitted - Fail once starts at once
run_started - Fail once
run_retried - Fail once the provider is down
run_queued - Fail once 2 slot
run_started - Fail once
run_reported - Fail once 120 nearly done
run_ended - Fail once completed finished 120
task_admitted - Take long starts at once
run_started - Take long
stop_requested - Take long cancelled
run_reported - Take long 120 nearly done
run_ended - Take long cancelled cancelled 120
```

## Fields of every event

| field | type | what it holds |
|---|---|---|
| `type` | `string` | What happened. |
| `seq` | `number` | The number of the event. It counts up by one, from 1. |
| `at` | `number` | When it happened, in epoch milliseconds. |

An event with a `taskId` also identifies the sub-agent and its session. `taskId` is `null` if the event is about the manager, or about a
session and its main agent. The first three are then `null`. All are `null` if a listener that came later gets an event of a sub-agent
that is forgotten by then.

| field | type | what it holds |
|---|---|---|
| `label` | `string \\| null` | The sub-agent's label. |
| `parentId` | `string \\| null` | The id of its parent; `null` if that is the program or a session. |
| `metadata` | `Metadata \\| null` | Its metadata. |
| `sessionKey` | `string \\| null` | The key of the session; `null` for the manager's own. |

## All events

";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_of_rules_are_left_out_and_other_brackets_stay() {
        assert_eq!(without_rules(" A label (A4). "), "A label.");
        assert_eq!(without_rules("Waits (rule D4): the first (of all) (C1, C2)"), "Waits: the first (of all)");
        assert_eq!(without_rules("Nothing (at all"), "Nothing (at all");
    }

    #[test]
    fn every_event_has_its_place_and_every_text_is_a_sentence() {
        let made = events();
        for shape in Fact::shapes().iter().filter(|shape| shape.name != "Seeded") {
            assert!(made.contains(&format!("\n## {}\n", snake(shape.name))), "{}", shape.name);
        }
        for line in made.lines().filter(|line| line.starts_with("| `")) {
            assert!(line.ends_with(". |"), "{line}");
        }
    }
}
