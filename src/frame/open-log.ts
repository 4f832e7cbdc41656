import { createLog, type Log } from '../github/log.ts';
import { maskSecrets } from '../github/runner.ts';
import { type Coded, reword } from '../kernel/catalogue/coded.ts';
import { isPublicValue } from '../kernel/public-value.ts';
import { createRedactWithLiterals, type Redact } from '../kernel/text/redact.ts';
import type { Hidden } from './action.ts';

/** The log of a step that has masked its secrets. */
export interface OpenLog {
  log: Log;
  redact: Redact;
  warn: (text: Coded<string>) => void;
}

/**
 * Masks what a step has read, which must come before anything is said, and opens its log.
 *
 * @param inputs the values of its secret inputs, which are masked already
 */
export function openLog(
  inputs: readonly string[],
  { secrets, literals = [], isTold = () => false }: Hidden,
): OpenLog {
  const isHidden = (value: string) => !isPublicValue(value, isTold);
  const hidden = secrets.filter(isHidden);
  maskSecrets(hidden);
  const redact = createRedactWithLiterals([...inputs, ...hidden], literals.filter(isHidden));
  const log = createLog(redact);
  return {
    log,
    redact,
    warn: (text) =>
      log.write({ kind: 'warning', text: reword(text, (words) => redact(words, 'all')) }),
  };
}
