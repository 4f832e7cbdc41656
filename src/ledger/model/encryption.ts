import { createCipheriv, createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { asObject, parseJson } from '../../kernel/json.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import type { LedgerKeys } from './keys.ts';
import { type Ledger, ledgerShape } from './ledger.ts';

const format = 'site-deploy-action ledger, format 1';
const cipher = 'aes-256-gcm';

/** The number of random bytes of an encryption. */
export const nonceLength = 12;
const tagLength = 16;

/** What a ledger is bound to, and its keys. */
export interface LedgerContext {
  baseUrl: string;
  projectId: string;
  keys: LedgerKeys;
}

/**
 * Encrypts a ledger by AES-256-GCM, bound to its service, project and key.
 *
 * @param nonce {@link nonceLength} random bytes, new for each time
 * @returns two lines of text
 */
export function encryptLedger(ledger: Ledger, context: LedgerContext, nonce: Uint8Array): string {
  const encrypting = createCipheriv(cipher, context.keys.encryption, nonce).setAAD(bound(context));
  const encrypted = Buffer.concat([
    nonce,
    encrypting.update(JSON.stringify(ledger), 'utf8'),
    encrypting.final(),
    encrypting.getAuthTag(),
  ]);
  return `${headerOf(context)}\n${encrypted.toString('base64')}\n`;
}

const bound = (context: LedgerContext): Buffer =>
  Buffer.from(JSON.stringify([headerOf(context), context.baseUrl]));

/** The first line of an encrypted ledger. It is readable without the key, but authenticated with the rest. */
function headerOf({ projectId, keys }: LedgerContext): string {
  return JSON.stringify({ format, project: projectId, key: keys.id });
}

/** Why a ledger can't be decrypted. */
interface Unusable {
  /** The rest of a sentence that starts with "it". */
  problem: SafeText;
  isLedger: boolean;
  /** True if it must never be replaced, because another step can decrypt it. */
  isOtherKey: boolean;
}

/** Decrypts a ledger. It never throws: a wrong, modified or truncated one is returned as a problem. */
export function decryptLedger(text: string, context: LedgerContext): { ledger: Ledger } | Unusable {
  const [header = '', body = ''] = text.split('\n');
  const problem = headerProblem(header, context);
  if (problem !== undefined) return problem;
  const encrypted = Buffer.from(body, 'base64');
  if (encrypted.length <= nonceLength + tagLength) return unusable(safe`is truncated`);
  let plain: string;
  try {
    plain = decrypt(encrypted, context);
  } catch {
    return unusable(safe`was modified or truncated`);
  }
  const parsed = z.safeParse(ledgerShape, parseJson(plain));
  return parsed.success ? { ledger: parsed.data } : unusable(safe`has another format`);
}

const unusable = (problem: SafeText, isOtherKey = false): Unusable => ({
  problem,
  isLedger: true,
  isOtherKey,
});

function headerProblem(line: string, { projectId, keys }: LedgerContext): Unusable | undefined {
  const header = asObject(parseJson(line));
  if (header === undefined || typeof header['format'] !== 'string')
    return { problem: safe`is not a ledger`, isLedger: false, isOtherKey: false };
  if (header['format'] !== format)
    return unusable(safe`was written by another version of this action`);
  if (header['key'] !== keys.id) return unusable(safe`was sealed with another key`, true);
  if (header['project'] !== projectId)
    return unusable(safe`belongs to another project: use a separate ledger for each project`);
  return undefined;
}

/** @throws Error if it was modified */
function decrypt(encrypted: Buffer, context: LedgerContext): string {
  const tagAt = encrypted.length - tagLength;
  const nonce = encrypted.subarray(0, nonceLength);
  const decrypting = createDecipheriv(cipher, context.keys.encryption, nonce, {
    authTagLength: tagLength,
  })
    .setAAD(bound(context))
    .setAuthTag(encrypted.subarray(tagAt));
  const text = decrypting.update(encrypted.subarray(nonceLength, tagAt));
  return Buffer.concat([text, decrypting.final()]).toString('utf8');
}
