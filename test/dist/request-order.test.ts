import { beforeAll, describe, expect, it } from 'vitest';
import { startCacheServer } from '../../emulator/cache/index.ts';
import { startGitWorld } from '../git/support.ts';
import { isBefore, type Timed, timesOf } from '../support/request-times.ts';
import { startEnvSync } from './env-sync-world.ts';
import { startPullRequest } from './pull-request-world.ts';
import { runPushing } from './push-world.ts';

/** So long that what is asked for side by side overlaps, and that nothing is in order only because it is faster. */
const latency = 40;
const longer = 150;

/** How long a run may take on a machine that is busy, in milliseconds. */
const patience = 60_000;

/** Each rule: what must be over before what may begin. */
type Rules = readonly (readonly [rule: string, earlier: string, later: string])[];

/** Tests the rules against the requests of one run. */
function describeRules(name: string, play: () => Promise<Timed[]>, rules: Rules): void {
  describe(name, () => {
    let times: Timed[] = [];
    beforeAll(async () => {
      times = await play();
    }, patience);
    it.each(rules)('%s: %s → %s', (_, earlier, later) => {
      expect(isBefore(times, earlier, later), JSON.stringify(times, undefined, 1)).toBe(true);
      // Of a rule that holds both ways nobody could tell that two requests have changed places.
      expect(isBefore(times, later, earlier)).toBe(false);
    });
  });
}

async function playPreview(): Promise<Timed[]> {
  await using world = await startPullRequest({ latencyMs: latency, verifyMs: 0 });
  await using cache = await startCacheServer({ latency: longer });
  world.github.latency = longer;
  world.project.setVariable({ name: 'OLD', value: 'old', production: false });
  const env = { OLD: 'fake value', NEW: 'fake value' };
  const inputs = { 'env-from': 'OLD, NEW' };
  // The second commit has an earlier deployment to take the place of, and all else to make.
  await world.run('opened', { inputs: { 'preview-domain': '', comment: 'false' } });
  world.emulator.dialect.buildMs = 1500;
  world.emulator.journal.clear();
  const before = world.github.journal.length;
  const { outputs } = await world.run('synchronize', { env, inputs, runtime: cache.environment });
  expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
  const { emulator, github, project } = world;
  return timesOf({
    emulator,
    github: { journal: github.journal.slice(before) },
    cache,
    project: { deployments: project.deployments.slice(-1) },
  });
}

describeRules('a preview of a pull request', playPreview, [
  [
    'all is looked at before anything is written',
    'service readEnvironment',
    'service createVariable',
  ],
  [
    'all is looked at before anything is written',
    'service listConnectedDomains #1',
    'service createVariable',
  ],
  [
    'all is looked at before anything is written',
    'service readEnvironment',
    'service connectDomain',
  ],
  [
    'what was written before is known before it is written',
    'cache look-up #1',
    'service createVariable',
  ],
  [
    'the guard looks before the code goes anywhere',
    'service listConnectedDomains #1',
    'service connectDomain',
  ],
  ['and once more after it is placed', 'service connectDomain', 'service listConnectedDomains #2'],
  [
    'a rival is seen before the deployment',
    'service listConnectedDomains #2',
    'service createDeployment',
  ],
  [
    "a variable's own writes are in sequence",
    'service replaceVariable',
    'service retargetVariable',
  ],
  [
    'new code never goes live with old variables',
    'service createVariable',
    'service createDeployment',
  ],
  [
    'new code never goes live with old variables',
    'service retargetVariable',
    'service createDeployment',
  ],
  [
    'the domain is placed before the deployment',
    'service connectDomain',
    'service createDeployment',
  ],
  ['open right before it is assigned', 'github pulls/get #1', 'service connectDomain'],
  ['and right after', 'service connectDomain', 'github pulls/get #2'],
  ['open is asked again at the end', 'build', 'github pulls/get #-1'],
  ['the ledger is kept after the writes', 'service retargetVariable', 'cache create'],
  ['another run may have kept its own', 'cache look-up #2', 'cache create'],
  [
    'the comment is looked for before it is made',
    'github issues/list-comments #1',
    'github issues/create-comment',
  ],
  [
    'and whether another was made at once',
    'github issues/create-comment',
    'github issues/list-comments #-1',
  ],
  [
    'a deployment is under way once it is there',
    'github repos/create-deployment',
    'github repos/create-deployment-status in_progress',
  ],
  ['what is followed was accepted', 'service createDeployment', 'service readDeploymentEvents'],
  ['nothing is announced before it is live', 'build', 'github issues/update-comment'],
  [
    'nothing is announced before it is live',
    'build',
    'github repos/create-deployment-status success',
  ],
  ['what is overwritten is looked at after the end', 'build', 'github issues/get-comment'],
  ['what is overwritten is looked at after the end', 'build', 'github repos/list-deployments #-1'],
  [
    'what is overwritten is looked at after the end',
    'build',
    'github repos/list-deployment-statuses #-1',
  ],
  [
    "no newer run's words are overwritten",
    'github issues/get-comment #1',
    'github issues/update-comment',
  ],
  ['and none of an older run stay', 'github issues/update-comment', 'github issues/get-comment #2'],
  [
    'a newer deployment stays',
    'github repos/list-deployments #-2',
    'github repos/create-deployment-status success',
  ],
  [
    'also one that ended at once',
    'github repos/create-deployment-status success',
    'github repos/list-deployments #-1',
  ],
  [
    'an older one, which may end at once, is retired last',
    'github repos/create-deployment-status success',
    'github repos/create-deployment-status inactive',
  ],
  [
    'one that was set inactive stays so',
    'github repos/list-deployment-statuses #-1',
    'github repos/create-deployment-status success',
  ],
  [
    'the preview of a closed pull request is not announced',
    'github pulls/get #-1',
    'github issues/update-comment',
  ],
  [
    'the preview of a closed pull request is not announced',
    'github pulls/get #-1',
    'github repos/create-deployment-status success',
  ],
]);

