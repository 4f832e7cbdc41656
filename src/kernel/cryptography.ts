/**
 * Node's `crypto`, loaded on first use: loading takes a tenth of the startup time, and a step's first request doesn't
 * need it.
 */
// biome-ignore lint/style/noRestrictedGlobals: an import statement would load it at once; it is the same everywhere
export const cryptography = () => process.getBuiltinModule('node:crypto');
