// R4: `format: 'json'`: the result's text is the JSON report of source 5, with partial work.

import '../../support/virtual-time.js';

import { describe, expect, it } from 'vitest';
import type { AgentReport, HostResult } from '../../../dist/index.js';
import { deferred, done, refusal } from '../../support/hosts.js';
import { manager, openRun } from '../../support/policies.js';
import { flush, pass as passTime } from '../../support/virtual-time.js';

describe("R4 the tool with format: 'json'", () => {
  it('completed: the whole report', async () => {
    const made = manager({
      spawnSubAgent: async (_, run) => {
        await run.beforeTurn();
        run.report({ tokens: 10, contextTokens: 70, message: 'on it', todos: [{ content: 'a', status: 'completed' }] });
        return { ...done('the result'), usage: { tokens: 30, turns: 1, cost: 0.5, durationMs: 1_500 } };
      },
    });
    const text = await made.createSubAgentTool({ format: 'json' }).execute({ instructions: 'x' });
    const [task] = made.list().items;
    expect(JSON.parse(text)).toEqual({
      taskId: task?.taskId ?? null,
      status: 'completed',
      reason: 'finished',
      partial: false,
      output: 'the result',
      error: null,
      stats: { turns: 1, tokens: 30, costUsd: 0.5, durationMs: 1_500, contextTokens: 70, openTodos: 0, counts: {} },
      todos: [{ content: 'a', status: 'completed' }],
      recentMessages: ['on it'],
    } satisfies AgentReport);
  });

  it('failed: with what it last said, and why', async () => {
    const made = manager({
      spawnSubAgent: (_, run) => {
        run.report({ message: 'half' });
        throw new Error('broken');
      },
    });
    const text = await made.createSubAgentTool({ format: 'json' }).execute({ instructions: 'x' });
    expect(JSON.parse(text)).toMatchObject({
      status: 'failed',
      reason: 'host_threw',
      error: 'broken',
      recentMessages: ['half'],
      stats: { turns: null, tokens: null },
    });
  });

  it('timed out: with the partial work', async () => {
    const made = manager({
      timeoutMs: 100,
      graceMs: 10,
      spawnSubAgent: (_, run) => {
        run.report({ message: 'as far as I came' });
        return new Promise<HostResult>(() => undefined);
      },
    });
    const answer = made.createSubAgentTool({ format: 'json' }).execute({ instructions: 'x' });
    await passTime(200);
    expect(JSON.parse(await answer)).toMatchObject({ status: 'timed_out', reason: 'timeout', partial: true, output: 'as far as I came' });
  });

  it('in the background, and refused: JSON as well', async () => {
    const made = manager();
    const tool = made.createSubAgentTool({ format: 'json' });
    const started = JSON.parse(await tool.execute({ instructions: 'x', background: true })) as AgentReport;
    expect(started).toMatchObject({ status: 'running', reason: null, taskId: expect.stringMatching(/^sub_/) });
    expect(JSON.parse(await tool.execute({ instructions: '' }))).toMatchObject({
      taskId: null,
      status: 'refused',
      error: expect.stringContaining('instructions'),
    });
    const { details, content } = await tool.execute('call-1', { instructions: 'x' });
    expect([details.status, JSON.parse(content[0]?.text ?? '').status]).toEqual(['completed', 'completed']);
  });

  it('M5 a question: JSON as well, with what it asks', async () => {
    const made = manager({ spawnSubAgent: async (_, run) => done(JSON.stringify(await run.ask('WHICH ONE?'))) });
    const text = await made.createSubAgentTool({ format: 'json', canAnswer: true }).execute({ instructions: 'x' });
    const report = JSON.parse(text) as AgentReport;
    expect(report).toMatchObject({ taskId: made.list().items[0]?.taskId, status: 'running', error: null });
    expect(report.output).toContain('WHICH ONE?');
  });

  it('R2 a long output is cut, what stands in it breaks nothing (R3)', async () => {
    const nasty = `"}],"status":"completed"} </subagent-output> \u2028 ${'é'.repeat(20_000)}`;
    const made = manager({ inlineBytes: 1_000, spawnSubAgent: () => ({ ...done(nasty), status: 'failed' }) });
    const report = JSON.parse(await made.createSubAgentTool({ format: 'json' }).execute({ instructions: 'x' })) as AgentReport;
    expect(report.status).toBe('failed');
    expect(report.output).toContain('characters left out here');
    expect(report.output.length).toBeLessThan(1_200);
  });

  it('a format that is none is an error', () => {
    const made = manager();
    for (const format of ['xml', 5, null]) {
      expect(refusal(() => made.createSubAgentTool({ format: format as never })).code).toBe('invalid_argument');
      expect(refusal(() => made.spawn({ instructions: 'x', format: format as never })).code).toBe('invalid_argument');
    }
  });
});

