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
import { adjust, examplePayload } from '../support/payloads.ts';
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
  act: RunAct;
  event: RunEvent;
  running: RunningAction;
  /** Null once it has come. */
  trouble: Trouble | null;
  /** Lets what is held go. */
  letGo: () => void;
  held: Promise<void> | undefined;
  /** Resolves when it is held, or has ended. */
  isQuiet: Promise<unknown>;
  reachHold: () => void;
}

/** A world in which a history is played. */
class Stage {
  readonly #history: History;
  readonly #emulator: Emulator;
  readonly #github: GitHubStandIn;
  readonly #projects: Record<ProjectName | 'foreign', EmulatedProject>;
  readonly #commits: readonly string[];
  readonly #page: string;
  readonly #cache: Readonly<Record<string, string>>;
  readonly #timeline: Happening[] = [];
  readonly #runs = new Map<number, Begun>();
  readonly #urls = { service: '', github: '' };
  #rotations = 0;
  #lastLook = '';

  constructor(
    history: History,
    world: {
      emulator: Emulator;
      github: GitHubStandIn;
      projects: Record<ProjectName | 'foreign', EmulatedProject>;
      commits: readonly string[];
      page: string;
      cache: Readonly<Record<string, string>>;
    },
  ) {
    this.#history = history;
    this.#emulator = world.emulator;
    this.#github = world.github;
    this.#projects = world.projects;
    this.#commits = world.commits;
    this.#page = world.page;
    this.#cache = world.cache;
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
    const { domains } = this.#emulator.world;
    return {
      domains: domains.all.map(({ hostname, projectId, state }) => ({
        hostname,
        projectId,
        state,
      })),
      projects: Object.values(this.#projects).map(({ id, variables, deployments }) => ({
        id,
        variables: variables.map(({ id, name, value, version, kind }) => ({
          id,
          name,
          value,
          version,
          kind,
        })),
        deployments: deployments.map(({ id, commit, status, endedAt }) => ({
          id,
          commit,
          status,
          endedAt,
        })),
      })),
      records: this.#github.deployments(repository).map(({ id, sha, environment, statuses }) => ({
        id,
        sha,
        environment,
        states: statuses.map(({ state }) => state),
      })),
      pulls: [...this.#github.pullRequests.values()].map(({ number, state }) => ({
        number,
        state,
      })),
    };
  }

  async play(): Promise<Played> {
    await using service = await this.#relay('service', this.#emulator.url);
    await using github = await this.#relay('github', this.#github.url);
    this.#urls.service = service.url;
    this.#urls.github = github.url;
    this.#look();
    for (const act of this.#history.acts) await this.#do(act);
    for (const { letGo } of this.#runs.values()) letGo();
    await Promise.all([...this.#runs.values()].map((run) => this.#end(run)));
    await Promise.all(
      this.#emulator.world.projects.flatMap(({ deployments }) =>
        deployments.map(({ ended }) => ended),
      ),
    );
    this.#look();
    return {
      history: this.#history,
      timeline: this.#timeline,
      runs: [...this.#runs.values()].map(
        ({
          act,
          running: _r,
          event: _e,
          letGo: _l,
          held: _h,
          isQuiet: _q,
          reachHold: _rh,
          ...run
        }) => ({ ...run, cause: act.cause }) as PlayedRun,
      ),
      end: this.look(),
      comments: numbers.flatMap((number) =>
        this.#github
          .comments(repository, number)
          .map(({ body = '', user }) => ({ number, body, author: user?.login ?? '' })),
      ),
      recordTexts: JSON.stringify(this.#github.deployments(repository)),
      violations: [...this.#github.violations],
      commits: this.#commits,
      projects: Object.fromEntries(
        Object.entries(this.#projects).map(([name, { id }]) => [name, id]),
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
      run.letGo();
      if (act.do === 'await') await this.#end(run);
      return;
    }
    this.#byHand(act);
    this.#look();
  }

  /** What people do. */
  #byHand(act: Act): void {
    const { world } = this.#emulator;
    if (act.do === 'set') this.#projects[act.project].setVariable(act);
    if (act.do === 'unset') this.#projects[act.project].deleteVariable(act.name);
    if (act.do === 'forget') this.#github.deployments(repository).pop();
    if (act.do === 'rotate') this.#rotations += 1;
    if (act.do !== 'move') return;
    const hostname = hostnameOf(act.number);
    const to = act.to === null ? null : this.#projects[act.to].id;
    if (world.domains.find(hostname)) world.assignDomain(hostname, to);
  }

  async #end(run: Begun): Promise<void> {
    run.result ??= resultOf(await run.running.done);
  }

  /** GitHub's event, after what it tells has happened there. */
  #eventOf(cause: Cause): RunEvent {
    if (cause.event === 'push') return pushOf(this.#commits[cause.commit] ?? '');
    if (cause.event === 'by hand') {
      const commit = this.#commits[cause.commit];
      return { name: 'workflow_dispatch', payload: { inputs: { commit } } };
    }
    if (cause.event === 'pull request') {
      const { number, action, commit } = cause;
      const sha = this.#commits[commit] ?? '';
      const head = { ref: `topic-${number}`, sha, repo: { full_name: repository, fork: false } };
      const state = action === 'closed' ? 'closed' : 'open';
      const base = { ref: 'main', sha: this.#commits[0] ?? '' };
      this.#github.pullRequests.set(`${repository}#${number}`, { number, state, head, base });
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
    const { production, a, b } = this.#projects;
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
    const commit = 'commit' in cause ? this.#commits[cause.commit] : undefined;
    const secret = `fake+"secret" of/run ${run}`;
    const given = { ...act.inputs };
    if (given['verify-url'] === '{page}') given['verify-url'] = this.#page;
    // As long as the service's own, in whose place it stands.
    const key = `fake-key-of-run-${run}-`.padEnd(this.#emulator.key.length, '0');
    const token = this.#github.issueToken({ login: 'github-actions[bot]', permissions: 'all' });
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
    const holding = Promise.withResolvers<void>();
    const quiet = Promise.withResolvers<void>();
    this.#timeline.push({ what: 'started', run });
    const before = this.look();
    const isAlone = trouble === null || !/^(?:hold|kill|cancel)/.test(trouble.kind);
    const running = startAction({
      action: cause.event === 'env-sync' ? join(unpacked, 'env-sync') : unpacked,
      event,
      launch: isAlone ? shareProcess : startWatched,
      inputs,
      env: { TOKEN: secret, ...this.#cache },
      github: {
        repository,
        runId: runId ?? String(100 + run),
        runAttempt: String(attempt),
        apiUrl: this.#urls.github,
        token,
      },
    });
    const done = running.done.finally(() => {
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
      held: undefined,
      letGo: () => {
        if (begun.held !== undefined && trouble?.at === '') begun.before = this.look();
        begun.held = undefined;
        holding.resolve();
      },
      reachHold: () => {
        begun.held = holding.promise;
        quiet.resolve();
      },
      isQuiet: Promise.race([quiet.promise, done]),
      result: undefined,
    };
    this.#runs.set(run, begun);
    if (trouble?.kind === 'hold') await begun.isQuiet;
  }

  /** Stands before a server: notes who asks what and what is answered, and does what goes wrong with it. */
  async #relay(side: 'service' | 'github', target: string) {
    const server = createServer((incoming, outgoing) => {
      void this.#pass(side, target, incoming, outgoing).catch(() => outgoing.destroy());
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

  /** The run that asks, by its own key or token; and what goes wrong with this request, which is then over. */
  #troubleOf({ method = '', url = '', headers }: IncomingMessage) {
    const run = [...this.#runs.values()].find(
      ({ key, token }) =>
        headers['x-api-key'] === key || headers.authorization?.endsWith(` ${token}`),
    );
    const path = url.replace(/\?.*$/, '');
    const { trouble = null } = run ?? {};
    const isStruck = trouble !== null && `${method} ${path}`.search(trouble.at) !== -1;
    if (run !== undefined && isStruck) Object.assign(run, { trouble: null, struck: trouble });
    return { run, method, url, path, kind: isStruck ? trouble.kind : undefined };
  }

  async #pass(
    side: 'service' | 'github',
    target: string,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const body = await buffer(incoming);
    const { run, method, url, path, kind } = this.#troubleOf(incoming);
    if (kind === 'hold') run?.reachHold();
    await run?.held;
    if (kind === 'cancel') run?.running.cancel();
    if (kind === 'kill before') run?.running.kill();
    if (kind === 'kill before' || kind === 'no request') return void outgoing.destroy();
    if (kind !== undefined && Number(kind) > 0) {
      return void outgoing.writeHead(Number(kind), { 'retry-after': '0' }).end();
    }
    const sent = { what: 'sent', run: run?.run, side, method, path, body: parse(body) } as const;
    const request = this.#timeline.push(sent) - 1;
    const { headers } = incoming;
    const onward = { method, url, headers, body };
    const answer = await forward(target, onward, this.#emulator.key, outgoing);
    const status = answer.statusCode ?? 500;
    if (answer.headers['content-type']?.includes('event-stream') === true) {
      return void answer.pipe(outgoing.writeHead(status, answer.headers));
    }
    const ours = (await buffer(answer)).toString('latin1');
    const content = Buffer.from(ours.replaceAll(this.#emulator.key, run?.key ?? ''), 'latin1');
    this.#look();
    const isTold = kind === undefined || kind === 'hold' || kind === 'cancel';
    const told = { status, isTold, body: parse(content) };
    this.#timeline.push({ what: 'answered', run: run?.run, request, ...told });
    if (kind === 'kill after') run?.running.kill();
    deliver(outgoing.writeHead(status, answer.headers), content, kind);
  }
}

/** Sends an answer, or what is left of it. */
function deliver(outgoing: ServerResponse, content: Buffer, kind: Trouble['kind'] | undefined) {
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

/** Hands a request on. The service knows one key, whoever asks. */
async function forward(
  target: string,
  sent: Pick<IncomingMessage, 'headers'> & { method: string; url: string; body: Buffer },
  key: string,
  outgoing: ServerResponse,
): Promise<IncomingMessage> {
  const { host: _, ...headers } = sent.headers;
  const known = headers['x-api-key'] === undefined ? {} : { 'x-api-key': key };
  const onward = request(`${target}${sent.url}`, {
    method: sent.method,
    headers: { ...headers, ...known },
    agent: false,
  });
  outgoing.once('close', () => onward.destroy());
  onward.end(sent.body);
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
