import { createHash } from 'node:crypto';

/** One change that a plan asks for, as the output `plan` shows it. Texts are clean. */
export interface PlannedChange {
  type: 'environment' | 'domain';
  resource: 'variable' | 'connected-domain' | 'registered-domain' | 'dns-record';
  name: string;
  action: string;
  reason: string;
}

/**
 * A digest of facts that decide what a plan would do, never of values.
 *
 * @returns 64 hex digits
 */
export function digestOf(facts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
