// Attack (starting): A forged or copied deployment record makes an old commit live or blocks a new one
// Defense: HMAC with the ledger's key over the record, and over its id and end; nothing else of a status counts; copies
// count once

import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../emulator/github/index.ts';
import { sha } from '../../src/contract/commit.ts';
import { recordSignerOf } from '../../src/github/model/record-signer.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { rows } from '../support/exhaustive.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { type HistoryWorld, pushOf, repository, runHeld, startHistory } from './history-world.ts';

const skip = { 'on-older': 'skip' };

/** What the service was asked to change, by method and path, in order. */
const writes = ({ emulator }: HistoryWorld) =>
  emulator.journal.entries
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

describe.concurrent('a commit that is older than the last one that was deployed with success', () => {
  it('is not deployed (reordered pushes), and nothing of it is written anywhere', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(second, skip);
    const before = writes(world);
    const records = world.github.deployments(repository).length;
    const { outputs, conclusion, summary, log } = await world.run(first, { ...skip, env: 'NEW=1' });
    expect(outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'older-commit',
      'deployment-id': '',
    });
    expect(outputs['error']).toMatch(
      `${first} is older than ${second}, the last successful deployment here.`,
    );
    expect(conclusion).toBe('success');
    expect(summary).toContain('older-commit');
    expect(log.join('\n')).toContain('(SD5301)');
    expect(world.deployed()).toEqual([second]);
    expect(before).toContainEqual(expect.stringContaining('/deployments'));
    expect(writes(world)).toEqual(before);
    expect(world.github.deployments(repository)).toHaveLength(records);
    expect(world.github.violations).toEqual([]);
  });

  it('stops a re-run and a commit that the workflow names, fails where asked, and goes where it is given by hand', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    const github = { runId: '7' };
    await world.run(first, skip, { github });
    await world.run(third, skip);
    const failed = await world.run(first, { 'on-older': 'fail' });
    expect([failed.outputs['outcome'], failed.conclusion]).toEqual(['failed', 'failure']);
    const named = await world.run(first, { ...skip, 'commit-sha': first });
    expect(named.outputs['skipped-reason']).toBe('older-commit');
    const again = await world.run(first, skip, { github: { ...github, runAttempt: '2' } });
    expect(again.outputs['skipped-reason']).toBe('older-commit');
    const planned = await world.run(first, { ...skip, mode: 'plan' });
    expect(planned.outputs['outcome']).toBe('planned');
    expect(planned.log.join('\n')).toContain(
      `This plan can't be applied. Nothing was deployed: ${first}`,
    );
    expect(world.deployed()).toEqual([first, third]);
    const back = await world.run(third, { ...skip, 'commit-sha': first });
    expect(back.outputs['outcome']).toBe('succeeded');
    // What comes later is measured by it.
    await world.run(second, skip);
    const event = { name: 'workflow_dispatch', payload: { inputs: { commit: first } } };
    const byHand = await world.run(first, { ...skip, 'commit-sha': first }, { event });
    expect(byHand.outputs['outcome']).toBe('succeeded');
    expect(world.deployed()).toEqual([first, third, first, second, first]);
  });

  it('is skipped without an input, with a warning that has what deploys it', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(second);
    const { outputs, conclusion, annotations } = await world.run(first);
    expect(outputs['skipped-reason']).toBe('older-commit');
    expect(conclusion).toBe('success');
    expect(annotations).toMatchObject([{ level: 'warning' }]);
    expect(annotations[0]?.message).toMatch(/set on-older: deploy, or commit-sha in a manual run/);
    expect(world.deployed()).toEqual([second]);
  });

  it('is deployed with on-older: deploy, and GitHub is not asked for it', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(second);
    world.asked();
    const { outputs } = await world.run(first, { 'on-older': 'deploy' });
    expect(outputs['outcome']).toBe('succeeded');
    // For the summary, after the deployment.
    const asked = world.asked();
    const compare = 'repos/compare-commits-with-basehead';
    expect(asked.filter((one) => one === compare)).toHaveLength(1);
    expect(asked.indexOf(compare)).toBeGreaterThan(asked.indexOf('repos/create-deployment-status'));
  });

  it('is deployed without a word where nothing is recorded', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    const inputs = { 'github-deployment': 'false' };
    for (const commit of [second, first]) {
      const { outputs, annotations } = await world.run(commit, inputs);
      expect(outputs['outcome']).toBe('succeeded');
      expect(annotations).toEqual([]);
    }
    expect(world.asked()).toEqual([]);
  });

  it.each(rows(['pull_request', 'merge_group'], 2))(
    'is deployed on %s, and GitHub is asked for no order',
    async (name) => {
      await using world = await startHistory();
      const { first, second } = world.commits;
      for (const commit of [second, first]) {
        const payload = adjust(
          examplePayload(name),
          name === 'merge_group'
            ? { 'merge_group.head_sha': commit }
            : {
                action: 'synchronize',
                'pull_request.head.sha': commit,
                'pull_request.head.repo.full_name': repository,
                'pull_request.base.repo.full_name': repository,
              },
        );
        const inputs = { comment: 'false' };
        const { outputs } = await world.run(commit, inputs, { event: { name, payload } });
        expect(outputs['outcome']).toBe('succeeded');
      }
      expect(world.asked()).not.toContain('repos/compare-commits-with-basehead');
      expect(world.deployed()).toEqual([second, first]);
    },
  );
});

