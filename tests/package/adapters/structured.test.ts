// How an adapter asks for a value where a run has a schema (R7): the JSON Schema that it makes of it, and how it reads
// a value from a text. The frameworks' own ways are in tests/frameworks.

import { describe, expect, test } from 'vitest';
import { mastraAgent } from '../../../dist/adapters/mastra.js';
import { type Policy, type ResultSchema, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { readValue } from '../../../ts/adapters/structured.js';

interface Settings {
  structuredOutput?: { schema: object };
  prepareStep(step: object): Promise<object>;
}

/** An agent that calls its model once and says these texts, one after the other. */
function agent(...texts: string[]) {
  const asked: { prompt: string; schema: object | undefined }[] = [];
  const generate = async (messages: { content: string }[], { structuredOutput, prepareStep }: Settings) => {
    await prepareStep({ abort: (reason: string) => Promise.reject(new Error(reason)) });
    asked.push({ prompt: messages.at(-1)?.content ?? '', schema: structuredOutput?.schema });
    return { text: texts.shift() ?? '' };
  };
  return { asked, agent: { generate: generate as never } };
}

async function run(
  schema: ResultSchema | undefined,
  texts: string[],
  { jsonSchema, ...options }: SubAgentManagerOptions & { jsonSchema?: () => object } = {},
) {
  const { asked, agent: own } = agent(...texts);
  using manager = new SubAgentManager({ ...options, spawnSubAgent: mastraAgent(own, jsonSchema && { jsonSchema }) });
  const result = await manager.spawn({ instructions: 'count', ...(schema && { schema }) }).wait();
  return { asked, result };
}

const PAGES = { type: 'object', properties: { pages: { type: 'integer' } }, required: ['pages'] };
/** A Standard Schema; `more` is what it has beside. */
const standard = (more: object = {}): ResultSchema => ({
  '~standard': {
    version: 1,
    vendor: 'here',
    validate: (value: unknown) => ({ value: (value as { pages: number }).pages + 1 }),
    ...more,
  },
});

describe('R7 the JSON Schema that a model is asked by', () => {
  test('one that is JSON Schema goes on as a copy', async () => {
    const { asked, result } = await run(PAGES, ['{"pages":3}']);
    expect(asked[0]?.schema).toEqual(PAGES);
    expect(asked[0]?.schema).not.toBe(PAGES);
    expect(result.value).toEqual({ pages: 3 });
  });

  test('a Standard Schema says itself, as what it takes; what it makes of the value is the result’s', async () => {
    const targets: unknown[] = [];
    const input = (options: object) => {
      targets.push(options);
      return { $schema: 'http://json-schema.org/draft-07/schema#', ...PAGES };
    };
    const { asked, result } = await run(standard({ jsonSchema: { input } }), ['{"pages":3}']);
    expect(asked[0]?.schema).toEqual(PAGES);
    expect(targets).toEqual([{ target: 'draft-07' }]);
    expect(result.value).toBe(4);
  });

  test('one that can’t is an error that names the option, which goes before what it says of itself', async () => {
    const { asked, result } = await run(standard(), []);
    expect(result.error).toContain("of here, can't say itself as JSON Schema");
    expect(result.error).toContain('`jsonSchema`');
    expect(asked).toEqual([]);
    const made = await run(standard(), ['{"pages":3}'], { jsonSchema: () => PAGES });
    expect(made.asked[0]?.schema).toEqual(PAGES);
    expect(made.result.value).toBe(4);
  });

  test('without a schema nothing is asked for, and a text stays one', async () => {
    const { asked, result } = await run(undefined, ['{"pages":3}']);
    expect(asked[0]).toEqual({ prompt: 'count', schema: undefined });
    expect(result).toMatchObject({ status: 'completed', output: '{"pages":3}' });
    expect(result.value).toBeUndefined();
  });
});

test('R7 X5 the next attempt gets what was wrong, and nothing of other errors', async () => {
  const { asked, result } = await run(PAGES, ['{"pages":"three"}', '{"pages":3}'], { retry: { max: 1, backoffMs: 1 } });
  expect(asked.map(({ prompt }) => prompt)).toEqual([
    'count',
    'count\n\nYour last answer was refused: value.pages must be of the type integer, got "three"',
  ]);
  expect(result).toMatchObject({ status: 'completed', run: 2, value: { pages: 3 } });
});

test('R7 a policy that forces another turn gets the value of that turn', async () => {
  let asked = 0;
  const policy: Policy = {
    beforeEnd: () => {
      asked += 1;
      return asked === 1 ? { action: 'force_turn', inject: 'count again' } : undefined;
    },
  };
  const { result } = await run(PAGES, ['{"pages":3}', '{"pages":4}'], { policies: { subAgents: [policy] } });
  expect(result).toMatchObject({ status: 'completed', value: { pages: 4 } });
});

test.each<[string, unknown]>([
  ['{"a":1}', { a: 1 }],
  [' [1, 2]\n', [1, 2]],
  ['null', null],
  ['Here it is:\n```json\n{"a":1}\n```\nDone.', { a: 1 }],
  ['```\n{"a":1}\n```\nor rather\n```json\n{"a":2}\n```', { a: 2 }],
  ['```js\nlet a;\n```', '```js\nlet a;\n```'],
  ['about three', 'about three'],
  ['', ''],
])('R7 the value in %j', (text, value) => expect(readValue(text)).toEqual(value));
