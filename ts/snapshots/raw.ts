// What users read, as the core gives it: it keeps what others made, artifacts, values and metadata, as JSON. Owns how that is read.

import { type Metadata, metadataOf } from '../base/metadata.js';

/** What the core keeps as JSON. */
interface Made {
  artifacts: Record<string, unknown>[];
  value: unknown;
  metadata: Metadata | null;
}

/** A snapshot or a notice as the core gives it. */
export type Raw<View extends Made> = Omit<View, keyof Made> & Record<keyof Made, string | null>;

/** The same as users get it, with the values. */
export function parsed<View extends Made>(raw: Raw<View>): View {
  const { artifacts, value, metadata }: Record<keyof Made, string | null> = raw;
  return {
    ...raw,
    artifacts: artifacts === null ? [] : JSON.parse(artifacts),
    value: value === null ? null : JSON.parse(value),
    metadata: metadataOf(metadata),
  } as Made as View;
}
