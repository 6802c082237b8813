// An agent on the official SDK of the Agent Client Protocol that does what real agents do, the wrong things too. A prompt holds
// what it has to do: `DO:[{"say":"done"}]`. `FAKE_START` says how it begins. Each start and each prompt is a line of FAKE_LOG.

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const { FAKE_LOG = '', FAKE_START = '', FAKE_CAN = 'resume' } = process.env;
const log = (entry) => FAKE_LOG && appendFileSync(FAKE_LOG, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
log({ started: process.argv.slice(2), depth: process.env.SUBAGENTS_DEPTH });
// A test that is killed leaves no agent behind.
setTimeout(() => process.exit(3), 100_000).unref();

if (FAKE_START === 'dies') {
  process.stderr.write('cannot read its configuration\n');
  process.exit(2);
}
if (FAKE_START === 'banner') process.stdout.write('Welcome to the fake agent 1.0!\n{ not json\n');
if (FAKE_START === 'flood') {
  const line = 'x'.repeat(1 << 20);
  const pour = () => {
    while (process.stdout.write(line));
    process.stdout.once('drain', pour);
  };
  pour();
}

const raw = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let cancelled = () => undefined;

async function perform(steps, { client, params, requestId }) {
  const { sessionId } = params;
  const update = (what) => client.notify('session/update', { sessionId, update: what });
  const stopped = new Promise((resolve) => {
    cancelled = () => resolve('cancelled');
  });
  const end = { stopReason: 'end_turn' };
  let tools = 0;
  for (const step of steps) {
    while (step.waits && !existsSync(`${FAKE_LOG}.go`)) await sleep(10);
    if (step.say !== undefined) await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.say } });
    for (let at = 0; at < (step.thinks ?? 0); at += 1) {
      await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
      await sleep(100);
    }
    if (step.write !== undefined) writeFileSync(step.write, `${sessionId}\n`);
    if (step.tool !== undefined) {
      tools += 1;
      const toolCallId = `t${tools}`;
      const { kind = 'execute', command, at = [], diff = [], exit, terminalExit, fails } = step;
      const input = command !== undefined && { rawInput: { command } };
      await update({ sessionUpdate: 'tool_call', toolCallId, title: step.tool, kind, status: 'pending', ...input });
      const content = diff.map((change) => ({ type: 'diff', newText: 'new', ...change }));
      await sleep(step.takesMs ?? 0);
      if (content.length > 0) await update({ sessionUpdate: 'tool_call_update', toolCallId, content });
      if (step.besideEdits !== undefined) {
        const edit = { toolCallId: `${toolCallId}b`, title: 'Edit', kind: 'edit', locations: [{ path: step.besideEdits }] };
        await update({ sessionUpdate: 'tool_call', ...edit, status: 'completed' });
      }
      await update({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: fails ? 'failed' : 'completed',
        locations: at.map((path) => ({ path })),
        ...(exit !== undefined && { rawOutput: { exit_code: exit } }),
        ...(terminalExit !== undefined && { _meta: { terminal_exit: { terminal_id: toolCallId, exit_code: terminalExit } } }),
      });
    }
    if (step.ask !== undefined) {
      const options = [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'always', name: 'Always', kind: 'allow_always' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ];
      const toolCall = { toolCallId: 'p', title: step.ask, kind: step.kind ?? 'execute', rawInput: { command: step.ask } };
      for (let time = 0; time < (step.times ?? 1); time += 1) {
        const { outcome } = await client.request('session/request_permission', { sessionId, toolCall, options });
        log({ asked: step.ask, outcome: outcome.optionId ?? outcome.outcome });
        if (outcome.outcome === 'cancelled') return { stopReason: 'cancelled' };
        if (outcome.optionId === 'no' && step.endsIfRefused) return { stopReason: 'cancelled' };
      }
    }
    if (step.plan !== undefined) await update({ sessionUpdate: 'plan', entries: step.plan });
    if (step.spends !== undefined) {
      const { spent, ...kept } = sessionOf(sessionId);
      const amount = spent + step.spends;
      keepSession(sessionId, { ...kept, spent: amount });
      await update({ sessionUpdate: 'usage_update', used: 1_000, size: 200_000, cost: { amount: amount / 1_000, currency: 'USD' } });
    }
    if (step.used !== undefined)
      await update({
        sessionUpdate: 'usage_update',
        used: step.used,
        size: 200_000,
        ...(step.cost !== undefined && { cost: { amount: step.cost, currency: 'USD' } }),
      });
    if (step.usage !== undefined) end.usage = step.usage;
    if (step.quota !== undefined) end._meta = { quota: { token_count: step.quota } };
    if (step.stopReason !== undefined) end.stopReason = step.stopReason;
    if (step.unknown) raw({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'of_tomorrow', what: 1 } } });
    if (step.flood !== undefined) {
      for (let at = 0; at < step.flood; at += 1)
        await update({ sessionUpdate: 'tool_call', toolCallId: `f${at}`, title: `call ${at}`, kind: 'read', status: 'pending' });
    }
    if (step.grandchild) {
      // What holds much memory takes its time to end, even by SIGKILL.
      const holds = `const held = Buffer.alloc(${(step.megabytes ?? 0) * 1_000_000}, 1); setTimeout(() => held, 90000)`;
      const script = `process.on('SIGTERM', () => {}); ${holds}; process.send('ready')`;
      const child = spawn(process.execPath, ['-e', script], {
        stdio: ['ignore', step.megabytes ? 'ignore' : 'inherit', 'ignore', 'ipc'],
        detached: step.grandchild === 'apart',
      });
      await new Promise((resolve) => child.once('message', resolve));
      child.disconnect();
      child.unref();
      log({ grandchild: child.pid });
    }
    if (step.dies) {
      process.stdout.write('{"jsonrpc":"2.0","method":"session/upd');
      await sleep(20);
      process.exit(7);
    }
    if (step.untilCancelled === 'never') await sleep(90_000);
    else if (step.untilCancelled && (await stopped) && !step.goesOn)
      return step.usageOnCancel ? { stopReason: 'cancelled', usage: step.usageOnCancel } : { stopReason: 'cancelled' };
    if (step.twice) {
      raw({ id: requestId, result: { stopReason: 'end_turn' } });
      await sleep(20);
    }
    if (step.byState) {
      setTimeout(
        () =>
          raw({
            method: 'session/update',
            params: { sessionId, update: { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' } },
          }),
        20,
      );
      return {};
    }
  }
  return end;
}

