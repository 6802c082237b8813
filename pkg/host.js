// ts/errors.ts
var SubAgentError = class extends Error {
  name = "SubAgentError";
  /** What went wrong, from a closed list. */
  code;
  /** Fields that belong to the code, such as `limit`, `active`, `remaining`, `needed`, `option`. */
  details;
  constructor(code, message, details = {}, options) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
};
function invalid(what, expected, got) {
  return new SubAgentError("invalid_argument", `${what} must be ${expected}, got ${describe(got)}`, { argument: what, expected });
}
function describe(value) {
  if (typeof value === "string") return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value);
  if (value === null || value === void 0 || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
function messageOf(thrown) {
  try {
    if (typeof thrown === "string") return thrown;
    if (thrown instanceof Error) return String(thrown.message) || String(thrown.name) || "an error without a message";
    if (typeof thrown === "object" && thrown !== null && typeof thrown.message === "string") {
      return thrown.message;
    }
  } catch {
  }
  return `threw ${describe(thrown)}`;
}

// ts/arguments.ts
function idOf(target) {
  return typeof target === "object" && target !== null ? readArgument("a target", () => target.taskId) : target;
}
function optionsOf(what, options) {
  if (typeof options === "object" && options !== null) return options;
  throw invalid(what, "an object", options);
}
function readArgument(what, body) {
  try {
    return body();
  } catch (error) {
    throw unreadable(what, error);
  }
}
function unreadable(what, error) {
  if (isOurs(error)) return error;
  return new SubAgentError("invalid_argument", `${what} can't be read: ${messageOf(error)}`, { argument: what }, { cause: error });
}
function isOurs(error) {
  try {
    return error instanceof SubAgentError;
  } catch {
    return false;
  }
}
function signalOf(what, signal) {
  if (signal === void 0) return void 0;
  const { aborted, addEventListener, removeEventListener } = Object(signal);
  if (typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function") {
    return signal;
  }
  throw invalid(what, "an AbortSignal", signal);
}
function graceOf(options) {
  if (options === void 0) return Number.NaN;
  const graceMs = readArgument("the options of cancel", () => optionsOf("the options of cancel", options).graceMs);
  if (graceMs === void 0) return Number.NaN;
  if (typeof graceMs === "number" && graceMs >= 0) return graceMs;
  throw invalid("`graceMs`", "milliseconds of at least 0, or Infinity", graceMs);
}

// ts/clock.ts
var origin = Date.now() - performance.now();
function now() {
  return origin + performance.now();
}
var LONGEST = 2147483647;
var Alarm = class {
  timer;
  at = 0;
  held = false;
  ring;
  /** @param fire called when the time has come */
  constructor(fire) {
    this.ring = () => {
      this.timer = void 0;
      if (now() < this.at) this.arm();
      else fire();
    };
  }
  /** Rings at `at`, in place of what was set before. */
  set(at) {
    this.at = at;
    if (this.timer !== void 0) clearTimeout(this.timer);
    this.arm();
  }
  /** Whether the process should live until the alarm rings. */
  hold(held) {
    if (this.held === held) return;
    this.held = held;
    const timer = this.timer;
    if (held) timer?.ref?.();
    else timer?.unref?.();
  }
  stop() {
    if (this.timer !== void 0) clearTimeout(this.timer);
    this.timer = void 0;
  }
  arm() {
    this.timer = setTimeout(this.ring, Math.min(Math.max(Math.ceil(this.at - now()), 1), LONGEST));
    if (!this.held) this.timer.unref?.();
  }
};

// ts/generated/limits.ts
var DEFAULT_LIMITS = {
  maxConcurrent: 3,
  maxQueued: 1e3,
  maxDepth: 1,
  maxChildren: 32,
  maxTasks: 1e5,
  retain: 1e3,
  maxSessions: 1e4,
  maxAbandoned: 16,
  maxTurns: 10,
  turnEstimate: 2e3,
  wrapUpTokens: 1e3,
  timeoutMs: 18e5,
  graceMs: 1e4,
  idleTimeoutMs: 3e5,
  abandonMs: 6e4,
  maxMessages: 20,
  maxResultBytes: 1048576,
  inlineBytes: 16384,
  maxSummaryTokens: 2e3,
  ageingMs: 1e4
};
var DEFAULT_WAIT_MS = 3e4;

// ts/result.ts
var COMPLETED = 0;
var FAILED = 1;
var CANCELLED = 2;
var TIMED_OUT = 3;
var THREW = 4;
var INVALID = 5;
var MISSING = -1;
function readResult(value) {
  try {
    return read(value);
  } catch (error) {
    return invalidResult(`reading the result failed: ${messageOf(error)}`, error);
  }
}
function read(value) {
  if (typeof value !== "object" || value === null) {
    return invalidResult(`spawnSubAgent must resolve to { output, status, usage }, it resolved to ${describe(value)}`);
  }
  const { output, status, usage, taskId, artifacts, error } = value;
  if (typeof output !== "string") return invalidResult(`the result's output must be a string, got ${describe(output)}`);
  const how = status === void 0 || status === "completed" ? COMPLETED : howOf(status);
  const returned = {
    how,
    output: wellFormed(output),
    error: how === FAILED && typeof error === "string" ? error : void 0,
    cause: void 0,
    hostStatus: typeof status === "string" && status !== "completed" ? status : void 0,
    hostTaskId: typeof taskId === "string" && taskId !== "" ? taskId : void 0,
    artifacts: void 0,
    artifactsJson: void 0,
    tokens: MISSING,
    cost: MISSING,
    turns: MISSING,
    durationMs: MISSING
  };
  if (typeof usage === "object" && usage !== null) {
    const { tokens, cost, turns, durationMs } = usage;
    returned.tokens = reading(tokens);
    returned.cost = reading(cost);
    returned.turns = reading(turns);
    returned.durationMs = reading(durationMs);
  }
  if (Array.isArray(artifacts) && artifacts.length > 0) {
    returned.artifactsJson = JSON.stringify(artifacts);
    returned.artifacts = artifacts;
  }
  return returned;
}
function wellFormed(text) {
  const checked = text;
  return checked.isWellFormed?.() === false ? checked.toWellFormed?.() ?? text : text;
}
function reading(value) {
  if (value === void 0 || value === null) return MISSING;
  return typeof value === "number" && value >= 0 ? value : Number.NaN;
}
function howOf(status) {
  switch (status) {
    case "failed":
    case "error":
      return FAILED;
    case "cancelled":
    case "aborted":
      return CANCELLED;
    case "timed_out":
    case "timeout":
      return TIMED_OUT;
    default:
      return COMPLETED;
  }
}
function invalidResult(message, cause) {
  return {
    how: INVALID,
    output: "",
    error: message,
    cause,
    hostStatus: void 0,
    hostTaskId: void 0,
    artifacts: void 0,
    artifactsJson: void 0,
    tokens: MISSING,
    cost: MISSING,
    turns: MISSING,
    durationMs: MISSING
  };
}
function threw(message, cause) {
  return { ...invalidResult(message, cause), how: THREW };
}

// ts/elsewhere.ts
var SWEEP_AT = 64;
var Elsewhere = class {
  lives = /* @__PURE__ */ new Set();
  /** Results that came before the host's id was known. */
  early = /* @__PURE__ */ new Map();
  sweepAt = SWEEP_AT;
  runtime;
  settle;
  constructor(runtime, settle) {
    this.runtime = runtime;
    this.settle = settle;
  }
  /** Has the host start a run; what it throws at once is the caller's to take. */
  start(live, spawnBackgroundSubAgent) {
    const starting = spawnBackgroundSubAgent(live.params());
    this.sweep();
    this.lives.add(live);
    this.runtime.call((core) => core.startedElsewhere(now(), live.slot, live.generation, live.run));
    new Promise((resolve) => resolve(starting)).then(
      (started) => {
        const id = hostId(started);
        if (typeof id !== "string" || id === "") {
          this.end(live, invalidResult(`spawnBackgroundSubAgent must resolve to { taskId }, it resolved to ${describe(started)}`));
          return;
        }
        live.hostTaskId = id;
        const early = this.early.get(id);
        this.early.delete(id);
        if (early !== void 0) this.end(live, readResult(early));
      },
      (error) => this.end(live, threw(messageOf(error), error))
    );
  }
  /** Takes the result of a run, by our id or the host's own. */
  report(id, result) {
    if (typeof id !== "string" || id === "") throw invalid("the id", "a task id or the host's own id", id);
    const found = [...this.lives].filter((live2) => live2.hostTaskId === id || live2.taskId === id);
    if (found.length > 1) {
      throw new SubAgentError("invalid_argument", `several sub-agents go by the host id ${describe(id)}: report by task id`, { id });
    }
    const [live] = found;
    if (live !== void 0) {
      this.end(live, readResult(result));
      return;
    }
    const unnamed = [...this.lives].some((other) => other.hostTaskId === void 0);
    if (!unnamed) throw new SubAgentError("unknown_task", `no background sub-agent goes by ${describe(id)}`, { id });
    this.early.set(id, result);
  }
  /** Lets go of everything. */
  clear() {
    this.lives.clear();
    this.early.clear();
  }
  /** Lets go of runs that ended unreported and that the core has forgotten: now and then, all at once. */
  sweep() {
    if (this.lives.size < this.sweepAt) return;
    for (const live of this.lives) {
      if (!this.runtime.call((core) => core.hasRun(live.slot, live.generation, live.run))) this.lives.delete(live);
    }
    this.sweepAt = Math.max(SWEEP_AT, this.lives.size * 2);
  }
  end(live, returned) {
    if (!this.lives.delete(live)) return;
    this.settle(live, { ...returned, hostTaskId: returned.hostTaskId ?? live.hostTaskId });
  }
};
function hostId(started) {
  try {
    return started?.taskId;
  } catch {
    return void 0;
  }
}

// ts/generated/facts.ts
var FACT_SHAPES = [
  { number: 0, type: "seeded", fields: [["high", "number"], ["low", "number"]] },
  { number: 1, type: "limit_set", fields: [["limit", "text"], ["value", "number"]] },
  { number: 2, type: "cap_set", fields: [["taskId", "task"], ["cap", "amounts"]] },
  { number: 3, type: "admission_set", fields: [["reject", "boolean"]] },
  { number: 4, type: "task_cap_set", fields: [["cap", "amounts"]] },
  { number: 5, type: "session_opened", fields: [["taskId", "task"], ["name", "text"]] },
  { number: 6, type: "tools_set", fields: [["taskId", "task"], ["tools", "text[]?"]] },
  { number: 10, type: "task_admitted", fields: [["taskId", "task"], ["parentId", "task"], ["parentRun", "number"], ["background", "boolean"], ["manual", "boolean"], ["cap", "amounts"], ["text", "text"], ["spec", "Spec?"]] },
  { number: 11, type: "reserve_changed", fields: [["taskId", "task"], ["tokens", "number"]] },
  { number: 12, type: "message_queued", fields: [["taskId", "task"], ["ahead", "boolean"], ["text", "text"]] },
  { number: 13, type: "messages_dropped", fields: [["taskId", "task"], ["count", "number"]] },
  { number: 20, type: "run_queued", fields: [["taskId", "task"], ["run", "number"], ["rank", "signed"], ["round", "number"], ["message", "text?"]] },
  { number: 21, type: "run_started", fields: [["taskId", "task"], ["run", "number"], ["maxTurns", "number"], ["timeoutMs", "number"], ["idleTimeoutMs", "number"]] },
  { number: 22, type: "hold_changed", fields: [["taskId", "task"], ["run", "number"], ["hold", "amounts"], ["whole", "boolean"]] },
  { number: 23, type: "hold_lent", fields: [["taskId", "task"], ["run", "number"], ["borrower", "task"], ["amount", "amounts"]] },
  { number: 36, type: "hold_returned", fields: [["taskId", "task"], ["run", "number"], ["borrower", "task"], ["borrowerRun", "number"], ["amount", "amounts"]] },
  { number: 37, type: "turn_delayed", fields: [["taskId", "task"], ["run", "number"], ["estimate", "number?"]] },
  { number: 38, type: "usage_reported", fields: [["taskId", "task"], ["run", "number"], ["reported", "number"], ["invalid", "number"]] },
  { number: 39, type: "wrap_up_spent", fields: [["taskId", "task"]] },
  { number: 24, type: "turn_started", fields: [["taskId", "task"], ["run", "number"], ["turn", "number"], ["wrapUp", "boolean"]] },
  { number: 25, type: "usage_booked", fields: [["taskId", "task"], ["run", "number"], ["amount", "amounts"]] },
  { number: 26, type: "usage_doubted", fields: [["taskId", "task"], ["run", "number"], ["unknown", "number"], ["invalid", "number"]] },
  { number: 27, type: "progress_reported", fields: [["taskId", "task"], ["run", "number"], ["contextTokens", "number?"], ["message", "text?"]] },
  { number: 28, type: "wrap_up_told", fields: [["taskId", "task"], ["run", "number"], ["reason", "StopReason"], ["until", "number?"]] },
  { number: 29, type: "run_parked", fields: [["taskId", "task"], ["run", "number"], ["why", "Parked"]] },
  { number: 30, type: "run_unparked", fields: [["taskId", "task"], ["run", "number"], ["why", "Parked"]] },
  { number: 31, type: "run_reentered", fields: [["taskId", "task"], ["run", "number"], ["overLimit", "boolean"]] },
  { number: 32, type: "stop_requested", fields: [["taskId", "task"], ["run", "number"], ["reason", "StopReason"], ["status", "Status"], ["until", "number"]] },
  { number: 33, type: "run_ended", fields: [["taskId", "task"], ["run", "number"], ["status", "Status"], ["reason", "StopReason"], ["partial", "boolean"], ["hostOpen", "boolean"], ["cut", "boolean"], ["collected", "boolean"], ["output", "text"], ["error", "text?"], ["hostStatus", "text?"], ["hostTaskId", "text?"], ["artifacts", "text?"], ["durationMs", "number?"], ["abandonAt", "number"]] },
  { number: 34, type: "host_returned", fields: [["taskId", "task"], ["run", "number"], ["lateResult", "text?"]] },
  { number: 35, type: "host_abandoned", fields: [["taskId", "task"], ["run", "number"]] },
  { number: 46, type: "run_elsewhere", fields: [["taskId", "task"], ["run", "number"]] },
  { number: 40, type: "cancel_requested", fields: [["taskId", "task"]] },
  { number: 41, type: "cancel_settled", fields: [["taskId", "task"]] },
  { number: 42, type: "task_ended", fields: [["taskId", "task"], ["status", "Status"], ["reason", "StopReason"]] },
  { number: 43, type: "task_resumed", fields: [["taskId", "task"]] },
  { number: 44, type: "end_collected", fields: [["taskId", "task"]] },
  { number: 45, type: "task_forgotten", fields: [["taskId", "task"]] },
  { number: 50, type: "wait_opened", fields: [["wait", "wait"], ["taskId", "task"], ["run", "number"], ["all", "boolean"], ["subtree", "boolean"], ["target", "task"], ["targetRun", "number"], ["others", "task[]"], ["otherRuns", "number[]"], ["until", "number?"]] },
  { number: 51, type: "wait_closed", fields: [["wait", "wait"], ["timedOut", "boolean"]] },
  { number: 60, type: "drain_started", fields: [["until", "number"]] },
  { number: 62, type: "drain_overran", fields: [] },
  { number: 61, type: "drain_ended", fields: [["timedOut", "boolean"]] }
];
var SPEC_SHAPE = [
  ["label", "text?"],
  ["nickname", "text?"],
  ["contextHint", "text?"],
  ["tools", "text[]?"],
  ["systemPrompt", "text?"],
  ["profile", "text?"],
  ["modelId", "text?"],
  ["sourceAgentId", "text?"],
  ["maxTurns", "number?"],
  ["timeoutMs", "number?"],
  ["idleTimeoutMs", "number?"],
  ["turnEstimate", "number?"],
  ["priority", "signed?"]
];

// ts/generated/names.ts
var TASK_STATUSES = [
  "pending",
  "running",
  "idle",
  "completed",
  "failed",
  "timed_out",
  "cancelled",
  "interrupted",
  "closed"
];
var STOP_REASONS = [
  "finished",
  "host_failed",
  "host_threw",
  "invalid_result",
  "host_cancelled",
  "host_timed_out",
  "timeout",
  "idle_timeout",
  "max_turns",
  "budget_exhausted",
  "cancelled",
  "ancestor_cancelled",
  "parent_ended",
  "interrupted",
  "closed",
  "signal_aborted",
  "drained",
  "policy",
  "marked_failed",
  "host_lost",
  "never_reported"
];
var PARK_REASONS = [
  "children",
  "input",
  "approval",
  "cooldown",
  "reentry"
];

// ts/events.ts
var decoder = new TextDecoder();
function fieldReader(kind) {
  if (kind.endsWith("?")) {
    const inner = fieldReader(kind.slice(0, -1));
    return (reader) => reader.byte() === 0 ? null : inner(reader);
  }
  if (kind.endsWith("[]")) {
    const inner = fieldReader(kind.slice(0, -2));
    return (reader) => {
      const list = [];
      for (let left = reader.number(); left > 0; left -= 1) list.push(inner(reader));
      return list;
    };
  }
  switch (kind) {
    case "number":
      return (reader) => reader.number();
    case "signed":
      return (reader) => {
        const zigzag = reader.number();
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      };
    case "boolean":
      return (reader) => reader.byte() === 1;
    case "text":
      return (reader) => reader.text();
    case "task":
      return (reader) => reader.task();
    case "wait":
      return (reader) => reader.number() + reader.number() * 4294967296;
    case "amounts":
      return (reader) => ({ tokens: reader.number(), costUsd: reader.number() / 1e9, turns: reader.number() });
    case "Status":
      return (reader) => TASK_STATUSES[reader.byte()];
    case "StopReason":
      return (reader) => STOP_REASONS[reader.byte()];
    case "Parked":
      return (reader) => PARK_REASONS[reader.byte()];
    case "Spec": {
      const fields = SPEC_SHAPE.map(([name, inner]) => [name, fieldReader(inner)]);
      return (reader) => Object.fromEntries(fields.map(([name, read4]) => [name, read4(reader)]));
    }
    default:
      throw new Error(`a field of an unknown kind: ${kind}`);
  }
}
var SHAPES = [];
for (const { number, type, fields } of FACT_SHAPES) {
  SHAPES[number] = { type, names: fields.map(([name]) => name), fields: fields.map(([, kind]) => fieldReader(kind)) };
}
var EventReader = class {
  bytes = new Uint8Array(0);
  at = 0;
  seq;
  runtime;
  ids = /* @__PURE__ */ new Map();
  /** @param seq how many facts came before */
  constructor(runtime, seq) {
    this.runtime = runtime;
    this.seq = seq;
  }
  read(bytes) {
    this.bytes = bytes;
    this.at = 0;
    const events = [];
    while (this.at < bytes.length) {
      const at = this.number();
      const shape = SHAPES[this.byte()];
      if (shape === void 0) throw new Error("a fact of an unknown kind");
      this.seq += 1;
      const event = { type: shape.type, seq: this.seq, at };
      const { names, fields } = shape;
      for (let index = 0; index < fields.length; index += 1) event[names[index]] = fields[index](this);
      if (shape.type !== "seeded") events.push(event);
    }
    return events;
  }
  /** @internal */
  byte() {
    const byte = this.bytes[this.at];
    if (byte === void 0) throw new Error("a fact was cut off");
    this.at += 1;
    return byte;
  }
  /** LEB128. What is uncapped is the largest number there is, and reads as `Infinity`. */
  number() {
    let value = 0;
    let scale = 1;
    for (; ; ) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value >= 2 ** 64 - 2048 ? Number.POSITIVE_INFINITY : value;
      scale *= 128;
    }
  }
  text() {
    const length = this.number();
    this.at += length;
    return decoder.decode(this.bytes.subarray(this.at - length, this.at));
  }
  /** The id of a task; null for the program and for sessions. */
  task() {
    const slot = this.number();
    const generation = this.number();
    if (slot <= 1) return null;
    const known = this.ids.get(slot);
    if (known?.generation === generation) return known.id;
    const id = this.runtime.isSession(slot, generation) ? null : this.runtime.taskId(slot, generation);
    this.ids.set(slot, { generation, id });
    return id;
  }
};

