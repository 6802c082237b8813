// As much of Node's own modules as the Redis store uses. Owns the types of that.

declare module 'node:buffer' {
  export const Buffer: { from(bytes: Uint8Array): Uint8Array };
}
