// The face of Calute: what its documentation says of the manager, its handles and its operator tools, row by row.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Agent, type Calute, type RuntimeState, SpawnedAgentHandle, SpawnedAgentManager } from '../../dist/from/calute.js';

/** A call of the model, which the test ends. */
interface Call {
  prompt: string;
  agent: Agent;
  signal: AbortSignal;
  says(content: string): void;
  fails(error: Error): void;
}

const made: SpawnedAgentManager[] = [];
afterEach(() => {
  for (const { manager } of made.splice(0)) manager.dispose();
});

function open(agents: Record<string, Agent> = {}): { manager: SpawnedAgentManager; calls: Call[]; state: RuntimeState } {
  const calls: Call[] = [];
  const main: Agent = { id: 'main', name: 'Main', model: 'large' };
  const calute: Calute = {
    orchestrator: { agents, getCurrentAgent: () => main },
    createResponse: ({ prompt, agentId, signal, stream, applyFunctions }) => {
      expect([stream, applyFunctions]).toEqual([false, true]);
      return new Promise((resolve, reject) => {
        calls.push({ prompt, agent: agentId, signal, says: (content) => resolve({ content }), fails: reject });
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
  const state: RuntimeState = { config: { agentOverrides: {} } };
  const manager = new SpawnedAgentManager(calute, state);
  made.push(manager);
  return { manager, calls, state };
}

const callOf = (calls: Call[], at: number): Call => calls[at] as Call;

describe('the manager of Calute', () => {
  test('S3.13 S3.25 S3.26 S3.04 spawn without a message is idle, with a copy of the current agent', async () => {
    const { manager, calls } = open();
    const snapshot = await manager.spawn();
    expect(snapshot).toMatchObject({ status: 'idle', sourceAgentId: 'main', lastInput: null, lastOutput: null, error: null });
    expect(snapshot.handleId).toMatch(/^subagent_[0-9a-f]{10}$/);
    expect(manager._handles.get(snapshot.handleId)).toBeInstanceOf(SpawnedAgentHandle);
    expect(calls).toEqual([]);
    expect((await manager.spawn({ message: '' })).status).toBe('idle');
  });

  test('S3.01 S3.02 S3.03 S3.27 each handle works with a copy of its own, of the agent that was named', async () => {
    const reader: Agent = { id: 'reader', name: null, tools: ['read'] };
    const { manager, calls } = open({ reader });
    const one = await manager.spawn({ agentId: 'reader', message: 'a' });
    const two = await manager.spawn({ agentId: 'reader', message: 'b' });
    expect(new Set([one.handleId, two.handleId]).size).toBe(2);
    expect(calls.map(({ prompt, agent }) => [prompt, agent.id, agent.tools])).toEqual([
      ['a', one.handleId, ['read']],
      ['b', two.handleId, ['read']],
    ]);
    expect(callOf(calls, 0).agent).not.toBe(reader);
    expect(reader.id).toBe('reader');
    expect(one.sourceAgentId).toBe('reader');
    await expect(manager.spawn({ agentId: 'nobody' })).rejects.toMatchObject({ code: 'unknown_agent' });
  });

  test('S3.20 S3.23 S3.24 a message starts at once, under either of its names', async () => {
    const { manager, calls } = open();
    expect(await manager.spawn({ taskDescription: 'first' })).toMatchObject({ status: 'idle', lastInput: 'first' });
    const { handleId } = await manager.spawn();
    expect(await manager.sendInput(handleId, { taskDescription: 'second' })).toMatchObject({ status: 'idle', lastInput: 'second' });
    expect(manager.listHandles().map(({ status }) => status)).toEqual(['running', 'running']);
    expect(calls.map(({ prompt }) => prompt)).toEqual(['first', 'second']);
    await expect(manager.sendInput(handleId)).rejects.toThrow('Spawned agent input is required');
  });

  test('S3.07 S3.28 S3.29 the nickname is the id; the profile is minimal unless it is given, and the state has it', async () => {
    const { manager, state, calls } = open();
    expect(await manager.spawn({ nickname: 'logs', message: 'read' })).toMatchObject({ handleId: 'logs', promptProfile: 'minimal' });
    expect(await manager.spawn({ promptProfile: 'full', nickname: 'deep' })).toMatchObject({ promptProfile: 'full' });
    expect(state.config.agentOverrides).toEqual({ logs: { promptProfile: 'minimal' }, deep: { promptProfile: 'full' } });
    expect(callOf(calls, 0).agent).toMatchObject({ id: 'logs', name: 'logs' });
    await expect(manager.spawn({ nickname: 'logs' })).rejects.toMatchObject({ code: 'nickname_taken' });
  });

  test('every handle runs at once', async () => {
    const { manager, calls } = open();
    for (let at = 0; at < 40; at += 1) await manager.spawn({ message: `m${at}` });
    expect(calls).toHaveLength(40);
    expect(manager.listHandles().every(({ status }) => status === 'running')).toBe(true);
  });

  test('S3.05 S3.06 S3.08 running, completed, error; the last output is what the agent said, nothing added', async () => {
    const { manager, calls } = open();
    const { handleId, createdAt } = await manager.spawn({ message: 'one' });
    callOf(calls, 0).says('Line one.\n\nLine two.');
    const { completed } = await manager.wait([handleId]);
    expect(completed).toMatchObject([{ status: 'completed', lastInput: 'one', lastOutput: 'Line one.\n\nLine two.', error: null }]);
    await manager.sendInput(handleId, { message: 'two' });
    callOf(calls, 1).fails(new Error('no key'));
    const [failed] = (await manager.wait([handleId])).completed;
    expect(failed).toMatchObject({ status: 'error', lastInput: 'two', error: 'no key', createdAt });
    for (const instant of [failed?.createdAt, failed?.updatedAt]) expect(new Date(instant as string).toISOString()).toBe(instant);
  });

  test('S3.09 S3.33 the queue is first in, first out, and goes on after a failure', async () => {
    const { manager, calls } = open();
    const { handleId } = await manager.spawn({ message: 'a' });
    await manager.sendInput(handleId, { message: 'b' });
    expect(await manager.sendInput(handleId, { message: 'c' })).toMatchObject({ queueSize: 2, queuedPreview: 'b', lastInput: 'c' });
    expect(manager._handles.get(handleId)?.queue).toEqual(['b', 'c']);
    callOf(calls, 0).fails(new Error('bad'));
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    callOf(calls, 1).says('done b');
    await vi.waitFor(() => expect(calls).toHaveLength(3));
    expect(calls.map(({ prompt }) => prompt)).toEqual(['a', 'b', 'c']);
  });

  test('S3.18 S3.21 an interrupt stops the work under way, and its message is next', async () => {
    const { manager, calls } = open();
    const { handleId } = await manager.spawn({ message: 'a' });
    await manager.sendInput(handleId, { message: 'later' });
    expect((await manager.sendInput(handleId, { message: 'now', interrupt: true })).status).toBe('interrupted');
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(callOf(calls, 0).signal.aborted).toBe(true);
    expect(calls.map(({ prompt }) => prompt)).toEqual(['a', 'now']);
    expect(manager._handles.get(handleId)?.queue).toEqual(['later']);
    expect(manager.listHandles()).toMatchObject([{ status: 'running', error: 'cancelled' }]);
  });

  test('S3.18 a model that does not stop is not waited for', async () => {
    const answers: ((answer: { content: string }) => void)[] = [];
    const main: Agent = { id: 'main' };
    const manager = new SpawnedAgentManager({
      orchestrator: { agents: {}, getCurrentAgent: () => main },
      createResponse: () => new Promise((resolve) => answers.push(resolve)),
    });
    made.push(manager);
    await manager.spawn({ nickname: 'a', message: 'x' });
    await manager.sendInput('a', { message: 'y', interrupt: true });
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[0]?.({ content: 'too late' });
    answers[1]?.({ content: 'y' });
    expect((await manager.wait(['a'])).completed).toMatchObject([{ status: 'completed', lastOutput: 'y', error: null }]);
  });

  test('S3.09 S3.14 S3.17 what waited when a handle was closed comes after the next message', async () => {
    const { manager, calls } = open();
    await manager.spawn({ nickname: 'a', message: 'x' });
    for (const message of ['q1', 'q2']) await manager.sendInput('a', { message });
    expect(manager.close('a')).toMatchObject({ queueSize: 2, queuedPreview: 'q1' });
    expect(manager.close('a').queueSize).toBe(2);
    expect(manager.resume('a')).toMatchObject({ status: 'idle', queueSize: 2 });
    expect(await manager.sendInput('a', { message: 'y' })).toMatchObject({ lastInput: 'y', queueSize: 2 });
    for (let at = 1; at < 4; at += 1) {
      await vi.waitFor(() => expect(calls).toHaveLength(at + 1));
      callOf(calls, at).says('ok');
    }
    expect(calls.map(({ prompt }) => prompt)).toEqual(['x', 'y', 'q1', 'q2']);
  });

  test('S3.19 without an id the open handle that changed last is meant', async () => {
    const { manager, calls } = open();
    await manager.spawn({ nickname: 'a' });
    await manager.spawn({ nickname: 'b' });
    // Of those that changed in the same millisecond, the younger one is meant.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await manager.sendInput('a', { message: 'x' });
    expect((await manager.sendInput(null, { message: 'y' })).handleId).toBe('a');
    manager.close('a');
    expect((await manager.sendInput(undefined, { message: 'z' })).handleId).toBe('b');
    expect(calls.map(({ prompt }) => prompt)).toEqual(['x', 'z']);
    manager.close('b');
    await expect(manager.sendInput(undefined, { message: 'w' })).rejects.toMatchObject({
      code: 'unknown_task',
      message: 'Spawned agent target is required because no open handles exist',
    });
  });

  test('S3.14 S3.11 S3.16 S3.22 close answers at once, with the status before; a closed handle takes no messages', async () => {
    const { manager, calls } = open();
    await manager.spawn({ nickname: 'a', message: 'x' });
    const closed = manager.close('a');
    expect(closed).toMatchObject({ handleId: 'a', status: 'closed', closed: true, previousStatus: 'running' });
    expect(manager.close('a').previousStatus).toBe('closed');
    expect(callOf(calls, 0).signal.aborted).toBe(true);
    expect(manager.listHandles().map(({ handleId, status }) => [handleId, status])).toEqual([['a', 'closed']]);
    await expect(manager.sendInput('a', { message: 'y' })).rejects.toThrow('Spawned agent is closed: a');
  });

  test('S3.17 resume opens a closed handle as idle, at once, and any other stays as it is', async () => {
    const { manager, calls } = open();
    await manager.spawn({ nickname: 'a', message: 'x' });
    expect(manager.resume('a').status).toBe('running');
    manager.close('a');
    expect(manager.resume('a')).toMatchObject({ closed: false, status: 'idle' });
    expect((await manager.sendInput('a', { message: 'y' })).status).toBe('idle');
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    callOf(calls, 1).says('done');
    await manager.wait(['a']);
    expect(manager.resume('a').status).toBe('completed');
  });

  test('S3.10 S3.30 S3.31 wait returns the ended and the running ones; nothing running counts as completed', async () => {
    const { manager, calls } = open();
    await manager.spawn({ nickname: 'idle' });
    await manager.spawn({ nickname: 'done', message: 'x' });
    await manager.spawn({ nickname: 'busy', message: 'y' });
    const task = manager._handles.get('done')?.task;
    callOf(calls, 0).says('ok');
    await task;
    expect(manager._handles.get('done')?.task).toBeNull();
    const { completed, pending } = await manager.wait(['idle', 'done', 'busy'], 20);
    expect(completed.map(({ handleId }) => handleId)).toEqual(['idle', 'done']);
    expect(pending.map(({ handleId, status }) => [handleId, status])).toEqual([['busy', 'running']]);
    expect(await manager.wait(['busy'], 0)).toMatchObject({ completed: [], pending: [{ handleId: 'busy' }] });
    expect(await manager.wait([])).toEqual({ completed: [], pending: [] });
  });

  test('S3.15 an unknown id is an error of every call', async () => {
    const { manager } = open();
    const unknown = { code: 'unknown_task', message: 'Spawned agent not found: x' };
    expect(() => manager.close('x')).toThrow(expect.objectContaining(unknown));
    expect(() => manager.resume('x')).toThrow(expect.objectContaining(unknown));
    await expect(manager.wait(['x'])).rejects.toMatchObject(unknown);
    await expect(manager.sendInput('x', { message: 'y' })).rejects.toMatchObject(unknown);
  });

  test('S3.12 S3.34 every call gives the same view, and JSON keeps all of it', async () => {
    const { manager, calls } = open();
    const spawned = await manager.spawn({ nickname: 'a', message: 'x' });
    const fields = ['handleId', 'sourceAgentId', 'status', 'createdAt', 'updatedAt', 'promptProfile', 'lastInput', 'lastOutput'];
    expect(Object.keys(spawned)).toEqual([...fields, 'error', 'closed', 'queueSize', 'queuedPreview']);
    callOf(calls, 0).says('y');
    const [waited] = (await manager.wait(['a'])).completed;
    const snapshot = manager._handles.get('a')?.snapshot();
    expect([waited, manager.listHandles()[0], JSON.parse(JSON.stringify(snapshot))]).toEqual([snapshot, snapshot, snapshot]);
  });
});

describe('the operator tools of Calute', () => {
  const toolsOf = (manager: SpawnedAgentManager) =>
    Object.fromEntries(manager.operatorTools().map((tool) => [tool.name, async (args?: unknown) => JSON.parse(await tool.execute(args))]));

  test('S3.32 their names and arguments', () => {
    const { manager } = open();
    const named = manager.operatorTools().map(({ name, parameters }) => [name, Object.keys(parameters.properties).join(' ')]);
    expect(named).toEqual([
      ['spawn_agent', 'message task_description agent_id prompt_profile nickname'],
      ['send_input', 'handle_id id agent_id nickname message task_description interrupt'],
      ['wait_agent', 'targets timeout_ms'],
      ['resume_agent', 'handle_id id agent_id nickname'],
      ['close_agent', 'handle_id id agent_id nickname'],
      ['list_agents', ''],
    ]);
  });

  test('S3.32 S3.34 a life by tools alone', async () => {
    const { manager, calls } = open({ reader: { id: 'reader' } });
    const { spawn_agent, send_input, wait_agent, close_agent, resume_agent, list_agents } = toolsOf(manager);
    expect(await spawn_agent?.({ agent_id: 'reader', nickname: 'logs', prompt_profile: 'full' })).toMatchObject({
      handle_id: 'logs',
      source_agent_id: 'reader',
      status: 'idle',
      prompt_profile: 'full',
      queue_size: 0,
      queued_preview: null,
    });
    expect(await send_input?.({ id: 'logs', task_description: 'read' })).toMatchObject({ status: 'idle', last_input: 'read' });
    expect(await send_input?.({ agent_id: 'logs', message: 'again' })).toMatchObject({ queue_size: 1, queued_preview: 'again' });
    callOf(calls, 0).says('It says: “stop”.');
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    callOf(calls, 1).says('It says: “go”.');
    expect(await wait_agent?.({ targets: ['logs'], timeout_ms: 1_000 })).toMatchObject({
      completed: [{ handle_id: 'logs', last_output: 'It says: “go”.' }],
      pending: [],
    });
    expect(await close_agent?.({ handle_id: 'logs' })).toMatchObject({ status: 'closed', previous_status: 'completed' });
    expect(await send_input?.({ handle_id: 'logs', message: 'x' })).toEqual({ error: 'Spawned agent is closed: logs' });
    expect(await resume_agent?.({ nickname: 'logs' })).toMatchObject({ status: 'idle', closed: false });
    expect(await list_agents?.()).toMatchObject([{ handle_id: 'logs' }]);
    expect(await wait_agent?.({ targets: ['nobody'] })).toEqual({ error: 'Spawned agent not found: nobody' });
  });
});
