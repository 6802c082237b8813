// The folder is its own root, wherever it lies: Next would take a lock file further up for the sign of a larger one.
const root = import.meta.dirname;

export default { distDir: process.env.BUILT_IN, turbopack: { root }, outputFileTracingRoot: root };
