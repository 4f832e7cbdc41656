import { describe, expect, test } from 'vitest';
import { head, merge, pullRequest, push, read } from '../../test/support/events.ts';
import { one, stepOf, two } from '../../test/support/explain/explained.ts';
import { sha } from '../contract/commit.ts';
import { readDeclared } from '../declared/declared.ts';
import { readWebhook } from '../github/runner/webhook.ts';
import type { KnownPull } from '../kernel/event.ts';
import { shortSha } from '../kernel/text/safe.ts';
import { commitWarnings, doesSweep, type Job, type JobCommit } from './job.ts';
import { jobFor, jobOfEvent } from './read-job.ts';

const other = sha('d'.repeat(40));
const pushed = readWebhook(push());
const scheduled = read('schedule', {});
const closed = read('pull_request', {
  action: 'closed',
  pull_request: { ...pullRequest(), state: 'closed' },
});
/** As another CI reports it, which may not know the commit. */
const headless: typeof closed = {
  ...closed,
  commit: { kind: 'skip', reason: 'pull-request-closed' },
  pullRequest: {
    kind: 'known',
    pullRequest: {
      number: 7,
      branch: 'topic',
      sha: undefined,
      isOpen: false,
      isFork: false,
      headRepository: undefined,
      baseRepository: undefined,
    },
  },
};
const comment = read('issue_comment', {
  action: 'created',
  issue: { number: 7, pull_request: {} },
  comment: { author_association: 'MEMBER' },
});

const repository = { id: 1, full_name: 'octo-org/site' };
const manual = read('workflow_dispatch', { repository });
const manualOnTag = read('workflow_dispatch', { repository }, { refType: 'tag' });

const preview = { 'preview-domain': 'pr-{number}.preview.example.com' };
const watching = { deploy: 'false', 'project-id': '', 'verify-url': 'https://www.example.com/' };
const sweeping = { ...preview, 'preview-projects': two, deploy: 'false', 'project-id': '' };
const previewing = { ...preview, 'preview-projects': two, 'project-id': '' };
const blank = { 'api-key': '', 'base-url': '', 'project-id': '' };
const apply = { mode: 'apply' };
const plan = { mode: 'plan' };

type Inputs = Readonly<Record<string, string>>;

/** The job of an event, or of what GitHub returned for its pull request. */
async function jobOf(event: typeof pushed, inputs: Inputs, pull?: KnownPull) {
  const step = stepOf(event, inputs);
  const declared = await readDeclared(step);
  return pull === undefined ? jobOfEvent(step, declared) : jobFor(step, declared, pull, other);
}

const kindOf = (job: Job | { kind: 'question' }) => {
  if (job.kind === 'skip') return job.reason;
  if (job.kind === 'wrong') return job.problems.map(({ input, code }) => `${code} ${input}`).join();
  if (job.kind === 'question') return job.kind;
  return doesSweep(job) && job.kind !== 'sweep' ? `${job.kind}, then sweep` : job.kind;
};

test.each<[string, typeof pushed, Inputs, string]>([
  ['push', pushed, apply, 'deploy'],
  ['push', pushed, plan, 'plan'],
  ['push', pushed, { ...apply, deploy: 'false' }, 'deploy'],
  ['schedule', scheduled, { ...apply, ...watching }, 'watch'],
  ['schedule', scheduled, { ...apply, ...sweeping }, 'sweep'],
  ['schedule', scheduled, { ...apply, ...sweeping, ...watching }, 'watch, then sweep'],
  ['schedule', scheduled, { ...apply, ...sweeping, 'project-id': one }, 'deploy, then sweep'],
  ['schedule', scheduled, { ...plan, ...sweeping, ...watching }, 'watch'],
  ['schedule', scheduled, { ...plan, ...sweeping }, 'SD1001 project-id'],
  ['schedule', scheduled, { ...apply, ...sweeping, 'env-remove': 'OLD' }, 'SD1001 project-id'],
  ['close', closed, { ...apply, ...preview }, 'end-preview'],
  ['close', closed, { ...plan, ...preview }, 'pull-request-closed'],
  ['close', closed, apply, 'pull-request-closed'],
  ['close', closed, { ...apply, 'api-key': '' }, 'pull-request-closed'],
  ['close', closed, { ...apply, timeout: 'soon' }, 'SD1002 timeout'],
  ['close', headless, { ...apply, ...preview }, 'end-preview'],
  ['close', headless, { ...apply, ...preview, 'commit-sha': 'abcdef0' }, 'end-preview'],
  ['push', pushed, { ...apply, ...previewing }, 'SD1001 project-id'],
  ['push', pushed, { ...apply, ...blank }, 'SD1001 api-key,SD1001 base-url,SD1001 project-id'],
  ['push', pushed, { ...apply, ...blank, deploy: 'false' }, 'SD1001 api-key,SD1001 base-url'],
  ['push', pushed, { ...apply, ...blank, ...preview }, 'SD1001 api-key,SD1001 base-url'],
  [
    'push',
    pushed,
    { ...apply, ...blank, 'project-id': 'site' },
    'SD1001 api-key,SD1001 base-url,SD1005 project-id',
  ],
  ['manual run', manual, apply, 'deploy'],
  ['manual run', manual, { ...apply, ...previewing }, 'question'],
  ['manual run', manual, { ...plan, ...previewing }, 'question'],
  ['manual run', manual, { ...apply, ...previewing, 'project-id': one }, 'deploy'],
  ['manual run', manual, { ...apply, ...sweeping }, 'sweep'],
  ['manual run', manual, { ...apply, ...previewing, timeout: 'soon' }, 'SD1002 timeout'],
  ['manual run on a tag', manualOnTag, { ...apply, ...previewing }, 'SD1001 project-id'],
  ['comment', comment, { ...apply, ...preview }, 'question'],
  ['comment', comment, { ...apply, 'api-key': '' }, 'question'],
  ['comment', comment, { ...apply, timeout: 'soon' }, 'SD1002 timeout'],
  ['comment', comment, { ...apply, 'preview-domain': 'www.example.com' }, 'SD1104 preview-domain'],
  ['comment', comment, { ...apply, 'github-token': '' }, 'SD1111 github-token'],
])('after a %s, row %#', async (_, event, inputs, kind) => {
  expect(kindOf(await jobOf(event, inputs))).toBe(kind);
});

