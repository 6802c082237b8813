// The commands of `subagents` besides inspecting: `mcp` and `doctor`. Owns where output goes: standard output belongs
// to the protocol.

import { plain } from '../inspector/node/plain.js';
import { Misused } from '../inspector/node/unreadable.js';
import { DOCTOR_USAGE, doctorOptionsOf, MCP_USAGE, optionsOf } from './config.js';
import { doctor } from './doctor.js';
import { printed } from './print.js';
import { serve } from './serve.js';

export { configSchema } from './config.js';
export { knownJournals } from './journals.js';

type Printing = (text: string) => void;

/** The call is wrong, or something is missing that the user can provide. */
const MISUSED = 2;

/** Carries out a command. Resolves to the exit code. */
export async function run(command: 'mcp' | 'doctor', args: string[], out: Printing, say: Printing): Promise<number> {
  try {
    return await done(command, args, out, say);
  } catch (error) {
    if (!(error instanceof Misused)) throw error;
    say(`subagents ${command}: ${plain(error.message)}`);
    return MISUSED;
  }
}

async function done(command: 'mcp' | 'doctor', args: string[], out: Printing, say: Printing): Promise<number> {
  if (command === 'doctor') {
    const given = doctorOptionsOf(args);
    if (given === undefined) out(DOCTOR_USAGE);
    return given === undefined ? 0 : doctor(out, given.config);
  }
  const options = optionsOf(args);
  if (options === undefined) out(MCP_USAGE);
  else if (options.print !== undefined) {
    const { text, file } = printed(options.print, options.args);
    say(`put this into ${file}:`);
    out(text);
  } else return serve(options, (text) => say(`subagents mcp: ${text}`));
  return 0;
}
