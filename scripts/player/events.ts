import examples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { GitHubOptions, RunEvent } from '../../emulator/runner.ts';
import { traitsOf } from '../../src/github/runner/webhook.ts';
import { asObject } from '../../src/kernel/json.ts';
import { suggestion } from '../../src/site-file/document.ts';
import type { GivenFile } from './given-file.ts';
import { repository } from './play.ts';
import { UsageError } from './usage-error.ts';

type Payload = Record<string, unknown>;

/** What an event is about in the local world. */
export interface EventFacts {
  /** The commit. */
  sha: string;
  /** True if the payload says itself which commit it is about. */
  isOwnCommit?: boolean;
}

/** An event as it starts a run: its payload, and what GitHub says of it in the context. */
export interface StartingEvent {
  event: RunEvent;
  github: GitHubOptions;
  /** The repository, and the issue or pull request that it is about, if there is one. */
  repository: string;
  number: number | null;
}

/** The number of the pull request, or of the issue. */
const number = 7;

/** Events that start workflows, and that GitHub shows no webhook for. */
const withoutExample: Readonly<Record<string, Payload>> = {
  schedule: { schedule: '17 4 * * *' },
  image_version: {},
  registry_package: { action: 'published' },
};

/** Events whose payload is another's. */
const sameAs: Readonly<Record<string, string>> = { pull_request_target: 'pull_request' };

/** The action of an event that is played if none is named, where the first example shows another. */
const usual: Readonly<Record<string, string>> = {
  pull_request: 'opened',
  pull_request_target: 'opened',
  pull_request_review: 'submitted',
  issue_comment: 'created',
  issues: 'opened',
  discussion_comment: 'created',
  pull_request_review_comment: 'created',
  workflow_run: 'completed',
  check_run: 'completed',
  check_suite: 'completed',
  release: 'published',
};

const examplesOf = (name: string): Payload[] => {
  const all: readonly unknown[] =
    examples.find((one) => one.name === (sameAs[name] ?? name))?.examples ?? [];
  const found = all.filter((one): one is Payload => asObject(one) !== undefined);
  const own = withoutExample[name];
  return own === undefined ? found : [...found, own];
};

/** The names of all events that GitHub has. */
export const eventNames: readonly string[] = [
  ...new Set([
    ...examples.map(({ name }) => name),
    ...Object.keys(withoutExample),
    ...Object.keys(sameAs),
  ]),
].sort();

/** GitHub's own example of an event: `push`, or with its action `pull_request.closed`. */
function exampleOf(given: string): { name: string; payload: Payload } {
  const [name = '', action] = given.split('.', 2);
  if (!eventNames.includes(name)) {
    throw new UsageError(
      `--event: unknown event "${name}"${suggestion(name, eventNames) || '; --help lists them'}`,
    );
  }
  const found = examplesOf(name);
  const actions = [...new Set(found.map((one) => String(one['action'] ?? '')))].filter(Boolean);
  const wanted = action ?? usual[name];
  const payload = found.find((one) => wanted === undefined || one['action'] === wanted);
  if (payload === undefined) {
    const allowed = actions.length === 0 ? 'it has none' : `it has ${actions.join(', ')}`;
    throw new UsageError(
      `--event: ${name} has no action "${action ?? ''}"${suggestion(action ?? '', actions) || `; ${allowed}`}`,
    );
  }
  return { name, payload: structuredClone(payload) };
}

/** Sets fields of a payload, named by their paths, where it has them. */
export function adjust(payload: Payload, fields: Readonly<Record<string, unknown>>): void {
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const object = names.reduce((one: unknown, name) => asObject(one)?.[name], payload);
    if (asObject(object) !== undefined && Object.hasOwn(object as Payload, last)) {
      (object as Payload)[last] = value;
    }
  }
}

/** Whatever an event's own object is, it belongs to the repository and to the one pull request or issue. */
function placeHere(payload: Payload): void {
  adjust(payload, {
    'repository.full_name': repository,
    'repository.default_branch': 'main',
    number,
    'pull_request.number': number,
    'pull_request.head.ref': 'topic',
    'pull_request.head.repo.full_name': repository,
    'pull_request.base.ref': 'main',
    'pull_request.base.repo.full_name': repository,
    'pull_request.author_association': 'MEMBER',
    'issue.number': number,
    'issue.author_association': 'MEMBER',
    'comment.author_association': 'MEMBER',
    'review.author_association': 'MEMBER',
    'discussion.author_association': 'MEMBER',
    'workflow_run.event': 'push',
    'workflow_run.head_branch': 'main',
    'workflow_run.conclusion': 'success',
    'workflow_run.head_repository.full_name': repository,
    'workflow_run.pull_requests': [],
  });
}

