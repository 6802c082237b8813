// What the program of the page of OpenAI Agents that streams is given.

import type { Tool } from '@openai/agents';
import { FakeModel } from './fake.js';
import { think } from './page-stream.js';

export const model = new FakeModel(think);
export const tools: Tool[] = [];
