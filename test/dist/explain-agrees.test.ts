import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitHubStandIn, numberOf, startGitHub } from '../../emulator/github/index.ts';
import { type Emulator, startEmulator } from '../../emulator/index.ts';
import { type ActionResult, type RunEvent, runAction } from '../../emulator/runner.ts';
import { pairwise, rows } from '../support/exhaustive.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess } from '../support/shared-process.ts';
import { number, repository } from './pull-request-world.ts';
import { unpacked } from './run-step.ts';

const fork = 'octo-stranger/octo-site';
const sha = 'a'.repeat(40);
const other = 'b'.repeat(40);

/** What GitHub knows of pull request 7. */
interface Known {
  state: 'open' | 'closed';
  from: string;
  at?: string;
}

/** One of GitHub's answers: what it knows then, and under which names an explanation may list it. */
interface Answer {
  name: string;
  known?: Known;
  refuses?: true;
  listed: readonly string[];
}

/** An event, and GitHub's answers where these decide. */
interface Case {
  event: RunEvent;
  ref?: string;
  known?: Known;
  answers?: readonly Answer[];
}

const open = { state: 'open', from: repository } as const;
const closed = { state: 'closed', from: repository } as const;

const aboutPull = (name: string, action: string, from = repository): RunEvent => ({
  name,
  payload: adjust(examplePayload('pull_request', action), {
    number,
    'pull_request.number': number,
    'pull_request.head.sha': sha,
    'pull_request.head.ref': 'topic',
    'pull_request.head.repo.full_name': from,
    'pull_request.base.repo.full_name': repository,
  }),
});

const aboutRun = (cause: string, from: string, fields: Record<string, unknown> = {}): RunEvent => ({
  name: 'workflow_run',
  payload: adjust(examplePayload('workflow_run', 'completed'), {
    'workflow_run.event': cause,
    'workflow_run.head_sha': sha,
    'workflow_run.head_branch': 'topic',
    'workflow_run.head_repository.id': numberOf(from),
    'workflow_run.head_repository.full_name': from,
    'workflow_run.repository.id': numberOf(repository),
    'workflow_run.pull_requests': [],
    ...fields,
  }),
});

const comment = (association: string): RunEvent => ({
  name: 'issue_comment',
  payload: adjust(examplePayload('issue_comment', 'created'), {
    'issue.number': number,
    'issue.pull_request': {},
    'comment.author_association': association,
  }),
});

const side = (ref: string, commit: string) => ({
  ref,
  sha: commit,
  repo: { id: numberOf(repository) },
});

const refused: Answer = { name: 'refused', refuses: true, listed: ['GitHub'] };

const answersOfRun = (from: string): Answer[] => [
  { name: 'open', known: { state: 'open', from }, listed: ['If it is open'] },
  { name: 'closed', known: { state: 'closed', from }, listed: ['If it is closed'] },
  {
    name: 'moved on',
    known: { state: 'open', from, at: other },
    listed: ['If there is none'],
  },
  refused,
];

const told: Answer[] = (['open', 'closed'] as const).flatMap((state) => [
  {
    name: state,
    known: { state, from: repository },
    listed: [`If it is ${state}, not from a fork`, `If it is ${state}`],
  },
  {
    name: `${state}, of a fork`,
    known: { state, from: fork },
    listed: [`If it is ${state}, from a fork`, `If it is ${state}`],
  },
]);

const answersToComment = [...told, refused];

