// The text coders of the CommonJS files. Owns where they come from: the runtime, or Node beneath an environment that hides
// them, as the one of jest with jsdom does.

declare const require: (name: 'node:util') => Pick<typeof globalThis, 'TextEncoder' | 'TextDecoder'>;

export const { TextEncoder, TextDecoder } = typeof globalThis.TextDecoder === 'function' ? globalThis : require('node:util');
