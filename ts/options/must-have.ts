// Commands that an agent must have run (R10). Owns the option, its stored form, and the check of a run's receipts.

import { invalid } from '../base/errors.js';
import type { Receipt, StoredMustHave } from '../base/receipt.js';
import { listOf, noOtherFields, optionsOf } from './arguments.js';
import { integer } from './values.js';

/** A command that an agent must have run after its last change of a file. */
export interface MustHave {
  /** The command line, or a pattern that fits it as a whole: `/npm test/` doesn't fit `npm test || true`. */
  command: string | RegExp;
  /** Its required exit code. @default 0 */
  exitCode?: number | undefined;
}

/** Describes what the receipts of a run lack; undefined if they lack nothing. */
export type MustHaveCheck = (receipts: readonly Receipt[]) => string | undefined;

/** Reads the option into JSON. */
export function readMustHave(name: string, value: unknown): string {
  const expected = 'a list such as [{ command: /npm test/, exitCode: 0 }]';
  const read = listOf(`\`${name}\``, expected, value, (entry, what): StoredMustHave => {
    const { command, exitCode, ...unknown } = optionsOf(what, entry as MustHave, 'an object such as { command: /npm test/ }');
    const place = what.replaceAll('`', '');
    noOtherFields(place, unknown, ['command', 'exitCode']);
    const code = integer(`\`${place}.exitCode\``, exitCode) ?? 0;
    if (command instanceof RegExp) return { command: command.source, flags: command.flags.replaceAll(/[dgmy]/g, ''), exitCode: code };
    if (typeof command !== 'string' || command === '') throw invalid(`\`${place}.command\``, 'a text or a pattern', command);
    return { command: command.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`), flags: '', exitCode: code };
  });
  if (read.length === 0) throw invalid(`\`${name}\``, expected, value);
  return JSON.stringify(read);
}

/** Checks receipts against these demands. The last run of a command counts, which must follow the last change of a file. */
export function checkMustHave(demands: readonly StoredMustHave[]): MustHaveCheck {
  return (receipts) => {
    const lastChange = receipts.findLastIndex((receipt) => 'path' in receipt);
    const lacking = demands.map((demand) => lackOf(demand, receipts, lastChange)).filter((lack) => lack !== undefined);
    return lacking.length === 0 ? undefined : lacking.join('; ');
  };
}

function lackOf(
  { command: source, flags, exitCode }: StoredMustHave,
  receipts: readonly Receipt[],
  lastChange: number,
): string | undefined {
  const pattern = new RegExp(`^(?:${source})$`, flags);
  const fits = (receipt: Receipt): boolean => 'command' in receipt && pattern.test(receipt.command.trim());
  const at = receipts.findLastIndex(fits);
  const changed = receipts[lastChange];
  const asked = `/${source}/${flags} must end with exit code ${exitCode} after the last change of a file`;
  if (at < 0) return `${asked}, and it was not run as a command of its own`;
  if (at < lastChange && changed !== undefined && 'path' in changed)
    return `${asked}, and it was not run after ${changed.path} was changed`;
  const { exitCode: said } = receipts[at] as { exitCode: number | null };
  if (said === null) return `${asked}, and this agent doesn't say what a command ended with`;
  return said === exitCode ? undefined : `${asked}, and it ended with ${said}`;
}