describe.concurrent('the head of the branch is never older', () => {
  it('which is not asked for the event of a tag, though a branch has its name', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(second);
    world.github.refs.set(`${repository}@v1`, first);
    const { payload } = pushOf(first);
    const event = { name: 'push', payload: { ...payload, ref: 'refs/tags/v1' } };
    const github = { ref: 'refs/tags/v1' };
    const { outputs } = await world.run(first, {}, { event, github });
    expect(outputs['skipped-reason']).toBe('older-commit');
    expect(world.asked()).not.toContain('repos/get-commit');
  });

  it('after a force push back to it: GitHub is asked only then', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(second);
    await world.run(third);
    expect(world.asked()).not.toContain('repos/get-commit');
    world.github.refs.set(`${repository}@main`, first);
    const { payload } = pushOf(first);
    const event = { name: 'push', payload: { ...payload, forced: true, before: third } };
    const { outputs, log } = await world.run(first, {}, { event });
    expect(outputs['outcome']).toBe('succeeded');
    expect(log.join('\n')).toContain(`${first} is the head of main now`);
    expect(world.asked()).toContain('repos/get-commit');
    // A late run of the commits that the push took off is not older, as it has the whole history.
    world.github.refs.set(`${repository}@main`, second);
    expect((await world.run(first)).outputs['outcome']).toBe('succeeded');
    await world.run(second);
    expect((await world.run(first)).outputs['skipped-reason']).toBe('older-commit');
    expect(world.deployed()).toEqual([second, third, first, first, second]);
  });

  it('but if the branch went on before the deployment is requested, it is', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    const { refs } = world.github;
    await world.run(third);
    refs.set(`${repository}@main`, first);
    world.github.on('repos/create-deployment', async () => {
      refs.set(`${repository}@main`, second);
    });
    const { outputs } = await world.run(first);
    expect(outputs['skipped-reason']).toBe('older-commit');
    expect(world.deployed()).toEqual([third]);
  });

  it.each(rows(['workflow_run', 'check_suite', 'check_run'], (_, index) => index === 0))(
    'of a %s: that of the commit, not that of the workflow',
    async (name) => {
      await using world = await startHistory();
      const { first, third } = world.commits;
      const suite = name === 'check_run' ? 'check_run.check_suite' : name;
      const event = (commit: string) => ({
        name,
        payload: adjust(examplePayload(name, 'completed'), {
          [`${name}.head_sha`]: commit,
          [`${suite}.head_branch`]: 'staging',
          [`${name}.conclusion`]: 'success',
          ...(name === 'workflow_run' && { 'workflow_run.event': 'push' }),
        }),
      });
      const inputs = { 'allow-production': 'true' };
      expect((await world.run(third, inputs, { event: event(third) })).outputs['outcome']).toBe(
        'succeeded',
      );
      world.github.refs.set(`${repository}@main`, first);
      const older = { event: event(first), github: { ref: 'refs/heads/main' } };
      const late = await world.run(first, inputs, older);
      expect(late.outputs['skipped-reason']).toBe('older-commit');
      world.github.refs.set(`${repository}@staging`, first);
      expect((await world.run(first, inputs, older)).outputs['outcome']).toBe('succeeded');
    },
  );

  it.each(rows(['pull_request', 'pull_request_target'], (_, index) => index === 0))(
    'of a %s: that of the pull request, unless a fork has a branch of that name',
    async (name) => {
      await using world = await startHistory();
      const { first, second } = world.commits;
      const event = (commit: string, head = repository) => ({
        name,
        payload: adjust(examplePayload('pull_request'), {
          action: 'synchronize',
          'pull_request.head.sha': commit,
          'pull_request.head.ref': 'topic',
          'pull_request.head.repo.full_name': head,
          'pull_request.base.repo.full_name': repository,
        }),
      });
      const inputs = { ...skip, comment: 'false' };
      await world.run(second, inputs, { event: event(second) });
      const late = await world.run(first, inputs, { event: event(first) });
      expect(late.outputs['skipped-reason']).toBe('older-commit');
      world.github.refs.set(`${repository}@topic`, first);
      const ofFork = await world.run(first, inputs, { event: event(first, 'fork/octo-site') });
      expect(ofFork.outputs['skipped-reason']).toBe('older-commit');
      const { outputs } = await world.run(first, inputs, { event: event(first) });
      expect(outputs['outcome']).toBe('succeeded');
      expect(world.deployed()).toEqual([second, first]);
    },
  );
});

