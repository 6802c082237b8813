// The record of a node names each of its fields three times, since a spread is too slow for it: here it is checked that none
// is left out, so that no copy loses one.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NodeRecord } from '../../../ts/view/node-record.js';

/** The fields that a class of `ts/view/` declares. */
function fieldsOf(file: string, name: string): string[] {
  const source = readFileSync(join(import.meta.dirname, '../../../ts/view', file), 'utf8');
  const body = source.split(`class ${name}`)[1]?.split('constructor')[0] ?? '';
  return [...body.matchAll(/^ {2}declare (\w+):/gm)].map(([, field]) => field as string);
}

const declared = [...fieldsOf('generated/left.ts', 'Left'), ...fieldsOf('node-record.ts', 'NodeRecord')];

test('a node has every field that its record declares, and a copy of it each as it was', () => {
  expect(declared.length).toBeGreaterThan(60);
  const whole = Object.fromEntries(declared.map((name) => [name, `the ${name}`]));
  const copy = new NodeRecord(1, 2, whole as Partial<NodeRecord>);
  expect({ ...copy }).toEqual({ ...whole, epoch: 1, index: 2 });
  expect(Object.keys(new NodeRecord(1, 2, {}))).toEqual(declared);
});
