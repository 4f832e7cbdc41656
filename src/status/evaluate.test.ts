import { expect, test } from 'vitest';
import { unsafeText } from '../kernel/text/safe.ts';
import { runPage, showMinute } from './evaluate.ts';

test.each([
  ['https://api.github.com', 'https://github.com'],
  ['https://api.octo.ghe.com', 'https://octo.ghe.com'],
  ['https://github.example.com/api/v3', 'https://github.example.com'],
  ['https://api.example.com/api/v3', 'https://api.example.com'],
])('the API %s has the pages of %s', (apiUrl, server) => {
  expect(runPage({ apiUrl, repository: 'octo-org/octo-site' }, '17')).toBe(
    `${server}/octo-org/octo-site/actions/runs/17`,
  );
});

test.each([
  ['2026-03-02T09:14:59Z', '2026-03-02 09:14 UTC'],
  ['2026-03-02T09:14:59.123Z', '2026-03-02 09:14 UTC'],
  ['2026-03-02T09:14:59+02:00', '2026-03-02T09:14:59+02:00'],
  ['yesterday', 'yesterday'],
])('the time %s is shown as %s', (text, shown) => {
  expect(showMinute(unsafeText(text))).toBe(shown);
});