describe.concurrent('a commit that is not older is deployed', () => {
  it('the same again, a newer one, and one beside it, after a force push, which the log says', async () => {
    await using world = await startHistory();
    const { first, second, aside } = world.commits;
    for (const commit of [first, first, second]) {
      expect((await world.run(commit, skip)).outputs['outcome']).toBe('succeeded');
    }
    const { outputs, log } = await world.run(aside, skip);
    expect(outputs['outcome']).toBe('succeeded');
    expect(log.join('\n')).toContain(`${second} have diverged, as after a force push`);
    expect(world.deployed()).toEqual([first, first, second, aside]);
    expect(world.github.violations).toEqual([]);
  });
});

describe.concurrent('two runs at once', () => {
  it('the older one sees right before it deploys that a newer one is under way', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first, skip);
    await using newer = await runHeld(world, third, skip);
    const { outputs } = await world.run(second, { ...skip, env: 'NEW=1' });
    expect(outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': 'older-commit' });
    expect(outputs['error']).toContain(`${third}, which another run is deploying here`);
    expect(outputs['error']).toContain('1 variable waits for the next deployment');
    expect(world.states()).toEqual(['success', 'in_progress', 'inactive']);
    expect((await newer.end()).outputs['outcome']).toBe('succeeded');
    expect(world.deployed()).toEqual([first, third]);
  });

  it('and that one which has ended meanwhile was newer', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    for (const commit of [first, third]) await world.run(commit, skip);
    // Its record is seen only from then on: a whole run within the request could outlast the request's limit.
    const records = world.github.deployments(repository);
    const newer = records.splice(1);
    world.github.on('repos/create-deployment', async () => void records.push(...newer.splice(0)));
    const { outputs } = await world.run(second, skip);
    expect(outputs['skipped-reason']).toBe('older-commit');
    expect(world.deployed()).toEqual([first, third]);
  });

  it('the newer one is not kept from anything by the older one', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await using _ = await runHeld(world, first, skip);
    expect((await world.run(second, skip)).outputs['outcome']).toBe('succeeded');
  });

  it('a record without an end is believed as long as its run may still be going', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first, skip);
    const records = world.github.deployments(repository);
    const [own] = records;
    if (own === undefined) throw new Error('nothing was recorded');
    const { environment, task } = own;
    const key = `production/${world.project.id}`;
    const mark = 'of a run whose runner was lost';
    const signer = recordSignerOf(deriveLedgerKeys(world.emulator.key).record, repository);
    for (const [left, outcome] of [
      [20 * 60_000, 'skipped'],
      [-61_000, 'succeeded'],
    ] as const) {
      records.splice(1);
      const until = Date.now() + left;
      const begun = { commit: sha(third), environment, key, isPreview: false, mark, until };
      const payload = { maker: 'site-deploy-action', key, mark, record: signer.sign(begun) };
      const given = { sha: third, environment, task, payload };
      world.github.addDeployment(repository, given, [{ state: 'in_progress' }]);
      expect((await world.run(second, skip)).outputs['outcome']).toBe(outcome);
    }
  });
});

