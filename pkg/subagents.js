/* @ts-self-types="./subagents.d.ts" */
import { abortRun, batchDelivered, consumerGate, effect, facts, makeTool, reportRefusal, runEnded, startRun, taskGone, turnReady, waitDone, wakeAt } from './host.js';

// Made by `cargo xtask build` and overwritten by it: wasm-bindgen's glue inside
// a function, so that each call owns an instance. What is imported above is
// shared by all of them.
export function instantiate(module, random = (bytes) => globalThis.crypto.getRandomValues(bytes)) {
/**
 * The core of one manager. One instance of the module serves one of these.
 */
class SubAgentCore {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        SubAgentCoreFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.b(ptr, 0);
    }
    /**
     * Acknowledges the notice whose delivery id is in the scratch: 1 if it existed, 0 if it did not, -1 if it is refused.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} id_len
     * @returns {number}
     */
    ack(now, index, generation, run, id_len) {
        const ret = wasm.c(this.__wbg_ptr, now, index, generation, run, id_len);
        return ret;
    }
    /**
     * The data of a task's acquired resource, as JSON; `undefined` if there is none.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    acquired(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.d(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * How far its time is ahead of its host's clock, in milliseconds.
     * @returns {number}
     */
    ahead() {
        const ret = wasm.e(this.__wbg_ptr);
        return ret;
    }
    /**
     * Asks for permission to take a turn. Returns `TURN_LATER`, `REFUSED`, or `TURN_STOPPED` minus the reason. Otherwise it
     * returns the `turn_code` of the turn, which has a flag if `takeInject` has texts. `tokens` and `cost`, in US dollars, are
     * its expected need: `NaN` if the host gives none. `whole`: the budget of the whole run stays reserved.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} tokens
     * @param {number} cost
     * @param {boolean} whole
     * @returns {number}
     */
    beginTurn(now, index, generation, run, tokens, cost, whole) {
        const ret = wasm.g(this.__wbg_ptr, now, index, generation, run, tokens, cost, whole);
        return ret;
    }
    /**
     * Admits a sub-agent, which starts at `dispatch` if a slot is free. `text_len` bytes of the scratch are its text; `flags`
     * are the flags `SPAWN_…`. Options that were not given are `NaN`. Returns index and generation packed; `REFUSED`; or
     * `SPAWN_REPEATED` minus index and generation of the task that the key names.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} flags
     * @param {number} text_len
     * @param {number} tokens
     * @param {number} cost
     * @param {number} turns
     * @returns {number}
     */
    begin(now, index, generation, run, flags, text_len, tokens, cost, turns) {
        const ret = wasm.f(this.__wbg_ptr, now, index, generation, run, flags, text_len, tokens, cost, turns);
        return ret;
    }
    /**
     * Shows the account of a task, a session or, with index 0, the manager.
     * @param {number} index
     * @returns {number}
     */
    budget(index) {
        const ret = wasm.h(this.__wbg_ptr, index);
        return ret >>> 0;
    }
    /**
     * Buffers the effects of the next calls until `dispatchBuffered`. `false` if a call further up the stack carries them out in
     * any case.
     * @returns {boolean}
     */
    bufferEffects() {
        const ret = wasm.i(this.__wbg_ptr);
        return ret !== 0;
    }
    /**
     * Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3). Without arguments the program
     * asks; without `now`, the time of the last input counts.
     * @param {number | null} [index]
     * @param {number | null} [generation]
     * @param {number | null} [run]
     * @param {number | null} [now]
     * @returns {boolean}
     */
    canSpawn(index, generation, run, now) {
        const ret = wasm.j(this.__wbg_ptr, isLikeNone(index) ? Number.MAX_SAFE_INTEGER : (index) >>> 0, isLikeNone(generation) ? Number.MAX_SAFE_INTEGER : (generation) >>> 0, isLikeNone(run) ? Number.MAX_SAFE_INTEGER : (run) >>> 0, !isLikeNone(now), isLikeNone(now) ? 0 : now);
        return ret !== 0;
    }
    /**
     * Asks the host's own gate. Throwing, returning a promise or lacking a boolean refuses (D5).
     * @param {any} params
     * @returns {SpawnGate}
     */
    checkConsumerSpawn(params) {
        const borrow0 = addBorrowedObject(params);
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.k(retptr, this.__wbg_ptr, borrow0);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            var r2 = getDataViewMemory0().getInt32(retptr + 4 * 2, true);
            if (r2) {
                throw takeObject(r1);
            }
            return takeObject(r0);
        } finally {
            wasm.nb(16);
            heap[stack_pointer++] = undefined;
        }
    }
    /**
     * The last checkpoint of a task, as JSON; `undefined` if there is none.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    checkpointed(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.l(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * Shows the runs whose ends were claimed by the last call: a cancel, close or interrupt.
     * @returns {number}
     */
    claimed() {
        const ret = wasm.m(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Takes the command whose bytes are in the scratch, and shows the reply.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} len
     * @returns {number}
     */
    command(now, index, generation, run, len) {
        const ret = wasm.n(this.__wbg_ptr, now, index, generation, run, len);
        return ret >>> 0;
    }
    /**
     * Applies options: `{ limits: [name, value][], budget, taskBudget, onLimit, retry, onParentEnd, prices, rates }`. `false` if
     * one is refused.
     * @param {number} now
     * @param {any} settings
     * @returns {boolean}
     */
    configure(now, settings) {
        const borrow0 = addBorrowedObject(settings);
        try {
            const ret = wasm.o(this.__wbg_ptr, now, borrow0);
            return ret !== 0;
        } finally {
            heap[stack_pointer++] = undefined;
        }
    }
    /**
     * Shows the spending by model and by agent.
     * @returns {number}
     */
    costs() {
        const ret = wasm.p(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The tool for a model: its name, description, schema, and the `execute` of its host. `make` makes the tool from the first
     * three; without it, the tool is one for the program.
     * @param {Function | null} [make]
     * @returns {SubAgentToolObject}
     */
    createSubAgentTool(make) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.q(retptr, this.__wbg_ptr, isLikeNone(make) ? 0 : addHeapObject(make));
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            var r2 = getDataViewMemory0().getInt32(retptr + 4 * 2, true);
            if (r2) {
                throw takeObject(r1);
            }
            return takeObject(r0);
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * The id under which the end of a run is delivered.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {string}
     */
    deliveryId(index, generation, run) {
        let deferred1_0;
        let deferred1_1;
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.r(retptr, this.__wbg_ptr, index, generation, run);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            deferred1_0 = r0;
            deferred1_1 = r1;
            return getStringFromWasm0(r0, r1);
        } finally {
            wasm.nb(16);
            wasm.kb(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * Shows the denied entries of a task, or the blocked entries of the policies of a session's sub-agents. Those that match
     * none of the main agent's tools, and nothing if these tools aren't known.
     * @param {number} index
     * @returns {number}
     */
    deniedInVain(index) {
        const ret = wasm.s(this.__wbg_ptr, index);
        return ret >>> 0;
    }
    /**
     * Carries out the effects that `bufferEffects` buffered.
     */
    dispatchBuffered() {
        wasm.u(this.__wbg_ptr);
    }
    /**
     * Carries out the buffered effects, whose facts are now stored. Their further effects wait for the next call.
     */
    dispatchStaged() {
        wasm.v(this.__wbg_ptr);
    }
    /**
     * Carries out the effects of the calls so far: settles promises, then calls the host, then notifies listeners. Does nothing
     * if a call further up the stack carries them out, or while they are buffered: all are carried out there.
     */
    dispatch() {
        wasm.t(this.__wbg_ptr);
    }
    /**
     * Rejects pending drains; nothing else of the core may be called afterwards.
     */
    dispose() {
        wasm.w(this.__wbg_ptr);
    }
    /**
     * Refuses new work, gives running work `timeout_ms` to end, then cancels the rest. Resolves to `{ ended, cancelled,
     * stillRunning, timedOut }`; rejects with the text `disposed` if the manager is disposed before that.
     * @param {number} now
     * @param {number} timeout_ms
     * @returns {Promise<DrainResult>}
     */
    drain(now, timeout_ms) {
        const ret = wasm.x(this.__wbg_ptr, now, timeout_ms);
        return takeObject(ret);
    }
    /**
     * Shows the estimated cost of a plan: `{ …options as staged for a spawn, otherwise, count, turns }[]`, which TypeScript has
     * checked.
     * @param {any} plan
     * @returns {number}
     */
    estimate(plan) {
        const borrow0 = addBorrowedObject(plan);
        try {
            const ret = wasm.y(this.__wbg_ptr, borrow0);
            return ret >>> 0;
        } finally {
            heap[stack_pointer++] = undefined;
        }
    }
    /**
     * The name in events of the node that is, or was, at the index: the id of a task, `undefined` for a session.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    eventId(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.z(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * The number of facts so far that events show. The seed, which is a secret, is not among them.
     * @returns {number}
     */
    factCount() {
        const ret = wasm.A(this.__wbg_ptr);
        return ret;
    }
    /**
     * Shows the run that a host reports by the id in the scratch.
     * @param {number} id_len
     * @returns {number}
     */
    findReported(id_len) {
        const ret = wasm.C(this.__wbg_ptr, id_len);
        return ret >>> 0;
    }
    /**
     * Index and generation of the task that the text in the scratch names. The name is its id, the host's id, or this actor's
     * nickname for it. -1 if no task fits, or more than one does.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} id_len
     * @returns {number}
     */
    find(index, generation, run, id_len) {
        const ret = wasm.B(this.__wbg_ptr, index, generation, run, id_len);
        return ret;
    }
    /**
     * Sets whether facts stay here until `handOut`, or until they are many. The present ones are handed out.
     * @param {boolean} on
     */
    gather(on) {
        wasm.D(this.__wbg_ptr, on);
    }
    /**
     * Slots taken and their limit, queued work, parked runs, abandoned host functions (D4). Without `now`, as of the last fact.
     * @param {number | null} [now]
     * @returns {ConcurrencyInfo}
     */
    getConcurrencyInfo(now) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.F(retptr, this.__wbg_ptr, !isLikeNone(now), isLikeNone(now) ? 0 : now);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            var r2 = getDataViewMemory0().getInt32(retptr + 4 * 2, true);
            if (r2) {
                throw takeObject(r1);
            }
            return takeObject(r0);
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * Shows snapshots of tasks, given by index and generation each; nothing for a task that doesn't exist.
     * @param {Uint32Array | number[]} places
     * @param {number} now
     * @returns {number}
     */
    getMany(places, now) {
        const val2 = +now;
        const ptr0 = passArray32ToWasm0(places, wasm.ib);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.G(this.__wbg_ptr, ptr0, len0, val2);
        return ret >>> 0;
    }
    /**
     * Shows a snapshot of the task whose id is in the scratch, or for which this actor uses the nickname there.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} id_len
     * @param {number} now
     * @returns {number}
     */
    getNamed(index, generation, run, id_len, now) {
        const ret = wasm.H(this.__wbg_ptr, index, generation, run, id_len, now);
        return ret >>> 0;
    }
    /**
     * Shows a snapshot of a task.
     * @param {number} index
     * @param {number} generation
     * @param {number} now
     * @returns {number}
     */
    get(index, generation, now) {
        const ret = wasm.E(this.__wbg_ptr, index, generation, now);
        return ret >>> 0;
    }
    /**
     * Shows the options of a task's spawn besides its text, as events have them, whichever process spawned it. Nothing if the
     * spawn gave none, or the task no longer exists.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    given(index, generation) {
        const ret = wasm.I(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * Shows the sub-agents of an ended one that continue in the background, each as a model names it.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    goingOn(index, generation) {
        const ret = wasm.J(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * Hands out the facts that were gathered.
     */
    handOut() {
        wasm.K(this.__wbg_ptr);
    }
    /**
     * Whether work waits for anything except the program: for a slot, for budget, for a rate limit.
     * @returns {boolean}
     */
    hasQueued() {
        const ret = wasm.L(this.__wbg_ptr);
        return ret !== 0;
    }
    /**
     * Accepts the end of a host function. The scratch holds its result: `output_len` bytes of output, then `beside_len` bytes of
     * its other texts. `returned` is the number of a `Returned`. Readings that the host did not give are `READING_MISSING`.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} returned
     * @param {number} output_len
     * @param {number} beside_len
     * @param {number} tokens
     * @param {number} cost
     * @param {number} turns
     * @param {number} duration_ms
     */
    hostReturned(now, index, generation, run, returned, output_len, beside_len, tokens, cost, turns, duration_ms) {
        wasm.M(this.__wbg_ptr, now, index, generation, run, returned, output_len, beside_len, tokens, cost, turns, duration_ms);
    }
    /**
     * The material of ids, for values that outlive the core: both halves of the key, and the present salt. Then, for each task
     * with another salt: its generation and index, packed, and that salt.
     * @returns {BigUint64Array}
     */
    idKey() {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.N(retptr, this.__wbg_ptr);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            var v1 = getArrayU64FromWasm0(r0, r1).slice();
            wasm.kb(r0, r1 * 8, 8);
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * The text in the scratch, cut to its head and tail if it is longer than `inlineBytes` (R2).
     * @param {number} text_len
     * @returns {string}
     */
    inline(text_len) {
        let deferred1_0;
        let deferred1_1;
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.O(retptr, this.__wbg_ptr, text_len);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            deferred1_0 = r0;
            deferred1_1 = r1;
            return getStringFromWasm0(r0, r1);
        } finally {
            wasm.nb(16);
            wasm.kb(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * Whether this run of a task is queued or open.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {boolean}
     */
    isOpen(index, generation, run) {
        const ret = wasm.P(this.__wbg_ptr, index, generation, run);
        return ret !== 0;
    }
    /**
     * Hands out its decisions from now on, to be stored, and carries out no effects before `dispatchBuffered`. `lost`: what
     * happens to runs that a drain must stop, as for `reopen`, and `HOSTS_OUTLIVE` if hosts outlive this process. `waits`: no
     * notice is leased before its end is stored, which `dispatchStaged` reports.
     * @param {number} lost
     * @param {boolean} waits
     */
    keepJournal(lost, waits) {
        wasm.Q(this.__wbg_ptr, lost, waits);
    }
    /**
     * The end of a task's last run: its status, and 256 times the reason. If a run is open, or there was none, the task's own.
     * @param {number} index
     * @returns {number}
     */
    lastEnd(index) {
        const ret = wasm.R(this.__wbg_ptr, index);
        return ret >>> 0;
    }
    /**
     * The number of the last message to any task.
     * @returns {number}
     */
    lastMessage() {
        const ret = wasm.S(this.__wbg_ptr);
        return ret;
    }
    /**
     * The number of the last run of a task; 0 if there was none.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    lastRun(index, generation) {
        const ret = wasm.T(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * Shows the last runs of tasks, given by index and generation each.
     * @param {Uint32Array | number[]} places
     * @returns {number}
     */
    lastRuns(places) {
        const ptr0 = passArray32ToWasm0(places, wasm.ib);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.U(this.__wbg_ptr, ptr0, len0);
        return ret >>> 0;
    }
    /**
     * Leases the waiting notices of the actor's inbox, at most `max`, for `lease_ms`; `NaN` if either is not given. Shows them.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} max
     * @param {number} lease_ms
     * @returns {number}
     */
    lease(now, index, generation, run, max, lease_ms) {
        const ret = wasm.V(this.__wbg_ptr, now, index, generation, run, max, lease_ms);
        return ret >>> 0;
    }
    /**
     * Whether a drain leaves the runs that it stops to the process that opens the store next.
     * @returns {boolean}
     */
    leavesRuns() {
        const ret = wasm.W(this.__wbg_ptr);
        return ret !== 0;
    }
    /**
     * A limit in force, by its place in the table; `Infinity` if it is lifted.
     * @param {number} index
     * @returns {number}
     */
    limit(index) {
        const ret = wasm.X(this.__wbg_ptr, index);
        return ret;
    }
    /**
     * Shows a page of tasks, filtered, below a node or all.
     * @param {number} top
     * @param {any} listing
     * @param {number} now
     * @returns {number}
     */
    list(top, listing, now) {
        const borrow0 = addBorrowedObject(listing);
        try {
            const ret = wasm.Y(this.__wbg_ptr, top, borrow0, now);
            return ret >>> 0;
        } finally {
            heap[stack_pointer++] = undefined;
        }
    }
    /**
     * Starts or stops passing facts to the host.
     * @param {boolean} on
     */
    listen(on) {
        wasm.Z(this.__wbg_ptr, on);
    }
    /**
     * Whether an inbox may still get a notice to deliver.
     * @param {number} index
     * @returns {boolean}
     */
    mayNotify(index) {
        const ret = wasm.aa(this.__wbg_ptr, index);
        return ret !== 0;
    }
    /**
     * Whether an actor may start work, in the background or to be waited for (D9).
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {boolean} background
     * @returns {boolean}
     */
    mayStart(index, generation, run, background) {
        const ret = wasm.ba(this.__wbg_ptr, index, generation, run, background);
        return ret !== 0;
    }
    /**
     * Whether a run may use the tool whose name is in the scratch, before its policies are asked (P2).
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} name_len
     * @returns {boolean}
     */
    mayUse(index, generation, run, name_len) {
        const ret = wasm.ca(this.__wbg_ptr, index, generation, run, name_len);
        return ret !== 0;
    }
    /**
     * The number of the message that the open run of a task answers; 0 for the text of its spawn.
     * @param {number} index
     * @returns {number}
     */
    messageNumber(index) {
        const ret = wasm.ea(this.__wbg_ptr, index);
        return ret;
    }
    /**
     * Whether the message with this number waits for a task's run, steers it, or is answered by it.
     * @param {number} index
     * @param {number} generation
     * @param {number} number
     * @returns {boolean}
     */
    messageWaits(index, generation, number) {
        const ret = wasm.fa(this.__wbg_ptr, index, generation, number);
        return ret !== 0;
    }
    /**
     * The message that the open run of a task answers.
     * @param {number} index
     * @returns {string}
     */
    message(index) {
        let deferred1_0;
        let deferred1_1;
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.da(retptr, this.__wbg_ptr, index);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            deferred1_0 = r0;
            deferred1_1 = r1;
            return getStringFromWasm0(r0, r1);
        } finally {
            wasm.nb(16);
            wasm.kb(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * Shows the missing names and sessions that restored work waits for.
     * @returns {number}
     */
    missing() {
        const ret = wasm.ga(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * A core whose effects go to the functions registered under `host`.
     * @param {number} host
     */
    constructor(host) {
        const ret = wasm.ha(host);
        this.__wbg_ptr = ret;
        SubAgentCoreFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Whether notices of an inbox wait, or may return by the time alone.
     * @param {number} index
     * @returns {boolean}
     */
    noticesWait(index) {
        const ret = wasm.ia(this.__wbg_ptr, index);
        return ret !== 0;
    }
    /**
     * Requests `taskForgotten` and `taskClosed` for every task that is forgotten, or closed, from now on.
     */
    notifyForgotten() {
        wasm.ja(this.__wbg_ptr);
    }
    /**
     * The actor's child that changed last among those that accept messages: index and generation packed, -1 if there is none.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {number}
     */
    openChild(index, generation, run) {
        const ret = wasm.ka(this.__wbg_ptr, index, generation, run);
        return ret;
    }
    /**
     * Shows the ids that callers gave.
     * @returns {number}
     */
    ownIds() {
        const ret = wasm.la(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Shows an actor's own sub-agents that are working, or whose ends have not been delivered to it. Refused if the actor has
     * ended.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {number}
     */
    ownToWaitFor(index, generation, run) {
        const ret = wasm.ma(this.__wbg_ptr, index, generation, run);
        return ret >>> 0;
    }
    /**
     * Shows every notice in the actor's inbox, in its present state.
     * @param {number} index
     * @returns {number}
     */
    peek(index) {
        const ret = wasm.na(this.__wbg_ptr, index);
        return ret >>> 0;
    }
    /**
     * The number of notices in an inbox that wait for delivery.
     * @param {number} index
     * @returns {number}
     */
    pendingNotices(index) {
        const ret = wasm.oa(this.__wbg_ptr, index);
        return ret >>> 0;
    }
    /**
     * Shows the policies' record of a task's last run, or of a main agent; nothing if it no longer exists.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    policing(index, generation) {
        const ret = wasm.pa(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * Shows the end of the attempt before a run; nothing if the run is the first attempt at its message.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {number}
     */
    previousError(index, generation, run) {
        const ret = wasm.qa(this.__wbg_ptr, index, generation, run);
        return ret >>> 0;
    }
    /**
     * The same, in the form for the model that requested the task.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    questionText(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.sa(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * A task's question, while it has no answer.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    question(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.ra(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * Shows the messages that wait for a task, oldest first.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    queue(index, generation) {
        const ret = wasm.ta(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * The option that raises the limit at which a task's last run ended; `undefined` if it ended at none, or no longer exists.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    raisedBy(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.ua(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * Whether an actor may name a task: the task is below it, or the program asks (A1).
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} target
     * @param {number} target_generation
     * @returns {boolean}
     */
    reaches(index, generation, run, target, target_generation) {
        const ret = wasm.va(this.__wbg_ptr, index, generation, run, target, target_generation);
        return ret !== 0;
    }
    /**
     * Shows a page of a task's result.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} target
     * @param {number} target_generation
     * @param {number} offset
     * @param {number} limit
     * @returns {number}
     */
    readResult(index, generation, run, target, target_generation, offset, limit) {
        const ret = wasm.wa(this.__wbg_ptr, index, generation, run, target, target_generation, offset, limit);
        return ret >>> 0;
    }
    /**
     * Why the last request was refused: `{ code, message, modelText, details }`.
     * @returns {any}
     */
    refusal() {
        const ret = wasm.xa(this.__wbg_ptr);
        return takeObject(ret);
    }
    /**
     * Shows the first release after a number; nothing if there is none.
     * @param {number} serial
     * @returns {number}
     */
    releaseAfter(serial) {
        const ret = wasm.ya(this.__wbg_ptr, serial);
        return ret >>> 0;
    }
    /**
     * Shows the rest for a run.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {number}
     */
    remaining(index, generation, run) {
        const ret = wasm.za(this.__wbg_ptr, index, generation, run);
        return ret >>> 0;
    }
    /**
     * Continues after the restored facts, with options as `configure` accepts them, or none. `lost`, the number of an
     * `OnHostLost`, decides what happens to a run that was in flight. Work of agents and profiles that are not in these lists
     * waits. So does each session's work until the session is registered. `false` if an option is refused: nothing has
     * continued, and this core can't be used any more.
     * @param {number} now
     * @param {number} lost
     * @param {readonly string[]} agents
     * @param {readonly string[]} profiles
     * @param {any} settings
     * @returns {boolean}
     */
    reopen(now, lost, agents, profiles, settings) {
        const borrow0 = addBorrowedObject(agents);
        const borrow1 = addBorrowedObject(profiles);
        const borrow2 = addBorrowedObject(settings);
        try {
            const ret = wasm.Aa(this.__wbg_ptr, now, lost, borrow0, borrow1, borrow2);
            return ret !== 0;
        } finally {
            heap[stack_pointer++] = undefined;
            heap[stack_pointer++] = undefined;
            heap[stack_pointer++] = undefined;
        }
    }
    /**
     * Accepts a report: usage since the last one, and progress. Readings that were not given are `READING_MISSING`; the length
     * `NO_TEXT` means no message.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} tokens
     * @param {number} cost
     * @param {number} context_tokens
     * @param {number} message_len
     */
    report(now, index, generation, run, tokens, cost, context_tokens, message_len) {
        wasm.Ba(this.__wbg_ptr, now, index, generation, run, tokens, cost, context_tokens, message_len);
    }
    /**
     * US dollars reserved for the open run of a task.
     * @param {number} index
     * @returns {number}
     */
    reservedDollars(index) {
        const ret = wasm.Ca(this.__wbg_ptr, index);
        return ret;
    }
    /**
     * Tokens reserved for the open run of a task.
     * @param {number} index
     * @returns {number}
     */
    reservedTokens(index) {
        const ret = wasm.Da(this.__wbg_ptr, index);
        return ret;
    }
    /**
     * Restores the snapshot in the scratch, which is then empty, in place of the facts that led to it; before anything else. 0
     * if it is restored, -1 if it is no snapshot, else its form, which can't be read.
     * @param {number} len
     * @returns {number}
     */
    restoreSnapshot(len) {
        const ret = wasm.Fa(this.__wbg_ptr, len);
        return ret;
    }
    /**
     * Restores the facts in the scratch, a whole batch that an earlier core handed out in this form. All batches come in their
     * order, before anything else. `false` if no core can have handed them out.
     * @param {number} len
     * @param {number} form
     * @returns {boolean}
     */
    restore(len, form) {
        const ret = wasm.Ea(this.__wbg_ptr, len, form);
        return ret !== 0;
    }
    /**
     * The text of an end for a model; the scratch holds the run's result, as for `hostReturned`.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} status
     * @param {number} reason
     * @param {number} turns
     * @param {number} tokens
     * @param {number} cost
     * @param {number} duration_ms
     * @param {number} output_len
     * @param {number} beside_len
     * @returns {string}
     */
    resultText(index, generation, run, status, reason, turns, tokens, cost, duration_ms, output_len, beside_len) {
        let deferred1_0;
        let deferred1_1;
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.Ga(retptr, this.__wbg_ptr, index, generation, run, status, reason, turns, tokens, cost, duration_ms, output_len, beside_len);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            deferred1_0 = r0;
            deferred1_1 = r1;
            return getStringFromWasm0(r0, r1);
        } finally {
            wasm.nb(16);
            wasm.kb(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * Shows the limits of a task's runs.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    runLimits(index, generation) {
        const ret = wasm.Ha(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * The data that a task's runs saved for later runs, as JSON; `undefined` if there is none.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    saved(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.Ia(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * Allocates `bytes` for text and returns their address.
     * @param {number} bytes
     * @returns {number}
     */
    scratch(bytes) {
        const ret = wasm.Ja(this.__wbg_ptr, bytes);
        return ret >>> 0;
    }
    /**
     * Draws the randomness for ids and fences, once: some edge runtimes have none at import.
     * @param {number} now
     * @returns {boolean}
     */
    seed(now) {
        const ret = wasm.Ka(this.__wbg_ptr, now);
        return ret !== 0;
    }
    /**
     * The key of the session that a node is, or belongs to; `undefined` for the default session, and for a removed node.
     * @param {number} index
     * @param {number} generation
     * @returns {string | undefined}
     */
    sessionKey(index, generation) {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.La(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getStringFromWasm0(r0, r1);
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * Shows the open sessions, including those that no program has registered, by age.
     * @returns {number}
     */
    sessions() {
        const ret = wasm.Ma(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The id that a model reads for a task: the host's own if it identifies only this task, else ours.
     * @param {number} index
     * @param {number} generation
     * @returns {string}
     */
    shownId(index, generation) {
        let deferred1_0;
        let deferred1_1;
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.Na(retptr, this.__wbg_ptr, index, generation);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            deferred1_0 = r0;
            deferred1_1 = r1;
            return getStringFromWasm0(r0, r1);
        } finally {
            wasm.nb(16);
            wasm.kb(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * A snapshot, in place of all facts that were handed out; `None` if there are others.
     * @returns {Uint8Array | undefined}
     */
    snapshot() {
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.Oa(retptr, this.__wbg_ptr);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            let v1;
            if (r0 !== 0) {
                v1 = getArrayU8FromWasm0(r0, r1).slice();
                wasm.kb(r0, r1 * 1, 1);
            }
            return v1;
        } finally {
            wasm.nb(16);
        }
    }
    /**
     * Whether an actor may still act: its run is open, or it is no run (A1).
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {boolean}
     */
    speaks(index, generation, run) {
        const ret = wasm.Pa(this.__wbg_ptr, index, generation, run);
        return ret !== 0;
    }
    /**
     * Buffers the due effects, and hands out the facts that caused them. `false` if there is neither. Effects that were buffered
     * before have been carried out.
     * @returns {boolean}
     */
    stageEffects() {
        const ret = wasm.Ra(this.__wbg_ptr);
        return ret !== 0;
    }
    /**
     * Retains the tokens by kind of the next report, or of the next end of a host function. The scratch holds the id of a model,
     * or nothing. `named`: the host named this model; otherwise it is the model of runs that were given none. Kinds that were
     * not given are `READING_MISSING`; `estimated` is 1 or 0.
     * @param {number} model_len
     * @param {boolean} named
     * @param {number} input
     * @param {number} output
     * @param {number} read
     * @param {number} write
     * @param {number} hour
     * @param {number} reasoning
     * @param {number} estimated
     */
    stageTokens(model_len, named, input, output, read, write, hour, reasoning, estimated) {
        wasm.Sa(this.__wbg_ptr, model_len, named, input, output, read, write, hour, reasoning, estimated);
    }
    /**
     * Retains the options of the next `begin` besides its text. `false` if they are refused.
     * @param {any} options
     * @returns {boolean}
     */
    stage(options) {
        const borrow0 = addBorrowedObject(options);
        try {
            const ret = wasm.Qa(this.__wbg_ptr, borrow0);
            return ret !== 0;
        } finally {
            heap[stack_pointer++] = undefined;
        }
    }
    /**
     * Begins a drain, so that spawns are refused from the call on; `drain` then waits for its end.
     * @param {number} now
     * @param {number} timeout_ms
     */
    startDrain(now, timeout_ms) {
        wasm.Ta(this.__wbg_ptr, now, timeout_ms);
    }
    /**
     * Shows statistics.
     * @param {number} now
     * @returns {number}
     */
    stats(now) {
        const ret = wasm.Ua(this.__wbg_ptr, now);
        return ret >>> 0;
    }
    /**
     * The status of a task by number, without a snapshot; -1 if it doesn't exist.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    status(index, generation) {
        const ret = wasm.Va(this.__wbg_ptr, index, generation);
        return ret;
    }
    /**
     * The process stood still for this many milliseconds until now.
     * @param {number} now
     * @param {number} ms
     */
    stoodStill(now, ms) {
        wasm.Wa(this.__wbg_ptr, now, ms);
    }
    /**
     * Shows the texts that the turn just granted puts into the conversation, in order.
     * @returns {number}
     */
    takeInject() {
        const ret = wasm.Xa(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Shows the id of a task, which each result has: the numbers of its digits after a 0, or the caller's id.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    taskId(index, generation) {
        const ret = wasm.Ya(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * Passes the time, and nothing else.
     * @param {number} now
     */
    tick(now) {
        wasm.Za(this.__wbg_ptr, now);
    }
    /**
     * Shows the usage of a task and all below it.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {number}
     */
    tookInAll(index, generation, run) {
        const ret = wasm.ab(this.__wbg_ptr, index, generation, run);
        return ret >>> 0;
    }
    /**
     * Shows the names of a task's tools: a 1 alone if the list was also shown last, else a 0 and the list. Written by hand: each
     * start asks, and reading the list again would double the time of a start.
     * @param {number} index
     * @param {number} generation
     * @returns {number}
     */
    tools(index, generation) {
        const ret = wasm.bb(this.__wbg_ptr, index, generation);
        return ret >>> 0;
    }
    /**
     * Waits for the current run of one task. Returns the number of the wait, `REFUSED`, or one of `WAIT_…`: the reason for which
     * there is no wait. `timeout_ms` is `NaN` for no deadline.
     * @param {number} now
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @param {number} target
     * @param {number} target_generation
     * @param {number} timeout_ms
     * @returns {number}
     */
    wait(now, index, generation, run, target, target_generation, timeout_ms) {
        const ret = wasm.cb(this.__wbg_ptr, now, index, generation, run, target, target_generation, timeout_ms);
        return ret;
    }
    /**
     * The beginning of the keys of a run's actions: the same in each attempt at its message.
     * @param {number} index
     * @param {number} generation
     * @param {number} run
     * @returns {string}
     */
    workKey(index, generation, run) {
        let deferred1_0;
        let deferred1_1;
        try {
            const retptr = wasm.nb(-16) >>> 0;
            wasm.db(retptr, this.__wbg_ptr, index, generation, run);
            var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
            var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
            deferred1_0 = r0;
            deferred1_1 = r1;
            return getStringFromWasm0(r0, r1);
        } finally {
            wasm.nb(16);
            wasm.kb(deferred1_0, deferred1_1, 1);
        }
    }
}
if (Symbol.dispose) SubAgentCore.prototype[Symbol.dispose] = SubAgentCore.prototype.free;
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        Q: function(arg0, arg1) {
            const ret = Error(getStringFromWasm0(arg0, arg1));
            return addHeapObject(ret);
        },
        w: function(arg0, arg1) {
            const ret = String(getObject(arg1));
            const ptr1 = passStringToWasm0(ret, wasm.ib, wasm.jb);
            const len1 = WASM_VECTOR_LEN;
            getDataViewMemory0().setInt32((arg0 >>> 0) + 4 * 1, len1, true);
            getDataViewMemory0().setInt32((arg0 >>> 0) + 4 * 0, ptr1, true);
        },
        U: function(arg0) {
            const v = getObject(arg0);
            const ret = typeof(v) === 'boolean' ? v : undefined;
            return isLikeNone(ret) ? 0xFFFFFF : ret ? 1 : 0;
        },
        V: function(arg0) {
            const ret = typeof(getObject(arg0)) === 'function';
            return ret;
        },
        P: function(arg0) {
            const ret = getObject(arg0) === null;
            return ret;
        },
        R: function(arg0) {
            const val = getObject(arg0);
            const ret = typeof(val) === 'object' && val !== null;
            return ret;
        },
        S: function(arg0) {
            const ret = typeof(getObject(arg0)) === 'string';
            return ret;
        },
        W: function(arg0) {
            const ret = getObject(arg0) === undefined;
            return ret;
        },
        N: function(arg0, arg1) {
            const obj = getObject(arg1);
            const ret = typeof(obj) === 'number' ? obj : undefined;
            getDataViewMemory0().setFloat64((arg0 >>> 0) + 8 * 1, isLikeNone(ret) ? 0 : ret, true);
            getDataViewMemory0().setInt32((arg0 >>> 0) + 4 * 0, !isLikeNone(ret), true);
        },
        T: function(arg0, arg1) {
            const obj = getObject(arg1);
            const ret = typeof(obj) === 'string' ? obj : undefined;
            var ptr1 = isLikeNone(ret) ? 0 : passStringToWasm0(ret, wasm.ib, wasm.jb);
            var len1 = WASM_VECTOR_LEN;
            getDataViewMemory0().setInt32((arg0 >>> 0) + 4 * 1, len1, true);
            getDataViewMemory0().setInt32((arg0 >>> 0) + 4 * 0, ptr1, true);
        },
        O: function(arg0, arg1) {
            throw new Error(getStringFromWasm0(arg0, arg1));
        },
        X: function(arg0) {
            getObject(arg0)._wbg_cb_unref();
        },
        k: function(arg0, arg1, arg2, arg3, arg4) {
            abortRun(arg0 >>> 0, arg1 >>> 0, arg2 >>> 0, arg3 >>> 0, arg4 >>> 0);
        },
        p: function(arg0) {
            batchDelivered(arg0 >>> 0);
        },
        a: function() { return handleError(function (arg0, arg1, arg2) {
            const ret = getObject(arg0).call(getObject(arg1), getObject(arg2));
            return addHeapObject(ret);
        }, arguments); },
        i: function(arg0, arg1) {
            const ret = consumerGate(arg0 >>> 0, getObject(arg1));
            return addHeapObject(ret);
        },
        n: function(arg0, arg1) {
            effect(arg0 >>> 0, arg1 >>> 0);
        },
        e: function(arg0, arg1, arg2, arg3) {
            facts(arg0 >>> 0, arg1 >>> 0, arg2 >>> 0, arg3 >>> 0);
        },
        x: function() { return handleError(function (arg0, arg1) {
            random(getArrayU8FromWasm0(arg0, arg1));
        }, arguments); },
        G: function() { return handleError(function (arg0, arg1) {
            const ret = Reflect.get(getObject(arg0), getObject(arg1));
            return addHeapObject(ret);
        }, arguments); },
        H: function() { return handleError(function (arg0, arg1) {
            const ret = Reflect.get(getObject(arg0), arg1 >>> 0);
            return addHeapObject(ret);
        }, arguments); },
        s: function(arg0, arg1) {
            const ret = getObject(arg0)[arg1 >>> 0];
            return addHeapObject(ret);
        },
        C: function(arg0) {
            const ret = Array.isArray(getObject(arg0));
            return ret;
        },
        r: function(arg0) {
            const ret = getObject(arg0).length;
            return ret;
        },
        h: function(arg0, arg1, arg2) {
            const ret = makeTool(arg0 >>> 0, takeObject(arg1), getObject(arg2));
            return addHeapObject(ret);
        },
        B: function() {
            const ret = new Array();
            return addHeapObject(ret);
        },
        F: function() {
            const ret = new Map();
            return addHeapObject(ret);
        },
        y: function() {
            const ret = new Object();
            return addHeapObject(ret);
        },
        t: function(arg0, arg1) {
            try {
                var state0 = {a: arg0, b: arg1};
                var cb0 = (arg0, arg1) => {
                    const a = state0.a;
                    state0.a = 0;
                    try {
                        return wasm_bindgen_a15c5c42ecd1ee88___convert__closures_____invoke___js_sys_47ebb8a113cf1493___Function_fn_wasm_bindgen_a15c5c42ecd1ee88___JsValue_____wasm_bindgen_a15c5c42ecd1ee88___sys__Undefined___js_sys_47ebb8a113cf1493___Function_fn_wasm_bindgen_a15c5c42ecd1ee88___JsValue_____wasm_bindgen_a15c5c42ecd1ee88___sys__Undefined_______true_(a, state0.b, arg0, arg1);
                    } finally {
                        state0.a = a;
                    }
                };
                const ret = new Promise(cb0);
                return addHeapObject(ret);
            } finally {
                state0.a = 0;
            }
        },
        I: function() { return handleError(function (arg0) {
            const ret = Reflect.ownKeys(getObject(arg0));
            return addHeapObject(ret);
        }, arguments); },
        z: function(arg0) {
            const ret = getObject(arg0).queueMicrotask;
            return addHeapObject(ret);
        },
        E: function(arg0) {
            queueMicrotask(guarded.bind(undefined, getObject(arg0)));
        },
        o: function(arg0) {
            reportRefusal(arg0 >>> 0);
        },
        A: function(arg0) {
            const ret = Promise.resolve(getObject(arg0));
            return addHeapObject(ret);
        },
        c: function(arg0, arg1) {
            const ret = runEnded(arg0 >>> 0, arg1 >>> 0);
            return ret;
        },
        f: function(arg0, arg1, arg2) {
            const ret = getObject(arg0).set(getObject(arg1), getObject(arg2));
            return addHeapObject(ret);
        },
        g: function(arg0, arg1, arg2) {
            getObject(arg0)[arg1 >>> 0] = takeObject(arg2);
        },
        v: function(arg0, arg1, arg2) {
            getObject(arg0)[takeObject(arg1)] = takeObject(arg2);
        },
        j: function(arg0, arg1, arg2, arg3, arg4) {
            startRun(arg0 >>> 0, arg1 >>> 0, arg2 >>> 0, arg3 >>> 0, arg4 !== 0);
        },
        J: function() {
            const ret = typeof globalThis === 'undefined' ? undefined : globalThis;
            return isLikeNone(ret) ? 0 : addHeapObject(ret);
        },
        L: function() {
            const ret = typeof global === 'undefined' ? undefined : global;
            return isLikeNone(ret) ? 0 : addHeapObject(ret);
        },
        K: function() {
            const ret = typeof self === 'undefined' ? undefined : self;
            return isLikeNone(ret) ? 0 : addHeapObject(ret);
        },
        M: function() {
            const ret = typeof window === 'undefined' ? undefined : window;
            return isLikeNone(ret) ? 0 : addHeapObject(ret);
        },
        q: function(arg0, arg1, arg2, arg3) {
            taskGone(arg0 >>> 0, arg1 >>> 0, arg2 >>> 0, arg3 !== 0);
        },
        D: function(arg0, arg1) {
            const ret = getObject(arg0).then(getObject(arg1));
            return addHeapObject(ret);
        },
        m: function(arg0, arg1, arg2, arg3) {
            const ret = turnReady(arg0 >>> 0, arg1 >>> 0, arg2 >>> 0, arg3 >>> 0);
            return ret;
        },
        d: function(arg0, arg1, arg2) {
            waitDone(arg0 >>> 0, arg1, arg2 !== 0);
        },
        l: function(arg0, arg1) {
            wakeAt(arg0 >>> 0, arg1);
        },
        Y: function(arg0, arg1) {
            // Cast intrinsic for `Closure(Closure { owned: true, function: Function { arguments: [Externref], shim_idx: 40, ret: Result(Unit), inner_ret: Some(Result(Unit)) }, mutable: true }) -> Externref`.
            const ret = makeMutClosure(arg0, arg1, wasm_bindgen_a15c5c42ecd1ee88___convert__closures_____invoke___wasm_bindgen_a15c5c42ecd1ee88___JsValue__core_c5930c85a12de822___result__Result_____wasm_bindgen_a15c5c42ecd1ee88___JsError___true_);
            return addHeapObject(ret);
        },
        Z: function(arg0) {
            // Cast intrinsic for `F64 -> Externref`.
            const ret = arg0;
            return addHeapObject(ret);
        },
        aa: function(arg0, arg1) {
            // Cast intrinsic for `Ref(String) -> Externref`.
            const ret = getStringFromWasm0(arg0, arg1);
            return addHeapObject(ret);
        },
        u: function(arg0) {
            const ret = getObject(arg0);
            return addHeapObject(ret);
        },
        b: function(arg0) {
            takeObject(arg0);
        },
    };
    return {
        __proto__: null,
        "539b69b4": import0,
    };
}

function wasm_bindgen_a15c5c42ecd1ee88___convert__closures_____invoke___js_sys_47ebb8a113cf1493___Function_fn_wasm_bindgen_a15c5c42ecd1ee88___JsValue_____wasm_bindgen_a15c5c42ecd1ee88___sys__Undefined___js_sys_47ebb8a113cf1493___Function_fn_wasm_bindgen_a15c5c42ecd1ee88___JsValue_____wasm_bindgen_a15c5c42ecd1ee88___sys__Undefined_______true_(arg0, arg1, arg2, arg3) {
    wasm.gb(arg0, arg1, addHeapObject(arg2), addHeapObject(arg3));
}

function wasm_bindgen_a15c5c42ecd1ee88___convert__closures_____invoke___wasm_bindgen_a15c5c42ecd1ee88___JsValue__core_c5930c85a12de822___result__Result_____wasm_bindgen_a15c5c42ecd1ee88___JsError___true_(arg0, arg1, arg2) {
    try {
        const retptr = wasm.nb(-16) >>> 0;
        wasm.hb(retptr, arg0, arg1, addHeapObject(arg2));
        var r0 = getDataViewMemory0().getInt32(retptr + 4 * 0, true);
        var r1 = getDataViewMemory0().getInt32(retptr + 4 * 1, true);
        if (r1) {
            throw takeObject(r0);
        }
    } finally {
        wasm.nb(16);
    }
}

const SubAgentCoreFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => instance.hasFailed || wasm.b(ptr, 1));

function addHeapObject(obj) {
    if (heap_next === heap.length) heap.push(heap.length + 1);
    const idx = heap_next;
    heap_next = heap[idx];

    heap[idx] = obj;
    return idx;
}

function addBorrowedObject(obj) {
    if (stack_pointer == 1) throw new Error('out of js stack');
    heap[--stack_pointer] = obj;
    return stack_pointer;
}

const CLOSURE_DTORS = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(state => instance.hasFailed || wasm.mb(state.a, state.b));

function dropObject(idx) {
    if (idx < 1028) return;
    heap[idx] = heap_next;
    heap_next = idx;
}

function getArrayU64FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getBigUint64ArrayMemory0().subarray(ptr / 8, ptr / 8 + len);
}

function getArrayU8FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);
}

let cachedBigUint64ArrayMemory0 = null;
function getBigUint64ArrayMemory0() {
    if (cachedBigUint64ArrayMemory0 === null || cachedBigUint64ArrayMemory0.byteLength === 0) {
        cachedBigUint64ArrayMemory0 = new BigUint64Array(wasm.a.buffer);
    }
    return cachedBigUint64ArrayMemory0;
}

let cachedDataViewMemory0 = null;
function getDataViewMemory0() {
    if (cachedDataViewMemory0 === null || cachedDataViewMemory0.buffer.detached === true || (cachedDataViewMemory0.buffer.detached === undefined && cachedDataViewMemory0.buffer !== wasm.a.buffer)) {
        cachedDataViewMemory0 = new DataView(wasm.a.buffer);
    }
    return cachedDataViewMemory0;
}

function getStringFromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return decodeText(getUint8ArrayMemory0().subarray(ptr, ptr + len));
}

let cachedUint32ArrayMemory0 = null;
function getUint32ArrayMemory0() {
    if (cachedUint32ArrayMemory0 === null || cachedUint32ArrayMemory0.byteLength === 0) {
        cachedUint32ArrayMemory0 = new Uint32Array(wasm.a.buffer);
    }
    return cachedUint32ArrayMemory0;
}

let cachedUint8ArrayMemory0 = null;
function getUint8ArrayMemory0() {
    if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.byteLength === 0) {
        cachedUint8ArrayMemory0 = new Uint8Array(wasm.a.buffer);
    }
    return cachedUint8ArrayMemory0;
}

function getObject(idx) { return heap[idx]; }

function handleError(f, args) {
    try {
        return f.apply(this, args);
    } catch (e) {
        wasm.lb(addHeapObject(e));
    }
}

let heap = new Array(1024).fill(undefined);
heap.push(undefined, null, true, false);

let heap_next = heap.length;

function isLikeNone(x) {
    return x === undefined || x === null;
}

function makeMutClosure(arg0, arg1, f) {
    const state = { a: arg0, b: arg1, cnt: 1 };
    const real = (...args) => {

        // First up with a closure we increment the internal reference
        // count. This ensures that the Rust closure environment won't
        // be deallocated while we're invoking it.
        state.cnt++;
        const a = state.a;
        state.a = 0;
        try {
            return f(a, state.b, ...args);
        } finally {
            state.a = a;
            real._wbg_cb_unref();
        }
    };
    real._wbg_cb_unref = () => {
        if (--state.cnt === 0) {
            wasm.mb(state.a, state.b);
            state.a = 0;
            CLOSURE_DTORS.unregister(state);
        }
    };
    CLOSURE_DTORS.register(real, state, state);
    return real;
}

function passArray32ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 4, 4) >>> 0;
    getUint32ArrayMemory0().set(arg, ptr / 4);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passStringToWasm0(arg, malloc, realloc) {
    if (realloc === undefined) {
        const buf = cachedTextEncoder.encode(arg);
        const ptr = malloc(buf.length, 1) >>> 0;
        getUint8ArrayMemory0().subarray(ptr, ptr + buf.length).set(buf);
        WASM_VECTOR_LEN = buf.length;
        return ptr;
    }

    let len = arg.length;
    let ptr = malloc(len, 1) >>> 0;

    const mem = getUint8ArrayMemory0();

    let offset = 0;

    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
        ptr = realloc(ptr, len, len = offset + arg.length * 3, 1) >>> 0;
        const view = getUint8ArrayMemory0().subarray(ptr + offset, ptr + len);
        const ret = cachedTextEncoder.encodeInto(arg, view);

        offset += ret.written;
        ptr = realloc(ptr, len, offset, 1) >>> 0;
    }

    WASM_VECTOR_LEN = offset;
    return ptr;
}

let stack_pointer = 1024;

function takeObject(idx) {
    const ret = getObject(idx);
    dropObject(idx);
    return ret;
}

let cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
cachedTextDecoder.decode();
const MAX_SAFARI_DECODE_BYTES = 2146435072;
let numBytesDecoded = 0;
function decodeText(bytes) {
    numBytesDecoded += bytes.length;
    if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
        cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
        cachedTextDecoder.decode();
        numBytesDecoded = bytes.length;
    }
    return cachedTextDecoder.decode(bytes);
}

const cachedTextEncoder = new TextEncoder();

if (!('encodeInto' in cachedTextEncoder)) {
    cachedTextEncoder.encodeInto = function (arg, view) {
        const buf = cachedTextEncoder.encode(arg);
        view.set(buf);
        return {
            read: arg.length,
            written: buf.length
        };
    };
}

let WASM_VECTOR_LEN = 0;
function guarded(task) {
    try {
        task();
    } catch (error) {
        if (instance.onFailure === undefined) throw error;
        instance.onFailure(error);
    }
}
const wasm = new WebAssembly.Instance(module, __wbg_get_imports()).exports;
const instance = { SubAgentCore, memory: wasm.a, onFailure: undefined, hasFailed: false };
return instance;
}
