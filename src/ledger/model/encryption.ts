import { createCipheriv, createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { asObject, parseJson } from '../../kernel/json.ts';
import type { LedgerKeys } from './keys.ts';
import { type Ledger, ledgerShape } from './ledger.ts';

const format = 'site-deploy-action ledger, format 1';
const cipher = 'aes-256-gcm';

/** The number of random bytes of a seal. */
export const nonceLength = 12;
const tagLength = 16;

/** What a ledger is bound to, and its keys. */
export interface LedgerContext {
  baseUrl: string;
  projectId: string;
  keys: LedgerKeys;
}

/**
 * Seals a ledger by AES-256-GCM, bound to its service, project and key.
 *
 * @param nonce {@link nonceLength} random bytes, new for each seal
 * @returns two lines of text
 */
export function sealLedger(ledger: Ledger, context: LedgerContext, nonce: Uint8Array): string {
  const sealing = createCipheriv(cipher, context.keys.seal, nonce).setAAD(bound(context));
  const sealed = Buffer.concat([
    nonce,
    sealing.update(JSON.stringify(ledger), 'utf8'),
    sealing.final(),
    sealing.getAuthTag(),
  ]);
  return `${headerOf(context)}\n${sealed.toString('base64')}\n`;
}

const bound = (context: LedgerContext): Buffer =>
  Buffer.from(JSON.stringify([headerOf(context), context.baseUrl]));

/** The first line of a sealed ledger. It is readable without the key, but authenticated with the rest. */
function headerOf({ projectId, keys }: LedgerContext): string {
  return JSON.stringify({ format, project: projectId, key: keys.id });
}

/** An opened ledger, or why it can't be opened, as the rest of a sentence that starts with "it". */
type OpenedLedger =
  | { ledger: Ledger }
  | {
      problem: string;
      isLedger: boolean;
      /** True if it must never be replaced, because another step can open it. */
      isOtherKey: boolean;
    };

/** Opens a sealed ledger. It never throws: a wrong, modified or truncated one is returned as a problem. */
export function openLedger(text: string, context: LedgerContext): OpenedLedger {
  const [header = '', body = ''] = text.split('\n');
  const problem = headerProblem(header, context);
  if (problem !== undefined) return problem;
  const sealed = Buffer.from(body, 'base64');
  if (sealed.length <= nonceLength + tagLength) return unopened('is truncated');
  let plain: string;
  try {
    plain = decrypt(sealed, context);
  } catch {
    return unopened('was modified or truncated');
  }
  const parsed = z.safeParse(ledgerShape, parseJson(plain));
  return parsed.success ? { ledger: parsed.data } : unopened('has another format');
}

type Unopened = Exclude<OpenedLedger, { ledger: Ledger }>;

const unopened = (problem: string, isOtherKey = false): Unopened => ({
  problem,
  isLedger: true,
  isOtherKey,
});

function headerProblem(line: string, { projectId, keys }: LedgerContext): Unopened | undefined {
  const header = asObject(parseJson(line));
  if (header === undefined || typeof header['format'] !== 'string')
    return { problem: 'is not a ledger', isLedger: false, isOtherKey: false };
  if (header['format'] !== format) return unopened('was written by another version of this action');
  if (header['key'] !== keys.id) return unopened('was sealed with another key', true);
  if (header['project'] !== projectId)
    return unopened('belongs to another project: use a separate ledger for each project');
  return undefined;
}

/** @throws Error if it was modified */
function decrypt(sealed: Buffer, context: LedgerContext): string {
  const tagAt = sealed.length - tagLength;
  const nonce = sealed.subarray(0, nonceLength);
  const opening = createDecipheriv(cipher, context.keys.seal, nonce, { authTagLength: tagLength })
    .setAAD(bound(context))
    .setAuthTag(sealed.subarray(tagAt));
  const text = opening.update(sealed.subarray(nonceLength, tagAt));
  return Buffer.concat([text, opening.final()]).toString('utf8');
}
