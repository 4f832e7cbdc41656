import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import { after, columns, type LogEntry, line } from '../../report/log-entry.ts';
import type { Verification } from '../evaluate.ts';
import type { ChangeResult } from '../result.ts';

const changeMarks: Readonly<Record<ChangeResult['outcome'], string>> = {
  done: '✓',
  planned: '~',
  failed: '×',
  'not-reached': '?',
  unconfirmed: '!',
};

/** One line for one write on a domain: its result or planned result, and why. */
function describeChange({ name, action, outcome, reason }: ChangeResult): SafeText {
  const isAsSaid = outcome === 'done' || outcome === 'planned';
  const end = isAsSaid ? safe`` : safe` ${unsafeText(outcome.replace('-', ' '))}`;
  return columns(changeMarks[outcome], action, safe`${name}${end}: ${reason}`);
}

/** The log lines of a write on a domain. */
export const changeLines = (result: ChangeResult): LogEntry[] => line(describeChange(result));

const verifications: Readonly<Record<Verification, string>> = {
  good: 'is verified',
  bad: 'failed its verification',
  pending: 'is not verified yet',
  unclear: 'is not known to be verified',
};

/** The state of a domain's verification. */
export interface SeenDomain {
  hostname: SafeText;
  verification: Verification;
  statuses: SafeText;
  /** In milliseconds. */
  elapsed: number;
}

/** The log lines of a domain whose state changed. */
export function domainLines({ hostname, verification, statuses, elapsed }: SeenDomain): LogEntry[] {
  const words = statuses === '' ? safe`no status reported` : statuses;
  const detail = verification === 'good' ? safe`` : safe` (${words})`;
  return line(
    safe`Domain ${hostname} ${unsafeText(verifications[verification])}${detail}${after(elapsed)}`,
  );
}
