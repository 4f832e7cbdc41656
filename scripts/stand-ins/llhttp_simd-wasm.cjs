// Stands in dist/ for undici's module of this name, its HTTP parser as a text in base64: that is a third longer, and does
// not pack well.
module.exports = require('node:fs').readFileSync(`${__dirname}/llhttp_simd.wasm`);