async function playLease(): Promise<Timed[]> {
  await using world = await startPullRequest({ latencyMs: latency });
  world.github.latency = longer;
  const inputs = { 'preview-projects': world.project.id, 'project-id': '' };
  const { outputs } = await world.run('opened', { inputs });
  expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
  return timesOf(world);
}

describeRules('a preview on a leased project', playLease, [
  ['open before it is leased', 'github pulls/get #1', 'service connectDomain'],
  ['free before it is taken', 'service listConnectedDomains #1', 'service connectDomain'],
  [
    'still ours right before the deployment',
    'service connectDomain',
    'service listConnectedDomains #-1',
  ],
  [
    'still ours right before the deployment',
    'service listConnectedDomains #-1',
    'service createDeployment',
  ],
]);

async function playClosing(): Promise<Timed[]> {
  await using world = await startPullRequest({ latencyMs: latency });
  await world.run('opened');
  world.github.latency = longer;
  world.emulator.journal.clear();
  const before = world.github.journal.length;
  world.close();
  const { outputs } = await world.run('closed');
  expect(outputs['outcome']).toBe('cleaned-up');
  const { emulator, github } = world;
  return timesOf({
    emulator,
    github: { journal: github.journal.slice(before) },
    project: { deployments: [] },
  });
}

describeRules('the end of a preview', playClosing, [
  ['still closed before it is ended', 'github pulls/get', 'service assignDomain'],
  ['still ours before it is cleared', 'service readConnectedDomain #1', 'service assignDomain'],
  ['seen to be cleared', 'service assignDomain', 'service readConnectedDomain #2'],
  ['told once it is so', 'service readConnectedDomain #2', 'github issues/update-comment'],
  [
    'told once it is so',
    'service readConnectedDomain #2',
    'github repos/create-deployment-status inactive',
  ],
]);

async function playPush(): Promise<Timed[]> {
  await using world = await startGitWorld();
  const commit = await world.push();
  const inputs = { 'git-force': 'true', env: 'NAME=value' };
  // Longer than a push takes, which would be over first if it did not wait.
  world.emulator.dialect.latencyMs = 1000;
  world.emulator.journal.clear();
  const { outputs } = await runPushing(world, commit, { inputs });
  expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
  return timesOf({ emulator: world.emulator, project: world.project });
}

describeRules('a commit that is pushed', playPush, [
  ['looked at before it is pushed', 'service git GET refs #1', 'service git POST git-receive-pack'],
  [
    'all is planned before it is pushed',
    'service readEnvironment',
    'service git POST git-receive-pack',
  ],
  ['pushed before it is deployed', 'service git POST git-receive-pack', 'service createDeployment'],
]);

async function playLostAnswer(): Promise<Timed[]> {
  await using world = await startEnvSync({ latencyMs: latency });
  world.emulator.faults.add({ operation: 'createVariable', kind: 'reset-before' });
  const { outputs } = await world.run({ NAME: 'fake value' });
  expect(outputs['outcome']).toBe('synced');
  return timesOf(world);
}

describeRules('a write whose answer is lost', playLostAnswer, [
  ['is looked for', 'service createVariable #1', 'service readEnvironment #2'],
  ['before it is made again', 'service readEnvironment #2', 'service createVariable #-1'],
]);
