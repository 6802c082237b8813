// The documents of the playground: a small set to begin with, and what a person drops. Owns their texts; nothing of
// them leaves the page.

import type { Opened } from '../../examples/ask/src/look.js';

export interface Document {
  readonly name: string;
  readonly text: string;
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_DOCUMENTS = 200;

export const QUESTION = 'When does the harbour crane need a permit?';

const documentOf = (name: string, text: string): Document => ({ name, text: text.trim() });

/** About a harbour and its crane: some answer the question, some don't. */
export const SAMPLES: readonly Document[] = [
  documentOf(
    'crane-rules.md',
    `
# Rules for the harbour crane

The harbour crane stands on quay 3 and lifts up to 40 tonnes.
The crane needs a permit when a load exceeds 12 tonnes.
A permit is not needed for lifts that the harbour office orders itself.
The driver signs the log before the first lift of a day.
`,
  ),
  documentOf(
    'safety.md',
    `
# Safety on the quays

Nobody stands under a load.
Above 50 km/h of wind the crane stops, permit or not.
A permit for the harbour crane is needed at night, between 22:00 and 6:00.
Helmets are worn everywhere on quay 3.
`,
  ),
  documentOf(
    'finance-2025.md',
    `
# Finances

The harbour earned 4.2 million in 2025.
The crane cost 180,000 to repair.
Each permit costs 240 and is paid within 30 days.
`,
  ),
  documentOf(
    'staff.md',
    `
# Who works here

Twelve drivers share three shifts.
The office issues a permit within two working days.
New drivers are trained for six weeks.
`,
  ),
  documentOf(
    'weather.md',
    `
# Weather

Fog comes in the morning, mostly in October.
Storms close the harbour on four days a year.
`,
  ),
  documentOf(
    'history.md',
    `
# History

The harbour was built in 1908.
The first crane was moved by steam.
Since 1974 a crane needs a permit when it moves along the quay with a load.
`,
  ),
];

/** The documents that agents work on. */
export class Library {
  constructor(readonly documents: readonly Document[]) {}

  get names(): string[] {
    return this.documents.map(({ name }) => name);
  }

  /** Those of these names. */
  only(names: readonly string[]): Library {
    return new Library(this.documents.filter(({ name }) => names.includes(name)));
  }

  listed(): { name: string; lines: number; bytes: number }[] {
    return this.documents.map(({ name, text }) => ({ name, lines: text.split('\n').length, bytes: new TextEncoder().encode(text).length }));
  }

  async open(name: string): Promise<Opened> {
    const found = this.documents.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no such document: ${name}`);
    return { name, lines: found.text.split(/\r\n|\n|\r/u) };
  }
}

/** What was dropped or chosen; what can't be read is said. */
export async function readFiles(files: Iterable<File>): Promise<{ documents: Document[]; refused: string[] }> {
  const documents: Document[] = [];
  const refused: string[] = [];
  for (const file of files) {
    if (documents.length >= MAX_DOCUMENTS) refused.push(`${file.name}: more than ${MAX_DOCUMENTS} documents`);
    else if (file.size > MAX_BYTES) refused.push(`${file.name}: larger than 2 MiB`);
    else {
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
        if (text.includes('\0')) refused.push(`${file.name}: no text`);
        else if (text.trim() === '') refused.push(`${file.name}: empty`);
        else documents.push({ name: file.name, text });
      } catch (error) {
        // What can't be read at all is a folder, or gone by now.
        refused.push(`${file.name}: ${error instanceof TypeError ? 'not UTF-8 text' : 'a folder: drop the texts in it'}`);
      }
    }
  }
  return { documents, refused };
}
