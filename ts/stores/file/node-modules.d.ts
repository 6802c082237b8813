// The types of Node's modules that the file store uses. Deno and Bun have them too.

declare module 'node:fs' {
  export function readlinkSync(path: string): string;
}

declare module 'node:fs/promises' {
  export interface FileHandle {
    read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
    datasync(): Promise<void>;
    sync(): Promise<void>;
    truncate(length: number): Promise<void>;
    stat(): Promise<Stats>;
    close(): Promise<void>;
  }
  export interface Stats {
    readonly ino: number;
    readonly nlink: number;
    readonly size: number;
    readonly mtimeMs: number;
    isFile(): boolean;
    isDirectory(): boolean;
  }
  export function link(existing: string, path: string): Promise<void>;
  export function open(path: string, flags: string, mode?: number): Promise<FileHandle>;
  export function readFile(path: string, encoding: 'utf8'): Promise<string>;
  export function readlink(path: string): Promise<string>;
  export function realpath(path: string): Promise<string>;
  export function rename(from: string, to: string): Promise<void>;
  export function stat(path: string): Promise<Stats>;
  export function unlink(path: string): Promise<void>;
  export function writeFile(path: string, text: string, options: { flag: string; mode: number }): Promise<void>;
}

declare module 'node:os' {
  export function hostname(): string;
}

declare module 'node:path' {
  export function basename(path: string): string;
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
  export function resolve(path: string): string;
}

declare module 'node:process' {
  export const pid: number;
  export const platform: string;
  export function kill(pid: number, signal: 0): true;
}

declare module 'node:timers' {
  export function setInterval(work: () => void, ms: number): { unref(): void };
  export function clearInterval(timer: { unref(): void }): void;
}

declare module 'node:url' {
  export function fileURLToPath(url: URL): string;
}
