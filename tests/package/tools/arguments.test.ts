// Arguments as weak models send them: placeholders for what they leave out, and names of another tool (D6).

import { afterEach, describe, expect, test } from 'vitest';
import { createSubAgentTool, type SubAgentManager, type SubAgentManagerOptions, TOOL_PRESETS } from '../../../dist/index.js';
import { done, type Host, managerWith } from '../../support/hosts.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function made(host: Host, options: SubAgentManagerOptions = {}) {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

interface Property {
  type: string;
  enum?: string[];
  minimum?: number;
  exclusiveMinimum?: number;
}

/** What models send for an optional parameter that they leave out. */
function placeholders({ type, minimum = 0, exclusiveMinimum }: Property): unknown[] {
  const nothing = [null, '', ' \n'];
  if (type === 'array') return [...nothing, [], [''], [' ', '']];
  if (type === 'integer' || type === 'number') return exclusiveMinimum === 0 || minimum > 0 ? [...nothing, 0, -0] : nothing;
  return nothing;
}

describe('D6 placeholders count as left out', () => {
  for (const preset of TOOL_PRESETS) {
    test(`D6 in every tool of the preset ${preset} an optional argument may be a placeholder`, async () => {
      const agents = { reader: { description: 'reads' } };
      const all = made((_, run) => done(run.prompt), { agents, tools: ['read', 'grep'] }).createTools({
        preset,
        include: ['spawn', 'wait', 'send', 'interrupt', 'cancel', 'close', 'resume', 'list', 'read'],
      });
      let tried = 0;
      for (const { parameters } of all) {
        const properties = Object.entries(parameters.properties as Record<string, Property>);
        const needed = Object.fromEntries(
          properties
            .filter(([name]) => parameters.required.includes(name))
            .map(([name, { type }]) => [name, type === 'array' ? ['read'] : 'x']),
        );
        const { validate } = parameters['~standard'];
        expect(validate(needed)).toEqual({ value: needed });
        for (const [name, property] of properties.filter(([name]) => !parameters.required.includes(name))) {
          for (const value of placeholders(property)) {
            tried += 1;
            expect(validate({ ...needed, [name]: value }), `${name}: ${JSON.stringify(value)}`).toHaveProperty('value');
          }
        }
      }
      expect(tried).toBeGreaterThan(0);
    });
  }

  test('D6 a sub-agent that was spawned with placeholders alone is the same as one without them', async () => {
    const seen: unknown[] = [];
    const tools = made(
      (params, run) => {
        seen.push([params, run.tools, run.systemPrompt, run.label, run.limits.turns]);
        return done();
      },
      { tools: ['read', 'grep'] },
    ).createTools();
    const empty = { label: '', name: '', max_cost_usd: 0, tools: [], system_prompt: ' ', max_turns: 0, background: null, agent: '' };
    expect(await tools.spawn_agent?.execute({ instructions: 'x' })).toContain('completed');
    expect(await tools.spawn_agent?.execute({ instructions: 'x', ...empty })).toContain('completed');
    expect(seen[1]).toEqual(seen[0]);
  });

  test('D6 the host of the `SubAgent` tool gets no placeholder, and the tool that stands alone takes them', async () => {
    const seen: unknown[] = [];
    const host: Host = (params) => {
      seen.push(params);
      return done();
    };
    const given = { instructions: 'x', tools: [], systemPrompt: '', maxTurns: 0, maxCost: 0, background: '' };
    await made(host).createSubAgentTool().execute(given);
    await createSubAgentTool({ spawnSubAgent: host }).execute(given);
    expect(seen).toStrictEqual([{ instructions: 'x' }, { instructions: 'x' }]);
  });

  test('D6 of a required argument a blank stays an error; of a program an empty list means none', async () => {
    let tools: readonly string[] | undefined;
    const manager = made(
      (_, run) => {
        tools = run.tools;
        return done();
      },
      { tools: ['read'] },
    );
    const { spawn_agent, cancel_agent } = manager.createTools();
    expect(await spawn_agent?.execute({ instructions: ' ' })).toContain('`instructions` must be a text that is not empty');
    expect(await cancel_agent?.execute({ agent_id: '' })).toContain('`agent_id` must be a text that is not empty');
    expect(await cancel_agent?.execute({ agentId: 'x' })).toMatch(/did you mean `agent_id`\? Correct the arguments and call again\.$/);
    await manager.spawn({ instructions: 'x', tools: [] }).wait();
    expect(tools).toEqual([]);
  });

  test('D6 a misspelt name of an agent is an error that suggests', async () => {
    const agents = { researcher: { description: 'reads' }, writer: { description: 'writes' } };
    const manager = made(() => done(), { agents });
    const { spawn_agent } = manager.createTools();
    expect(await spawn_agent?.execute({ instructions: 'x', agent: 'reseacher' })).toContain("did you mean 'researcher'?");
    expect(await manager.createSubAgentTool().execute({ instructions: 'x', agent: 'Writer' })).toContain("did you mean 'writer'?");
    expect(manager.stats().total).toBe(0);
  });
});

