import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDialect } from '../dialect.ts';

const root = fileURLToPath(new URL('../../test', import.meta.url));
/** Where a client meets the local world. */
const clients = [
  'attacks',
  'checks',
  'deploy',
  'dist',
  'domains',
  'git',
  'messages',
  'previews',
  'projects',
  'push',
  'service',
  'support',
  'variables',
];

const sources = clients.map(async (folder) => {
  const files = await readdir(join(root, folder), { recursive: true });
  const tests = files.filter((file) => file.endsWith('.ts'));
  return await Promise.all(tests.map((file) => readFile(join(root, folder, file), 'utf8')));
});
const text = (await Promise.all(sources)).flat().join('\n');

const { stream, ...rest } = createDialect();

test.each([...Object.keys(rest), ...Object.keys(stream)])(
  'a client is tried against another %s, or the dialect does without it',
  (field) => {
    expect(text).toMatch(new RegExp(`\\b${field}(:|,| \\}| =|\\.\\w+ =)`));
  },
);
