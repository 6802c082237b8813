// How many names a program meets: the members of each class and the exports of the default entry, against a written list. A name
// more or less is a decision, which is made here.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as entry from '../../dist/index.js';
import { exportsOf } from '../support/exports.js';

const root = join(import.meta.dirname, '../..');

/** What a manager, a session and a run have in common. */
const SCOPE = [
  ...['spawn', 'drive', 'send', 'wait', 'interrupt', 'cancel', 'close', 'resume', 'moveToBackground'],
  ...['get', 'list', 'readResult', 'forget', 'inbox', 'report'],
  ...['canSpawn', 'checkConsumerSpawn', 'getConcurrencyInfo', 'createSubAgentTool', 'createTools'],
  ...['beforeTurn', 'beforeTool', 'afterTool', 'beforeEnd'],
];
const HANDLE = [
  ...['taskId', 'label', 'status', 'queue', 'wait', 'send', 'interrupt', 'cancel', 'close', 'resume'],
  ...['readResult', 'resultText', 'snapshot', 'toJSON'],
];
const CLASSES = {
  SubAgentManager: [
    ...SCOPE,
    ...['cancelAll', 'stats', 'costs', 'estimate', 'budget', 'addBudget', 'limits', 'setLimits'],
    ...['session', 'sessionKeys', 'closeSession', 'subscribe', 'onRefused', 'reportSettled'],
    ...['drain', 'flush', 'compact', 'restored', 'dispose'],
  ],
  Session: [...SCOPE, 'cancelAll'],
  Run: [
    ...SCOPE,
    ...['taskId', 'run', 'depth', 'label', 'prompt', 'contextHint', 'systemPrompt', 'profile', 'agent', 'modelId'],
    ...['tools', 'disallowedTools', 'schema', 'limits', 'remaining', 'signal', 'session', 'previousError'],
    ...[
      'ask',
      'checkpoint',
      'checkpointed',
      'idempotencyKey',
      'reportRateLimit',
      'countTokens',
      'ended',
      'acquired',
      'effort',
      'save',
      'saved',
      'steers',
    ],
  ],
  Handle: HANDLE,
  DrivenHandle: [...HANDLE, 'start', 'signal', 'report', 'complete', 'fail'],
  Inbox: ['lease', 'next', 'ack', 'peek'],
} as const;

/** The names that completions offer after a dot, those of the classes above included. */
function membersOf(prototype: object): string[] {
  const names = new Set<string>();
  for (let level = prototype; level !== Object.prototype; level = Object.getPrototypeOf(level))
    for (const name of Object.getOwnPropertyNames(level)) if (name !== 'constructor') names.add(name);
  return [...names].sort();
}

describe('the names that a program meets', () => {
  test.each(Object.entries(CLASSES))('%s', (name, members) => {
    const { prototype } = entry[name as keyof typeof CLASSES];
    expect(membersOf(prototype)).toEqual([...members].sort());
  });

  test('a manager has about 40 of them', () => {
    expect(CLASSES.SubAgentManager.length).toBeLessThanOrEqual(43);
    expect(Object.getOwnPropertyNames(Object.getPrototypeOf(entry.SubAgentManager))).toContain('open');
  });

  test('the values of the entry `subagents`', () => {
    expect(Object.keys(entry).sort()).toEqual(
      [
        ...['SubAgentManager', 'Session', 'Run', 'Handle', 'DrivenHandle', 'Inbox', 'SubAgentError', 'isSubAgentError'],
        ...['createSubAgentTool', 'SubAgentParams', 'SUB_AGENT_TOOL_NAME', 'OPERATIONS', 'TOOL_PRESETS'],
        ...['DEFAULT_LIMITS', 'DEFAULT_PROFILE'],
        ...['TASK_STATUSES', 'STOP_REASONS', 'WAITING_FOR', 'PARK_REASONS', 'ON_PARENT_END'],
      ].sort(),
    );
  });

  test('types included, the entry `subagents` has no more names than these', () => {
    expect(exportsOf(join(root, 'dist/index.d.ts')).size).toBeLessThanOrEqual(182);
  });

  test('no entry exports what reads the bytes of the core, not as a type either', () => {
    const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object };
    const types = new Set(JSON.stringify(entries).match(/\.\/dist\/[^"]*\.d\.ts/g));
    expect(types.size).toBeGreaterThan(20);
    const readers = [...types].flatMap((file) =>
      Array.from(exportsOf(join(root, file))).filter(([name, declared]) =>
        new RegExp(`^export declare (?:function|const) ${name}\\b.*ViewBytes`, 'm').test(readFileSync(declared, 'utf8')),
      ),
    );
    expect(readers.map(([name]) => name)).toEqual([]);
  });
});
