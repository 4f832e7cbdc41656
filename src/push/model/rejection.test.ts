import { describe, expect, test } from 'vitest';
import { countWords } from '../../../test/support/messages.ts';
import { unsafeText } from '../../kernel/text/safe.ts';
import { readReason, remedyFor } from './rejection.ts';

const declined = 'pre-receive hook declined';

/** What hosts print, a line each, without git's `remote: `. */
const cases: [host: string, printed: string, reason: string, remedy: RegExp][] = [
  [
    'GitHub, of a large file',
    `error: Trace: 5c1e0ad8f6b3a6d1c0d4b9a2e7f8c1d2
error: See https://gh.io/lfs for more information.
error: File a.mp4 is 150.00 MB; this exceeds GitHub's file size limit of 100.00 MB
error: GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.`,
    "File a.mp4 is 150.00 MB; this exceeds GitHub's file size limit of 100.00 MB; GH001: Large files detected.",
    /^A file is too large: remove it from the history/,
  ],
  [
    'GitLab, of a large file',
    `GitLab: You are attempting to check in one or more blobs which exceed the 100MiB limit:

- c0ffee (150 MiB)
To resolve this error, you must either reduce the size of the above blobs, or utilize LFS.`,
    'GitLab: You are attempting to check in one or more blobs which exceed the 100MiB limit: c0ffee (150 MiB)',
    /^A file is too large/,
  ],
  [
    'GitHub, of Git LFS',
    `error: GH008: Your push referenced at least 1 unknown Git LFS object:
    ${'9b439f0a'.repeat(8)}
Try to push them with 'git lfs push --all'.`,
    'GH008: Your push referenced at least 1 unknown Git LFS object',
    /^Git LFS files are missing there: .*`git lfs push --all GIT-URL`/,
  ],
  [
    'GitLab, of Git LFS',
    'GitLab: LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".',
    'GitLab: LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".',
    /^Git LFS files are missing there: .*`git lfs push --all GIT-URL`/,
  ],
  [
    'GitHub, of a secret',
    `error: GH013: Repository rule violations found for refs/heads/main.

- GITHUB PUSH PROTECTION
  —————————————————————————————————————————
    Resolve the following violations before pushing again

    - Push cannot contain secrets

     (?) Learn how to resolve a blocked push
     https://docs.github.com/code-security

      —— GitHub Personal Access Token ——————————————————————
       locations:
         - commit: 5477a7d
           path: src/api/github.ts:34

       (?) To push, remove secret from commit(s) or follow this URL to allow the secret.
       https://github.com/octo-org/octo-site/security/secret-scanning/unblock-secret/2g`,
    'To allow the secret: https://github.com/octo-org/octo-site/security/secret-scanning/unblock-secret/2g; GH013: Repository rule violations found for refs/heads/main. GITHUB PUSH PROTECTION; Resolve the following violations before pushing again; Push cannot contain secrets; GitHub Personal Access Token; locations: commit: 5477a7d; path: src/api/github.ts:34',
    /^Revoke the secret, .* if it is not real, use the link\.$/,
  ],
  [
    'GitLab, of a secret',
    'GitLab: PUSH BLOCKED: Secrets detected in code changes',
    'GitLab: PUSH BLOCKED: Secrets detected in code changes',
    /^A commit contains a secret: revoke it.* that is pushed\.$/,
  ],
  [
    'GitHub, of a private email address',
    `error: GH007: Your push would publish a private email address.
You can make your email public or disable this protection by visiting:
https://github.com/settings/emails`,
    'GH007: Your push would publish a private email address. You can make your email public or disable this protection by visiting: https://github.com/settings/emails',
    /rewrite it, or allow it in the settings of git-token's account\.$/,
  ],
  [
    'GitHub, of a ruleset',
    `error: GH013: Repository rule violations found for refs/heads/main.
Review all repository rules at https://github.com/octo-org/octo-site/rules

- Changes must be made through a pull request.`,
    'GH013: Repository rule violations found for refs/heads/main. Review all repository rules at https://github.com/octo-org/octo-site/rules; Changes must be made through a pull request.',
    /^A rule of the repository forbids it/,
  ],
  [
    'GitHub, of a protected branch',
    `error: GH006: Protected branch update failed for refs/heads/main.
error: At least 1 approving review is required by reviewers with write access.`,
    'GH006: Protected branch update failed for refs/heads/main. At least 1 approving review is required by reviewers with write access.',
    /^The branch is protected: let git-token push to it/,
  ],
  [
    'GitLab, of a protected branch',
    'GitLab: You are not allowed to push code to protected branches on this project.',
    'GitLab: You are not allowed to push code to protected branches on this project.',
    /^The branch is protected/,
  ],
  [
    'a hook that warns of large files, and rejects for another reason',
    `warning: GH001: Large files detected.
Name a ticket in the message:
https://git.example.com/tickets`,
    'Name a ticket in the message: https://git.example.com/tickets',
    /^Change the commits as the message of its host requires/,
  ],
  ['a hook that prints no word', '=====\n42', '', /^Check the log of the repository/],
];

const remarksOf = (printed: string) => printed.split('\n').map((line) => unsafeText(line.trim()));

describe('a rejected push', () => {
  test.each(cases)('has the reason of %s, and a remedy', (_host, printed, reason, remedy) => {
    const read = readReason(remarksOf(printed));
    expect(read).toBe(reason);
    const said = remedyFor(declined, read);
    expect(said).toMatch(remedy);
    const before =
      "The project's repository rejected the push to main: x. 2 variables wait for the next deployment.";
    expect(countWords(`${before} ${said}`)).toBeLessThanOrEqual(35);
  });

  test('is about protection only if its host says so', () => {
    const about = cases.filter(([, , reason]) => /protect/.test(remedyFor(declined, reason)));
    expect(about.map(([host]) => host)).toEqual([
      'GitHub, of a protected branch',
      'GitLab, of a protected branch',
    ]);
    expect(remedyFor('protected branch hook declined', '')).toMatch(/^The branch is protected/);
  });

  test('has a reason of limited length', () => {
    expect(readReason(remarksOf('a\n'.repeat(10_000)))).toHaveLength(500);
  });
});
