// Attack (secrets): The subject of a commit is in the summary, with a secret, a mention or Markdown
// Defense: Redacted, cleaned, cut to 100 characters, escaped

import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { OwnReply, Trouble } from '../../emulator/github/trouble.ts';
import { type HistoryWorld, repository, startHistory } from './history-world.ts';
import { startPullRequest } from './pull-request-world.ts';

const compare = 'repos/compare-commits-with-basehead';
const byHand = { 'on-older': 'deploy' };

/** A world whose commits have messages on GitHub. */
async function startDescribed(): Promise<HistoryWorld> {
  const world = await startHistory();
  for (const [name, commit] of Object.entries(world.commits)) {
    const key = `${repository}@${commit}`;
    world.github.commits.set(key, {
      ...world.github.commits.get(key),
      message: `The ${name}\n\nx`,
    });
  }
  return world;
}

const short = (commit: string) => commit.slice(0, 7);

/** What a summary says below the line with the commit, up to what is folded. */
const changesIn = (summary: string) =>
  summary
    .split('<details>')[0]
    ?.split(/· took [^\n]+\n+/)[1]
    ?.trim() ?? '';

/** The same without the addresses of links. */
const wordsIn = (summary: string) =>
  changesIn(summary)
    .replace(/\]\([^)]*\)/g, '')
    .replace(/\[|<\/?code>/g, '');

/** Starts the release of the second commit, and waits for the last line of its log, while GitHub never answers. */
async function startUnanswered(world: Awaited<ReturnType<typeof startDescribed>>) {
  const { first, second } = world.commits;
  await world.run(first, byHand);
  world.github.on(compare, () => new Promise(() => undefined));
  const step = await world.start(second, { inputs: byHand });
  await step.waitForLine((line) => line.startsWith('Production is'));
  return step;
}

describe.concurrent('the summary of a production release', () => {
  it('of the first one says so, and asks GitHub nothing for it', async () => {
    await using world = await startDescribed();
    const { outputs, summary } = await world.run(world.commits.first, byHand);
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'previous-commit': '' });
    expect(changesIn(summary)).toBe('The first release that is recorded here.');
    expect(world.asked()).not.toContain(compare);
  });

  it('lists what came since the last one, by one request after the deployment', async () => {
    await using world = await startDescribed();
    const { first, second, third } = world.commits;
    await world.run(first, byHand);
    world.asked();
    let deployed = 0;
    world.github.on(compare, () => {
      deployed = world.deployed().length;
    });
    const { outputs, summary } = await world.run(third, byHand);
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'previous-commit': first });
    expect(wordsIn(summary)).toBe(
      `2 commits since ${short(first)}, which was live before (compare).\n\n- ${short(third)} The third\n- ${short(second)} The second`,
    );
    expect(summary).toContain(`/${repository}/compare/${first}...${third})`);
    expect(world.asked().filter((one) => one === compare)).toHaveLength(1);
    expect(deployed).toBe(2);
    expect(world.github.violations).toEqual([]);
  });

  it('lists the newest ten', async () => {
    await using world = await startDescribed();
    const { first, second } = world.commits;
    await world.run(first, byHand);
    let before = first;
    for (let number = 1; number <= 300; number += 1) {
      const commit = number.toString(16).padStart(40, '0');
      const key = `${repository}@${commit}`;
      world.github.commits.set(key, { parents: [before], message: `Change ${number}` });
      before = commit;
    }
    const newest = { parents: [before], message: 'The newest' };
    world.github.commits.set(`${repository}@${second}`, newest);
    const lines = wordsIn((await world.run(second, byHand)).summary).split('\n');
    expect(lines[0]).toContain('301 commits since');
    expect(lines.slice(2)).toHaveLength(11);
    expect(lines[2]).toBe(`- ${short(second)} The newest`);
    expect(lines[3]).toContain('Change 300');
    expect(lines.at(-1)).toBe('- … and 291 older');
  });

  it('calls an older commit a rollback', async () => {
    await using world = await startDescribed();
    const { first, third } = world.commits;
    await world.run(third, byHand);
    const { outputs, summary } = await world.run(first, byHand);
    expect(outputs['previous-commit']).toBe(third);
    expect(wordsIn(summary)).toBe(
      `A rollback by 2 commits, from ${short(third)}, which was live before (compare).`,
    );
    expect(summary).toContain(`/compare/${first}...${third})`);
  });

  it('says that histories have diverged', async () => {
    await using world = await startDescribed();
    const { third, aside } = world.commits;
    await world.run(third, byHand);
    const { summary } = await world.run(aside, byHand);
    expect(wordsIn(summary)).toBe(
      `1 commit since ${short(third)}, which was live before (compare). The histories have diverged, as after a force push; no longer live: 2 commits.\n\n- ${short(aside)} The aside`,
    );
  });

  it('says that the same commit was live, and asks GitHub nothing for it', async () => {
    await using world = await startDescribed();
    const { first } = world.commits;
    await world.run(first, byHand);
    world.asked();
    const { outputs, summary } = await world.run(first, byHand);
    expect(outputs['previous-commit']).toBe(first);
    expect(changesIn(summary)).toBe('This commit was live before.');
    expect(world.asked()).not.toContain(compare);
  });

  it('says that GitHub does not know what was live before', async () => {
    await using world = await startDescribed();
    const { first, second } = world.commits;
    await world.run(first, byHand);
    world.github.commits.delete(`${repository}@${first}`);
    const { outputs, summary, annotations } = await world.run(second, byHand);
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'previous-commit': first });
    expect(wordsIn(summary)).toMatch(
      new RegExp(`^Live before: ${short(first)}\\. GitHub can't compare it with this commit: `),
    );
    expect(annotations).toEqual([]);
  });

  it.each<Trouble | OwnReply>([
    'server-error',
    'forbidden',
    'rate-limit',
    'html',
    'lost-answer',
    'empty-answer',
    { status: 200, body: { status: 'ahead', ahead_by: 1, behind_by: 0, commits: {} } },
    { status: 200, body: { status: 'ahead', ahead_by: 'many', behind_by: 0, commits: [] } },
    { status: 200, body: { status: 'ahead', ahead_by: 1, behind_by: null, commits: [] } },
  ])(
    'says nothing false, and the step is green without a warning, if GitHub fails: %j',
    async (trouble) => {
      await using world = await startDescribed();
      const { first, second } = world.commits;
      await world.run(first, byHand);
      world.asked();
      world.github.trouble = ({ operationId }) => (operationId === compare ? trouble : undefined);
      const { outputs, summary, annotations, exitCode } = await world.run(second, byHand);
      expect(exitCode).toBe(0);
      expect(outputs).toMatchObject({ outcome: 'succeeded', 'previous-commit': first });
      expect(wordsIn(summary)).toBe(
        `Live before: ${short(first)} (compare). What changed could not be read from GitHub.`,
      );
      expect(annotations).toEqual([]);
      expect(world.asked().filter((one) => one === compare)).toHaveLength(1);
      expect(world.states()).toEqual(['inactive', 'success']);
    },
  );

  it('is not waited for by outputs, log and record, and not for long by the step', async () => {
    await using world = await startDescribed();
    await using step = await startUnanswered(world);
    expect(world.states()).toEqual(['inactive', 'success']);
    const { outputs, summary, annotations, exitCode } = await step.done;
    expect([exitCode, outputs['outcome'], annotations]).toEqual([0, 'succeeded', []]);
    expect(wordsIn(summary)).toContain('What changed could not be read from GitHub.');
  }, 60_000);

  it('is given up if the step is killed meanwhile, whose release stays recorded as good', async () => {
    await using world = await startDescribed();
    const { first, second } = world.commits;
    await using step = await startUnanswered(world);
    step.kill();
    const { outputs } = await step.done;
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'previous-commit': first });
    expect(world.states()).toEqual(['inactive', 'success']);
    // It is what the next run replaces.
    const next = await world.run(world.commits.third, byHand);
    expect(next.outputs['previous-commit']).toBe(second);
  });

  it('says nothing where an earlier run left open what is live', async () => {
    await using world = await startDescribed();
    const { first, second, third } = world.commits;
    await world.run(first, byHand);
    world.emulator.dialect.deploymentEnds = 'never';
    await world.run(second, { ...byHand, timeout: '2s' });
    world.emulator.dialect.deploymentEnds = 'success';
    world.asked();
    const { outputs, summary } = await world.run(third, byHand);
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'previous-commit': '' });
    expect(changesIn(summary)).toBe('');
    expect(world.asked()).not.toContain(compare);
  });

  it('passes over a deployment that failed, and starts from the commit of a rollback', async () => {
    await using world = await startDescribed();
    const { first, second, third } = world.commits;
    const checked = {
      ...byHand,
      'verify-url': world.page,
      'verify-contains': 'live: {sha}',
      'verify-timeout': '2s',
      'on-failed-checks': 'roll-back',
    };
    await world.run(first, checked);
    world.broken.add(second);
    const rolledBack = await world.run(second, checked);
    expect(rolledBack.outputs).toMatchObject({ outcome: 'rolled-back', 'previous-commit': first });
    expect(rolledBack.summary).not.toContain('since');
    world.emulator.dialect.deploymentEnds = 'failure';
    expect((await world.run(second, byHand)).outputs['outcome']).toBe('failed');
    world.emulator.dialect.deploymentEnds = 'success';
    const { outputs, summary } = await world.run(third, byHand);
    expect(outputs['previous-commit']).toBe(first);
    expect(wordsIn(summary)).toContain(`2 commits since ${short(first)}, which was live before`);
  });

  it.each<[string, string, string]>([
    [
      'markup',
      '# [x](https://evil.example) <img src=x> **@octocat** fixes #12, GH-7',
      '#~ [x](https://evil.example) <img src=x> **@~octocat** fixes #~12, GH-~7',
    ],
    ['a command', '::error::x ##[group]x', '::error::x #~#~[group]x'],
    ['a key', 'uses KEY', 'uses ***'],
    ['nothing', '', ''],
    ['a line that ends as on an old Mac', 'Title\rText\r\nMore', 'Title'],
    ['a long line', 'x'.repeat(3000), `${'x'.repeat(99)}…`],
  ])('shows subjects as text: %s', async (_, given, shown) => {
    await using world = await startDescribed();
    const { first, second } = world.commits;
    const message = given.replace('KEY', world.emulator.key);
    world.github.commits.set(`${repository}@${second}`, { parents: [first], message });
    await world.run(first, byHand);
    const { outputs, summary, annotations } = await world.run(second, byHand);
    expect(outputs['outcome']).toBe('succeeded');
    expect(annotations).toEqual([]);
    const html = String(await marked.parse(changesIn(summary)));
    const [, item = ''] = /<li>(.*)<\/li>/.exec(html) ?? [];
    expect(item).toMatch(
      new RegExp(`^<a href="[^"]*/commit/${second}"><code>[^<]*</code></a> ?[^<]*$`),
    );
    const words = item.replace(/^.*<\/a> ?/, '').replaceAll('\u200d', '~');
    const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };
    const text = words.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
      code === undefined ? (named[name] ?? name) : String.fromCodePoint(Number(code)),
    );
    expect(text).toBe(shown);
    expect(summary).not.toContain(world.emulator.key);
  });
});

describe.concurrent('nothing is asked for it', () => {
  it.each<[string, Record<string, string>]>([
    ['without a record', { 'github-deployment': 'false' }],
    ['without a deployment', { deploy: 'false', env: 'NAME=value' }],
    ['if the deployment is not followed', { wait: 'none' }],
    ['by a plan', { mode: 'plan' }],
  ])('%s', async (_, inputs) => {
    await using world = await startDescribed();
    const { first, second } = world.commits;
    await world.run(first, byHand);
    world.asked();
    const { summary } = await world.run(second, { ...byHand, ...inputs });
    expect(summary).not.toContain('since');
    expect(world.asked()).not.toContain(compare);
  });

  it('by a preview', async () => {
    await using world = await startPullRequest();
    const inputs = { 'on-older': 'deploy' };
    await world.run('opened', { inputs });
    const { outputs, summary } = await world.run('synchronize', { inputs });
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'previous-commit': '' });
    expect(summary).not.toContain('recorded here');
    expect(world.github.journal.map(({ operationId }) => operationId)).not.toContain(compare);
  });
});
