// What the program of the page of LangChain is given.

import { FakeModel } from './fake.js';
import { think } from './page-think.js';

export { spawnSubAgent } from './page-think.js';
export const model = new FakeModel(think);
