// The AI SDK 6's own fake model.

import { MockLanguageModelV3 } from 'ai/test';
import { answers } from './answers.js';
import type { Think } from './framework.js';

export const NAME = 'AI SDK 6';

export const fakeModel = (think: Think): MockLanguageModelV3 => new MockLanguageModelV3(answers(think));
