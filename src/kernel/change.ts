import { createHash } from 'node:crypto';
import type { SafeText } from './text/safe.ts';

/** One change that a plan asks for, as the output `plan` shows it. */
export interface PlannedChange {
  type: 'environment' | 'domain';
  resource: 'variable' | 'connected-domain' | 'registered-domain' | 'dns-record';
  name: SafeText;
  action: string;
  reason: SafeText;
  /** Of a DNS record: the registered domain, the whole record as it would be, and in what it would change. */
  domain?: SafeText;
  record?: Readonly<Record<string, ShownValue>>;
  differences?: readonly ShownDifference[];
  /** Set if it takes the place of a record that the site file did not declare, for all that is known. */
  undeclared?: Undeclared;
  /** Of a connected domain: the project that it is assigned to, and is to be; null: none. */
  project?: { from: SafeText | null; to: SafeText | null };
  /** Of a variable: true if somebody else changed it since this action wrote it. */
  changedElsewhere?: true;
}

/** A change of a plan of domains. */
export interface DomainChange extends PlannedChange {
  type: 'domain';
  resource: Exclude<PlannedChange['resource'], 'variable'>;
}

/**
 * Why a record does not count as one that the site file declared: the ledger does not hold its id; nor has its text the
 * declared one's tag; or the ledger holds its id for another text.
 */
export type Undeclared = 'unknown' | 'unknown-text' | 'other-text';

/** A value of a record that may be shown. */
export type ShownValue = SafeText | number | boolean;

/** One field of a record that would change; null: it shows none. */
export interface ShownDifference {
  field: string;
  from: ShownValue | null;
  to: ShownValue;
}

/**
 * A digest of facts that decide what a plan would do.
 *
 * @param keyId 16 hex digits that name the key by which the facts stand for secret values; undefined if none do
 * @returns 64 hex digits; with a key, `-` and its name follow
 */
export function digestOf(facts: readonly unknown[], keyId?: string): string {
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return keyId === undefined ? digest : `${digest}-${keyId}`;
}

/** The name of the key that a digest depends on; undefined if it depends on none. */
export function keyIdOf(digest: string): string | undefined {
  return digest.split('-')[1];
}