describe.concurrent('where it cannot be read', () => {
  it('for want of a grant, or because GitHub does not know the commit, it is said once and deployed', async () => {
    await using world = await startHistory();
    const { github } = world;
    const { first, second } = world.commits;
    await world.run(second, skip);
    const runOlder = async () => {
      const { outputs, annotations } = await world.run(first, skip);
      expect(outputs['outcome']).toBe('succeeded');
      // The second commit is the last one again.
      github.deployments(repository).splice(1);
      return annotations.map(({ message }) => message);
    };
    for (const [group, grant] of [
      ['deployments', 'deployments: write'],
      ['commits', 'contents: read'],
    ] as const) {
      github.trouble = ({ operationId, method }) => {
        const isOf = group === 'commits' ? operationId?.includes('compare') : method === 'GET';
        return isOf ? 'forbidden' : undefined;
      };
      const told = (await runOlder()).filter((message) => message.includes('on-older'));
      expect(told).toHaveLength(1);
      expect(told[0]).toContain(`Add "${grant}" to the job's permissions`);
    }
    github.trouble = undefined;
    github.commits.delete(`${repository}@${first}`);
    expect((await runOlder()).filter((message) => message.includes('SD5302'))).toHaveLength(1);
    expect(world.deployed()).toEqual([second, first, first, first]);
  });

  it('a plan, which deploys nothing, tells what a run would do', async () => {
    await using world = await startHistory();
    const { github } = world;
    const { first, second } = world.commits;
    await world.run(second);
    const planOlder = async () => {
      const { annotations } = await world.run(first, { ...skip, mode: 'plan' });
      return annotations.map(({ message }) => message).join('\n');
    };
    github.trouble = ({ operationId }) =>
      operationId?.includes('list-deployments') ? 'forbidden' : undefined;
    expect(await planOlder()).toMatch(/Add "deployments: read".*a run would deploy the commit\./);
    github.trouble = undefined;
    github.commits.delete(`${repository}@${first}`);
    expect(await planOlder()).toMatch(/^A run would deploy .* without comparing it.*SD5302/m);
    expect(world.deployed()).toEqual([second]);
  });

  it.each(rows(['deployments', 'commits', 'all', 'token'], 4))(
    'by default, for want of %s, there is one warning, and it is deployed',
    async (lacking) => {
      await using world = await startHistory();
      const { first, second } = world.commits;
      await world.run(second);
      world.github.trouble = ({ operationId }) =>
        lacking === 'all' || operationId?.includes(lacking === 'commits' ? 'commit' : 'deployment')
          ? 'forbidden'
          : undefined;
      const inputs: Record<string, string> = lacking === 'token' ? { 'github-token': '' } : {};
      const { outputs, annotations } = await world.run(first, inputs);
      expect(outputs['outcome']).toBe('succeeded');
      expect(annotations).toMatchObject([{ level: 'warning' }]);
      expect(annotations[0]?.message).toContain('so the commit is deployed');
    },
  );

  it('because nothing is recorded, it is said once and deployed, and GitHub is not asked', async () => {
    await using world = await startHistory();
    const inputs = { ...skip, 'github-deployment': 'false' };
    const { outputs, annotations } = await world.run(world.commits.first, inputs);
    expect(outputs['outcome']).toBe('succeeded');
    expect(annotations.filter(({ message }) => message.includes('SD8008'))).toHaveLength(1);
    expect(world.asked()).toEqual([]);
  });
});

/** Adds more copies of a record than a page of GitHub's list holds, each newer than all that are there. */
function copyOften({ github }: HistoryWorld, { sha, environment, task, payload }: Deployment) {
  const copy = { sha, environment, task, payload };
  for (let n = 0; n < 101; n += 1) github.addDeployment(repository, copy);
}

