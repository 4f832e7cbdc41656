import type { Inputs } from '../inputs/input.ts';
import type { ActionName, InputsOf } from '../inputs.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Problem } from '../kernel/problem.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { ExplainedOutcome } from '../report/explain/explanation.ts';
import type { LogEntry } from '../report/log-entry.ts';
import type { Prefetch } from '../service/prefetch.ts';
import type { AccessValues } from './first-request.ts';
import type { Ledgers } from './ledgers/ledgers.ts';
import type { LedgerStores } from './ledgers/stores.ts';
import type { Hidden, OpenLog } from './open-log.ts';
import type { Skip } from './skip.ts';
import type { Reported, Run, Shown, Step, StepEnd, Unsent } from './step.ts';

/** Before the first request to the service: whom to tell what, and for how long. */
export interface Preflight {
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Aborts when the run is cancelled or its time is up. */
  signal: AbortSignal;
}

/** While the service is open. */
export interface Open extends OpenLog, Run {
  /** Where the run's ledgers are kept, if one is being read already. */
  stores?: LedgerStores | undefined;
}

/** What was recorded of a run on GitHub; empty where nothing was. */
export interface Recorded {
  commentUrl: string;
  deploymentId: string;
}

/** Tells GitHub of the end of a run. */
export type Tell<Report> = (report: Report) => Promise<Partial<Recorded>>;

/** What is to be done. */
export interface Ready<Work> {
  kind: 'work';
  work: Work;
  /** What is to be known before it is done. */
  says: readonly LogEntry[];
}

/** Why nothing can be done: all that is wrong. */
export interface Wrong {
  kind: 'problems';
  problems: readonly Problem[];
}

/** Nothing is to be done: it is told what a run that was prepared like this would do. */
export interface Explained {
  kind: 'explained';
  /** @param clean makes outside text printable and free of secrets */
  explain(clean: Sanitize): Telling;
}

/** What a step tells that does nothing else. */
export interface Telling extends Pick<StepEnd, 'title' | 'closing' | 'summary' | 'outputs'> {
  /** What a run would come to; it fails the step if a run would fail. */
  outcome: ExplainedOutcome;
  skippedReason?: string | undefined;
  /** Why a run would fail. */
  problems: readonly Problem[];
  says: readonly LogEntry[];
}

/** What is to be done, or why nothing is. */
export type Prepared<Work> = Ready<Work> | Wrong | Skip;

/** What was done. */
export interface Executed<Report> {
  report: Report;
  /** True if the step must fail, whatever its outcome. */
  fails?: boolean;
  /** Where the next run will find what this one has written. */
  ledgers?: Ledgers;
  /**
   * Adds to the report what only the words of its end need. The outputs of the step are set before, so that it may take
   * its time.
   */
  complete?(report: Report): Promise<Report>;
  tell?: Tell<Report>;
}

/**
 * What an action does before its first request, as `runStep` carries it out. It is loaded before anything else,
 * so that it imports no more than that takes.
 */
export interface Start<
  Name extends ActionName,
  Read extends Hidden,
  Work extends { values: AccessValues },
  Report extends Reported,
> {
  inputs: InputsOf<Name>;
  /** Reads what the inputs name. Nothing is sent, and nothing is said before its secrets are masked. */
  read(step: Step<Name>): Promise<Read>;
  /** Decides what is to be done. Nothing is sent to the service. */
  prepare(
    step: Step<Name>,
    read: Read,
    preflight: Preflight,
  ): Prepared<Work> | Promise<Prepared<Work> | Explained>;
  /** What it will ask the service for before anything else, however it goes on; undefined if that may differ. */
  look(work: Work): Prefetch | undefined;
  /**
   * Begins what it will ask others than the service for in any case, once the look is written: that is loaded before the
   * rest, so that its answer is awaited beside the service's.
   *
   * @returns the stores of its ledgers, if it reads one
   */
  beside?(
    step: Step<Name>,
    read: Read,
    work: Work,
    signal: AbortSignal,
  ): Promise<LedgerStores | undefined>;
  /** Loads the rest of it. */
  load(): Promise<Action<Name, Read, Work, Report>>;
}

/** What an action does from its first request on, as `finishStep` carries it out. */
export interface Action<
  Name extends ActionName,
  Read extends Hidden,
  Work extends { values: AccessValues },
  Report extends Reported,
> {
  /** Does what is to be done, with what was read. */
  execute(step: Step<Name>, read: Read, work: Work, open: Open): Promise<Executed<Report>>;
  /** The report of a step that ended before anything was sent. */
  unsent(step: Step<Name>, end: Unsent): Report;
  /** Tells GitHub what is wrong with the inputs. */
  tellWrong?(step: Step<Name>, report: Report, preflight: Preflight): Promise<Partial<Recorded>>;
  report(report: Report, recorded: Recorded): Shown<Name>;
}

/** Texts of one kind, to be said. */
export const entries = (kind: 'line' | 'notice', texts: readonly string[]): LogEntry[] =>
  texts.map((text) => ({ kind, text }));

/** Warnings, to be said. */
export const warningEntries = (diagnostics: readonly Diagnostic<string>[]): LogEntry[] =>
  diagnostics.map((diagnostic) => ({ kind: 'warning', diagnostic }));

/** For an action whose inputs name nothing to be read. */
export const nothingToRead = async (): Promise<Hidden> => ({ secrets: [] });

/** Makes the work of whole inputs if nothing is wrong, and else gathers everything that is. */
export function workUnlessWrong<All, Work>(
  { problems: wrong, values }: Inputs<All>,
  more: readonly Problem[],
  makeWork: (values: All) => Pick<Ready<Work>, 'work'> & Partial<Ready<Work>>,
): Ready<Work> | Wrong {
  const problems = [...wrong, ...more];
  if (values === undefined || problems.length > 0) return { kind: 'problems', problems };
  return { kind: 'work', says: [], ...makeWork(values) };
}
