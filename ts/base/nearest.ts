// "Did you mean": the known name that is nearest to an unknown one. Owns how near two names must be.

/** Longer names are no typing mistakes. */
const LONGEST = 40;

/** Names from other packages, each with our name. If it has several, a call has at most one of them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  prompt: 'instructions',
  input: 'instructions',
  concurrency: 'maxConcurrent',
  goal: 'instructions',
  task: 'instructions',
  message: 'instructions',
  messages: 'instructions',
  description: 'instructions',
  content: 'instructions',
  text: 'instructions',
  query: 'instructions',
  taskdescription: 'instructions',
  agentid: 'agent',
  promptprofile: 'profile',
  maxsteps: 'maxTurns',
  maxsubagentsteps: 'maxTurns',
  turns: 'maxTurns',
  totaltokenbudget: 'budget',
  tokens: 'budget',
  maxtokens: 'budget',
  costusd: 'budget',
  maxbudgetusd: 'budget',
  maxcost: 'budget',
  maxretries: 'retry max',
  maxattempts: 'retry max',
  retries: 'retry max',
  attempts: 'retry max',
  outputschema: 'schema',
  responseschema: 'schema',
  abortsignal: 'signal',
  runinbackground: 'background',
  name: 'nickname',
  id: 'taskId',
};

/**
 * The known name that is nearest to another one. Two names are near if they differ only in case, `_` and `-`, or if one begins
 * with the other. They are near, too, if at most a third of the letters differ, or if other packages use one for the other.
 */
export function nearestOf(name: string, known: Iterable<string>): string | undefined {
  const given = plain(name);
  if (given.length > LONGEST) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  const synonyms = Object.hasOwn(SYNONYMS, given) ? (SYNONYMS[given] as string).toLowerCase().split(' ') : [];
  for (const candidate of known) {
    const other = plain(candidate);
    if (synonyms.includes(other)) return candidate;
    const distance = distanceOf(given, other);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/**
 * The known name that another one misspells. They differ in case, `_` or `-`, or in one letter; from 7 letters on, in at most
 * two.
 */
export function nearMissOf(name: string, known: Iterable<string>): string | undefined {
  const given = plain(name);
  if (given.length < 3 || given.length > LONGEST) return undefined;
  for (const candidate of known) {
    const other = plain(candidate);
    const most = Math.min(given.length, other.length) < 7 ? 1 : 2;
    if (Math.abs(given.length - other.length) <= most && editsOf(given, other) <= most) return candidate;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The distance of two names; `Infinity` if they are not alike. */
function distanceOf(given: string, known: string): number {
  const [shorter, longer] = given.length < known.length ? [given, known] : [known, given];
  const edits = editsOf(given, known);
  if (edits <= Math.min(3, Math.floor(longer.length / 3))) return edits;
  return shorter.length >= 3 && longer.startsWith(shorter) ? LONGEST + edits : Number.POSITIVE_INFINITY;
}

/** The edit distance: letters to add, remove, replace, or swap with their neighbour. */
function editsOf(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
