import type { Sanitize } from '../../kernel/text/safe.ts';
import type { GitStep } from '../model/brought.ts';
import type { Variables } from './process.ts';

/** What the work needs from where it is done. */
export interface Tools {
  /** Ends the work, and git with it. Its reason is thrown. */
  readonly signal: AbortSignal;
  readonly clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Makes others' text printable and free of secrets; free text by `forFreeText` of it. */
  readonly clean: Sanitize;
  /** Is told what happens, as it begins. */
  report(step: GitStep): void;
  /** Our own environment. Git is given a small part of it. */
  readonly environment: Variables;
}