describe('D6 a misnamed target is an error, never a default', () => {
  /** For each preset, names that mean no parameter of its tools and look like a target. */
  const MISNAMED = {
    subagents: [
      'agentId',
      'agent',
      'agentID',
      'id',
      'to',
      'target',
      'name',
      'task_id',
      'subagent_id',
      'handle_id',
      'recipient',
      'agent_name',
    ],
    codex: ['agent_id', 'targetId', 'id', 'task_id'],
    claude: ['agent_id', 'agentId', 'id', 'recipient'],
  } as const;

  for (const [preset, names] of Object.entries(MISNAMED)) {
    test(`D6 preset ${preset}: nothing is sent to another sub-agent, and the answer names the argument`, async () => {
      const received: string[] = [];
      const manager = made((_, run) => {
        received.push(run.prompt);
        return done();
      });
      const first = manager.spawn({ instructions: 'first', nickname: 'alice' });
      await first.wait();
      const second = manager.spawn({ instructions: 'second', nickname: 'bob' });
      await second.wait();
      const tools = manager.createTools({ preset: preset as keyof typeof MISNAMED });
      const send = [...tools].find(({ parameters }) => 'message' in parameters.properties && !('label' in parameters.properties));
      const addressed = [...tools].filter(({ parameters }) =>
        Object.keys(parameters.properties).some((name) => /^(agent_ids?|targets?|task_id|to)$/.test(name)),
      );
      expect(addressed.length).toBeGreaterThan(2);
      for (const tool of addressed) {
        for (const name of names.filter((name) => !(name in tool.parameters.properties))) {
          const answer = await tool.execute({ [name]: 'alice', message: 'secret for alice' });
          expect(answer, `${tool.name} ${name}`).toMatch(/^Not done: .*Correct the arguments and call again\./);
          expect(answer).toContain(`there is no \`${name}\` here: did you mean \``);
          expect(answer).not.toContain(`Ignored: \`${name}`);
        }
      }
      expect(send).toBeDefined();
      expect(received).toEqual(['first', 'second']);
    });
  }

  test('D6 `task` of opencode starts nothing for a misnamed `task_id`', async () => {
    const manager = made(() => done());
    const { task } = manager.createTools({ preset: 'opencode' });
    expect(await task?.execute({ description: 'a', prompt: 'b', taskId: 'sub_1' })).toContain('did you mean `task_id`?');
    expect(manager.stats().total).toBe(0);
  });

  test('D6 a blank one is a placeholder, and other unknown arguments are ignored', async () => {
    const manager = made((_, run) => done(run.prompt));
    await manager.spawn({ instructions: 'x' }).wait();
    const { send_message } = manager.createTools();
    const answer = await send_message?.execute({ message: 'more', agentId: '', handle_id: null, urgency: 'high' });
    expect(answer).toContain('works on it');
    expect(answer).toContain('Ignored: `urgency`');
  });
});
