import type { Code } from '../../kernel/code.ts';
import { DiagnosedError, diagnose } from '../../kernel/diagnostic.ts';
import { listNames } from '../../kernel/names.ts';
import { type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';
import { type GitFault, isPassing } from './fault.ts';
import { remedyFor } from './rejection.ts';

/**
 * Why the commit could not be taken from the workspace. Its objects are elsewhere if it is a `worktree` or a submodule, if it
 * is `borrowing` another clone's, or by a link (`foreign`). They may be named by `other-hash`, SHA-256.
 */
export type WorkspaceLack = keyof typeof lacks;

/** Why a git command for a remote failed. */
export interface RemoteFailure {
  readonly fault: GitFault;
  readonly detail: SafeText;
  /** The repository on the same server that the remote redirects to, if that is the fault. */
  readonly target?: SafeText | undefined;
  /** The environment variable that sets the proxy for the remote, if one does. */
  readonly proxyVariable?: SafeText | undefined;
}

/** The commit could not be fetched from the server that has it. */
interface SourceTrouble extends RemoteFailure {
  readonly kind: 'source';
  readonly repository: SafeText;
  /** 40 hex digits. */
  readonly commit: string;
  readonly lack: WorkspaceLack;
  /** True if that is not GitHub: no input has a token for it. */
  readonly isClone?: true | undefined;
}

/** The project's repository was not reachable, or responded with an error. */
export interface ProjectTrouble extends RemoteFailure {
  readonly kind: 'project';
  /** Absent: while reading. */
  readonly during?: 'push';
}

/** Why a commit could not be pushed. */
export type GitTrouble =
  | { readonly kind: 'no-git' }
  | { readonly kind: 'old-git'; readonly version: SafeText }
  /** Git failed without network access. */
  | { readonly kind: 'local'; readonly detail: SafeText }
  | SourceTrouble
  | ProjectTrouble
  | {
      readonly kind: 'rejected';
      readonly branch: SafeText;
      /** Git's word for it, such as `pre-receive hook declined`. */
      readonly reason: SafeText;
      /** The host's own words; may be empty. */
      readonly detail: SafeText;
    }
  /** The project's repository has other branches, but not the one that is pushed to if none is set. */
  | {
      readonly kind: 'no-branch';
      readonly branch: SafeText;
      readonly others: readonly SafeText[];
      /** That of them which is the repository's default branch, if only one has its head. */
      readonly usual: SafeText | undefined;
    }
  /** The project's repository uses another hash for its commits. */
  | { readonly kind: 'other-hash' }
  /** The project's repository lacks a part of the branch's history. */
  | { readonly kind: 'cut-history'; readonly branch: SafeText }
  | { readonly kind: 'not-stored'; readonly detail: SafeText }
  /** Another push came between reading the branch and our forced push. */
  | { readonly kind: 'rival'; readonly branch: SafeText };

/** What the workspace lacks, as a part of a sentence. */
export const lacks = {
  nothing: safe`nothing is checked out`,
  'another-commit': safe`the checkout doesn't contain it`,
  shallow: safe`the checkout is a shallow clone`,
  partial: safe`the checkout is a partial clone`,
  worktree: safe`the checkout is a worktree or a submodule`,
  'other-hash': safe`the checkout uses SHA-256`,
  borrowing: safe`the checkout borrows objects of another clone`,
  foreign: safe`the checkout's objects are stored outside it`,
} as const satisfies Readonly<Record<string, SafeText>>;

/** The line of the workflow that gives access to the commit. */
function missingLine(lack: WorkspaceLack): SafeText {
  if (lack === 'shallow') return safe`Add \`fetch-depth: 0\` to the inputs of actions/checkout`;
  return lack === 'partial'
    ? safe`Set \`fetch-depth: 0\` and no \`filter\` in the inputs of actions/checkout`
    : safe`Add \`contents: read\` to the job's \`permissions\``;
}

const proxyOf = ({ proxyVariable }: RemoteFailure): SafeText =>
  proxyVariable === undefined ? safe`The proxy` : safe`The proxy (${proxyVariable})`;

const proxyDown = (failure: RemoteFailure): SafeText =>
  safe`${proxyOf(failure)} does not respond. Check its address, or list the host in no_proxy.`;

const diskFull = safe`The runner's disk is full (RUNNER_TEMP).`;

const proxyRefusal = (failure: RemoteFailure): SafeText =>
  safe`${proxyOf(failure)} refused the connection. Allow it in the proxy, or list the host in no_proxy.`;

const proxyLogin = (failure: RemoteFailure): SafeText =>
  safe`${proxyOf(failure)} requires a valid user name and password. Put them in its URL (http://user:password@host:port), or list the host in no_proxy.`;

const ownClone = safe`Run this command in a separate clone`;

/** How a clone gets what it lacks. */
export const wholeClone: Readonly<Record<WorkspaceLack, SafeText>> = {
  nothing: safe`Run this command in a clone of the repository`,
  'another-commit': safe`Fetch it with its history before this command`,
  shallow: safe`Run \`git fetch --unshallow\` before this command, or clone it without \`--depth\``,
  partial: safe`Clone it without \`--filter\``,
  worktree: ownClone,
  'other-hash': safe`Deploy from a SHA-1 repository, or set commit-sha to HEAD to deploy what the project's repository has`,
  borrowing: safe`Run \`git repack -a -d\`, then delete .git/objects/info/alternates`,
  foreign: ownClone,
};

const unreadable = ({ lack, repository, isClone }: SourceTrouble): SafeText => {
  if (isClone)
    return safe`Can't fetch the commit: ${lacks[lack]}, and this command can't read ${repository}. ${wholeClone[lack]}.`;
  return safe`Can't fetch the commit: ${lacks[lack]}, and github-token has no read access to ${repository}. ${missingLine(lack)}.`;
};

const unreachable = (trouble: SourceTrouble): SafeText => {
  const { fault, lack, repository, isClone, target = safe`another server or page` } = trouble;
  if (causeOf(trouble) === untrusted) return safe`Could not fetch the commit from ${repository}.`;
  const redirect = fault === 'redirected' ? safe`, which redirects to ${target}` : safe``;
  const what = safe`Could not fetch the commit from ${repository}${redirect}, and ${lacks[lack]}.`;
  if (isClone) return safe`${what} ${wholeClone[lack]}.`;
  const checkout = safe`actions/checkout with \`fetch-depth: 0\` before this step.`;
  return isPassing(fault)
    ? safe`${what} Rerun the job, or run ${checkout}`
    : safe`${what} Run ${checkout}`;
};

const ofSource: Readonly<Record<GitFault, (trouble: SourceTrouble) => SafeText>> = {
  credentials: unreadable,
  forbidden: unreadable,
  'not-found': unreadable,
  proxy: proxyRefusal,
  'proxy-login': proxyLogin,
  redirected: unreachable,
  'too-large': unreachable,
  refused: unreachable,
  busy: unreachable,
  broken: unreachable,
  'cut-off': unreachable,
  'too-much': unreachable,
  'proxy-down': proxyDown,
  'no-commit': ({ commit, repository }) =>
    safe`${repository} has no commit ${unsafeText(commit)}. Check commit-sha, and that the commit is pushed and still on a branch.`,
  'no-room': () => diskFull,
};

const ofProject: Readonly<Record<GitFault, (trouble: ProjectTrouble) => SafeText>> = {
  credentials: () =>
    safe`The project's repository rejected git-token, or the user name in git-url (by default git). Check that the secret is set for this repository and environment.`,
  forbidden: () =>
    safe`git-token lacks a permission for the project's repository. Give it push access.`,
  'not-found': () =>
    safe`No repository found at git-url, or git-token has no access to it. Check both, and \`{projectId}\` in the URL.`,
  redirected: ({ target }) =>
    target === undefined
      ? safe`git-url redirects to another server or page, and git-token is not sent there. Set git-url to the address that the repository's server shows for cloning.`
      : safe`git-url redirects to ${target}, and git-token is not sent after a redirect. Set git-url to that address.`,
  proxy: proxyRefusal,
  'proxy-login': proxyLogin,
  'too-large': () => safe`The push is larger than the project's repository accepts.`,
  refused: () =>
    safe`git-url is not the URL of a git repository, or its server does not support this request.`,
  busy: () => safe`The project's repository is busy. Rerun the job.`,
  broken: (trouble) =>
    causeOf(trouble) === untrusted
      ? safe`Could not connect to the project's repository.`
      : safe`Could not connect to the project's repository. Check git-url and the runner's network access.`,
  'cut-off': ({ during }) =>
    during === 'push'
      ? safe`The connection to the project's repository broke during the push. Rerun the job.`
      : safe`The connection to the project's repository broke while reading. Rerun the job.`,
  'too-much': () =>
    safe`The project's repository sent more data than the limit. Check that git-url is the project's repository.`,
  'proxy-down': proxyDown,
  'no-commit': () => safe`The project's branch changed while it was read. Rerun the job.`,
  'no-room': () => diskFull,
};

const ofFault: Readonly<Record<GitFault, { source: Code; project: Code }>> = {
  credentials: { source: 'SD7101', project: 'SD7201' },
  forbidden: { source: 'SD7101', project: 'SD7202' },
  'not-found': { source: 'SD7101', project: 'SD7203' },
  redirected: { source: 'SD7102', project: 'SD7204' },
  'too-large': { source: 'SD7102', project: 'SD7205' },
  refused: { source: 'SD7102', project: 'SD7206' },
  proxy: { source: 'SD7301', project: 'SD7301' },
  'proxy-login': { source: 'SD7301', project: 'SD7301' },
  busy: { source: 'SD7102', project: 'SD7207' },
  broken: { source: 'SD7102', project: 'SD7208' },
  'cut-off': { source: 'SD7102', project: 'SD7210' },
  'too-much': { source: 'SD7102', project: 'SD7211' },
  'proxy-down': { source: 'SD7303', project: 'SD7303' },
  'no-commit': { source: 'SD7103', project: 'SD7209' },
  'no-room': { source: 'SD7302', project: 'SD7302' },
};

const ofKind: Readonly<Record<Exclude<GitTrouble['kind'], 'source' | 'project'>, Code>> = {
  'no-git': 'SD7001',
  'old-git': 'SD7002',
  local: 'SD7003',
  rival: 'SD7005',
  rejected: 'SD7006',
  'other-hash': 'SD7007',
  'not-stored': 'SD7008',
  'no-branch': 'SD7010',
  'cut-history': 'SD7012',
};

function sentenceOf(trouble: GitTrouble): SafeText {
  switch (trouble.kind) {
    case 'no-git':
      return safe`git-url needs git, which is not installed. Install git ${oldestGit} or newer in an earlier step, or use a runner that has it.`;
    case 'old-git':
      return safe`Git ${trouble.version} is too old for git-url. Install git ${oldestGit} or newer in an earlier step.`;
    case 'local':
      return safe`Git failed on this machine.`;
    case 'source':
      return ofSource[trouble.fault](trouble);
    case 'project':
      return ofProject[trouble.fault](trouble);
    case 'rejected':
      return safe`The project's repository rejected the push to ${trouble.branch}: ${trouble.reason || safe`no reason given`}. ${remedyFor(trouble.reason, trouble.detail)}`;
    case 'other-hash':
      return safe`The project's repository uses SHA-256, and git can't push a SHA-1 commit to it. Create it again with SHA-1 (\`git init --object-format=sha1\`).`;
    case 'cut-history':
      return safe`The project's repository doesn't have the whole history of ${trouble.branch}: it may be a shallow clone. Complete it there with \`git fetch --unshallow\`, or create it again.`;
    case 'not-stored':
      return safe`The project's repository could not store the commit. It may be out of space.`;
    case 'no-branch':
      return safe`The project's repository has no branch ${trouble.branch}, but ${listNames(trouble.others, (name) => shorten(name, 60), 5)}. Set git-branch to the branch that the service deploys, or to a new one.`;
    case 'rival':
      return safe`Another push to ${trouble.branch} of the project's repository came first, and nothing was forced. Rerun the job.`;
  }
}

/** Thrown when a commit could not be pushed. Nothing was deployed, and nothing was forced. */
export class GitFailure extends DiagnosedError {
  override readonly name = 'GitFailure';
  readonly trouble: GitTrouble;

  constructor(trouble: GitTrouble) {
    const { kind } = trouble;
    const isRemote = kind === 'source' || kind === 'project';
    const code = isRemote ? ofFault[trouble.fault][kind] : ofKind[kind];
    const error = diagnose(code, safe`${sentenceOf(trouble)}${describeGitOutput(trouble)}`);
    super(kind === 'no-branch' ? { ...error, branch: trouble.usual } : error);
    this.trouble = trouble;
  }
}

/** The cause that has its own remedy, other than a look at the address and the network. */
const untrusted = safe`the server's certificate is not trusted. For a private authority, set SSL_CERT_FILE to one file with the system's certificates and its own`;

/** Causes of a connection error, by the messages of git, curl and ssh. */
const causes: readonly (readonly [RegExp, SafeText])[] = [
  [
    /Could not resolve (?:host|proxy)|Name or service not known/i,
    safe`the host name is not in DNS`,
  ],
  [/Temporary failure in name resolution/i, safe`DNS did not respond`],
  [/Connection refused|Couldn't connect to server/i, safe`no server listens at its address`],
  [/No route to host|Network is unreachable/i, safe`there is no network route to its address`],
  [/timed out|Timeout was reached|too slow/i, safe`the server did not respond in time`],
  [/certificate has expired/i, safe`the server's certificate has expired`],
  [/no alternative certificate subject name/i, safe`the server's certificate is for another name`],
  [/certificate (?:problem|verif)/i, untrusted],
  [
    /Host key verification failed/i,
    safe`the server's host key is not in known_hosts, or is a different one`,
  ],
  [/Permission denied \(/i, safe`the server does not accept the ssh key`],
  [
    /Connection reset|early EOF|hung up|Empty reply|unexpected disconnect|Recv failure|closed by remote host/i,
    safe`the server closed the connection`,
  ],
];

/** Faults to which git's output adds nothing, unless it contains text from the remote. */
const clear: ReadonlySet<GitFault> = new Set([
  'credentials',
  'forbidden',
  'not-found',
  'redirected',
  'proxy',
  'proxy-login',
  'proxy-down',
  'too-much',
  'too-large',
  'no-commit',
  'no-room',
]);

const hasRemoteText = (detail: SafeText): boolean => /\bremote: /.test(detail);

/** The cause of a connection error, by git's output; undefined if it shows none. */
function causeOf({ fault, detail }: RemoteFailure): SafeText | undefined {
  if ((fault !== 'broken' && fault !== 'cut-off') || hasRemoteText(detail)) return undefined;
  return causes.find(([pattern]) => pattern.test(detail))?.[1];
}

/** What git's output adds to our sentence, with a leading space; may be empty. */
function describeGitOutput(trouble: GitTrouble): SafeText {
  if (!('detail' in trouble)) return safe``;
  const { detail } = trouble;
  if (trouble.kind === 'rejected') return detail === '' ? safe`` : safe` Git: ${detail}`;
  const isRemote = 'fault' in trouble;
  if (isRemote && clear.has(trouble.fault) && !hasRemoteText(detail)) return safe``;
  const plain = detail.replace(/(?<=^| )(?:fatal|remote): /g, '').replace(/^error: /, '');
  // Later errors are consequences of the first one.
  const message = unsafeText(plain.replace(/ error: (?!\d).*/, ''));
  if (message === '') return safe``;
  const cause = isRemote ? causeOf(trouble) : undefined;
  if (cause !== undefined) return safe` Cause: ${cause}.`;
  const [, status] = /The requested URL returned error: (\d{3})/.exec(message) ?? [];
  if (status === undefined) return safe` Git: ${message}`;
  const remote = detail.matchAll(/\bremote: (.*?)(?= (?:remote|fatal|error): |$)/g);
  const text = unsafeText(Array.from(remote, ([, part = '']) => part).join(' '));
  return text === ''
    ? safe` It returned ${unsafeText(status)}.`
    : safe` It returned ${unsafeText(status)}: ${text}`;
}

/** The oldest supported git: 2.32 is the first that can ignore all settings files. */
const oldestGit = safe`2.32`;

/** The version that `git version` printed, such as `2.39.5`, or null if it printed something else. */
export function readGitVersion(output: string): string | null {
  return /^git version (\d+\.\d+(?:\.\d+)*)/.exec(output)?.[1] ?? null;
}

/** Whether a version is {@link oldestGit} or newer. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestGit.split('.').map(Number);
  return major === oldestMajor ? minor >= oldestMinor : major > oldestMajor;
}
