// A worker in a process of its own, for tests: what a run does is in its instructions, as JSON; what it did goes to a log,
// a line of JSON each, which also lives when the process is killed.

import { openSync, writeSync } from 'node:fs';
import { work } from '../../dist/workers/bullmq.js';

const { log, name, besideSdk, ...options } = JSON.parse(process.argv[2]);
// A machine whose clock is off; the test says by how much.
const { now } = Date;
let clockMs = 0;
Date.now = () => now() + clockMs;
process.on('message', (said) => {
  clockMs = said.clockMs;
});
// The test that started it is gone.
process.once('disconnect', () => process.exit());
const file = openSync(log, 'a');
const write = (line) => writeSync(file, `${JSON.stringify({ at: Date.now(), worker: name, ...line })}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the run is asked to stop, or after so long. */
const during = (run, ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    run.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

let wasDeaf = false;
const abortedBy = (run) => `aborted ${run.signal.reason.details.reason}`;

/** What one step of the instructions does; what it returns stands in the output. */
const STEPS = {
  async turns({ count, ms = 0, from = 0 }, run, reported) {
    const first = (run.checkpointed?.done ?? from) + 1;
    for (let number = first; number <= count; number += 1) {
      const permit = await run.beforeTurn();
      if (!permit.go) return run.signal.aborted ? abortedBy(run) : `stopped ${permit.reason}`;
      write({ ...reported, what: 'turn', number, inject: permit.inject });
      if (ms > 0) await during(run, ms);
      write({ ...reported, what: 'turned', number });
      run.report({ tokens: 10, message: `turn ${number}` });
      if (run.signal.aborted) return abortedBy(run);
      try {
        await run.checkpoint({ done: number });
      } catch (error) {
        // A run that was lost meanwhile has no checkpoints any more.
        if (!run.signal.aborted) throw error;
        return abortedBy(run);
      }
    }
    return `turns ${first} to ${count}`;
  },
  /** Turns that take so many tokens each, of which the log reports when they begin; each is reported when it is over. */
  async spend({ count, tokens, ms = 0, costUsd, kinds, child, totals }, run, reported, result) {
    result.usage = undefined;
    let turns = 0;
    for (let number = (run.checkpointed?.done ?? 0) + 1; number <= count; number += 1) {
      const permit = await run.beforeTurn();
      if (!permit.go) return run.signal.aborted ? abortedBy(run) : `stopped ${permit.reason}`;
      write({ ...reported, what: 'turn', number, tokens, costUsd });
      if (ms > 0) await pause(ms);
      write({ ...reported, what: 'turned', number });
      if (totals !== 'only') run.report({ tokens, costUsd, ...kinds });
      turns += 1;
      const times = ([kind, value]) => [kind, typeof value === 'number' ? turns * value : value];
      const all = Object.fromEntries(Object.entries(kinds ?? {}).map(times));
      if (totals !== undefined) result.usage = { tokens: turns * tokens, costUsd, turns, ...all };
      if (run.signal.aborted) return abortedBy(run);
      if (child !== undefined) {
        try {
          const handle = await run.spawn({ instructions: JSON.stringify(child), idempotencyKey: `child ${number}` });
          await handle.wait();
        } catch (error) {
          if (error.code !== 'budget_exhausted' && !run.signal.aborted) throw error;
        }
      }
      await run.checkpoint({ done: number }).catch((error) => {
        if (!run.signal.aborted) throw error;
      });
    }
    return 'spent';
  },
  async stuck(_, run) {
    if (!run.signal.aborted) await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    return abortedBy(run);
  },
  /** The first time in this process it takes its time, whatever its signal says. */
  async deafFirst({ ms }, run, reported) {
    if (wasDeaf) return 'heard';
    wasDeaf = true;
    write({ ...reported, what: 'deaf' });
    await pause(ms);
    return run.signal.aborted ? abortedBy(run) : 'was deaf';
  },
  /** What steers it, once there is something. */
  async hear(_, run, reported) {
    write({ ...reported, what: 'listens' });
    const inject = await run.steers({ wait: true });
    write({ ...reported, what: 'heard', inject });
    return inject.join();
  },
  async pause({ ms }) {
    await pause(ms);
    return 'paused';
  },
  async die() {
    // Whoever started this process knows by then that it has come up.
    await up;
    process.kill(process.pid, 'SIGKILL');
    await pause(10_000);
  },
  async brief(_, run) {
    const { taskId, label, depth, prompt, contextHint, tools, limits, previousError, checkpointed, modelId, systemPrompt } = run;
    return JSON.stringify({
      taskId,
      run: run.run,
      label,
      depth,
      prompt,
      contextHint,
      tools,
      limits,
      previousError,
      checkpointed,
      modelId,
      systemPrompt,
    });
  },
  async key({ parts }, run, reported) {
    const key = run.idempotencyKey(...parts);
    write({ ...reported, what: 'key', output: [key] });
    return key;
  },
  async failFirst(_, run) {
    if (run.run === 1) throw new Error('the first time');
    return `run ${run.run}`;
  },
  async ask({ question }, run) {
    return JSON.stringify(await run.ask(question));
  },
  async tool({ tool }, run) {
    const permit = await run.beforeTool(tool, { path: 'a' });
    if (!permit.allowed) return permit.reason;
    const verdict = await run.afterTool(tool, 'its result');
    return JSON.stringify(verdict);
  },
  async spawn({ child }, run) {
    const handle = await run.spawn({ instructions: JSON.stringify(child) });
    const result = await handle.wait();
    return `child ${result.status}: ${result.output}`;
  },
  async background({ child }, run) {
    const idempotencyKey = run.idempotencyKey('child');
    const { taskId } = await run.spawn({ instructions: JSON.stringify(child), background: true, idempotencyKey });
    const { completed } = await run.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
    return `child ${completed[0].status}: ${completed[0].output}`;
  },
  async delegate({ child }, run) {
    const tools = await run.createTools({ include: ['spawn'] });
    return tools.spawn_agent.execute({ instructions: JSON.stringify(child) });
  },
  /** A call of a model's tool under an id that each attempt has, with the signal that frameworks give. */
  async call({ child, id }, run) {
    const tool = await run.createSubAgentTool();
    return tool.execute({ instructions: JSON.stringify(child) }, { toolCallId: id, abortSignal: run.signal });
  },
  async end({ output }, run) {
    const permit = await run.beforeEnd(output);
    return permit.end ? permit.output : permit.inject.join();
  },
  async throw({ message }) {
    throw new RangeError(message);
  },
  async refused({ call, args }, run) {
    return run[call](...args).then(
      () => 'went well',
      (error) => `${error.name} ${error.code}`,
    );
  },
};

// As OpenAI's SDK does: it ends the process if nobody else listens.
if (besideSdk) process.on('SIGTERM', () => setImmediate(() => process.listenerCount('SIGTERM') === 1 && process.exit(0)));

const worker = work({
  ...options,
  onError: (error) => write({ what: 'error', message: error.message }),
  async spawnSubAgent(params, run) {
    const steps = JSON.parse(run.prompt);
    const reported = { task: run.taskId, attempt: crypto.randomUUID().slice(0, 8) };
    // What it returns as its usage.
    const result = { usage: { tokens: 100 } };
    write({ ...reported, what: 'started', checkpointed: run.checkpointed, instructions: params.instructions });
    const output = [];
    for (const { do: what, ...step } of steps) output.push(await STEPS[what](step, run, reported, result));
    write({ ...reported, what: 'ended', output, aborted: run.signal.aborted });
    return { output: output.join('\n'), usage: result.usage };
  },
});
const up = worker.ready().then(() => {
  write({ what: 'ready' });
  return new Promise((resolve) => process.send('ready', resolve));
});
await up;
