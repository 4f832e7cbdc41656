import { expect, test } from 'vitest';
import { git } from '../../git/git.ts';
import { repository, startOwn } from './support.ts';

const uses = 'somebody/site-deploy-action@v1';

const deploy = `name: Deploy
on:
  push:
    branches: [trunk, 'release/**']
    paths-ignore: ['*.md']
permissions: { pull-requests: read }
jobs:
  first:
    runs-on: ubuntu-latest
    outputs:
      word: \${{ steps.say.outputs.word }}
      leaked: \${{ secrets.GIVEN }}
    steps:
      - id: say
        uses: ${uses}
        with: { say: '\${{ vars.WORD }} \${{ secrets.MISSING }} \${{ secrets.GIVEN }}' }
      - uses: actions/setup-node@v4
      - run: exit 1
  second:
    needs: first
    strategy: { matrix: { n: [1, 2], exclude: [{ n: 2 }] } }
    runs-on: ubuntu-latest
    services: { db: { image: postgres } }
    permissions: { issues: write }
    steps:
      - uses: ${uses}
        with: { say: '\${{ needs.first.outputs.word }}, \${{ needs.first.outputs.leaked }}' }
  called:
    needs: second
    uses: ./.github/workflows/other.yml
  never:
    if: github.ref == 'refs/heads/nowhere'
    runs-on: ubuntu-latest
    steps: [{ uses: '${uses}' }]
`;

const preview = `name: Preview
on: { pull_request: { types: [opened, synchronize, closed] } }
jobs:
  show:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: ${uses}
        with: { say: '#\${{ github.event.number }} \${{ github.head_ref }}' }
`;

test('the first push to an empty repository starts its workflow, whose jobs, outputs and permissions are as on GitHub', async () => {
  await using own = await startOwn();
  const broken = 'name: Broken\non: push\njobs:\n  a:\n    runs-on: x\n    stepps: []\n';
  const sha = await own.push('trunk', {
    '.github/workflows/deploy.yml': deploy,
    '.github/workflows/broken.yml': broken,
    '.github/workflows/not yaml.yml': 'on: [push\njobs: x: y',
    '.github/workflows/notes.txt': 'no workflow',
  });
  expect(own.events()).toEqual(['push  → deploy.yml']);
  expect(own.mistakes()).toEqual([
    "broken.yml, line 6: Unexpected value 'stepps'",
    expect.stringMatching(/^not yaml\.yml, line \d: Flow sequence/),
    expect.stringMatching(/^not yaml\.yml, line \d: Nested mappings/),
  ]);
  expect(own.ends()).toEqual(['Deploy neutral']);
  const log = own.log().filter((line) => /said|pulls|cleaned|secret/.test(line));
  expect(log).toEqual([
    `first: said from-vars *** *** at ${sha}`,
    'first: pulls 200, comment 403',
    'first: cleaned up',
    "first: Warning: Skip output 'word' since it may contain secret.",
    "first: Warning: Skip output 'leaked' since it may contain secret.",
    `second (1): said ,  at ${sha}`,
    'second (1): pulls 403, comment 404',
    'second (1): cleaned up',
  ]);
  expect(own.notPlayed()).toEqual([
    'actions/setup-node@v4',
    '1 run: step (--run-steps runs them)',
    'services',
    'the workflow ./.github/workflows/other.yml, which the job calls',
  ]);
  expect(await git(['-C', own.dev, 'for-each-ref'])).toMatch(/refs\/heads\/trunk$/);
  await own.push('trunk', { 'README.md': 'Only words' });
  await own.push('release/1/x', { 'index.html': 'A page' });
  expect(own.events().slice(1)).toEqual(['push  → ', 'push  → deploy.yml']);
});

test('a pull request is opened, updated and closed by requests as on GitHub, and each starts its workflow', async () => {
  await using own = await startOwn();
  await own.push('trunk', { '.github/workflows/preview.yml': preview });
  await own.push('topic', { 'index.html': 'one' });
  const pull = { title: `\u001b[2J\${{ secrets.GIVEN }}\n::error::`, head: 'topic', base: 'trunk' };
  expect((await own.send('POST', 'pulls', pull)).status).toBe(201);
  expect((await own.send('POST', 'pulls', pull)).text).toContain('already exists');
  expect((await own.send('POST', 'pulls', { ...pull, head: 'none' })).status).toBe(422);
  expect((await own.send('POST', 'pulls', { ...pull, head: 'trunk' })).text).toContain(
    'No commits',
  );
  expect((await own.send('POST', 'pulls', pull, 'fake-other-token')).status).toBe(401);
  await own.push('topic', { 'index.html': 'two' });
  expect((await own.send('PATCH', 'pulls/1', { state: 'closed' })).status).toBe(200);
  expect((await own.send('PATCH', 'pulls/1', { state: 'open', title: 'Again' })).status).toBe(200);
  // What merges the head into the base closes the pull request.
  await own.push('trunk', { 'index.html': 'three' });
  const told = own.events().filter((line) => line.startsWith('pull_request'));
  expect(told).toEqual([
    'pull_request opened → preview.yml',
    'pull_request synchronize → preview.yml',
    'pull_request closed → preview.yml',
    'pull_request edited → ',
    'pull_request reopened → ',
    'pull_request closed → preview.yml',
  ]);
  expect(own.ends()).toEqual(Array(4).fill('Preview success'));
  const [opened = ''] = own.log().filter((line) => line.includes('said'));
  const [, merge = ''] = /said #1 topic at (\w+)/.exec(opened) ?? [];
  const folder = await own.github.gitFolder(repository);
  const parents = await git([`--git-dir=${folder}`, 'log', '-1', '--format=%P', merge]);
  expect(parents.split(' ')).toHaveLength(2);
  expect(own.github.pullRequests.get(`${repository}#1`)?.merged_at).toEqual(expect.any(String));
});

