import { git } from '../git/git.ts';
import type { GitHubEvent, GitHubStandIn } from '../github/index.ts';
import { checkOut } from './check-out.ts';
import { ConcurrencyGroups } from './concurrency.ts';
import { find } from './expressions.ts';
import type { Play, Progress } from './play-options.ts';
import { playWorkflow, type WorkflowEnd } from './play-workflow.ts';
import { missingIn, namesIn, readWorkflow, type Workflow } from './read-workflow.ts';
import { asksForFiles, reasonAgainst } from './triggers.ts';

/** A run of a workflow. */
export type Run = {
  id: number;
  /** 1 for the first run of this workflow. */
  number: number;
  /** The workflow's name; its file if it has none. */
  name: string;
  file: string;
  event: GitHubEvent;
};

/** What is told while a repository's workflows are played. Texts of files and events are as they are. */
export type RunProgress =
  | { type: 'event'; event: GitHubEvent; started: readonly string[]; left: readonly string[] }
  | { type: 'mistake'; text: string }
  /** With the names that stand for a value which nothing was given for. */
  | { type: 'start'; run: Run; invented: readonly string[] }
  | { type: 'run'; run: Run; progress: Progress }
  | {
      type: 'end';
      run: Run;
      conclusion: WorkflowEnd['conclusion'] | 'replaced';
      notPlayed: readonly string[];
    };

/** How a repository's workflows are played. */
export type RunsOptions = Pick<
  Play,
  'actions' | 'runtime' | 'launch' | 'debug' | 'runSteps' | 'refuse'
> & {
  github: GitHubStandIn;
  /** One that is served: `owner/name`. */
  repository: string;
  secrets: Readonly<Record<string, string>>;
  vars: Readonly<Record<string, string>>;
  /** The value of a secret or a variable that is not given. */
  invent: (context: 'secrets' | 'vars', name: string) => string;
  report: (progress: RunProgress) => void;
};

/** A repository whose workflows are played. Disposing of it cancels what runs, and waits for that. */
export type RepositoryRuns = AsyncDisposable & {
  /** Waits until nothing runs or waits. */
  idle(): Promise<void>;
};

/** Plays the workflows of a repository that its events start, each in its order and its groups. */
export function playRepository(options: RunsOptions): RepositoryRuns {
  const runs = new Runs(options);
  options.github.onEvent((event) => {
    if (event.repository === options.repository) runs.receive(event);
  });
  return { idle: () => runs.idle(), [Symbol.asyncDispose]: () => runs.close() };
}

const skipping = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/;