// ts/spawn-options.ts
var TEXTS = ["instructions", "goal", "message", "task", "taskDescription"];
var STAGED = /* @__PURE__ */ new Set([
  "label",
  "contextHint",
  "tools",
  "systemPrompt",
  "maxTurns",
  "maxSteps",
  "timeoutMs",
  "idleTimeoutMs",
  "turnEstimate",
  "priority"
]);
var OTHER = /* @__PURE__ */ new Set([...TEXTS, "background", "maxCost", "budget", "signal"]);
function readSpawn(options) {
  try {
    return read2(options);
  } catch (error) {
    throw unreadable("the options of spawn", error);
  }
}
function read2(options) {
  if (typeof options !== "object" || options === null) throw invalid("the options of spawn", "an object", options);
  const request = {
    text: void 0,
    background: false,
    manual: false,
    tokens: Number.NaN,
    cost: Number.NaN,
    turns: Number.NaN,
    staged: void 0,
    signal: void 0
  };
  let staged = false;
  for (const key in options) {
    if (key === "instructions") request.text = textOf(options, key, request.text);
    else if (STAGED.has(key)) staged = true;
    else if (OTHER.has(key)) readOther(request, options, key);
    else throw new SubAgentError("invalid_argument", `spawn has no option \`${key}\``, { argument: key });
  }
  if (staged) request.staged = readStaged(options);
  return request;
}
function textOf(options, key, before) {
  const value = options[key];
  if (value === void 0) return before;
  if (typeof value !== "string") throw invalid(`\`${key}\``, "a string", value);
  if (before !== void 0)
    throw new SubAgentError("invalid_argument", `\`${key}\` says the same as another option: give one of ${TEXTS.join(", ")}`);
  return wellFormed(value);
}
function readOther(request, options, key) {
  switch (key) {
    case "background": {
      const { background } = options;
      if (background !== void 0 && typeof background !== "boolean") throw invalid("`background`", "a boolean", background);
      request.background = background === true;
      return;
    }
    case "maxCost": {
      const cost = amount("`maxCost`", options.maxCost);
      if (cost !== void 0) request.cost = only(request.cost, cost, "`maxCost` and `budget.costUsd`");
      return;
    }
    case "budget": {
      const budget = readBudget("budget", options.budget);
      if (budget.tokens !== void 0) request.tokens = budget.tokens;
      if (budget.costUsd !== void 0) request.cost = only(request.cost, budget.costUsd, "`maxCost` and `budget.costUsd`");
      if (budget.turns !== void 0) request.turns = budget.turns;
      return;
    }
    case "signal": {
      request.signal = signalOf("`signal`", options.signal);
      return;
    }
    default:
      request.text = textOf(options, key, request.text);
  }
}
function only(before, value, names) {
  if (!Number.isNaN(before)) throw new SubAgentError("invalid_argument", `${names} say the same: give one`);
  return value;
}
function readStaged(options) {
  const { label, contextHint, tools, systemPrompt, maxTurns, maxSteps, timeoutMs, idleTimeoutMs, turnEstimate, priority } = options;
  if (maxTurns !== void 0 && maxSteps !== void 0)
    throw new SubAgentError("invalid_argument", "`maxTurns` and `maxSteps` say the same: give one");
  return {
    label: string("`label`", label),
    contextHint: string("`contextHint`", contextHint),
    tools: strings("`tools`", tools),
    systemPrompt: string("`systemPrompt`", systemPrompt),
    modelId: void 0,
    maxTurns: count("`maxTurns`", maxTurns) ?? count("`maxSteps`", maxSteps),
    timeoutMs: duration("`timeoutMs`", timeoutMs),
    idleTimeoutMs: duration("`idleTimeoutMs`", idleTimeoutMs),
    turnEstimate: count("`turnEstimate`", turnEstimate),
    priority: integer("`priority`", priority)
  };
}
function readBudget(name, budget) {
  if (budget === void 0) return {};
  if (typeof budget !== "object" || budget === null) throw invalid(`\`${name}\``, "an object with tokens, costUsd or turns", budget);
  const { tokens, costUsd, turns, ...unknown } = budget;
  const [stranger] = Object.keys(unknown);
  if (stranger !== void 0)
    throw new SubAgentError("invalid_argument", `\`${name}\` has no \`${stranger}\`; it has tokens, costUsd, turns`, {
      argument: `${name}.${stranger}`
    });
  const result = {};
  const [readTokens, readCost, readTurns] = [
    count(`\`${name}.tokens\``, tokens),
    amount(`\`${name}.costUsd\``, costUsd),
    count(`\`${name}.turns\``, turns)
  ];
  if (readTokens !== void 0) result.tokens = readTokens;
  if (readCost !== void 0) result.costUsd = readCost;
  if (readTurns !== void 0) result.turns = readTurns;
  return result;
}
function string(what, value) {
  if (value === void 0 || typeof value === "string") return value;
  throw invalid(what, "a string", value);
}
function strings(what, value) {
  if (value === void 0) return void 0;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return [...value];
  throw invalid(what, "a list of strings", value);
}
function count(what, value) {
  if (value === void 0) return void 0;
  if (typeof value === "number" && value >= 1 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
  throw invalid(what, "a whole number of at least 1, or Infinity", value);
}
function amount(what, value) {
  if (value === void 0) return void 0;
  if (typeof value === "number" && value > 0) return value;
  throw invalid(what, "a number above 0, or Infinity", value);
}
function duration(what, value) {
  if (value === void 0) return void 0;
  if (typeof value === "number" && value > 0) return Math.max(1, Math.round(value));
  throw invalid(what, "milliseconds above 0, or Infinity", value);
}
function integer(what, value) {
  if (value === void 0) return void 0;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw invalid(what, "a whole number", value);
}

// ts/handle.ts
var Handle = class {
  #live;
  #actor;
  /** @internal */
  constructor(live, actor) {
    this.#live = live;
    this.#actor = actor;
  }
  get #runtime() {
    return this.#live.runtime;
  }
  /** The sub-agent's id: `sub_` and 32 hex digits. */
  get taskId() {
    return this.#live.taskId;
  }
  /** Where it stands. Throws `forgotten` once it is no longer kept. */
  get status() {
    const { slot, generation } = this.#live;
    const status = this.#runtime.call((core) => core.status(slot, generation));
    const name = TASK_STATUSES[status];
    if (name === void 0) throw new SubAgentError("forgotten", "this sub-agent has been forgotten");
    return name;
  }
  /**
   * Waits for the current run and gives its result; for the last one where none is open. Never rejects
   * for a run that failed. Without `timeoutMs` it waits as long as it takes; with one, it rejects with
   * code `aborted` when the time is over. Ending a wait touches no sub-agent.
   */
  wait(options) {
    if (options === void 0) return this.#runtime.waitFor(this.#actor, this.#live, Number.POSITIVE_INFINITY);
    const { timeoutMs, signal } = readArgument("the options of wait", () => {
      const { timeoutMs: timeoutMs2, signal: signal2 } = optionsOf("the options of wait", options);
      return { timeoutMs: duration("`timeoutMs`", timeoutMs2) ?? Number.POSITIVE_INFINITY, signal: signalOf("`signal`", signal2) };
    });
    const waiting = this.#runtime.waitFor(this.#actor, this.#live, timeoutMs, signal);
    if (timeoutMs === Number.POSITIVE_INFINITY) return waiting;
    return waiting.then((result) => {
      if (result !== void 0) return result;
      throw new SubAgentError("aborted", `the sub-agent had not ended after ${timeoutMs} ms; it goes on`, { timeoutMs });
    });
  }
  /** Sends a message: it starts the next run, once the current one is over. */
  send(message) {
    return this.#runtime.send(this.#actor, this.#live.slot, this.#live.generation, message);
  }
  /** Cancels it and all under it; resolves when nothing runs there any more. */
  cancel(options) {
    return this.#runtime.cancel(this.#actor, this.#live.slot, this.#live.generation, "cancelled", graceOf(options));
  }
  /** The sub-agent as it stands, safe for JSON. */
  snapshot() {
    return this.#runtime.snapshot(this.#live.slot, this.#live.generation);
  }
};

