// What the program of the page of ADK that streams is given.

import { FakeModel } from './fake.js';
import { think } from './page-stream.js';

export { manager } from './page-stream.js';
export const model = new FakeModel(think);
