import { expect, it } from 'vitest';
import { dialectFields, readDialect } from '../../scripts/player/dialect.ts';
import { help } from '../../scripts/try/help.ts';
import { createDialect } from '../../src/emulator/dialect.ts';

/** The paths of all fields that a person can set. */
const paths = dialectFields().map(({ path }) => path);

it('knows every field of the dialect, and its help says what each is', () => {
  const tops = new Set(paths.map((path) => path.split('.')[0]));
  expect([...tops].sort()).toEqual(Object.keys(createDialect()).sort());
  expect(paths).toEqual(expect.arrayContaining(['stream.shape', 'domainWords.state.good']));
  for (const { path, description } of dialectFields()) {
    if (!/Words\./.test(path)) expect(description, path).not.toBe('');
    expect(help()).toContain(`  ${path} = `);
  }
});

it('takes back every default', () => {
  for (const { path, standard } of dialectFields()) {
    const written = typeof standard === 'string' ? standard : JSON.stringify(standard);
    const names = path.split('.');
    const options: unknown = readDialect([`${path}=${written}`]);
    const read = names.reduce((one: unknown, name) => Reflect.get(Object(one), name), options);
    expect(read, path).toEqual(standard);
  }
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