test('scripts run if that is asked for, with what an event pastes into them, as on GitHub, and what they push starts nothing', async () => {
  await using own = await startOwn({ runSteps: true });
  const workflow = `name: "Scripts \\e[31m"
on:
  pull_request:
  workflow_dispatch: { inputs: { loud: { type: boolean, default: true } } }
  schedule: [{ cron: '3 4 * * *' }]
  push: { branches: [trunk], paths: [none] }
jobs:
  safe:
    runs-on: ubuntu-latest
    permissions: { contents: write }
    env: { TOP: top }
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0, ref: trunk }
      - run: |
          echo "NEXT=\${{ github.event_name }}" >> "$GITHUB_ENV"
          printf '\\033[2J%s\\n' "$TITLE"
          exit 3
        continue-on-error: true
        env: { TITLE: '\${{ github.event.pull_request.title }}' }
      - run: |
          echo "$TOP $NEXT \${{ inputs.loud }} \${{ secrets.GIVEN }}"
          git -c user.name=a -c user.email=a@b.c commit --quiet --allow-empty --message 'By a job'
          git push --quiet origin HEAD:trunk
        shell: bash
  pasted:
    runs-on: ubuntu-latest
    if: github.event_name == 'pull_request'
    steps:
      - run: echo \${{ github.event.number }} "\${{ github.event.pull_request.title }}"
      - if: failure()
        run: echo after \${{ job.status }}
`;
  await own.push('trunk', { '.github/workflows/run.yml': workflow });
  const before = await own.push('topic', { 'index.html': 'one' });
  const title = '"; echo "it is $((40 + 2))"; exit 1; echo "';
  await own.github.openPullRequest(repository, { title, head: 'topic', base: 'trunk' });
  await own.idle();
  const said = (job: string) => own.log().filter((line) => line.startsWith(`${job}: `));
  expect(said('safe')).toContainEqual(`safe: \u001b[2J${title}`);
  expect(said('safe')).toContainEqual('safe: top pull_request  ***');
  expect(said('pasted')).toContainEqual('pasted: it is 42');
  expect(said('pasted').at(-1)).toBe('pasted: after failure');
  expect(own.ends()).toEqual(['Scripts \u001b[31m failure']);
  const folder = await own.github.gitFolder(repository);
  const head = () => git([`--git-dir=${folder}`, 'log', '-1', '--format=%s', 'trunk']);
  expect(await head()).toBe('By a job');
  expect(own.events()).toHaveLength(3);
  const place = 'actions/workflows/run.yml';
  expect((await own.send('POST', `${place}/dispatches`, { ref: 'trunk' })).status).toBe(204);
  expect((await own.send('POST', `${place}/schedule`)).status).toBe(204);
  expect((await own.send('POST', `${place}/schedule`, undefined, 'fake-no')).status).toBe(401);
  expect(own.log()).toContainEqual('safe: top workflow_dispatch true ***');
  expect(own.log()).toContainEqual('safe: top schedule  ***');
  expect(before).not.toBe('');
});

test('who lacks the token, or the permission, cannot push', async () => {
  await using own = await startOwn();
  await own.push('trunk', { 'index.html': 'one' });
  const reader = own.github.issueToken({ login: 'a', permissions: { contents: 'read' } });
  const url = new URL(own.remote);
  for (const password of ['', 'fake-other', reader]) {
    const pushing = own.git('push', Object.assign(url, { password }).href, 'HEAD:refs/heads/x');
    await expect(pushing, password).rejects.toThrow(/403|Authentication|could not read/);
  }
  const pull = own.git('push', own.remote, 'HEAD:refs/pull/9/head');
  await expect(pull).rejects.toThrow(/deny updating a hidden ref|rejected/);
  expect(await own.git('ls-remote', Object.assign(url, { password: reader }).href)).toContain(
    'trunk',
  );
});

test('the default branch is not what happens to be checked out', async () => {
  await using own = await startOwn();
  await own.push('main', { 'index.html': 'one' });
  await own.git('checkout', '--quiet', '-b', 'topic');
  await own.git('branch', 'main');
  await own.github.serveRepository('octo-org/other', own.dev);
  expect(own.github.defaultBranch('octo-org/other')).toBe('main');
  expect(own.github.defaultBranch(repository)).toBe('main');
  await own.git('branch', 'develop');
  await own.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
  await own.github.serveRepository('octo-org/third', own.dev);
  expect(own.github.defaultBranch('octo-org/third')).toBe('develop');
});
