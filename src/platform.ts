import type { RunIdentity } from './kernel/cryptography.ts';
import type { Diagnostic, Problem } from './kernel/diagnostic.ts';
import type { RunEvent } from './kernel/event.ts';
import type { Outcome } from './kernel/outcome.ts';
import type { Redact } from './kernel/text/redact.ts';
import type { FolderFile } from './machine.ts';
import type { LogEntry } from './report/log-entry.ts';
import type { RunResult } from './report/outputs.ts';

/** The environment of a step, as its platform sets it. */
export type StepEnvironment = Readonly<Record<string, string | undefined>>;

/** What a platform can do besides running a step. */
export interface Abilities {
  /** Releases are recorded as GitHub deployments, which later runs read. */
  recordsDeployments: boolean;
  /** A pull request can be read from GitHub. */
  readsPullRequests: boolean;
}

/** How a platform names inputs, and how an empty one is given there. */
export interface InputWords {
  nameOf(input: string): string;
  howToGive(input: string): string;
}

/** The platform's description of the run. */
export interface RunContext {
  event: RunEvent;
  can: Abilities;
  /** `GITHUB_REPOSITORY`, as `owner/name`. */
  repository: string;
  identity: RunIdentity;
  /** The folder that the paths of inputs are relative to: `GITHUB_WORKSPACE`; empty outside a runner. */
  workspace: string;
  /** The folder of the checked out repository, if it is not the workspace. */
  checkout?: string;
  /** A folder for temporary files: `RUNNER_TEMP`. */
  temp: string;
  /** `GITHUB_API_URL`, where there is a GitHub. */
  apiUrl: string;
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string;
  /** What the page of a commit begins with, if not the repository's page and `/commit/`; empty if there is none. */
  commitsUrl?: string;
  /** How the repository is cloned where `github-token` is not for it. */
  clone?: { username: string; token: string; path: string };
  /** The URL of this run's page. */
  runUrl: string;
  /** The page about error codes, of the version that runs; absent if it is not known to be on github.com. */
  troubleshootingUrl?: string;
  /** How inputs are named and given, if not by a workflow. */
  inputWords?: InputWords;
  /** True of a variable of the environment that no site may have, because of what it is for. */
  withholds?: (variable: string) => boolean;
  /** What stands before the number of a pull or merge request, if not GitHub's "#". */
  sign?: '!' | '#';
  /** Where the run's comments are, if not on GitHub. */
  comments?: CommentServer | undefined;
}

/** A comment as it is listed. */
export interface ListedComment {
  /** Newer comments have larger ids. */
  id: number;
  body: string;
  /** Of its place on its page; empty if that is unknown. */
  url: string;
  /** What its author is called on this server; undefined if it has none any more. */
  author: string | undefined;
}

/** The comments on one issue, pull request or merge request. Errors have the shape that `github-api/errors.ts` reads. */
export interface CommentThread {
  /** All comments, the oldest first, page by page. */
  list(): AsyncIterable<ListedComment>;
  /** The author of the comments that this token writes. */
  readAuthor(): Promise<string>;
  /** Undefined if it was deleted. */
  read(id: number): Promise<ListedComment | undefined>;
  create(body: string): Promise<ListedComment>;
  /** @returns false if it was deleted */
  edit(id: number, body: string): Promise<boolean>;
  /** Does nothing if it was deleted. */
  delete(id: number): Promise<void>;
}

/** A server other than GitHub that has the comments of a run. */
export interface CommentServer {
  /** What the link to the run is called, if not the log of the run. */
  runName?: string;
  /** A comment in the words of this server's users. */
  translate?(markdown: string): string;
  /** @param number the number of the pull or merge request */
  open(number: number, signal: AbortSignal): CommentThread;
  /** True if the pull or merge request is closed or merged. Absent if the server can't be queried for that. */
  isClosed?(number: number, signal: AbortSignal): Promise<boolean>;
  /** @param doing what failed, such as "write the comment" */
  describeTrouble(doing: string, error: unknown): Diagnostic<string>;
}

/** The log of a step. Everything is redacted, and nothing can be read as a workflow command. */
export interface Log {
  write(entry: LogEntry): void;
  /** Writes an error annotation. */
  error(title: string, diagnostic: Diagnostic): void;
  /** Ends the open group, if there is one, so that the next lines are visible. */
  endGroup(): void;
  /** Resolves once standard output has drained and timers and signals were handled, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
}

/** How a step ended, for the exit status. */
export interface StepOutcome {
  outcome: Outcome;
  /** True if the step must fail. */
  fails: boolean;
  /** Set if its inputs are wrong, so that nothing was sent. */
  isWrong?: boolean;
}

/** What a platform keeps of a step. */
export interface Kept {
  /** Sets the outputs, and the result as a whole; a later value replaces an earlier one. */
  setOutputs(result: RunResult): void;
  /** Keeps a value for what follows the step, even if the step is killed. */
  save(name: string, value: string): void;
  /** A value that the step before kept, or empty. */
  read(name: string): string;
  /** Adds Markdown to the summary. */
  addSummary(markdown: string): void | Promise<void>;
  /** Decides the exit status. */
  end(ended: StepOutcome): void;
}

/** Keeps a value for what follows the step. */
export type Save = Kept['save'];

/** Reads what a step kept. */
export type ReadKept = Kept['read'];

/** Reads a text file below the workspace, which an input names. */
export type ReadFile = (path: string) => Promise<FolderFile>;

/** Calls back once when the run is canceled. @returns a function that stops listening */
export type OnCancel = (callback: () => void) => () => void;

/** What a run needs of where it runs: GitHub's runner, or the command line of a terminal or of another CI. */
export interface Platform {
  /** When the step began, from which its timeout counts, in milliseconds since the epoch. */
  started: number;
  /** The text of an input, as it was given. */
  input(name: string): string | undefined;
  environment: StepEnvironment;
  /** What this platform refuses of the inputs, besides what is wrong with them anywhere. */
  problems: readonly Problem[];
  /** Secrets that no input contains, such as the job's token. No variable may have one. */
  secrets: readonly string[];
  readContext(): RunContext;
  readFile: ReadFile;
  onCancel: OnCancel;
  /** Hides these texts in all further output. */
  mask(secrets: readonly string[]): void;
  openLog(redact: Redact): Log;
  /** Loads what only the later part of a step needs. */
  load(): Promise<Kept>;
}
