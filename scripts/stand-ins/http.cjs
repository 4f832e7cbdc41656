// Stands in dist/ for Node's own module of this name, which undici asks for as soon as it is loaded: for the longest
// head of an answer, in bytes, and for a class that none of our requests has as its body.
module.exports = {
  maxHeaderSize: 16_384,
  IncomingMessage: class IncomingMessage {},
};
