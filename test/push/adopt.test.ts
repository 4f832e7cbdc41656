// Attack (git): A project with work in it counts as new, and is replaced
// Defense: Only a lone first commit, without other references, messages, turns, domains or records; what can't be read
// refuses; the commit is kept as a branch in the same push

import { describe, expect, it } from 'vitest';
import {
  type DeploymentState,
  type GitHubStandIn,
  startGitHub,
} from '../../emulator/github/index.ts';
import type { NewDeploymentStatus } from '../../emulator/github/state/deployments.ts';
import { sha } from '../../src/contract/commit.ts';
import { recordSignerOf } from '../../src/github/model/record-signer.ts';
import { readWebhook } from '../../src/github/runner/webhook.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { type Adopting, hasOnlyTemplate, mayAdopt } from '../../src/push/adopt.ts';
import { notesTold } from '../support/deploy.ts';
import { startWorld, type World } from '../support/world.ts';

const always = { kind: 'status', times: Number.POSITIVE_INFINITY, effect: false } as const;

/** Lets the service list messages with these statuses. */
const listMessages = (statuses: readonly string[]) => (world: World) => {
  const messages = statuses.map((status, index) => ({ messageId: `${index}`, status }));
  const body = JSON.stringify(messages);
  world.emulator.faults.add({ ...always, status: 200, operation: 'listMessages', body });
};

const refuse = (operation: string) => (world: World) =>
  void world.emulator.faults.add({ ...always, status: 403, operation });

const serve = (world: World) =>
  void world.emulator.world.connectDomain('www.example.com', world.project.id);

/** The note that says why a project is not adopted. */
const reasonWith = (words: string) =>
  expect.toSatisfy(
    (note: string) => note.startsWith('Not adopted as a new project: ') && note.includes(words),
  );

describe.concurrent('by what the service shows, a project', () => {
  const shown: [what: string, touch: (world: World) => void, because?: string][] = [
    ['without a message or a domain', () => undefined],
    ['whose first message has ended', listMessages(['succeeded'])],
    ['with a second message', listMessages(['succeeded', 'succeeded']), 'it has 2 messages'],
    ...['queued', 'in_progress', 'weaving'].map((status): (typeof shown)[number] => [
      `whose first message is ${status}`,
      listMessages([status]),
      `its first message is still in progress (${status})`,
    ]),
    [
      'whose messages cannot be read',
      refuse('listMessages'),
      "Could not list the project's messages",
    ],
    ['with a domain', serve, 'it serves www.example.com'],
    [
      'beside another with a domain',
      ({ emulator: { world } }) =>
        void world.connectDomain('www.example.com', world.createProjects(1)[0]?.id),
    ],
    [
      'whose domains cannot be read',
      refuse('listConnectedDomains'),
      'Could not list the connected domains',
    ],
  ];
  it.each(shown)('%s is new or not, with the reason', async (_, touch, because) => {
    await using world = await startWorld();
    touch(world);
    const request: Adopting['request'] = { target: { kind: 'project' } };
    const run = { ...world, projectId: world.project.id, request };
    expect(await hasOnlyTemplate(run)).toBe(because === undefined);
    expect(notesTold(world)).toEqual(because === undefined ? [] : [reasonWith(because)]);
  });

  const hostname = 'WWW.example.com';
  it.each<[string, Adopting['request']]>([
    ['connects', { target: { kind: 'project', preview: { hostname } } }],
    [
      'checks',
      { target: { kind: 'project' }, checks: { site: { origin: `https://${hostname}` } } },
    ],
  ])('is new with a domain that the run %s', async (_, request) => {
    await using world = await startWorld();
    serve(world);
    expect(await hasOnlyTemplate({ ...world, projectId: world.project.id, request })).toBe(true);
  });
});

const repository = 'octo-org/octo-site';
const commit = sha('a'.repeat(40));
const apiKey = 'not-a-real-key-0123456789';

