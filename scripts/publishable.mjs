// What npm runs before it publishes: refuses while package.json still has the places that its owner fills in.

import { readFileSync } from 'node:fs';

const { homepage, repository, bugs } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const open = Object.entries({ homepage, repository: repository.url, bugs }).filter(([, address]) => address.includes('OWNER'));
if (open.length > 0) {
  process.stderr.write(`package.json: put your account in the place of OWNER, in ${open.map(([field]) => field).join(', ')}\n`);
  process.exit(1);
}
