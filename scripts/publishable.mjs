// Runs before npm publishes: refuses a placeholder in `repository` of package.json. With `--tag v1.2.3`, it also
// refuses a tag that isn't the version, or a version without its date in CHANGELOG.md; it prints that part of
// CHANGELOG.md.

import { readFileSync } from 'node:fs';
import { readOptions } from './run.mjs';

const { tag } = readOptions({ tag: { type: 'string' } }, 'npm run prepublishOnly -- [--tag v1.2.3]');
const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const { repository, version } = JSON.parse(read('package.json'));

function refuse(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

if (repository.url.includes('OWNER')) refuse('package.json: put your account in the place of OWNER, in repository.url');
if (tag !== undefined) {
  if (tag !== `v${version}`) refuse(`the tag is ${tag}, and package.json has the version ${version}: tag v${version}`);
  const section = read('CHANGELOG.md')
    .split(/^## /m)
    .find((each) => each.startsWith(`${version} (`));
  if (!/^\S+ \(\d{4}-\d\d-\d\d\)\n/.test(section ?? ''))
    refuse(`CHANGELOG.md has no date for ${version}: its heading is to be ## ${version} (2026-01-31)`);
  process.stdout.write(`${section.slice(section.indexOf('\n')).trim()}\n`);
}
