// The types of Node's modules that agents in their own processes need.

declare module 'node:child_process' {
  export interface Output {
    setEncoding(encoding: 'utf8'): this;
    on(event: 'data', listener: (text: string) => void): this;
    destroy(): void;
    ref?(): void;
    unref?(): void;
  }
  export interface Input {
    readonly writable: boolean;
    on(event: 'error', listener: (error: Error) => void): this;
    write(text: string): boolean;
    end(text?: string): void;
    ref?(): void;
    unref?(): void;
  }
  export interface ChildProcess {
    readonly pid?: number;
    readonly stdin: Input;
    readonly stdout: Output;
    readonly stderr: Output;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'close', listener: (code: number | null, signal: string | null) => void): this;
    on(event: 'exit', listener: (code: number | null, signal: string | null) => void): this;
    ref(): void;
    unref(): void;
  }
  export function spawn(
    file: string,
    args: readonly string[],
    options: { cwd: string; env: Record<string, string | undefined>; detached: boolean; stdio: readonly ['pipe', 'pipe', 'pipe'] },
  ): ChildProcess;
}

declare module 'node:child_process' {
  export function execFileSync(
    file: string,
    args: readonly string[],
    options: {
      env: Record<string, string | undefined>;
      encoding: 'latin1';
      stdio: readonly ['ignore', 'pipe', 'ignore'];
      maxBuffer: number;
    },
  ): string;
  export function execFile(
    file: string,
    args: readonly string[],
    options: { cwd: string; env: Record<string, string | undefined>; maxBuffer: number },
    done: (error: Error | null, out: string, said: string) => void,
  ): void;
}

declare module 'node:crypto' {
  export function createHash(name: 'sha256'): { update(text: string): { digest(encoding: 'hex'): string } };
  export function randomBytes(count: number): { toString(encoding: 'hex'): string };
}

declare module 'node:fs' {
  export const constants: { readonly X_OK: number };
  export function accessSync(path: string, mode: number): void;
  export function existsSync(path: string): boolean;
  export function realpathSync(path: string): string;
  export function mkdirSync(path: string, options: { recursive: true; mode: number }): void;
  export function readdirSync(path: string): string[];
  export function readFileSync(path: string, encoding: 'utf8' | 'latin1'): string;
  export function renameSync(from: string, to: string): void;
  export function statSync(path: string): { isFile(): boolean; isDirectory(): boolean };
  export function unlinkSync(path: string): void;
  export function writeFileSync(path: string, text: string, options: { mode: number }): void;
}

declare module 'node:os' {
  export function homedir(): string;
}

declare module 'node:path' {
  export const delimiter: string;
  export function relative(from: string, to: string): string;
  export function isAbsolute(path: string): boolean;
  export function relative(from: string, to: string): string;
}
