// Agent definitions, their files, profiles. Rule A3; S3.04, S3.07, S3.27, S3.28, S4.11.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import {
  type AgentDefinition,
  type Run,
  type SubAgentDetails,
  SubAgentError,
  type SubAgentManager,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import { parseAgentDefinition, parseAgentDefinitions } from '../../../dist/options/agent-file.js';
import { done, type Host, managerWith, manualHost, refusal, refusesUnchanged } from '../../support/hosts.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

const REVIEWER: AgentDefinition = {
  description: 'Reviews a change.',
  prompt: 'You review changes.',
  tools: ['read', 'grep', 'write'],
  disallowedTools: ['write'],
  model: 'small-model',
  maxTurns: 4,
  budget: { tokens: 3_000, turns: 9 },
  timeoutMs: 60_000,
  rateLimitKey: 'api',
  contextHint: 'The code is in src/.',
};

describe('definitions', () => {
  test('A3 S3.27 S3.04 a definition is copied at spawn, and `agent` remembers which', () => {
    const { host, runs } = manualHost();
    const manager = open(host, { agents: { reviewer: REVIEWER } });
    const params = { instructions: 'look', agent: 'reviewer' };
    const handle = manager.spawn(params);
    const { run, params: given } = runs[0] as (typeof runs)[number];
    // What it may have of tools is given beside the parameters too (D6); all else is as it was given.
    expect(given).toEqual({ ...params, tools: ['read', 'grep'] });
    expect(run.systemPrompt).toBe('You review changes.');
    expect([run.tools, run.disallowedTools]).toEqual([['read', 'grep'], ['write']]);
    expect([run.modelId, run.agent, run.contextHint]).toEqual(['small-model', 'reviewer', 'The code is in src/.']);
    expect(run.limits).toMatchObject({ maxTurns: 4, tokens: 3_000, turns: 9, timeoutMs: 60_000 });
    expect(handle.snapshot()).toMatchObject({
      agent: 'reviewer',
      systemPrompt: 'You review changes.',
      modelId: 'small-model',
      rateLimitKey: 'api',
      disallowedTools: ['write'],
      background: false,
    });
  });

  test('S2.22 P2 a child has its parent’s model unless it or its definition names one', async () => {
    const { host, runs } = manualHost();
    const agents = { reviewer: REVIEWER, plain: { description: 'Does it.', model: 'inherit' } };
    const manager = open(host, { agents, modelId: 'main-model', maxDepth: 3, maxConcurrent: 99 });
    const session = manager.session('s', { modelId: 'session-model' });
    const models = (): (string | undefined)[] => runs.splice(0).map(({ run }) => run.modelId);
    manager.spawn({ instructions: 'of the manager' });
    manager.session('t').spawn({ instructions: 'of a session that names none' });
    expect(models()).toEqual(['main-model', 'main-model']);
    const own = session.spawn({ instructions: 'of the session' });
    session.spawn({ instructions: 'its own', modelId: 'cheap-model' });
    const [, cheap] = runs.map(({ run }) => run);
    expect(models()).toEqual(['session-model', 'cheap-model']);
    expect(own.snapshot().modelId).toBe('session-model');
    const below = cheap?.spawn({ instructions: 'heir', agent: 'plain' });
    expect(cheap?.spawn({ instructions: 'reviewer', agent: 'reviewer' }).snapshot().modelId).toBe('small-model');
    expect(below?.snapshot().modelId).toBe('cheap-model');
    const [heir] = runs.map(({ run }) => run);
    expect(heir?.modelId).toBe('cheap-model');
    const details: SubAgentDetails[] = [];
    const tool = heir?.createSubAgentTool({ onDetails: (given) => details.push(given) });
    await tool?.execute({ instructions: 'by its tool', background: true });
    expect(details).toMatchObject([{ modelId: 'cheap-model' }]);
  });

  test('S2.22 a model’s id is a text, and said once', () => {
    expect(refusal(() => open(() => done(), { modelId: 5 as never })).message).toContain('`modelId` must be a string');
    expect(refusal(() => open(() => done(), { modelId: 'a', getModelId: () => 'b' })).message).toContain('`modelId` and `getModelId`');
    expect(refusal(() => open(() => done()).session('s', { modelId: 5 as never })).message).toContain('`modelId` must be a string');
  });

  test('A3 changing the definition afterwards changes nothing', () => {
    const { host, runs } = manualHost();
    const agents = { reviewer: { ...REVIEWER, tools: ['read'] } };
    const manager = open(host, { agents });
    agents.reviewer.prompt = 'changed';
    agents.reviewer.tools.push('everything');
    manager.spawn({ instructions: 'x', agent: 'reviewer' });
    expect([runs[0]?.run.systemPrompt, runs[0]?.run.tools]).toEqual(['You review changes.', ['read']]);
  });

  test('what the spawn gives goes first, then the definition, then the profile', () => {
    const { host, runs } = manualHost();
    const manager = open(host, {
      agents: { reviewer: { ...REVIEWER, background: true }, plain: { description: 'Does it.', profile: 'loud' } },
      profiles: { loud: (task) => `LOUD ${task.instructions}` },
      getModelId: () => 'big-model',
      maxConcurrent: 9,
    });
    manager.spawn({
      instructions: 'x',
      agent: 'reviewer',
      systemPrompt: 'mine',
      maxTurns: 2,
      tools: ['grep', 'write'],
      modelId: 'other-model',
      budget: { tokens: 100 },
      background: false,
    });
    const { run } = runs[0] as (typeof runs)[number];
    expect([run.systemPrompt, run.modelId, run.tools]).toEqual(['mine', 'other-model', ['grep']]);
    expect(run.limits).toMatchObject({ maxTurns: 2, tokens: 100, turns: 9 });
    const ofDefinition = manager.spawn({ instructions: 'y', agent: 'reviewer' });
    expect(ofDefinition.snapshot().background).toBe(true);
    manager.spawn({ instructions: 'z', agent: 'plain' });
    expect([runs[2]?.run.systemPrompt, runs[2]?.run.profile, runs[2]?.run.modelId]).toEqual(['LOUD z', 'loud', 'big-model']);
    expect(ofDefinition.snapshot().budget.tokens.cap).toBe(3_000);
  });

  test('A3 S3.27 an unknown name is an error that lists the known ones; null is a plain sub-agent', () => {
    const { host, runs } = manualHost();
    const manager = open(host, { agents: { reviewer: REVIEWER, writer: { description: 'Writes.' } } });
    const error = refusesUnchanged(manager, 'unknown_agent', () => manager.spawn({ instructions: 'x', agent: 'tester' }));
    expect(error.details).toEqual({ agent: 'tester', known: ['reviewer', 'writer'] });
    expect(error.message).toContain('reviewer, writer');
    manager.spawn({ instructions: 'x', agent: null });
    manager.spawn({ instructions: 'x' });
    for (const { run } of runs) expect([run.agent, run.modelId]).toEqual([undefined, undefined]);
    expect(refusal(() => open(() => done()).spawn({ instructions: 'x', agent: 'any' })).message).toContain('none is defined');
  });

  test('a tool may have a default, which counts where the model names no agent', async () => {
    const { host, runs } = manualHost();
    const manager = open(host, { agents: { reviewer: REVIEWER, writer: { description: 'Writes.' } } });
    const { spawn_agent: tool } = manager.createTools({ agent: 'reviewer' });
    for (const more of [{}, { agent: null }, { agent: 'writer' }]) await tool?.execute({ instructions: 'x', background: true, ...more });
    expect(runs.map(({ run }) => run.agent)).toEqual(['reviewer', 'reviewer', 'writer']);
    expect(runs[0]?.run.systemPrompt).toBe('You review changes.');
    for (const make of [() => manager.createTools({ agent: 'nobody' }), () => manager.createSubAgentTool({ agent: 'nobody' } as never)])
      expect(refusal(make)).toMatchObject({ code: 'unknown_agent', details: { known: ['reviewer', 'writer'] } });
    expect(refusal(() => manager.createTools({ agent: 5 as never })).message).toContain('`agent` must be a string');
  });

  test('P2 a definition whose tools are all forbidden can’t be spawned', () => {
    const manager = open(() => done(), { agents: { none: { description: 'd', tools: ['a'], disallowedTools: ['a'] } } });
    refusesUnchanged(manager, 'no_tools', () => manager.spawn({ instructions: 'x', agent: 'none' }));
  });

  test('forbidden tools are left out of what the parent hands on, and are named where that is not known', () => {
    const seen: Run[] = [];
    const host: Host = (_, run) => {
      seen.push(run);
      return done();
    };
    const agents = { safe: { description: 'd', disallowedTools: ['write'] } };
    open(host, { agents, tools: ['read', 'write'] }).spawn({ instructions: 'x', agent: 'safe' });
    open(host, { agents }).spawn({ instructions: 'x', agent: 'safe' });
    expect(seen.map(({ tools, disallowedTools }) => [tools, disallowedTools])).toEqual([
      [['read'], ['write']],
      [undefined, ['write']],
    ]);
  });

  test.each([
    [5],
    [[]],
    [{ a: null }],
    [{ a: {} }],
    [{ a: { description: '  ' } }],
    [{ '': { description: 'd' } }],
    [{ a: { description: 'd', tool: ['x'] } }],
    [{ a: { description: 'd', tools: 'x' } }],
    [{ a: { description: 'd', prompt: 5 } }],
    [{ a: { description: 'd', maxTurns: 0 } }],
    [{ a: { description: 'd', disallowedTools: [1] } }],
    [{ a: { description: 'd', background: 'yes' } }],
    [{ a: { description: 'd', instructions: 'x' } }],
    [{ a: { description: 'd', agent: 'a' } }],
    [{ a: { description: 'd', idempotencyKey: 'k' } }],
  ])('wrong definitions make no manager: %o', (agents) => {
    expect(refusal(() => open(() => done(), { agents } as never)).code).toBe('invalid_argument');
  });

  test('a file may have an estimate in dollars; a field that files have not is reported with the way past it', () => {
    expect(parseAgentDefinition('---\ndescription: d\nturnEstimateUsd: 0.4\n---').definition.turnEstimateUsd).toBe(0.4);
    expect(parseAgentDefinition('---\ndescription: d\nonParentEnd: wait\n---').definition.onParentEnd, 'W6').toBe('wait');
    expect(refusal(() => parseAgentDefinition('---\ndescription: d\nbudget: 5\n---')).message).toContain("{ unknown: 'ignore' }");
  });

  test.each([
    [{ maxTurns: 0 }, 'maxTurns'],
    [{ timeoutMs: '5s' }, 'timeoutMs'],
    [{ budget: { token: 5 } }, 'budget.token'],
    [{ budget: { tokens: -5 } }, 'budget.tokens'],
    [{ budget: 5 }, 'budget'],
    [{ maxCost: 'x' }, 'maxCost'],
    [{ priority: 'x' }, 'priority'],
    [{ background: 'yes' }, 'background'],
    [{ retry: { max: 0 } }, 'retry.max'],
    [{ schema: { type: 'objekt' } }, 'schema'],
    [{ prompt: 5 }, 'prompt'],
    [{ model: 5 }, 'model'],
    [{ tools: ['a', 5] }, 'tools[1]'],
    [{ disallowedTools: [5] }, 'disallowedTools[0]'],
    [{ tool: ['x'] }, 'tool'],
  ])('a wrong field is named with its agent: %j', (field, name) => {
    const { message, details } = refusal(() => open(() => done(), { agents: { fixer: { description: 'd', ...field } } } as never));
    expect(details.argument).toBe(`agents.fixer.${name}`);
    expect(message).toContain('`agents.fixer');
  });

  test('a profile that is not there is named with its agent, an agent without a name is said to be', () => {
    const lost = refusal(() => open(() => done(), { agents: { fixer: { description: 'd', profile: 'nope' } } }));
    expect([lost.code, lost.message]).toEqual(['unknown_profile', expect.stringContaining('`agents.fixer.profile`')]);
    expect(refusal(() => open(() => done(), { agents: { '': { description: 'd' } } })).details.argument).toBe('agents');
  });
});

