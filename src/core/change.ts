import { createHash } from 'node:crypto';
import type { SafeText } from './text/safe.ts';

/** One change that a plan asks for, as the output `plan` shows it. */
export interface PlannedChange {
  type: 'environment' | 'domain';
  resource: 'variable' | 'connected-domain' | 'registered-domain' | 'dns-record';
  name: SafeText;
  action: string;
  reason: SafeText;
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
