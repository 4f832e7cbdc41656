import type { SafeText } from '../kernel/text/safe.ts';
import type { Fingerprint, Ledger } from './model/ledger.ts';
import type { ValueMarks } from './model/value-marks.ts';

/** A project's ledger, as read at the start of a run. */
export interface OpenLedger {
  /** Empty if there is none, or none that can be used. */
  ledger: Ledger;
  fingerprint: Fingerprint;
  /** Replace the project's values in a plan's digest. */
  marks: ValueMarks;
  /** Why it is empty; absent if it was read. */
  problem?: SafeText;
  /** Starts to save it with the given parts. Errors are only reported: they cost extra writes, nothing else. */
  save(parts: Partial<Ledger>): void;
}

/** Stores ledgers between runs. */
export interface LedgerKeeper {
  /** Opens the ledger of a project. Errors are only reported. @throws the run's signal's reason */
  open(projectId: string): Promise<OpenLedger>;
}