describe('the tool', () => {
  const agents = { reviewer: REVIEWER, runner: { description: 'Runs the tests.', background: true } };

  test('the parameter `agent` is there only where there are definitions, with their names and what they are for', () => {
    const tool = open(() => done(), { agents }).createSubAgentTool();
    expect(tool.parameters.properties.agent).toMatchObject({ type: 'string', enum: ['reviewer', 'runner'] });
    expect(tool.description).toContain('- reviewer: Reviews a change.\n- runner: Runs the tests.');
    expect(tool.parameters['~standard'].validate({ instructions: 'x', agent: 'runner' })).toHaveProperty('value');
    expect(tool.parameters['~standard'].validate({ instructions: 'x', agent: 'tester' })).toHaveProperty('issues');
    const plain = open(() => done()).createSubAgentTool();
    expect(plain.parameters.properties).not.toHaveProperty('agent');
    // What a schema doesn't know is ignored (D6).
    expect(plain.parameters['~standard'].validate({ instructions: 'x', agent: 'runner' })).toHaveProperty('value');
  });

  test('a call with an agent runs it; its model and artifacts are in the details', async () => {
    const manager = open((_, run) => ({ ...done(`${run.systemPrompt} ${run.tools}`), artifacts: [{ file: 'a.md' }] }), { agents });
    const details: unknown[] = [];
    const tool = manager.createSubAgentTool({ onDetails: (seen) => details.push(seen) });
    expect(await tool.execute({ instructions: 'x', agent: 'reviewer' })).toContain('You review changes. read,grep');
    expect(await tool.execute({ instructions: 'x', agent: null })).toContain('on nothing else');
    expect(await tool.execute({ instructions: 'x', agent: 'runner' })).toContain("I'll notify you");
    expect(details).toMatchObject([
      { status: 'completed', modelId: 'small-model', artifacts: [{ file: 'a.md' }] },
      { status: 'completed' },
      { status: 'running', background: true },
    ]);
    expect(details[1]).not.toHaveProperty('modelId');
  });

  test.each(['tester', 5, 'toString', {}])('a wrong agent comes back as text that names the right ones (%#)', async (agent) => {
    const manager = open(() => done(), { agents });
    const text = await manager.createSubAgentTool().execute({ instructions: 'x', agent });
    expect(text).toContain('No sub-agent was started');
    expect(text).toContain('reviewer, runner');
    expect(manager.stats().total).toBe(0);
  });
});

