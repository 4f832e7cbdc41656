/**
 * Node's cryptography, loaded when it is first asked for: that takes a tenth of a start, and a step's first look
 * needs none.
 */
// biome-ignore lint/style/noRestrictedGlobals: an import statement would load it at once; it is the same everywhere
export const cryptography = () => process.getBuiltinModule('node:crypto');
