// `npm run reference`: makes docs/reference/api/ anew. typedoc can't read types with the compiler that the package is
// built with, so it has packages of its own in this folder.

import { inOrder, install, node, root } from '../run.mjs';

inOrder([
  () => install(import.meta.dirname),
  () => node('building the package', [`${root}scripts/build.mjs`]),
  () => node('the reference of the API', [`${import.meta.dirname}/make.mjs`]),
]);
