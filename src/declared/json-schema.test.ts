import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { runs } from '../../test/support/exhaustive.ts';
import { anyDamagedFile, anySiteFile } from '../../test/support/site-file/any-file.ts';
import { readSiteFile, siteFileJsonSchema } from './model/read.ts';

const path = join(import.meta.dirname, '../../schema/site.schema.json');
const published = JSON.parse(readFileSync(path, 'utf8'));

/** The published schema holds patterns for what it calls a UUID, so the format adds nothing. */
const isRight = new Ajv({ formats: { uuid: true } }).compile(published);

test('the published schema is the one that the sources give', () => {
  expect(published).toEqual(siteFileJsonSchema());
});

test('every mapping of fixed keys refuses others, and every key is described', () => {
  const schemas: Record<string, unknown>[] = [];
  JSON.stringify(published, (_key, value) => {
    if (value !== null && typeof value === 'object' && 'type' in value) schemas.push(value);
    return value;
  });
  const fixed = schemas.filter(({ type, properties }) => type === 'object' && properties);
  expect(fixed).toHaveLength(7);
  for (const { additionalProperties, properties } of fixed) {
    expect(additionalProperties).toBe(false);
    for (const property of Object.values(Object(properties))) {
      expect(property).toHaveProperty('description', expect.stringMatching(/\.$/));
    }
  }
});

test.each<[string, unknown]>([
  ['an unknown section', { env: {} }],
  ['an unknown key', { environment: { A: { targts: ['production'] } } }],
  ['a secret value', { environment: { A: { value: 'x', kind: 'secret' } } }],
  ['a value of no kind', { environment: { A: { value: 'x' } } }],
  ['a source and a value', { environment: { A: { from: 'B', value: 'x', kind: 'plain' } } }],
  ['a number as a value', { environment: { A: { value: 1, kind: 'plain' } } }],
  ['a long value', { environment: { A: { value: 'x'.repeat(5121), kind: 'plain' } } }],
  ['a wrong name', { environment: { 'A B': {} } }],
  ['no targets', { environment: { A: { targets: [] } } }],
  ['a wrong hostname', { 'connected-domains': { 'A.example': {} } }],
  ['a wrong project', { 'connected-domains': { 'a.example': { project: 'mine' } } }],
  ['a check of nothing', { checks: [{ contains: 'x' }] }],
  ['a check of two places', { checks: [{ path: '/', url: 'https://a.example/' }] }],
  ['a check of another host', { checks: [{ path: '//a.example/' }] }],
  ['a check in other words', { checks: [{ path: '/', has: 'x' }] }],
  ['a status that is none', { checks: [{ path: '/', status: 99 }] }],
  ['a list in JSON', { checks: [{ path: '/', json: { a: [] } }] }],
  ['51 checks', { checks: Array.from({ length: 51 }, () => ({ path: '/' })) }],
  ['checks that are no list', { checks: { path: '/' } }],
  [
    'a record without content',
    { 'registered-domains': { 'a.com': { dns: [{ type: 'A', name: '@' }] } } },
  ],
])('it refuses %s, as the reader does', (_name, file) => {
  expect(isRight(file)).toBe(false);
  expect(readSiteFile(stringify(file)).ok).toBe(false);
});

test('it takes what the reader takes, and refuses what the reader refuses', () => {
  fc.assert(
    fc.property(fc.oneof(anySiteFile, anyDamagedFile), (file) => {
      expect(isRight(file)).toBe(readSiteFile(stringify(file)).ok);
    }),
    runs(100),
  );
});
