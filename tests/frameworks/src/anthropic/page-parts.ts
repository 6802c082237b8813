// What the program of the page of Anthropic's SDK is given.

import { fakeClient } from './fake.js';
import { think } from './page-think.js';

export { spawnSubAgent } from './page-think.js';
export const client = fakeClient(think);
