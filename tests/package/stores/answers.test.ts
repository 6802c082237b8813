// What a run was answered belongs to its message: an attempt that begins in place of another one, by a restart, a drain or
// `retry`, gets the answers of before, and nobody is asked twice (M5, X5, J3).

import { expect, test } from 'vitest';
import { type Run, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { never, type Options, opener, settled } from '../../support/opened.js';
import { watchedStore } from '../../support/stores.js';

const open = opener();

/** What a run is answered; empty where it has to wait for the answer. */
async function answered(run: Run, question: string): Promise<string> {
  const asked = run.ask(question);
  const answer = await Promise.race([asked, settled()]);
  return answer?.answered === true ? answer.answer : '';
}

/** The questions that somebody was asked. */
function questions(manager: SubAgentManager): string[] {
  const asked: string[] = [];
  manager.subscribe((event: SubAgentEvent) => void (event.type === 'question_asked' && asked.push(event.question)));
  return asked;
}

/** What the next attempt is answered of a run that was answered once before its checkpoint and once after it. */
async function afterLoss(options: Options, lose: (manager: SubAgentManager) => Promise<unknown>): Promise<readonly string[]> {
  const store = watchedStore();
  const first = await open(store, {
    ...options,
    spawnSubAgent: async (_, run) => {
      await run.ask('Which?');
      await run.checkpoint({ asked: 1 });
      await run.ask('How many?');
      return never;
    },
  });
  const handle = first.spawn({ instructions: 'x', background: true });
  for (const text of ['the blue one', 'two']) {
    while (handle.snapshot().question === null) await settled();
    handle.send(text);
  }
  await settled();
  await lose(first);
  await first.flush();
  const answers: string[] = [];
  const second = await open(watchedStore(store.records), {
    ...options,
    spawnSubAgent: async (_, run) => {
      const permit = await run.beforeTurn();
      if (permit.go) answers.push(...(permit.inject ?? []));
      // What it knows by its checkpoint, and what it has got again, is another question, asked once more.
      const before = run.checkpointed === undefined ? ['Which?', 'How many?'] : ['How many?'];
      for (const question of [...before, 'Which?']) answers.push(await answered(run, question));
      return { output: '' };
    },
  });
  const asked = questions(second);
  while (second.get(handle.taskId).status !== 'completed') await settled();
  return [...answers, '|', ...asked];
}

const WHICH = 'You asked before: Which?\nThe answer was: the blue one';
const HOW_MANY = 'You asked before: How many?\nThe answer was: two';

test.each([
  ['resume', 'crash', [HOW_MANY, 'two', '', '|', 'Which?']],
  ['resume', 'drain', [HOW_MANY, 'two', '', '|', 'Which?']],
  ['requeue', 'crash', [WHICH, HOW_MANY, 'the blue one', 'two', '', '|', 'Which?']],
  ['requeue', 'drain', [WHICH, HOW_MANY, 'the blue one', 'two', '', '|', 'Which?']],
] as const)('M5 J3 D8 after `onHostLost: %s` and a %s the run hears and is answered %o', async (onHostLost, what, reported) => {
  const drain = (manager: SubAgentManager): Promise<unknown> => manager.drain({ timeoutMs: 1 });
  expect(await afterLoss({ onHostLost, graceMs: 1 }, what === 'drain' ? drain : () => settled())).toEqual(reported);
});

test('M5 X5 each attempt of a `retry` gets an answer once; what it asks beyond that, and the next message asks, is asked', async () => {
  const answers: string[] = [];
  let attempts = 0;
  const manager = new SubAgentManager({
    retry: { max: 2, backoffMs: 1 },
    spawnSubAgent: async (_, run) => {
      attempts += 1;
      for (let times = 0; times < attempts; times += 1) {
        const answer = await run.ask('Go on?');
        answers.push(`${run.run}: ${answer.answered && answer.answer}`);
      }
      if (run.run < 3) throw new Error('not yet');
      return { output: 'done' };
    },
  });
  const asked = questions(manager);
  const handle = manager.spawn({ instructions: 'x', background: true });
  let given = 0;
  const give = async (): Promise<void> => {
    while (!['completed', 'failed'].includes(handle.snapshot().status)) {
      if (handle.snapshot().question !== null) {
        given += 1;
        handle.send(`answer ${given}`);
      }
      await settled();
    }
  };
  await give();
  expect(answers).toEqual(['1: answer 1', '2: answer 1', '2: answer 2', '3: answer 1', '3: answer 2', '3: answer 3']);
  attempts = 0;
  handle.send('next');
  await give();
  expect(answers.slice(6)).toEqual(['4: answer 4']);
  expect(asked).toEqual(Array(4).fill('Go on?'));
  manager.dispose();
});

test('M5 X5 what an attempt asks in place of what the one before had asked is asked: no answer of before is for that', async () => {
  const answers: string[] = [];
  const manager = new SubAgentManager({
    retry: { max: 1, backoffMs: 1 },
    spawnSubAgent: async (_, run) => {
      for (const question of run.run === 1 ? ['Delete a?', 'Delete b?'] : ['Delete b?', 'Delete a?', 'Delete b?']) {
        const answer = await run.ask(question);
        answers.push(`${run.run}: ${question} ${answer.answered && answer.answer}`);
      }
      if (run.run === 1) throw new Error('not yet');
      return { output: 'done' };
    },
  });
  const handle = manager.spawn({ instructions: 'x', background: true });
  const given = ['yes', 'no', 'no, it is needed'];
  while (handle.snapshot().status !== 'completed') {
    if (handle.snapshot().question !== null) handle.send(given.shift() as string);
    await settled();
  }
  expect(answers).toEqual(['1: Delete a? yes', '1: Delete b? no', '2: Delete b? no, it is needed', '2: Delete a? yes', '2: Delete b? no']);
  manager.dispose();
});
