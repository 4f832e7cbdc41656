import type { SafeText } from '../kernel/text/safe.ts';
import type { Fingerprint, Ledger } from './model/ledger.ts';
import type { ValueMarks } from './model/value-marks.ts';

/** A project's ledger, as a run finds it. */
export interface OpenLedger {
  /** Knows nothing if there is none, or none that can be believed. */
  ledger: Ledger;
  fingerprint: Fingerprint;
  /** What stands for the project's values in a plan's digest. */
  marks: ValueMarks;
  /** The step that runs, which alone may delete what it created; undefined if it is not known which it is. */
  /** Why it knows nothing; absent if it was read. */
  problem?: SafeText;
  /**
   * Begins to keep it for the next run, with the parts that are given and the others as they were. What goes wrong is
   * told: it costs extra writes, and nothing else.
   */
  save(parts: Partial<Ledger>): void;
}

/** Where ledgers are kept between runs. */
export interface LedgerKeeper {
  /** Opens the ledger of a project. What goes wrong is told. @throws the run's signal's reason */
  open(projectId: string): Promise<OpenLedger>;
}
