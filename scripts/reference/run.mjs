// `npm run reference`: writes docs/reference/api/. With `-- --check`, it changes nothing and fails if the pages differ. This
// folder has its own packages, because typedoc can't read types with the package's own compiler.

import { buildPackage, inOrder, install, node, readOptions } from '../run.mjs';

const { check } = readOptions({ check: { type: 'boolean' } }, 'npm run reference -- [--check]');

inOrder([
  () => install(import.meta.dirname),
  () => buildPackage(),
  () => node('the reference of the API', [`${import.meta.dirname}/make.mjs`, ...(check ? ['--check'] : [])]),
]);
