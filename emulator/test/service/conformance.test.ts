import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../src/contract/operations.ts';
import { endpoints } from '../../../test/interface/endpoints.ts';
import type { DialectOptions } from '../../index.ts';
import { params, type Row, rows } from './conformance/rows.ts';
import { endpointOf, type RequestOptions, startSeeded } from './conformance/world.ts';

const { emulator, reset, send, state, effects } = await startSeeded();

afterAll(() => emulator.close());

const short = (value: unknown) => JSON.stringify(value).slice(0, 100);

type Refusal = readonly [status: number, code: string, headers?: object];

const invalid: Refusal = [400, 'invalid_request'];

const problem = z.object({ detail: z.string().min(1) });

/** A request that is refused, and the fields that the error must name. */
interface Refused extends RequestOptions {
  readonly names?: readonly string[];
}

/** Checks that each request gets this error, with its headers if any, and changes nothing. */
async function expectRefusals(
  row: Row,
  requests: readonly Refused[],
  [status, code, headers = {}]: Refusal,
  dialect: DialectOptions = {},
): Promise<void> {
  if (requests.length === 0) return;
  await reset(dialect);
  const before = state();
  const type = { 'content-type': 'application/problem+json; charset=utf-8' };
  const expected = { status, headers: { ...type, ...headers }, json: { status, code } };
  for (const { names = [], ...options } of requests) {
    const answer = await send(row, options);
    expect(answer, short(options)).toMatchObject(expected);
    const { detail } = problem.parse(answer.json);
    const words = detail.split(/[;:\s]+/).map((word) => word.replace(/\.\d+$/, ''));
    expect(words, short(options)).toEqual(expect.arrayContaining([...names]));
  }
  expect(state()).toEqual(before);
  expect(effects()).not.toContain(true);
}

/** A dialect in which each valid version and each valid commit succeeds. */
const lenient = { staleVersion: 'ignore', unknownVersionId: 'accept-and-fail' } as const;

/** Checks that each request succeeds in a world of its own. */
async function expectSuccesses(row: Row, requests: readonly RequestOptions[]): Promise<void> {
  for (const options of requests) {
    await reset(lenient);
    const { status, text } = await send(row, options);
    expect(status, `${short(options)}: ${text}`).toBe(row.answers[0]);
  }
}

/** A dialect in which an unknown name in the body gets another status than one in the path. */
const unprocessable = { unknownProject: '422', unknownVersionId: '422' } as const;

/** The methods of all endpoints that this path fits. */
function methodsOf(path: string): string[] {
  const fits = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]*')}$`).test(path);
  return endpoints.filter((endpoint) => fits(endpoint.path)).map(({ method }) => method);
}

/** Each object in an answer. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const { newField: _, ...fields } = value as { newField?: unknown };
  const inside = Object.values(fields).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value, ...inside];
}

/** The path of each field in an answer, with `null` or `""` behind it if that is its value. */
function fieldsIn(value: unknown, path = ''): string[] {
  if (value === null || value === '') return [`${path} ${JSON.stringify(value)}`];
  if (typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([name, one]) => fieldsIn(one, `${path}/${name}`));
}

test('the table has each endpoint of the interface and each operation of the contract', () => {
  const lines = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(rows.map(({ endpoint }) => endpoint)).toEqual(lines);
  const names = rows.flatMap((row) => row.operations);
  expect(names.toSorted()).toEqual(Object.keys(operations).toSorted());
});

