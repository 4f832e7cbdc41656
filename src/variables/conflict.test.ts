import { expect, test } from 'vitest';
import { isConflict, type WriteRefusal } from './plan.ts';

test.each<[string, WriteRefusal, { create: boolean; change: boolean }]>([
  ['409', { status: 409 }, { create: true, change: true }],
  ['412', { status: 412 }, { create: true, change: true }],
  ['404: it is gone', { status: 404 }, { create: false, change: true }],
  ['400 without words', { status: 400 }, { create: false, change: false }],
  [
    '400, code about a version',
    { status: 400, code: 'VERSION_MISMATCH' },
    { create: false, change: true },
  ],
  [
    '422, stale',
    { status: 422, detail: 'The variable is stale.' },
    { create: false, change: true },
  ],
  [
    '422, out of date',
    { status: 422, detail: 'Out-of-date write' },
    { create: false, change: true },
  ],
  ['400, modified', { status: 400, detail: 'was modified since' }, { create: false, change: true }],
  [
    '422, precondition',
    { status: 422, code: 'precondition_failed' },
    { create: false, change: true },
  ],
  ['422, exists', { status: 422, detail: 'Name already exists' }, { create: true, change: false }],
  ['400, duplicate', { status: 400, code: 'duplicate_name' }, { create: true, change: false }],
  ['422, taken', { status: 422, detail: 'has been taken' }, { create: true, change: false }],
  ['422, conflict', { status: 422, code: 'conflict' }, { create: true, change: true }],
  [
    '422, another field',
    { status: 422, detail: 'value is too long' },
    { create: false, change: false },
  ],
  ['401, about a version', { status: 401, detail: 'version' }, { create: false, change: false }],
  ['403, conflict', { status: 403, detail: 'conflict' }, { create: false, change: false }],
  ['500, about a version', { status: 500, detail: 'version' }, { create: false, change: false }],
  ['no status', { detail: 'version conflict' }, { create: false, change: false }],
])('%s', (_name, refusal, { create, change }) => {
  expect(isConflict(refusal, true)).toBe(create);
  expect(isConflict(refusal, false)).toBe(change);
});
