// R7: a spawn's `schema`, and the value that its result has to have.

import { describe, expect, it } from 'vitest';
import { type JsonSchema, type StandardSchema, SubAgentError, SubAgentManager } from '../../../dist/index.js';
import { JSON_SCHEMA_KEYWORDS } from '../../../dist/policies/index.js';
import { deferred } from '../../support/hosts.js';

const REPORT = {
  type: 'object',
  properties: { title: { type: 'string', minLength: 1 }, pages: { type: 'integer', minimum: 1 } },
  required: ['title', 'pages'],
  additionalProperties: false,
} as const;

/** A manager whose host returns what it is told to, with what `run.schema` was. */
function managerOf(answer: unknown): { manager: SubAgentManager; seen: unknown[] } {
  const seen: unknown[] = [];
  const manager = new SubAgentManager({
    spawnSubAgent: async (_, run) => {
      seen.push(run.schema);
      return answer as never;
    },
  });
  return { manager, seen };
}

async function resultOf(schema: unknown, answer: unknown) {
  const { manager } = managerOf(answer);
  return manager.spawn({ instructions: 'report', schema: schema as JsonSchema }).wait();
}

/** A schema of a library, as the standard asks. */
function standard<Output>(validate: StandardSchema<unknown, Output>['~standard']['validate']): StandardSchema<unknown, Output> {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

describe('R7 a value by JSON Schema', () => {
  it('R7 the host gets the schema, and a value that fits is the result’s', async () => {
    const { manager, seen } = managerOf({ output: 'see value', value: { title: 'A', pages: 3 } });
    const handle = manager.spawn({ instructions: 'report', schema: REPORT });
    const result = await handle.wait();
    expect(seen).toEqual([REPORT]);
    expect(result).toMatchObject({ status: 'completed', output: 'see value', value: { title: 'A', pages: 3 } });
    expect(manager.get(handle.taskId).value).toEqual({ title: 'A', pages: 3 });
    expect(handle.snapshot().value).toEqual({ title: 'A', pages: 3 });
    expect(JSON.parse(JSON.stringify(result)).value).toEqual({ title: 'A', pages: 3 });
    expect((await handle.wait()).value).toEqual({ title: 'A', pages: 3 });
  });

  it('R7 a value without an output is shown as JSON', async () => {
    const { manager } = managerOf({ value: { title: 'A', pages: 3 } });
    const handle = manager.spawn({ instructions: 'report', schema: REPORT });
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: '{"title":"A","pages":3}' });
    expect(handle.resultText()).toContain('{"title":"A","pages":3}');
  });

  it.each([
    [undefined, 'no `value`, and its `schema` asks for one: return { output, value }'],
    [{ title: 'A' }, 'value.pages is missing'],
    [{ title: '', pages: 1 }, 'value.title must have at least 1 character'],
    [{ title: 'A', pages: 1.5 }, 'value.pages must be of the type integer'],
    [{ title: 'A', pages: 1, more: 1 }, 'value.more must not be there'],
    [[], 'value must be of the type object, got an empty list'],
    [10n, 'value is no JSON'],
    [() => 1, 'value is no JSON'],
  ])('R7 %s is an invalid result that says why', async (value, says) => {
    const result = await resultOf(REPORT, { output: 'kept', value, usage: { tokens: 7 } });
    expect(result).toMatchObject({ status: 'failed', stopReason: 'invalid_result', output: 'kept', value: undefined });
    expect(result.error).toContain(says);
    // What it cost is booked all the same (B7).
    expect(result.usage.tokens).toBe(7);
  });

  it('R7 a value over `maxResultBytes` is an invalid result that names the option', async () => {
    const manager = new SubAgentManager({ maxResultBytes: 20, spawnSubAgent: async () => ({ output: 'x', value: 'é'.repeat(10) }) });
    const result = await manager.spawn({ instructions: 'x', schema: { type: 'string' } }).wait();
    expect(result).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
    expect(result.error).toContain('22 bytes');
    expect(result.error).toContain('maxResultBytes');
    const fits = new SubAgentManager({ maxResultBytes: 22, spawnSubAgent: async () => ({ output: 'x', value: 'é'.repeat(10) }) });
    expect((await fits.spawn({ instructions: 'x', schema: { type: 'string' } }).wait()).status).toBe('completed');
  });

  it('R7 a long list without an entry twice is compared in a moment', async () => {
    // Compared each with each, these would take minutes.
    const value = Array.from({ length: 70_000 }, (_, at) => ({ at }));
    const schema = { type: 'array', uniqueItems: true };
    expect((await resultOf(schema, { output: 'x', value })).status).toBe('completed');
    const twice = [
      [{ a: 1, b: [2] }, 'x', { b: [2], a: 1 }],
      [0, -0],
      [null, null],
    ];
    for (const entries of twice)
      expect((await resultOf(schema, { output: 'x', value: entries })).error).toBe('value must have no entry twice');
    const other = [{ a: 1, b: 2 }, { a: 2, b: 1 }, { a: '1', b: 2 }, ['a', 1], [], {}, null, 0, '0', false, '', 'false', '[]'];
    expect((await resultOf(schema, { output: 'x', value: other })).status).toBe('completed');
  });

  it('R7 only a run that completed is asked for a value', async () => {
    expect(await resultOf(REPORT, { output: '', status: 'cancelled' })).toMatchObject({ status: 'cancelled', error: undefined });
    expect(await resultOf(REPORT, { output: '', status: 'failed', error: 'no' })).toMatchObject({ stopReason: 'host_failed', error: 'no' });
  });

  it('R7 without a schema no value is read', async () => {
    const { manager } = managerOf({ output: 'x', value: { any: 1 } });
    const result = await manager.spawn({ instructions: 'x' }).wait();
    expect(result).toMatchObject({ status: 'completed', value: undefined });
  });

  it('R7 a notice and the result of a later run have the value; `release` lets go of it', async () => {
    const { manager } = managerOf({ output: 'x', value: { title: 'A', pages: 1 } });
    const handle = manager.spawn({ instructions: 'x', schema: REPORT, background: true });
    while (manager.inbox.peek().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(manager.inbox.peek()[0]?.value).toEqual({ title: 'A', pages: 1 });
    handle.send('again');
    expect((await handle.wait()).value).toEqual({ title: 'A', pages: 1 });
    manager.forget(handle.taskId, { resultOnly: true });
    expect(manager.get(handle.taskId).value).toBeNull();
  });

  it('R7 a definition has a schema; the spawn’s own goes before it', async () => {
    const seen: unknown[] = [];
    const manager = new SubAgentManager({
      agents: { reporter: { description: 'reports', schema: REPORT } },
      spawnSubAgent: async (_, run) => {
        seen.push(run.schema);
        return { output: 'x' };
      },
    });
    const own = { type: 'null' } as const;
    await manager.spawn({ instructions: 'x', agent: 'reporter' }).wait();
    await manager.spawn({ instructions: 'x', agent: 'reporter', schema: own }).wait();
    expect(seen).toEqual([REPORT, own]);
  });

  it('R7 work that was started elsewhere is checked when it is reported', async () => {
    const manager = new SubAgentManager({ spawnBackgroundSubAgent: async () => ({ taskId: 'job' }) });
    const handle = manager.spawn({ instructions: 'x', schema: REPORT, background: true });
    const waiting = handle.wait();
    manager.reportSettled(handle.taskId, { output: 'x', value: 1 });
    expect(await waiting).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
  });

  it('X4 the first report counts while its value is being checked; the second is late', async () => {
    const manager = new SubAgentManager({ spawnBackgroundSubAgent: async () => ({ taskId: 'job' }) });
    const check = deferred<{ value: unknown }>();
    const schema = { '~standard': { version: 1, vendor: 'own', validate: () => check.promise } } as const;
    const handle = manager.spawn({ instructions: 'x', schema, background: true });
    await Promise.resolve();
    manager.reportSettled(handle.taskId, { output: 'first', value: 1 });
    manager.reportSettled(handle.taskId, { output: 'second', status: 'failed' });
    check.resolve({ value: 1 });
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'first' });
    await expect.poll(() => handle.snapshot().lateResult).toBe('second');
  });

  it.each([
    [null, 'must be a Standard Schema or a JSON Schema object'],
    ['object', 'must be a Standard Schema or a JSON Schema object'],
    [[], 'must be a Standard Schema or a JSON Schema object'],
    [{ type: 'text' }, 'at /type must be string'],
    [{ unevaluatedItems: false }, '`unevaluatedItems`, which is not checked here'],
    [{ propertyNames: { unevaluatedProperties: false } }, 'at /propertyNames has `unevaluatedProperties`'],
    [{ contains: true, minContains: -1 }, 'a number of at least 0'],
    [{ dependentRequired: { a: 'b' } }, 'at /dependentRequired/a must be a list of names'],
    [{ patternProperties: { '(': true } }, 'no regular expression'],
    [{ properties: { a: { if: true } } }, 'at /properties/a has `if`'],
    [{ constructor: {} }, '`constructor`, which is not checked here'],
    [{ properties: { a: { nullable: 1 } } }, 'at /properties/a/nullable must be a boolean'],
    [{ $ref: 'https://example.com/x' }, 'only references within the schema'],
    [{ $ref: '#/$defs/none' }, 'which is not there'],
    [{ pattern: '(' }, 'no regular expression'],
    [{ minLength: -1 }, 'a number of at least 0'],
    [{ enum: [] }, 'a list that is not empty'],
    [{ '~standard': {} }, 'with `validate`'],
  ])('R7 the schema %j is refused at spawn, with its place', (schema, says) => {
    const { manager, seen } = managerOf({ output: 'x' });
    const spawn = (): unknown => manager.spawn({ instructions: 'x', schema: schema as JsonSchema });
    expect(spawn).toThrow(SubAgentError);
    expect(spawn).toThrow(says);
    expect(seen).toEqual([]);
  });

  /** A value that each keyword takes, and one that it refuses. */
  const KEYWORDS: Record<string, [schema: JsonSchema, good: unknown, bad: unknown]> = {
    type: [{ type: ['string', 'null'] }, null, 1],
    nullable: [{ type: 'string', nullable: true }, null, 1],
    enum: [{ enum: ['a', { b: [1, 2] }] }, { b: [1, 2] }, { b: [2, 1] }],
    const: [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, { a: 1 }],
    properties: [{ properties: { 'a b': { type: 'string' } } }, { 'a b': 'x', c: 1 }, { 'a b': 1 }],
    required: [{ required: ['toString'] }, { toString: 1 }, {}],
    additionalProperties: [{ properties: { a: true }, additionalProperties: { type: 'number' } }, { a: 'x', b: 1 }, { b: 'x' }],
    patternProperties: [
      { patternProperties: { '^n': { type: 'number' } }, additionalProperties: { type: 'string' } },
      { n1: 1, x: 'x' },
      { n1: 'x' },
    ],
    propertyNames: [{ propertyNames: { type: 'string', maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    dependentRequired: [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    dependentSchemas: [{ dependentSchemas: { a: { required: ['b'] } } }, { c: 1 }, { a: 1 }],
    contains: [{ contains: { type: 'string' } }, [1, 'x'], [1]],
    minContains: [{ contains: { type: 'string' }, minContains: 2 }, ['x', 'y'], ['x', 1]],
    maxContains: [{ contains: { type: 'string' }, maxContains: 1 }, ['x', 1], ['x', 'y']],
    minProperties: [{ minProperties: 1 }, { a: 1 }, {}],
    maxProperties: [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 1 }],
    items: [{ items: { type: 'number' } }, [1], [1, 'x']],
    prefixItems: [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1], ['a', 'b']],
    minItems: [{ minItems: 2 }, [1, 2], [1]],
    maxItems: [{ maxItems: 1 }, [1], [1, 2]],
    uniqueItems: [{ uniqueItems: true }, [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 1 }]],
    minimum: [{ minimum: 1 }, 1, 0.9],
    maximum: [{ maximum: 1 }, 1, 1.1],
    exclusiveMinimum: [{ exclusiveMinimum: 1 }, 1.1, 1],
    exclusiveMaximum: [{ exclusiveMaximum: 1 }, 0.9, 1],
    multipleOf: [{ multipleOf: 0.1 }, 0.3, 0.35],
    minLength: [{ minLength: 2 }, '😀a', '😀'],
    maxLength: [{ maxLength: 1 }, '😀', '😀a'],
    pattern: [{ pattern: '^[a-z]+$' }, 'abc', 'ABC'],
    allOf: [{ allOf: [{ type: 'number' }, { minimum: 2 }] }, 2, 1],
    anyOf: [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, null, 'x'],
    oneOf: [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 1, 3],
    not: [{ not: { type: 'null' } }, 1, null],
    $ref: [
      { $ref: '#/$defs/tree', $defs: { tree: { type: 'object', properties: { left: { $ref: '#/$defs/tree' } } } } },
      { left: { left: {} } },
      { left: { left: 1 } },
    ],
  };

  it('R7 every keyword that is said to be checked is tried here', () => {
    expect(Object.keys(KEYWORDS).sort()).toEqual([...JSON_SCHEMA_KEYWORDS].sort());
  });

  it.each(Object.entries(KEYWORDS))('R7 `%s` takes what fits and refuses what does not', async (_, [schema, good, bad]) => {
    expect(await resultOf(schema, { output: 'x', value: good })).toMatchObject({ status: 'completed', value: good });
    expect(await resultOf(schema, { output: 'x', value: bad })).toMatchObject({ stopReason: 'invalid_result' });
  });

  it('R7 `nullable` is what OpenAPI says: nothing without a `type` beside it, nor where an `enum` has no null', async () => {
    const answers = async (schema: JsonSchema) => (await resultOf(schema, { output: 'x', value: null })).status;
    expect(await answers({ type: ['string', 'number'], nullable: true, minLength: 1 })).toBe('completed');
    expect(await answers({ type: 'string', nullable: true, enum: ['a', null] })).toBe('completed');
    expect(await answers({ type: 'string', nullable: true, enum: ['a'] })).toBe('failed');
    expect(await answers({ type: 'string', nullable: false })).toBe('failed');
    expect(await answers({ anyOf: [{ type: 'string' }], nullable: true })).toBe('failed');
    const { manager } = managerOf({ output: 'x' });
    expect(() => manager.spawn({ instructions: 'x', schema: { type: 'string', nullable: 'yes' } })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('/nullable') }),
    );
  });

  it('R7 what OpenAPI, Gemini and tools of a schema’s own say beside it checks nothing', async () => {
    const schema = {
      type: 'object',
      propertyOrdering: ['title'],
      'x-origin': { any: 'thing' },
      'x-': null,
      discriminator: { propertyName: 'title' },
      example: { title: 1 },
      externalDocs: { url: 'https://example.org' },
      xml: { name: 'report' },
      properties: { title: { type: 'string', 'x-order': 1 } },
    };
    expect(await resultOf(schema, { output: 'x', value: { title: 'A' } })).toMatchObject({ status: 'completed' });
    expect(await resultOf(schema, { output: 'x', value: { title: 1 } })).toMatchObject({ stopReason: 'invalid_result' });
  });

  it('R7 a schema of nothing but itself, and a value too deep for the stack, end the run and nothing else', async () => {
    expect(await resultOf({ $ref: '#' }, { output: 'x', value: 1 })).toMatchObject({ stopReason: 'invalid_result' });
    let deep: unknown = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { left: deep };
    expect(await resultOf(REPORT, { output: 'x', value: deep })).toMatchObject({ stopReason: 'invalid_result' });
  });
});

