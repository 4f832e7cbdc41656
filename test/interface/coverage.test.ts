import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDialect } from '../../emulator/dialect.ts';
import { startEmulator } from '../../emulator/index.ts';
import { coverPairs } from '../support/cover.ts';
import { answers, dialectOf, services } from './answers.ts';
import { endpoints, testFile } from './endpoints.ts';
import { questions } from './questions.ts';
import { renderInterface } from './table.ts';

const root = join(import.meta.dirname, '../..');

/** The paths of all values, those of lists as of one. */
const keysOf = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) =>
        keysOf(one, `${path}/${Array.isArray(value) ? '*' : key}`),
      )
    : [path];

test('the table has every endpoint once', () => {
  const lines = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(lines).size).toBe(lines.length);
});

describe.each(endpoints)('$method $path', ({ operation, actions, tests }) => {
  test('is reachable from an action', () => {
    expect(actions).not.toEqual([]);
  });

  test('has a test that names it', async () => {
    expect(tests).not.toEqual([]);
    for (const file of tests) {
      const place = join(root, testFile(file));
      expect(existsSync(place), `${testFile(file)} is there`).toBe(true);
      expect(await readFile(place, 'utf8')).toMatch(new RegExp(`\\b${operation}\\b`));
    }
  });
});

test('docs/interface.md says how to tell whether a host speaks it, and the emulator does', async () => {
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject('my-site');
  project.setVariable({ name: 'STRIPE_KEY', value: 'not-a-real-key' });
  const page = renderInterface(endpoints);
  const examples = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = '']) => json);
  const paths = [...page.matchAll(/^curl .*"\$BASE_URL(.*)"$/gm)].map(([, path = '']) => path);
  const places = paths.map((path) => path.replace('$PROJECT_ID', project.id));
  const answers = places.map(async (path) => {
    const answer = await fetch(emulator.url + path, { headers: { 'x-api-key': emulator.key } });
    return keysOf(await answer.json());
  });
  const shown = examples.map((json) => keysOf(JSON.parse(json)));
  expect(shown).toHaveLength(2);
  expect(await Promise.all(answers)).toEqual(shown.map((keys) => expect.arrayContaining(keys)));
});

test('docs/interface.md is what the table gives', async () => {
  const file = join(root, 'docs', 'interface.md');
  expect(await readFile(file, 'utf8')).toBe(renderInterface(endpoints));
});

test('each field that answers an open question is at one question', () => {
  const fields = questions.flatMap((question) => question.fields);
  expect(fields.toSorted()).toEqual(Object.keys(answers).sort());
});

test('the first answer to each question is what the emulator does by default', () => {
  const usual = Object.entries(answers).map(([field, [first]]) => [field, first]);
  const standard = createDialect();
  const { stream, ...rest } = dialectOf(Object.fromEntries(usual));
  expect(standard).toMatchObject({ ...rest, stream });
});

test('each two answers to two questions meet in a service', () => {
  const lists = Object.values<readonly unknown[]>(answers);
  const rows = services().map((service) => Object.values(service));
  const unmet = lists.flatMap((list, a) =>
    lists.slice(a + 1).flatMap((others, after) => {
      const b = a + 1 + after;
      const pairs = list.flatMap((one) => others.map((other) => [one, other]));
      return pairs.filter(
        ([one, other]) => !rows.some((row) => row[a] === one && row[b] === other),
      );
    }),
  );
  expect(unmet).toEqual([]);
});

test('a cover of two flags and a word has a row for each value of the word and the flags', () => {
  expect(
    coverPairs([
      ['a', 'b', 'c'],
      [false, true],
      [false, true],
    ]),
  ).toHaveLength(6);
});