/** The end of a release that deployed nothing, as our own run signs it, or as anyone could write it. */
type Undeployed = 'signed' | 'forged';

/** Records a release to a project as a run of this action does, with its last status. */
function addRecord(github: GitHubStandIn, state: DeploymentState, id: string, end?: Undeployed) {
  const signer = recordSignerOf(deriveLedgerKeys(apiKey).record, repository);
  const place = { environment: 'production', key: `production/${id}`, mark: 'a mark' };
  const record = { ...place, commit, isPreview: false, until: 0 };
  const { environment, key, mark } = place;
  const payload = { maker: 'site-deploy-action', key, mark, record: signer.sign(record) };
  function* statuses(): Generator<NewDeploymentStatus> {
    const [{ id: number = 0 } = {}] = github.deployments(repository).slice(-1);
    const signed = signer.signEnd(number, record, { kind: 'undeployed' });
    const logUrl = `https://github.example${end === 'forged' ? signed.replace(/.$/, '-') : signed}`;
    yield { state, ...(end !== undefined && { logUrl }) };
  }
  github.addDeployment(repository, { sha: commit, environment, payload }, statuses());
}

const head = { payload: { repository: { default_branch: 'main' } }, recorded: true };

describe.concurrent('by what GitHub shows, a project', () => {
  const shown: [
    what: string,
    facts: { payload?: JsonObject; recorded?: boolean },
    touch: (github: GitHubStandIn, id: string) => void,
    because?: string,
  ][] = [
    ['without a record', {}, () => undefined],
    [
      'of an event without a default branch',
      { payload: { repository: {} } },
      () => undefined,
      'the event does not name the default branch',
    ],
    [
      'of a run that keeps no records',
      { recorded: false },
      () => undefined,
      'with github-deployment: false there is no record',
    ],
    [
      'whose default branch has another head',
      {},
      (github) => github.refs.set(`${repository}@main`, 'b'.repeat(40)),
      'is not the head of the default branch',
    ],
    [
      'whose records cannot be read',
      {},
      (github) => Object.assign(github, { trouble: { deployments: 'forbidden' } }),
      'Could not check whether it is new',
    ],
    [
      'that a record names',
      {},
      (github, id) => addRecord(github, 'success', id),
      'this action has deployed to it before',
    ],
    ['beside another that a record names', {}, (github) => addRecord(github, 'success', commit)],
    ['that the record of this run names', {}, (github, id) => addRecord(github, 'in_progress', id)],
    [
      'whose only release deployed nothing',
      {},
      (github, id) => addRecord(github, 'error', id, 'signed'),
    ],
    [
      'whose only release deployed nothing, as anyone may say',
      {},
      (github, id) => addRecord(github, 'error', id, 'forged'),
      'this action has deployed to it before',
    ],
  ];
  it.each(shown)('%s is new or not, with the reason', async (_, facts, touch, because) => {
    const { payload, recorded } = { ...head, ...facts };
    await using world = await startWorld();
    await using github = await startGitHub();
    github.commits.set(`${repository}@${commit}`, { parents: [] });
    github.commits.set(`${repository}@${'b'.repeat(40)}`, { parents: [] });
    github.refs.set(`${repository}@main`, commit);
    const { id } = world.project;
    touch(github, id);
    const values = {
      'api-key': apiKey,
      'github-token': github.token,
      'github-deployment': recorded,
    };
    const context = {
      event: readWebhook({
        name: 'push',
        sha: commit,
        refName: 'main',
        refType: 'branch',
        actor: 'octocat',
        payload,
      }),
      repository,
      apiUrl: github.url,
    };
    const isNew = await mayAdopt({ values, context, commit }, id, world.host);
    expect(isNew).toBe(because === undefined);
    expect(notesTold(world)).toEqual(because === undefined ? [] : [reasonWith(because)]);
    expect(github.violations).toEqual([]);
  });
});
