/* tslint:disable */
/* eslint-disable */

/** The tool for a model. */
export interface SubAgentToolObject {
    /** The name by which the model calls it. */
    name: string;
    /** What the model reads of it. */
    description: string;
    /** What it takes: JSON Schema. */
    parameters: object;
    /** The same as `parameters`. */
    inputSchema: object;
    /** Does it; resolves to text, or, called with the id of the call first, to content and details. */
    execute: (...args: unknown[]) => Promise<unknown>;
}


// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The answer of `checkConsumerSpawn`, the gate before each spawn. */
export interface SpawnGate {
    /** Whether the sub-agent may be spawned. */
    allowed: boolean;
    /** The reason for a refusal, for the model. */
    reason?: string | undefined;
}

/** How full a manager is. */
export interface ConcurrencyInfo {
    /** Slots taken, cancelled runs that are still returning included. */
    active: number;
    /** The limit `maxConcurrent`. */
    limit: number;
    /** Runs that wait to begin; `waitingFor` has the reasons. */
    queued: number;
    /** The limit `maxQueued`. */
    queueLimit: number;
    /** Runs that released their slot while they wait. */
    parked: number;
    /** Abandoned host functions that have not returned. */
    abandoned: number;
    /** Work that has not begun, counted by its reason to wait whenever this is read. */
    waitingFor: Record<'abandoned' | 'host' | 'held' | 'retry' | 'cooldown' | 'stagger' | 'budget' | 'slot' | 'session' | 'definition' | 'rate' | 'program', number>;
}

/** The results of a drain. */
export interface DrainResult {
    /** Runs that ended by themselves during it. */
    ended: number;
    /** Runs that the drain cancelled, queued ones included. */
    cancelled: number;
    /** Host functions that had not returned. */
    stillRunning: number;
    /** Whether the time ran out. */
    timedOut: boolean;
}



/**
 * The core of one manager. One instance of the module serves one of these.
 */
