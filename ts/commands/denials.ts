// Deny lists that match no tool (P4). Owns that each entry is reported to the program once: otherwise a typing mistake would
// leave a sub-agent a forbidden tool.

import { SubAgentError } from '../base/errors.js';
import { nearestOf } from '../base/nearest.js';
import { quoted } from '../base/quoting.js';
import type { Core } from '../boundary/core.js';
import type { DeniedInVain } from '../boundary/generated/lookups.js';
import { readDeniedInVain } from '../boundary/generated/lookups-readers.js';
import { optional } from '../boundary/view-bytes.js';

/** The core's view of the deny list of a sub-agent, or of the policies of a session; undefined if its tools are unknown. */
export function deniedInVain(runtime: Core, index: number): DeniedInVain | undefined {
  return runtime.view((core) => core.deniedInVain(index), optional(readDeniedInVain));
}

/** The entries that were reported to the program. */
export class Denials {
  readonly #reported = new Set<string>();

  /** Reports each entry that was not reported before. */
  report(runtime: Core, inVain: DeniedInVain | undefined, argument: 'disallowedTools' | 'blockedTools'): void {
    for (const entry of inVain?.denied ?? []) {
      if (this.#reported.has(entry)) continue;
      this.#reported.add(entry);
      const { known = [] } = inVain ?? {};
      const suggestion = nearestOf(entry, known);
      const name = quoted(entry);
      const message = `\`${name}\` is denied, but no tool has that name or fits that pattern`;
      const meant = suggestion === undefined ? '' : `; did you mean \`${quoted(suggestion)}\`?`;
      runtime.report(
        new SubAgentError('invalid_argument', message + meant, {
          argument,
          entry,
          known,
          ...(suggestion && { suggestion }),
        }),
      );
    }
  }
}