/** Puts the commit wherever the payload says which one it is about. */
function putCommit(name: string, payload: Payload, sha: string): void {
  const path = traitsOf(name)?.commit;
  adjust(payload, {
    ...(name === 'push' ? { after: sha, ref: 'refs/heads/main', deleted: false } : {}),
    ...(name === 'workflow_run' ? { 'workflow_run.head_sha': sha } : {}),
    'pull_request.head.sha': sha,
    ...(path && { [path.join('.')]: sha }),
  });
}

/** What GitHub would say of the branch or tag. */
function refOf(name: string, payload: Payload): string {
  const tag = asObject(payload['release'])?.['tag_name'];
  if (typeof tag === 'string') return `refs/tags/${tag}`;
  const pullRequest = asObject(payload['pull_request']);
  const isOfBase = name === 'pull_request_target' || pullRequest === undefined;
  return isOfBase ? 'refs/heads/main' : `refs/pull/${String(pullRequest['number'])}/merge`;
}

function repositoryOf(payload: Payload): string {
  const name = asObject(payload['repository'])?.['full_name'];
  return typeof name === 'string' && /^[\w.-]+\/[\w.-]+$/.test(name) ? name : repository;
}

/** The pull request of a fork that a `workflow_run` is about; its payload does not name it. */
function forkedIn(payload: Payload): Payload | undefined {
  const repo = asObject(asObject(payload['workflow_run'])?.['head_repository']);
  const isFork = repo !== undefined && repo['full_name'] !== repositoryOf(payload);
  return isFork ? { number, state: 'open', head: { repo } } : undefined;
}

/** Lets GitHub know of the issue or pull request that an event is about. */
function tellGitHub(
  github: GitHubStandIn,
  payload: Payload,
  repository: string,
  { sha }: EventFacts,
): number | null {
  const pullRequest = asObject(payload['pull_request']) ?? forkedIn(payload);
  const about = pullRequest ?? asObject(payload['issue']);
  const id = about?.['number'];
  if (typeof id !== 'number') return null;
  if (pullRequest === undefined && asObject(about?.['pull_request']) === undefined) {
    github.issues.add(`${repository}#${id}`);
    return id;
  }
  const state = about?.['state'] === 'closed' ? 'closed' : 'open';
  const fullName = asObject(asObject(pullRequest?.['head'])?.['repo'])?.['full_name'];
  const from = typeof fullName === 'string' ? fullName : repository;
  github.pullRequests.set(`${repository}#${id}`, {
    number: id,
    state,
    head: { ref: 'topic', sha, repo: { full_name: from, fork: from !== repository } },
    base: { ref: 'main', sha },
  });
  return id;
}

/** An event with a payload, which says nothing of the local world yet. */
export interface ToldEvent {
  readonly name: string;
  readonly payload: Payload;
}

/**
 * An event of GitHub by its name, with GitHub's own example of a payload.
 *
 * @param given `push`, or with its action `pull_request.closed`
 * @throws UsageError if there is no such event or action
 */
export function eventNamed(given: string): ToldEvent {
  const example = exampleOf(given);
  placeHere(example.payload);
  return example;
}

/**
 * An event whose payload somebody has: JSON, as it stands at `GITHUB_EVENT_PATH`.
 *
 * @throws UsageError if that is no payload, or there is no such event
 */
export function eventWithPayload(given: string, { source, file }: GivenFile): ToldEvent {
  const { name } = exampleOf(given);
  const payload = parseJson(source, file);
  if (asObject(payload) === undefined) {
    throw new UsageError(`${file}: a payload must be a JSON object`);
  }
  return { name, payload: payload as Payload };
}

/** Lets an event happen in the local world, about its commit. */
export function startByEvent(
  { name, payload }: ToldEvent,
  facts: EventFacts,
  github: GitHubStandIn,
): StartingEvent {
  if (facts.isOwnCommit !== true) putCommit(name, payload, facts.sha);
  const place = repositoryOf(payload);
  return {
    event: { name, payload },
    github: { sha: facts.sha, ref: refOf(name, payload), repository: place },
    repository: place,
    number: tellGitHub(github, payload, place, facts),
  };
}

function parseJson(source: string, file: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw new UsageError(`${file} is not JSON`);
  }
}
