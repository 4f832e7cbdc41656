import { expect, test } from 'vitest';
import { fork, head, pullRequest, push, read } from '../../../test/support/events.ts';
import { explained, one, two } from '../../../test/support/explain/explained.ts';
import { readWebhook } from '../../github/runner/webhook.ts';
import type { RunEvent } from '../../kernel/event.ts';

/** A run, and the one before it that it is compared with; without one, all of it is listed. */
interface Case {
  like?: string;
  event: RunEvent;
  inputs: Readonly<Record<string, string>>;
}

const repository = { id: 1, full_name: 'octo-org/site', default_branch: 'main' };

const pushed = readWebhook(push({ repository }));
const opened = read('pull_request', { action: 'opened', repository, pull_request: pullRequest() });
const closed = read('pull_request', {
  action: 'closed',
  repository,
  pull_request: { ...pullRequest(), state: 'closed' },
});
const scheduled = read('schedule', { repository });
const manual = read('workflow_dispatch', { repository });
const queued = read('merge_group', { repository, merge_group: { head_sha: head } });
const label = read('label', { action: 'created', repository });
const deleted = read('delete', { ref: 'x', ref_type: 'branch', repository });

const comment = (association: string) =>
  read('issue_comment', {
    action: 'created',
    repository,
    issue: { number: 7, pull_request: {} },
    comment: { author_association: association },
  });

const after = (fields: object) =>
  read('workflow_run', {
    action: 'completed',
    repository,
    workflow_run: {
      event: 'pull_request',
      head_sha: head,
      head_branch: 'topic',
      conclusion: 'success',
      head_repository: { ...fork, owner: { login: 'somebody' } },
      repository,
      pull_requests: [],
      ...fields,
    },
  });

const preview = { 'preview-domain': 'pr-{number}.preview.example.com' };
const leased = { ...preview, 'preview-projects': two };
const checked = { 'verify-url': 'https://www.example.com/', 'verify-contains': '{sha}' };
const pushing = { 'git-url': 'https://git.example.com/{projectId}.git', 'git-token': 'x' };
const idle = { deploy: 'false', 'project-id': '' };
const previewing = { ...leased, 'project-id': '' };
const sweeping = { ...idle, ...leased };

