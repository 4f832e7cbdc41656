// Attack (starting): A rollback by a commit's first digits deploys a fork's commit or a branch of that name
// Defense: GitHub's answer must begin with the digits and be on the default branch

import { describe, expect, it } from 'vitest';
import { asObject } from '../../src/kernel/json.ts';
import { deployedBy } from '../examples/example-world.ts';
import { repository } from '../git/support.ts';
import { rows } from '../support/exhaustive.ts';
import { startPullRequest } from './pull-request-world.ts';
import { recordsIn, refuseReading, startStory } from './story-world.ts';

type Story = Awaited<ReturnType<typeof startStory>>;

/** A run of `redeploy.yml` that deploys in any case: what failed stays live. */
const always = { deploy: 'true' };

/** Deploys all commits of the story in their order, each with good checks. */
async function deployAll({ commits, deploy }: Story) {
  for (const commit of commits) await deploy(commit);
}

/** Plays `rollback.yml`, which must end well, and gives the commit that it made live. */
async function goesBackTo({ goBack, live }: Story, commit?: string) {
  const { outputs, conclusion, log } = await goBack(commit);
  expect(conclusion, log.join('\n')).toBe('success');
  expect(outputs).toMatchObject({ outcome: 'succeeded', 'commit-sha': live() });
  return live();
}

/** Plays `rollback.yml`, which must fail before anything is asked of the service, and gives what it says. */
async function refuses(story: Story, commit?: string, changed?: Record<string, string>) {
  const { world, goBack } = story;
  const before = deployedBy(world);
  const records = recordsIn(world).length;
  const { outputs, conclusion } = await goBack(commit, changed);
  expect(conclusion).toBe('failure');
  expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
  expect(deployedBy(world)).toEqual(before);
  expect(recordsIn(world)).toHaveLength(records);
  expect(world.github.violations).toEqual([]);
  const { error = '' } = outputs;
  expect(error.split(/\s+/).length, error).toBeLessThanOrEqual(37);
  return error;
}

/** Deletes the record of a release, counted from 0. */
const remove = ({ world }: Story, index: number, count = 1) =>
  recordsIn(world).splice(index, count);

/** Copies a record, with all of its statuses, as anyone can who may write deployments. */
function copy({ world }: Story, index: number, changed: { sha?: string } = {}) {
  const original = recordsIn(world)[index];
  if (original === undefined) throw new Error('no such record');
  const { sha, ref, task, payload, environment, statuses } = original;
  const given = { sha, ref, task, environment, payload: asObject(payload) ?? {}, ...changed };
  const told = statuses.map(({ state, log_url: logUrl = '' }) => ({ state, logUrl }));
  world.github.addDeployment(repository, given, told);
}

/** A commit that begins as another does. */
const like = (sha: string) => `${sha.slice(0, 39)}${sha.endsWith('0') ? '1' : '0'}`;

// Which release that is, and what is missing where a record was deleted: src/releases/decisions.test.ts. Here is the way there.
describe.concurrent('rollback.yml without a commit', () => {
  it('goes to the good release before a bad one, says which, and one further by each click', async () => {
    await using story = await startStory(3);
    const { commits, broken, add, deploy, redeploy, goBack, live } = story;
    const [older = '', good = '', bad = ''] = commits;
    await deploy(older);
    await deploy(good);
    broken.add(bad);
    expect((await redeploy(always)).outputs['outcome']).toBe('failed');
    expect(live()).toBe(bad);
    // What follows does not wait for a broken page.
    broken.clear();
    const { log } = await goBack();
    expect(live()).toBe(good);
    expect(log.join('\n')).toContain(`commit-sha: PREVIOUS is ${good}`);
    expect(await goesBackTo(story)).toBe(older);
    expect(await refuses(story)).toMatch(/no earlier good release .* commit SHA .*\(SD1122\)/);
    await deploy(await add());
    // Never to what was taken off.
    expect(await goesBackTo(story)).toBe(older);
  });

  it('fails without any record, of this project, this environment and this key', async () => {
    await using story = await startStory(1);
    const { world } = story;
    expect(await refuses(story)).toMatch(/no recorded deployment.*\(SD1122\)/);
    await deployAll(story);
    const other = await world.emulator.world.createProject();
    const changes = [
      { 'environment-name': 'staging' },
      { 'project-id': other.id },
      { 'env-ledger-key': 'another-fake-key-of-this-test' },
    ];
    for (const changed of changes) {
      expect(await refuses(story, '', changed)).toContain('no recorded deployment');
    }
    for (const one of recordsIn(world)) one.payload = {};
    expect(await refuses(story)).toContain('no recorded deployment');
  });

  it('takes no forged or copied record for one, and fails without one that was deleted or cannot be read', async () => {
    await using story = await startStory(4);
    const { commits, deploy, world } = story;
    const [oldest = '', older, newest, other = ''] = commits;
    for (const commit of [oldest, older, newest]) await deploy(commit ?? '');
    const records = [...recordsIn(world)];
    remove(story, 1);
    expect(await refuses(story)).toMatch(/deleted.*commit SHA.*\(SD1122\)/);
    recordsIn(world).splice(0, Infinity, ...records);
    refuseReading(world);
    expect(await refuses(story)).toContain('"deployments: write"');
    // Made with all that is signed of a good one; for another commit; and without any of it.
    copy(story, 0);
    copy(story, 1, { sha: other });
    world.github.addDeployment(repository, { sha: other }, [{ state: 'success' }]);
    world.github.trouble = { commits: 'forbidden' };
    expect(await goesBackTo(story)).toBe(older);
    // Only now there is a commit that may have taken others off.
    expect(await refuses(story)).toContain('"contents: read"');
  });

  it('is for no run that keeps no records', async () => {
    await using story = await startStory(1);
    for (const mode of ['apply', 'explain']) {
      const unrecorded = await refuses(story, '', { 'github-deployment': 'false', mode });
      expect(unrecorded).toContain('commit-sha: PREVIOUS needs github-deployment: true');
      const mute = await refuses(story, '', { 'github-token': '', mode });
      expect(mute).toContain("commit-sha: can't be resolved, because github-token is empty");
    }
  });
});

