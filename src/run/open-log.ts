import type { DesiredVariable } from '../core/environment/desired.ts';
import { createRedact, type Redact } from '../core/text/redact.ts';
import { createLog, type Log } from '../github/log.ts';
import { maskSecrets } from '../github/runner.ts';

/** The log of a step that has masked its secrets. */
export interface OpenLog {
  log: Log;
  redact: Redact;
  warn: (text: string) => void;
}

/** Masks the secrets of a step, which must come before anything is said, and opens its log. */
export function openLog(
  inputs: readonly string[],
  variables: readonly DesiredVariable[] = [],
): OpenLog {
  const hidden = variables.filter(({ kind }) => kind === 'secret');
  const secrets = [...inputs, ...hidden.map(({ value }) => value)];
  maskSecrets(secrets);
  const redact = createRedact(secrets);
  const log = createLog(redact);
  return { log, redact, warn: (text) => log.write({ kind: 'warning', text }) };
}
