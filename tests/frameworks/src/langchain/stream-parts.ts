// What the program of the page of LangChain that streams is given.

import { FakeModel } from './fake.js';
import { think } from './page-stream.js';

export const model = new FakeModel(think);
