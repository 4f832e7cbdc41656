import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const standIn = createRequire(import.meta.url)('../../scripts/undici.cjs');

/** What a script imports from the whole of undici. */
const takenBy = (file: string): string[] => {
  const code = readFileSync(file, 'utf8');
  return [...code.matchAll(/import \{([^}]*)\} from 'undici'/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
};

/** Every script of a package that imports undici in any way. */
const usersIn = (name: string): string[] => {
  const folder = dirname(fileURLToPath(import.meta.resolve(name)));
  const files = globSync('**/*.js', { cwd: folder }).map((file) => `${folder}/${file}`);
  return files.filter((file) => /\bfrom 'undici'|'undici'\)/.test(readFileSync(file, 'utf8')));
};

test("what stands for undici has all that GitHub's packages take from it", () => {
  const users = ['@actions/core', '@actions/github', '@actions/http-client'].flatMap(usersIn);
  const taken = users.map(takenBy);
  expect(taken).not.toContainEqual([]);
  expect(new Set(taken.flat())).toEqual(new Set(Object.keys(standIn)));
  expect(() => new standIn.ProxyAgent({ uri: 'http://127.0.0.1:9' })).not.toThrow();
});

test('nothing of ours takes the whole of undici', () => {
  const files = globSync('src/**/!(*.d).ts', { cwd: `${import.meta.dirname}/../..` });
  expect(files.length).toBeGreaterThan(100);
  const values = files.filter((file) =>
    takenBy(`${import.meta.dirname}/../../${file}`).some((name) => !name.startsWith('type ')),
  );
  expect(values).toEqual([]);
});

test('it sends nothing', async () => {
  await expect(standIn.fetch()).rejects.toThrow('undici is here by parts alone');
  expect(Reflect.ownKeys(standIn.ProxyAgent.prototype)).toEqual(['constructor']);
});