// ts/tool-arguments.ts
var KNOWN = ["instructions", "tools", "systemPrompt", "maxTurns", "maxCost", "background"];
function checkArguments(args) {
  try {
    return check(typeof args === "string" ? JSON.parse(args) : args);
  } catch (error) {
    return { mistakes: [`the arguments can't be read: ${messageOf(error)}`] };
  }
}
function check(args) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return { mistakes: [`the arguments must be an object with \`instructions\`, got ${Array.isArray(args) ? "a list" : describe(args)}`] };
  }
  const mistakes = [];
  const given = args;
  const { instructions, systemPrompt, maxTurns, maxCost, background } = given;
  const tools = listOf(given.tools);
  const wrong = (name, expected, got) => {
    mistakes.push(`\`${name}\` must be ${expected}, got ${describe(got)}`);
  };
  if (typeof instructions !== "string" || instructions.trim() === "")
    wrong("instructions", "a text that says the whole task", instructions);
  if (!absent(tools) && !(Array.isArray(tools) && tools.every((name) => typeof name === "string")))
    wrong("tools", "a list of tool names", tools);
  if (!absent(systemPrompt) && typeof systemPrompt !== "string") wrong("systemPrompt", "a text", systemPrompt);
  if (!absent(maxTurns) && !(Number.isInteger(maxTurns) && maxTurns >= 1))
    wrong("maxTurns", "a whole number of at least 1", maxTurns);
  if (!absent(maxCost) && !(typeof maxCost === "number" && maxCost > 0 && maxCost < Number.POSITIVE_INFINITY))
    wrong("maxCost", "a number of US dollars above 0", maxCost);
  if (!absent(background) && typeof background !== "boolean") wrong("background", "true or false", background);
  for (const name of Object.keys(given)) {
    if (!KNOWN.includes(name)) mistakes.push(`there is no parameter \`${name}\`; there are ${KNOWN.join(", ")}`);
  }
  if (mistakes.length > 0) return { mistakes };
  const read4 = Object.entries({ instructions, tools, systemPrompt, maxTurns, maxCost, background }).filter(([, value]) => !absent(value));
  return { params: given, checked: Object.fromEntries(read4) };
}
function listOf(tools) {
  return Array.isArray(tools) ? [...tools] : tools;
}
function absent(value) {
  return value === void 0 || value === null;
}

