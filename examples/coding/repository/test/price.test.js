import assert from 'node:assert/strict';
import { test } from 'node:test';

import { price } from '../src/price.js';

test('the price of two rectangles', () => {
  const tot = price([
    { width: 2, height: 3 },
    { width: 1, height: 1 },
  ]);
  assert.equal(tot, 21);
});
