import { expect, test } from 'vitest';
import { runPage } from './evaluate.ts';

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
