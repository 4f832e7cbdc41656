// Attack (starting): A stranger's comment, review, issue or discussion deploys, writes variables, changes domains,
// starts a turn, creates a project
// Defense: `allowed-associations` of `deploy` and `message`, and a fixed list in `env-sync`, `domains` and `projects`,
// before the first request; an unknown association counts as `NONE`
// Attack (starting): A wiki page, a fork or a star starts a run with secrets
// Defense: `gollum`, `fork` and `watch` are always skipped, even with `NONE`
// Attack (starting): A stranger's comment starts a first workflow, whose end starts a second one with secrets
// Defense: A `workflow_run` after such an event, after another `workflow_run`, or after an unknown event is always
// skipped
// Attack (starting): GitHub adds an event that strangers can start
// Defense: Events that are not in the table are skipped

import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import { type ActionResult, type RunEvent, runAction } from '../../emulator/runner.ts';
import { unpacked } from '../dist/run-step.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess } from '../support/shared-process.ts';

/** Each action that does something, with inputs that let it. */
const actions: Readonly<Record<string, Record<string, string>>> = {
  deploy: { env: 'A=1', comment: 'false', 'github-deployment': 'false', wait: 'none' },
  'env-sync': { env: 'A=1' },
  domains: { config: 'site.yml', 'allow-production': 'true', comment: 'false' },
  message: { content: 'Hello', wait: 'none', comment: 'false' },
  projects: { create: 'true' },
};

const repository = 'octo-org/octo-site';

/** What one run of an action did: its result, and the writes that the service was sent. */
interface Attempt extends ActionResult {
  writes: string[];
  requests: number;
}

/** Runs an action for an event on GitHub, where pull request 7 is open, and a project that serves no domain. */
async function attempt(
  action: string,
  event: RunEvent,
  inputs: Record<string, string> = {},
): Promise<Attempt> {
  await using emulator = await startEmulator();
  await using github = await startGitHub();
  await using workspace = await mkdtempDisposable(join(tmpdir(), 'strangers-'));
  const site = { 'connected-domains': { 'www.example.com': { project: 'self' } } };
  await writeFile(join(workspace.path, 'site.yml'), JSON.stringify(site));
  const [project] = emulator.world.createProjects(1);
  const head = { ref: 'topic', sha: 'a'.repeat(40), repo: { full_name: repository, fork: false } };
  const base = { ...head, ref: 'main' };
  github.pullRequests.set(`${repository}#7`, { number: 7, state: 'open', head, base });
  const result = await runAction({
    action: join(unpacked, action === 'deploy' ? '' : action),
    launch: shareProcess,
    workspace: workspace.path,
    event,
    github: { repository, apiUrl: github.url, token: github.token },
    inputs: {
      'api-key': emulator.key,
      'base-url': emulator.url,
      ...(action === 'projects' ? {} : { 'project-id': project?.id ?? '' }),
      ...actions[action],
      ...inputs,
    },
  });
  const { entries } = emulator.journal;
  const writes = entries.filter(({ method }) => method !== 'GET').map((one) => one.operation);
  return { ...result, writes, requests: entries.length + github.journal.length };
}

function expectSkipped({ outputs, conclusion, requests, summary }: Attempt): void {
  expect(outputs).toMatchObject({ outcome: 'skipped', error: '', requests: '0' });
  expect(conclusion).toBe('success');
  expect(summary).toContain('Skipped');
  expect(requests).toBe(0);
}

/** What somebody wrote, on the pull request where there is one, and where GitHub says what they are. */
const spoken: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['issue_comment', 'comment', { 'issue.number': 7, 'issue.pull_request': {} }],
  ['issues', 'issue', {}],
  ['pull_request_review', 'review', { 'pull_request.state': 'open' }],
  ['pull_request_review_comment', 'comment', { 'pull_request.state': 'open' }],
  ['discussion', 'discussion', {}],
  ['discussion_comment', 'comment', {}],
  ['commit_comment', 'comment', {}],
];