const cases: Readonly<Record<string, Case>> = {
  push: { event: { name: 'push', payload: { ref: 'refs/heads/main', after: sha } } },
  'push of a deleted branch': {
    event: { name: 'push', payload: { ref: 'refs/heads/x', after: '0'.repeat(40), deleted: true } },
  },
  'deleted branch': { event: { name: 'delete', payload: { ref: 'x', ref_type: 'branch' } } },
  label: { event: { name: 'label', payload: { action: 'created' } } },
  schedule: { event: { name: 'schedule', payload: {} } },
  'pull request opened': { event: aboutPull('pull_request', 'opened'), known: open },
  'pull request closed': { event: aboutPull('pull_request', 'closed'), known: closed },
  'pull request of a fork': { event: aboutPull('pull_request', 'opened', fork), known: open },
  'pull_request_target closed': {
    event: aboutPull('pull_request_target', 'closed', fork),
    known: { state: 'closed', from: fork },
  },
  'manual run on a branch': {
    event: {
      name: 'workflow_dispatch',
      payload: { repository: { id: numberOf(repository), full_name: repository } },
    },
    ref: 'refs/heads/topic',
    answers: answersOfRun(repository),
  },
  'merge queue': { event: { name: 'merge_group', payload: { merge_group: { head_sha: sha } } } },
  wiki: { event: { name: 'gollum', payload: {} } },
  'comment of a stranger': { event: comment('NONE'), known: open },
  'comment of a member': { event: comment('MEMBER'), answers: answersToComment },
  'run after a push': { event: aboutRun('push', repository), known: open },
  'run after a failed push': {
    event: aboutRun('push', repository, { 'workflow_run.conclusion': 'failure' }),
    known: open,
  },
  'run of a fork': { event: aboutRun('pull_request', fork), answers: answersOfRun(fork) },
  'run of a fork that is gone': {
    event: aboutRun('pull_request', fork, { 'workflow_run.head_repository': null }),
    known: { state: 'closed', from: fork },
  },
  'run of a listed pull request': {
    event: aboutRun('pull_request', repository, {
      'workflow_run.pull_requests': [
        { number, head: side('topic', sha), base: side('main', other) },
      ],
    }),
    answers: answersOfRun(repository),
  },
};

type Inputs = Readonly<Record<string, string>>;

const key = 'fake-key-that-the-service-does-not-know';
const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const template = { 'preview-domain': 'pr-{number}.preview.example.com' };

/** Every set of these inputs: each is given or missing. */
function subsets(inputs: Inputs): Inputs[] {
  const all: Inputs[] = [{}];
  for (const [name, value] of Object.entries(inputs)) {
    all.push(...all.map((some) => ({ ...some, [name]: value })));
  }
  return all;
}

/** Which of all these inputs are given, in their order. */
const isGiven = (inputs: Inputs, names: Inputs) => Object.keys(names).map((name) => name in inputs);

/** Inputs that are whole, and ask for something else each. */
const variants: readonly Inputs[] = [
  { comment: 'true' },
  { 'commit-sha': 'HEAD' },
  { 'commit-sha': 'PREVIOUS', 'github-deployment': 'false' },
  { 'commit-sha': 'abcdef0', 'github-token': '' },
  { 'commit-sha': other, 'preview-projects': '' },
  { deploy: 'false' },
  { deploy: 'false', 'project-id': '', 'verify-url': 'https://{preview-domain}/' },
  { 'preview-domain': '{branch}.preview.example.com', 'preview-projects': '' },
  { 'preview-domain': '{branch}.{number}x.example.com' },
  { 'preview-domain': 'www.example.com' },
  { 'verify-url': 'https://{preview-domain}/{sha}' },
  { 'verify-url': 'https://www.example.com/', wait: 'none' },
  { 'verify-contains': 'x' },
  { 'on-failed-checks': 'roll-back' },
  { 'preview-projects': one },
  { 'env-from': 'NOT_THERE' },
  { 'git-url': 'https://git.example.com/one.git' },
  { timeout: 'soon' },
  { timeout: 'soon', 'project-id': '', 'preview-projects': '' },
  { 'api-key': '' },
].map((changed) => ({ ...wholeInputs(), ...changed }) as Inputs);

function wholeInputs(): Inputs {
  return { 'api-key': key, 'project-id': one, 'preview-projects': two, ...template };
}

const named = new Set([
  ...['api-key', 'base-url', 'project-id', 'preview-projects', 'preview-domain', 'github-token'],
  ...['comment', 'commit-sha', 'verify-url', 'verify-contains', 'wait', 'on-failed-checks', 'env'],
  ...['env-from', 'git-url', 'timeout', 'GITHUB_EVENT_PATH', 'deploy'],
]);

/** The inputs that a text says something is wrong with. */
const wrongIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|[ )])([\w-]+)(?:: | is )/g)]
    .map(([, name = '']) => name)
    .filter((name) => named.has(name));

/** How a run ends, as it can be told before: in words that compare. */
const skips = (reason: string) => `is skipped: ${reason}`;
const fails = (inputs: readonly string[]) => `fails: ${[...new Set(inputs)].toSorted().join(' ')}`;
const failing = (end: string): string[] => /^fails: (.*)$/.exec(end)?.[1]?.split(' ') ?? [];

/**
 * What an explanation without a key must say: what the run says of it, which reports a missing value first, and what the
 * run says once it has a key.
 */
const joinEnds = (done: string, withKey: string): string =>
  done.startsWith('fails') ? fails([...failing(done), ...failing(withKey)]) : done;