declare class SubAgentCore {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Acknowledges the notice whose delivery id is in the scratch: 1 if it existed, 0 if it did not, -1 if it is refused.
     */
    ack(now: number, index: number, generation: number, run: number, id_len: number): number;
    /**
     * The data of a task's acquired resource, as JSON; `undefined` if there is none.
     */
    acquired(index: number, generation: number): string | undefined;
    /**
     * How far its time is ahead of its host's clock, in milliseconds.
     */
    ahead(): number;
    /**
     * Asks for permission to take a turn. Returns `TURN_LATER`, `REFUSED`, or `TURN_STOPPED` minus the reason. Otherwise it
     * returns the `turn_code` of the turn, which has a flag if `takeInject` has texts. `tokens` and `cost`, in US dollars, are
     * its expected need: `NaN` if the host gives none. `whole`: the budget of the whole run stays reserved.
     */
    beginTurn(now: number, index: number, generation: number, run: number, tokens: number, cost: number, whole: boolean): number;
    /**
     * Admits a sub-agent, which starts at `dispatch` if a slot is free. `text_len` bytes of the scratch are its text; `flags`
     * are the flags `SPAWN_…`. Options that were not given are `NaN`. Returns index and generation packed; `REFUSED`; or
     * `SPAWN_REPEATED` minus index and generation of the task that the key names.
     */
    begin(now: number, index: number, generation: number, run: number, flags: number, text_len: number, tokens: number, cost: number, turns: number): number;
    /**
     * Shows the account of a task, a session or, with index 0, the manager.
     */
    budget(index: number): number;
    /**
     * Buffers the effects of the next calls until `dispatchBuffered`. `false` if a call further up the stack carries them out in
     * any case.
     */
    bufferEffects(): boolean;
    /**
     * Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3). Without arguments the program
     * asks; without `now`, the time of the last input counts.
     */
    canSpawn(index?: number | null, generation?: number | null, run?: number | null, now?: number | null): boolean;
    /**
     * Asks the host's own gate. Throwing, returning a promise or lacking a boolean refuses (D5).
     */
    checkConsumerSpawn(params: any): SpawnGate;
    /**
     * The last checkpoint of a task, as JSON; `undefined` if there is none.
     */
    checkpointed(index: number, generation: number): string | undefined;
    /**
     * Shows the runs whose ends were claimed by the last call: a cancel, close or interrupt.
     */
    claimed(): number;
    /**
     * Takes the command whose bytes are in the scratch, and shows the reply.
     */
    command(now: number, index: number, generation: number, run: number, len: number): number;
    /**
     * Applies options: `{ limits: [name, value][], budget, taskBudget, onLimit, retry, onParentEnd, prices, rates }`. `false` if
     * one is refused.
     */
    configure(now: number, settings: any): boolean;
    /**
     * Shows the spending by model and by agent.
     */
    costs(): number;
    /**
     * The tool for a model: its name, description, schema, and the `execute` of its host. `make` makes the tool from the first
     * three; without it, the tool is one for the program.
     */
    createSubAgentTool(make?: Function | null): SubAgentToolObject;
    /**
     * The id under which the end of a run is delivered.
     */
    deliveryId(index: number, generation: number, run: number): string;
    /**
     * Shows the denied entries of a task, or the blocked entries of the policies of a session's sub-agents. Those that match
     * none of the main agent's tools, and nothing if these tools aren't known.
     */
    deniedInVain(index: number): number;
    /**
     * Carries out the effects that `bufferEffects` buffered.
     */
    dispatchBuffered(): void;
    /**
     * Carries out the buffered effects, whose facts are now stored. Their further effects wait for the next call.
     */
    dispatchStaged(): void;
    /**
     * Carries out the effects of the calls so far: settles promises, then calls the host, then notifies listeners. Does nothing
     * if a call further up the stack carries them out, or while they are buffered: all are carried out there.
     */
    dispatch(): void;
    /**
     * Rejects pending drains; nothing else of the core may be called afterwards.
     */
    dispose(): void;
    /**
     * Refuses new work, gives running work `timeout_ms` to end, then cancels the rest. Resolves to `{ ended, cancelled,
     * stillRunning, timedOut }`; rejects with the text `disposed` if the manager is disposed before that.
     */
    drain(now: number, timeout_ms: number): Promise<DrainResult>;
    /**
     * Shows the estimated cost of a plan: `{ …options as staged for a spawn, otherwise, count, turns }[]`, which TypeScript has
     * checked.
     */
    estimate(plan: any): number;
    /**
     * The name in events of the node that is, or was, at the index: the id of a task, `undefined` for a session.
     */
    eventId(index: number, generation: number): string | undefined;
    /**
     * The number of facts so far that events show. The seed, which is a secret, is not among them.
     */
    factCount(): number;
    /**
     * Shows the run that a host reports by the id in the scratch.
     */
    findReported(id_len: number): number;
    /**
     * Index and generation of the task that the text in the scratch names. The name is its id, the host's id, or this actor's
     * nickname for it. -1 if no task fits, or more than one does.
     */
    find(index: number, generation: number, run: number, id_len: number): number;
    /**
     * Sets whether facts stay here until `handOut`, or until they are many. The present ones are handed out.
     */
    gather(on: boolean): void;
    /**
     * Slots taken and their limit, queued work, parked runs, abandoned host functions (D4). Without `now`, as of the last fact.
     */
    getConcurrencyInfo(now?: number | null): ConcurrencyInfo;
    /**
     * Shows snapshots of tasks, given by index and generation each; nothing for a task that doesn't exist.
     */
    getMany(places: Uint32Array | number[], now: number): number;
    /**
     * Shows a snapshot of the task whose id is in the scratch, or for which this actor uses the nickname there.
     */
    getNamed(index: number, generation: number, run: number, id_len: number, now: number): number;
    /**
     * Shows a snapshot of a task.
     */
    get(index: number, generation: number, now: number): number;
    /**
     * Shows the options of a task's spawn besides its text, as events have them, whichever process spawned it. Nothing if the
     * spawn gave none, or the task no longer exists.
     */
    given(index: number, generation: number): number;
    /**
     * Shows the sub-agents of an ended one that continue in the background, each as a model names it.
     */
    goingOn(index: number, generation: number): number;
    /**
     * Hands out the facts that were gathered.
     */
    handOut(): void;
    /**
     * Whether work waits for anything except the program: for a slot, for budget, for a rate limit.
     */
    hasQueued(): boolean;
    /**
     * Accepts the end of a host function. The scratch holds its result: `output_len` bytes of output, then `beside_len` bytes of
     * its other texts. `returned` is the number of a `Returned`. Readings that the host did not give are `READING_MISSING`.
     */
    hostReturned(now: number, index: number, generation: number, run: number, returned: number, output_len: number, beside_len: number, tokens: number, cost: number, turns: number, duration_ms: number): void;
    /**
     * The material of ids, for values that outlive the core: both halves of the key, and the present salt. Then, for each task
     * with another salt: its generation and index, packed, and that salt.
     */
    idKey(): BigUint64Array;
    /**
     * The text in the scratch, cut to its head and tail if it is longer than `inlineBytes` (R2).
     */
    inline(text_len: number): string;
    /**
     * Whether this run of a task is queued or open.
     */
    isOpen(index: number, generation: number, run: number): boolean;
    /**
     * Hands out its decisions from now on, to be stored, and carries out no effects before `dispatchBuffered`. `lost`: what
     * happens to runs that a drain must stop, as for `reopen`, and `HOSTS_OUTLIVE` if hosts outlive this process. `waits`: no
     * notice is leased before its end is stored, which `dispatchStaged` reports.
     */
    keepJournal(lost: number, waits: boolean): void;
    /**
     * The end of a task's last run: its status, and 256 times the reason. If a run is open, or there was none, the task's own.
     */
    lastEnd(index: number): number;
    /**
     * The number of the last message to any task.
     */
    lastMessage(): number;
    /**
     * The number of the last run of a task; 0 if there was none.
     */
    lastRun(index: number, generation: number): number;
    /**
     * Shows the last runs of tasks, given by index and generation each.
     */
    lastRuns(places: Uint32Array | number[]): number;
    /**
     * Leases the waiting notices of the actor's inbox, at most `max`, for `lease_ms`; `NaN` if either is not given. Shows them.
     */
    lease(now: number, index: number, generation: number, run: number, max: number, lease_ms: number): number;
    /**
     * Whether a drain leaves the runs that it stops to the process that opens the store next.
     */
    leavesRuns(): boolean;
    /**
     * A limit in force, by its place in the table; `Infinity` if it is lifted.
     */
    limit(index: number): number;
    /**
     * Shows a page of tasks, filtered, below a node or all.
     */
    list(top: number, listing: any, now: number): number;
    /**
     * Starts or stops passing facts to the host.
     */
    listen(on: boolean): void;
    /**
     * Whether an inbox may still get a notice to deliver.
     */
    mayNotify(index: number): boolean;
    /**
     * Whether an actor may start work, in the background or to be waited for (D9).
     */
    mayStart(index: number, generation: number, run: number, background: boolean): boolean;
    /**
     * Whether a run may use the tool whose name is in the scratch, before its policies are asked (P2).
     */
    mayUse(index: number, generation: number, run: number, name_len: number): boolean;
    /**
     * The number of the message that the open run of a task answers; 0 for the text of its spawn.
     */
    messageNumber(index: number): number;
    /**
     * Whether the message with this number waits for a task's run, steers it, or is answered by it.
     */
    messageWaits(index: number, generation: number, number: number): boolean;
    /**
     * The message that the open run of a task answers.
     */
    message(index: number): string;
    /**
     * Shows the missing names and sessions that restored work waits for.
     */
    missing(): number;
    /**
     * A core whose effects go to the functions registered under `host`.
     */
    constructor(host: number);
    /**
     * Whether notices of an inbox wait, or may return by the time alone.
     */
    noticesWait(index: number): boolean;
    /**
     * Requests `taskForgotten` and `taskClosed` for every task that is forgotten, or closed, from now on.
     */
    notifyForgotten(): void;
    /**
     * The actor's child that changed last among those that accept messages: index and generation packed, -1 if there is none.
     */
    openChild(index: number, generation: number, run: number): number;
    /**
     * Shows the ids that callers gave.
     */
    ownIds(): number;
    /**
     * Shows an actor's own sub-agents that are working, or whose ends have not been delivered to it. Refused if the actor has
     * ended.
     */
    ownToWaitFor(index: number, generation: number, run: number): number;
    /**
     * Shows every notice in the actor's inbox, in its present state.
     */
    peek(index: number): number;
    /**
     * The number of notices in an inbox that wait for delivery.
     */
    pendingNotices(index: number): number;
    /**
     * Shows the policies' record of a task's last run, or of a main agent; nothing if it no longer exists.
     */
    policing(index: number, generation: number): number;
    /**
     * Shows the end of the attempt before a run; nothing if the run is the first attempt at its message.
     */
    previousError(index: number, generation: number, run: number): number;
    /**
     * The same, in the form for the model that requested the task.
     */
    questionText(index: number, generation: number): string | undefined;
    /**
     * A task's question, while it has no answer.
     */
    question(index: number, generation: number): string | undefined;
    /**
     * Shows the messages that wait for a task, oldest first.
     */
    queue(index: number, generation: number): number;
    /**
     * The option that raises the limit at which a task's last run ended; `undefined` if it ended at none, or no longer exists.
     */
    raisedBy(index: number, generation: number): string | undefined;
    /**
     * Whether an actor may name a task: the task is below it, or the program asks (A1).
     */
    reaches(index: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * Shows a page of a task's result.
     */
    readResult(index: number, generation: number, run: number, target: number, target_generation: number, offset: number, limit: number): number;
    /**
     * Why the last request was refused: `{ code, message, modelText, details }`.
     */
    refusal(): any;
    /**
     * Shows the first release after a number; nothing if there is none.
     */
    releaseAfter(serial: number): number;
    /**
     * Shows the rest for a run.
     */
    remaining(index: number, generation: number, run: number): number;
    /**
     * Continues after the restored facts, with options as `configure` accepts them, or none. `lost`, the number of an
     * `OnHostLost`, decides what happens to a run that was in flight. Work of agents and profiles that are not in these lists
     * waits. So does each session's work until the session is registered. `false` if an option is refused: nothing has
     * continued, and this core can't be used any more.
     */
    reopen(now: number, lost: number, agents: readonly string[], profiles: readonly string[], settings: any): boolean;
    /**
     * Accepts a report: usage since the last one, and progress. Readings that were not given are `READING_MISSING`; the length
     * `NO_TEXT` means no message.
     */
    report(now: number, index: number, generation: number, run: number, tokens: number, cost: number, context_tokens: number, message_len: number): void;
    /**
     * US dollars reserved for the open run of a task.
     */
    reservedDollars(index: number): number;
    /**
     * Tokens reserved for the open run of a task.
     */
    reservedTokens(index: number): number;
    /**
     * Restores the snapshot in the scratch, which is then empty, in place of the facts that led to it; before anything else. 0
     * if it is restored, -1 if it is no snapshot, else its form, which can't be read.
     */
    restoreSnapshot(len: number): number;
    /**
     * Restores the facts in the scratch, a whole batch that an earlier core handed out in this form. All batches come in their
     * order, before anything else. `false` if no core can have handed them out.
     */
    restore(len: number, form: number): boolean;
    /**
     * The text of an end for a model; the scratch holds the run's result, as for `hostReturned`.
     */
    resultText(index: number, generation: number, run: number, status: number, reason: number, turns: number, tokens: number, cost: number, duration_ms: number, output_len: number, beside_len: number): string;
    /**
     * Shows the limits of a task's runs.
     */
    runLimits(index: number, generation: number): number;
    /**
     * The data that a task's runs saved for later runs, as JSON; `undefined` if there is none.
     */
    saved(index: number, generation: number): string | undefined;
    /**
     * Allocates `bytes` for text and returns their address.
     */
    scratch(bytes: number): number;
    /**
     * Draws the randomness for ids and fences, once: some edge runtimes have none at import.
     */
    seed(now: number): boolean;
    /**
     * The key of the session that a node is, or belongs to; `undefined` for the default session, and for a removed node.
     */
    sessionKey(index: number, generation: number): string | undefined;
    /**
     * Shows the open sessions, including those that no program has registered, by age.
     */
    sessions(): number;
    /**
     * The id that a model reads for a task: the host's own if it identifies only this task, else ours.
     */
    shownId(index: number, generation: number): string;
    /**
     * A snapshot, in place of all facts that were handed out; `None` if there are others.
     */
    snapshot(): Uint8Array | undefined;
    /**
     * Whether an actor may still act: its run is open, or it is no run (A1).
     */
    speaks(index: number, generation: number, run: number): boolean;
    /**
     * Buffers the due effects, and hands out the facts that caused them. `false` if there is neither. Effects that were buffered
     * before have been carried out.
     */
    stageEffects(): boolean;
    /**
     * Retains the tokens by kind of the next report, or of the next end of a host function. The scratch holds the id of a model,
     * or nothing. `named`: the host named this model; otherwise it is the model of runs that were given none. Kinds that were
     * not given are `READING_MISSING`; `estimated` is 1 or 0.
     */
    stageTokens(model_len: number, named: boolean, input: number, output: number, read: number, write: number, hour: number, reasoning: number, estimated: number): void;
    /**
     * Retains the options of the next `begin` besides its text. `false` if they are refused.
     */
    stage(options: any): boolean;
    /**
     * Begins a drain, so that spawns are refused from the call on; `drain` then waits for its end.
     */
    startDrain(now: number, timeout_ms: number): void;
    /**
     * Shows statistics.
     */
    stats(now: number): number;
    /**
     * The status of a task by number, without a snapshot; -1 if it doesn't exist.
     */
    status(index: number, generation: number): number;
    /**
     * The process stood still for this many milliseconds until now.
     */
    stoodStill(now: number, ms: number): void;
    /**
     * Shows the texts that the turn just granted puts into the conversation, in order.
     */
    takeInject(): number;
    /**
     * Shows the id of a task, which each result has: the numbers of its digits after a 0, or the caller's id.
     */
    taskId(index: number, generation: number): number;
    /**
     * Passes the time, and nothing else.
     */
    tick(now: number): void;
    /**
     * Shows the usage of a task and all below it.
     */
    tookInAll(index: number, generation: number, run: number): number;
    /**
     * Shows the names of a task's tools: a 1 alone if the list was also shown last, else a 0 and the list. Written by hand: each
     * start asks, and reading the list again would double the time of a start.
     */
    tools(index: number, generation: number): number;
    /**
     * Waits for the current run of one task. Returns the number of the wait, `REFUSED`, or one of `WAIT_…`: the reason for which
     * there is no wait. `timeout_ms` is `NaN` for no deadline.
     */
    wait(now: number, index: number, generation: number, run: number, target: number, target_generation: number, timeout_ms: number): number;
    /**
     * The beginning of the keys of a run's actions: the same in each attempt at its message.
     */
    workKey(index: number, generation: number, run: number): string;
}

export type { SubAgentCore };

/** What one wasm instance offers. Nothing of it is shared with another instance. */
export interface Instance {
    /** A class of the module. */
    readonly SubAgentCore: typeof SubAgentCore;
    /** Its memory. */
    readonly memory: {
        /** Its bytes: another object each time the memory has grown. */
        readonly buffer: ArrayBuffer;
    };
    /** Gets what fails in a task of the module's own, outside of any call. Default: it is an uncaught error. */
    onFailure: ((error: unknown) => void) | undefined;
    /** Set it once a call has trapped: nothing that was collected is freed any more. */
    hasFailed: boolean;
}

/**
 * Makes a fresh instance of `subagents.wasm`.
 *
 * @param module the compiled `WebAssembly.Module`; one serves any number of instances.
 * @param random fills bytes with randomness that can't be guessed; default: `crypto.getRandomValues`.
 * @throws RangeError where the runtime takes no further instance.
 */
export function instantiate(module: object, random?: (bytes: Uint8Array) => void): Instance;