class Runs {
  readonly #options: RunsOptions;
  readonly #groups = new ConcurrencyGroups();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #numbers = new Map<string, number>();
  #reading: Promise<void> = Promise.resolve();
  #lastId = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** Takes an event. Files are read in the order of the events, so that groups have their runs in that order. */
  receive(event: GitHubEvent): void {
    this.#reading = this.#reading.then(async () => {
      if (this.#stop.signal.aborted) return;
      for (const one of eventsOf(event)) await this.#start(one).catch((error) => this.#fail(error));
    });
  }

  async idle(): Promise<void> {
    for (;;) {
      const reading = this.#reading;
      await reading;
      await Promise.all(this.#running);
      if (reading === this.#reading && this.#running.size === 0) return;
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.idle();
  }

  #fail(error: unknown, file?: string): void {
    const reason = error instanceof Error ? error.message : String(error);
    const text = file === undefined ? reason : `${file}: ${reason}`;
    this.#options.report({ type: 'mistake', text });
  }

  async #start(event: GitHubEvent): Promise<void> {
    const { report, github, repository } = this.#options;
    const folder = await github.gitFolder(repository);
    const found = await this.#workflowsFor(event, folder);
    if (event.name !== 'pull_request_target' || found.started.length > 0) {
      const started = found.started.map(({ file }) => file);
      report({ type: 'event', event, started, left: found.left });
    }
    for (const workflow of found.started) {
      const run = this.#play(workflow, event).catch((error) => this.#fail(error, workflow.file));
      this.#running.add(run);
      void run.finally(() => this.#running.delete(run));
    }
  }

  /** The workflows that an event starts, and why it does not start the others. */
  async #workflowsFor(event: GitHubEvent, folder: string) {
    const started: Workflow[] = [];
    const left: string[] = [];
    const reason = reasonForNone(event);
    if (reason !== undefined) return { started, left: [reason] };
    const files = await readFiles(folder, event.sha);
    const { workflow: only } = event;
    const chosen = [...files].filter(([file]) => only === undefined || only === file);
    if (chosen.length === 0) left.push(`the commit has no .github/workflows/${only ?? '*.yml'}`);
    for (const [file, source] of chosen) {
      const workflow = await readWorkflow(file, source);
      if ('mistakes' in workflow) {
        for (const text of workflow.mistakes) this.#options.report({ type: 'mistake', text });
        continue;
      }
      const against = await reasonFor(workflow, event, folder).catch(
        (error: unknown) => `on: ${error instanceof Error ? error.message : String(error)}`,
      );
      if (against === undefined) started.push(workflow);
      else left.push(`${file}: ${against}`);
    }
    return { started, left };
  }

  async #play(workflow: Workflow, event: GitHubEvent): Promise<void> {
    const { github, repository, report, invent, ...options } = this.#options;
    this.#lastId += 1;
    const number = (this.#numbers.get(workflow.file) ?? 0) + 1;
    this.#numbers.set(workflow.file, number);
    const title = find(workflow.token, 'name');
    const { file } = workflow;
    const name = title === undefined ? `.github/workflows/${file}` : String(title);
    const short = title === undefined ? file : name;
    const run: Run = { id: this.#lastId, number, name: short, file, event };
    report({ type: 'start', run, invented: missingIn(workflow, this.#options) });
    const filled = (context: 'secrets' | 'vars') => {
      const names = namesIn(workflow, context).filter((one) => one !== 'GITHUB_TOKEN');
      const made = names.map((one) => [one, invent(context, one)]);
      return { ...Object.fromEntries(made), ...this.#options[context] };
    };
    const { runtime, actions, launch, debug, runSteps, refuse } = options;
    const given = { runtime, actions, launch, debug, runSteps, refuse };
    const known = Object.entries(given).filter(([, value]) => value !== undefined);
    const end = await playWorkflow(workflow, {
      ...(Object.fromEntries(known) as Pick<Play, 'actions'>),
      event: { name: event.name, payload: payloadFor(workflow, event) },
      github: {
        repository,
        ref: event.ref,
        sha: event.sha,
        actor: event.actor,
        runId: String(run.id),
        runNumber: String(number),
        workflow: name,
        workflowRef: `${repository}/.github/workflows/${file}@${event.ref}`,
        apiUrl: github.url,
        serverUrl: github.url,
        token: '',
      },
      secrets: filled('secrets'),
      vars: filled('vars'),
      inputs: inputsFor(workflow, event),
      checkOut: (checkout) => checkOut(checkout, { url: github.url, repository }),
      token: {
        issue: (permissions) => github.issueToken({ login: 'github-actions[bot]', permissions }),
        revoke: (token) => github.revokeToken(token),
      },
      groups: this.#groups,
      signal: this.#stop.signal,
      report: (progress) => report({ type: 'run', run, progress }),
    });
    const { conclusion = 'replaced' as const, notPlayed = [] } = end ?? {};
    report({ type: 'end', run, conclusion, notPlayed });
  }
}

/** Why an event starts no workflow at all. */
function reasonForNone({ payload }: GitHubEvent): string | undefined {
  if (payload['deleted'] === true) return 'nothing starts when a branch is deleted';
  const message = (payload['head_commit'] as { message?: string } | null)?.message ?? '';
  return skipping.test(message) ? 'the commit message asks for none' : undefined;
}

/** An event, and what GitHub starts beside it: `pull_request_target`, on the base's branch. */
function eventsOf(event: GitHubEvent): GitHubEvent[] {
  if (event.name !== 'pull_request') return [event];
  const { base } = event.payload['pull_request'] as { base: { ref: string; sha: string } };
  const { ref, sha } = base;
  return [event, { ...event, name: 'pull_request_target', ref: `refs/heads/${ref}`, sha }];
}

/** The workflow files of a commit, by name. */
async function readFiles(folder: string, sha: string): Promise<Map<string, string>> {
  const run = (...args: string[]) => git([`--git-dir=${folder}`, ...args]);
  const listed = await run('ls-tree', '-z', `${sha}`, '.github/workflows/');
  const files = new Map<string, string>();
  for (const entry of listed.split('\0')) {
    const [, object = '', file = ''] =
      /^100\d+ blob (\w+)\t\.github\/workflows\/([^/]+\.ya?ml)$/s.exec(entry) ?? [];
    if (object !== '') files.set(file, await run('cat-file', 'blob', object));
  }
  return files;
}

async function reasonFor(
  { events }: Workflow,
  event: GitHubEvent,
  folder: string,
): Promise<string | undefined> {
  const { name, payload } = event;
  const pull = payload['pull_request'] as { base: { ref: string } } | undefined;
  return reasonAgainst(events, {
    name,
    action: payload['action'] as string | undefined,
    ref: pull === undefined ? event.ref : `refs/heads/${pull.base.ref}`,
    files: asksForFiles(events, name) ? await changedFiles(event, folder) : undefined,
  });
}

/** The files that differ: by a push between its ends, by a pull request since it left its base. */
async function changedFiles({ payload, sha }: GitHubEvent, folder: string): Promise<string[]> {
  const pull = payload['pull_request'] as
    | { base: { sha: string }; head: { sha: string } }
    | undefined;
  const before = String(payload['before'] ?? '');
  const first = (payload['commits'] as { id: string }[] | undefined)?.[0]?.id ?? sha;
  const run = (...args: string[]) => git([`--git-dir=${folder}`, ...args]);
  const isNew = /^0*$/.test(before);
  const parent = isNew ? await run('rev-parse', '--verify', `${first}^`).catch(() => '') : before;
  const range = pull === undefined ? [parent, sha] : [`${pull.base.sha}...${pull.head.sha}`];
  const files =
    pull === undefined && parent === ''
      ? await run('ls-tree', '-r', '-z', '--name-only', sha)
      : await run('diff', '-z', '--name-only', '--no-renames', ...range);
  return files.split('\0').filter((file) => file !== '');
}

/** The payload, with what only the workflow knows: which of its schedules it is, and the defaults of its inputs. */
export function payloadFor(
  workflow: Workflow,
  { name, payload }: Pick<GitHubEvent, 'name' | 'payload'>,
) {
  const { events } = workflow;
  if (name === 'workflow_dispatch') {
    const inputs = Object.entries(inputsFor(workflow, { name, payload }));
    const texts = inputs.map(([input, value]) => [input, String(value)]);
    return { ...payload, inputs: Object.fromEntries(texts) };
  }
  if (name !== 'schedule' || payload['schedule'] !== '') return payload;
  return { ...payload, schedule: events.schedule?.[0]?.cron ?? '' };
}

/** The inputs of a run that was started by hand, with their defaults. */
export function inputsFor(
  { events }: Workflow,
  { name, payload }: Pick<GitHubEvent, 'name' | 'payload'>,
): Record<string, unknown> {
  if (name !== 'workflow_dispatch') return {};
  const given = (payload['inputs'] ?? {}) as Record<string, unknown>;
  const wanted = Object.entries(events.workflow_dispatch?.inputs ?? {});
  return Object.fromEntries(
    wanted.map(([input, { type, default: usual }]) => {
      const value = given[input] ?? usual ?? (type === 'boolean' ? false : '');
      return [input, type === 'boolean' ? String(value) === 'true' : value];
    }),
  );
}
