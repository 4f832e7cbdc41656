import { describe, expect, test } from 'vitest';
import { checkMessage } from '../../../test/support/messages.ts';
import { printed } from '../../kernel/diagnostic.ts';
import { safe } from '../../kernel/text/safe.ts';
import { describeRefusal } from '../result.ts';
import { faultOf, type GitFault, isPassing } from './fault.ts';
import { GitFailure, type GitTrouble } from './git-failure.ts';

const commit = 'c0ffee'.padEnd(40, '0');

describe('what kept git from talking', () => {
  test.each<[GitFault, statuses: number[], detail: string]>([
    ['credentials', [401], ''],
    ['credentials', [200, 401], 'fatal: could not read Username'],
    ['forbidden', [403], ''],
    ['not-found', [404], ''],
    ['not-found', [410], ''],
    ['redirected', [301], ''],
    ['redirected', [200, 308], ''],
    ['too-large', [200, 413], ''],
    ['refused', [400], ''],
    ['refused', [405], ''],
    ['busy', [429], ''],
    ['busy', [503], ''],
    ['busy', [401, 500], ''],
    ['broken', [], 'fatal: unable to access: Could not resolve host'],
    ['cut-off', [200], 'fatal: early EOF'],
    ['cut-off', [200], `remote: no ${commit}`],
    ['no-commit', [200, 200], `fatal: remote error: upload-pack: not our ref ${commit}`],
    ['no-commit', [], `error: Server does not allow request for unadvertised object ${commit}`],
    ['no-room', [200], 'fatal: write error: No space left on device\nfatal: index-pack failed'],
    ['cut-off', [200], 'remote: fatal: write error: No space left on device'],
    ['too-much', [200], 'fatal: attempting to allocate 1073741825 over limit 268435456'],
    ['too-much', [], 'fatal: Out of memory, malloc failed (tried to allocate 9 bytes)'],
    ['cut-off', [200], 'remote: fatal: Out of memory, malloc failed'],
    [
      'proxy-down',
      [],
      "fatal: unable to access 'https://git.example/x/': Failed to connect to 10.0.0.1 port 3128 after 0 ms: Couldn't connect to server",
    ],
    [
      'broken',
      [],
      "fatal: unable to access 'http://git.example/x/': Failed to connect to git.example port 80 after 0 ms: Couldn't connect to server",
    ],
    ['busy', [503], `fatal: remote error: upload-pack: not our ref ${commit}`],
  ])('%s: %j %s', (fault, statuses, detail) => {
    expect(faultOf({ statuses, detail }, commit)).toBe(fault);
  });

  test('an error that names another commit is no answer about ours', () => {
    const detail = `fatal: remote error: not our ref ${commit}`;
    expect(faultOf({ statuses: [200], detail }, 'd'.repeat(40))).toBe('cut-off');
    expect(faultOf({ statuses: [200], detail })).toBe('cut-off');
  });

  test('only what may pass is tried again', () => {
    const faults: GitFault[] = [
      'credentials',
      'forbidden',
      'not-found',
      'redirected',
      'proxy',
      'too-large',
      'refused',
      'no-commit',
      'no-room',
      'too-much',
    ];
    expect(faults.filter(isPassing)).toEqual([]);
    const passing: GitFault[] = ['busy', 'broken', 'cut-off', 'proxy-down'];
    expect(passing.filter(isPassing)).toEqual(passing);
  });
});

const source = {
  kind: 'source',
  repository: safe`octo-org/octo-site`,
  commit,
  detail: safe``,
} as const;

