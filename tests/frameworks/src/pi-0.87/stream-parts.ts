// What the program of the page of pi that streams is given.

import { createLead } from './example.js';
import { fakeModel } from './fake.js';
import { manager, think } from './page-stream.js';

export const lead = createLead(fakeModel(think), manager);