// ts/tool.ts
function createTool(runtime, actor, options = {}) {
  const { onDetails, backgroundTimeoutMs } = readArgument("the options of the tool", () => {
    const { onDetails: onDetails2, backgroundTimeoutMs: backgroundTimeoutMs2 } = optionsOf("the options of the tool", options);
    return { onDetails: onDetails2, backgroundTimeoutMs: duration("`backgroundTimeoutMs`", backgroundTimeoutMs2) };
  });
  if (onDetails !== void 0 && typeof onDetails !== "function") throw invalid("`onDetails`", "a function", onDetails);
  const tool = runtime.call((core) => core.createSubAgentTool());
  const plain = actor === PROGRAM && onDetails === void 0 && backgroundTimeoutMs === void 0;
  if (plain) return tool;
  const kept = { ...onDetails && { onDetails }, ...backgroundTimeoutMs && { backgroundTimeoutMs } };
  return assemble(runtime, actor, kept, tool);
}
function makeTool(runtime, description) {
  return assemble(runtime, PROGRAM, {}, description);
}
function assemble(runtime, actor, options, described) {
  const parameters = withStandard({ ...described.parameters });
  const call = new ToolCall(runtime, actor, options);
  return {
    name: described.name,
    description: described.description,
    parameters,
    inputSchema: parameters,
    execute(...given) {
      if (typeof given[0] === "string" && given.length > 1) {
        const [toolCallId, args2, signal] = given;
        return call.run(args2, signal, toolCallId).then(({ text, details }) => ({ content: [{ type: "text", text }], details }));
      }
      const [args, extra] = given;
      return call.run(args, extra?.signal ?? extra?.abortSignal, extra?.toolCallId).then(({ text }) => text);
    }
  };
}
function withStandard(schema) {
  const plain = () => structuredClone(schema);
  return Object.defineProperty(schema, "~standard", {
    enumerable: false,
    value: {
      version: 1,
      vendor: "subagents",
      validate(value) {
        const checked = checkArguments(value);
        return "params" in checked ? { value: checked.params } : { issues: checked.mistakes.map((message) => ({ message })) };
      },
      jsonSchema: { input: plain, output: plain }
    }
  });
}
var ToolCall = class {
  runtime;
  actor;
  options;
  constructor(runtime, actor, options) {
    this.runtime = runtime;
    this.actor = actor;
    this.options = options;
  }
  async run(args, signal, toolCallId) {
    this.runtime.check();
    const answer = await this.answer(
      args,
      readArgument("`signal`", () => signalOf("`signal`", signal ?? void 0))
    );
    if (this.options.onDetails !== void 0) {
      try {
        this.options.onDetails(answer.details, toolCallId);
      } catch (error) {
        this.runtime.report(error);
      }
    }
    return answer;
  }
  /** The order of D6: arguments, the host's own limit, its gate, admission, spawn. */
  async answer(args, signal) {
    const checked = checkArguments(args);
    if ("mistakes" in checked) return this.refused(`${checked.mistakes.join("; ")}. Correct the arguments and call again.`);
    const limit = this.hostLimit();
    if (limit !== void 0) return this.refused(limit);
    if (signal?.aborted === true) return this.refused("the call was aborted before it began.");
    const { params, checked: given } = checked;
    let live;
    try {
      const { backgroundTimeoutMs: timeoutMs } = this.options;
      const request = readSpawn(given.background === true && timeoutMs !== void 0 ? { ...given, timeoutMs } : given);
      request.signal = signal;
      live = this.runtime.spawn(this.actor, request, params);
    } catch (error) {
      if (error instanceof SubAgentError && error.code !== "disposed" && error.code !== "internal")
        return this.refused(`${error.message}.`);
      throw error;
    }
    if (given.background === true) return this.started(live);
    const result = await this.runtime.waitFor(this.actor, live, Number.POSITIVE_INFINITY);
    return this.ended(live, result);
  }
  /** Why the host's own `canSpawn` refuses, if it does. */
  hostLimit() {
    const { canSpawn, getConcurrencyInfo } = this.runtime.functions;
    if (canSpawn === void 0) return void 0;
    try {
      if (canSpawn() === true) return void 0;
      const info = getConcurrencyInfo?.();
      const full = info === void 0 ? "the limit of sub-agents is reached" : `${info.active} of ${info.limit} sub-agents are running`;
      return `${full}. Wait until one ends, or do the work yourself.`;
    } catch (error) {
      return `the host could not say whether a sub-agent may start: ${messageOf(error)}.`;
    }
  }
  refused(why) {
    const details = { taskId: "", background: false, status: "refused", durationMs: null, turns: null, cost: null };
    return { text: `No sub-agent was started: ${why}`, details: this.withModel(details) };
  }
  started(live) {
    const { taskId } = live;
    const text = `Subagent [${live.snapshot().label}] started (id: ${taskId}). I'll notify you when it completes.`;
    const details = { taskId, background: true, status: "running", durationMs: null, turns: null, cost: null };
    return { text, details: this.withModel(details) };
  }
  ended(live, result) {
    const { usage, status, stopReason } = result;
    const known = (name) => usage.unknown.includes(name) || usage.invalid.includes(name) ? null : usage[name];
    const turns = known("turns");
    const cost = known("costUsd");
    const said = result.output === "" ? result.error ?? "" : result.output;
    const length = this.runtime.write(said);
    const text = this.runtime.call(
      (core) => core.resultText(
        live.slot,
        live.generation,
        result.run,
        TASK_STATUSES.indexOf(status),
        STOP_REASONS.indexOf(stopReason),
        turns ?? -1,
        cost ?? -1,
        result.started ? result.durationMs : -1,
        length
      )
    );
    const details = { taskId: live.taskId, background: false, status, durationMs: result.started ? result.durationMs : null, turns, cost };
    return { text, details: this.withModel(details) };
  }
  withModel(details) {
    try {
      const modelId = this.runtime.functions.getModelId?.();
      return modelId === void 0 ? details : { ...details, modelId };
    } catch {
      return details;
    }
  }
};

// ts/scope.ts
var Scope = class {
  /** @internal */
  runtime;
  /** @internal */
  actor;
  /** @internal */
  constructor(runtime, actor) {
    this.runtime = runtime;
    this.actor = actor;
  }
  /**
   * Spawns a sub-agent. It starts at once if a slot and its budget are free, else it waits its turn.
   * Throws a `SubAgentError` where it is refused; a refused spawn has changed nothing.
   */
  spawn(options) {
    return new Handle(this.runtime.spawn(this.actor, readSpawn(options), options), this.actor);
  }
  /** Sends a message to a sub-agent: it starts the next run, once the current one is over. */
  send(target, message) {
    const { slot, generation } = this.runtime.resolve(idOf(target));
    return this.runtime.send(this.actor, slot, generation, message);
  }
  /** Waits for sub-agents. That the time ran out is said, not thrown; ids that aren't there are listed. */
  async wait(targets, options = {}) {
    const { mode, timeoutMs, signal } = readArgument("the options of wait", () => waitOptions(options));
    const ids = readArgument("the targets", () => idsOf(targets));
    const found = ids.map((id) => this.runtime.resolve(id));
    const pinned = found.map(({ slot, generation }) => ({
      slot,
      generation,
      run: this.runtime.call((core) => core.lastRun(slot, generation))
    }));
    const timedOut = await this.runtime.waitMany(this.actor, found, mode === "all", timeoutMs, signal);
    const result = { completed: [], pending: [], unknown: [], timedOut };
    for (const [index, { slot, generation, run }] of pinned.entries()) {
      const open2 = this.runtime.call((core) => core.isOpen(slot, generation, run));
      const view = this.runtime.call((core) => core.get(slot, generation));
      if (view === void 0) result.unknown.push(ids[index]);
      else (open2 ? result.pending : result.completed).push(parseArtifacts(view));
    }
    return result;
  }
  /** Cancels a sub-agent and all under it; resolves when nothing runs there any more. */
  async cancel(target, options) {
    const graceMs = graceOf(options);
    const { slot, generation } = this.runtime.resolve(idOf(target));
    await this.runtime.cancel(this.actor, slot, generation, "cancelled", graceMs);
  }
  /** A sub-agent as it stands. Throws `unknown_task` or `forgotten` where it isn't there. */
  get(target) {
    const { slot, generation } = this.runtime.resolve(idOf(target));
    const { actor } = this;
    this.runtime.ask((core) => core.reaches(actor.slot, actor.generation, actor.run, slot, generation));
    return this.runtime.snapshot(slot, generation);
  }
  /** The sub-agents below, a page at a time: parents before their children, in order of age. */
  list(options = {}) {
    const { actor } = this;
    this.runtime.ask((core) => core.speaks(actor.slot, actor.generation, actor.run));
    const listing = readArgument("the options of list", () => listingOf(options));
    const view = this.runtime.call((core) => core.list(this.actor.slot, listing));
    if (view === void 0) throw this.runtime.refusal();
    return { items: view.items.map(parseArtifacts), total: view.total };
  }
  /** Forgets an ended sub-agent and all under it; what they spent stays booked. */
  forget(target) {
    const { slot, generation } = this.runtime.resolve(idOf(target));
    this.runtime.forget(this.actor, slot, generation);
  }
  /** Whether a sub-agent spawned now would start at once, and budget remains. */
  canSpawn() {
    const { slot, generation, run } = this.actor;
    return this.runtime.call((core) => core.canSpawn(slot, generation, run));
  }
  /** Asks the host's gate. Throwing, a promise or no boolean refuses. */
  checkConsumerSpawn(params) {
    this.runtime.check();
    const answer = this.runtime.consumerGate(params);
    if (answer === true) return { allowed: true };
    return answer === false ? { allowed: false } : { allowed: false, reason: answer };
  }
  /** Slots held and their limit, queued work, parked runs, host functions that were given up. */
  getConcurrencyInfo() {
    return this.runtime.call((core) => core.getConcurrencyInfo());
  }
  /** The `SubAgent` tool for a model, acting in this scope. */
  createSubAgentTool(options) {
    return createTool(this.runtime, this.actor === PROGRAM ? PROGRAM : this.actor, options);
  }
};
function waitOptions(options) {
  const { mode = "all", timeoutMs, signal } = optionsOf("the options of wait", options);
  if (mode !== "all" && mode !== "any") throw new SubAgentError("invalid_argument", "`mode` must be 'all' or 'any'", { argument: "mode" });
  return { mode, timeoutMs: duration("`timeoutMs`", timeoutMs) ?? DEFAULT_WAIT_MS, signal: signalOf("`signal`", signal) };
}
function idsOf(targets) {
  if (!Array.isArray(targets)) throw invalid("the targets", "a list of ids or handles", targets);
  return Array.from(targets, idOf);
}
function listingOf(options) {
  const { filter = {}, page = {} } = optionsOf("the options of list", options);
  const { offset = 0, limit = 100 } = optionsOf("`page`", page);
  for (const [name, value] of Object.entries({ offset, limit })) {
    if (!Number.isSafeInteger(value) || value < 0 || value > 4294967295)
      throw invalid(`\`page.${name}\``, "a whole number of at least 0", value);
  }
  const { status } = optionsOf("`filter`", filter);
  if (status === void 0) return { offset, limit };
  if (!Array.isArray(status)) throw invalid("`filter.status`", "a list of statuses", status);
  const wanted = [...status];
  const stranger = wanted.findIndex((name) => !TASK_STATUSES.includes(name));
  if (stranger !== -1) throw invalid("a status", `one of ${TASK_STATUSES.join(", ")}`, wanted[stranger]);
  return { offset, limit, status: wanted };
}

