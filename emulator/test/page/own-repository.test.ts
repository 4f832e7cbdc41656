import { expect, it } from 'vitest';
import { numberOf } from '../../github/index.ts';
import { startEmulator } from '../../index.ts';
import { openPage } from '../../page/index.ts';
import { sendTo } from '../service/support.ts';
import { repository, startOwn } from '../workflow/support.ts';
import { tokenIn } from './support.ts';

it('opens, closes and reopens a pull request of a repository that takes pushes, as on GitHub', async () => {
  await using own = await startOwn();
  await using emulator = await startEmulator();
  const { github } = own;
  await using page = await openPage({ emulator, github });
  const url = page.url.replace(/\/$/, '');
  const read = async () => (await sendTo(url, 'GET', '/', {})).text;
  const token = tokenIn(await read());
  const press = async (action: string, fields: Readonly<Record<string, string>>) => {
    const number = String(numberOf(repository));
    const body = new URLSearchParams({ token, repository: number, ...fields }).toString();
    const headers = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
    await sendTo(url, 'POST', `/actions/${action}`, { body, headers });
    await own.idle();
    return /role="status"[^>]*>[\d:]+ ([^<]*)</.exec(await read())?.[1];
  };
  await own.push('trunk', { 'index.html': '<h1>One</h1>' });
  expect(await read()).not.toContain('Open a pull request');
  await own.push('topic', { 'index.html': '<h1>Two</h1>' });
  expect(await read()).toContain('<option>topic</option>');
  expect(await press('open-pull-request', { head: 'topic', title: '' })).toBe(
    `Pull request ${repository}#1 is open.`,
  );
  expect(await press('open-pull-request', { head: 'topic', title: '' })).toBe(
    'A pull request already exists for octo-org:topic.',
  );
  await press('close-pull-request', { number: '1' });
  await press('reopen-pull-request', { number: '1' });
  const ofPullRequests = own.events().filter((one) => one.startsWith('pull_request '));
  expect(ofPullRequests.map((one) => one.trim().replace(' →', ''))).toEqual([
    'pull_request opened',
    'pull_request closed',
    'pull_request reopened',
  ]);
});