/** What a line of an explanation says that a run would do. */
function readWould(text: string, lacksKey: boolean): string {
  const reason = /would be skipped\..* \(([\w-]+)\)\./.exec(text)?.[1];
  if (reason !== undefined) return skips(reason);
  if (text.includes('If GitHub does not respond, the run fails.')) return fails(['github-token']);
  const isWrong = /would fail\b/.test(text);
  if (isWrong || lacksKey)
    return fails([...(isWrong ? wrongIn(text) : []), ...(lacksKey ? ['api-key'] : [])]);
  return /would remove the preview\b/.test(text) ? 'ends the preview' : 'goes on';
}

/** What an explanation says of each of GitHub's answers, or of the run. */
function readExplained({
  outputs,
  log: lines,
  annotations,
}: ActionResult): (answer?: Answer) => string {
  const log = lines.join('\n');
  const lacksKey = /^API key +Not set/m.test(log);
  if (!/^If /m.test(log)) {
    const { outcome, 'skipped-reason': reason = '', error = '' } = outputs;
    if (outcome === 'skipped') return () => skips(reason);
    if (outcome === 'failed') {
      const [wrong] = annotations.filter(({ level }) => level === 'error');
      expect(wrong?.title).toMatch(/: this run would fail$/);
      return () => readWould(`would fail ${error}`, lacksKey);
    }
    return () => readWould(log, lacksKey);
  }
  return (answer) => {
    const names = answer?.listed ?? [];
    const told = names.flatMap((name) => log.match(new RegExp(`^${name}  +.*$`, 'm')) ?? []);
    expect(told, `${answer?.name} is listed once, in\n${log}`).toHaveLength(1);
    return readWould(told.join(), lacksKey);
  };
}

/** What a run did. */
function readDone({ outputs, annotations }: ActionResult): string {
  const { outcome, requests, error = '', 'skipped-reason': reason = '' } = outputs;
  if (outcome === 'skipped') return skips(reason);
  if (outcome === 'failed' && requests === '0') return fails(wrongIn(error));
  const isCleanUp = annotations.some(({ title = '' }) => title.includes('removing it failed'));
  return isCleanUp ? 'ends the preview' : 'goes on';
}

interface World {
  emulator: Emulator;
  github: GitHubStandIn;
}

function tellGitHub({ github }: World, known: Known | undefined): void {
  github.pullRequests.clear();
  if (known === undefined) return;
  const { state, from, at = sha } = known;
  const head = { ref: 'topic', sha: at, repo: { full_name: from, fork: from !== repository } };
  const base = { ref: 'main', sha: other };
  github.pullRequests.set(`${repository}#${number}`, { number, state, head, base });
}

/** How a run differs from its explanation. */
function differ(
  { told, must, done }: Record<'told' | 'must' | 'done', string>,
  isAsked: boolean,
  isGitHubAsked: boolean,
): string[] {
  const found = told === must ? [] : [`"${told}", and it ${must}`];
  if (/^(is skipped|fails)/.test(done) && isAsked) found.push('asked');
  if (done.startsWith('is skipped') && isGitHubAsked) found.push('asked GitHub');
  return found;
}

/** Holds an explanation against the runs that it is about: what each does, and whom it asks before it skips. */
async function compare(
  world: World,
  { event, ref = 'refs/heads/main', known, answers }: Case,
  given: Inputs,
  action: string = unpacked,
): Promise<string[]> {
  const run = (inputs: Inputs) => {
    const { url, token } = world.github;
    const github = { repository, sha, ref, apiUrl: url, token };
    return runAction({ launch: shareProcess, action, event, github, inputs });
  };
  tellGitHub(world, known);
  world.emulator.journal.clear();
  const before = world.github.journal.length;
  const explained = await run({ ...given, mode: 'explain' });
  expect(world.github.journal.slice(before)).toEqual([]);
  expect(world.emulator.journal.entries).toEqual([]);
  expect(explained.log.join() + explained.summary).not.toMatch(
    /was not deployed|not synced|undefined/,
  );
  const says = readExplained(explained);
  const differences: string[] = [];
  for (const answer of answers ?? [undefined]) {
    tellGitHub(world, answer === undefined ? known : answer.known);
    world.github.trouble = answer?.refuses === true ? { pulls: 'forbidden' } : undefined;
    world.emulator.journal.clear();
    const asked = world.github.journal.length;
    const result = await run(given);
    const [told, done] = [says(answer), readDone(result)];
    const isAsked = world.emulator.journal.entries.length > 0;
    const isGitHubAsked = answers === undefined && world.github.journal.length > asked;
    const isKeyed = (given['api-key'] ?? '') !== '';
    const must = isKeyed ? done : joinEnds(done, readDone(await run({ ...given, 'api-key': key })));
    const found = differ({ told, must, done }, isAsked, isGitHubAsked);
    const place = `${answer?.name ?? ''} ${JSON.stringify(given)}`;
    differences.push(...found.map((one) => `${place}: ${one}`));
  }
  return differences;
}

