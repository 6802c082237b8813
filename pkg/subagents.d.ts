/* tslint:disable */
/* eslint-disable */

/** How full the manager is: slots held, queued work, parked runs, host functions that were given up. */
export interface ConcurrencyInfo {
    active: number;
    limit: number;
    queued: number;
    queueLimit: number;
    parked: number;
    abandoned: number;
}

/** The answer of a gate. */
export interface SpawnGate {
    allowed: boolean;
    reason?: string;
}

/** What a drain did. */
export interface DrainResult {
    ended: number;
    cancelled: number;
    stillRunning: number;
    timedOut: boolean;
}

/** The tool for a model; `execute` resolves to text, and called with a string first to content and details. */
export interface SubAgentToolObject {
    name: string;
    description: string;
    parameters: object;
    inputSchema: object;
    execute: (...args: unknown[]) => Promise<unknown>;
}



/**
 * The core of one manager. One instance of the module serves one of these.
 */
declare class SubAgentCore {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Raises the cap of a task, or of the manager where the slot is 0.
     */
    addBudget(now: number, target: number, target_generation: number, tokens: number, cost: number, turns: number): boolean;
    /**
     * Sets tokens aside for the program and returns how many were there.
     */
    allocate(now: number, tokens: number): number;
    /**
     * Asks for leave to take a turn. Returns 0 for later, -1 where it is refused, -2 - reason for no;
     * else 64 x the turn's number, plus 1 + the reason where it is the last one. `estimate` is `NaN` where
     * the host gives none.
     */
    beginTurn(now: number, slot: number, generation: number, run: number, estimate: number): number;
    /**
     * Admits a sub-agent, and starts it if a slot is free. `text_len` bytes of the scratch are its text;
     * `flags`: 1 background, 2 without a text, 4 with what was staged, 8 manual. Options that were not
     * given are `NaN`. Returns slot and generation packed, or -1 where it is refused.
     */
    begin(now: number, slot: number, generation: number, run: number, flags: number, text_len: number, tokens: number, cost: number, turns: number): number;
    /**
     * Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3).
     * Without arguments the program asks.
     */
    canSpawn(slot?: number | null, generation?: number | null, run?: number | null): boolean;
    /**
     * Cancels a task and all under it; slot 0 is everything. Returns as `wait` does.
     */
    cancel(now: number, slot: number, generation: number, run: number, target: number, target_generation: number, reason: number, grace_ms: number): number;
    /**
     * Asks the host's own gate. Throwing, returning a promise or lacking a boolean refuses (D5).
     */
    checkConsumerSpawn(params: any): SpawnGate;
    /**
     * Applies options: `{ limits: [name, value][], budget, taskBudget, onLimit }`. `false` where one is refused.
     */
    configure(now: number, settings: any): boolean;
    /**
     * The tool for a model: its name, description, schema, and the `execute` of its host.
     */
    createSubAgentTool(): SubAgentToolObject;
    /**
     * Slots of the default session: where the program's sub-agents live.
     */
    defaultSession(): number;
    /**
     * A number that changes with the state: equal before and after a request that was refused.
     */
    digest(): string;
    /**
     * Rejects pending drains; nothing else of the core may be called afterwards.
     */
    dispose(): void;
    /**
     * Takes no new work, lets running work end for `timeout_ms`, then cancels the rest. Resolves to
     * `{ ended, cancelled, stillRunning, timedOut }`; rejects with the text `disposed` where the manager
     * is disposed meanwhile.
     */
    drain(now: number, timeout_ms: number): Promise<DrainResult>;
    /**
     * Ends a wait; it touches no sub-agent.
     */
    endWait(now: number, wait: number): void;
    /**
     * How many facts there have been.
     */
    factCount(): number;
    /**
     * Slot and generation of the task whose id is in the scratch, or -1 where it is none of ours.
     */
    find(id_len: number): number;
    /**
     * Forgets an ended task and all under it.
     */
    forget(now: number, slot: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * Slots held and their limit, queued work, parked runs, host functions that were given up (D4).
     */
    getConcurrencyInfo(): ConcurrencyInfo;
    /**
     * A snapshot of a task, or `undefined` where it is refused.
     */
    get(slot: number, generation: number): any;
    /**
     * Whether this run of a task is still known: queued, open, or over with its host still running.
     */
    hasRun(slot: number, generation: number, run: number): boolean;
    /**
     * Tokens set aside for the open run of a task.
     */
    heldTokens(slot: number): number;
    /**
     * Whether this run of a task is queued or open.
     */
    isOpen(slot: number, generation: number, run: number): boolean;
    /**
     * Whether the slot holds a session.
     */
    isSession(slot: number, generation: number): boolean;
    /**
     * The number of the last run of a task; 0 where there was none.
     */
    lastRun(slot: number, generation: number): number;
    /**
     * Tasks: `{ items, total }`, filtered and paged; below the given actor, or all.
     */
    list(slot: number, listing: any): any;
    /**
     * Starts or stops handing facts to the host.
     */
    listen(on: boolean): void;
    /**
     * A manual task takes a slot.
     */
    markRunning(now: number, target: number, target_generation: number): boolean;
    /**
     * The message that the open run of a task answers.
     */
    message(slot: number): string;
    /**
     * A core whose effects go to the functions registered under `host`.
     */
    constructor(host: number);
    /**
     * Opens a session whose name is in the scratch: slot and generation packed, or -1 where it is refused.
     */
    openSession(now: number, name_len: number): number;
    /**
     * A summary as a model returned it, trimmed and cut.
     */
    parseSummary(answer: string): string;
    /**
     * Whether an actor may name a task: it is below it, or the program asks (A1).
     */
    reaches(slot: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * Why the last request was refused: `{ code, message, details }`.
     */
    refusal(): any;
    /**
     * Gives back tokens that were set aside.
     */
    release(now: number, tokens: number): boolean;
    /**
     * Takes a report: usage since the last one, and how it goes. Readings that were not given are -1; a
     * length of 2^32 - 1 stands for no message.
     */
    report(now: number, slot: number, generation: number, run: number, tokens: number, cost: number, context_tokens: number, message_len: number): void;
    /**
     * The text that a model sees for an end; the output is in the scratch.
     */
    resultText(slot: number, generation: number, run: number, status: number, reason: number, turns: number, cost: number, duration_ms: number, output_len: number): string;
    /**
     * Limits of a task's runs: `{ maxTurns, tokens, costUsd, turns, timeoutMs, idleTimeoutMs }`, `Infinity` where
     * there is none; `undefined` where the task is not there any more.
     */
    runLimits(slot: number, generation: number): any;
    /**
     * Makes room for `bytes` of text and returns where it begins in the memory.
     */
    scratch(bytes: number): number;
    /**
     * Draws the randomness for ids and fences, once: some edge runtimes have none at import.
     */
    seed(now: number): boolean;
    /**
     * Sends the message in the scratch: 1 where its run starts or is queued, 0 where it waits for the
     * current run to end, -1 where it is refused.
     */
    send(now: number, slot: number, generation: number, run: number, target: number, target_generation: number, text_len: number): number;
    /**
     * Tells which tools a session has; `undefined` where that is not known.
     */
    setTools(now: number, session: number, tools?: string[] | null): boolean;
    /**
     * Takes the end of a host function, or of a manual task where `run` is 0. The scratch holds the
     * output, then the texts of the other lengths, one after the other; a length of 2^32 - 1 stands for
     * no text. `returned`: 0 completed, 1 failed, 2 cancelled, 3 timed out, 4 threw, 5 no result.
     * Readings that the host did not give are -1.
     */
    settle(now: number, slot: number, generation: number, run: number, returned: number, output_len: number, error_len: number, status_len: number, id_len: number, artifacts_len: number, tokens: number, cost: number, turns: number, duration_ms: number): boolean;
    /**
     * Whether an actor may still speak: its run is open, or it is no run (A1).
     */
    speaks(slot: number, generation: number, run: number): boolean;
    /**
     * Keeps what the next `begin` gives beside its text. `false` where it is refused.
     */
    stage(options: any): boolean;
    /**
     * Begins a drain, so that spawns are refused from the call on; `drain` then waits for its end.
     */
    startDrain(now: number, timeout_ms: number): void;
    /**
     * The host runs it somewhere else and will report its end.
     */
    startedElsewhere(now: number, slot: number, generation: number, run: number): void;
    /**
     * Statistics.
     */
    stats(): any;
    /**
     * The status of a task by number, without a snapshot; -1 where it is not there.
     */
    status(slot: number, generation: number): number;
    /**
     * The first prompt of a manual task.
     */
    subAgentPrompt(slot: number, available_tools: string[], parent_goal: string): string;
    /**
     * The prompt that has an output summarised.
     */
    summaryPrompt(slot: number, output: string): string;
    /**
     * The id of a task.
     */
    taskId(slot: number, generation: number): string;
    /**
     * Asks for `taskForgotten` for every task that is forgotten from now on.
     */
    tellForgotten(): void;
    /**
     * Nothing but the time.
     */
    tick(now: number): void;
    /**
     * Waits for several tasks: `targets` holds slot and generation of each in turn. See `wait`.
     */
    waitMany(now: number, slot: number, generation: number, run: number, targets: Uint32Array | number[], all: boolean, timeout_ms: number): number;
    /**
     * Waits for the current run of one task. Returns the slot of the wait, -1 where it is refused, -2
     * where there is nothing to wait for. `timeout_ms` is `NaN` for no deadline.
     */
    wait(now: number, slot: number, generation: number, run: number, target: number, target_generation: number, timeout_ms: number): number;
}

export type { SubAgentCore };

/** What one wasm instance offers. Nothing of it is shared with another instance. */
export interface Instance {
    readonly SubAgentCore: typeof SubAgentCore;
    /** Its memory; `buffer` is another object each time the memory has grown. */
    readonly memory: { readonly buffer: ArrayBuffer };
}

/**
 * Makes a fresh instance of `subagents.wasm`.
 *
 * @param module the compiled `WebAssembly.Module`; one serves any number of instances.
 * @throws RangeError where the runtime takes no further instance.
 */
export function instantiate(module: object): Instance;
