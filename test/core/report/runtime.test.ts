import { expect, test } from 'vitest';
import type { RuntimeState } from '../../../src/core/report/environment-result.ts';
import { describeRuntimes } from '../../../src/core/report/runtime.ts';
import { environmentResult } from './builders.ts';

const { runtime: unsaid } = environmentResult();

test.each<[string, Partial<RuntimeState>, string[]]>([
  ['nothing is said', {}, []],
  [
    'all is in use',
    { stale: false, pending: false },
    ['Preview: all variables are in use', 'Production: all variables are in use'],
  ],
  [
    'nothing is in use yet',
    { stale: true, pending: true },
    ['Preview: not all variables are in use yet', 'Production: not all variables are in use yet'],
  ],
  ['only one is told of', { pending: true }, ['Production: not all variables are in use yet']],
])('%s', (_name, fields, lines) => {
  expect(describeRuntimes({ ...unsaid, ...fields })).toEqual(lines);
});