/** Its sessions, each in a file of its own: what is killed in the middle leaves no torn one. */
const fileOf = (sessionId) => join(`${FAKE_LOG}.sessions`, sessionId);
const sessionOf = (sessionId) => JSON.parse(readFileSync(fileOf(sessionId), 'utf8'));
function keepSession(sessionId, session) {
  if (!FAKE_LOG) return;
  mkdirSync(`${FAKE_LOG}.sessions`, { recursive: true });
  writeFileSync(`${fileOf(sessionId)}.${process.pid}`, JSON.stringify(session));
  renameSync(`${fileOf(sessionId)}.${process.pid}`, fileOf(sessionId));
}
const modes = {
  currentModeId: 'default',
  availableModes: [
    { id: 'default', name: 'Default' },
    { id: 'read-only', name: 'Read only' },
  ],
};
const configOptions = [
  { id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: 'a', options: [{ value: 'high', name: 'High' }] },
  {
    ...{ id: 'effort', name: 'Effort', category: 'thought_level', type: 'select', currentValue: 'low' },
    options: [
      {
        group: 'all',
        name: 'All',
        options: [
          { value: 'low', name: 'Low' },
          { value: 'high', name: 'High' },
        ],
      },
    ],
  },
];
const known = ({ sessionId }) => {
  if (!FAKE_LOG || process.env.FAKE_FORGETS || !existsSync(fileOf(sessionId)))
    throw RequestError.invalidParams(undefined, `no session ${sessionId}`);
};

const app = agent({ name: 'fake' })
  .onRequest('initialize', () => ({
    protocolVersion: FAKE_START === 'version' ? 7 : 1,
    agentCapabilities: {
      loadSession: FAKE_CAN === 'load',
      ...(FAKE_CAN === 'resume' && { sessionCapabilities: { resume: {} } }),
      ...(process.env.FAKE_STEERS && { _meta: { steering: { supported: true } } }),
    },
    authMethods: [],
  }))
  .onRequest('authenticate', ({ params }) => {
    log({ authenticated: params.methodId });
    return {};
  })
  .onRequest('session/new', ({ params }) => {
    if (FAKE_START === 'auth') throw RequestError.authRequired();
    const sessionId = `s${process.pid}-${Date.now()}`;
    keepSession(sessionId, { spent: 0 });
    log({ made: sessionId, cwd: params.cwd, servers: params.mcpServers.length });
    return { sessionId, modes, configOptions };
  })
  .onRequest('session/resume', ({ params }) => {
    if (FAKE_START === 'dies_resuming') process.exit(1);
    known(params);
    log({ resumed: params.sessionId });
    return { modes };
  })
  .onRequest('session/load', async ({ params, client }) => {
    known(params);
    const { sessionId } = params;
    await client.notify('session/update', {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'said before' } },
    });
    log({ loaded: sessionId });
    return { modes };
  })
  .onRequest('session/set_mode', ({ params }) => {
    log({ mode: params.modeId });
    return {};
  })
  .onRequest('session/set_config_option', ({ params }) => {
    log({ configured: [params.configId, params.value] });
    return { configOptions };
  })
  .onRequest('session/prompt', (context) => {
    const text = context.params.prompt.map((part) => part.text).join('\n');
    log({ prompt: text });
    // The last one: a later turn repeats nothing.
    const script = text.slice(text.lastIndexOf('DO:') + 3).split('\n')[0];
    return perform(text.includes('DO:') ? JSON.parse(script) : [{ say: `heard: ${text.slice(-200)}` }], context);
  })
  .onRequest(
    '_session/steering',
    (params) => params,
    ({ params }) => {
      log({ steered: params.prompt[0].text });
      cancelled();
      return { outcome: 'injected' };
    },
  )
  .onNotification('session/cancel', () => {
    log({ cancel: true });
    cancelled();
  });
if (FAKE_START !== 'silent' && FAKE_START !== 'flood') {
  const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
  await connection.closed;
  process.exit(0);
} else process.stdin.resume();
