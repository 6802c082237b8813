// The scenarios that every framework goes through, with its real package and a fake model. Owns what must be
// true in each; nothing here knows a framework.

import assert from 'node:assert/strict';
import { type HostResult, type Policy, type Run, SubAgentManager, type SubAgentManagerOptions, type SubAgentParamsType } from 'subagents';
import { type Framework, type Said, type Think, untilAborted } from './framework.js';

export type Scenario = (framework: Framework) => Promise<void>;

type Host = (params: SubAgentParamsType, run: Run) => Promise<HostResult> | HostResult;

/** A model that says one thing after the other, and what it was given each time. */
function scripted(...steps: (Said | Think)[]): { think: Think; seen: string[] } {
  const seen: string[] = [];
  const think: Think = (request) => {
    const step = steps[seen.length] ?? { text: 'there is nothing more to do' };
    seen.push(request.seen);
    return typeof step === 'function' ? step(request) : step;
  };
  return { think, seen };
}

/** What a provider makes of the arguments that its model has written. */
function argsOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return {};
  }
}

const spawn = (args: Record<string, unknown>): Said => ({ calls: [{ name: 'spawn_agent', args }] });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what: string, condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 10_000, `it never happened: ${what}`);
    await pause(5);
  }
}

/** Nothing runs, nothing is held; the statuses sum to the total. */
function isSound(manager: SubAgentManager): void {
  const { active, queued, parked, abandoned } = manager.getConcurrencyInfo();
  assert.deepEqual({ active, queued, parked, abandoned }, { active: 0, queued: 0, parked: 0, abandoned: 0 });
  assert.equal(manager.stats().tokensReserved, 0);
}

/** A manager with an ordinary host of our own: the framework under test is the main agent. */
async function asLead(
  framework: Framework,
  host: Host,
  options: SubAgentManagerOptions,
  think: Think,
  more: Partial<Parameters<NonNullable<Framework['lead']>>[0]> = {},
) {
  const { lead } = framework;
  assert.ok(lead);
  const manager = new SubAgentManager({ ...options, spawnSubAgent: host });
  const progress: string[] = [];
  const run = (prompt: string): Promise<string> =>
    lead({ tools: manager.createTools(), think, prompt, onProgress: (text) => progress.push(text), ...more });
  return { manager, progress, run };
}

