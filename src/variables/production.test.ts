import { expect, test } from 'vitest';
import type { Environment } from '../contract/environment.ts';
import { runtimeState } from './result.ts';

const production = (of: Environment['production']): Environment => ({
  variables: [],
  production: of,
});

test.each<[string, Environment | undefined, boolean | undefined]>([
  ['changes wait', production({ pending: true }), true],
  ['nothing waits', production({ pending: false }), false],
  [
    'counters that disagree with the boolean',
    production({ pending: true, revision: 4, publishedRevision: 4 }),
    true,
  ],
  ['counters alone', production({ revision: 4, publishedRevision: 4 }), undefined],
  ['null', production({ pending: null }), undefined],
  ['no runtime', production(null), undefined],
  ['no metadata', undefined, undefined],
])('%s', (_name, environment, pending) => {
  expect(runtimeState(environment).pending).toBe(pending);
});
