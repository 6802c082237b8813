// What the program of the page of the AI SDK is given.

import type { LanguageModel } from 'ai';
import { fakeModel } from './fake.js';
import { think } from './page-think.js';

export { spawnSubAgent } from './page-think.js';
export const model = fakeModel(think) as LanguageModel;
