// The form in which listeners in this process get facts. That the core writes it so is shown by the transcripts; here are its
// places that need care: the memory that moves, what a new sub-agent is called, and texts that are not decoded.

import { expect, test } from 'vitest';
import { type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { UNKNOWN } from '../../../ts/base/fact-fields.js';
import { FactNumbers } from '../../../ts/boundary/fact-numbers.js';
import { Scratch } from '../../../ts/boundary/scratch.js';

test('memory that grows while a task is named has moved', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  new Float64Array(memory.buffer).set([2, 1, 42, 2], 16);
  new Uint8Array(memory.buffer).set(new TextEncoder().encode('é'), 512);
  const idOf = () => {
    memory.grow(1);
    return 'named';
  };
  const numbers = new FactNumbers({ idOf, subjectOf: () => UNKNOWN }, new Scratch(undefined as never, memory));
  numbers.begin(128, 4, 512);
  expect(numbers.task()).toBe('named');
  expect(numbers.number()).toBe(42);
  expect(numbers.isOver).toBe(false);
  expect(numbers.text()).toBe('é');
  expect(numbers.isOver).toBe(true);
});

/** All events of sub-agents that get these texts and return them. */
async function eventsOf(texts: readonly string[]) {
  const manager = new SubAgentManager({ spawnSubAgent: async ({ instructions }) => ({ output: instructions }) });
  const events: SubAgentEvent[] = [];
  manager.subscribe((event) => events.push(event));
  const handles = texts.map((instructions) => manager.spawn({ instructions }));
  for (const handle of handles) await handle.wait();
  const known = handles.map(({ taskId }) => ({ taskId, label: manager.get(taskId).label }));
  manager.dispose();
  return { events, known };
}

const TEXTS = [
  'Read a.md',
  'Read all that there is in a.md, then b.md',
  '  \n\t Read all that there is in a.md, then b.md',
  'Read all that there is in it.   \n And more',
  'Read all that\nthere is in a.md, then b.md',
  '\u0085 Read all that there is in a.md',
  '\ufeffRead all that there is in a.md',
  '\u2003读取所有文件并总结其中的内容，然后写一份报告给我，谢谢你的帮助，再见。',
  '😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀',
  'x'.repeat(5_000),
];

test('a new sub-agent is called in events as it is called elsewhere, whatever its text', async () => {
  const { events, known } = await eventsOf(TEXTS);
  const admitted = events.filter((event) => event.type === 'task_admitted');
  expect(admitted.map(({ taskId, label }) => ({ taskId, label }))).toEqual(known);
  expect(events.filter((event) => event.type === 'run_ended').map(({ taskId, label }) => ({ taskId, label }))).toEqual(known);
});

test('texts are delivered as they were given and returned', async () => {
  const { events } = await eventsOf(TEXTS);
  expect(events.flatMap((event) => (event.type === 'task_admitted' ? event.text : []))).toEqual(TEXTS);
  expect(events.flatMap((event) => (event.type === 'run_ended' ? event.output : []))).toEqual(TEXTS);
});

test('an output that was cut, and one that a sub-agent left behind, is delivered as results have it', async () => {
  const manager = new SubAgentManager({
    maxResultBytes: 10,
    graceMs: 0,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'stopped') {
        run.report({ message: 'half' });
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      }
      return { output: 'é'.repeat(10) };
    },
  });
  const outputs: string[] = [];
  manager.subscribe((event) => {
    if (event.type === 'run_ended') outputs.push(event.output);
  });
  const cut = manager.spawn({ instructions: 'long' });
  const results = [await cut.wait()];
  const stopped = manager.spawn({ instructions: 'stopped' });
  await Promise.resolve();
  await stopped.cancel();
  results.push(await stopped.wait());
  // A later run of the same task.
  cut.send('once more');
  results.push(await cut.wait());
  expect(outputs).toEqual(results.map(({ output }) => output));
  expect(outputs).toEqual(['é'.repeat(5), 'half', 'é'.repeat(5)]);
  manager.dispose();
});

test('events are plain objects: they can be copied, spread and made JSON', async () => {
  const { events } = await eventsOf(['Read a.md']);
  expect(events.map(({ type }) => type)).toEqual(['task_admitted', 'run_started', 'run_ended']);
  for (const event of events) {
    expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
    expect(structuredClone(event)).toEqual(event);
    expect({ ...event }).toEqual(event);
    const reported = JSON.stringify(event, (_, value) => (value === Infinity ? 'none' : value));
    expect(Object.keys(JSON.parse(reported))).toEqual(Object.keys(event));
  }
});