const by = (association: string, [name, object, fields]: (typeof spoken)[number]): RunEvent => ({
  name,
  payload: adjust(examplePayload(name), {
    ...fields,
    [`${object}.author_association`]: association,
  }),
});

const everyAction = Object.keys(actions);

/** Each action with each event. */
const withEach = <Event>(events: readonly Event[]): [string, Event][] =>
  everyAction.flatMap((action) => events.map((event): [string, Event] => [action, event]));

describe.concurrent("a stranger's words", () => {
  it.each(withEach(spoken).map(([action, one]) => [action, one[0], one] as const))(
    'start nothing: %s on %s',
    async (action, _name, one) => {
      const result = await attempt(action, by('NONE', one));
      expectSkipped(result);
      expect(result.log.join('\n')).toContain('not one of OWNER, MEMBER, COLLABORATOR');
    },
  );

  it.each(['CONTRIBUTOR', 'FIRST_TIME_CONTRIBUTOR', 'FIRST_TIMER', 'MANNEQUIN', 'FUTURE_WORD'])(
    'start no deployment by %s',
    async (association) => {
      const [comment] = spoken;
      if (comment === undefined) throw new Error('no comment');
      expectSkipped(await attempt('deploy', by(association, comment)));
    },
  );

  it('start nothing where GitHub does not say whose they are', async () => {
    const payload = { issue: { number: 7, pull_request: {} }, comment: { id: 1 } };
    expectSkipped(await attempt('deploy', { name: 'issue_comment', payload }));
  });

  it.each(everyAction)("a member's do: %s", async (action) => {
    const [comment] = spoken;
    if (comment === undefined) throw new Error('no comment');
    const { outputs, writes } = await attempt(action, by('MEMBER', comment));
    expect(outputs['outcome']).not.toBe('skipped');
    expect(writes.length).toBeGreaterThan(0);
  });

  it('start what allowed-associations lets them, and nobody else then', async () => {
    const [comment] = spoken;
    if (comment === undefined) throw new Error('no comment');
    const inputs = { 'allowed-associations': 'contributor', 'commit-sha': 'HEAD' };
    const letIn = await attempt('deploy', by('CONTRIBUTOR', comment), inputs);
    expect(letIn.outputs).toMatchObject({ outcome: 'accepted', error: '' });
    expectSkipped(await attempt('deploy', by('OWNER', comment), inputs));
  });

  it.each(['env-sync', 'domains', 'projects'])('are not let in by %s', async (action) => {
    const [comment] = spoken;
    if (comment === undefined) throw new Error('no comment');
    const inputs = { 'allowed-associations': 'contributor' };
    expectSkipped(await attempt(action, by('CONTRIBUTOR', comment), inputs));
  });
});

describe.concurrent('an event that anybody can start, and that says nothing of who did', () => {
  const anyones = ['gollum', 'fork', 'watch'];
  const letIn = { 'allowed-associations': 'OWNER, NONE' };

  it.each(withEach(anyones))('is always skipped: %s on %s', async (action, name) => {
    expectSkipped(await attempt(action, { name, payload: examplePayload(name) }, letIn));
  });

  it.each(
    withEach([
      'issue_comment',
      'issues',
      'pull_request_review',
      'discussion',
      'watch',
      'workflow_run',
    ]),
  )('is always skipped: %s on a workflow_run after %s', async (action, cause) => {
    const payload = adjust(examplePayload('workflow_run'), { 'workflow_run.event': cause });
    expectSkipped(await attempt(action, { name: 'workflow_run', payload }, letIn));
  });

  it.each(['no_such_event', 'star', 'toString'])('is one that is not known: %s', async (name) => {
    expectSkipped(await attempt('env-sync', { name, payload: {} }, letIn));
  });
});

it('what only writers can start is not held back', async () => {
  for (const name of ['push', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'release']) {
    const result = await attempt('env-sync', { name, payload: {} });
    expect([name, result.outputs['outcome']]).toEqual([name, 'synced']);
  }
});
