// `npm run reference`: makes docs/reference/api/ anew; with `-- --check` it changes nothing, and fails where that isn't what
// it would make. typedoc can't read types with the compiler that the package is
// built with, so it has packages of its own in this folder.

import { buildPackage, inOrder, install, node, readOptions } from '../run.mjs';

const { check } = readOptions({ check: { type: 'boolean' } }, 'npm run reference -- [--check]');

inOrder([
  () => install(import.meta.dirname),
  () => buildPackage(),
  () => node('the reference of the API', [`${import.meta.dirname}/make.mjs`, ...(check ? ['--check'] : [])]),
]);
