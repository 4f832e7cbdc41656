import { createCipheriv, createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { asObject, parseJson } from '../../kernel/json.ts';
import type { LedgerKeys } from './keys.ts';
import { type Ledger, ledgerShape } from './ledger.ts';

const format = 'site-deploy-action ledger, format 1';
const cipher = 'aes-256-gcm';

/** How many random bytes a seal takes. */
export const nonceLength = 12;
const tagLength = 16;

/** What a ledger is about: the variables that deploy and env-sync write, or the records that a site file declares. */
export type LedgerTopic = 'variables' | 'records';

/** The actions that keep a ledger of a topic, in words. */
const keepers: Readonly<Record<LedgerTopic, string>> = {
  variables: 'env-sync, deploy',
  records: 'domains',
};

/** Where a ledger belongs, and the keys that seal it. */
export interface LedgerContext {
  topic: LedgerTopic;
  baseUrl: string;
  projectId: string;
  keys: LedgerKeys;
}

/** The first line of a sealed ledger: it can be read without the key. What it says is sealed with the rest. */
function headerOf({ projectId, keys, topic }: LedgerContext): string {
  const header = { format, project: projectId, key: keys.id };
  // Ledgers of variables were there before there were others.
  return JSON.stringify(topic === 'variables' ? header : { ...header, topic });
}

const bound = (context: LedgerContext): Buffer =>
  Buffer.from(JSON.stringify([headerOf(context), context.baseUrl]));

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

/** A ledger out of its seal, or why there is none, as the end of a sentence that begins with "it". */
export type OpenedLedger =
  | { ledger: Ledger }
  | {
      problem: string;
      /** False: it is something else. */
      isLedger: boolean;
      /** Whose it is, if it must never be replaced: another action's, or that of who has another key. */
      owner?: 'action' | 'key';
    };

type Unopened = Exclude<OpenedLedger, { ledger: Ledger }>;

const unopened = (problem: string, owner?: Unopened['owner']): Unopened => ({
  problem,
  isLedger: true,
  ...(owner && { owner }),
});

function headerProblem(
  line: string,
  { projectId, keys, topic }: LedgerContext,
): Unopened | undefined {
  const header = asObject(parseJson(line));
  if (header === undefined || typeof header['format'] !== 'string')
    return { problem: 'is no ledger', isLedger: false };
  if (header['format'] !== format) return unopened('was written by another version of this action');
  const { topic: found = 'variables' } = header;
  if (found !== topic) {
    const other = keepers[topic === 'variables' ? 'records' : 'variables'];
    return unopened(`is the ledger of another action (${other})`, 'action');
  }
  if (header['key'] !== keys.id) return unopened('was sealed with another key', 'key');
  if (header['project'] !== projectId)
    return unopened('belongs to another project: give each project a ledger of its own');
  return undefined;
}

/** @throws Error if it was changed since it was sealed */
function decrypt(sealed: Buffer, context: LedgerContext): string {
  const tagAt = sealed.length - tagLength;
  const nonce = sealed.subarray(0, nonceLength);
  const opening = createDecipheriv(cipher, context.keys.seal, nonce, { authTagLength: tagLength })
    .setAAD(bound(context))
    .setAuthTag(sealed.subarray(tagAt));
  const text = opening.update(sealed.subarray(nonceLength, tagAt));
  return Buffer.concat([text, opening.final()]).toString('utf8');
}

/** Opens a sealed ledger. One that is foreign, forged or cut off is a problem to tell, never an exception. */
export function openLedger(text: string, context: LedgerContext): OpenedLedger {
  const [header = '', body = ''] = text.split('\n');
  const problem = headerProblem(header, context);
  if (problem !== undefined) return problem;
  const sealed = Buffer.from(body, 'base64');
  if (sealed.length <= nonceLength + tagLength) return unopened('is cut off');
  let plain: string;
  try {
    plain = decrypt(sealed, context);
  } catch {
    return unopened('was changed or cut off since it was sealed');
  }
  const parsed = z.safeParse(ledgerShape, parseJson(plain));
  return parsed.success
    ? { ledger: parsed.data }
    : { problem: 'is of another form', isLedger: true };
}