describe.each(rows)('$endpoint', (row) => {
  const { method, path, operation } = endpointOf(row);
  const [success, shape] = row.answers;
  const contract = row.operations.map((name) => operations[name]);
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const { required = {}, optional = {}, accepts: bodies = [undefined] } = row.body ?? {};
  const [usual] = bodies;
  const withBodies = (values: readonly unknown[]) => values.map((body) => ({ body }));
  const below = (usualPath: string) => `${usualPath}/a/b`;

  test('returns its status and exactly its fields', async () => {
    const others = endpoints.map((endpoint) => endpoint.operation);
    await reset({ refuse: others.filter((other) => other !== operation) });
    const answer = await send(row);
    expect(answer.status, answer.text).toBe(success);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(shape.safeParse(answer.json, { jitless: true }).error).toBeUndefined();
    const effect = contract.some(({ repeat }) => repeat !== 'freely');
    expect(emulator.journal.entries).toMatchObject([{ operation, effect }]);

    const answerIn = async (dialect: DialectOptions) => {
      await reset(dialect);
      return await send(row);
    };
    const extended = await answerIn({ extraFields: true, successStatus: 200 });
    expect(extended.status).toBe(success === 201 ? 200 : success);
    const objects = objectsIn(extended.json);
    expect(objects).not.toEqual([]);
    for (const object of objects) expect(object).toHaveProperty('newField');
    const fields = fieldsIn(answer.json);
    const empty = await answerIn({ absentFields: 'empty', unassigned: 'empty' });
    expect(fieldsIn(empty.json)).toEqual(fields.map((field) => field.replace(/ null$/, ' ""')));
    const omitted = await answerIn({ absentFields: 'omitted', unassigned: 'absent' });
    expect(fieldsIn(omitted.json)).toEqual(fields.filter((field) => !field.endsWith(' null')));
  });

  test('requires an API key with its permission', async () => {
    await expectRefusals(row, [{ key: null }, { key: 'fake' }], [401, 'unauthorized']);
    await expectRefusals(row, [{}], [403, 'forbidden'], { refuse: [operation] });
  });

  test('has no other method, version or subpath', async () => {
    expect(contract.map((one) => one.method)).toEqual(contract.map(() => method));
    const methods = methodsOf(path);
    const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const others = all.filter((other) => !methods.includes(other));
    const requests = others.map((other) => ({ method: other }));
    await expectRefusals(row, requests, [405, 'method_not_allowed', { allow: methods.join(', ') }]);
    const otherVersion = (usualPath: string) =>
      usualPath.startsWith('/v1/') ? usualPath.slice(3) : `/v1${usualPath}`;
    await expectRefusals(row, [{ path: otherVersion }, { path: below }], [404, 'no_such_path']);
  });

  if (names.length > 0) {
    test('accepts path parameters that name a resource, and no others', async () => {
      const each = (group: 'accepts' | 'refuses' | 'unknown') =>
        names.flatMap((name) =>
          (params[name]?.[group] ?? []).map((value) => ({ params: { [name]: value } })),
        );
      await expectSuccesses(row, each('accepts'));
      await expectRefusals(row, each('refuses'), [422, invalid[1]], { invalidStatus: 422 });
      const some = withBodies([usual, ...(row.body?.unknown ?? [])]);
      const requests = each('unknown').flatMap((one) => some.map((body) => ({ ...one, ...body })));
      await expectRefusals(row, requests, [404, 'not_found'], unprocessable);
    });
  }

  test('accepts its query parameters, and no others', async () => {
    const each = (group: 'accepts' | 'refuses') =>
      Object.entries(row.query ?? {}).flatMap(([name, field]) =>
        field[group].map((value) => `?${name}=${value}`),
      );
    const withQueries = (queries: readonly string[]) => queries.map((query) => ({ query }));
    await expectSuccesses(row, withQueries(each('accepts')));
    const twice = each('accepts').map((query) => query + query.replace('?', '&'));
    await expectRefusals(row, withQueries([...each('refuses'), ...twice, '?page=2']), invalid);
  });

  test('accepts its body up to the limits, and no other', async () => {
    await expectSuccesses(row, withBodies(bodies));
    const { invalid: bad = [{ value: {} }, { value: 'a' }] } = row.body ?? {};
    const requests = bad.map(({ value, ...fields }) => ({ body: value, ...fields }));
    await expectRefusals(row, requests, invalid);
    const unknown = withBodies(row.body?.unknown ?? []);
    const code = 'versionId' in optional ? 'unknown_version' : 'unknown_project';
    await expectRefusals(row, unknown, [404, code]);
    await expectRefusals(row, unknown, [422, code], unprocessable);
  });

  if (row.body !== undefined) {
    test('accepts JSON in UTF-8, no other content, and none only if it requires no field', async () => {
      const withTypes = (types: readonly string[]) => types.map((contentType) => ({ contentType }));
      await expectSuccesses(row, withTypes(['Application/JSON;charset="UTF-8"']));
      const others = withTypes(['text/plain', 'application/json; charset=latin1']);
      await expectRefusals(row, others, [415, 'unsupported_media_type']);
      const accented = { ...Object(usual), idempotencyKey: '\u00e9' };
      const requests = [{ body: '{"' }, { body: accented, encoding: 'latin1' as const }];
      await expectRefusals(row, requests, invalid);
      const empty = withBodies([undefined]);
      if (Object.keys(required).length > 0) await expectRefusals(row, empty, invalid);
      else await expectSuccesses(row, empty);
      await expectRefusals(row, empty, invalid, { emptyBody: 'refuse' });
    });
  }

  test(`has, when repeated: ${row.repeated}`, async () => {
    await reset();
    const answers = [await send(row), await send(row)];
    const second = typeof row.repeated === 'number' ? row.repeated : success;
    expect(answers.map(({ status }) => status)).toEqual([success, second]);
    expect(effects()[1]).toBe(row.repeated === 'new effect');
  });

  if ('idempotencyKey' in optional) {
    const withKey = (body: unknown) => ({ body: { ...Object(body), idempotencyKey: 'a' } });
    const request = withKey(usual);

    test('has one effect for an idempotency key with one body and one path', async () => {
      await reset();
      const both = await Promise.all([send(row, request), send(row, request)]);
      const answers = [...both, await send(row, request)];
      const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
      expect([...texts]).toEqual([`${success} ${both[0].text}`]);
      expect(effects().toSorted()).toEqual([false, false, true]);
      if (Object.keys({ ...required, ...optional }).length > 1) {
        const { status, json } = await send(row, withKey(bodies.at(-1)));
        expect([status, json]).toMatchObject([409, { code: 'key_reused' }]);
      }
      for (const name of names) {
        const answer = await send(row, { ...request, params: { [name]: params[name]?.another } });
        expect(answer.status, answer.text).toBe(success);
        expect(effects().at(-1), name).toBe(true);
      }
    });
  }
});

test('a path that is not in the interface requires an API key too', async () => {
  await reset();
  const [row] = rows;
  if (row === undefined) throw new Error('the table is empty');
  const path = () => '/v1/nothing';
  expect((await send(row, { path, key: null })).status).toBe(401);
  expect((await send(row, { path })).status).toBe(404);
});

test('an idempotency key can be used once with each endpoint', async () => {
  await reset();
  const keyed = rows.filter(({ body }) => body !== undefined && 'idempotencyKey' in body.optional);
  for (const row of keyed) {
    const body = { ...Object(row.body?.accepts[0]), idempotencyKey: 'a' };
    const { status, text } = await send(row, { body });
    expect(status, `${row.endpoint}: ${text}`).toBe(row.answers[0]);
  }
  expect(effects()).toEqual(keyed.map(() => true));
});
