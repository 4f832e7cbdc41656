import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startCacheServer } from '../../emulator/cache/index.ts';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import { type EmulatedProject, type Emulator, startEmulator } from '../../emulator/index.ts';
import {
  type ActionResult,
  type RunEvent,
  type RunningAction,
  startAction,
} from '../../emulator/runner.ts';
import { addCommit, pushOf, repository, servePage } from '../dist/history-world.ts';
import { adjust, examplePayload, labelOf } from '../support/payloads.ts';
import { unpacked } from '../support/places.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';
import {
  type Act,
  type Cause,
  type History,
  numbers,
  type ProjectName,
  type RunAct,
  type Trouble,
} from './generate.ts';
import type { Happening, Look, Played, PlayedRun, RunResult } from './played.ts';
import { Turns } from './turns.ts';

const template = 'pr-{number}.preview.example.com';
export const hostnameOf = (number: number): string => template.replace('{number}', `${number}`);

/** What a run reads, and what it prints, with the post step. */
function resultOf({ post, ...main }: ActionResult): RunResult {
  const steps = [main, ...(post ? [post] : [])];
  return {
    conclusion: main.conclusion,
    outputs: main.outputs,
    texts: steps.flatMap(({ raw, summary, annotations, outputs }) => [
      // What the runner is told to mask, it does not show.
      ...raw.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::')),
      raw.stderr,
      summary,
      JSON.stringify(annotations),
      ...Object.values(outputs),
    ]),
  };
}

/** A run that has begun. */
interface Begun extends PlayedRun {
  token: string;
  act: RunAct;
  event: RunEvent;
  running: RunningAction;
  /** Null once it has come. */
  trouble: Trouble | null;
  /** Resolves when it is held, or has ended. */
  isQuiet: Promise<unknown>;
  reachHold: () => void;
}

/** A request of a run. */
interface Sent {
  side: 'service' | 'github';
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** The length of the timeline when it came. */
  asked: number;
}

/** A copy of some fields of each. */
const pick = <One, Name extends keyof One>(all: readonly One[], ...names: Name[]) =>
  all.map((one) => Object.fromEntries(names.map((name) => [name, one[name]])) as Pick<One, Name>);

const keepLabel = 'keep-preview';
const longAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();

/** Who does by hand what a history has, in turns with the runs. */
const people = 0;
/** How long the others wait for a run's first request, in milliseconds: a process has to start. */
const start = 5000;

interface World {
  emulator: Emulator;
  github: GitHubStandIn;
  projects: Record<ProjectName | 'foreign', EmulatedProject>;
  commits: readonly string[];
  page: string;
  cache: Readonly<Record<string, string>>;
}

/** A world in which a history is played. */
class Stage {
  readonly #history: History;
  readonly #world: World;
  readonly #turns: Turns;
  readonly #timeline: Happening[] = [];
  readonly #runs = new Map<number, Begun>();
  readonly #urls = { service: '', github: '' };
  #rotations = 0;
  #lastLook = '';

