import { createHash } from 'node:crypto';
import type { SafeText } from './text/safe.ts';

/** One change of a plan, as the output `plan` shows it. */
export interface PlannedChange {
  type: 'environment' | 'domain';
  resource: 'variable' | 'connected-domain' | 'registered-domain' | 'dns-record';
  name: SafeText;
  action: string;
  reason: SafeText;
  /** Of a DNS record: the registered domain, the whole planned record, and its differences. */
  domain?: SafeText;
  record?: Readonly<Record<string, ShownValue>>;
  differences?: readonly ShownDifference[];
  /** Set if it replaces a record that, as far as is known, the site file did not declare. */
  undeclared?: Undeclared;
  /** Of a connected domain: its project before and after; null: none. */
  project?: { from: SafeText | null; to: SafeText | null };
  /** Of a variable: true if it changed elsewhere since this action wrote it. */
  changedElsewhere?: true;
}

/** A change of a plan of domains. */
export interface DomainChange extends PlannedChange {
  type: 'domain';
  resource: Exclude<PlannedChange['resource'], 'variable'>;
}

/**
 * Why a record does not count as declared by the site file: the ledger doesn't have its id; its text lacks the tag of
 * the declared one; or the ledger has its id with another text.
 */
export type Undeclared = 'unknown' | 'unknown-text' | 'other-text';

/** A record's value that may be shown. */
export type ShownValue = SafeText | number | boolean;

/** One field of a record that would change; null: the record has none. */
export interface ShownDifference {
  field: string;
  from: ShownValue | null;
  to: ShownValue;
}

/**
 * A digest of the facts that decide what a plan would do.
 *
 * @param keyId 16 hex digits that identify the key with which secret values among the facts were hashed; undefined if
 * there are none
 * @returns 64 hex digits; with a key, `-` and its id follow
 */
export function digestOf(facts: readonly unknown[], keyId?: string): string {
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return keyId === undefined ? digest : `${digest}-${keyId}`;
}

/** The id of the key that a digest depends on; undefined if it depends on none. */
export function keyIdOf(digest: string): string | undefined {
  return digest.split('-')[1];
}
