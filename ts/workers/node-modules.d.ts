// What a worker takes from Node: the signals of its process. Owns the types of that.

declare module 'node:process' {
  const process: {
    readonly pid: number;
    exitCode: number | undefined;
    kill(pid: number, signal: string): true;
    once(signal: string, listener: (signal: string) => void): unknown;
    off(signal: string, listener: (signal: string) => void): unknown;
  };
  export default process;
}