// ts/scratch.ts
var NO_TEXT = 4294967295;
var encoder = new TextEncoder();
var decoder2 = new TextDecoder();
var Scratch = class {
  view = new Uint8Array(0);
  core;
  memory;
  constructor(core, memory) {
    this.core = core;
    this.memory = memory;
  }
  /** Leaves a text in the scratch from `start` and returns its length in bytes. */
  write(text, start = 0) {
    const most = start + text.length * 3;
    if (this.view.length < most || this.view.length === 0) this.grow(most);
    return encoder.encodeInto(text, start === 0 ? this.view : this.view.subarray(start)).written;
  }
  /** Leaves the texts of an end, one after the other; nearly always there is only the output. */
  writeEnd(returned) {
    const { output, error, hostStatus, hostTaskId, artifactsJson } = returned;
    const units = output.length + lengthOf(error) + lengthOf(hostStatus) + lengthOf(hostTaskId) + lengthOf(artifactsJson);
    if (this.view.length < units * 3 || this.view.length === 0) this.grow(units * 3);
    const lengths = { output: this.write(output), error: NO_TEXT, status: NO_TEXT, id: NO_TEXT, artifacts: NO_TEXT };
    let at = lengths.output;
    if (error !== void 0) at += lengths.error = this.write(error, at);
    if (hostStatus !== void 0) at += lengths.status = this.write(hostStatus, at);
    if (hostTaskId !== void 0) at += lengths.id = this.write(hostTaskId, at);
    if (artifactsJson !== void 0) lengths.artifacts = this.write(artifactsJson, at);
    return lengths;
  }
  /** Text that the core shows at an address. */
  read(at, length) {
    return length === 0 ? "" : decoder2.decode(new Uint8Array(this.memory.buffer, at, length));
  }
  /** A copy of bytes that the core shows. */
  copy(at, length) {
    return new Uint8Array(this.memory.buffer, at, length).slice();
  }
  /** Bytes of linear memory. */
  get memoryBytes() {
    return this.memory.buffer.byteLength;
  }
  grow(bytes) {
    const room = Math.max(bytes, 4096);
    const at = this.core.scratch(room);
    this.view = new Uint8Array(this.memory.buffer, at, room);
  }
};
function lengthOf(text) {
  return text === void 0 ? 0 : text.length;
}

