import type { Code } from '../../kernel/code.ts';
import { DiagnosedError, type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { GitFault } from './fault.ts';

/** Why the workspace could not give the commit: there is none, it does not have it, or it has not all of it. */
export type WorkspaceLack = 'nothing' | 'another-commit' | 'shallow' | 'partial' | 'foreign';

/** Why a commit could not be brought. */
export type GitTrouble =
  | { readonly kind: 'no-git' }
  | { readonly kind: 'old-git'; readonly version: SafeText }
  /** Git failed on this machine, without talking to anybody. */
  | { readonly kind: 'local'; readonly words: SafeText }
  /** GitHub had to be asked for the commit, and could or would not give it. */
  | {
      readonly kind: 'source';
      readonly fault: GitFault;
      readonly repository: SafeText;
      /** 40 hex digits. */
      readonly commit: string;
      readonly lack: WorkspaceLack;
      readonly words: SafeText;
    }
  /** The project's repository could not be asked, or answered with a fault. */
  | {
      readonly kind: 'project';
      readonly fault: GitFault;
      readonly words: SafeText;
      /** Absent: while it was read. */
      readonly during?: 'push';
    }
  /** The project's repository did not take the push. */
  | {
      readonly kind: 'rejected';
      readonly branch: SafeText;
      readonly reason: SafeText;
      readonly words: SafeText;
    }
  /** The project's repository names its commits by another hash. */
  | { readonly kind: 'other-hash' }
  | { readonly kind: 'not-stored'; readonly words: SafeText }
  /** Somebody pushed between our look and our forced push. */
  | { readonly kind: 'rival'; readonly branch: SafeText };

const lacks: Readonly<Record<WorkspaceLack, SafeText>> = {
  nothing: safe`nothing is checked out`,
  'another-commit': safe`the checkout does not have it`,
  shallow: safe`the checkout is a shallow clone`,
  partial: safe`the checkout is a partial clone`,
  foreign: safe`the checkout's objects lie outside of it`,
};

/** The one line of the workflow that helps where GitHub does not let the token read. */
function missingLine(lack: WorkspaceLack): SafeText {
  const checkedOut = lack === 'shallow' || lack === 'partial';
  return checkedOut
    ? safe`Add \`fetch-depth: 0\` to the inputs of actions/checkout (and no \`filter\`)`
    : safe`Add \`contents: read\` to the job's \`permissions\``;
}

const proxyDown = safe`The proxy of this machine (http_proxy, https_proxy) does not answer. Check its address, or name the host in no_proxy.`;

const noRoom = safe`The disk of this machine is full (RUNNER_TEMP).`;

const noWay = safe`The proxy of this machine (https_proxy, http_proxy) refuses the way there: have it let git through, write the proxy's credentials into its address, or name the host in no_proxy.`;

type Sentences<Trouble> = Readonly<Record<GitFault, (trouble: Trouble) => SafeText>>;
type Of<Kind extends GitTrouble['kind']> = Extract<GitTrouble, { kind: Kind }>;

const unreadable = ({ lack, repository }: Of<'source'>): SafeText =>
  safe`The commit must come from GitHub, for ${lacks[lack]}, and github-token may not read ${repository}. ${missingLine(lack)}.`;

const unreachable = ({ lack, repository }: Of<'source'>): SafeText =>
  safe`The commit must come from GitHub, for ${lacks[lack]}, and ${repository} could not be fetched. Run the job again; a checkout with \`fetch-depth: 0\` before this step makes do without.`;

const ofSource: Sentences<Of<'source'>> = {
  credentials: unreadable,
  forbidden: unreadable,
  'not-found': unreadable,
  proxy: () => noWay,
  redirected: unreachable,
  'too-large': unreachable,
  refused: unreachable,
  busy: unreachable,
  broken: unreachable,
  'cut-off': unreachable,
  'too-much': unreachable,
  'proxy-down': () => proxyDown,
  'no-commit': ({ commit, repository }) =>
    safe`${repository} has no commit ${unsafeText(commit)}. Was it pushed, and is it still on a branch? Check commit-sha.`,
  'no-room': () => noRoom,
};

const ofProject: Sentences<Of<'project'>> = {
  credentials: () =>
    safe`The project's repository does not accept git-username and git-token. Is the secret set for this repository and this environment?`,
  forbidden: () =>
    safe`git-token is valid, but may not do this in the project's repository: give it the right to push.`,
  'not-found': () =>
    safe`There is no repository at git-url, or git-token may not see it. Check both, and \`{projectId}\` in the URL.`,
  redirected: () =>
    safe`git-url leads to another address, where the token is not taken along: write the address that it leads to.`,
  proxy: () => noWay,
  'too-large': () => safe`The push is larger than the project's repository takes.`,
  refused: () =>
    safe`git-url is not the address of a git repository, or it does not take this request.`,
  busy: () => safe`The project's repository is busy. Run the job again.`,
  broken: () =>
    safe`The project's repository could not be reached. Check git-url, and whether the runner can reach it (DNS, firewall, http_proxy and https_proxy; for ssh, its key and known_hosts).`,
  'cut-off': ({ during }) =>
    during === 'push'
      ? safe`The connection to the project's repository broke during the push. Run the job again.`
      : safe`The connection to the project's repository broke while it was read. Run the job again.`,
  'too-much': () =>
    safe`The project's repository sent more than git may take here. Check that git-url is the project's repository.`,
  'proxy-down': () => proxyDown,
  'no-commit': () =>
    safe`The head of the project's branch moved while it was read. Run the job again.`,
  'no-room': () => noRoom,
};

const ofFault: Readonly<Record<GitFault, { source: Code; project: Code }>> = {
  credentials: { source: 'SD7101', project: 'SD7201' },
  forbidden: { source: 'SD7101', project: 'SD7202' },
  'not-found': { source: 'SD7101', project: 'SD7203' },
  redirected: { source: 'SD7102', project: 'SD7204' },
  'too-large': { source: 'SD7102', project: 'SD7205' },
  refused: { source: 'SD7102', project: 'SD7206' },
  proxy: { source: 'SD7301', project: 'SD7301' },
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
};

/** What went wrong and what to do, in a sentence or two; git's own words stand behind where no words of ours do. */
export function describeTrouble(trouble: GitTrouble): Diagnostic {
  const { kind } = trouble;
  const isRemote = kind === 'source' || kind === 'project';
  const code = isRemote ? ofFault[trouble.fault][kind] : ofKind[kind];
  return diagnose(code, safe`${sentenceOf(trouble)}${whatGitSays(trouble)}`);
}

function sentenceOf(trouble: GitTrouble): SafeText {
  switch (trouble.kind) {
    case 'no-git':
      return safe`There is no git on this machine, and git-url needs it: install git ${oldestGit} or newer in a step before, or use a runner that has it.`;
    case 'old-git':
      return safe`Git ${trouble.version} is too old for git-url: install git ${oldestGit} or newer in a step before.`;
    case 'local':
      return safe`Git cannot work on this machine.`;
    case 'source':
      return ofSource[trouble.fault](trouble);
    case 'project':
      return ofProject[trouble.fault](trouble);
    case 'rejected':
      return safe`The project's repository refuses the push to ${trouble.branch}: ${trouble.reason || safe`it gives no reason`}. Is the branch protected? Push to another by git-branch, or let git-token's owner push to it.`;
    case 'other-hash':
      return safe`The project's repository names its commits by SHA-256, and GitHub's by SHA-1: git cannot push from one to the other. Have the project's repository made with SHA-1.`;
    case 'not-stored':
      return safe`The project's repository could not store the commit: it may have no room left.`;
    case 'rival':
      return safe`Somebody pushed to ${trouble.branch} of the project's repository in this moment; that is kept, and nothing was forced. Run the job again.`;
  }
}

/** Thrown when a commit could not be brought. Nothing was deployed, and nothing was forced. */
export class GitFailure extends DiagnosedError {
  override readonly name = 'GitFailure';
  readonly trouble: GitTrouble;

  constructor(trouble: GitTrouble) {
    super(describeTrouble(trouble));
    this.trouble = trouble;
  }
}

/** Why git could not talk to the other side, by what git, curl or ssh say of it: each in words of its own program. */
const causes: readonly (readonly [RegExp, SafeText])[] = [
  [/Could not resolve (?:host|proxy)|Name or service not known/i, safe`its name is not in DNS`],
  [/Temporary failure in name resolution/i, safe`DNS did not answer`],
  [/Connection refused|Couldn't connect to server/i, safe`nothing listens at that address`],
  [/No route to host|Network is unreachable/i, safe`there is no way to that address`],
  [/timed out|Timeout was reached|too slow/i, safe`the other side did not answer in time`],
  [/certificate has expired/i, safe`its certificate has expired`],
  [/no alternative certificate subject name/i, safe`its certificate is for another name`],
  [/certificate (?:problem|verif)/i, safe`its certificate is not trusted`],
  [
    /Host key verification failed/i,
    safe`its host key is not the one in known_hosts, or is not there`,
  ],
  [/Permission denied \(/i, safe`it does not accept the ssh key`],
  [
    /Connection reset|early EOF|hung up|Empty reply|unexpected disconnect|Recv failure|closed by remote host/i,
    safe`the other side closed the connection`,
  ],
];

/** The cause in our words; undefined if it is not known, or if the other side speaks in git's words. */
function causeOf(words: SafeText): SafeText | undefined {
  if (/\bremote: /.test(words)) return undefined;
  return causes.find(([pattern]) => pattern.test(words))?.[1];
}

/** What git's words say nothing more of than ours do. */
const isClear: ReadonlySet<GitFault> = new Set([
  'credentials',
  'forbidden',
  'not-found',
  'redirected',
  'proxy',
  'proxy-down',
  'too-much',
  'too-large',
  'no-commit',
  'no-room',
]);

/** Where what git says is its cause. */
const hasCause: ReadonlySet<GitFault> = new Set(['broken', 'cut-off']);

/** Git's own words, without the signs of its program; empty where ours say it, unless the other side speaks in them. */
function wordsOf(trouble: GitTrouble): SafeText {
  if (!('words' in trouble)) return safe``;
  const { words } = trouble;
  if ('fault' in trouble && isClear.has(trouble.fault) && !/\bremote: /.test(words)) return safe``;
  const plain = words.replace(/(?<=^| )(?:fatal|remote): /g, '').replace(/^error: /, '');
  // What follows the first of its errors is what followed from it.
  return unsafeText(plain.replace(/ error: (?!\d).*/, ''));
}

/** What the other side says among git's words. */
const saidBy = (words: SafeText): SafeText =>
  unsafeText(
    Array.from(
      words.matchAll(/\bremote: (.*?)(?= (?:remote|fatal|error): |$)/g),
      ([, said = '']) => said,
    ).join(' '),
  );

/** What git, or the other side by it, says beside our sentence, with a space before it; empty if that is nothing more. */
export function whatGitSays(trouble: GitTrouble): SafeText {
  const words = wordsOf(trouble);
  if (words === '' || !('words' in trouble)) return safe``;
  const cause =
    'fault' in trouble && hasCause.has(trouble.fault) ? causeOf(trouble.words) : undefined;
  if (cause !== undefined) return safe` The cause: ${cause}.`;
  const [, status] = /The requested URL returned error: (\d{3})/.exec(words) ?? [];
  if (status === undefined) return safe` Git says: ${words}`;
  const said = saidBy(trouble.words);
  return said === ''
    ? safe` It answered ${unsafeText(status)}.`
    : safe` It answered ${unsafeText(status)}: ${said}`;
}

/** The oldest git that can do what is asked of it: 2.32 is the first that takes all of its settings from us. */
export const oldestGit = safe`2.32`;

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
