import type { ServiceClient } from '../service/client.ts';
import type { Host } from './host.ts';

/** Makes the idempotency key of one operation on one target; the same for each retry in one process. */
export type KeyFor = (operation: string, target: string) => string;

/** What all stages of a command share. */
export interface Run {
  client: ServiceClient;
  host: Host;
  keyFor: KeyFor;
  /** When it began, in milliseconds since the epoch. */
  started: number;
  /**
   * The same run for so many more milliseconds, whatever its signal says: for what must not be left half-way. Absent
   * where nobody cuts a run off.
   */
  outlive?: (milliseconds: number) => Run;
}

/**
 * Takes what a stage has found, which stands in the report however the run ends. What is found again replaces what
 * was found before. The command alone reads it.
 */
export type Found<Findings> = (part: Partial<Findings>) => void;