// ts/run.ts
var Run = class extends Scope {
  #live;
  /** @internal */
  constructor(live) {
    super(live.runtime, live);
    this.#live = live;
  }
  /** The sub-agent's id. */
  get taskId() {
    return this.#live.taskId;
  }
  /** The number of this run in the sub-agent's life, from 1. */
  get run() {
    return this.#live.run;
  }
  /** How deep the sub-agent stands; 1 below the main agent. */
  get depth() {
    return this.#live.snapshot().depth;
  }
  /** For display. */
  get label() {
    return this.#live.snapshot().label;
  }
  /** What to work on: the instructions, or the message that this run answers. */
  get prompt() {
    return this.#live.prompt();
  }
  /** Context given beside the instructions. */
  get contextHint() {
    return this.#live.snapshot().contextHint;
  }
  /** The system prompt that was given, if one was. */
  get systemPrompt() {
    return this.#live.snapshot().systemPrompt ?? void 0;
  }
  /** Names of the tools that it may use; undefined where neither parent nor spawn named any. */
  get tools() {
    return this.#live.snapshot().tools ?? void 0;
  }
  /** The model's id, inherited from the main agent. */
  get modelId() {
    return this.runtime.functions.getModelId?.();
  }
  /** What bounds this run. */
  get limits() {
    const { slot, generation } = this.#live;
    const limits = this.runtime.call((core) => core.runLimits(slot, generation));
    if (limits === void 0) throw this.runtime.refusal();
    return limits;
  }
  /** Fires when the run has to stop. Its reason is a `SubAgentError` with code `aborted`. */
  get signal() {
    return this.#live.signal;
  }
  /** Private to the sub-agent: empty at first, kept over its runs. */
  get session() {
    return this.runtime.session(this.#live.slot, this.#live.generation);
  }
  /**
   * Asks for leave to call the model once more. Resolves when the run has its slot and the turn's budget
   * is set aside, or with why not. Rejects only when the manager is disposed.
   *
   * @param options.tokens what the turn is expected to need. Default: the manager's `turnEstimate`
   */
  beforeTurn(options) {
    const live = this.#live;
    let permit;
    let estimate = Number.NaN;
    try {
      estimate = count("`tokens`", options?.tokens) ?? Number.NaN;
      if (live.turn !== void 0) throw new SubAgentError("invalid_argument", "the last beforeTurn has not answered yet");
      permit = this.runtime.beginTurn(live, estimate);
    } catch (error) {
      return Promise.reject(error);
    }
    if (permit !== void 0) return Promise.resolve(permit);
    return new Promise((resolve, reject) => {
      live.turn = { estimate, resolve, reject };
    });
  }
  /** Reports what was used since the last report, and how it goes. Reports are never refused. */
  report(report) {
    if (typeof report !== "object" || report === null) throw invalid("a report", "an object", report);
    const { tokens, costUsd, contextTokens, message } = report;
    if (message !== void 0 && typeof message !== "string") throw invalid("`message`", "a string", message);
    if (this.runtime.isClosed) return;
    const length = message === void 0 ? NO_TEXT : this.runtime.write(message);
    const { slot, generation, run } = this.#live;
    this.runtime.call(
      (core) => core.report(now(), slot, generation, run, reading(tokens), reading(costUsd), reading(contextTokens), length)
    );
  }
};

// ts/live.ts
var Live = class {
  slot = 0;
  generation = 0;
  run = 0;
  background = false;
  /** Its host function was called; `settled` once that is over. */
  hostOpen = false;
  settled = false;
  abortedEarly = false;
  /** A turn that had to wait may be asked for again. */
  turnReady = false;
  /** The text that it answers, known from its start. */
  text = void 0;
  hostTaskId = void 0;
  result = void 0;
  returned = void 0;
  turn = void 0;
  unfollow = void 0;
  given;
  handed = void 0;
  controller = void 0;
  aborted = void 0;
  id = void 0;
  view = void 0;
  runtime;
  constructor(runtime, params) {
    this.runtime = runtime;
    this.given = params;
  }
  get taskId() {
    this.id ??= this.runtime.taskId(this.slot, this.generation);
    return this.id;
  }
  /** What the host function gets: the object of the spawn, untouched; for later runs the message. */
  params() {
    if (this.given === void 0) {
      const { tools, systemPrompt, maxTurns, background } = this.snapshot();
      this.given = { instructions: this.prompt(), maxTurns, background, ...tools && { tools }, ...systemPrompt && { systemPrompt } };
    }
    return this.given;
  }
  handedRun() {
    this.handed ??= new Run(this);
    return this.handed;
  }
  /** The text that this run answers. */
  prompt() {
    return this.text ?? this.runtime.call((core) => core.message(this.slot));
  }
  /** The task as it was when the run first asked for it. */
  snapshot() {
    this.view ??= this.runtime.snapshot(this.slot, this.generation);
    return this.view;
  }
  /** Made when first read: a fresh one costs more than the rest of a run. */
  get signal() {
    if (this.controller === void 0) {
      this.controller = new AbortController();
      if (this.aborted !== void 0) this.controller.abort(this.abortError(this.aborted));
    }
    return this.controller.signal;
  }
  abort(reason) {
    this.aborted = reason;
    this.controller?.abort(this.abortError(reason));
  }
  abortError(reason) {
    return new SubAgentError("aborted", `the sub-agent was told to stop: ${reason}`, { reason });
  }
};

// ts/run-result.ts
var NO_DIMENSIONS = Object.freeze([]);
var NO_ARTIFACTS = Object.freeze([]);
function dimensions(bits) {
  if ((bits & 7) === 0) return NO_DIMENSIONS;
  const names = [];
  if ((bits & 1) !== 0) names.push("tokens");
  if ((bits & 2) !== 0) names.push("costUsd");
  if ((bits & 4) !== 0) names.push("turns");
  return names;
}
var RunResult = class _RunResult {
  run;
  /** `completed`, `failed`, `timed_out`, `cancelled` or `interrupted`. */
  status;
  /** Why it ended. */
  stopReason;
  /** What it produced. */
  output;
  /** The output is what had been done when it was stopped. */
  partial;
  /** The output was cut at `maxResultBytes`. */
  truncated;
  /** What went wrong. */
  error;
  /** What the host function threw. */
  cause;
  /** The host's own word for how it ended. */
  hostStatus;
  /** The host's own id. */
  hostTaskId;
  /** Its host function had not returned when it ended. */
  hostStillRunning;
  /** What it made beside its output. */
  artifacts;
  /** What it spent; its sub-agents' not included. */
  usage;
  /** Milliseconds: the host's measure where it gave one. */
  durationMs;
  /** Whether its host function was called at all. */
  started;
  #live;
  constructor(live, status, stopReason, output, returned, tokens, nanos, turns, doubts, durationMs, partial, truncated, hostStillRunning, started) {
    this.#live = live;
    this.run = typeof live === "string" ? 0 : live.run;
    this.status = status;
    this.stopReason = stopReason;
    this.output = output;
    this.partial = partial;
    this.truncated = truncated;
    this.error = returned?.error;
    this.cause = returned?.cause;
    this.hostStatus = returned?.hostStatus;
    this.hostTaskId = returned?.hostTaskId;
    this.hostStillRunning = hostStillRunning;
    this.artifacts = returned?.artifacts ?? NO_ARTIFACTS;
    this.usage = { tokens, costUsd: nanos / 1e9, turns, unknown: dimensions(doubts), invalid: dimensions(doubts >>> 8) };
    this.durationMs = durationMs;
    this.started = started;
  }
  /** The sub-agent's id. */
  get taskId() {
    if (typeof this.#live !== "string") this.#live = this.#live.taskId;
    return this.#live;
  }
  /** Whether it completed. */
  get success() {
    return this.status === "completed";
  }
  toJSON() {
    const { cause: _, ...fields } = this;
    return { taskId: this.taskId, success: this.success, ...fields };
  }
  /** The result of a task's last run, from its snapshot. */
  static of(view) {
    const returned = {
      error: view.error ?? void 0,
      hostStatus: view.hostStatus ?? void 0,
      hostTaskId: view.hostTaskId ?? void 0,
      artifacts: view.artifacts
    };
    const result = new _RunResult(
      view.taskId,
      view.status,
      view.stopReason ?? "finished",
      view.output,
      returned,
      view.usage.tokens,
      view.usage.costUsd * 1e9,
      view.usage.turns,
      0,
      view.durationMs ?? 0,
      view.partial,
      view.truncated,
      view.hostStillRunning,
      view.startedAt !== null
    );
    return Object.assign(result, { run: view.run, usage: view.usage });
  }
};

// ts/signals.ts
function followSignal(runtime, live, signal) {
  const fire = () => {
    if (live.slot === 0) live.abortedEarly = true;
    else runtime.cancelLive(live);
  };
  if (signal.aborted) {
    live.abortedEarly = true;
    return;
  }
  signal.addEventListener("abort", fire, { once: true });
  live.unfollow = () => {
    live.unfollow = void 0;
    letGo(() => signal.removeEventListener("abort", fire));
  };
}
function letGo(unfollow) {
  try {
    unfollow();
  } catch {
  }
}

// ts/waits.ts
var Waits = class {
  open = [];
  /** Those that were over before the call that opened them had returned, with whether their time ran out. */
  overAlready = /* @__PURE__ */ new Map();
  end;
  /** @param end tells the core that nobody waits any more */
  constructor(end) {
    this.end = end;
  }
  /** Keeps who is to be told when a wait is over, or tells at once; `signal` ends the wait and nothing else. */
  keep(wait, waiting, signal) {
    this.open[wait] = waiting;
    if (this.overAlready.size > 0) {
      const timedOut = this.overAlready.get(wait);
      if (timedOut !== void 0) {
        this.overAlready.delete(wait);
        this.done(wait, timedOut);
        return;
      }
    }
    if (signal !== void 0) this.follow(wait, waiting, signal);
  }
  /** The core says that a wait is over. */
  done(wait, timedOut) {
    const waiting = this.open[wait];
    if (waiting === void 0) {
      this.overAlready.set(wait, timedOut);
      return;
    }
    this.open[wait] = void 0;
    const { live, resolve, unfollow } = waiting;
    if (unfollow !== void 0) letGo(unfollow);
    if (live === void 0) resolve(timedOut);
    else resolve(timedOut ? void 0 : live.result);
  }
  /** The manager is over. */
  rejectAll(error) {
    for (const waiting of this.open) {
      if (waiting === void 0) continue;
      if (waiting.unfollow !== void 0) letGo(waiting.unfollow);
      waiting.reject(error);
    }
    this.open.length = 0;
  }
  follow(wait, waiting, signal) {
    const fire = () => {
      if (this.open[wait] !== waiting) return;
      waiting.reject(new SubAgentError("aborted", "the wait was aborted; the sub-agents go on", {}, { cause: signal.reason }));
      this.end(wait);
    };
    if (signal.aborted) {
      fire();
      return;
    }
    signal.addEventListener("abort", fire, { once: true });
    waiting.unfollow = () => signal.removeEventListener("abort", fire);
  }
};

// ts/runtime.ts
var PROGRAM = { slot: 0, generation: 0, run: 0 };
var NOTHING_OPEN = -2;
var PACKED = 4294967296;
var FLAG_PARTIAL = 1;
var FLAG_HOST_OPEN = 2;
var FLAG_CUT = 4;
var FLAG_TEXT = 8;
var FLAG_NEVER_STARTED = 16;
var Runtime = class {
  host;
  core;
  functions;
  scratch;
  lives = [];
  waits;
  sessions = /* @__PURE__ */ new Map();
  incoming;
  /** Runs that ended while their host function is running: the order to stop may come after the end. */
  endedOpen = [];
  /** Runs that the host started elsewhere. */
  elsewhere;
  alarm;
  openHosts = 0;
  closed;
  seeded = false;
  listeners = /* @__PURE__ */ new Set();
  events;
  constructor(instance, functions) {
    this.functions = functions;
    this.host = attach(this);
    this.core = new instance.SubAgentCore(this.host);
    this.scratch = new Scratch(this.core, instance.memory);
    this.waits = new Waits((wait) => {
      if (this.closed === void 0) this.call((core) => core.endWait(now(), wait));
    });
    this.elsewhere = new Elsewhere(this, (live, returned) => this.settle(live, returned));
    const self = new WeakRef(this);
    this.alarm = new Alarm(() => self.deref()?.tick());
  }
  // ─── calls into the core ────────────────────────────────────────────────────────────────────────
  /** Refuses every use after `dispose` or a failure. */
  check() {
    if (this.closed !== void 0) throw this.closed;
  }
  get isClosed() {
    return this.closed !== void 0;
  }
  /** Calls the core; what comes out of it by throwing is a failure of the core. */
  call(body) {
    this.check();
    const outer = enter(this);
    try {
      return body(this.core);
    } catch (error) {
      throw this.poison(error);
    } finally {
      leave(outer);
    }
  }
  /** The refusal that the core kept, as an error. */
  refusal() {
    const kept = this.core.refusal();
    return new SubAgentError(kept.code, kept.message, kept.details);
  }
  /** Calls the core and throws where it refuses. */
  ask(body) {
    if (!this.call(body)) throw this.refusal();
  }
  /** Leaves a text where the core finds it and returns its length in bytes. */
  write(text) {
    return this.scratch.write(text);
  }
  /** Draws the randomness for ids, at the first spawn: some runtimes refuse it at import. */
  seed() {
    this.ask((core) => core.seed(now()));
    this.seeded = true;
  }
  // ─── spawning ───────────────────────────────────────────────────────────────────────────────────
  /** Asks the gate, then the core; throws where either refuses. */
  spawn(actor, request, params) {
    if (this.closed !== void 0) throw this.closed;
    if (!this.seeded) this.seed();
    if (this.functions.checkConsumerSpawn !== void 0) {
      const answer = this.consumerGate(params);
      if (answer !== true) throw new SubAgentError("spawn_denied", answer || "the host refused this spawn", { reason: answer || null });
      this.check();
    }
    const { staged, text } = request;
    const live = new Live(this, params);
    live.background = request.background;
    live.text = text;
    if (request.signal !== void 0) followSignal(this, live, request.signal);
    if (staged !== void 0 && !this.core.stage(staged)) {
      live.unfollow?.();
      throw this.refusal();
    }
    const length = text === void 0 ? 0 : this.write(text);
    const flags = (request.background ? 1 : 0) | (text === void 0 ? 2 : 0) | (staged === void 0 ? 0 : 4) | (request.manual ? 8 : 0);
    const before = this.incoming;
    this.incoming = live;
    const outer = enter(this);
    let packed;
    try {
      packed = this.core.begin(now(), actor.slot, actor.generation, actor.run, flags, length, request.tokens, request.cost, request.turns);
    } catch (error) {
      throw this.poison(error);
    } finally {
      leave(outer);
      this.incoming = before;
    }
    if (packed < 0) {
      live.unfollow?.();
      throw this.refusal();
    }
    live.slot = packed >>> 0;
    live.generation = Math.floor(packed / PACKED);
    if (live.run === 0 && text !== void 0 && !request.manual) {
      live.run = 1;
      this.lives[live.slot] = live;
    }
    if (live.abortedEarly) this.cancelLive(live);
    return live;
  }
  /** The host's gate: `true`, or why not. Throwing, a promise, or no boolean refuses. */
  consumerGate(params) {
    const gate = this.functions.checkConsumerSpawn;
    if (gate === void 0) return true;
    try {
      const answer = gate(params);
      if (typeof answer !== "object" || answer === null)
        return `checkConsumerSpawn must return { allowed }, it returned ${describe(answer)}`;
      const { allowed, reason } = answer;
      if (allowed === true) return true;
      if (allowed === false) return typeof reason === "string" && reason !== "" ? reason : false;
      if (typeof answer.then === "function") {
        answer.then(void 0, () => void 0);
        return "checkConsumerSpawn must answer at once, it returned a promise";
      }
      return `checkConsumerSpawn must return { allowed: boolean }, allowed is ${describe(allowed)}`;
    } catch (error) {
      return `checkConsumerSpawn failed: ${messageOf(error)}`;
    }
  }
  /** The caller's signal fired. */
  cancelLive(live) {
    if (this.closed === void 0) this.cancel(PROGRAM, live.slot, live.generation, "signal_aborted").catch(() => void 0);
  }
  // ─── what the core asks for ─────────────────────────────────────────────────────────────────────
  /** Calls the host function of a run. `fresh`: it is the one being spawned right now. */
  startRun(slot, generation, run, fresh) {
    let live = fresh ? this.incoming : this.lives[slot];
    if (live === void 0 || !fresh && live.run !== run) live = new Live(this, void 0);
    live.slot = slot;
    live.generation = generation;
    live.run = run;
    this.lives[slot] = live;
    live.text ??= this.call((core) => core.message(slot));
    const settled = live;
    try {
      if (live.background && this.functions.spawnBackgroundSubAgent !== void 0) {
        this.elsewhere.start(live, this.functions.spawnBackgroundSubAgent);
        return;
      }
      const spawnSubAgent = this.functions.spawnSubAgent;
      if (spawnSubAgent === void 0) throw new Error("no spawnSubAgent was given to the manager");
      live.hostOpen = true;
      this.openHosts += 1;
      this.alarm.hold(true);
      const returned = spawnSubAgent(live.params(), live.handedRun());
      const promise = isPlainPromise(returned) ? returned : new Promise((resolve) => resolve(returned));
      promise.then(
        (value) => this.hostReturned(settled, value),
        (error) => this.hostThrew(settled, error)
      );
    } catch (error) {
      this.hostThrew(live, error);
    }
  }
  /** Takes the result of a run that the host started elsewhere, by our id or its own. */
  reportSettled(id, result) {
    this.check();
    this.elsewhere.report(id, result);
  }
  hostReturned(live, value) {
    this.settle(live, readResult(value));
  }
  hostThrew(live, error) {
    const message = messageOf(error);
    this.settle(live, threw(message, error));
  }
  /** Where nothing is running any more, an idle process need not wait for its alarm. */
  hostIsOver(live) {
    live.settled = true;
    if (!live.hostOpen) return;
    this.openHosts -= 1;
    if (this.openHosts === 0) this.alarm.hold(false);
  }
  /** Tells the core that a host function is over. */
  settle(live, returned) {
    if (live.settled) return;
    if (this.endedOpen.length > 0) this.endedOpen = this.endedOpen.filter((other) => other !== live);
    this.hostIsOver(live);
    if (this.closed !== void 0) return;
    live.returned = returned;
    const { output, error, status, id, artifacts } = this.scratch.writeEnd(returned);
    const outer = enter(this);
    try {
      this.core.settle(
        now(),
        live.slot,
        live.generation,
        live.run,
        returned.how,
        output,
        error,
        status,
        id,
        artifacts,
        returned.tokens,
        returned.cost,
        returned.turns,
        returned.durationMs
      );
    } catch (trap) {
      this.poison(trap);
    } finally {
      leave(outer);
    }
  }
  /** A manual task ends; see `ts/manual.ts`. */
  settleManual(slot, generation, returned) {
    this.check();
    const { output, error, artifacts } = this.scratch.writeEnd(returned);
    this.ask(
      (core) => core.settle(
        now(),
        slot,
        generation,
        0,
        returned.how,
        output,
        error,
        NO_TEXT,
        NO_TEXT,
        artifacts,
        returned.tokens,
        returned.cost,
        returned.turns,
        returned.durationMs
      )
    );
  }
  runEnded(slot, run, status, reason, flags, tokens, nanos, turns, durationMs, text, textLength) {
    const live = this.lives[slot];
    if (live === void 0 || live.run !== run) return;
    this.lives[slot] = void 0;
    if ((flags & FLAG_HOST_OPEN) !== 0) this.endedOpen.push(live);
    live.unfollow?.();
    const returned = (flags & FLAG_HOST_OPEN) === 0 ? live.returned : void 0;
    const output = (flags & FLAG_TEXT) !== 0 ? this.scratch.read(text, textLength) : returned?.output ?? "";
    live.result = new RunResult(
      live,
      TASK_STATUSES[status] ?? "failed",
      STOP_REASONS[reason] ?? "host_failed",
      output,
      returned,
      tokens,
      nanos,
      turns,
      flags >>> 8,
      durationMs,
      (flags & FLAG_PARTIAL) !== 0,
      (flags & FLAG_CUT) !== 0,
      (flags & FLAG_HOST_OPEN) !== 0,
      (flags & FLAG_NEVER_STARTED) === 0
    );
    const turn = live.turn;
    if (turn !== void 0) {
      live.turn = void 0;
      turn.resolve({ go: false, reason: STOP_REASONS[reason] ?? "host_failed" });
    }
  }
  waitDone(wait, timedOut) {
    this.waits.done(wait, timedOut);
  }
  abortRun(slot, run, reason) {
    const live = this.lives[slot];
    if (live?.run === run) live.abort(STOP_REASONS[reason] ?? "cancelled");
    else this.endedOpen.find((ended) => ended.slot === slot && ended.run === run)?.abort(STOP_REASONS[reason] ?? "cancelled");
  }
  /** A turn that had to wait may be asked for again. */
  turnReady(slot, run) {
    const live = this.lives[slot];
    if (live?.run !== run) return;
    const { turn } = live;
    if (turn === void 0) {
      live.turnReady = true;
      return;
    }
    const permit = this.beginTurn(live, turn.estimate);
    if (permit === void 0) return;
    live.turn = void 0;
    turn.resolve(permit);
  }
  wakeAt(at) {
    this.alarm.set(at);
  }
  tick() {
    if (this.closed !== void 0) return;
    this.call((core) => core.tick(now()));
    this.endedOpen = [];
  }
  /** Facts of a batch, for whoever listens. A listener that throws harms nobody. */
  facts(at, length) {
    if (this.events === void 0) return;
    const bytes = this.scratch.copy(at, length);
    for (const event of this.events.read(bytes)) {
      for (const listener of this.listeners) {
        try {
          listener(event);
        } catch (error) {
          this.report(error);
        }
      }
    }
  }
  makeTool(description) {
    return makeTool(this, description);
  }
  // ─── runs ───────────────────────────────────────────────────────────────────────────────────────
  /** The run of a task that is queued or open, made where it is not known here yet. */
  liveOf(slot, generation) {
    const known = this.lives[slot];
    if (known !== void 0 && known.generation === generation) return known;
    const run = this.call((core) => core.lastRun(slot, generation));
    if (run === 0 || !this.call((core) => core.isOpen(slot, generation, run))) return void 0;
    const live = new Live(this, void 0);
    live.slot = slot;
    live.generation = generation;
    live.run = run;
    this.lives[slot] = live;
    return live;
  }
  /** One question for a turn; `undefined` where the answer comes later. */
  beginTurn(live, estimate) {
    live.turnReady = false;
    const code = this.call((core) => core.beginTurn(now(), live.slot, live.generation, live.run, estimate));
    if (code === 0) return live.turnReady ? this.beginTurn(live, estimate) : void 0;
    if (code === -1) return { go: false, reason: "actor_ended" };
    if (code < 0) return { go: false, reason: STOP_REASONS[-2 - code] ?? "cancelled" };
    const reason = code % 64;
    const turn = Math.floor(code / 64);
    if (reason === 0) return { go: true, turn };
    const tokens = this.call((core) => core.heldTokens(live.slot));
    return { go: true, turn, wrapUp: true, reason: STOP_REASONS[reason - 1], tokens };
  }
  /** What a task keeps for itself over its runs (A2). */
  session(slot, generation) {
    const kept = this.sessions.get(slot);
    if (kept?.generation === generation) return kept.values;
    if (this.call((core) => core.status(slot, generation)) < 0) throw new SubAgentError("forgotten", "this sub-agent has been forgotten");
    this.core.tellForgotten();
    const values = /* @__PURE__ */ new Map();
    this.sessions.set(slot, { generation, values });
    return values;
  }
  taskForgotten(slot, generation) {
    if (this.sessions.get(slot)?.generation === generation) this.sessions.delete(slot);
  }
  // ─── waiting and cancelling ─────────────────────────────────────────────────────────────────────
  /** Waits for the current run of one task and gives its result, or `undefined` where the time ran out. */
  waitFor(actor, target, timeoutMs, signal) {
    this.check();
    const { slot, generation } = target;
    const live = this.liveOf(slot, generation);
    const at = timeoutMs === Number.POSITIVE_INFINITY && this.events === void 0 ? 0 : now();
    const outer = enter(this);
    let code;
    try {
      code = this.core.wait(at, actor.slot, actor.generation, actor.run, slot, generation, timeoutMs);
    } catch (error) {
      throw this.poison(error);
    } finally {
      leave(outer);
    }
    if (code === -1) throw this.refusal();
    if (code === NOTHING_OPEN) return Promise.resolve(this.pastResult(slot, generation, target));
    return new Promise((resolve, reject) => {
      this.waits.keep(code, { live, resolve, reject }, signal);
    });
  }
  /** The result of a run that ended before anybody waited. */
  pastResult(slot, generation, known) {
    if (known?.result !== void 0 && this.call((core) => core.lastRun(slot, generation)) === known.run) return known.result;
    return RunResult.of(this.snapshot(slot, generation));
  }
  /** Waits for several; the caller reads afterwards who has ended. */
  waitMany(actor, targets, all, timeoutMs, signal) {
    const pairs = new Uint32Array(targets.flatMap((target) => [target.slot, target.generation]));
    const code = this.call((core) => core.waitMany(now(), actor.slot, actor.generation, actor.run, pairs, all, timeoutMs));
    if (code === -1) throw this.refusal();
    if (code === NOTHING_OPEN) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.waits.keep(code, { live: void 0, resolve, reject }, signal);
    });
  }
  /** Cancels a subtree and resolves when nothing runs there any more. */
  cancel(actor, slot, generation, reason, graceMs = Number.NaN) {
    const code = this.call(
      (core) => core.cancel(now(), actor.slot, actor.generation, actor.run, slot, generation, STOP_REASONS.indexOf(reason), graceMs)
    );
    if (code === -1) throw this.refusal();
    if (code === NOTHING_OPEN) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waits.keep(code, { live: void 0, resolve, reject });
    });
  }
  // ─── reading ────────────────────────────────────────────────────────────────────────────────────
  /** Slot and generation of the task with this id; throws where there is none. */
  resolve(id) {
    this.check();
    if (typeof id !== "string") throw new SubAgentError("invalid_argument", `a task id must be a string, got ${describe(id)}`);
    const length = this.write(id.slice(0, 64));
    const packed = this.call((core) => core.find(length));
    if (packed < 0) {
      const refusal = this.refusal();
      throw new SubAgentError(refusal.code, `${refusal.message}: ${describe(id)}`, { ...refusal.details, taskId: id });
    }
    return { slot: packed >>> 0, generation: Math.floor(packed / PACKED) };
  }
  /** Sends a message to a task. */
  send(actor, slot, generation, message) {
    this.check();
    if (typeof message !== "string") throw invalid("a message", "a text", message);
    const length = this.write(message);
    const code = this.call((core) => core.send(now(), actor.slot, actor.generation, actor.run, slot, generation, length));
    if (code < 0) throw this.refusal();
    return { receipt: code === 1 ? "started" : "queued" };
  }
  openSession(key) {
    this.check();
    const length = this.write(key);
    const packed = this.call((core) => core.openSession(now(), length));
    if (packed < 0) throw this.refusal();
    return { slot: packed >>> 0, generation: Math.floor(packed / PACKED), run: 0 };
  }
  forget(actor, slot, generation) {
    this.ask((core) => core.forget(now(), actor.slot, actor.generation, actor.run, slot, generation));
  }
  memoryBytes() {
    return this.scratch.memoryBytes;
  }
  taskId(slot, generation) {
    return this.closed?.code === "disposed" ? this.core.taskId(slot, generation) : this.call((core) => core.taskId(slot, generation));
  }
  isSession(slot, generation) {
    return this.call((core) => core.isSession(slot, generation));
  }
  snapshot(slot, generation) {
    const view = this.call((core) => core.get(slot, generation));
    if (view === void 0) throw this.refusal();
    return parseArtifacts(view);
  }
  // ─── listening and ending ───────────────────────────────────────────────────────────────────────
  subscribe(listener) {
    this.check();
    if (this.listeners.size === 0) {
      this.events = new EventReader(this, this.core.factCount());
      this.core.listen(true);
    }
    const entry = (event) => listener(event);
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
      if (this.listeners.size === 0 && this.closed === void 0) {
        this.core.listen(false);
        this.events = void 0;
      }
    };
  }
  /** Hands an error of user code to whoever asked for them. */
  report(error) {
    const { onError } = this.functions;
    if (onError === void 0) {
      queueMicrotask(() => {
        throw error;
      });
      return;
    }
    try {
      onError(error);
    } catch {
    }
  }
  /** Fires the signals, rejects what is pending, lets go of the instance. */
  dispose() {
    if (this.closed !== void 0) return;
    this.close(new SubAgentError("disposed", "the manager has been disposed"));
    this.core.dispose();
    release(this);
  }
  /** After a failure inside the core nothing it says can be trusted: this manager is over, others are not. */
  poison(trap) {
    if (this.closed === void 0) {
      const error = new SubAgentError("internal", `the manager's core failed: ${messageOf(trap)}`);
      this.close(error);
      release(this);
    }
    return this.closed;
  }
  close(error) {
    this.closed = error;
    this.alarm.stop();
    for (const live of this.lives) {
      if (live === void 0) continue;
      live.turn?.reject(error);
      live.turn = void 0;
      live.unfollow?.();
      live.abort(error.code === "disposed" ? "cancelled" : "host_lost");
    }
    this.lives.length = 0;
    this.waits.rejectAll(error);
    this.listeners.clear();
    this.sessions.clear();
    this.elsewhere.clear();
  }
};
function parseArtifacts(view) {
  return { ...view, artifacts: view.artifacts === null ? [] : JSON.parse(view.artifacts) };
}
function isPlainPromise(value) {
  return value instanceof Promise && value.constructor === Promise && value.then === Promise.prototype.then;
}

