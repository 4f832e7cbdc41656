import { expect, test } from 'vitest';
import type { Environment } from '../contract/environment.ts';
import { productionState } from './verify.ts';

const production = (of: Environment['production']): Environment => ({
  variables: [],
  production: of,
});

test.each<[string, Environment | undefined, string]>([
  ['changes wait', production({ pending: true }), 'pending'],
  ['nothing waits', production({ pending: false }), 'published'],
  [
    'counters that disagree with the boolean',
    production({ pending: true, revision: 4, publishedRevision: 4 }),
    'pending',
  ],
  ['counters alone', production({ revision: 4, publishedRevision: 4 }), 'unknown'],
  ['null', production({ pending: null }), 'unknown'],
  ['no runtime', production(null), 'unknown'],
  ['no metadata', undefined, 'unknown'],
])('%s', (_name, environment, state) => {
  expect(productionState(environment)).toBe(state);
});
