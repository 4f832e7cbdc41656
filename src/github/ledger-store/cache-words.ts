import { clean } from '../../core/text/clean.ts';
import { createRedact } from '../../core/text/redact.ts';

/** The lines in which the cache's client says that something went wrong, with its reason as the last group. */
const troubles = [
  /^::(?:warning|error)::(.+)/,
  /^::debug::Failed to reserve cache: (.+)/,
  /\bAttempt \d+ of \d+ failed with error: (.+)/,
  /^Failed to save: (.+)/,
  /^(Cache (?:restore|save) skipped: .+)/,
];

/** What the client puts before a reason to say where in itself it came from. */
const preamble =
  /^(?:Error: |Failed to (?:restore|save|\w{0,30}Cache\w{0,30}): |uploadCacheArchiveSDK: [^:]+: |Received non-retryable error: )+/;

/** The client's commands to the runner carry `%`, CR and LF in this way. */
function unescapeCommand(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

function* secretsIn(lines: readonly string[]): Generator<string> {
  for (const line of lines) {
    const [, secret] = /^::add-mask::(.+)$/.exec(line) ?? [];
    if (secret !== undefined) yield unescapeCommand(secret);
  }
}

function firstTrouble(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    for (const pattern of troubles) {
      const [, reason] = pattern.exec(line) ?? [];
      if (reason !== undefined) return unescapeCommand(reason);
    }
  }
  return undefined;
}

/**
 * Why the cache's client did not do what it was asked, from what it printed: the first thing that went wrong, in
 * its words, as one line without addresses and secrets.
 *
 * @param token the token that it was given
 * @returns undefined if it complained of nothing
 */
export function reasonIn(output: string, token: string): string | undefined {
  const lines = output.split(/\r?\n/);
  const [reason] = firstTrouble(lines)?.split('\n') ?? [];
  if (reason === undefined) return undefined;
  const redact = createRedact([token, ...secretsIn(lines)]);
  const told = redact(reason.replace(preamble, '')).replace(/\b[a-z]+:\/\/\S+/gi, '(address)');
  return clean(told, 200).replace(/[.…]$/, '') || 'no reason was given';
}