describe('what to do about', () => {
  test.each<[string, GitTrouble, RegExp]>([
    [
      'no git',
      { kind: 'no-git' },
      /^git-url needs git, which is not installed\. Install git 2\.32 or newer/,
    ],
    [
      'an old git',
      { kind: 'old-git', version: safe`2.25.1` },
      /^Git 2\.25\.1 is too old for git-url/,
    ],
    [
      'a shallow clone',
      { ...source, fault: 'forbidden', lack: 'shallow' },
      /shallow clone.*Add `fetch-depth: 0`/,
    ],
    [
      'a shallow clone of another CI',
      { ...source, fault: 'forbidden', lack: 'shallow', isClone: true },
      /shallow clone, and this command can't read octo-org\/octo-site\. .*`git fetch --unshallow`/,
    ],
    [
      'a shallow clone without its server',
      { ...source, fault: 'broken', lack: 'shallow', isClone: true },
      /Could not fetch the commit from octo-org.*`git fetch --unshallow`/,
    ],
    [
      'a partial clone',
      { ...source, fault: 'not-found', lack: 'partial' },
      /partial clone.*Set `fetch-depth: 0` and no `filter`/,
    ],
    [
      'no checkout',
      { ...source, fault: 'not-found', lack: 'nothing' },
      /nothing is checked out.*Add `contents: read`/,
    ],
    [
      'another checkout',
      { ...source, fault: 'credentials', lack: 'another-commit' },
      /doesn't contain it.*`contents: read`/,
    ],
    [
      'GitHub being away',
      { ...source, fault: 'broken', lack: 'nothing' },
      /^Could not fetch the commit from .*Rerun the job/,
    ],
    [
      'an unknown commit',
      { ...source, fault: 'no-commit', lack: 'nothing' },
      /has no commit c0ffee0+\. .*commit-sha/,
    ],
    [
      'a wrong token',
      { kind: 'project', fault: 'credentials', detail: safe`` },
      /git-token, or the user name/,
    ],
    [
      'a token without rights',
      { kind: 'project', fault: 'forbidden', detail: safe`` },
      /Give it push access/,
    ],
    ['a wrong URL', { kind: 'project', fault: 'not-found', detail: safe`` }, /`\{projectId\}`/],
    [
      'a redirect',
      {
        kind: 'project',
        fault: 'redirected',
        detail: safe``,
        target: safe`https://git.example.com/site.git`,
      },
      /^git-url redirects to https:\/\/git\.example\.com\/site\.git, .* Set git-url to that address/,
    ],
    [
      'a redirect to elsewhere',
      { kind: 'project', fault: 'redirected', detail: safe`` },
      /^git-url redirects to another server or page, .* Set git-url to the address that/,
    ],
    [
      'a lost connection',
      { kind: 'project', fault: 'broken', detail: safe`fatal: x` },
      /^Could not connect to .* Git: x\. \(SD7208\)$/,
    ],
    ['a full disk', { kind: 'project', fault: 'no-room', detail: safe`` }, /RUNNER_TEMP/],
    ...(
      [
        [safe`fatal: unable to access 'x': Could not resolve host: git.example`, 'not in DNS'],
        [
          safe`fatal: unable to access 'x': Failed to connect to x port 1 after 0 ms: Couldn't connect to server`,
          'no server listens at its address',
        ],
        [
          safe`fatal: unable to access 'x': SSL certificate problem: certificate has expired`,
          "the server's certificate has expired",
        ],
        [
          safe`Host key verification failed. fatal: Could not read from remote repository.`,
          'host key is not in known_hosts, or is a different one',
        ],
        [
          safe`error: RPC failed; curl 56 Recv failure: Connection reset by peer fatal: early EOF`,
          'closed the connection',
        ],
        [safe`ssh: connect to host x port 22: Connection timed out`, 'did not respond in time'],
      ] as const
    ).map(([detail, cause]): [string, GitTrouble, RegExp] => [
      detail,
      { kind: 'project', fault: 'broken', detail },
      new RegExp(`^Could not connect to (?!.* Git: ).* Cause: .*${cause}\\. \\(SD7208\\)$`),
    ]),
    ...(['project', 'source'] as const).map((kind): [string, GitTrouble, RegExp] => [
      `an authority that is not trusted, of the ${kind}`,
      {
        ...source,
        kind,
        lack: 'nothing',
        fault: 'broken',
        detail: safe`fatal: unable to access 'x': SSL certificate problem: self-signed certificate`,
      },
      /^Could not [^.]*\. Cause: the server's certificate is not trusted\. .* SSL_CERT_FILE to one file/,
    ]),
    [
      'GitHub, which redirects',
      { ...source, fault: 'redirected', lack: 'nothing' },
      /octo-site, which redirects to another server or page, and .*\. Run actions\/checkout with/,
    ],
    [
      'what the other side says with its status',
      {
        kind: 'project',
        fault: 'busy',
        detail: safe`remote: One moment, remote: please. fatal: unable to access 'x': The requested URL returned error: 503`,
      },
      /It returned 503: One moment, please\. \(SD7207\)$/,
    ],
    [
      'what the other side says in such words',
      {
        kind: 'project',
        fault: 'broken',
        detail: safe`remote: Connection refused by policy 7`,
      },
      / Git: Connection refused by policy 7\. \(SD7208\)$/,
    ],
    [
      'a proxy',
      { kind: 'project', fault: 'proxy', detail: safe``, proxyVariable: safe`HTTPS_PROXY` },
      /^The proxy \(HTTPS_PROXY\) refused .*no_proxy/,
    ],
    [
      'a protected branch',
      {
        kind: 'rejected',
        branch: safe`main`,
        reason: safe`declined`,
        detail: safe`GH006: Protected branch update failed.`,
      },
      /rejected the push to main: declined\. .*git-branch\. Git: GH006: Protected branch update failed\. \(SD7006\)$/,
    ],
    [
      'a hook without a reason',
      { kind: 'rejected', branch: safe`main`, reason: safe``, detail: safe`` },
      /rejected the push to main: no reason given\. Check the log .* reason\. \(SD7006\)$/,
    ],
    [
      'a project with a part of its history',
      { kind: 'cut-history', branch: safe`main` },
      /whole history of main: it may be a shallow clone\. .*`git fetch --unshallow`/,
    ],
    [
      'a clone of another CI that redirects',
      {
        ...source,
        fault: 'redirected',
        lack: 'shallow',
        isClone: true,
        target: safe`https://git.example.com/site.git`,
      },
      /octo-site, which redirects to https:\/\/git\.example\.com\/site\.git, and .*--unshallow/,
    ],
    ...(
      [
        ['nothing', 'in a clone of the repository'],
        ['another-commit', 'Fetch it with its history before this command'],
        ['partial', 'Clone it without `--filter`'],
        ['worktree', 'a worktree or a submodule, .*in a separate clone'],
        ['borrowing', 'borrows objects .*`git repack -a -d`, then delete .*/alternates'],
        ['foreign', 'in a separate clone'],
        ['other-hash', 'uses SHA-256, .*from a SHA-1 repository, or set commit-sha to HEAD .* has'],
      ] as const
    ).map(([lack, remedy]): [string, GitTrouble, RegExp] => [
      `a clone that is of no use: ${lack}`,
      { ...source, fault: 'not-found', lack, isClone: true },
      new RegExp(`^Can't fetch the commit: .*${remedy}\\. \\(SD7101\\)$`),
    ]),
    [
      'no room at the service',
      { kind: 'not-stored', detail: safe`x` },
      /out of space\. Git: x\. \(SD7008\)$/,
    ],
    ['SHA-256', { kind: 'other-hash' }, /SHA-256.*Create it again with SHA-1/],
    [
      'a rival',
      { kind: 'rival', branch: safe`main` },
      /^Another push to main.*Rerun the job\. \(SD7005\)$/,
    ],
  ])('%s', (_name, trouble, message) => {
    const failure = new GitFailure(trouble);
    expect(failure.message).toMatch(message);
    checkMessage(printed(failure.diagnostic));
  });

  test.each([
    [
      1,
      /^The project's main branch has 1 commit that this commit doesn't contain: a{40} "Fix it"\. .*`git-force: a{40}` to discard it\. /,
    ],
    [
      12,
      /has 12 commits that this commit doesn't contain: the newest is a{40}\. .*`git-force: a{40}` to discard them\. /,
    ],
  ])('%d commits that would be lost', (count, message) => {
    const head = 'a'.repeat(40);
    const newest = { sha: head, subject: count === 1 ? safe`Fix it` : safe`` };
    const refusal = describeRefusal({ kind: 'refused', head, count, newest }, safe`main`);
    expect(printed(refusal)).toMatch(message);
  });
});
