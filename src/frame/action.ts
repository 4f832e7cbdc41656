import type { Inputs } from '../inputs/input.ts';
import type { ActionName, InputsOf, Values } from '../inputs.ts';
import type { Diagnostic, Problem } from '../kernel/diagnostic.ts';
import type { FailureReasons } from '../kernel/outcome.ts';
import type { SkipReason } from '../kernel/skip-reason.ts';
import type { Sanitize } from '../kernel/text/safe.ts';
import type { Save } from '../platform.ts';
import type { RunReport } from '../report/closing.ts';
import type { ExplainedOutcome } from '../report/explanation.ts';
import type { LogEntry } from '../report/log-entry.ts';
import type { Prefetch } from '../service/prefetch.ts';
import type { AccessValues } from './first-request.ts';
import type { Ledgers } from './ledgers/ledgers.ts';
import type { LedgerStores } from './ledgers/stores.ts';
import type { Hidden, OpenLog } from './open-log.ts';
import type { Skip, Wrong } from './skip.ts';
import type { Run, Shown, Step, StepEnd, Unsent } from './step.ts';

/** The context before the first request to the service. */
export interface Preflight {
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Aborts when the run is canceled or times out. */
  signal: AbortSignal;
}

/** The context while the service is open. */
export interface Open extends OpenLog, Run {
  /** The run's ledger stores, if one is being read already. */
  stores?: LedgerStores | undefined;
  save: Save;
}

/** The run's comment and deployment on GitHub; empty where there is none. */
export interface Recorded {
  commentUrl: string;
  deploymentId: string;
}

/** Reports the end of a run to GitHub. */
type Notify<Report> = (report: Report) => Promise<Partial<Recorded>>;

/** What an action is to do, and the inputs that it comes from. */
export interface WorkOf<Name extends ActionName, Request> {
  values: Values<Name>;
  request: Request;
}

/** Prepared work. */
interface Ready<Work> {
  kind: 'work';
  work: Work;
  /** Log entries to write before it. */
  logEntries: readonly LogEntry[];
}

/** A run that only explains what it would do. */
export interface Explained {
  kind: 'explained';
  /** @param clean makes outside text printable and free of secrets */
  explain(clean: Sanitize): ExplainedEnd;
}

/** The end of a step that only explains. */
export interface ExplainedEnd extends Pick<StepEnd, 'title' | 'closing' | 'summary' | 'outputs'> {
  /** The outcome a run would have; `failed` fails the step. */
  outcome: ExplainedOutcome;
  skippedReason?: SkipReason | undefined;
  /** Why a run would fail. */
  problems: readonly Problem[];
  logEntries: readonly LogEntry[];
}

/** Prepared work, or why there is none. */
export type Prepared<Work> = Ready<Work> | Wrong | Skip;

/** The result of the work. */
interface Executed<Report> extends FailureReasons {
  report: Report;
  /** The ledgers that the run saves. */
  ledgers?: Ledgers;
  /**
   * Adds what only the final texts of the report need. The step's outputs are set before it.
   */
  complete?(report: Report): Promise<Report>;
  notify?: Notify<Report>;
}

/**
 * The part of an action before its first request, run by `runStep`. It is loaded before anything else and therefore
 * imports as little as possible.
 */
export interface Start<
  Name extends ActionName,
  Read extends Hidden,
  Work extends { values: AccessValues },
  Report extends RunReport,
> {
  inputs: InputsOf<Name>;
  /** Reads the files and variables that the inputs name. It sends and prints nothing: its secrets are not masked yet. */
  read(step: Step<Name>): Promise<Read>;
  /** Decides what to do. Sends nothing to the service. */
  prepare(
    step: Step<Name>,
    read: Read,
    preflight: Preflight,
  ): Prepared<Work> | Promise<Prepared<Work> | Explained>;
  /** The first request of every run with this work; undefined if it may differ. */
  firstRequest(work: Work): Prefetch | undefined;
  /**
   * Begins the requests to GitHub and the cache that every run with this work sends, once the first request to the
   * service is written, so that they run in parallel.
   *
   * @returns the stores of its ledgers, if it reads one
   */
  beginOthers?(
    step: Step<Name>,
    read: Read,
    work: Work,
    signal: AbortSignal,
  ): Promise<LedgerStores | undefined>;
  /** Loads the rest of the action. */
  load(): Promise<Action<Name, Read, Work, Report>>;
}

/** The part of an action from its first request on, run by `finishStep`. */
export interface Action<
  Name extends ActionName,
  Read extends Hidden,
  Work extends { values: AccessValues },
  Report extends RunReport,
> {
  /** Does the work. */
  execute(step: Step<Name>, read: Read, work: Work, open: Open): Promise<Executed<Report>>;
  /** The report of a step that ended before anything was sent. */
  unsent(step: Step<Name>, end: Unsent): Report;
  /** Reports mistakes in the inputs to GitHub. */
  reportWrong?(step: Step<Name>, report: Report, preflight: Preflight): Promise<Partial<Recorded>>;
  report(report: Report, recorded: Recorded): Shown<Name>;
}

/** Log entries of one kind. */
export const entries = (kind: 'line' | 'notice', texts: readonly string[]): LogEntry[] =>
  texts.map((text) => ({ kind, text }));

/** Warnings as log entries. */
export const warningEntries = (diagnostics: readonly Diagnostic<string>[]): LogEntry[] =>
  diagnostics.map((diagnostic) => ({ kind: 'warning', diagnostic }));

/** For an action whose inputs name nothing to read. */
export const nothingToRead = async (): Promise<Hidden> => ({ secrets: [] });

/** Makes the work if there are no mistakes, and else collects all of them. */
export function workUnlessWrong<All, Work>(
  { problems: wrong, values }: Inputs<All>,
  more: readonly Problem[],
  makeWork: (values: All) => Pick<Ready<Work>, 'work'> & Partial<Ready<Work>>,
): Ready<Work> | Wrong {
  const problems = [...wrong, ...more];
  if (values === undefined || problems.length > 0) return { kind: 'wrong', problems };
  return { kind: 'work', logEntries: [], ...makeWork(values) };
}
