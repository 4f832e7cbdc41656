import { expect, it } from 'vitest';
import { createDialect } from '../../emulator/dialect.ts';
import { dialectFields, readDialect } from '../../scripts/player/dialect.ts';
import { dialectHelp } from '../../scripts/try/help.ts';

/** All fields that a person can set. */
const fields = dialectFields();
const paths = fields.map(({ path }) => path);

it('knows every field of the dialect, and its help says what each is', () => {
  const tops = new Set(paths.map((path) => path.split('.')[0]));
  expect([...tops].sort()).toEqual(Object.keys(createDialect()).sort());
  expect(paths).toEqual(expect.arrayContaining(['stream.shape', 'domainWords.state.good']));
  const text = dialectHelp();
  for (const { path, description } of fields) {
    if (!/Words\./.test(path)) expect(description, path).not.toBe('');
    expect(text).toContain(`  ${path} = `);
  }
});

it('takes back every default', () => {
  const given: string[] = [];
  for (const { path, standard } of fields) {
    const written = typeof standard === 'string' ? standard : JSON.stringify(standard);
    given.push(`${path}=${written}`);
  }
  expect(createDialect(readDialect(given))).toEqual(createDialect());
});

it('reads words, numbers, lists and mappings', () => {
  const rateLimit = 'rateLimit={status: 429, retryAfter: seconds, seconds: 1, every: 3}';
  expect(readDialect(['stream.shape=typed', 'staleVersion=412', 'refuse=a,b', rateLimit])).toEqual({
    stream: { shape: 'typed' },
    staleVersion: '412',
    refuse: ['a', 'b'],
    rateLimit: { status: 429, retryAfter: 'seconds', seconds: 1, every: 3 },
  });
});
