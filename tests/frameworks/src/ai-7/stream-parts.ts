// What the program of the page of the AI SDK that streams is given.

import type { LanguageModel, ToolSet } from 'ai';
import { fakeModel } from './fake.js';
import { think } from './page-stream.js';

export const model = fakeModel(think) as LanguageModel;
export const tools: ToolSet = {};
