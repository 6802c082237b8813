export interface System {
  platform: string;
  execPath: string;
  env: Readonly<Record<string, string | undefined>>;
}
export function npm(args: string[], system?: System): [command: string, args: string[]];
export function slashed(path: string, between?: string): string;
export function below(folder: string): string[];
