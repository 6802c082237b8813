// The text coders of the CommonJS files: the runtime's, or Node's, if an environment such as jest's with jsdom hides
// them.

declare const require: (name: 'node:util') => Pick<typeof globalThis, 'TextEncoder' | 'TextDecoder'>;

export const { TextEncoder, TextDecoder } = typeof globalThis.TextDecoder === 'function' ? globalThis : require('node:util');