const cases: Readonly<Record<string, Case>> = {
  push: { event: pushed, inputs: {} },
  'push: variables': {
    like: 'push',
    event: pushed,
    inputs: { 'env-from': 'STRIPE_KEY', 'env-remove': 'OLD', 'env-on-conflict': 'keep' },
  },
  'push: the commit is pushed': { like: 'push', event: pushed, inputs: pushing },
  'push: checks, and a rollback': {
    like: 'push',
    event: pushed,
    inputs: { ...checked, 'on-failed-checks': 'roll-back' },
  },
  'push: deploy is if-needed': { like: 'push', event: pushed, inputs: { deploy: 'if-needed' } },
  'push: if-needed, with a check of the commit': {
    like: 'push',
    event: pushed,
    inputs: { ...checked, deploy: 'if-needed' },
  },
  'push: deploy is false': {
    like: 'push',
    event: pushed,
    inputs: { deploy: 'false', 'env-from': 'STRIPE_KEY', ...pushing },
  },
  'push: older commits': { like: 'push', event: pushed, inputs: { 'on-older': 'fail' } },
  'push: older commits, without records': {
    like: 'push',
    event: pushed,
    inputs: { 'on-older': 'skip', 'github-deployment': 'false' },
  },
  'push: HEAD': { like: 'push', event: pushed, inputs: { 'commit-sha': 'HEAD', ...pushing } },
  'push: PREVIOUS': {
    like: 'push',
    event: pushed,
    inputs: { 'commit-sha': 'PREVIOUS', ...pushing, ...checked },
  },
  'push: the first digits of a commit': {
    like: 'push',
    event: pushed,
    inputs: { 'commit-sha': 'abcdef0' },
  },
  'push: without a wait': { like: 'push', event: pushed, inputs: { wait: 'none', timeout: '5m' } },
  'push: a preview domain that needs a pull request': {
    like: 'push',
    event: pushed,
    inputs: preview,
  },
  'push: a preview domain that is wrong, but not used': {
    like: 'push: a preview domain that needs a pull request',
    event: pushed,
    inputs: { 'preview-domain': '{branch}.{number}x.example.com' },
  },
  'push: a preview domain that needs none': {
    like: 'push',
    event: pushed,
    inputs: { 'preview-domain': 'next.example.com', strict: 'true' },
  },
  'push: without a key': {
    like: 'push',
    event: pushed,
    inputs: { 'api-key': '', 'env-from': 'STRIPE_KEY' },
  },
  'push: wrong values, before combinations': {
    event: pushed,
    inputs: { timeout: 'soon', 'git-branch': 'a..b', 'verify-contains': 'x', 'project-id': '' },
  },
  'push: combinations that are refused': {
    event: pushed,
    inputs: {
      'project-id': '',
      'verify-contains': 'x',
      'git-token': 'x',
      'on-failed-checks': 'roll-back',
      comment: 'true',
    },
  },
  'push: {sha} in the hostname of a run that deploys none': {
    event: pushed,
    inputs: { deploy: 'false', 'preview-domain': '{sha}.example.com' },
  },
  'a manual run': { like: 'push', event: manual, inputs: { 'commit-sha': head } },
  'a manual run for the preview of its branch': { event: manual, inputs: previewing },
  'a push without a project': { event: pushed, inputs: previewing },
  'an event without a commit': { like: 'push', event: label, inputs: {} },
  'a deleted branch': { event: deleted, inputs: {} },
  'the merge queue': { like: 'push', event: queued, inputs: { 'allow-production': 'true' } },
  'a schedule that checks': {
    event: scheduled,
    inputs: { ...idle, 'verify-url': 'https://www.example.com/' },
  },
  'a schedule that checks and sweeps': {
    like: 'a schedule that checks',
    event: scheduled,
    inputs: { ...sweeping, 'verify-url': 'https://www.example.com/' },
  },
  'a schedule that sweeps': {
    like: 'a schedule that checks',
    event: scheduled,
    inputs: { ...sweeping, 'disconnect-on-close': 'true' },
  },
  'a schedule that sweeps, and ends idle previews': {
    like: 'a schedule that sweeps',
    event: scheduled,
    inputs: { ...sweeping, 'disconnect-on-close': 'true', 'preview-idle': '7d' },
  },
  'a schedule that sweeps without records': {
    like: 'a schedule that sweeps',
    event: scheduled,
    inputs: {
      ...sweeping,
      'disconnect-on-close': 'true',
      'github-deployment': 'false',
      comment: 'false',
    },
  },
  'a schedule that syncs and sweeps': {
    like: 'a schedule that sweeps',
    event: scheduled,
    inputs: { ...sweeping, 'project-id': one, 'env-from': 'STRIPE_KEY' },
  },
  'a pull request': { event: opened, inputs: preview },
  'a pull request: with leased projects': {
    like: 'a pull request',
    event: opened,
    inputs: { ...leased, ...pushing },
  },
  'a pull request: sync of a leased project': {
    like: 'a pull request',
    event: opened,
    inputs: { ...leased, deploy: 'false' },
  },
  'a pull request: production is allowed': {
    like: 'a pull request',
    event: opened,
    inputs: { ...preview, 'allow-production': 'true' },
  },
  'a pull request: production, in the same environment': {
    like: 'a pull request',
    event: opened,
    inputs: { ...preview, 'allow-production': 'true', 'environment-name': 'live' },
  },
  'a pull request: older commits': {
    like: 'a pull request',
    event: opened,
    inputs: { ...preview, 'on-older': 'skip' },
  },
  'a pull request: nothing on GitHub': {
    like: 'a pull request',
    event: opened,
    inputs: { ...preview, comment: 'false', 'github-deployment': 'false' },
  },
  'a pull request: checks of the preview': {
    like: 'a pull request',
    event: opened,
    inputs: { ...preview, 'verify-url': 'https://{preview-domain}/' },
  },
  'a closed pull request': { event: closed, inputs: preview },
  'a closed pull request: nothing on GitHub': {
    like: 'a closed pull request',
    event: closed,
    inputs: {
      ...preview,
      comment: 'false',
      'github-deployment': 'false',
      'disconnect-on-close': 'true',
    },
  },
  'a closed pull request: such runs deploy nothing': {
    like: 'a closed pull request',
    event: closed,
    inputs: { ...preview, deploy: 'false' },
  },
  'a closed pull request: without a preview': { event: closed, inputs: {} },
  'a closed pull request: without a value': { event: closed, inputs: { 'base-url': '' } },
  'a closed pull request: with a wrong value': { event: closed, inputs: { timeout: 'soon' } },
  'a comment of a member': { event: comment('MEMBER'), inputs: preview },
  'a comment: {branch} in the hostname': {
    like: 'a comment of a member',
    event: comment('MEMBER'),
    inputs: {
      'preview-domain': '{branch}.{number}.p.example.com',
      'verify-url': 'https://{preview-domain}/',
    },
  },
  'a comment: PREVIOUS, older commits': {
    like: 'a comment of a member',
    event: comment('MEMBER'),
    inputs: { ...preview, 'commit-sha': 'PREVIOUS', 'on-older': 'skip' },
  },
  'a comment: the commit is pushed, older commits': {
    like: 'a comment of a member',
    event: comment('MEMBER'),
    inputs: { ...preview, ...pushing, 'on-older': 'fail' },
  },
  'a comment: without a preview': {
    like: 'a comment of a member',
    event: comment('MEMBER'),
    inputs: {},
  },
  'a comment: without a token': {
    event: comment('MEMBER'),
    inputs: { ...preview, 'github-token': '' },
  },
  'a comment of a stranger': { event: comment('NONE'), inputs: preview },
  "a run of a fork's pull request": { event: after({}), inputs: preview },
  "a run of a fork's pull request: nothing on GitHub": {
    like: "a run of a fork's pull request",
    event: after({}),
    inputs: { ...preview, comment: 'false', 'github-deployment': 'false' },
  },
  "a run of a fork's pull request: checks alone": {
    like: "a run of a fork's pull request",
    event: after({}),
    inputs: { ...preview, ...idle, 'verify-url': 'https://{preview-domain}/' },
  },
  "a run of a fork's pull request: in a named environment": {
    like: "a run of a fork's pull request",
    event: after({}),
    inputs: { ...preview, 'environment-name': 'live', 'allow-production': 'true' },
  },
  'a run after a failed push': {
    like: 'push',
    event: after({
      event: 'push',
      conclusion: 'failure',
      head_repository: repository,
      head_branch: 'main',
    }),
    inputs: {},
  },
};

/** A listing of all: of a run that is like another, what differs, with `-` for what only the other has. */
async function listing(): Promise<string> {
  const all = await Promise.all(
    Object.entries(cases).map(
      async ([name, one]) => [name, one, await explained(one.event, one.inputs)] as const,
    ),
  );
  const linesOf = new Map(all.map(([name, , lines]) => [name, lines]));
  const sections = all.map(([name, { like }, lines]) => {
    if (like === undefined) return [`# ${name}`, ...lines, ''];
    const others = linesOf.get(like) ?? [];
    const less = others.filter((line) => !lines.includes(line)).map((line) => `- ${line}`);
    const more = lines.filter((line) => !others.includes(line)).map((line) => `+ ${line}`);
    return [`# ${name} (like ${like})`, ...less, ...more, ''];
  });
  return sections.flat().join('\n');
}

test('each run has its rows, permissions and outputs', async () => {
  await expect(await listing()).toMatchFileSnapshot('explained.txt');
});