// ts/open.ts
var FUNCTIONS = [
  "spawnSubAgent",
  "spawnBackgroundSubAgent",
  "checkConsumerSpawn",
  "canSpawn",
  "getConcurrencyInfo",
  "getModelId",
  "onError"
];
var ALIASES = { maxSubAgentSteps: "maxTurns" };
function namesOf(limit) {
  const aliases = Object.keys(ALIASES).filter((alias) => ALIASES[alias] === limit);
  return [limit, ...aliases].map((name) => `\`${name}\``).join(", ");
}
function open(instance, options) {
  const { functions, settings, tools } = readArgument("the options of a manager", () => read3(options));
  const runtime = new Runtime(instance, functions);
  try {
    runtime.ask((core) => core.configure(now(), settings));
    if (tools !== void 0) runtime.ask((core) => core.setTools(now(), core.defaultSession(), tools));
  } catch (error) {
    runtime.dispose();
    throw error;
  }
  return runtime;
}
function read3(given) {
  const { ...options } = optionsOf("the options of a manager", given);
  const functions = {};
  const limits = /* @__PURE__ */ new Map();
  const settings = {};
  let budget = readBudget("budget", options.budget);
  let tools;
  for (const [key, value] of Object.entries(options)) {
    if (value === void 0 || key === "budget") continue;
    const limit = ALIASES[key] ?? key;
    if (FUNCTIONS.includes(key)) {
      if (typeof value !== "function") throw invalid(`\`${key}\``, "a function", value);
      functions[key] = value;
    } else if (Object.hasOwn(DEFAULT_LIMITS, limit)) {
      if (typeof value !== "number") throw invalid(`\`${key}\``, "a number", value);
      if (limits.has(limit))
        throw new SubAgentError("invalid_argument", `\`${limit}\` and its alias say the same: give one of ${namesOf(limit)}`, {
          argument: key
        });
      limits.set(limit, value);
    } else if (key === "totalTokenBudget") {
      if (budget.tokens !== void 0)
        throw new SubAgentError("invalid_argument", "`totalTokenBudget` and `budget.tokens` say the same: give one");
      budget = { ...budget, ...readBudget("totalTokenBudget", { tokens: value }) };
    } else if (key === "taskBudget") {
      settings.taskBudget = readBudget(key, value);
    } else if (key === "onLimit") {
      if (value !== "queue" && value !== "reject") throw invalid("`onLimit`", "'queue' or 'reject'", value);
      settings.onLimit = value;
    } else if (key === "tools") {
      tools = strings("`tools`", value);
    } else {
      throw new SubAgentError("invalid_argument", `a manager has no option \`${key}\``, { argument: key });
    }
  }
  return { functions, settings: { ...settings, limits: [...limits], budget }, tools };
}

