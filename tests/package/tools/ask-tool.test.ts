// The tool by which a sub-agent's model asks: where it is made, what it is called, and what its model reads of each way
// that a question ends. What a question does to the run stands in talk.test.ts.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import { OPERATIONS, type SubAgentManager, type SubAgentManagerOptions, TOOL_PRESETS, type ToolsOptions } from '../../../dist/index.js';
import { done, managerWith, refusal, rejects } from '../../support/hosts.js';
import { flush, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

/** A sub-agent whose model asks once, and ends with what it read. */
function asking(options: SubAgentManagerOptions = {}, toolsOptions: ToolsOptions = {}, args: unknown = { question: 'Which colour?' }) {
  const names: string[][] = [];
  const { manager } = managerWith(async (_, run) => {
    const tools = run.createTools({ ...toolsOptions, ask: true });
    names.push(Object.keys(tools));
    const tool = [...tools].at(-1);
    return done((await tool?.execute(args)) ?? 'there was no tool');
  }, options);
  opened.push(manager);
  return { manager, names };
}

describe('the question tool', () => {
  test('M5 the model of a sub-agent asks, the one that gave the task answers, and the answer is what it reads', async () => {
    const { manager, names } = asking({ maxConcurrent: 1 });
    const handle = manager.spawn({ instructions: 'paint' });
    const { needsInput } = await manager.wait([handle]);
    expect(needsInput).toEqual([{ taskId: handle.taskId, question: 'Which colour?' }]);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, parked: 1 });
    expect(handle.send('Blue. Ignore the rest.').receipt).toBe('delivered');
    expect((await handle.wait()).output).toBe('Blue. Ignore the rest.');
    expect(names).toEqual([expect.arrayContaining(['spawn_agent', 'ask_parent'])]);
    expect(names[0]?.at(-1)).toBe('ask_parent');
  });

  test('M5 a model that delegated answers with its own tool, and is notified of the end', async () => {
    const { manager } = asking();
    const tools = manager.createTools();
    const asked = (await tools.spawn_agent?.execute({ instructions: 'paint', name: 'painter' })) ?? '';
    expect(asked).toContain('Which colour?');
    expect(asked).toContain('send_message answers it.');
    expect(await tools.send_message?.execute({ agent_id: 'painter', message: 'red' })).toContain('has your answer and continues');
    await flush();
    expect(manager.inbox.lease().map(({ output }) => output)).toEqual(['red']);
  });

  test('M5 where its time runs out, where it is stopped and where nobody can answer, it says how to go on', async () => {
    const late = asking({ askTimeoutMs: 1_000 }).manager.spawn({ instructions: 'x' });
    await pass(1_000);
    expect((await settles(late.wait(), 0)).output).toContain('was not answered in time. Go on with what you know');
    const stopped = asking().manager.spawn({ instructions: 'x' });
    await flush();
    await stopped.cancel();
    expect((await settles(stopped.wait(), 0)).output).toContain('you must stop. End now');
    const text = await asking().manager.createSubAgentTool({ canAnswer: false }).execute({ instructions: 'x' });
    expect(text).toContain("can't be answered here. Go on with what you know");
  });

  test('a wrong question is a text, a second one beside an open one too, and nothing was asked', async () => {
    for (const args of [{}, { question: ' ' }, { question: 7 }, 'nonsense {', null]) {
      const { output } = await asking({}, {}, args).manager.spawn({ instructions: 'x' }).wait();
      expect(output, JSON.stringify(args)).toMatch(/^Not done: .*Correct the arguments and call again\.$/);
    }
    const { manager } = managerWith(async (_, run) => {
      const ask = run.createTools({ include: [], ask: true }).ask_parent;
      const first = ask?.execute({ question: 'one?' });
      const second = await ask?.execute({ question: 'two?' });
      return done(`${second} ${await first}`);
    });
    opened.push(manager);
    const handle = manager.spawn({ instructions: 'x' });
    await rejects(handle.wait(), 'needs_input');
    handle.send('yes');
    expect((await handle.wait()).output).toMatch(/^Not done: .*last question.* yes$/);
  });

  test('its details say whose question it was and whether it was answered; after the run it asks nothing', async () => {
    let again: (() => Promise<unknown>) | undefined;
    const { manager } = managerWith(async (_, run) => {
      const tool = run.createTools({ include: [], ask: true }).ask_parent;
      again = async () => tool?.execute('call-2', { question: 'still there?' });
      const answer = await tool?.execute('call-1', { question: 'left?' });
      return done(JSON.stringify(answer));
    });
    opened.push(manager);
    const handle = manager.spawn({ instructions: 'x' });
    await flush();
    handle.send('right');
    const { output } = await handle.wait();
    const details = { operation: 'ask', taskIds: [handle.taskId], ok: true };
    expect(JSON.parse(output)).toEqual({ content: [{ type: 'text', text: 'right' }], details });
    expect(await again?.()).toMatchObject({
      content: [{ text: expect.stringMatching(/^Not done: /) }],
      details: { ...details, ok: false },
    });
  });

  test('each preset has a name for it, `names` another; alone with an empty list of others', async () => {
    for (const preset of TOOL_PRESETS) {
      const { manager, names } = asking({ askTimeoutMs: 1 }, { preset });
      const handle = manager.spawn({ instructions: 'x' });
      await pass(1);
      await settles(handle.wait(), 0);
      expect(names[0]?.at(-1)).toBe(preset === 'claude' ? 'AskParent' : 'ask_parent');
    }
    const own = asking({ askTimeoutMs: 1 }, { include: [], names: { ask: 'contact_supervisor' } });
    own.manager.spawn({ instructions: 'x' });
    expect(own.names).toEqual([['contact_supervisor']]);
  });

  test('P2 where the tools of a run are known, it may use it only if it is among them', async () => {
    const allowed: unknown[] = [];
    const { manager } = managerWith(
      async (_, run) => {
        allowed.push((await run.beforeTool('ask_parent')).allowed);
        return done();
      },
      { tools: ['read', 'ask_parent'] },
    );
    opened.push(manager);
    await manager.spawn({ instructions: 'x' }).wait();
    await manager.spawn({ instructions: 'x', tools: ['read'] }).wait();
    expect(allowed).toEqual([true, false]);
  });

  test("it is nobody else's: a manager, a session, wrong options", () => {
    const { manager } = asking();
    for (const scope of [manager, manager.session('a')]) {
      const error = refusal(() => scope.createTools({ ask: true }));
      expect([error.code, error.details.argument]).toEqual(['invalid_argument', 'ask']);
      expect(Object.keys(scope.createTools({ ask: false, names: { ask: 'x' } }))).not.toContain('x');
    }
    expect(refusal(() => manager.createTools({ ask: 'yes' as never })).code).toBe('invalid_argument');
    expect(refusal(() => manager.createTools({ include: ['ask' as never] })).message).toContain(OPERATIONS[0]);
  });
});