describe('profiles', () => {
  test('S3.07 S4.11 `minimal` is the default: this task only, no messages, no sub-agents, a concise summary', () => {
    const { host, runs } = manualHost();
    const manager = open(host);
    const handle = manager.spawn({ instructions: 'x' });
    expect(handle.snapshot()).toMatchObject({ profile: 'minimal', systemPrompt: null });
    const prompt = runs[0]?.run.systemPrompt ?? '';
    for (const part of ['Work on this task', 'send messages to the user', 'start sub-agents', 'concise summary'])
      expect(prompt).toContain(part);
  });

  test('P2 `minimal` says that it can start no sub-agents only where that is so', () => {
    const { host, runs } = manualHost();
    open(host, { maxDepth: 2 }).spawn({ instructions: 'x' });
    const above = runs[0]?.run;
    above?.spawn({ instructions: 'y', background: true });
    expect([above?.systemPrompt, runs[1]?.run.systemPrompt].map((prompt) => prompt?.includes('start sub-agents'))).toEqual([false, true]);
  });

  test('S3.28 another profile is a function of the host, asked once a run, at the first look', () => {
    const { host, runs } = manualHost();
    const asked: string[] = [];
    const manager = open(host, {
      profiles: {
        terse: (task) => {
          asked.push(task.label);
          return `Be terse about ${task.label}.`;
        },
      },
    });
    manager.spawn({ instructions: 'x', label: 'cats', profile: 'terse' });
    manager.spawn({ instructions: 'x', label: 'dogs', profile: 'terse' });
    expect(asked).toEqual([]);
    const prompts = runs.flatMap(({ run }) => [run.systemPrompt, run.systemPrompt]);
    expect(prompts).toEqual(['Be terse about cats.', 'Be terse about cats.', 'Be terse about dogs.', 'Be terse about dogs.']);
    expect(asked).toEqual(['cats', 'dogs']);
  });

  test('`minimal` can be replaced; an explicit system prompt needs no profile', () => {
    const { host, runs } = manualHost();
    const manager = open(host, { profiles: { minimal: () => 'ours' } });
    manager.spawn({ instructions: 'x' });
    manager.spawn({ instructions: 'x', systemPrompt: 'explicit' });
    expect(runs.map(({ run }) => run.systemPrompt)).toEqual(['ours', 'explicit']);
  });

  test('an unknown profile is an error that lists the known ones', () => {
    const manager = open(() => done(), { profiles: { terse: () => 'x' } });
    const error = refusesUnchanged(manager, 'unknown_profile', () => manager.spawn({ instructions: 'x', profile: 'loud' }));
    expect(error.details).toEqual({ profile: 'loud', known: ['minimal', 'terse'] });
    const wrong = { agents: { a: { description: 'd', profile: 'loud' } } };
    expect(refusal(() => open(() => done(), wrong)).code).toBe('unknown_profile');
  });

  test.each([
    () => {
      throw new Error('no prompt today');
    },
    () => 5,
    () => Promise.resolve('x'),
  ])('a profile that gives no text fails the run that reads it, and nothing else (%#)', async (bad) => {
    const manager = open((_, run) => done(run.systemPrompt), { profiles: { bad: bad as never } });
    const result = await manager.spawn({ instructions: 'x', profile: 'bad' }).wait();
    expect(result).toMatchObject({ status: 'failed', stopReason: 'host_threw' });
    expect(result.error).toContain('bad');
    expect(await manager.spawn({ instructions: 'x' }).wait()).toMatchObject({ status: 'completed' });
  });

  test.each([5, { a: 'text' }, { a: null }])('wrong profiles make no manager (%#)', (profiles) => {
    expect(refusal(() => open(() => done(), { profiles } as never)).code).toBe('invalid_argument');
  });
});

