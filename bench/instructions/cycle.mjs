/**
 * A plain cycle of the package, to be counted: `manager.spawn({ instructions }).wait()` with texts of 200 characters each
 * way, 100 in flight, submitted and awaited in bursts; `subagents+listener` hands every event to a listener.
 * `bench/instructions.mjs` runs it twice.
 */

import { createHost, Supply } from '../host.mjs';
import { burst } from '../loops/burst.mjs';
import { freshTexts } from '../texts.mjs';

const [, , name, cycles] = process.argv;
const [variant, listening] = name.split('+');
const IN_FLIGHT = 100;
const MOST_CYCLES = 24_000;
const supply = new Supply();
const { create } = await import(`../variants/${variant}.mjs`);
const { call, close } = await create({
  host: createHost(supply, { readSignal: false }),
  limit: IN_FLIGHT,
  readSignal: false,
  listener: listening !== undefined,
});
// As many texts however many cycles: what making them takes is not the cycles'.
const [inputs, outputs] = [freshTexts(MOST_CYCLES, 200), freshTexts(MOST_CYCLES, 200)];
supply.fill(outputs, inputs);
await burst(call, inputs.slice(0, Number(cycles)), IN_FLIGHT);
close();
process.exit(0);
