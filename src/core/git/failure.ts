import type { GitFault } from './fault.ts';
import { oldestGit } from './version.ts';

/** Why the workspace could not give the commit: there is none, it does not have it, or it has not all of it. */
export type WorkspaceLack = 'nothing' | 'another-commit' | 'shallow' | 'partial' | 'foreign';

/** Why a commit could not be brought. Texts are clean. */
export type GitTrouble =
  | { readonly kind: 'no-git' }
  | { readonly kind: 'old-git'; readonly version: string }
  /** Git failed on this machine, without talking to anybody. */
  | { readonly kind: 'local'; readonly words: string }
  /** GitHub had to be asked for the commit, and could or would not give it. */
  | {
      readonly kind: 'source';
      readonly fault: GitFault;
      readonly repository: string;
      readonly commit: string;
      readonly lack: WorkspaceLack;
      readonly words: string;
    }
  /** The project's repository could not be asked, or answered with a fault. */
  | { readonly kind: 'project'; readonly fault: GitFault; readonly words: string }
  /** The project's repository did not take the push. */
  | {
      readonly kind: 'rejected';
      readonly branch: string;
      readonly reason: string;
      readonly words: string;
    }
  | { readonly kind: 'not-stored'; readonly words: string }
  /** Somebody pushed between our look and our forced push. */
  | { readonly kind: 'rival'; readonly branch: string };

const lacks: Readonly<Record<WorkspaceLack, string>> = {
  nothing: 'nothing is checked out',
  'another-commit': 'the checkout does not have it',
  shallow: 'the checkout is a shallow clone',
  partial: 'the checkout is a partial clone',
  foreign: "the checkout's objects lie outside of it",
};

/** The one line of the workflow that helps where GitHub does not let the token read. */
function missingLine(lack: WorkspaceLack): string {
  const checkedOut = lack === 'shallow' || lack === 'partial';
  return checkedOut
    ? 'Add `fetch-depth: 0` to the inputs of actions/checkout (and no `filter`)'
    : "Add `contents: read` to the job's `permissions`";
}

const noRoom = 'The disk of this machine is full (RUNNER_TEMP).';

type Sentences<Trouble> = Readonly<Record<GitFault, (trouble: Trouble) => string>>;
type Of<Kind extends GitTrouble['kind']> = Extract<GitTrouble, { kind: Kind }>;

const unreadable = ({ lack, repository }: Of<'source'>): string =>
  `The commit must come from GitHub, for ${lacks[lack]}, and github-token may not read ${repository}. ${missingLine(lack)}.`;

const unreachable = ({ lack, repository }: Of<'source'>): string =>
  `The commit must come from GitHub, for ${lacks[lack]}, and ${repository} could not be fetched. Run the job again; a checkout with \`fetch-depth: 0\` before this step makes do without.`;

const ofSource: Sentences<Of<'source'>> = {
  credentials: unreadable,
  forbidden: unreadable,
  'not-found': unreadable,
  redirected: unreachable,
  'too-large': unreachable,
  refused: unreachable,
  busy: unreachable,
  broken: unreachable,
  'no-commit': ({ commit, repository }) =>
    `${repository} has no commit ${commit}. Was it pushed, and is it still on a branch? Check commit-sha.`,
  'no-room': () => noRoom,
};

const ofProject: Sentences<Of<'project'>> = {
  credentials: () =>
    "The project's repository does not accept git-username and git-token. Is the secret set for this repository and this environment?",
  forbidden: () =>
    "git-token is valid, but may not do this in the project's repository: give it the right to push.",
  'not-found': () =>
    'There is no repository at git-url, or git-token may not see it. Check both, and `{projectId}` in the URL.',
  redirected: () =>
    'git-url leads to another address, where the token is not taken along: write the address that it leads to.',
  'too-large': () => "The push is larger than the project's repository takes.",
  refused: () =>
    'git-url is not the address of a git repository, or it does not take this request.',
  busy: () => "The project's repository is busy. Run the job again.",
  broken: () =>
    "The project's repository could not be reached. Check git-url, and whether the runner can reach it (DNS, firewall, http_proxy and https_proxy; for ssh, its key and known_hosts).",
  'no-commit': () => "The head of the project's branch moved while it was read. Run the job again.",
  'no-room': () => noRoom,
};

/** What went wrong and what to do, in a sentence or two; git's own words, if there are any, stand behind. */
export function describeTrouble(trouble: GitTrouble): string {
  const [sentence, words] = sentenceOf(trouble);
  return words === '' ? sentence : `${sentence} Git says: ${words}`;
}

function sentenceOf(trouble: GitTrouble): [sentence: string, words: string] {
  switch (trouble.kind) {
    case 'no-git':
      return [
        `There is no git on this machine, and git-url needs it: install git ${oldestGit} or newer in a step before, or use a runner that has it.`,
        '',
      ];
    case 'old-git':
      return [
        `Git ${trouble.version} is too old for git-url: install git ${oldestGit} or newer in a step before.`,
        '',
      ];
    case 'local':
      return ['Git cannot work on this machine.', trouble.words];
    case 'source':
      return [ofSource[trouble.fault](trouble), trouble.words];
    case 'project':
      return [ofProject[trouble.fault](trouble), trouble.words];
    case 'rejected':
      return [
        `The project's repository refuses the push to ${trouble.branch}: ${trouble.reason || 'it gives no reason'}. Is the branch protected? Push to another by git-branch, or let git-token's owner push to it.`,
        trouble.words,
      ];
    case 'not-stored':
      return [
        "The project's repository could not store the commit: it may have no room left.",
        trouble.words,
      ];
    case 'rival':
      return [
        `Somebody pushed to ${trouble.branch} of the project's repository in this moment; that is kept, and nothing was forced. Run the job again.`,
        '',
      ];
  }
}

/** Thrown when a commit could not be brought. Nothing was deployed, and nothing was forced. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly trouble: GitTrouble;

  constructor(trouble: GitTrouble) {
    super(describeTrouble(trouble));
    this.trouble = trouble;
  }
}