describe('parseAgentDefinition', () => {
  const FILE = `---
name: reviewer   # as it is called
description: "Reviews: a \\"change\\""
tools: Read, Grep, 'Web, Search'
disallowedTools:
  - Write
  # not this one either
  - "Edit"
model: inherit
maxTurns: 4
maxCost: 0.25
background: true
contextHint: it's in src/ #1
---

You review changes.

---
End.
`;

  /** Tools with names that are no patterns (P4). */
  const TOOLS = { tools: ['Web, Search', "it's"] };

  test('reads fields and prompt', () => {
    expect(parseAgentDefinition(FILE, TOOLS)).toEqual({
      name: 'reviewer',
      definition: {
        description: 'Reviews: a "change"',
        tools: ['Read', 'Grep', 'Web, Search'],
        disallowedTools: ['Write', 'Edit'],
        model: 'inherit',
        maxTurns: 4,
        maxCost: 0.25,
        background: true,
        contextHint: "it's in src/",
        prompt: 'You review changes.\n\n---\nEnd.',
      },
    });
    expect(parseAgentDefinition(FILE.replaceAll('\n', '\r\n'), TOOLS).definition.tools).toEqual(['Read', 'Grep', 'Web, Search']);
    expect(parseAgentDefinition(`\uFEFF${FILE}`, TOOLS).name).toBe('reviewer');
  });

  test('lists: inline with brackets, empty, a line an entry', () => {
    const tools = (text: string) => parseAgentDefinition(`---\ndescription: d\n${text}\n---`, TOOLS).definition.tools;
    expect(tools("tools: [Read, \"Web, Search\", 'it''s'] # three")).toEqual(['Read', 'Web, Search', "it's"]);
    expect(tools('tools: []')).toEqual([]);
    expect(tools('tools:\n- Read\n- Grep')).toEqual(['Read', 'Grep']);
    expect(tools('tools:\n\t-\tRead\n\t-\tGrep')).toEqual(['Read', 'Grep']);
    expect(tools('tools: Read')).toEqual(['Read']);
  });

  test('what is read makes a manager', () => {
    const { host, runs } = manualHost();
    const agents = parseAgentDefinitions({ 'agents/reviewer.md': FILE, 'agents/helper.md': '---\ndescription: Helps.\n---\nHelp.' }, TOOLS);
    expect(Object.keys(agents)).toEqual(['reviewer', 'helper']);
    const manager = open(host, { agents });
    manager.spawn({ instructions: 'x', agent: 'helper' });
    expect(runs[0]?.run.systemPrompt).toBe('Help.');
  });

  test.each([
    ['', 1, '---'],
    ['description: d', 1, '---'],
    ['---\ndescription: d', 2, 'missing'],
    ['---\nname: x\n---', 3, 'description'],
    ['---\ndescription: ""\n---', 3, 'description'],
    ['---\ndescription:\n---', 2, 'no value'],
    ['---\ndescription: d\ncolour: red\n---', 3, 'colour'],
    ['---\ndescription: d\ndescription: e\n---', 3, 'second time'],
    ['---\ndescription: d\n  maxTurns: 3\n---', 3, 'beginning of its line'],
    ['---\ndescription: d\nmaxTurns: many\n---', 3, 'number'],
    ['---\ndescription: d\nmaxTurns: 0x10\n---', 3, 'number'],
    ['---\ndescription: d\nbackground: yes\n---', 3, 'true or false'],
    ['---\ndescription: d\nmaxTurns:\n  - 3\n---', 3, 'no list'],
    ['---\ndescription: d\ntools: a\n  - b\n---', 3, 'a list below it'],
    ['---\ndescription: d\ntools: [a, b\n---', 3, 'bracket'],
    ['---\ndescription: d\ntools: a,, b\n---', 3, 'no value'],
    ['---\ndescription: d\ntools:\n  - a\n  -\n---', 5, 'no value'],
    ['---\ndescription: "d\n---', 2, 'quote'],
    ['---\ndescription: "d" e\n---', 2, 'quote'],
    ["---\ndescription: 'd\n---", 2, 'quote'],
    ['---\ndescription: "a\\qb"\n---', 2, '\\q'],
    ['---\ndescription: |\n  many lines\n---', 2, 'several lines'],
    ['---\ndescription: {a: b}\n---', 2, 'quotes'],
    ['---\ndescription: &anchor d\n---', 2, 'quotes'],
    ['---\nwhat is this\n---', 2, 'field: value'],
  ])('a mistake is named with its line: %j', (text, line, part) => {
    const error = refusal(() => parseAgentDefinition(text));
    expect(error.code).toBe('invalid_argument');
    expect(error.message).toContain(`line ${line}:`);
    expect(error.message).toContain(part);
    expect(error.details).toMatchObject({ line });
  });

  test('fields of other programs can be passed over', () => {
    const text = '---\ncolour: red\ndescription: d\nhooks:\n  before:\n    - run\n  after: x\nlist:\n  - a\n---\nP';
    expect(refusal(() => parseAgentDefinition(text)).message).toContain('line 2:');
    expect(parseAgentDefinition(text, { unknown: 'ignore' })).toEqual({ name: undefined, definition: { description: 'd', prompt: 'P' } });
  });

  test.each([
    ['a map with an empty line', 'hooks:\n  before:\n\n    - matcher: x'],
    ['a map with a comment', 'hooks:\n  before:\n# of ours\n    - matcher: x'],
    ['a list of maps', 'servers:\n- name: a\n  url: b\n- name: c'],
    ['a text of several lines', 'notes: |\n  one\n\n  two: three'],
  ])('a field of other programs is passed over whole: %s', (_, field) => {
    const text = `---\ndescription: d\n${field}\nname: n\n---\nP`;
    expect(parseAgentDefinition(text, { unknown: 'ignore' })).toEqual({ name: 'n', definition: { description: 'd', prompt: 'P' } });
  });

  test('files: the mistake names its file, two of one name are an error, odd names are names', () => {
    const helper = '---\ndescription: Helps.\n---';
    const reported: string[] = [];
    const onError = ({ message }: SubAgentError) => reported.push(message);
    parseAgentDefinitions({ 'a/b.md': 'x' }, { onError });
    parseAgentDefinitions({ 'a/b.md': helper, 'c/b.md': helper }, { onError });
    expect(reported[0]).toContain('a/b.md: line 1:');
    expect(reported[1]).toContain('c/b.md');
    const agents = parseAgentDefinitions({ '__proto__.md': helper, 'C:\\agents\\constructor.MD': helper });
    expect(Object.keys(agents)).toEqual(['__proto__', 'constructor']);
    expect(open(() => done(), { agents }).createSubAgentTool().parameters.properties.agent).toMatchObject({
      enum: ['__proto__', 'constructor'],
    });
  });

  test.each([undefined, null, 5, {}])('what is no text is no definition (%#)', (text) => {
    expect(() => parseAgentDefinition(text as never)).toThrow(SubAgentError);
    const reported: unknown[] = [];
    expect(parseAgentDefinitions({ 'a.md': text } as never, { onError: (error) => reported.push(error) })).toEqual({});
    expect(reported).toEqual([expect.any(SubAgentError)]);
    expect(() => parseAgentDefinition('---\ndescription: d\n---', { unknown: 'maybe' } as never)).toThrow(SubAgentError);
  });
});