describe('R7 a value by a Standard Schema', () => {
  it('R7 what the schema makes of the value is the result’s; what is kept is that as JSON', async () => {
    const schema = standard((value) => ({ value: new Date(value as string) }));
    const { manager, seen } = managerOf({ output: 'x', value: '2026-01-02T03:04:05.000Z' });
    const handle = manager.spawn({ instructions: 'x', schema });
    const { value } = await handle.wait();
    expect(value).toBeInstanceOf(Date);
    expect(manager.get(handle.taskId).value).toBe('2026-01-02T03:04:05.000Z');
    expect(seen).toEqual([schema]);
  });

  it('R7 it may take its time; the run ends when it has answered', async () => {
    let answer: (result: { value: unknown }) => void = () => undefined;
    const schema = standard(() => new Promise<{ value: unknown }>((resolve) => (answer = resolve)));
    const { manager } = managerOf({ output: 'x', value: 1 });
    const handle = manager.spawn({ instructions: 'x', schema });
    const waiting = handle.wait();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(handle.status).toBe('running');
    answer({ value: 2 });
    expect(await waiting).toMatchObject({ status: 'completed', value: 2 });
  });

  it('R7 its issues are the error, with their paths', async () => {
    const issues = [{ message: 'too short', path: ['list', 0, { key: 'name' }] }, { message: 'odd' }];
    const result = await resultOf(
      standard(() => ({ issues })),
      { output: 'x', value: 1 },
    );
    expect(result).toMatchObject({ stopReason: 'invalid_result', error: 'value.list[0].name: too short; value: odd' });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['answers nothing', () => undefined],
    ['answers nonsense', () => ({ issues: 7 })],
    ['makes what is no JSON', () => ({ value: 1n })],
  ])('R7 one that %s makes the result invalid and harms nobody else', async (_, validate) => {
    const { manager } = managerOf({ output: 'x', value: 1 });
    const result = await manager.spawn({ instructions: 'x', schema: standard(validate as never) }).wait();
    expect(result).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
    expect((await manager.spawn({ instructions: 'y' }).wait()).status).toBe('completed');
  });
});
