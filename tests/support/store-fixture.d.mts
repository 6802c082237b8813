import type { Store } from '../../dist/index.js';

export interface FixtureContents {
  through: number;
  snapshot?: string;
  records: string[];
}
export const FIXTURE: FixtureContents;
export function writeFixture(store: Store): Promise<void>;
export function readContents(store: Store): Promise<FixtureContents>;
export function dumpRedis(client: unknown, key: string): Promise<object>;
export function loadRedis(client: unknown, key: string, dump: object): Promise<void>;
