/* tslint:disable */
/* eslint-disable */

/** The tool for a model. */
export interface SubAgentToolObject {
    /** The name by which the model calls it. */
    name: string;
    /** What the model is told of it. */
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
    /** Why not, for the model. */
    reason?: string | undefined;
}

/** How full a manager is. */
export interface ConcurrencyInfo {
    /** Slots held, cancelled runs that are still returning included. */
    active: number;
    /** `maxConcurrent`. */
    limit: number;
    /** Runs that wait to begin; `waitingFor` says for what. */
    queued: number;
    /** `maxQueued`. */
    queueLimit: number;
    /** Runs that gave their slot up while they wait. */
    parked: number;
    /** Host functions that were given up and have not returned. */
    abandoned: number;
    /** What work waits for that has not begun: how many for each, as their snapshots say; counted when this is read. */
    waitingFor: Record<'abandoned' | 'host' | 'held' | 'retry' | 'cooldown' | 'stagger' | 'budget' | 'slot' | 'session' | 'definition', number>;
}

/** What a drain did. */
export interface DrainResult {
    /** Runs that ended by themselves meanwhile. */
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
     * Cancels what a tool's call started that its own caller has aborted. `number`: that of the call's wait, which tells nobody
     * then; `NaN` where it has none. Returns as `wait` does.
     */
    abortCall(now: number, target: number, target_generation: number, wait: number, number: number, reads: boolean): number;
    /**
     * Acknowledges the notice whose delivery id is in the scratch: 1 where it was there, 0 where it was
     * not, -1 where it is refused.
     */
    ack(now: number, index: number, generation: number, run: number, id_len: number): number;
    /**
     * Raises the cap of a task, or of the manager where the index is 0.
     */
    addBudget(now: number, target: number, target_generation: number, tokens: number, cost: number, turns: number): boolean;
    /**
     * How far its time is ahead of its host's clock, in milliseconds.
     */
    ahead(): number;
    /**
     * Sets tokens aside for the program and returns how many were there.
     */
    allocate(now: number, tokens: number): number;
    /**
     * The policy has answered. 1 where the run goes on, 0 where `turnReady` will say when, -1 where it ended.
     */
    approved(now: number, index: number, generation: number, run: number, starting: boolean): number;
    /**
     * Asks the question in the scratch in the name of a run, and returns one of `ASK_…`, or -1 where it is refused.
     * `timeout_ms` is `NaN` for `askTimeoutMs`.
     */
    ask(now: number, index: number, generation: number, run: number, timeout_ms: number, text_len: number): number;
    /**
     * A policy takes its time.
     */
    awaitApproval(now: number, index: number, generation: number, run: number): boolean;
    /**
     * A run waits for its next notice: it gives up its slot until `endWait`. Returns as `wait` does.
     */
    awaitNotice(now: number, index: number, generation: number, run: number): number;
    /**
     * A main agent asks for a turn; answers as `beginTurn` does, `takeInject` included.
     */
    beginMainTurn(now: number, index: number, generation: number, turns: number, context_tokens: number, ms: number): number;
    /**
     * A tool, whose name is in the scratch, is about to be used. `false` where it may not be.
     */
    beginTool(now: number, index: number, generation: number, run: number, name_len: number): boolean;
    /**
     * Asks for leave to take a turn. Returns `TURN_LATER`, `REFUSED`, or `TURN_STOPPED` less the reason; else what `turn_code`
     * makes of the turn; `takeInject` has its texts, where it says so. `tokens` and `cost`, in US dollars, are what it is
     * expected to need: `NaN` where the host gives none.
     */
    beginTurn(now: number, index: number, generation: number, run: number, tokens: number, cost: number): number;
    /**
     * Admits a sub-agent, which starts at `carryOut` if a slot is free. `text_len` bytes of the scratch are its text; `flags`
     * are those of `SPAWN_…`. Options that were not given are `NaN`. Returns index and generation packed; `REFUSED`;
     * or `SPAWN_REPEATED` less index and generation of the task that the key stands for.
     */
    begin(now: number, index: number, generation: number, run: number, flags: number, text_len: number, tokens: number, cost: number, turns: number): number;
    /**
     * Sets the tools that no sub-agent gets.
     */
    blockTools(now: number, tools: readonly string[]): boolean;
    /**
     * Shows the account of a task, a session or, with index 0, the manager.
     */
    budget(index: number): number;
    /**
     * Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3).
     * Without arguments the program asks; without `now`, as of the last input.
     */
    canSpawn(index?: number | null, generation?: number | null, run?: number | null, now?: number | null): boolean;
    /**
     * Cancels a task and all under it; index 0 is everything. Returns as `wait` does.
     */
    cancel(now: number, index: number, generation: number, run: number, target: number, target_generation: number, reason: number, grace_ms: number): number;
    /**
     * Carries out what was set aside, whose facts are stored by now; what follows from that in turn waits for the next
     * time.
     */
    carryOutAside(): void;
    /**
     * Carries out what follows from the calls so far: settles promises, then calls the host, then tells listeners.
     * Does nothing where a call further up the stack is at it, or keeps it back: that one carries it all out.
     */
    carryOut(): void;
    /**
     * Asks the host's own gate. Throwing, returning a promise or lacking a boolean refuses (D5).
     */
    checkConsumerSpawn(params: any): SpawnGate;
    /**
     * Takes how far the work of a run is: the JSON in the scratch.
     */
    checkpoint(now: number, index: number, generation: number, run: number, data_len: number): boolean;
    /**
     * The last checkpoint of a task, as JSON; `undefined` where there is none.
     */
    checkpointed(index: number, generation: number): string | undefined;
    /**
     * The ends that were claimed by the cancel, close or interrupt that was the last call: index, generation and run
     * of each in turn.
     */
    claimed(): Uint32Array;
    /**
     * Closes a session: `closed` for its own wish, else because its signal fired. Returns as `wait` does.
     */
    closeSession(now: number, index: number, generation: number, closed: boolean, grace_ms: number): number;
    /**
     * Closes a task and all under it. Returns `REFUSED`; else where the task stood, by number, plus `CLOSE_STATUSES` times
     * one more than the number of the wait, where there is anything to wait for.
     */
    close(now: number, index: number, generation: number, run: number, target: number, target_generation: number, grace_ms: number): number;
    /**
     * Applies options: `{ limits: [name, value][], budget, taskBudget, onLimit, retry, onParentEnd }`. `false` where one is refused.
     */
    configure(now: number, settings: any): boolean;
    /**
     * Counts a call for the policy whose name is in the scratch: its number, 0 where there is nothing to
     * count, -1 where the run has ended, -2 where the limit is reached.
     */
    count(now: number, index: number, generation: number, run: number, policy_len: number, limit: number, todos: boolean): number;
    /**
     * The tool for a model: its name, description, schema, and the `execute` of its host. `make` gets the first three and
     * makes the tool of them; without it, it is one for the program.
     */
    createSubAgentTool(make?: Function | null): SubAgentToolObject;
    /**
     * Index of the default session: where the program's sub-agents live.
     */
    defaultSession(): number;
    /**
     * The id under which the end of a run is delivered.
     */
    deliveryId(index: number, generation: number, run: number): string;
    /**
     * What a task is denied, or the policies of a session's sub-agents block, that fits none of the main agent's tools:
     * `{ denied, known }`; `undefined` where those aren't known.
     */
    deniedInVain(index: number): any;
    /**
     * Rejects pending drains; nothing else of the core may be called afterwards.
     */
    dispose(): void;
    /**
     * Takes no new work, lets running work end for `timeout_ms`, then cancels the rest; carries that out. Resolves to
     * `{ ended, cancelled, stillRunning, timedOut }`; rejects with the text `disposed` where the manager
     * is disposed meanwhile.
     */
    drain(now: number, timeout_ms: number): Promise<DrainResult>;
    /**
     * A main agent has answered.
     */
    endMain(now: number, index: number, generation: number): void;
    /**
     * A tool was used. Whether there are texts for the model, which `takeInject` gives.
     */
    endTool(now: number, index: number, generation: number, run: number): boolean;
    /**
     * Ends a wait; it touches no sub-agent. `false` where it is over already: what it tells is under way.
     */
    endWait(now: number, index: number, number: number): boolean;
    /**
     * How an event names what is, or was, at the index: the id of a task, nothing for a session.
     */
    eventId(index: number, generation: number): string | undefined;
    /**
     * How many facts there have been that events tell: the seed, which is a secret, is none of them.
     */
    factCount(): number;
    /**
     * Index and generation of the task whose id is in the scratch, or whom this actor means by the nickname, or the
     * host's id, there; -1 where there is none, or more than one.
     */
    find(index: number, generation: number, run: number, id_len: number): number;
    /**
     * Forgets an ended task and all under it.
     */
    forget(now: number, index: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * Whether facts stay here until `handOut`, or until they are many; those that there are by now are handed out.
     */
    gather(on: boolean): void;
    /**
     * Slots held and their limit, queued work, parked runs, host functions that were given up (D4).
     * Without `now`, as of the last fact.
     */
    getConcurrencyInfo(now?: number | null): ConcurrencyInfo;
    /**
     * Shows snapshots of tasks, given by index and generation each: 1 before each that is there, 0 for each other.
     */
    getMany(places: Uint32Array | number[], now: number): number;
    /**
     * Shows a snapshot of the task that has the id in the scratch, or that this actor means by the nickname there.
     */
    getNamed(index: number, generation: number, run: number, id_len: number, now: number): number;
    /**
     * Shows a snapshot of a task.
     */
    get(index: number, generation: number, now: number): number;
    /**
     * What the spawn of a task gave it beside its text, as events have it, in whichever process it was spawned; nothing where it
     * gave nothing, or the task is gone.
     */
    given(index: number, generation: number): Uint8Array | undefined;
    /**
     * Carries out what was kept back by `keepBack`.
     */
    goOn(): void;
    /**
     * The sub-agents of one that has ended which go on in the background, each as a model names it.
     */
    goingOn(index: number, generation: number): string[];
    /**
     * Hands out the facts that were gathered.
     */
    handOut(): void;
    /**
     * Whether work waits for a slot, for budget, or for a rate limit.
     */
    hasQueued(): boolean;
    /**
     * Whether this run of a task is still known: queued, open, or over with its host still running.
     */
    hasRun(index: number, generation: number, run: number): boolean;
    /**
     * US dollars set aside for the open run of a task.
     */
    heldDollars(index: number): number;
    /**
     * Tokens set aside for the open run of a task.
     */
    heldTokens(index: number): number;
    /**
     * Takes the end of a host function, or of a manual task where `run` is 0. The scratch holds what it left: `output_len`
     * bytes of output, then `beside_len` of what came with it. `returned` is the number of a `Returned`. Readings that the host
     * did not give are `READING_MISSING`.
     */
    hostReturned(now: number, index: number, generation: number, run: number, returned: number, output_len: number, beside_len: number, tokens: number, cost: number, turns: number, duration_ms: number): boolean;
    /**
     * What ids are made with, for what outlives the core: both halves of the key, and the present salt; then generation and
     * index of each task that has another salt, packed, and that salt.
     */
    idKey(): BigUint64Array;
    /**
     * The text in the scratch, cut to its head and tail where it is longer than `inlineBytes` (R2).
     */
    inline(text_len: number): string;
    /**
     * Stops the run of a task; its queue waits for the next send. Returns as `wait` does.
     */
    interrupt(now: number, index: number, generation: number, run: number, target: number, target_generation: number, grace_ms: number): number;
    /**
     * Whether this run of a task is queued or open.
     */
    isOpen(index: number, generation: number, run: number): boolean;
    /**
     * Keeps back what follows from the next calls until `goOn`. `false` where a call further up the stack carries
     * it out in any case.
     */
    keepBack(): boolean;
    /**
     * Hands out what it decides from now on, to be stored, and carries nothing out before `goOn`. `lost`: what becomes of
     * runs that a drain has to stop, as for `reopen`, and `HOSTS_OUTLIVE` where hosts outlive this process. `waits`: no notice
     * is leased before its end is stored, which `carryOutAside` says.
     */
    keepJournal(lost: number, waits: boolean): void;
    /**
     * How the last run of a task ended: its status, and 256 times why. Where one is open, or there was none, how the
     * task stands.
     */
    lastEnd(index: number): number;
    /**
     * The number of the message that came last, of those to all tasks.
     */
    lastMessage(): number;
    /**
     * The number of the last run of a task; 0 where there was none.
     */
    lastRun(index: number, generation: number): number;
    /**
     * Shows of tasks, given by index and generation each, the number of the last run, and 1 if that is open, else 0.
     */
    lastRuns(places: Uint32Array | number[]): number;
    /**
     * Hands out what waits in the actor's inbox, at most `max`, for `lease_ms`; `NaN` where either is not
     * given. Shows them.
     */
    lease(now: number, index: number, generation: number, run: number, max: number, lease_ms: number): number;
    /**
     * Whether a drain leaves the runs that it stops to the process that opens the store next.
     */
    leavesRuns(): boolean;
    /**
     * A limit in force, by its place in the table; `Infinity` where it is lifted.
     */
    limit(index: number): number;
    /**
     * Shows tasks, filtered and paged, below a node or all: 1 before each, then 0, then how many match.
     */
    list(top: number, listing: any, now: number): number;
    /**
     * Starts or stops handing facts to the host.
     */
    listen(on: boolean): void;
    /**
     * A manual task takes a slot.
     */
    markRunning(now: number, target: number, target_generation: number): boolean;
    /**
     * Whether an inbox may still get a notice to hand out.
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
     * Whether the message of this number waits for a run of a task, steers one, or is answered by one.
     */
    messageWaits(index: number, generation: number, number: number): boolean;
    /**
     * The message that the open run of a task answers.
     */
    message(index: number): string;
    /**
     * Shows what restored work waits for that is not here.
     */
    missing(): number;
    /**
     * Lets a task go on in the background; `false` where it is refused.
     */
    moveToBackground(now: number, index: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * The host says, in the scratch, by which id it knows a run that it runs somewhere else.
     */
    nameElsewhere(now: number, index: number, generation: number, run: number, text_len: number): void;
    /**
     * A core whose effects go to the functions registered under `host`.
     */
    constructor(host: number);
    /**
     * Notes whether the host function of a run that has begun is called by now: a policy is asked before.
     */
    noteHost(now: number, index: number, generation: number, run: number, called: boolean): void;
    /**
     * Whether notices of an inbox wait, or may come back by the time alone.
     */
    noticesWait(index: number): boolean;
    /**
     * The actor's child that changed last, of those that take messages: index and generation packed, -1 where
     * there is none.
     */
    openChild(index: number, generation: number, run: number): number;
    /**
     * Opens a session whose name is in the scratch: index and generation packed, or -1 where it is refused.
     */
    openSession(now: number, name_len: number): number;
    /**
     * An actor's own sub-agents that are at work, or whose ends it has not been told: index and generation of each in
     * turn. `undefined` where the actor has ended.
     */
    ownToWaitFor(index: number, generation: number, run: number): Uint32Array | undefined;
    /**
     * A summary as a model returned it, trimmed and cut.
     */
    parseSummary(answer: string): string;
    /**
     * Shows every notice in the actor's inbox, as it stands.
     */
    peek(index: number): number;
    /**
     * How many notices wait to be handed out in an inbox.
     */
    pendingNotices(index: number): number;
    /**
     * Shows what policies know of a task's last run, or of a main agent: nothing behind a 0 if it is not there any more.
     */
    policing(index: number, generation: number): number;
    /**
     * How many tokens the manual style may still set aside; `Infinity` where nothing caps them (B10).
     */
    poolLeft(): number;
    /**
     * Shows how the attempt before a run ended: nothing behind a 0 if it is the first at its message.
     */
    previousError(index: number, generation: number, run: number): number;
    /**
     * The same as the model sees it that asked for the task.
     */
    questionText(index: number, generation: number): string | undefined;
    /**
     * What a task asks, while it has no answer.
     */
    question(index: number, generation: number): string | undefined;
    /**
     * The messages that wait for a task, oldest first; `undefined` where it is refused.
     */
    queue(index: number, generation: number): string[] | undefined;
    /**
     * The option that raises the limit at which a task's last run ended; `undefined` where it ended at none, or isn't
     * there any more.
     */
    raisedBy(index: number, generation: number): string | undefined;
    /**
     * Whether an actor may name a task: it is below it, or the program asks (A1).
     */
    reaches(index: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * Shows a page of a task's result.
     */
    readResult(index: number, generation: number, run: number, target: number, target_generation: number, offset: number, limit: number): number;
    /**
     * Why the last request was refused: `{ code, message, told, details }`.
     */
    refusal(): any;
    /**
     * Has the work of a restored session go on; its settings have been made by then.
     */
    registerSession(now: number, index: number, generation: number): boolean;
    /**
     * Lets go of the result of an ended task.
     */
    releaseResult(now: number, index: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * Gives back tokens that were set aside.
     */
    release(now: number, tokens: number): boolean;
    /**
     * Shows what is left for a run.
     */
    remaining(index: number, generation: number, run: number): number;
    /**
     * Goes on after the facts that were restored, with options as `configure` takes them, or none. `lost`, the number of an
     * `OnHostLost`, says what becomes of a run that was in flight. Work of agents and profiles that are not among these waits,
     * and so does that of each session until it is registered. `false` where an option is refused: nothing has gone on, and
     * nothing more can be done with this core.
     */
    reopen(now: number, lost: number, agents: readonly string[], profiles: readonly string[], settings: any): boolean;
    /**
     * Another host carries an open run on, from its last checkpoint or from the beginning: what the one before had begun is
     * booked, and what that had heard and the next one doesn't know is said again.
     */
    replaceHost(now: number, index: number, generation: number, run: number, resumes: boolean): boolean;
    /**
     * A run met a rate limit: work with its key waits for so many milliseconds.
     */
    reportRateLimit(now: number, index: number, generation: number, run: number, retry_after_ms: number): boolean;
    /**
     * Takes a report: usage since the last one, and how it goes. Readings that were not given are `READING_MISSING`; the
     * length `NO_TEXT` stands for no message.
     */
    report(now: number, index: number, generation: number, run: number, tokens: number, cost: number, context_tokens: number, message_len: number): void;
    /**
     * Takes the snapshot in the scratch, which is empty then, in the place of the facts that it stands for; before anything
     * else. 0 where it is taken, -1 where it is none, else the later form that it has.
     */
    restoreSnapshot(len: number): number;
    /**
     * Takes the facts in the scratch, a whole batch that an earlier core handed out in this form; those of all batches come
     * in their order, before anything else. `false` where they can't be what a core handed out.
     */
    restore(len: number, form: number): boolean;
    /**
     * The text that a model sees for an end; in the scratch is what the run left, as `hostReturned` takes it.
     */
    resultText(index: number, generation: number, run: number, status: number, reason: number, turns: number, tokens: number, cost: number, duration_ms: number, output_len: number, beside_len: number): string;
    /**
     * Reopens a closed task.
     */
    resume(now: number, index: number, generation: number, run: number, target: number, target_generation: number): boolean;
    /**
     * Takes a policy's answer. The scratch holds the policy's name, then what it said. `false` where the
     * run has ended meanwhile.
     */
    rule(now: number, index: number, generation: number, run: number, point: number, answer: number, reason: number, policy_len: number, text_len: number): boolean;
    /**
     * Shows the limits of a task's runs.
     */
    runLimits(index: number, generation: number): number;
    /**
     * Makes room for `bytes` of text and returns where it begins in the memory.
     */
    scratch(bytes: number): number;
    /**
     * Draws the randomness for ids and fences, once: some edge runtimes have none at import.
     */
    seed(now: number): boolean;
    /**
     * Sends the message in the scratch; `mode` is the number of a `Mode`. Returns the number of a `Receipt`, or -1 where it is
     * refused.
     */
    send(now: number, index: number, generation: number, run: number, target: number, target_generation: number, mode: number, text_len: number): number;
    /**
     * The key of the session that a node is, or belongs to; nothing for the default session, and for a node that is gone.
     */
    sessionKey(index: number, generation: number): string | undefined;
    /**
     * The sessions that are open, those that no program has registered among them: index and generation of each in
     * turn, by age.
     */
    sessions(): Uint32Array;
    /**
     * Sets aside what is to be carried out by now, and hands out the facts that it follows from. `false` where there
     * is neither. What was set aside before has been carried out.
     */
    setAside(): boolean;
    /**
     * Tells which model a session has, which its sub-agents inherit; `undefined` where that is not known.
     */
    setModel(now: number, session: number, model_id?: string | null): boolean;
    /**
     * Sets the cap of a session; a dimension that is `NaN` is uncapped.
     */
    setSessionBudget(now: number, session: number, generation: number, tokens: number, cost: number, turns: number): boolean;
    /**
     * Tells which tools a session has; `undefined` where that is not known.
     */
    setTools(now: number, session: number, tools: readonly string[] | undefined): boolean;
    /**
     * A snapshot, which stands for all facts that were handed out; nothing where there are others.
     */
    snapshot(): Uint8Array | undefined;
    /**
     * Whether an actor may still speak: its run is open, or it is no run (A1).
     */
    speaks(index: number, generation: number, run: number): boolean;
    /**
     * What a task and all below it have spent, as tokens and dollars, where that is more than its run of this number has;
     * 0 where none of them reported any.
     */
    spentInAll(index: number, generation: number, run: number): Float64Array | undefined;
    /**
     * Keeps what the next `begin` gives beside its text. `false` where it is refused.
     */
    stage(options: any): boolean;
    /**
     * Begins a drain, so that spawns are refused from the call on; `drain` then waits for its end.
     */
    startDrain(now: number, timeout_ms: number): void;
    /**
     * The host runs a run somewhere else and will report its end.
     */
    startedElsewhere(now: number, index: number, generation: number, run: number): void;
    /**
     * Shows statistics.
     */
    stats(now: number): number;
    /**
     * The status of a task by number, without a snapshot; -1 where it is not there.
     */
    status(index: number, generation: number): number;
    /**
     * The process stood still for so many milliseconds until now.
     */
    stoodStill(now: number, ms: number): void;
    /**
     * The first prompt of a manual task; `undefined` where the list of tools is refused.
     */
    subAgentPrompt(index: number, available_tools: readonly string[], parent_goal: string): string | undefined;
    /**
     * The prompt that has an output summarised.
     */
    summaryPrompt(index: number, output: string): string;
    /**
     * What the turn that was just granted puts into the conversation, in order.
     */
    takeInject(): string[];
    /**
     * The id of a task.
     */
    taskId(index: number, generation: number): string;
    /**
     * Asks for `taskForgotten` and `taskClosed` for every task that is forgotten, or closed, from now on.
     */
    tellForgotten(): void;
    /**
     * Tells the time, and nothing else.
     */
    tick(now: number): void;
    /**
     * Takes the to-do list in the scratch, as JSON.
     */
    todos(now: number, index: number, generation: number, run: number, open: number, todos_len: number): void;
    /**
     * The id that a model is told for a task: the host's own, where the host started it under an id that means no other.
     */
    toldId(index: number, generation: number): string;
    /**
     * The answer of the last `waitMany`, where that wait was over at once.
     */
    told(): any;
    /**
     * Waits for several tasks: `targets` holds index and generation of each in turn. `mode` is of the
     * flags `WAIT_ALL` and `WAIT_IDLE`. See `wait`; where it is over at once, `told` has what it tells.
     */
    waitMany(now: number, index: number, generation: number, run: number, targets: Uint32Array | number[], mode: number, timeout_ms: number): number;
    /**
     * Waits for the current run of one task. Returns the number of the wait, `REFUSED`, or why there is no wait, which is one
     * of `WAIT_…`. `timeout_ms` is `NaN` for no deadline.
     */
    wait(now: number, index: number, generation: number, run: number, target: number, target_generation: number, timeout_ms: number): number;
    /**
     * A wait of the program or of a session, by its index and number, was opened in the context of a run.
     */
    waitsWithin(now: number, wait: number, number: number, index: number, generation: number, run: number): void;
    /**
     * The main agent of a session was told that notices wait for it.
     */
    woken(now: number, index: number): void;
    /**
     * What the keys of a run's actions begin with: the same in each attempt at its message.
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
    /** To be set once a call has trapped: nothing that was collected is freed any more, by calls that would fail too. */
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
