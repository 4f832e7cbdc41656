import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const standIn = require('../../scripts/stand-ins/http2.cjs');
const client = readFileSync(require.resolve('undici/lib/dispatcher/client-h2.js'), 'utf8');

test("what stands for Node's HTTP/2 has all that undici takes from it, and the same", () => {
  const [, names = ''] = /constants: \{([^}]*)\}\n\} = http2/.exec(client) ?? [];
  const taken = names.split(',').map((name) => name.trim());
  expect(taken.length).toBeGreaterThan(5);
  const { constants } = http2;
  expect(standIn.constants).toEqual(
    Object.fromEntries(taken.map((name) => [name, constants[name as keyof typeof constants]])),
  );
});

test("what it lacks is Node's own", () => {
  const { HTTP2_HEADER_TE, NGHTTP2_CANCEL } = standIn.constants;
  expect([HTTP2_HEADER_TE, NGHTTP2_CANCEL]).toEqual(['te', 8]);
  expect(standIn.createServer).toBe(http2.createServer);
  expect(standIn.constants.ofNoVersion).toBeUndefined();
});

test("what undici takes at once does not load Node's", () => {
  const path = require.resolve('../../scripts/stand-ins/http2.cjs');
  const loads = (then: string) => {
    const script = `const { constants } = require(${JSON.stringify(path)}); ${then}; console.log(process.moduleLoadList.includes('NativeModule http2'))`;
    return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim();
  };
  expect(loads('constants.HTTP2_HEADER_PATH')).toBe('false');
  expect(loads('constants.HTTP2_HEADER_TE')).toBe('true');
});

test('it opens connections by Node', async () => {
  const server = http2.createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const session: http2.ClientHttp2Session = standIn.connect(`http://127.0.0.1:${port}`);
  const status = await new Promise((resolve) => {
    session.request({ ':path': '/' }).on('response', (headers) => resolve(headers[':status']));
  });
  expect(status).toBe(200);
  session.close();
  server.close();
});
