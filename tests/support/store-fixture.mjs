// The fixture of each store's form: what it holds, and how it was written, once for each version. tests/fixtures/README.md
// says how a later version gets one of its own.

const bytes = (text) => new TextEncoder().encode(text);

/** What the store holds in every fixture. */
export const FIXTURE = {
  through: 3,
  snapshot: 'what the first three records came to',
  records: [
    'the fourth',
    '',
    'the sixth, of this length: '.padEnd(600, '.'),
    'ünïcode ✓',
    ...Array.from({ length: 20 }, (_, at) => `one of a batch, ${at}`),
  ],
};

export async function writeFixture(store) {
  await store.open();
  for (const text of ['the first', 'the second', 'the third', 'the fourth']) await store.append(bytes(text));
  await store.compact(bytes('what the first three records came to'), 3);
  for (const text of ['', 'the sixth, of this length: '.padEnd(600, '.'), 'ünïcode ✓']) await store.append(bytes(text));
  await Promise.all(Array.from({ length: 20 }, (_, at) => store.append(bytes(`one of a batch, ${at}`))));
  await store.close();
}

/** What a store holds, in texts. */
export async function readContents(store) {
  const { through, snapshot, records } = await store.open();
  const text = (some) => new TextDecoder().decode(some);
  const found = [];
  for await (const record of records) found.push(text(record));
  await store.close();
  return { through, snapshot: snapshot && text(snapshot), records: found };
}

/** The values of a Redis store, as commands that make them. */
export async function dumpRedis(client, key) {
  const base64 = (some) => Buffer.from(some).toString('base64');
  const entries = await client.xrangeBuffer(`{${key}}:records`, '-', '+');
  const { epoch: _, ...state } = await client.hgetall(`{${key}}:state`);
  return {
    state,
    snapshot: base64(await client.getBuffer(`{${key}}:snapshot`)),
    records: entries.map(([id, fields]) => ({ id: String(id), fields: fields.map(base64) })),
  };
}

/** Makes them anew, under a key. */
export async function loadRedis(client, key, { state, snapshot, records }) {
  await client.hset(`{${key}}:state`, state);
  await client.set(`{${key}}:snapshot`, Buffer.from(snapshot, 'base64'));
  for (const { id, fields } of records) await client.xadd(`{${key}}:records`, id, ...fields.map((field) => Buffer.from(field, 'base64')));
}
