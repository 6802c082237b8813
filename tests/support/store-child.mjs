// A process that has a file store, to be killed or to be filled up. `store-child.mjs PATH WORK`; each line says what was
// done, written at once.

import { openSync, writeSync } from 'node:fs';
import { fileStore } from '../../dist/stores/file.js';
import { recordOf, snapshotOf } from './store-records.mjs';

const [, , path, work] = process.argv;
const say = (...words) => writeSync(1, `${words.join(' ')}\n`);
const codeOf = (error) => error.code ?? String(error);

const store = fileStore(path);
const { through, records } = await store.open().catch((error) => {
  say('refused', codeOf(error), error.message);
  process.exit(0);
});
let count = through;
for await (const record of records) count += record.length >= 0 ? 1 : 0;
say('open', count);

if (work === 'hold') setInterval(() => undefined, 1_000);

// Appends in bursts, and compacts again and again, until it is killed.
if (work === 'run') {
  for (let round = 0; ; round += 1) {
    const burst = Array.from({ length: 1 + (round % 7) }, () => {
      count += 1;
      const number = count;
      return store.append(recordOf(number)).then(() => say('kept', number));
    });
    if (round % 3 === 0) {
      const upTo = count - (round % 5);
      say('compacting', upTo);
      burst.push(store.compact(snapshotOf(upTo), upTo).then(() => say('compacted', upTo)));
    }
    await (round % 2 === 0 ? Promise.all(burst) : burst[0]);
  }
}

// Appends until it is refused, then says what becomes of everything after that.
if (work === 'fill') {
  for (;;) {
    count += 1;
    try {
      await store.append(recordOf(count, 3_000));
      say('kept', count);
    } catch (error) {
      say('failed', codeOf(error), error.message);
      break;
    }
  }
  await store.append(recordOf(1)).catch((error) => say('after', codeOf(error)));
  await store.compact(snapshotOf(1), 1).catch((error) => say('after', codeOf(error)));
  await store.close();
  say('closed');
}

// Opens files until the system allows no more, and appends then.
if (work === 'crowded') {
  try {
    for (;;) openSync('/dev/null');
  } catch (error) {
    say(error.code);
  }
  await store.append(recordOf(1)).then(
    () => say('kept'),
    (error) => say('failed', codeOf(error), error.message),
  );
}
