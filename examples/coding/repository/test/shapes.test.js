import assert from 'node:assert/strict';
import { test } from 'node:test';

import { calculateArea, describe } from '../src/shapes.js';

test('the area of a rectangle', () => {
  assert.equal(calculateArea({ width: 2, height: 3 }), 6);
  assert.equal(describe({ width: 2, height: 3 }), '2 by 3, area 6');
});
