// A worker's process.

import { worker } from './recipe.js';

await worker(JSON.parse(process.argv[2] as string) as object).ready();
process.send?.('ready');
