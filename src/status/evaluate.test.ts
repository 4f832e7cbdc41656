import { expect, test } from 'vitest';
import { sha } from '../contract/commit.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { reportRelease } from './evaluate.ts';

const record = {
  ...{ id: 1, at: '2026-03-02T09:14:00Z', until: 0, isPreview: false, mark: 'a' },
  ...{ commit: sha('a'.repeat(40)), environment: 'production', key: 'production/1' },
};

const reportOf = (apiUrl: string, runId?: string) => {
  const last = { record: { ...record, runId }, projectId: undefined, commit: undefined };
  return reportRelease(last, { apiUrl, repository: 'octo-org/octo-site' }, unsafeText);
};

test.each([
  ['https://api.github.com', 'https://github.com'],
  ['https://api.octo.ghe.com', 'https://octo.ghe.com'],
  ['https://github.example.com/api/v3', 'https://github.example.com'],
])('the API %s has the pages of %s', (apiUrl, server) => {
  expect(reportOf(apiUrl, '17')).toMatchObject({
    'run-id': '17',
    'run-url': `${server}/octo-org/octo-site/actions/runs/17`,
  });
});

test('an old record names no run', () => {
  expect(reportOf('https://api.github.com')['run-url']).toBeUndefined();
});
