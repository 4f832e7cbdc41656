import { isPublicValue } from '../core/domains/public-value.ts';
import { createRedact, type Redact } from '../core/text/redact.ts';
import { createLog, type Log } from '../github/log.ts';
import { maskSecrets } from '../github/runner.ts';
import type { IsTold } from './told-domains.ts';

/** The log of a step that has masked its secrets. */
export interface OpenLog {
  log: Log;
  redact: Redact;
  warn: (text: string) => void;
}

/**
 * Masks the secrets of a step, which must come before anything is said, and opens its log.
 *
 * @param inputs the values of its secret inputs
 * @param hidden the values of its variables that must not be shown
 * @param isTold true for the hostnames that it tells of: a value that is only such an address is no secret
 */
export function openLog(
  inputs: readonly string[],
  hidden: readonly string[] = [],
  isTold: IsTold = () => false,
): OpenLog {
  const secrets = [...inputs, ...hidden.filter((value) => !isPublicValue(value, isTold))];
  maskSecrets(secrets);
  const redact = createRedact(secrets);
  const log = createLog(redact);
  return { log, redact, warn: (text) => log.write({ kind: 'warning', text: redact(text, 'all') }) };
}
