// Attack (secrets): A service echoes values in an error
// Defense: Errors, their causes and hidden fields are redacted
// Attack (secrets): The key follows a redirect
// Defense: Redirects are not followed with the key; their target is redacted

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type ErrorShape, startEmulator } from '../../emulator/index.ts';
import { createRedact } from '../../src/kernel/text/redact.ts';
import { clean, unsafeText } from '../../src/kernel/text/safe.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import type { ServiceError } from '../../src/service/errors.ts';
import { nowhere } from '../support/ports.ts';
import { type Answerer, reset, startStub } from './stub.ts';
import { failureOf, fakeKey, follow, newVariable, openClient, projectId } from './support.ts';

/** Everything that could be printed of an error, its causes and hidden fields too. */
function allOf(error: ServiceError): string {
  return inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
}

const calls: readonly { name: string; call: (client: ServiceClient) => Promise<unknown> }[] = [
  { name: 'a read', call: (client) => client.listProjects('all') },
  { name: 'a write', call: (client) => client.createVariable(projectId, newVariable) },
  {
    name: 'a look',
    call: (client) =>
      client.readOnce({ operation: 'look', path: '/x', signal: new AbortController().signal }),
  },
  {
    name: 'a stream',
    call: (client) => client.openEvents(follow('/x', new AbortController().signal)),
  },
];

test.for([301, 302, 303, 307, 308])('a redirect by %i is not followed', async (status) => {
  await using other = await startStub((response) => response.end('[]'));
  await using stub = await startStub((response) => {
    response.writeHead(status, { location: `${other.url}/there` }).end('{"message":"moved"}');
  });
  for (const { name, call } of calls) {
    await using opened = openClient(stub.url);
    const error = await failureOf(call(opened.client));
    expect(error, name).toMatchObject({ fault: 'answer', status, mayHaveArrived: false });
    expect(error.details.detail, name).toBe(`redirects to ${other.url}/there`);
    expect(opened.client.requests, name).toBe(1);
  }
  expect(other.received).toEqual([]);
});

test('a redirect within the service is not followed either', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(307, { location: '/v2/projects' }).end();
  });
  await using opened = openClient(stub.url);
  await failureOf(opened.client.listProjects('all'));
  expect(stub.received.map(({ url }) => url)).toEqual(['/v1/projects?filter=all']);
});

test.for<{ name: string; answer: Answerer; says: RegExp }>([
  {
    name: 'in the target of a redirect',
    answer: (response) =>
      response.writeHead(302, { location: `/?key=${encodeURIComponent(fakeKey)}` }).end(),
    says: /redirects to \/\?key=\*\*\*$/,
  },
  {
    name: 'in a code',
    answer: (response) => response.writeHead(401).end(JSON.stringify({ code: fakeKey })),
    says: /returned 401: \*\*\*$/,
  },
  {
    name: 'in a request id',
    answer: (response) => response.writeHead(404, { 'x-request-id': fakeKey }).end(),
    says: /\(request id \*\*\*\)$/,
  },
  {
    name: 'in an error that is text',
    answer: (response) => response.writeHead(401).end(`no key ${fakeKey}\n::error::x`),
    says: /no key \*\*\* ::error::x$/,
  },
  {
    name: 'in success that is no JSON',
    answer: (response) => response.end(`hello ${fakeKey}`),
    says: /the response is not JSON: hello \*\*\*$/,
  },
  {
    name: 'in the words of another status',
    answer: (response) => response.writeHead(400, fakeKey).end(),
    says: /returned 400$/,
  },
])('a key that the service echoes $name is not told', async ({ answer, says }) => {
  await using stub = await startStub(answer);
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error.message).toMatch(says);
  expect(allOf(error)).not.toContain(fakeKey);
});

test('a key that the service echoes as a content type is not told', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(200, { 'content-type': fakeKey }).end();
  });
  await using opened = openClient(stub.url);
  const open = follow('/x', opened.run.signal);
  const error = await failureOf(opened.client.openEvents(open));
  expect(error.message).toMatch(/the response is \*\*\*, not an event stream$/);
  expect(allOf(error)).not.toContain(fakeKey);
});

test.for<ErrorShape>(['problem', 'nested', 'string', 'message', 'list', 'text', 'html', 'empty'])(
  'a service that echoes what it got, in the shape "%s"',
  async (errorShape) => {
    const value = 'fake "secret"\nof two\\lines';
    const hostileText = '\u001b]8;;http://x\u0007::stop-commands::x';
    await using emulator = await startEmulator({
      key: 'another-fake-key',
      dialect: { errorShape, echoValues: true, hostileText, refuse: ['createVariable'] },
    });
    const redact = createRedact([fakeKey, emulator.key, value]);
    const options = { clean: (text: string) => unsafeText(clean(redact(text))) };
    await using stranger = openClient(emulator.url, options);
    const unknown = await failureOf(stranger.client.readEnvironment(projectId));
    expect(unknown.status).toBe(401);
    await using opened = openClient(emulator.url, { ...options, apiKey: emulator.key });
    const body = { ...newVariable, value };
    const refused = await failureOf(opened.client.createVariable(projectId, body));
    expect(refused.status).toBe(403);
    for (const error of [unknown, refused]) {
      const all = allOf(error);
      for (const secret of [fakeKey, emulator.key, 'fake "secret"', 'of two\\lines']) {
        expect(all).not.toContain(secret);
        expect(all).not.toContain(JSON.stringify(secret).slice(1, -1));
      }
      expect(error.message).toBe(clean(error.message, 1000));
    }
  },
);

test.for<{ name: string; answer: Answerer }>([
  { name: 'a reset', answer: (response) => reset(response) },
  {
    name: 'an answer that is no HTTP',
    answer: (response) => response.socket?.end('SSH-2.0\r\n\r\n'),
  },
  {
    name: 'a cut body',
    answer: (response) => {
      response.writeHead(200, { 'content-length': 9 });
      response.write('{', () => reset(response));
    },
  },
])('the error after $name does not hold the key', async ({ answer }) => {
  await using stub = await startStub(answer);
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.createVariable(projectId, newVariable));
  expect(error.fault).toBe('broken');
  expect(allOf(error)).not.toContain(fakeKey);
  expect(allOf(error)).not.toContain(newVariable.value);
});

test('the error after a refused connection does not hold the key', async () => {
  await using opened = openClient(nowhere);
  const error = await failureOf(opened.client.createVariable(projectId, newVariable));
  expect(allOf(error)).not.toContain(fakeKey);
  expect(allOf(error)).not.toContain(newVariable.value);
});

test('a secret in a path is not told', async () => {
  await using stub = await startStub((response) => response.writeHead(404).end());
  await using opened = openClient(stub.url);
  const path = `/v1/x?key=${encodeURIComponent(fakeKey)}`;
  const look = { operation: 'look', path, signal: opened.run.signal };
  const error = await failureOf(opened.client.readOnce(look));
  expect(error.message).toBe('Could not look: GET /v1/x?key=*** returned 404');
});
