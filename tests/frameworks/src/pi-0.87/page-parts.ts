// What the program of the page of pi is given.

import { fakeModel } from './fake.js';
import { think } from './page-think.js';

export { spawnSubAgent } from './page-think.js';
export const { model, streamFn } = fakeModel(think);
