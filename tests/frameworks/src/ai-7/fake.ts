// The AI SDK 7's own fake model.

import { MockLanguageModelV4 } from 'ai/test';
import { answers } from './answers.js';
import type { Think } from './framework.js';

export const NAME = 'AI SDK 7';

export const fakeModel = (think: Think): MockLanguageModelV4 => new MockLanguageModelV4(answers(think));
