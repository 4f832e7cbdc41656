// Stands in dist/ for undici's module of this name: its HTTP parser for processors without SIMD, which hardly any
// runner has, packed as well as can be.
const packed = require('node:fs').readFileSync(`${__dirname}/llhttp.wasm.br`);
module.exports = require('node:zlib').brotliDecompressSync(packed);
