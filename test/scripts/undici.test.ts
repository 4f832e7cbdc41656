import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { standIns } from '../../scripts/stand-ins/stand-ins.ts';

const require = createRequire(import.meta.url);
const standIn = require('../../scripts/stand-ins/undici.cjs');
const httpClient = require('../../scripts/stand-ins/http-client.cjs');

/** What a script imports from a package, or from a file of it. */
const takenBy = (file: string, from = 'undici'): string[] => {
  const code = readFileSync(file, 'utf8');
  const imports = new RegExp(`import \\{([^}]*)\\} from '${from}(?:/[\\w/]+)?'`, 'g');
  return [...code.matchAll(imports)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
};

/** Every script of a package that imports another in any way. */
const usersIn = (name: string, of: string): string[] => {
  const folder = dirname(fileURLToPath(import.meta.resolve(name)));
  const files = globSync('**/*.js', { cwd: folder }).map((file) => `${folder}/${file}`);
  const uses = new RegExp(`\\bfrom '${of}[/']|'${of}[/'][^)\\n]*\\)`);
  return files.filter((file) => uses.test(readFileSync(file, 'utf8')));
};

const githubs = ['@actions/core', '@actions/github'];

test("what stands for undici has all that GitHub's packages take from it", () => {
  const taken = githubs.flatMap((name) => usersIn(name, 'undici')).map((file) => takenBy(file));
  expect(taken).not.toContainEqual([]);
  expect(new Set(taken.flat())).toEqual(new Set(Object.keys(standIn)));
});

test("what stands for GitHub's HTTP client has all that its other packages take from it", () => {
  const name = '@actions/http-client';
  const [oidc = '', utils = '', ...others] = githubs.flatMap((user) => usersIn(user, name));
  expect(others).toEqual([]);
  // One is for tokens of OpenID Connect alone, for which nobody asks; it has to find the classes all the same.
  expect(oidc).toMatch(/oidc-utils\.js$/);
  expect(new Set(takenBy(oidc, name))).toEqual(new Set(Object.keys(httpClient)));
  const code = readFileSync(utils, 'utf8');
  expect(code).toContain(`import * as httpClient from '${name}'`);
  expect(new Set(code.match(/\bhttpClient\.\w+/g))).toEqual(new Set(['httpClient.HttpClient']));
  const asked = new Set([...code.matchAll(/\bhc\.(\w+)/g)].map(([, method]) => method));
  const has = Reflect.ownKeys(httpClient.HttpClient.prototype);
  expect(new Set(['constructor', ...asked])).toEqual(new Set(has));
});

test("GitHub's packages ask for them by the names that the build knows", () => {
  const names = /\b(?:from |import\()['"]((?:undici|@actions\/http-client)(?:\/[^'"]*)?)['"]/g;
  const files = githubs.flatMap((name) =>
    ['undici', '@actions/http-client'].flatMap((of) => usersIn(name, of)),
  );
  const asked = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(names)].map(([, name]) => name),
  );
  const known = Object.keys(standIns).filter((name) => /^(undici|@actions)/.test(name));
  expect(new Set(asked)).toEqual(new Set(known));
});

test('nothing of ours takes the whole of undici', () => {
  const files = globSync('src/**/!(*.d|*.test).ts', { cwd: `${import.meta.dirname}/../..` });
  expect(files.length).toBeGreaterThan(100);
  const values = files.filter((file) =>
    takenBy(`${import.meta.dirname}/../../${file}`).some((name) => !name.startsWith('type ')),
  );
  expect(values).toEqual([]);
});

test('they send nothing', async () => {
  await expect(standIn.fetch()).rejects.toThrow('undici is here by parts alone');
  const client = new httpClient.HttpClient();
  expect(client.getAgent('https://api.github.com')).toBeUndefined();
  expect(client.getAgentDispatcher('https://api.github.com')).toBeUndefined();
  expect(Reflect.ownKeys(httpClient.BearerCredentialHandler.prototype)).toEqual(['constructor']);
});