  constructor(history: History, world: World) {
    this.#history = history;
    this.#world = world;
    this.#turns = new Turns(`turns ${history.seed}`);
    world.emulator.journal.watch(() => this.#look());
  }

  /** Notes the state of the service if it is another than before. */
  #look(): void {
    const look = this.look();
    const { records: _, pulls: _p, ...ofService } = look;
    const text = JSON.stringify(ofService);
    if (text === this.#lastLook) return;
    this.#lastLook = text;
    this.#timeline.push({ what: 'state', ...look });
  }

  look(): Look {
    const { emulator, github, projects } = this.#world;
    return {
      domains: pick(emulator.world.domains.all, 'hostname', 'projectId', 'state'),
      projects: Object.values(projects).map(({ id, variables, deployments }) => ({
        id,
        variables: pick(variables, 'id', 'name', 'value', 'version'),
        deployments: pick(deployments, 'id', 'commit', 'status', 'endedAt'),
      })),
      records: github
        .deployments(repository)
        .map(({ id, sha, environment, created_at, statuses }) => ({
          id,
          sha,
          environment,
          createdAt: created_at,
          states: statuses.map(({ state }) => state),
        })),
      pulls: [...github.pullRequests.values()].map(({ number, state, ...pull }) => ({
        number,
        state,
        isKept: JSON.stringify(pull).includes(keepLabel),
      })),
    };
  }

  async play(): Promise<Played> {
    await using service = await this.#relay('service');
    await using github = await this.#relay('github');
    this.#urls.service = service.url;
    this.#urls.github = github.url;
    this.#look();
    for (const act of this.#history.acts) {
      await this.#turns.take(people);
      const doing = this.#do(act);
      this.#turns.end(people, 0);
      await doing;
    }
    for (const run of this.#runs.values()) this.#letGo(run);
    await Promise.all([...this.#runs.values()].map((run) => this.#end(run)));
    await Promise.all(
      this.#world.emulator.world.projects.flatMap(({ deployments }) =>
        deployments.map(({ ended }) => ended),
      ),
    );
    this.#look();
    return {
      history: this.#history,
      timeline: this.#timeline,
      runs: [...this.#runs.values()],
      end: this.look(),
      comments: numbers.flatMap((number) =>
        this.#world.github
          .comments(repository, number)
          .map(({ body = '', user }) => ({ number, body, author: user?.login ?? '' })),
      ),
      issues: pick(this.#world.github.issues.of(repository), 'number', 'state', 'title', 'body'),
      recordTexts: JSON.stringify(this.#world.github.deployments(repository)),
      violations: [...this.#world.github.violations],
      commits: this.#world.commits,
      projects: Object.fromEntries(
        Object.entries(this.#world.projects).map(([name, { id }]) => [name, id]),
      ),
    };
  }

  /** How the runs ended, in the order of their start. */
  steps(): Promise<ActionResult[]> {
    return Promise.all([...this.#runs.values()].map(({ running }) => running.done));
  }

  async #do(act: Act): Promise<void> {
    if (act.do === 'run') return await this.#start(act, this.#eventOf(act.cause), 1);
    this.#timeline.push({ what: 'act', act });
    if (act.do === 'again') {
      const earlier = this.#runs.get(act.of);
      if (earlier === undefined) return;
      const { trouble: _, ...same } = earlier.act;
      const again = { ...same, run: act.run, ...(act.trouble && { trouble: act.trouble }) };
      return await this.#start(again, earlier.event, earlier.attempt + 1, earlier.runId);
    }
    if (act.do === 'await' || act.do === 'let go') {
      const run = this.#runs.get(act.run);
      if (run === undefined) return;
      this.#letGo(run);
      if (act.do === 'await') await this.#end(run);
      return;
    }
    this.#byHand(act);
    this.#look();
  }

  /** What people do. */
  #byHand(act: Act): void {
    const { world } = this.#world.emulator;
    if (act.do === 'set') this.#world.projects[act.project].setVariable(act);
    if (act.do === 'unset') this.#world.projects[act.project].deleteVariable(act.name);
    if (act.do === 'forget') this.#world.github.deployments(repository).pop();
    if (act.do === 'rotate') this.#rotations += 1;
    if (act.do === 'age') {
      for (const one of this.#world.github.deployments(repository)) one.created_at = longAgo;
    }
    const { github } = this.#world;
    if (act.do === 'label') {
      const pull = github.pullRequests.get(`${repository}#${act.number}`) ?? {};
      Object.assign(pull, { labels: act.isKept ? [labelOf(keepLabel)] : [] });
    }
    if (act.do === 'close') {
      const issue = github.issues.of(repository).find(({ state }) => state === 'open');
      const how = { state: 'closed', state_reason: 'not_planned' } as const;
      if (issue) github.changeIssue(issue, how, 'octocat');
    }
    if (act.do !== 'move') return;
    const hostname = hostnameOf(act.number);
    const to = act.to === null ? null : this.#world.projects[act.to].id;
    if (world.domains.find(hostname)) world.assignDomain(hostname, to);
  }

  #letGo(run: Begun): void {
    if (this.#turns.isHeld(run.run) && run.struck?.at === '') run.before = this.look();
    this.#turns.letGo(run.run);
  }

  async #end(run: Begun): Promise<void> {
    run.result ??= resultOf(await run.running.done);
  }

  /** GitHub's event, after what it tells has happened there. */
  #eventOf(cause: Cause): RunEvent {
    if (cause.event === 'push') return pushOf(this.#world.commits[cause.commit] ?? '');
    if (cause.event === 'by hand') {
      const commit = this.#world.commits[cause.commit];
      return { name: 'workflow_dispatch', payload: { inputs: { commit } } };
    }
    if (cause.event === 'pull request') {
      const { number, action, commit } = cause;
      const sha = this.#world.commits[commit] ?? '';
      const head = { ref: `topic-${number}`, sha, repo: { full_name: repository, fork: false } };
      const state: 'closed' | 'open' = action === 'closed' ? 'closed' : 'open';
      const base = { ref: 'main', sha: this.#world.commits[0] ?? '' };
      const { pullRequests } = this.#world.github;
      const pull = { ...pullRequests.get(`${repository}#${number}`), number, state, head, base };
      pullRequests.set(`${repository}#${number}`, pull);
      const payload = adjust(examplePayload('pull_request', action), {
        number,
        'pull_request.number': number,
        'pull_request.head.sha': sha,
        'pull_request.head.ref': head.ref,
        'pull_request.head.repo.full_name': repository,
        'pull_request.base.repo.full_name': repository,
      });
      return { name: 'pull_request', payload };
    }
    if (cause.event === 'comment') {
      const payload = adjust(examplePayload('issue_comment', 'created'), {
        'issue.number': cause.number,
        'issue.pull_request': {},
        'comment.author_association': 'OWNER',
        'repository.full_name': repository,
      });
      return { name: 'issue_comment', payload };
    }
    return { name: 'schedule', payload: {} };
  }

  /** Where a run goes, by what started it. */
  #placeOf({ event }: Cause): Record<string, string> {
    const { production, a, b } = this.#world.projects;
    if (event === 'push' || event === 'by hand' || event === 'env-sync') {
      return { 'project-id': production.id };
    }
    const leased = { 'preview-projects': `${a.id}\n${b.id}` };
    return {
      'preview-domain': template,
      ...(this.#history.isLeased ? leased : { 'project-id': a.id }),
      ...(event === 'sweep' && { deploy: 'false' }),
    };
  }

  async #start(act: RunAct, event: RunEvent, attempt: number, runId?: string): Promise<void> {
    const { run, cause, trouble = null } = act;
    const commit = 'commit' in cause ? this.#world.commits[cause.commit] : undefined;
    const secret = `fake+"secret" of/run ${run}`;
    const given = { ...act.inputs };
    if (given['verify-url'] === '{page}') given['verify-url'] = this.#world.page;
    // As long as the service's own, in whose place it stands.
    const key = `fake-key-of-run-${run}-`.padEnd(this.#world.emulator.key.length, '0');
    const token = this.#world.github.issueToken({
      login: 'github-actions[bot]',
      permissions: 'all',
    });
    const ledgerKey = `fake-ledger-key-${this.#rotations}`;
    const inputs: Record<string, string> = {
      'api-key': key,
      'base-url': this.#urls.service,
      timeout: '60s',
      'env-ledger-key': ledgerKey,
      'env-ledger': this.#history.hasLedger ? 'cache' : 'off',
      ...(cause.event === 'by hand' && { 'commit-sha': commit ?? '' }),
      ...this.#placeOf(cause),
      ...given,
    };
    const quiet = Promise.withResolvers<void>();
    this.#timeline.push({ what: 'started', run });
    const before = this.look();
    const isAlone = trouble === null || !/^(?:hold|kill|cancel)/.test(trouble.kind);
    const running = startAction({
      action: cause.event === 'env-sync' ? join(unpacked, 'env-sync') : unpacked,
      event,
      launch: isAlone ? shareProcess : startWatched,
      inputs,
      env: { TOKEN: secret, ...this.#world.cache },
      github: {
        repository,
        runId: runId ?? String(100 + run),
        runAttempt: String(attempt),
        apiUrl: this.#urls.github,
        token,
      },
    });
    const done = running.done.finally(() => {
      this.#turns.leave(run);
      this.#timeline.push({ what: 'ended', run });
      begun.after = this.look();
    });
    const begun: Begun = {
      run,
      act,
      cause,
      event,
      runId: runId ?? String(100 + run),
      attempt,
      commit,
      inputs,
      ledgerKey,
      key,
      token,
      secrets: [key, token, secret],
      declared: declaredIn(inputs, secret),
      before,
      after: before,
      trouble,
      struck: null,
      running: { ...running, done },
      reachHold: quiet.resolve,
      // What is wrong with it is told by who awaits its end.
      isQuiet: Promise.race([quiet.promise, done.catch(() => undefined)]),
      result: undefined,
    };
    this.#runs.set(run, begun);
    this.#turns.expect(run, start);
    if (trouble?.kind === 'hold') await begun.isQuiet;
  }

  /** Stands before a server: notes who asks what and what is answered, and does what goes wrong with it. */
  async #relay(side: 'service' | 'github') {
    const server = createServer((incoming, outgoing) => {
      void this.#pass(side, incoming, outgoing).catch(() => outgoing.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      [Symbol.asyncDispose]: async () => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      },
    };
  }

  /** The run that asks, by its own key or token. */
  #runOf({ headers }: IncomingMessage): Begun {
    const run = [...this.#runs.values()].find(
      ({ key, token }) =>
        headers['x-api-key'] === key || headers.authorization?.endsWith(` ${token}`),
    );
    if (run === undefined) throw new Error('nobody has this key or token');
    return run;
  }

  /** Lets a request of a run through when it is its turn. */
  async #pass(
    side: 'service' | 'github',
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const body = await buffer(incoming);
    const sent = { side, method, url, headers, body, asked: this.#timeline.length };
    const run = this.#runOf(incoming);
    await this.#turns.take(run.run);
    const { trouble } = run;
    const isStruck = trouble !== null && `${method} ${pathOf(url)}`.search(trouble.at) !== -1;
    if (isStruck) Object.assign(run, { trouble: null, struck: trouble });
    if (isStruck && trouble.kind === 'hold') {
      run.reachHold();
      this.#turns.hold(run.run);
      this.#turns.end(run.run);
      await this.#turns.take(run.run);
    }
    try {
      if (!outgoing.closed)
        await this.#exchange(run, sent, outgoing, isStruck ? trouble.kind : 'hold');
    } finally {
      this.#turns.end(run.run);
    }
  }

  /** Hands a request on and its answer back, or what goes wrong with them: nothing more with one that was held. */
  async #exchange(
    run: Begun,
    { side, method, url, headers, body, asked }: Sent,
    outgoing: ServerResponse,
    kind: Trouble['kind'],
  ): Promise<void> {
    if (kind === 'cancel') run.running.cancel();
    if (kind === 'kill before') run.running.kill();
    if (kind === 'kill before' || kind === 'no request') return void outgoing.destroy();
    if (Number(kind) > 0) {
      return void outgoing.writeHead(Number(kind), { 'retry-after': '0' }).end();
    }
    const path = pathOf(url);
    const sent = { run: run.run, side, method, path, asked, body: parse(body) };
    const request = this.#timeline.push({ what: 'sent', ...sent }) - 1;
    const { key } = this.#world.emulator;
    const answer = await forward(
      `${this.#world[side === 'service' ? 'emulator' : 'github'].url}${url}`,
      { method, headers, body },
      key,
      outgoing,
    );
    const status = answer.statusCode ?? 500;
    if (answer.headers['content-type']?.includes('event-stream') === true) {
      return void answer.pipe(outgoing.writeHead(status, answer.headers));
    }
    const ours = (await buffer(answer)).toString('latin1');
    const content = Buffer.from(ours.replaceAll(key, run.key), 'latin1');
    this.#look();
    const isTold = kind === 'hold' || kind === 'cancel';
    const told = { status, isTold, body: parse(content) };
    this.#timeline.push({ what: 'answered', run: run.run, request, ...told });
    if (kind === 'kill after') run.running.kill();
    deliver(outgoing.writeHead(status, answer.headers), content, kind);
  }
}

const pathOf = (url: string): string => url.replace(/\?.*$/, '');

/** Sends an answer, or what is left of it. */
function deliver(outgoing: ServerResponse, content: Buffer, kind: Trouble['kind']): void {
  const half = content.subarray(0, content.length / 2);
  if (kind === 'kill after' || kind === 'no answer') outgoing.destroy();
  else if (kind === 'cut') outgoing.write(half, () => outgoing.destroy());
  else outgoing.end(content);
}

/** The values that a run declares, by name. */
function declaredIn(inputs: Record<string, string>, secret: string): Record<string, string> {
  const lines = (inputs['env'] ?? '').split('\n').filter((line) => line !== '');
  return {
    ...Object.fromEntries(lines.map((line) => line.split('=') as [string, string])),
    ...(inputs['env-from'] === 'TOKEN' && { TOKEN: secret }),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.length === 0 ? undefined : body.toString();
  }
}

/** Sends a request on. The service knows one key, whoever asks. */
async function forward(
  url: string,
  { method, headers: { host: _, ...headers }, body }: Pick<Sent, 'method' | 'headers' | 'body'>,
  key: string,
  outgoing: ServerResponse,
): Promise<IncomingMessage> {
  const known = headers['x-api-key'] === undefined ? {} : { 'x-api-key': key };
  const onward = request(url, { method, headers: { ...headers, ...known }, agent: false });
  outgoing.once('close', () => onward.destroy());
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  answer.headers.connection = 'keep-alive';
  return answer;
}

/** The world at the end of a history, and how its runs ended. */
export interface Ended {
  emulator: Emulator;
  github: GitHubStandIn;
  steps: ActionResult[];
}

/** Plays a history to its end, and hands its world to who wants more of it. */
export async function play(
  history: History,
  onEnd: (ended: Ended) => void = () => undefined,
): Promise<Played> {
  await using emulator = await startEmulator({
    dialect: { buildMs: 0, verifyMs: 0, ...history.dialect },
  });
  await using github = await startGitHub();
  await using cache = await startCacheServer();
  const names = ['production', 'a', 'b', 'foreign'] as const;
  const made = await Promise.all(names.map((name) => emulator.world.createProject(name)));
  const [production, a, b, foreign] = made;
  if (!production || !a || !b || !foreign) throw new Error('a project is missing');
  const projects = { production, a, b, foreign };
  const commits: string[] = [];
  for (const project of made) {
    commits[0] = await project.head();
    for (const [index, message] of ['one', 'two', 'three'].entries()) {
      commits[index + 1] = await addCommit(project, commits[index] ?? '', message);
    }
    for (const name of ['UNDECLARED', 'OLD']) project.setVariable({ name, value: `first ${name}` });
  }
  for (const [index, sha] of commits.entries()) {
    const parents = commits.slice(Math.max(0, index - 1), index);
    github.commits.set(`${repository}@${sha}`, { parents });
  }
  github.refs.set(`${repository}@main`, commits.at(-1) ?? '');
  const broken = new Set(history.broken.map((index) => commits[index] ?? ''));
  using page = await servePage(production, { broken, onBroken: async () => undefined });
  const stage = new Stage(history, {
    emulator,
    github,
    projects,
    commits,
    page: page.url,
    cache: history.hasLedger ? cache.environment : {},
  });
  const played = await stage.play();
  onEnd({ emulator, github, steps: await stage.steps() });
  return played;
}
