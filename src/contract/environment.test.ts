import { expect, test } from 'vitest';
import { describeAnswers } from '../../test/support/contract/answers.ts';
import { type BodyCase, describeBodies, emoji, text } from '../../test/support/contract/bodies.ts';
import {
  createVariable,
  deleteVariable,
  environment,
  replaceVariable,
  retargetVariable,
  variable,
} from './environment.ts';

const id = '11111111-1111-4111-8111-111111111111';
const time = '2026-01-01T00:00:00Z';

describeAnswers([
  {
    name: 'environment variable',
    shape: variable,
    needed: ['id', 'name', 'preview', 'production', 'version'],
    full: {
      id,
      name: 'A',
      kind: 'secret',
      preview: true,
      production: false,
      purpose: 'mail',
      required: true,
      version: -9007199254740991,
      createdAt: time,
      updatedAt: time,
    },
  },
  {
    name: 'environment',
    shape: environment,
    needed: ['variables'],
    full: {
      variables: [{ id, name: 'A', preview: true, production: true, version: 1 }],
      preview: { revision: 2, appliedRevision: 1, stale: true },
      production: { revision: 2, publishedRevision: 2, pending: false },
    },
  },
]);

const versionGood: BodyCase['good'] = [
  ['expectedVersion', 0],
  ['expectedVersion', 9007199254740991],
  ['expectedVersion', -9007199254740991],
];
const versionBad: BodyCase['bad'] = [
  ['expectedVersion', 9007199254740992],
  ['expectedVersion', -9007199254740992],
  ['expectedVersion', 1.5],
  ['expectedVersion', '1'],
  ['expectedVersion', null],
];
const valueGood: BodyCase['good'] = [
  ['value', ''],
  ['value', text(5120)],
  ['value', emoji(5120)],
  ['value', '  \r\n '],
];
const valueBad: BodyCase['bad'] = [
  ['value', text(5121)],
  ['value', emoji(5121)],
  ['value', null],
];

describeBodies([
  {
    name: 'a new variable',
    shape: createVariable,
    body: { name: 'A', value: 'x', preview: true, production: true },
    required: ['name', 'value', 'preview', 'production'],
    good: [
      ...valueGood,
      ['name', text(1)],
      ['name', text(128)],
      ['name', emoji(128)],
      ['kind', 'plain'],
      ['kind', 'secret'],
    ],
    bad: [...valueBad, ['name', ''], ['name', text(129)], ['name', emoji(129)], ['kind', 'sealed']],
  },
  {
    name: 'a new value',
    shape: replaceVariable,
    body: { expectedVersion: 1, value: 'x', kind: 'plain' },
    required: ['expectedVersion', 'value', 'kind'],
    good: [...versionGood, ...valueGood],
    bad: [...versionBad, ...valueBad, ['kind', 'sealed']],
  },
  {
    name: 'new targets',
    shape: retargetVariable,
    body: { expectedVersion: 1, preview: true, production: false },
    required: ['expectedVersion', 'preview', 'production'],
    good: versionGood,
    bad: [...versionBad, ['preview', 'true']],
  },
  {
    name: 'the removal of a variable',
    shape: deleteVariable,
    body: { expectedVersion: 1 },
    required: ['expectedVersion'],
    good: versionGood,
    bad: versionBad,
  },
]);

test('a variable of a kind that the interface does not show is read', () => {
  const sealed = { id, name: 'A', kind: 'sealed', preview: true, production: true, version: 1 };
  expect(variable.parse(sealed)).toEqual(sealed);
});