// One after the other: a hundred records are read within the grace period, also beside other work.
describe('a record counts once', () => {
  it('copies of an old one do not hide a newer run under way', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first, skip);
    const [old] = world.github.deployments(repository);
    if (old === undefined) throw new Error('nothing was recorded');
    await using _ = await runHeld(world, third, skip);
    copyOften(world, old);
    const { outputs } = await world.run(second, skip);
    expect(outputs['error']).toContain(`${third}, which another run is deploying here`);
    expect(world.github.violations).toEqual([]);
  });

  it('copies of an old one do not hide the live one from what takes its place', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first);
    const [old] = world.github.deployments(repository);
    if (old === undefined) throw new Error('nothing was recorded');
    await world.run(second);
    copyOften(world, old);
    await world.run(third);
    const { statuses } = world.github.deployments(repository)[1] ?? {};
    expect(statuses?.at(-1)?.state).toBe('inactive');
  });
});

describe.concurrent('a record counts only', () => {
  it('if it was signed: neither a forged record nor a copied one says anything', async () => {
    await using world = await startHistory();
    const { first, third } = world.commits;
    await world.run(first, skip);
    const [own] = world.github.deployments(repository);
    if (own === undefined) throw new Error('nothing was recorded');
    const { environment, task, payload, statuses } = own;
    const given = { sha: third, environment, task, payload };
    // The very words of ours, with a good status of ours, but of another commit.
    const logUrl = String(statuses.at(-1)?.log_url);
    world.github.addDeployment(repository, given, [{ state: 'success', logUrl }]);
    // And one that says of itself that a run of another mark has it under way.
    const forged = { ...given, payload: { ...Object(payload), mark: 'of no run of ours' } };
    world.github.addDeployment(repository, forged, [{ state: 'in_progress' }]);
    const { outputs } = await world.run(world.commits.second, skip);
    expect(outputs['outcome']).toBe('succeeded');
  });

  it('if its good end was signed: a status that somebody set says nothing', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first, skip);
    const good = String(world.github.deployments(repository)[0]?.statuses.at(-1)?.log_url);
    world.emulator.dialect.deploymentEnds = 'failure';
    await world.run(third, skip);
    const failed = world.github.deployments(repository).at(-1);
    const [status] = failed?.statuses ?? [];
    if (failed === undefined || status === undefined) throw new Error('nothing was recorded');
    failed.statuses.push({ ...status, state: 'success', log_url: good });
    world.emulator.dialect.deploymentEnds = 'success';
    expect((await world.run(second, skip)).outputs['outcome']).toBe('succeeded');
  });

  it('of its own key', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(second, { ...skip, 'env-ledger-key': 'fake-key-of-another-workflow' });
    expect((await world.run(first, skip)).outputs['outcome']).toBe('succeeded');
    expect(
      (await world.run(first, { ...skip, 'env-ledger-key': 'fake-key-of-another-workflow' }))
        .outputs['skipped-reason'],
    ).toBe('older-commit');
  });

  it('however many failed after it', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(second, skip);
    const [own] = world.github.deployments(repository);
    if (own === undefined) throw new Error('nothing was recorded');
    const { environment, task } = own;
    for (let n = 0; n < 101; n += 1) {
      const payload = { maker: 'site-deploy-action', key: 'another', mark: `${n}` };
      world.github.addDeployment(repository, { sha: first, environment, task, payload });
    }
    expect((await world.run(first, skip)).outputs['skipped-reason']).toBe('older-commit');
    expect(world.github.violations).toEqual([]);
  });
});

it('a record is a success only after the checks', async () => {
  await using world = await startHistory();
  const { emulator, github, project } = world;
  const asked = () => emulator.journal.of('site').length;
  const atSuccess: number[] = [];
  github.on('repos/create-deployment-status', ({ body }) => {
    if (Object(body).state === 'success') atSuccess.push(asked());
  });
  const { outputs } = await world.run(world.commits.first, { 'verify-url': project.siteUrl });
  expect(outputs['outcome']).toBe('succeeded');
  // One look before the deployment, and two after it that hold.
  expect(asked()).toBeGreaterThanOrEqual(3);
  expect(atSuccess).toEqual([asked()]);
});
