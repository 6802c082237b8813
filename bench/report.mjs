/** Prints the tables of the bench. */

/**
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 * @returns {string} First column to the left, the others to the right.
 */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n');
}

/** Three figures, or all digits of the whole part. */
export function number(value) {
  if (value === null || value === undefined) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** @param {object[]} cells @param {string[]} variants */
export function cycleTables(cells, variants) {
  if (cells.length === 0) return [];
  const names = variants.filter((name) => cells.some((cell) => cell.variants[name] || cell.failed[name]));
  const figure = (cell, name) => (cell.failed[name] === undefined ? number(cell.variants[name]?.median) : 'failed');
  const times = cells.map((cell) => [cell.id, ...names.map((name) => figure(cell, name))]);
  const spread = cells.map((cell) => [
    cell.id,
    ...names.map((name) => {
      const found = cell.variants[name];
      return found === undefined ? '–' : `${number(found.min)}–${number(found.max)}`;
    }),
  ]);
  return [
    section('Spawn cycle: ns a call, medians (loop/text/in flight)', table(['', ...names], times)),
    section('Spawn cycle: lowest and highest process', table(['', ...names], spread)),
  ];
}

/** @param {object[]} cells @param {(cell: object, variant: string, base: string) => object | null} ratio */
export function ratioTable(cells, ratio, variants) {
  const ours = ['subagents', 'subagents+listener'];
  const bases = variants.filter((name) => !name.startsWith('subagents'));
  const rows = [];
  for (const cell of cells) {
    for (const us of ours) {
      if (cell.variants[us] === undefined) continue;
      const extra = us.includes('+') ? ' +listener' : '';
      rows.push([cell.id + extra, ...bases.map((base) => number(ratio(cell, us, base)?.median))]);
    }
  }
  if (rows.length === 0) return [];
  return [section('subagents ÷ each: medians of the ratios in a round', table(['', ...bases], rows))];
}

/** @param {object[]} rows */
export function growthTable(rows) {
  if (rows.length === 0) return [];
  const calls = ['canSpawn', 'get hot', 'get spread', 'status', 'page 100', 'stats'];
  const head = ['', ...calls, 'B/task', '– text', 'GC ms', 'fill'];
  const body = rows.map((row) => {
    const name = `${row.variant} ${row.count.toLocaleString('en-US')} ${row.kind}`;
    if (row.failed) return [name, 'failed', ...Array(head.length - 2).fill('–')];
    const { ns, bytes, gcMs, fillNs } = row;
    const times = [ns.canSpawn, ns.get, ns.getSpread, ns.readStatus, ns.page, ns.stats];
    return [name, ...[...times, bytes.all, bytes.besideText, gcMs.full, fillNs].map(number)];
  });
  return [section('Growth: ns a call, bytes a task, full GC in ms, ns to add one', table(head, body))];
}

/** @param {object[]} rows */
export function stoppingTable(rows) {
  if (rows.length === 0) return [];
  const counts = [...new Set(rows.map((row) => row.count))];
  const body = [...new Set(rows.map((row) => row.how))].map((how) => {
    const of = (count) => rows.find((row) => row.how === how && row.count === count);
    return [how, ...counts.map((count) => number(of(count)?.ns))];
  });
  const head = ['', ...counts.map((count) => count.toLocaleString('en-US'))];
  return [section('Stopping so many at once: ns for each', table(head, body))];
}

/** @param {object[]} rows */
export function pathsTable(rows) {
  if (rows.length === 0) return [];
  const body = rows.map(({ path, counts, us, failed }) => {
    if (failed) return [path, ...counts.map(() => 'failed'), '–'];
    const times = us.map((time, i) => `${number(time)} at ${counts[i].toLocaleString('en-US')}`);
    return [path, ...times, number(us.at(-1) / us[0])];
  });
  const head = ['', 'few', 'more', 'many', 'many ÷ few'];
  return [section('Where a call could grow dearer: µs of processor time for each', table(head, body))];
}

/** @param {object} startup */
export function startupTable(startup) {
  const kinds = ['esm', 'cjs'].filter((kind) => startup[kind]);
  if (kinds.length === 0) return [];
  const figure = ({ median, min, max }) => `${number(median)} (${number(min)}–${number(max)})`;
  const body = kinds.map((kind) => {
    const { importMs, firstCallMs, ms } = startup[kind];
    return [kind, figure(importMs), figure(firstCallMs), figure(ms)];
  });
  return [section('Start-up: ms in a fresh process', table(['', 'import', 'first call', 'together'], body))];
}

/** @param {{ wasm: object[], dist: Record<string, object>, forStores?: number }} size */
export function sizeTable({ wasm, dist, forStores }) {
  const rows = wasm.map((file) => [file.file, number(file.raw), number(file.gzip), number(file.brotli)]);
  for (const [kind, { files, raw, gzip }] of Object.entries(dist)) {
    rows.push([`dist: ${files} × .${kind === 'types' ? 'd.ts' : kind}`, number(raw), number(gzip), '–']);
  }
  if (forStores !== undefined) rows.push(['for stores alone, in the JavaScript of a program without one', '–', number(forStores), '–']);
  return rows.length === 0 ? [] : [section('Size: bytes', table(['', 'raw', 'gzip -9', 'brotli 11'], rows))];
}

/** @param {object} profile */
export function profileTables({ cell, variant, ns, sampledMs, buckets, functions }) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const title = `Profile of ${variant}, ${cell}: ${number(ns)} ns a call, ${number(sampledMs)} ms of samples`;
  const row = ([name, share]) => [name, percent(share), number(share * ns)];
  const byBucket = table(['self time', 'share', 'ns a call'], Object.entries(buckets).map(row));
  const byFunction = table(
    ['function', 'share', 'ns a call'],
    functions.map(({ name, share }) => row([name, share])),
  );
  return [section(title, `${byBucket}\n\n${byFunction}`)];
}

function section(title, body) {
  return `${title}\n\n${body}\n`;
}
