// What the program of the page of OpenAI Agents is given.

import { Runner } from '@openai/agents';
import { FakeModel } from './fake.js';
import { think } from './page-think.js';

export { spawnSubAgent } from './page-think.js';
export const model = new FakeModel(think);
export const runner = new Runner({ tracingDisabled: true });
