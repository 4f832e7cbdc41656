import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idempotencyKey as allowed } from '../contract/wire.ts';
import { idempotencyKey, type RunIdentity } from './cryptography.ts';

const run: RunIdentity = {
  repository: 'octo-org/site',
  runId: '1234',
  runAttempt: '1',
  job: 'deploy',
  nonce: 'n',
  step: '__run',
};

const key = (fields: Partial<RunIdentity> = {}, operation = 'deploy', target = 'x') =>
  idempotencyKey({ ...run, ...fields }, operation, target);

test('a retry has the same key', () => {
  expect(key()).toBe(key());
  expect(key()).toMatch(/^sd-[0-9a-f]{64}$/);
});

test.each([
  ['repository', key({ repository: 'octo-org/other' })],
  ['run', key({ runId: '1235' })],
  ['attempt', key({ runAttempt: '2' })],
  ['job', key({ job: 'preview' })],
  ['step', key({ step: '__run_2' })],
  ['process', key({ nonce: 'm' })],
  ['operation', key({}, 'assign')],
  ['target', key({}, 'deploy', 'y')],
])('another %s has another key', (_name, other) => {
  expect(other).not.toBe(key());
});

test('parts that only run into each other differently have another key', () => {
  expect(key({ job: 'a', step: 'bc' })).not.toBe(key({ job: 'ab', step: 'c' }));
  expect(key({}, 'a","b', 'c')).not.toBe(key({}, 'a', 'b","c'));
});

test('the service takes any key', () => {
  const text = fc.string();
  fc.assert(
    fc.property(text, text, text, (job, operation, target) => {
      expect(allowed.safeParse(key({ job }, operation, target)).success).toBe(true);
    }),
  );
});
