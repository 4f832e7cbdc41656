import { z } from 'zod';

const defaults = {
  action: '__self',
  /** Empty for an action of the workflow's own repository. */
  actionRef: '',
  actionRepository: '',
  actor: 'octocat',
  actorId: '1',
  /** Under a name that never resolves, so that a run meets no real GitHub by mistake. */
  apiUrl: 'http://api.github.invalid',
  baseRef: '',
  headRef: '',
  job: 'deploy',
  ref: 'refs/heads/main',
  refProtected: 'false',
  repository: 'octo-org/octo-site',
  repositoryId: '1',
  repositoryOwnerId: '1',
  retentionDays: '90',
  runAttempt: '1',
  runId: '1',
  runNumber: '1',
  serverUrl: 'https://github.com',
  sha: '0123456789abcdef0123456789abcdef01234567',
  token: 'fake-github-token',
  workflow: 'Deploy',
};

/**
 * The `github` context by camel-case names, for what differs from the defaults. What is not here follows from
 * the rest: `refName`, `refType`, `repositoryOwner`, …; so does `workflowRef`, which other runners leave out.
 */
export type GitHubOptions = Partial<typeof defaults & { workflowRef: string }>;

/** The `github` context by the names of GitHub's documentation (`run_id`, …). */
export type GitHubContext = Readonly<Record<string, string>>;

/** What `GITHUB_…` variables of a step come from: every property but the token. */
const hidden = new Set(['token']);

/** Completes the `github` context. */
export function githubContext(
  options: GitHubOptions,
  rest: { eventName: string; eventPath: string; workspace: string },
): GitHubContext {
  const given = { ...defaults, ...options };
  const [, kind, name] = /^refs\/(heads|tags|pull)\/(.+)$/.exec(given.ref) ?? [];
  const complete: Record<string, string> = {
    ...given,
    ...rest,
    graphqlUrl: `${given.apiUrl}/graphql`,
    refName: name ?? given.ref,
    refType: kind === 'tags' ? 'tag' : 'branch',
    repositoryOwner: given.repository.split('/')[0] ?? '',
    triggeringActor: given.actor,
    workflowRef:
      given.workflowRef ?? `${given.repository}/.github/workflows/deploy.yml@${given.ref}`,
    workflowSha: given.sha,
  };
  return Object.fromEntries(
    Object.entries(complete).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** The `GITHUB_…` variables that a step sees. */
export function githubVariables(context: GitHubContext): Record<string, string> {
  return Object.fromEntries(
    Object.entries(context)
      .filter(([name]) => !hidden.has(name))
      .map(([name, value]) => [`GITHUB_${name.toUpperCase()}`, value]),
  );
}

/**
 * Fills in the expressions of an input's default. Only properties of `github` are known.
 * @throws Error that quotes any other expression.
 */
export function evaluate(text: string, github: GitHubContext): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (expression, body: string) => {
    const [, property] = /^\s*github\.([a-z_]+)\s*$/i.exec(body) ?? [];
    if (property === undefined) throw new Error(`${expression} is not supported in a default`);
    return github[property.toLowerCase()] ?? '';
  });
}

const pullRequestShape = z.object({
  pull_request: z.object({
    base: z.object({ ref: z.string() }),
    head: z.object({ ref: z.string() }),
  }),
});

/** The branches of a pull request's event, as GitHub sets `GITHUB_BASE_REF` and `GITHUB_HEAD_REF`. */
export function pullRequestBranches(payload: unknown): GitHubOptions {
  const parsed = pullRequestShape.safeParse(payload);
  if (!parsed.success) return {};
  const { base, head } = parsed.data.pull_request;
  return { baseRef: base.ref, headRef: head.ref };
}