async function startWorld() {
  const emulator = await startEmulator();
  const github = await startGitHub();
  const close = async () => {
    await github[Symbol.asyncDispose]();
    await emulator[Symbol.asyncDispose]();
  };
  return { emulator, github, [Symbol.asyncDispose]: close };
}

describe.concurrent('mode: explain and the run agree', () => {
  const all = Object.entries(cases);
  /** Events of whose inputs those decide that are given; of the others, the turns below try some. */
  const deciding = [
    'push',
    'pull request opened',
    'pull request closed',
    'pull request of a fork',
    'wiki',
    'comment of a member',
    'run of a fork',
    'manual run on a branch',
  ];
  const decided = rows(all, ([name]) => deciding.includes(name));

  /** The pairs of inputs and of an answer to them, as each input with all of its answers. */
  const gather = (pairs: readonly (readonly [Inputs, Answer | undefined])[]) =>
    [...Map.groupBy(pairs, ([inputs]) => inputs)].map(
      ([inputs, of]) => [inputs, of.flatMap(([, answer]) => answer ?? [])] as const,
    );

  it.each(decided)('after %s, whatever inputs are given or missing', async (_, one) => {
    await using world = await startWorld();
    const { answers = [undefined] } = one;
    const [first] = answers;
    const names = {
      ...wholeInputs(),
      'base-url': world.emulator.url,
      ...(first !== undefined && { 'github-token': '' }),
    };
    const pairs = subsets(names).flatMap((inputs) => {
      // Nothing can be asked without a token, so that every answer comes to the same.
      const isMute = first !== undefined && 'github-token' in inputs;
      return (isMute ? [first] : answers).map((answer) => [inputs, answer] as const);
    });
    const tried = pairwise(pairs, ([some, answer]) => [...isGiven(some, names), answer?.name]);
    const differences: string[] = [];
    for (const [inputs, asked] of gather(tried)) {
      const asking = one.answers === undefined ? one : { ...one, answers: asked };
      differences.push(...(await compare(world, asking, inputs)));
    }
    expect(differences).toEqual([]);
  });

  it.each(all)('after %s, whatever else is asked for', async (name, one) => {
    await using world = await startWorld();
    const { answers = [undefined] } = one;
    const turn = all.findIndex(([other]) => other === name);
    const pairs = variants.flatMap((variant, index) =>
      answers.map((answer, number) => ({ variant, answer, index, number })),
    );
    // Each variant after one or two events, with one answer of GitHub each.
    const tried = rows(
      pairs,
      ({ index, number }) => (index + turn) % 11 === 0 && number === index % answers.length,
    ).map(({ variant, answer }) => [variant, answer] as const);
    const differences: string[] = [];
    for (const [variant, asked] of gather(tried)) {
      const inputs = { ...variant, 'base-url': world.emulator.url };
      const asking = one.answers === undefined ? one : { ...one, answers: asked };
      differences.push(...(await compare(world, asking, inputs)));
    }
    expect(differences).toEqual([]);
  });

  // Without GitHub's answers: the same events come to the same in both actions.
  const skipping = ['push', 'pull request of a fork', 'wiki'];
  it.each(rows(decided, ([name]) => skipping.includes(name)))(
    'of env-sync after %s',
    async (_, { event, known }) => {
      await using world = await startWorld();
      const names = {
        'api-key': key,
        'base-url': world.emulator.url,
        'project-id': one,
        env: 'A=b',
      };
      const differences: string[] = [];
      const action = join(unpacked, 'env-sync');
      for (const inputs of pairwise(subsets(names), (some) => isGiven(some, names))) {
        const alone = { event, ...(known && { known }) };
        differences.push(
          ...(await compare(world, alone, { ...inputs, 'env-ledger': 'off' }, action)),
        );
      }
      expect(differences).toEqual([]);
    },
  );
});
