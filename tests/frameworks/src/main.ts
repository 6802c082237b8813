// Runs one framework through the scenarios and prints a line of JSON for each.

import { HOST, LEAD, type Scenario } from './scenarios.js';
import { frameworks } from './subject.js';

/** Only so that a hang ends: nothing may depend on how fast a machine is. */
const TIMEOUT_MS = 120_000;
const only = process.argv[2];

async function bounded(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing after ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

for (const framework of frameworks) {
  const parts: [string, Record<string, Scenario>, string | undefined][] = [];
  if (framework.lead !== undefined) parts.push([`${framework.name}: our tools`, LEAD, framework.noProgress]);
  if (framework.host !== undefined) parts.push([`${framework.name}: its agents`, HOST, undefined]);
  if (framework.own !== undefined) parts.push([`${framework.name}: alone`, framework.own, undefined]);
  for (const [subject, scenarios, without] of parts) {
    for (const [scenario, run] of Object.entries(scenarios)) {
      if (only !== undefined && !`${subject} ${scenario}`.includes(only)) continue;
      const from = performance.now();
      let error: string | undefined;
      try {
        await bounded(run(framework));
      } catch (thrown) {
        error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      }
      const ms = Math.round(performance.now() - from);
      const note = scenario === 'progress goes out' && without !== undefined ? without : undefined;
      console.log(`@@${JSON.stringify({ subject, scenario, ms, error, note })}`);
    }
  }
}
process.exit(0);
