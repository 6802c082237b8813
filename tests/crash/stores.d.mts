export function nodeFor(kind: 'file' | 'sqlite' | 'redis'): { node?: string; missing?: string };