/** The framework's main agent with our tools. */
export const LEAD: Record<string, Scenario> = {
  'delegates in parallel': async (framework) => {
    const parts = ['a', 'b', 'c'];
    const { think, seen } = scripted(
      { calls: parts.map((part) => ({ name: 'spawn_agent', args: { instructions: `read ${part}.md` } })) },
      { text: 'all is read' },
    );
    let running = 0;
    let most = 0;
    const host: Host = async (params) => {
      running += 1;
      most = Math.max(most, running);
      // None ends before two have run at once; a third would still have its time to begin.
      if (framework.sequential !== true) await until('the second starts', () => most > 1);
      await pause(30);
      running -= 1;
      return { output: `DONE<${params.instructions}>`, usage: { tokens: 100, turns: 1 } };
    };
    const { manager, run } = await asLead(framework, host, { maxConcurrent: 2 }, think);
    assert.match(await run('read it all'), /all is read/);
    assert.equal(most, framework.sequential === true ? 1 : 2, 'two at once, the third waits');
    for (const part of parts) assert.ok(seen[1]?.includes(`DONE<read ${part}.md>`), `the model saw the result of ${part}`);
    assert.equal(seen.length, 2);
    assert.equal(manager.stats().tokensSpent, 300);
    isSound(manager);
  },

  'limit reached': async (framework) => {
    const { think, seen } = scripted(
      {
        calls: ['a', 'b'].map((part) => ({
          name: 'spawn_agent',
          args: { instructions: part, ...(framework.sequential && part === 'a' && { background: true }) },
        })),
      },
      { text: 'one was refused' },
    );
    // Asked before each of them is admitted: the first goes on until the second has come.
    let asked = 0;
    const checkConsumerSpawn = (): { allowed: boolean } => {
      asked += 1;
      return { allowed: true };
    };
    const host: Host = async (params) => {
      await until('the second call', () => asked === 2);
      return { output: `DONE<${params.instructions}>` };
    };
    const { manager, run } = await asLead(framework, host, { maxConcurrent: 1, onLimit: 'reject', checkConsumerSpawn }, think);
    assert.match(await run('do both'), /one was refused/);
    if (framework.sequential === true) await until('the other ends', () => manager.stats().running === 0);
    else assert.equal(seen[1]?.match(/DONE</g)?.length, 1);
    assert.match(seen[1] ?? '', /No sub-agent was started/);
    assert.match(seen[1] ?? '', /1 of 1 sub-agent is running/, 'it says which limit');
    assert.doesNotMatch(seen[1] ?? '', /maxConcurrent/, 'in words that name no option');
    assert.doesNotMatch(seen[1] ?? '', /\bat .*\.(js|ts):\d/, 'no stack trace');
    assert.equal(manager.stats().total, 1);
    isSound(manager);
  },

  'budget exhausted': async (framework) => {
    const { think, seen } = scripted(spawn({ instructions: 'a' }), spawn({ instructions: 'b' }), { text: 'the budget is used up' });
    let started = 0;
    const host: Host = () => {
      started += 1;
      return { output: 'DONE', usage: { tokens: 3_000, turns: 1 } };
    };
    const { manager, run } = await asLead(framework, host, { budget: { tokens: 3_000 } }, think);
    assert.match(await run('do both'), /budget is used up/);
    assert.equal(started, 1);
    assert.match(seen[2] ?? '', /No sub-agent was started: [^"]*budget/);
    assert.equal(manager.stats().tokensSpent, 3_000);
    isSound(manager);
  },

  'cancel in mid-run': async (framework) => {
    const { think } = scripted(spawn({ instructions: 'takes for ever' }));
    const controller = new AbortController();
    let aborted = false;
    const host: Host = (_, run) => {
      setTimeout(() => controller.abort(), 20);
      return new Promise((resolve) => {
        run.signal.addEventListener('abort', () => {
          aborted = true;
          resolve({ output: 'as far as I came', status: 'cancelled' });
        });
      });
    };
    const { manager, run } = await asLead(framework, host, {}, think, { signal: controller.signal });
    // Frameworks differ in how an aborted call of theirs ends; that it ends is what counts.
    await run('do it').catch(() => undefined);
    await until('the run ends', () => manager.stats().runsEnded === 1);
    assert.ok(aborted, "the run's signal fired");
    const [view] = manager.list().items;
    assert.equal(view?.status, 'cancelled');
    assert.equal(view?.stopReason, 'signal_aborted');
    isSound(manager);
  },

  'background and its notice': async (framework) => {
    const { think, seen } = scripted(
      spawn({ instructions: 'in the background', background: true }),
      { text: 'I go on' },
      { text: 'I have read it' },
    );
    let mayEnd = false;
    const host: Host = async () => {
      await until('the main agent is done', () => mayEnd);
      return { output: 'DONE<later>' };
    };
    const { manager, run } = await asLead(framework, host, {}, think);
    assert.match(await run('start it'), /I go on/);
    assert.equal(manager.stats().running, 1, 'the main agent is done, the sub-agent is not');
    mayEnd = true;
    await until('the notice', () => manager.inbox.peek().some(({ delivery }) => delivery === 'pending'));
    const [notice] = manager.inbox.lease();
    assert.ok(notice);
    assert.match(await run(notice.text), /I have read it/);
    assert.match(seen[2] ?? '', /DONE<later>/);
    assert.match(seen[2] ?? '', /not .*the user/, "it is marked as not the user's");
    assert.ok(manager.inbox.ack(notice.deliveryId));
    assert.deepEqual(manager.inbox.peek(), []);
    isSound(manager);
  },

  'background, then waited for': async (framework) => {
    let id = '';
    const { think, seen } = scripted(
      spawn({ instructions: 'in the background', background: true }),
      ({ seen }) => {
        id = /sub_[0-9a-f]{32}/.exec(seen)?.[0] ?? '';
        return { calls: [{ name: 'wait_agents', args: { agent_ids: [id], timeout_ms: 600_000 } }] };
      },
      { text: 'it is there' },
    );
    const host: Host = async () => {
      await until('the call has returned', () => id !== '');
      await pause(40);
      return { output: 'DONE<later>' };
    };
    const { manager, run } = await asLead(framework, host, {}, think);
    assert.match(await run('start it'), /it is there/);
    assert.match(seen[1] ?? '', /started \(id: sub_/);
    assert.doesNotMatch(seen[1] ?? '', /DONE</, 'the call returned before the end');
    assert.match(seen[2] ?? '', /DONE<later>/);
    assert.equal(manager.get(id).status, 'completed');
    isSound(manager);
  },

  'wrong argument': async (framework) => {
    const { think, seen } = scripted(spawn({ instruction: 'a typing mistake', max_turns: 0 }), spawn({ instructions: 'as it should be' }), {
      text: 'corrected',
    });
    const given: string[] = [];
    const host: Host = (params) => {
      given.push(params.instructions);
      return { output: 'DONE' };
    };
    const { manager, run } = await asLead(framework, host, {}, think);
    assert.match(await run('do it'), /corrected/);
    assert.match(
      seen[1] ?? '',
      /instructions[^"]*(missing|required|must)|(missing|required|must)[^"]*instructions/,
      'the mistake is named',
    );
    assert.doesNotMatch(seen[1] ?? '', /\bat .*\.(js|ts):\d/, 'no stack trace');
    assert.deepEqual(given, ['as it should be']);
    isSound(manager);
  },

  'malformed arguments': async (framework) => {
    for (const written of framework.written ?? ['[]', 'null', '{}', '"instructions"']) {
      const wrong: Said = { calls: [{ name: 'spawn_agent', args: argsOf(written) as Record<string, unknown>, written }] };
      const { think, seen } = scripted(wrong, spawn({ instructions: 'as it should be' }), { text: 'corrected' });
      const given: string[] = [];
      const host: Host = (params) => {
        given.push(params.instructions);
        return { output: 'DONE' };
      };
      const { manager, run } = await asLead(framework, host, {}, think);
      assert.match(await run('do it'), /corrected/, `after ${written} the main agent goes on`);
      assert.match(
        seen[1] ?? '',
        /JSON|pars|instructions[^"]*(missing|required|must)|must|invalid|expected/i,
        `what is wrong with ${written} is named`,
      );
      assert.deepEqual(given, ['as it should be'], written);
      isSound(manager);
      manager.dispose();
    }
  },

  'progress goes out': async (framework) => {
    const { think } = scripted(spawn({ instructions: 'tell' }), { text: 'done' });
    const host: Host = async (_, run) => {
      await run.beforeTurn();
      run.report({ message: 'HALFWAY' });
      await pause(30);
      return { output: 'DONE' };
    };
    const { manager, progress, run } = await asLead(framework, host, {}, think);
    await run('do it');
    isSound(manager);
    if (framework.noProgress === undefined)
      assert.ok(
        progress.some((text) => text.includes('HALFWAY')),
        `progress was ${JSON.stringify(progress)}`,
      );
    else assert.deepEqual(progress, [], 'it says that it has none');
  },
};

interface Hosted {
  manager: SubAgentManager;
  /** What the model of each run was given, call by call. */
  seen: string[][];
  /** Paths that were read. */
  read: string[];
}

/** The framework's agents as sub-agents, under a manager. */
function asHost(
  framework: Framework,
  options: SubAgentManagerOptions,
  think: (run: Run, call: number) => Said | Think,
  more: { delegates?: boolean; withoutTools?: boolean; onRead?: () => void } = {},
): Hosted {
  const { host } = framework;
  assert.ok(host);
  const seen: string[][] = [];
  const read: string[] = [];
  const spawnSubAgent = host({
    delegates: more.delegates ?? false,
    tools: (more.withoutTools === true ? [] : ['read', 'forbidden']).map((name) => ({
      name,
      description: `${name} a file`,
      run: async ({ path }) => {
        read.push(name === 'read' ? path : `FORBIDDEN ${path}`);
        more.onRead?.();
        return `CONTENT<${path}>`;
      },
    })),
    think: (run) => {
      const own: string[] = [];
      seen.push(own);
      return (request) => {
        own.push(request.seen);
        const said = think(run, own.length);
        return typeof said === 'function' ? said(request) : said;
      };
    },
  });
  return { manager: new SubAgentManager({ ...options, spawnSubAgent }), seen, read };
}

const readFile = (path: string, tokens = 100): Said => ({ text: `I read ${path}`, calls: [{ name: 'read', args: { path } }], tokens });

/** The framework's agents as sub-agents. */
export const HOST: Record<string, Scenario> = {
  'delegates in parallel': async (framework) => {
    const { manager, seen, read } = asHost(framework, { maxConcurrent: 2 }, (run, call) =>
      call === 1 ? readFile(`${run.prompt}.md`) : { text: `DONE<${run.prompt}>`, tokens: 150 },
    );
    const tools = manager.createTools();
    const texts = await Promise.all(['a', 'b', 'c'].map((instructions) => tools.spawn_agent?.execute({ instructions })));
    for (const [index, part] of ['a', 'b', 'c'].entries()) assert.ok(texts[index]?.includes(`DONE<${part}>`), texts[index]);
    assert.deepEqual(read.sort(), ['a.md', 'b.md', 'c.md']);
    for (const calls of seen) assert.match(calls[1] ?? '', /CONTENT</, 'the result of its own tool came back');
    assert.equal(manager.stats().tokensSpent, 750);
    for (const view of manager.list().items) {
      assert.equal(view.usage.turns, 2);
      assert.deepEqual(view.usage.invalid, []);
    }
    isSound(manager);
  },

  'limit reached': async (framework) => {
    const { manager, seen } = asHost(framework, { maxTurns: 2 }, (_, call) => readFile(`${call}.md`));
    const result = await manager.spawn({ instructions: 'read for ever' }).wait();
    assert.equal(result.status, 'failed');
    assert.equal(result.stopReason, 'max_turns');
    assert.ok(result.partial);
    assert.equal(result.output, 'I read 2.md', 'what it said last is the partial output');
    assert.equal(seen[0]?.length, 2, 'the model was not called a third time');
    isSound(manager);
  },

  'budget exhausted': async (framework) => {
    const options = { taskBudget: { tokens: 1_000 }, turnEstimate: 300, wrapUpTokens: 100 };
    const { manager, seen } = asHost(framework, options, (_, call) => readFile(`${call}.md`, 300));
    const result = await manager.spawn({ instructions: 'read for ever' }).wait();
    assert.equal(result.status, 'failed');
    assert.equal(result.stopReason, 'budget_exhausted');
    assert.equal(seen[0]?.length, 4, 'three turns and one to wrap up');
    if (framework.noSteering === undefined) assert.match(seen[0]?.[3] ?? '', /last turn/, 'the model is told');
    assert.equal(manager.stats().tokensSpent, 1_200);
    const [{ taskId } = { taskId: '' }] = manager.list().items;
    manager.addBudget({ tokens: 2_000 }, taskId);
    manager.send(taskId, 'GO ON');
    await manager.wait([taskId]);
    assert.match(seen[1]?.[0] ?? '', /I read 1\.md.*GO ON/, 'the conversation goes on');
    assert.doesNotMatch(seen[1]?.[0] ?? '', /This is your last turn/, 'what was said of the last turn is not kept');
    isSound(manager);
  },

  'cancel in mid-run': async (framework) => {
    let aborted = false;
    const { manager, seen } = asHost(framework, { graceMs: 2_000 }, (_, call) =>
      call === 1
        ? readFile('a.md')
        : ({ signal }) => {
            signal?.addEventListener('abort', () => {
              aborted = true;
            });
            return untilAborted(signal);
          },
    );
    const handle = manager.spawn({ instructions: 'read' });
    await until('the second call of the model', () => seen[0]?.length === 2);
    await handle.cancel();
    const result = await handle.wait();
    assert.equal(result.status, 'cancelled');
    assert.ok(aborted, "the model's own signal fired");
    assert.ok(!result.hostStillRunning, 'the agent returned within its grace');
    assert.equal(result.output, 'I read a.md');
    assert.equal(result.usage.tokens, 100);
    isSound(manager);
  },

  'its model fails': async (framework) => {
    const { manager } = asHost(framework, {}, (_, call) => {
      if (call > 1) throw new Error('THE MODEL IS DOWN');
      return readFile('a.md');
    });
    const result = await manager.spawn({ instructions: 'read' }).wait();
    assert.equal(result.status, 'failed');
    assert.match(result.error ?? '', /THE MODEL IS DOWN/);
    assert.doesNotMatch(result.error ?? '', /\n\s+at /, 'no stack trace');
    assert.equal(result.usage.tokens, 100, 'what was used before stays booked');
    isSound(manager);
  },

  'its provider limits the rate': async (framework) => {
    const limited = Object.assign(new Error('429: too many requests, try again in 20ms'), {
      statusCode: 429,
      responseHeaders: { 'retry-after-ms': '20' },
    });
    const { manager, seen } = asHost(framework, { retry: { max: 1, backoffMs: 1 } }, (_, call) => {
      if (seen.length === 1 && call === 1) throw limited;
      return { text: 'DONE', tokens: 50 };
    });
    const reported: unknown[] = [];
    manager.subscribe((event) => {
      if (event.type === 'cooldown_set') reported.push(event);
    });
    const result = await manager.spawn({ instructions: 'ask', rateLimitKey: 'api' }).wait();
    assert.deepEqual([result.output, result.run], ['DONE', 2], result.error);
    assert.equal(reported.length, 1, 'the provider said it once');
    isSound(manager);
  },

  'a tool of its fails': async (framework) => {
    const failing = (): never => {
      throw new Error('THE DISK IS GONE');
    };
    const { manager, seen } = asHost(framework, {}, (_, call) => (call === 1 ? readFile('a.md') : { text: 'DONE', tokens: 50 }), {
      onRead: failing,
    });
    const result = await manager.spawn({ instructions: 'read' }).wait();
    assert.equal(result.output, 'DONE', JSON.stringify(result));
    assert.match(seen[0]?.[1] ?? '', /THE DISK IS GONE|An error occurred/, 'the model is told, as the framework tells it');
    assert.equal(result.usage.tokens, 150);
    isSound(manager);
  },

  'an agent without tools': async (framework) => {
    const { manager, seen } = asHost(framework, {}, (run) => ({ text: `DONE<${run.prompt}>`, tokens: 50 }), { withoutTools: true });
    const result = await manager.spawn({ instructions: 'think', systemPrompt: 'BE BRIEF' }).wait();
    assert.equal(result.output, 'DONE<think>', JSON.stringify(result));
    assert.equal(result.usage.tokens, 50);
    assert.equal(seen[0]?.length, 1);
    isSound(manager);
  },

  'background and its notice': async (framework) => {
    const { manager } = asHost(framework, {}, (run, call) => (call === 1 ? readFile('a.md') : { text: `DONE<${run.prompt}>`, tokens: 50 }));
    const tools = manager.createTools();
    const started = (await tools.spawn_agent?.execute({ instructions: 'later', background: true })) ?? '';
    assert.doesNotMatch(started, /DONE</);
    await until('the notice', () => manager.inbox.peek().length > 0);
    const [notice] = manager.inbox.lease();
    assert.ok(notice);
    assert.match(notice.text, /DONE<later>/);
    assert.equal(notice.usage.tokens, 150);
    assert.ok(manager.inbox.ack(notice.deliveryId));
    isSound(manager);
  },

  'wrong argument': async (framework) => {
    const { manager, seen } = asHost(
      framework,
      { maxDepth: 2 },
      (run, call) => {
        if (run.depth === 2) return { text: `DEEP<${run.prompt}>`, tokens: 10 };
        if (call === 1) return { ...spawn({ instruction: 'a typing mistake' }), tokens: 10 };
        if (call === 2) return { ...spawn({ instructions: 'below' }), tokens: 10 };
        return { text: 'DONE', tokens: 10 };
      },
      { delegates: true },
    );
    const result = await manager.spawn({ instructions: 'delegate' }).wait();
    assert.equal(result.output, 'DONE', JSON.stringify(result));
    assert.match(seen[0]?.[1] ?? '', /instructions[^"]*(missing|required|must)|(missing|required|must)[^"]*instructions/);
    assert.match(seen[0]?.[2] ?? '', /DEEP<below>/);
    assert.equal(manager.stats().total, 2, 'one refused call, one sub-agent of the sub-agent');
    isSound(manager);
  },

  'tools are filtered and checked': async (framework) => {
    const tools: string[][] = [];
    const { manager, read, seen } = asHost(framework, { tools: ['read', 'forbidden', 'spawn_agent'] }, (_, call) => (request) => {
      tools.push(request.tools);
      if (call === 1) return { calls: [{ name: 'read', args: { path: 'a.md' } }], tokens: 10 };
      if (call === 2) return { calls: [{ name: 'forbidden', args: { path: 'a.md' } }], tokens: 10 };
      return { text: 'DONE', tokens: 10 };
    });
    const result = await manager.spawn({ instructions: 'read', tools: ['read'] }).wait();
    assert.equal(result.output, 'DONE');
    if (framework.noSteering === undefined)
      for (const names of tools) assert.ok(names.includes('read') && !names.includes('forbidden'), `${names}`);
    assert.deepEqual(read, ['a.md'], 'what the model names all the same is not called');
    assert.equal(seen[0]?.length, 3, 'and it learns so');
    isSound(manager);
  },

  'policies bind': async (framework) => {
    let forced = 0;
    const policy: Policy = {
      beforeTool: ({ tool }) => (tool === 'forbidden' ? { action: 'block', reason: 'POLICY SAYS NO' } : undefined),
      afterTool: ({ tool }) => (tool === 'read' ? { action: 'inject', text: 'A WORD ABOUT IT' } : undefined),
      beforeEnd: () => {
        forced += 1;
        return forced === 1 ? { action: 'force_turn', text: 'CHECK IT AGAIN' } : undefined;
      },
    };
    const { manager, seen, read } = asHost(framework, { policies: { subAgents: [policy] } }, (_, call) => {
      if (call === 1) return { calls: [{ name: 'forbidden', args: { path: 'a.md' } }], tokens: 10 };
      if (call === 2) return readFile('a.md');
      return { text: call === 3 ? 'FIRST ANSWER' : 'SECOND ANSWER', tokens: 10 };
    });
    const result = await manager.spawn({ instructions: 'read' }).wait();
    assert.equal(result.output, 'SECOND ANSWER', JSON.stringify(result));
    assert.deepEqual(read, ['a.md']);
    const calls = seen.flat();
    assert.match(calls[1] ?? '', /POLICY SAYS NO/);
    if (framework.noSteering === undefined) assert.match(calls[2] ?? '', /A WORD ABOUT IT/);
    assert.match(calls.at(-1) ?? '', /FIRST ANSWER.*CHECK IT AGAIN/);
    assert.equal(result.usage.turns, calls.length);
    isSound(manager);
  },

  'its model asks': async (framework) => {
    const { manager, seen } = asHost(
      framework,
      { maxConcurrent: 1 },
      (_, call) =>
        call === 1
          ? { text: 'I ask', calls: [{ name: 'ask_parent', args: { question: 'Which colour?' } }], tokens: 100 }
          : { text: 'DONE', tokens: 50 },
      { delegates: true },
    );
    const handle = manager.spawn({ instructions: 'paint' });
    const { needsInput } = await manager.wait([handle]);
    assert.deepEqual(
      needsInput.map(({ question }) => question),
      ['Which colour?'],
    );
    assert.equal(manager.getConcurrencyInfo().active, 0, 'it holds no slot meanwhile');
    manager.send(handle, 'BLUE');
    const result = await handle.wait();
    assert.equal(result.output, 'DONE', result.error);
    assert.match(seen[0]?.[1] ?? '', /BLUE/, 'the answer came back to its model');
    isSound(manager);
  },

  'steered in mid-run': async (framework) => {
    const { manager, seen } = asHost(
      framework,
      {},
      (_, call) =>
        ({ seen }) => {
          if (call === 1) return readFile('a.md');
          return { text: seen.includes('LOOK AT b.md TOO') ? 'HEARD' : 'NOT HEARD', tokens: 10 };
        },
      { onRead: () => manager.send(undefined, 'LOOK AT b.md TOO', { mode: 'steer' }) },
    );
    const handle = manager.spawn({ instructions: 'read' });
    assert.equal((await handle.wait()).output, 'HEARD');
    assert.equal(handle.snapshot().queueSize, 0, 'it was this run that heard it');
    handle.send('AND NOW');
    await handle.wait();
    const [next] = seen[1] ?? [];
    assert.ok(next?.includes('LOOK AT b.md TOO'), `the conversation keeps it: ${next}`);
    isSound(manager);
  },

  'a value by its schema': async (framework) => {
    const schema = { title: 'count', type: 'object', properties: { pages: { type: 'integer' } }, required: ['pages'] };
    const requests: { asked: string; seen: string }[] = [];
    const answer = (value: object): Think => {
      return ({ tools, format, seen }) => {
        requests.push({ asked: JSON.stringify([format, seen]), seen });
        // Some frameworks ask for a value as the arguments of a tool.
        return tools.includes('count') ? { calls: [{ name: 'count', args: { ...value } }] } : { text: JSON.stringify(value) };
      };
    };
    const { manager } = asHost(framework, { retry: { max: 1, backoffMs: 1 } }, () =>
      answer({ pages: requests.length === 0 ? 'three' : 3 }),
    );
    const result = await manager.spawn({ instructions: 'how many pages?', schema }).wait();
    if (framework.noSchema === undefined) {
      assert.equal(result.status, 'completed', result.error);
      assert.deepEqual([result.value, result.output], [{ pages: 3 }, '{"pages":3}']);
      assert.match(requests[0]?.asked ?? '', /properties.*pages.*integer/, 'the model was asked for it');
      // LangChain says so itself, within the run.
      assert.match(requests[1]?.seen ?? '', /answer was refused: value\.pages must be|is invalid\. Expected/, 'and told what was wrong');
    } else {
      assert.equal(result.stopReason, 'invalid_result');
      assert.match(result.error ?? '', /has no `value`/);
    }
    assert.equal(requests.length, 2);
    isSound(manager);
  },

  'session kept': async (framework) => {
    const { manager, seen } = asHost(framework, {}, (run, call) => {
      if (run.run === 3) return ({ signal }) => untilAborted(signal);
      return run.run === 1 && call === 1 ? readFile('a.md') : { text: `ANSWER ${run.run}`, tokens: 10 };
    });
    const handle = manager.spawn({ instructions: 'FIRST QUESTION', contextHint: 'THE CONTEXT' });
    assert.equal((await handle.wait()).output, 'ANSWER 1');
    assert.match(seen[0]?.[0] ?? '', /FIRST QUESTION[\s\S]*THE CONTEXT/, 'the context goes beside the text');
    handle.send('SECOND QUESTION');
    assert.equal((await handle.wait()).output, 'ANSWER 2');
    const [second] = seen[1] ?? [];
    for (const part of ['FIRST QUESTION', 'CONTENT<a.md>', 'ANSWER 1', 'SECOND QUESTION'])
      assert.ok(second?.includes(part), `${part} in ${second}`);
    assert.equal(second?.split('THE CONTEXT').length, 2, 'the context is told once');
    handle.send('THIRD QUESTION');
    await until('the third run', () => seen.length === 3 && seen[2]?.length === 1);
    await handle.cancel({ graceMs: 2_000 });
    assert.equal((await handle.wait()).output, '', 'what it answered in an earlier run is no answer to this one');
    const other = manager.spawn({ instructions: 'ANOTHER' });
    await other.wait();
    assert.doesNotMatch(seen[3]?.[0] ?? '', /FIRST QUESTION/, 'another sub-agent knows nothing of it');
    isSound(manager);
  },
};
