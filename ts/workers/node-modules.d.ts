// The types of this process's signals and environment in Node.

declare module 'node:process' {
  const process: {
    readonly pid: number;
    readonly platform: string;
    readonly env: Record<string, string | undefined>;
    exitCode: number | undefined;
    cwd(): string;
    kill(pid: number, signal: string | 0): true;
    listenerCount(signal: string): number;
    on(signal: string, listener: (signal: string) => void): unknown;
    once(signal: string, listener: (signal: string) => void): unknown;
    off(signal: string, listener: (signal: string) => void): unknown;
  };
  export default process;
}
