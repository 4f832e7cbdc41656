import { cryptography } from '../../kernel/cryptography.ts';

/** The keys of a ledger and of other marks. They never leave the process. */
export interface LedgerKeys {
  /** For the HMAC of a value: 32 bytes. */
  fingerprint: Buffer;
  /** For AES-256-GCM: 32 bytes. */
  encryption: Buffer;
  /** For the HMAC of a comment's marker: 32 bytes. */
  marker: Buffer;
  /** For the HMAC of a value in a plan's digest: 32 bytes. */
  plan: Buffer;
  /** For the HMAC of a deployment record: 32 bytes. */
  record: Buffer;
  /** Identifies the secret without revealing it: 16 hex digits. */
  id: string;
}

/**
 * Derives a ledger's keys by HKDF-SHA256, an independent one for each purpose.
 *
 * @param secret `env-ledger-key`, or else the API key
 */
export function deriveLedgerKeys(secret: string): LedgerKeys {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(
      cryptography().hkdfSync('sha256', secret, '', `site-deploy-action ledger: ${purpose}`, bytes),
    );
  return {
    fingerprint: derive('fingerprint', 32),
    encryption: derive('seal', 32),
    marker: derive('marker of a comment', 32),
    plan: derive('value in a plan', 32),
    record: derive('record of a deployment', 32),
    id: derive('name of the key', 8).toString('hex'),
  };
}