test('a manual run without project-id is about the pull request of its branch, of this repository', async () => {
  const job = await jobOf(manual, { ...apply, ...previewing });
  const head = { sha: merge, branch: 'main', headRepository: 1, baseRepository: 1 };
  const message = expect.stringMatching(/preview-projects is only for pull requests: no open one/);
  expect(job).toMatchObject({
    source: { kind: 'by-branch', owner: 'octo-org', branch: 'main', head },
    without: { kind: 'wrong', problems: [{ input: 'project-id', message }] },
  });
});

test('the hostname of its preview needs the number, as on any pull request', async () => {
  const job = await jobOf(manual, { ...previewing, 'preview-domain': 'next.example.com' });
  expect(kindOf(job)).toBe('SD1104 preview-domain');
});

const known = { number: 7, branch: 'topic', sha: head, isFork: false };

test.each<[Inputs, boolean, object]>([
  [{}, true, { by: 'pull-request', is: head }],
  [{ 'commit-sha': 'PREVIOUS' }, true, { by: 'part', given: 'PREVIOUS', is: other }],
  // A closed one's head is recorded, and no other is searched.
  [{ 'commit-sha': 'PREVIOUS' }, false, { by: 'part', given: 'PREVIOUS', is: head }],
  [{ deploy: 'false' }, true, { by: 'none', is: null }],
  [{ deploy: 'false' }, false, { by: 'pull-request', is: head }],
])('the commit of a pull request that GitHub knows, row %#', async (inputs, isOpen, commit) => {
  const job = await jobOf(comment, { ...apply, ...preview, ...inputs }, { ...known, isOpen });
  expect(job).toMatchObject({ commit, preview: { hostname: 'pr-7.preview.example.com' } });
});

test('what only GitHub knows is unknown in a job', async () => {
  const unknown = { number: undefined, branch: undefined, sha: undefined, isFork: undefined };
  const template = '{branch}.{number}.example.com';
  const inputs = { 'preview-domain': template, 'verify-url': 'https://{preview-domain}/' };
  const job = await jobOf(comment, inputs, { ...unknown, isOpen: true });
  expect(job).toMatchObject({
    commit: { by: 'pull-request', is: undefined },
    preview: { template, hostname: undefined },
    checks: { site: undefined },
  });
});

const failed = read('workflow_run', {
  workflow_run: { event: 'push', head_sha: head, conclusion: 'failure' },
});

/** The codes of the warnings about a run of this commit. */
const codes = (event: typeof failed, commit: JobCommit) =>
  commitWarnings(event, commit).map(({ code }) => code);

describe('a failed run', () => {
  test.each<[string, JobCommit]>([
    ['the event has it', { by: 'event', is: head }],
    ['commit-sha is all of it', { by: 'input', is: head }],
    ['commit-sha is its first digits', { by: 'part', given: { digits: shortSha(head) }, is: head }],
  ])('has a warning if its commit is deployed: %s', (_, commit) => {
    expect(codes(failed, commit)).toEqual(['SD1125']);
  });

  test.each<[string, JobCommit]>([
    ['PREVIOUS', { by: 'part', given: 'PREVIOUS', is: other }],
    ['HEAD', { by: 'input', is: 'HEAD' }],
    ['all digits', { by: 'input', is: other }],
    ['the first digits', { by: 'part', given: { digits: shortSha(other) }, is: other }],
  ])('has none if another is deployed, as to roll back after a failure: %s', (_, commit) => {
    expect(codes(failed, commit)).toEqual([]);
  });
});

test.each([
  [read('label', {}), /because no commit belongs to the event "label"\./],
  [
    read('workflow_run', {
      workflow_run: { event: 'label', head_sha: head, conclusion: 'success' },
    }),
    /because no commit belongs to a workflow_run triggered by "label"\./,
  ],
])('an event without a commit is named', (event, named) => {
  const [warning] = commitWarnings(event, { by: 'event', is: head });
  expect(warning).toMatchObject({ code: 'SD1126', text: expect.stringMatching(named) });
});
