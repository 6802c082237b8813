// What the program of the page of Strands that streams is given.

import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { manager, think } from './page-stream.js';

export const lead = createLead(new FakeModel(think), manager);
