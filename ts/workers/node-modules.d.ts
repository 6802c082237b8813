// What is taken from Node of the process that this is: its signals, its environment. Owns the types of that.

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