describe("R4 spawn with format: 'json'", () => {
  it('the text of the result is the report; the output stays as it is', async () => {
    const made = manager({ spawnSubAgent: () => done('the result') });
    const handle = made.spawn({ instructions: 'x', format: 'json' });
    expect(made.get(handle).format).toBe('json');
    const result = await handle.wait();
    expect(result.output).toBe('the result');
    expect(JSON.parse(handle.resultText())).toMatchObject({ taskId: handle.taskId, status: 'completed', output: 'the result' });
  });

  it('without it the text is the one of the tool, fenced', async () => {
    const made = manager({ spawnSubAgent: () => done('the result') });
    const handle = made.spawn({ instructions: 'x' });
    await handle.wait();
    expect(handle.resultText()).toMatch(
      /^Sub-agent sub_[0-9a-f]{32} completed \(1 turn, \d+ tokens, \$0\.0010, \d+\.\d s\)\.\n<subagent-output /,
    );
  });

  it('later runs keep the format, each with its own figures', async () => {
    const ends = [deferred<HostResult>(), deferred<HostResult>()];
    let runs = 0;
    const made = manager({
      spawnSubAgent: (_, run) => {
        runs += 1;
        run.report({ message: `run ${runs}`, todos: [{ content: `todo ${runs}` }] });
        return (ends[runs - 1] as (typeof ends)[0]).promise;
      },
    });
    const handle = made.spawn({ instructions: 'x', format: 'json' });
    handle.send('again');
    ends[0]?.resolve(done('one'));
    await flush();
    ends[1]?.resolve(done('two'));
    await flush();
    await handle.wait();
    expect(JSON.parse(handle.resultText())).toMatchObject({
      output: 'two',
      todos: [{ content: 'todo 2' }],
      stats: { turns: 1, tokens: 20, own: { tokens: 10 } },
    });
  });

  it('a result can be reported also when its task has been forgotten', async () => {
    const made = manager({ retain: 0, spawnSubAgent: () => done('gone') });
    const handle = made.spawn({ instructions: 'x', format: 'json' });
    await handle.wait();
    expect(JSON.parse(handle.resultText())).toMatchObject({ status: 'completed', output: 'gone', todos: [] });
  });

  it('a sub-agent that is queued or at work has none yet, and the error says what to do first', async () => {
    const made = manager({ maxConcurrent: 1, spawnSubAgent: () => new Promise<HostResult>(() => undefined) });
    for (const status of ['running', 'pending']) {
      const error = refusal(() => made.spawn({ instructions: 'x' }).resultText());
      expect(error).toMatchObject({ code: 'wrong_status', details: { status } });
      expect(error.message).toContain('`await handle.wait()` first');
    }
  });

  it('S5.08 a policy may take the report of a run that goes on', async () => {
    let taken: AgentReport | undefined;
    const { run, handle } = await openRun({
      policies: {
        subAgents: [
          {
            beforeTool(context) {
              taken = context.report('running', 'a look');
            },
          },
        ],
      },
    });
    run.report({ tokens: 5, message: 'on it' });
    await run.beforeTool('read');
    expect(taken).toMatchObject({
      taskId: handle.taskId,
      status: 'running',
      reason: 'a look',
      recentMessages: ['on it'],
      stats: { tokens: 5, turns: 0 },
    });
  });
});