// ts/host.ts
var hosts = [];
var free = [];
var collected = new FinalizationRegistry(detach);
var current;
function attach(runtime) {
  const host = free.pop() ?? hosts.length;
  hosts[host] = new WeakRef(runtime);
  collected.register(runtime, host, runtime);
  return host;
}
function release(runtime) {
  collected.unregister(runtime);
  detach(runtime.host);
}
function detach(host) {
  if (hosts[host] === void 0) return;
  hosts[host] = void 0;
  free.push(host);
}
function enter(runtime) {
  const outer = current;
  current = runtime;
  return outer;
}
function leave(outer) {
  current = outer;
}
function find(host) {
  return current !== void 0 && current.host === host ? current : hosts[host]?.deref();
}
function startRun(host, slot, generation, run, fresh) {
  find(host)?.startRun(slot, generation, run, fresh);
}
function abortRun(host, slot, _generation, run, reason) {
  find(host)?.abortRun(slot, run, reason);
}
function turnReady(host, slot, _generation, run) {
  find(host)?.turnReady(slot, run);
}
function taskForgotten(host, slot, generation) {
  find(host)?.taskForgotten(slot, generation);
}
function wakeAt(host, at) {
  find(host)?.wakeAt(at);
}
function waitDone(host, wait, timedOut) {
  find(host)?.waitDone(wait, timedOut);
}
function runEnded(host, slot, run, status, reason, flags, tokens, nanos, turns, durationMs, text, textLength) {
  find(host)?.runEnded(slot, run, status, reason, flags, tokens, nanos, turns, durationMs, text, textLength);
}
function facts(host, bytes, length) {
  find(host)?.facts(bytes, length);
}
function consumerGate(host, params) {
  return find(host)?.consumerGate(params) ?? true;
}
function makeTool2(host, description) {
  return find(host)?.makeTool(description);
}
export {
  abortRun,
  attach,
  consumerGate,
  enter,
  facts,
  leave,
  makeTool2 as makeTool,
  open,
  release,
  runEnded,
  startRun,
  taskForgotten,
  turnReady,
  waitDone,
  wakeAt
};
