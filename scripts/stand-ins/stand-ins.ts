/**
 * What is required from beside the bundle instead: README.md has the reason of each, its figure, and what breaks it. For
 * what is left out there is no file: it is asked for where a step never comes.
 */
export const standIns: Readonly<Record<string, string>> = {
  'node:http2': './http2.cjs',
  undici: './undici.cjs',
  '@actions/http-client': './http-client.cjs',
  '@actions/http-client/lib/auth': './http-client.cjs',
  '../llhttp/llhttp_simd-wasm.js': './llhttp_simd-wasm.cjs',
  '../llhttp/llhttp-wasm.js': './llhttp-wasm.cjs',
  '../milo/simd.js': './left-out.cjs',
  '../milo/no-simd.js': './left-out.cjs',
  '../web/fetch/body.js': './left-out.cjs',
  '../web/fetch/formdata': './left-out.cjs',
  '../web/webidl': './left-out.cjs',
};

/** What of undici is imported by private paths, which no version promises, and how the whole of it gives the same. */
export const privateParts = {
  'undici/lib/api/api-connect.js': 'Dispatcher.prototype.connect',
  'undici/lib/api/api-request.js': 'Dispatcher.prototype.request',
  'undici/lib/dispatcher/agent.js': 'Agent',
  'undici/lib/dispatcher/dispatcher.js': 'Dispatcher',
  'undici/lib/dispatcher/env-http-proxy-agent.js': 'EnvHttpProxyAgent',
  'undici/lib/interceptor/redirect.js': 'interceptors.redirect',
} as const;
