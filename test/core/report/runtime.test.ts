import { expect, test } from 'vitest';
import type { RuntimeState } from '../../../src/core/report/environment-result.ts';
import { describeRuntimes } from '../../../src/core/report/runtime.ts';
import { environmentResult } from './builders.ts';

const { runtime: unsaid } = environmentResult();

test.each<[string, Partial<RuntimeState>, string, string]>([
  [
    'nothing is said',
    {},
    'Preview runtime: the service does not say whether it is applied',
    'Production runtime: the service does not say whether it is published',
  ],
  [
    'all is applied and published',
    { stale: false, pending: false },
    'Preview runtime: applied',
    'Production runtime: published',
  ],
  [
    'nothing is applied or published yet',
    { stale: true, pending: true },
    'Preview runtime: not applied yet',
    'Production runtime: not published yet',
  ],
  [
    'the revisions are shown',
    {
      stale: true,
      pending: false,
      preview: { revision: 7, applied: 5 },
      production: { revision: 7, applied: 7 },
    },
    'Preview runtime: not applied yet (revision 7, applied 5)',
    'Production runtime: published (revision 7, published 7)',
  ],
  [
    'the booleans decide, whatever the revisions seem to say',
    {
      stale: false,
      pending: true,
      preview: { revision: 9, applied: 1 },
      production: { revision: 1, applied: 9 },
    },
    'Preview runtime: applied (revision 9, applied 1)',
    'Production runtime: not published yet (revision 1, published 9)',
  ],
  [
    'revisions decide nothing where no boolean is said',
    { preview: { revision: 7, applied: 7 }, production: { revision: 7, applied: 7 } },
    'Preview runtime: the service does not say whether it is applied (revision 7, applied 7)',
    'Production runtime: the service does not say whether it is published (revision 7, published 7)',
  ],
  [
    'a revision that is not applied at all is shown alone',
    {
      stale: true,
      pending: true,
      preview: { revision: 0, applied: null },
      production: { revision: 0, applied: undefined },
    },
    'Preview runtime: not applied yet (revision 0)',
    'Production runtime: not published yet (revision 0)',
  ],
  [
    'what is applied is not shown without its revision',
    {
      stale: false,
      pending: false,
      preview: { revision: null, applied: 3 },
      production: { revision: undefined, applied: 3 },
    },
    'Preview runtime: applied',
    'Production runtime: published',
  ],
])('%s', (_name, fields, preview, production) => {
  expect(describeRuntimes({ ...unsaid, ...fields })).toEqual([preview, production]);
});
