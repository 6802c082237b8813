/** The bytes as text; `frequent` names, in hex, those that have a character of their own. */
export function wasmText(bytes: Uint8Array): { text: string; frequent: string };
