import { expect, it } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { sha } from '../../src/contract/commit.ts';
import { readChanges } from '../../src/deploy/changes.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';

it('GitHub is not asked what went live once the run may take no longer', async () => {
  await using github = await startGitHub({ token: 'ghs_fake' });
  const access = {
    apiUrl: github.url,
    repository: 'octo-org/octo-site',
    token: github.token,
    comments: undefined,
  };
  const range = { base: sha('a'.repeat(40)), head: sha('b'.repeat(40)) };
  const bounds = { clean: unsafeText, signal: AbortSignal.abort() };
  expect(await readChanges(access, range, bounds)).toBe('unread');
  expect(github.journal).toEqual([]);
});
