// The AI SDK's own fake model, which Mastra takes.

import { MockLanguageModelV4 } from 'ai/test';
import { answers } from './answers.js';
import type { Think } from './framework.js';

export const NAME = 'Mastra 1.71';

export const fakeModel = (think: Think): MockLanguageModelV4 => new MockLanguageModelV4(answers(think));
