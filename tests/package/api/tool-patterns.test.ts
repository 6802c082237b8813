// Lists of tools whose names are patterns, and deny lists that would deny nothing (P4).

import { afterEach, describe, expect, test } from 'vitest';
import {
  type AgentDefinition,
  type SpawnOptions,
  SubAgentError,
  SubAgentManager,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import { parseAgentDefinition, parseAgentDefinitions } from '../../../dist/options/agent-file.js';
import { safetyLimits, searchBudget } from '../../../dist/policies/index.js';
import { refusal } from '../../support/hosts.js';

const TOOLS = ['read', 'Bash', 'mcp__slack__post', 'mcp__slack__read', 'mcp__gh__issue'];
const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(options: SubAgentManagerOptions = {}) {
  const errors: unknown[] = [];
  const calls: Record<string, boolean> = {};
  let tools: readonly string[] | undefined;
  const manager = new SubAgentManager({
    onError: (error) => errors.push(error),
    ...options,
    spawnSubAgent: async (_, run) => {
      tools = run.tools;
      await run.beforeTurn();
      for (const tool of [...TOOLS, 'other']) calls[tool] = (await run.beforeTool(tool)).allowed;
      return { output: 'done' };
    },
  });
  opened.push(manager);
  const given = async (spawn: Partial<SpawnOptions> = {}): Promise<readonly string[] | undefined> => {
    await manager.spawn({ instructions: 'x', ...spawn }).wait();
    return tools;
  };
  return { manager, errors, calls, given };
}

const defined = (definition: Partial<AgentDefinition>) => ({ agents: { a: { description: 'd', ...definition } } });

test('P2 a tool that was named twice is given once', async () => {
  const { given } = open({ tools: ['read', 'Bash', 'read'] });
  expect(await given()).toEqual(['read', 'Bash']);
  expect(await given({ tools: ['Bash', 'read', 'Bash', '*'] })).toEqual(['Bash', 'read']);
});

describe('P4 a name of a tool may be a pattern', () => {
  const withoutSlack = ['read', 'Bash', 'mcp__gh__issue'];

  test('P4 denied by a definition: the tool is neither handed on nor allowed', async () => {
    const { given, calls, errors } = open({ tools: TOOLS, ...defined({ disallowedTools: ['mcp__slack__*'] }) });
    expect(await given({ agent: 'a' })).toEqual(withoutSlack);
    expect(calls).toMatchObject({ mcp__slack__post: false, mcp__slack__read: false, mcp__gh__issue: true, Bash: true });
    expect(errors).toEqual([]);
  });

  test('P4 denied by a definition, if no tools are known', async () => {
    const { given, calls } = open(defined({ disallowedTools: ['mcp__slack__*', 'Bash'] }));
    expect(await given({ agent: 'a' })).toBeUndefined();
    expect(calls).toEqual({ read: true, Bash: false, mcp__slack__post: false, mcp__slack__read: false, mcp__gh__issue: true, other: true });
  });

  test('P4 blocked by a policy and a policy of the main agent', async () => {
    const blockedTools = ['mcp__slack__*'];
    const sets: SubAgentManagerOptions[] = [
      { policies: { subAgents: [safetyLimits({ blockedTools })] } },
      { policies: { subAgents: [{ blockedTools }] } },
    ];
    for (const options of sets) {
      const { given, calls, errors } = open({ tools: TOOLS, ...options });
      expect(await given()).toEqual(withoutSlack);
      expect(calls).toMatchObject({ mcp__slack__post: false, mcp__gh__issue: true });
      expect(errors).toEqual([]);
    }
    const { manager } = open({
      tools: TOOLS,
      policies: { main: [safetyLimits({ blockedTools }), searchBudget({ tools: ['*__issue'], limit: 1 })] },
    });
    await manager.beforeTurn();
    expect((await manager.beforeTool('mcp__slack__post')).allowed).toBe(false);
    expect((await manager.beforeTool('Bash')).allowed).toBe(true);
    expect([(await manager.beforeTool('mcp__gh__issue')).allowed, (await manager.beforeTool('mcp__gh__issue')).allowed]).toEqual([
      true,
      false,
    ]);
  });

  test('P4 requested: a pattern stands for those of the parent, in their order and once', async () => {
    const { given } = open({ tools: TOOLS, ...defined({ tools: ['mcp__slack__*', 'read', '*read'] }) });
    expect(await given({ agent: 'a' })).toEqual(['mcp__slack__post', 'mcp__slack__read', 'read']);
    expect(await given({ tools: ['*'] })).toEqual(TOOLS);
    expect(await given({ tools: ['mcp__*__read'] })).toEqual(['mcp__slack__read']);
  });

  test('P4 P2 a pattern that fits nothing is an error that names both lists; the tool says so to the model', async () => {
    const { manager } = open({ tools: TOOLS });
    const error = refusal(() => manager.spawn({ instructions: 'x', tools: ['mcp__jira__*'] }));
    expect(error).toMatchObject({ code: 'no_tools', details: { requested: ['mcp__jira__*'], available: TOOLS } });
    const { spawn_agent } = manager.createTools();
    expect(await spawn_agent?.execute({ instructions: 'x', tools: ['mcp__jira__*'] })).toContain('mcp__jira__*');
    expect(await spawn_agent?.execute({ instructions: 'x', tools: ['Bash(rm:*)'] })).toContain('a name or a pattern has letters');
  });

  test('P4 if the tools of the parent are not known, a pattern in `tools` is an error', () => {
    const { manager } = open();
    const error = refusal(() => manager.spawn({ instructions: 'x', tools: ['read', 'mcp__*'] }));
    expect(error).toMatchObject({ code: 'invalid_argument', details: { argument: 'tools' } });
    expect(error.message).toContain('`mcp__*`');
    manager.spawn({ instructions: 'x', tools: ['read'] });
  });

  test('P4 what is neither a name nor a pattern is refused, unless a known tool has exactly that name', async () => {
    for (const wrong of ['Bash(rm:*)', 'a b', 'a,b', '!read', '[ab]', '']) {
      const { manager, given } = open({ tools: ['read', 'Bash'], ...defined({ disallowedTools: [wrong] }) });
      for (const options of [{ agent: 'a' }, { tools: ['read', wrong] }]) {
        const error = refusal(() => manager.spawn({ instructions: 'x', ...options }));
        expect(error.code).toBe('invalid_argument');
        expect(error.message).toContain('letters, digits, `_.:/-` and `*`');
      }
      expect(refusal(() => open({ policies: { subAgents: [{ blockedTools: [wrong] }] } })).details).toMatchObject({
        argument: 'blockedTools',
      });
      expect(await given()).toEqual(['read', 'Bash']);
      const known = open({
        tools: ['read', wrong],
        ...defined({ disallowedTools: [wrong] }),
        policies: { subAgents: [{ blockedTools: [wrong] }] },
      });
      expect(await known.given({ agent: 'a' })).toEqual(['read']);
      expect(known.errors).toEqual([]);
    }
    expect(await open({ tools: ['read', 'a b'] }).given({ tools: ['a b'] })).toEqual(['a b']);
  });
});

describe('P4 a deny entry that matches nothing is reported to `onError`, once', () => {
  test('P4 with the nearest name; built-in names need not be there', async () => {
    const { given, errors } = open({
      tools: TOOLS,
      policies: { subAgents: [safetyLimits({ blockedTools: ['message', 'spawn', 'baash', 'mcp__slack__*'] })] },
      ...defined({ disallowedTools: ['bash', 'mcp__jira__*', 'read', 'spawn_agent'] }),
    });
    await given({ agent: 'a' });
    await given({ agent: 'a' });
    await given();
    expect(errors).toEqual([expect.any(SubAgentError), expect.any(SubAgentError), expect.any(SubAgentError)]);
    expect(errors).toMatchObject([
      { code: 'invalid_argument', details: { argument: 'blockedTools', entry: 'baash', suggestion: 'Bash', known: TOOLS } },
      { details: { argument: 'disallowedTools', entry: 'bash', suggestion: 'Bash' } },
      { details: { entry: 'mcp__jira__*' } },
    ]);
    expect((errors[1] as Error).message).toContain('did you mean `Bash`?');
  });

  test('P4 by the tools of the main agent: what a parent does not hand on is there all the same', async () => {
    const errors: unknown[] = [];
    const manager = new SubAgentManager({
      maxDepth: 2,
      tools: TOOLS,
      onError: (error) => errors.push(error),
      ...defined({ disallowedTools: ['Bash'] }),
      spawnSubAgent: async (_, run) => {
        if (run.depth === 1) await run.spawn({ instructions: 'below', agent: 'a' }).wait();
        return { output: `${run.tools}` };
      },
    });
    opened.push(manager);
    await manager.spawn({ instructions: 'x', tools: ['read'] }).wait();
    expect(errors).toEqual([]);
  });

  test('P4 if no tools are known, nothing is reported; those of a session count for it', async () => {
    const quiet = open(defined({ disallowedTools: ['wriet'] }));
    await quiet.given({ agent: 'a' });
    expect(quiet.errors).toEqual([]);
    const session = quiet.manager.session('s', { tools: ['write'] });
    await session.spawn({ instructions: 'x', agent: 'a' }).wait();
    expect(quiet.errors).toMatchObject([{ details: { entry: 'wriet', suggestion: 'write' } }]);
  });
});

describe('P4 files of other programs', () => {
  const file = (fields: string) => `---\ndescription: d\n${fields}\n---\nP`;

  test('P4 patterns are read in every form of a list', () => {
    expect(
      parseAgentDefinition(file('tools: Read, mcp__slack__*, *__list\ndisallowedTools:\n  - mcp__gh__*\n  - *__write')).definition,
    ).toMatchObject({
      tools: ['Read', 'mcp__slack__*', '*__list'],
      disallowedTools: ['mcp__gh__*', '*__write'],
    });
    expect(parseAgentDefinition(file('tools: *')).definition.tools).toEqual(['*']);
    expect(parseAgentDefinition(file('tools: ["*", a]')).definition.tools).toEqual(['*', 'a']);
  });

  test('P4 `Bash(rm:*)` is an error with its line, unless a tool has exactly that name', () => {
    for (const fields of ['disallowedTools: Bash(rm:*)', 'tools: [Read, "Bash(git diff:*)"]', 'tools:\n  - Task(worker)']) {
      const error = refusal(() => parseAgentDefinition(file(fields)));
      expect(error).toMatchObject({ code: 'invalid_argument', details: { line: 3 } });
      expect(error.message).toContain('letters, digits');
    }
    expect(parseAgentDefinition(file('tools: Bash(rm:*)'), { tools: ['Bash(rm:*)'] }).definition.tools).toEqual(['Bash(rm:*)']);
  });

  test('P4 one bad file is skipped and named, the others are there', () => {
    const errors: SubAgentError[] = [];
    const agents = parseAgentDefinitions(
      {
        'agents/good.md': file('tools: Read'),
        'agents/rules.md': file('disallowedTools: Bash(rm:*)'),
        'agents/broken.md': 'no definition',
        'agents/twice.md': file('name: good'),
        'agents/last.md': file('tools: Read'),
      },
      { onError: (error) => errors.push(error) },
    );
    expect(Object.keys(agents)).toEqual(['good', 'last']);
    expect(errors.map(({ details }) => details.file)).toEqual(['agents/rules.md', 'agents/broken.md', 'agents/twice.md']);
    expect(errors[0]?.message).toMatch(/^agents\/rules\.md: line 3: /);
    expect(() => parseAgentDefinitions({}, { onError: 5 } as never)).toThrow(SubAgentError);
  });
});