describe.concurrent('rollback.yml with the first digits of a commit', () => {
  it('goes to one of the default branch, released here or not', async () => {
    await using story = await startStory(2);
    const { commits, deploy } = story;
    const [older = '', newest = ''] = commits;
    await deploy(newest);
    for (const digits of [older.slice(0, 39).toUpperCase(), older.slice(0, 7)]) {
      expect(await goesBackTo(story, digits)).toBe(older);
    }
    expect(await goesBackTo(story, newest.slice(0, 7))).toBe(newest);
  });

  const unclear: [string, string, (story: Story, sha: string) => void][] = [
    [
      'that nobody knows',
      'matches no commit, or several',
      ({ world }) => world.github.commits.clear(),
    ],
    [
      'that several commits on GitHub have',
      'matches no commit, or several',
      ({ world }, sha) => world.github.commits.set(`${repository}@${like(sha)}`, { parents: [] }),
    ],
    [
      "that a fork's commit has",
      'not known to be on the default branch',
      ({ world, commits }, sha) => {
        const fork = `${sha.slice(0, 7)}${'f'.repeat(33)}`;
        world.github.commits.delete(`${repository}@${sha}`);
        world.github.commits.delete(`${repository}@${commits[1]}`);
        world.github.commits.set(`${repository}@${commits[1]}`, { parents: [] });
        world.github.commits.set(`${repository}@${fork}`, { parents: [commits[1] ?? ''] });
      },
    ],
    [
      'that a branch has as its name',
      'matches no commit, or several',
      ({ world, commits }, sha) =>
        world.github.refs.set(`${repository}@${sha.slice(0, 7)}`, commits[1] ?? ''),
    ],
    [
      'of a commit on another branch',
      'not known to be on the default branch',
      ({ world, commits }) => {
        world.github.commits.set(`${repository}@${commits[1]}`, { parents: [] });
      },
    ],
    [
      'where the event names no default branch',
      'not known to be on the default branch',
      ({ settings }) => {
        settings.defaultBranch = '';
      },
    ],
    [
      'where the default branch is not there',
      'not known to be on the default branch',
      ({ settings }) => {
        settings.defaultBranch = 'gone';
      },
    ],
  ];
  it('fails for digits that are no one commit of the default branch, or that GitHub does not tell', async () => {
    await using story = await startStory(2);
    const { world, settings, commits } = story;
    const { github } = world;
    const [older = ''] = commits;
    // What was released here is not searched.
    await deployAll(story);
    const digits = older.slice(0, 7);
    const known = [...github.commits];
    for (const [what, words, happen] of unclear) {
      happen(story, older);
      const error = await refuses(story, digits);
      expect(error, what).toContain(words);
      expect(error, what).toMatch(/40 hex digits.*\(SD1121\)/);
      github.commits.clear();
      for (const [name, commit] of known) github.commits.set(name, commit);
      github.refs.delete(`${repository}@${digits}`);
      settings.defaultBranch = 'main';
    }
    github.trouble = { commits: 'forbidden' };
    expect(await refuses(story, digits)).toContain('"contents: read"');
    expect(await refuses(story, 'abcdef')).toContain('must be 7 to 40 hex digits of a commit');
  });
});

describe.concurrent('a closed pull request', () => {
  it.each(rows(['PREVIOUS', 'abcdef0'], 1))('is ended without looking up %s', async (given) => {
    await using world = await startPullRequest();
    await world.run('opened');
    world.close();
    const { outputs } = await world.run('closed', { inputs: { 'commit-sha': given } });
    const sha = await world.project.head();
    expect(outputs).toMatchObject({ outcome: 'cleaned-up', 'commit-sha': sha });
    expect(world.states()).toEqual(['inactive']);
    expect(world.github.violations).toEqual([]);
  });
});

describe.concurrent('mode: explain of rollback.yml', () => {
  const said: [commit: string, would: string, otherwise: string][] = [
    ['', 'deploy the good release before the live one', "If it can't be determined"],
    ['ABCDEF0', 'deploy the commit starting with abcdef0', 'If none or several match'],
  ];
  it('asks nobody, and says what each answer would do', async () => {
    await using story = await startStory(1);
    const { world, goBack } = story;
    world.emulator.journal.clear();
    const asked = world.github.journal.length;
    const changed = { mode: 'explain', 'preview-domain': '{sha}.preview.example.com' };
    for (const [commit, would, otherwise] of said) {
      const { outputs, conclusion, summary, log } = await goBack(commit, changed);
      expect(conclusion).toBe('success');
      expect(outputs).toMatchObject({ outcome: 'planned', requests: '0', 'commit-sha': '' });
      expect(outputs['preview-hostname']).toBe('');
      expect(summary).toContain(`this run would ${would}`);
      expect(summary).toContain(otherwise);
      expect(summary).toMatch(/contents: read +# .*find the commit[\s\S]*deployments: write/);
      expect(JSON.stringify(outputs) + summary + log.join()).not.toMatch(/0{40}|0{7}/);
    }
    expect(world.github.journal).toHaveLength(asked);
    expect(world.emulator.journal.entries).toEqual([]);
  });
});
