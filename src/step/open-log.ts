import { type Diagnostic, reword } from '../kernel/diagnostic.ts';
import { createRedact, type Redact } from '../kernel/text/redact.ts';
import type { Log, Platform } from '../platform.ts';

/** The hostname of a value that is exactly a hostname or an origin; undefined for any other value. */
function hostnameIn(value: string): string | undefined {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && (value === url.hostname || value === url.origin) ? url.hostname : undefined;
}

/**
 * True if a value is exactly the hostname or the origin of a domain that the run reports: it is public there, and
 * masking it would remove the addresses from the run's own report.
 *
 * @param isReported true for the hostnames that the run reports
 */
export function isPublicValue(value: string, isReported: (hostname: string) => boolean): boolean {
  const hostname = hostnameIn(value);
  return hostname !== undefined && isReported(hostname);
}

/** The log of a step that has masked its secrets. */
export interface OpenLog {
  log: Log;
  redact: Redact;
  warn: (diagnostic: Diagnostic<string>) => void;
}

/**
 * Masks the secrets that a step has read, which must come before any output, and opens its log.
 *
 * @param platform where it runs
 * @param inputs the values of its secret inputs, which are masked already
 */
export function openLog(
  platform: Platform,
  inputs: readonly string[],
  { secrets, isReported = () => false }: Hidden,
): OpenLog {
  const hidden = secrets.filter((value) => !isPublicValue(value, isReported));
  platform.mask(hidden);
  const redact = createRedact([...inputs, ...platform.secrets, ...hidden]);
  const log = platform.openLog(redact);
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

/** The values that a step must not show. */
export interface Hidden {
  /** The secret values of its variables. */
  secrets: readonly string[];
  /** True for the hostnames that the step reports: a value that is such an address is not a secret. */
  isReported?: (hostname: string) => boolean;
}
