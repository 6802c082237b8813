// The checker of `npm run test:crash` finds what it is there for: a log of two processes is in order, and each change of it
// that a loss, a double or a wrong sum would make is reported, with the rule.

import { expect, test } from 'vitest';
import { faultsOf, inFlight, type Line } from '../../crash/check.mjs';

const event = (seq: number, type: string, more: object = {}) => ({ type, seq, taskId: 'sub_1', run: 1, ...more });
const admitted = event(1, 'task_admitted', { run: null, background: true });
const started = event(2, 'run_started');
const ended = event(3, 'run_ended', { status: 'completed', tokens: 30, notice: { acked: false } });
const acked = event(4, 'notice_moved', { delivery: 'acked' });
const task = {
  taskId: 'sub_1',
  parentId: null,
  status: 'completed',
  run: 1,
  output: 'a is done',
  key: 'a',
  spent: 30,
  reserved: 0,
  cap: null,
};
const notice = { deliveryId: 'del_1', taskId: 'sub_1', run: 1 };

const lines: Line[] = [
  { what: 'journal', life: 0, from: 0 },
  { what: 'opened', life: 0, tasks: [], notices: [], spent: 0, reserved: 0 },
  { what: 'spawn', life: 0, key: 'a' },
  { what: 'told', life: 0, ...admitted },
  { what: 'told', life: 0, ...started },
  { what: 'spawned', life: 0, key: 'a', taskId: 'sub_1' },
  { what: 'host', life: 0, taskId: 'sub_1', run: 1, checkpointed: null },
  { what: 'report', life: 0, taskId: 'sub_1', run: 1, used: 30 },
  { what: 'ending', life: 0, taskId: 'sub_1', run: 1, used: 30 },
  { what: 'append', life: 0, number: 1 },
  { what: 'told', life: 0, ...ended },
  { what: 'journal', life: 1, from: 0 },
  { what: 'found', life: 1, ...admitted },
  { what: 'found', life: 1, ...started },
  { what: 'found', life: 1, ...ended },
  { what: 'opened', life: 1, tasks: [task], notices: [notice], spent: 30, reserved: 0 },
  { what: 'leased', life: 1, ...notice },
  { what: 'acked', life: 1, ...notice, isFirst: true },
  { what: 'ended', life: 1, tasks: [task], notices: [], spent: 30, reserved: 0 },
  { what: 'over', life: 1 },
  { what: 'journal', life: 1, from: 0 },
  { what: 'found', life: 1, ...acked },
];
const faults = (log: readonly Line[]): string[] => faultsOf(log, { durability: 'sync', onHostLost: 'fail', capped: false });
const at = (what: string, type?: string): number =>
  lines.findIndex((line) => line.what === what && (type === undefined || line.type === type));
const without = (index: number): Line[] => lines.filter((_, place) => place !== index);
const changed = (index: number, change: object): Line[] => lines.map((line, place) => (place === index ? { ...line, ...change } : line));
const after = (index: number, line: Line): Line[] => [...lines.slice(0, index + 1), line, ...lines.slice(index + 1)];

test('a log that is in order has no faults', () => {
  expect(faults(lines)).toEqual([]);
});

test('what a snapshot stands for can have been compacted before it was read', () => {
  const unread = lines.filter(({ what, type }) => what !== 'found' || type === 'notice_moved');
  expect(faults(unread).length).toBeGreaterThan(0);
  expect(faults(unread.map((line) => (line.what === 'journal' && line.life === 1 ? { ...line, from: 3 } : line)))).toEqual([]);
  const nothing = lines.filter(({ what }) => what !== 'found');
  expect(faults(nothing.map((line) => (line.what === 'journal' && line.life === 1 ? { ...line, from: 4 } : line)))).toEqual([]);
});

test.each<[string, Line[], string]>([
  ['an event that was told is gone', without(at('found', 'run_ended')), 'J1'],
  ['an event that was told is another one', changed(at('found', 'run_ended'), { status: 'failed' }), 'J1'],
  ['the journal has a gap', without(at('found', 'run_started')), 'J1'],
  ['a task that was acknowledged is gone', changed(at('leased') - 1, { tasks: [], spent: 0 }), 'J1'],
  ['an end happened twice', after(lines.length - 1, { what: 'found', life: 1, ...ended, seq: 5 }), 'L2'],
  ['a host function is called after the end', after(at('leased'), { ...(lines[at('host')] as Line), life: 1 }), 'L2'],
  ['a background end made no notice', changed(at('found', 'run_ended'), { notice: null }), 'N1'],
  ['one end has two notices', after(at('leased'), { what: 'leased', life: 1, ...notice, deliveryId: 'del_2' }), 'N1'],
  ['a notice comes again after it was acknowledged', after(at('acked'), { what: 'leased', life: 1, ...notice }), 'N2'],
  ['a notice is acknowledged twice', after(at('acked'), lines[at('acked')] as Line), 'N2'],
  ['a notice is left', changed(at('ended'), { notices: [{ ...notice, deliveryId: 'del_3' }] }), 'N2'],
  ['the manager has spent another sum', changed(at('ended'), { spent: 31 }), 'B2'],
  ['a task has spent another sum than its runs', changed(at('ended'), { tasks: [{ ...task, spent: 31 }], spent: 31 }), 'B2'],
  ['something is reserved at the end', changed(at('ended'), { reserved: 1 }), 'B2'],
  ['other tokens are booked than were returned', changed(at('ending'), { used: 29 }), 'B6'],
  ['a task is there twice', changed(at('ended'), { tasks: [task, task], spent: 60 }), 'D7'],
  ['work does not end', changed(at('ended'), { tasks: [{ ...task, status: 'running' }] }), 'J3'],
  ['what was asked for is not there', after(at('spawn'), { what: 'spawn', life: 0, key: 'b' }), 'J1'],
])('%s', (_, log, rule) => {
  expect(faults(log).map((fault) => fault.slice(0, 2))).toContain(rule);
});

test('what a kill met is read from the log', () => {
  expect(inFlight(lines, 0)).toEqual(['append']);
  expect(inFlight(without(at('told', 'run_ended')), 0)).toEqual(['append', 'end']);
  expect(inFlight(without(at('append')), 0)).toEqual([]);
});
