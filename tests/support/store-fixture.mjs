// Writes the fixture of the file store's form: `node tests/support/store-fixture.mjs FILE`. Ran once for version 1; a later
// version gets a fixture of its own beside it.

import { fileStore } from '../../dist/stores/file.js';

const store = fileStore(process.argv[2]);
const bytes = (text) => new TextEncoder().encode(text);
await store.open();
for (const text of ['the first', 'the second', 'the third', 'the fourth']) await store.append(bytes(text));
await store.compact(bytes('what the first three records came to'), 3);
for (const text of ['', 'the sixth, of this length: '.padEnd(600, '.'), 'ünïcode ✓']) await store.append(bytes(text));
await Promise.all(Array.from({ length: 20 }, (_, at) => store.append(bytes(`one of a batch, ${at}`))));
await store.close();
