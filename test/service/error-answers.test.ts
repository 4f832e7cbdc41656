import { expect, test } from 'vitest';
import { type ErrorShape, startEmulator } from '../../emulator/index.ts';
import { operations } from '../../src/contract/operations.ts';
import { pour, reset, startStub } from './stub.ts';
import { failureOf, openClient, projectId } from './support.ts';

const words = 'The key may not use readEnvironment.';

const shapes: readonly { errorShape: ErrorShape; code?: string; detail?: string }[] = [
  { errorShape: 'problem', code: 'forbidden', detail: words },
  { errorShape: 'nested', code: 'forbidden', detail: words },
  { errorShape: 'string', detail: words },
  { errorShape: 'message', detail: words },
  { errorShape: 'list', code: 'forbidden', detail: words },
  { errorShape: 'text', detail: words },
  { errorShape: 'html', detail: 'an HTML page' },
  { errorShape: 'empty' },
];

test.for(shapes)('an error in the shape "$errorShape"', async ({ errorShape, code, detail }) => {
  await using emulator = await startEmulator({
    dialect: { errorShape, refuse: ['readEnvironment'] },
  });
  await using opened = openClient(emulator.url, { apiKey: emulator.key });
  const error = await failureOf(opened.client.readEnvironment(projectId));
  expect(error.details).toEqual({
    fault: 'answer',
    operation: operations.readEnvironment,
    request: `GET /v1/projects/${projectId}/environment`,
    status: 403,
    requestId: 'request-1',
    ...(code !== undefined && { code }),
    ...(detail !== undefined && { detail }),
  });
  const said = [code, detail].filter((part) => part !== undefined).join(': ');
  expect(error.message).toBe(
    `Could not read the project's variables: GET /v1/projects/${projectId}/environment returned 403` +
      `${said === '' ? '' : `: ${said.replace(/\.$/, '')}`} (request id request-1)`,
  );
});

test.for<{ name: string; body: string; code?: string; detail?: string }>([
  {
    name: 'a type in place of a code',
    body: '{"error":{"type":"t","detail":"d"}}',
    code: 't',
    detail: 'd',
  },
  { name: 'a code that is a number', body: '{"code":17,"message":"m"}', code: '17', detail: 'm' },
  { name: 'an error beside its code', body: '{"error":"e","code":"c"}', code: 'c', detail: 'e' },
  { name: 'a list of texts', body: '{"errors":["first","second"]}', detail: 'first' },
  { name: 'a bare list', body: '[{"code":"c","message":"m"}]', code: 'c', detail: 'm' },
  { name: 'an empty list', body: '{"errors":[]}' },
  {
    name: 'a problem with a title only',
    body: '{"type":"about:blank","title":"Gone"}',
    detail: 'Gone',
  },
  {
    name: 'a problem with a type',
    body: '{"type":"urn:x","detail":"d"}',
    code: 'urn:x',
    detail: 'd',
  },
  { name: 'a JSON string', body: '"words"', detail: 'words' },
  { name: 'a JSON number', body: '17' },
  { name: 'JSON null', body: 'null' },
  { name: 'JSON of unknown fields', body: '{"reason":{"text":"x"}}' },
  { name: 'fields of other types', body: '{"error":{"code":true,"message":{"m":1}}}' },
  { name: 'a list of words', body: '{"error":{"message":["m","n"]}}', detail: 'm; n' },
  {
    name: 'a word beside the words',
    body: '{"error":"not_found","message":"It was archived on Monday."}',
    code: 'not_found',
    detail: 'It was archived on Monday.',
  },
  {
    name: 'a word beside a list of words',
    body: '{"statusCode":400,"message":["name must be a string"],"error":"Bad Request"}',
    code: 'Bad Request',
    detail: 'name must be a string',
  },
  { name: 'JSON that breaks off', body: '{"message":"m', detail: '{"message":"m' },
  { name: 'white space', body: ' \r\n' },
  { name: 'HTML', body: '<!doctype html><title>x</title>', detail: 'an HTML page' },
  { name: 'control characters', body: '\u001b[31mred\u0000\n::error::x', detail: 'red ::error::x' },
])('an error of $name', async ({ body, code, detail }) => {
  await using stub = await startStub((response) => response.writeHead(400).end(body));
  await using opened = openClient(stub.url);
  const { details } = await failureOf(opened.client.listProjects('all'));
  expect({ code: details.code, detail: details.detail }).toEqual({ code, detail });
  expect(details.status).toBe(400);
});

test.for<{ name: string; headers: Record<string, string>; requestId: string | undefined }>([
  { name: 'none', headers: {}, requestId: undefined },
  { name: 'x-request-id', headers: { 'X-Request-Id': 'a', 'request-id': 'b' }, requestId: 'a' },
  { name: 'request-id', headers: { 'request-id': 'b' }, requestId: 'b' },
])('a request id from $name', async ({ headers, requestId }) => {
  await using stub = await startStub((response) => response.writeHead(404, headers).end());
  await using opened = openClient(stub.url);
  const { details } = await failureOf(opened.client.listProjects('all'));
  expect(details.requestId).toBe(requestId);
});

test('an endless error body is read to a bound and given up', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(400);
    pour(response);
  });
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error.status).toBe(400);
  expect(error.details.detail).toMatch(/^x{499}…$/);
  await stub.idle();
});

test('an error body that is cut leaves the status', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(400, { 'content-length': 100 });
    response.write('{"message":', () => reset(response));
  });
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error).toMatchObject({ fault: 'answer', status: 400, mayHaveArrived: false });
  expect(error.details.detail).toMatch(
    /^the response body could not be read: the connection broke/,
  );
});
