import { createLog, type Log } from '../github/log.ts';
import { maskSecrets } from '../github/runner.ts';
import { type Diagnostic, reword } from '../kernel/diagnostic.ts';
import { isPublicValue } from '../kernel/public-value.ts';
import { createRedactWithLiterals, type Redact } from '../kernel/text/redact.ts';

/** The log of a step that has masked its secrets. */
export interface OpenLog {
  log: Log;
  redact: Redact;
  warn: (diagnostic: Diagnostic<string>) => void;
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
    warn: (diagnostic) =>
      log.write({
        kind: 'warning',
        diagnostic: reword(diagnostic, (text) => redact(text, 'all')),
      }),
  };
}

/** What a step must not show of what it has read. */
export interface Hidden {
  /** The values of its variables that must not be shown. */
  secrets: readonly string[];
  /** Values that stand in the workflow, where the runner prints them: only others' free text must not show them. */
  literals?: readonly string[];
  /** True for the hostnames that it tells of: a value that is only such an address is no secret. */
  isTold?: (hostname: string) => boolean;
}
