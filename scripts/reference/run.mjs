// `npm run reference`: makes docs/reference/api/ anew; with `-- --check` it changes nothing, and fails if the pages
// differ. typedoc can't read types with the package's own compiler, so this folder has its own packages.

import { buildPackage, inOrder, install, node, readOptions } from '../run.mjs';

const { check } = readOptions({ check: { type: 'boolean' } }, 'npm run reference -- [--check]');

inOrder([
  () => install(import.meta.dirname),
  () => buildPackage(),
  () => node('the reference of the API', [`${import.meta.dirname}/make.mjs`, ...(check ? ['--check'] : [])]),
]);
