// Stands in dist/ for Node's own module of this name, which undici asks for as soon as it is loaded. That takes a
// fifth of a start, and only a connection that speaks HTTP/2 needs it: ours to the service never do. What is not here is
// taken from Node's.
const http2 = () => require('node:http2');
const before = (own, others) =>
  new Proxy(own, { get: (_, name) => (Object.hasOwn(own, name) ? own[name] : others()[name]) });
const constants = {
  HTTP2_HEADER_AUTHORITY: ':authority',
  HTTP2_HEADER_METHOD: ':method',
  HTTP2_HEADER_PATH: ':path',
  HTTP2_HEADER_SCHEME: ':scheme',
  HTTP2_HEADER_PROTOCOL: ':protocol',
  HTTP2_HEADER_STATUS: ':status',
  HTTP2_HEADER_CONTENT_LENGTH: 'content-length',
  HTTP2_HEADER_EXPECT: 'expect',
  NGHTTP2_NO_ERROR: 0,
  NGHTTP2_REFUSED_STREAM: 7,
};
module.exports = before({ constants: before(constants, () => http2().constants) }, http2);
