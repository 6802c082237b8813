// Reads single values of an agent's unvalidated JSON.

/** An object whose fields are unknown. */
export type Fields = Record<string, unknown>;

/** The fields of a value; none if it is no object. */
export const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
/** A text, if it is one. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** A number; 0 if it is none. */
export const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
/** A list of objects; empty if it is none. */
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(record) : []);
