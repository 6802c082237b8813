// The types of Node's modules that the Redis store uses.

declare module 'node:buffer' {
  export const Buffer: { from(bytes: Uint8Array): Uint8Array };
}
