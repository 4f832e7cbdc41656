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

/** One line for one write on a domain: what was done or would be done, and why. */
function describeChange({ name, action, outcome, reason }: ChangeResult): SafeText {
  const isAsSaid = outcome === 'done' || outcome === 'planned';
  const end = isAsSaid ? safe`` : safe` ${unsafeText(outcome.replace('-', ' '))}`;
  return columns(changeMarks[outcome], action, safe`${name}${end}: ${reason}`);
}

/** What the log shows of a write on a domain that was done, failed, or is planned. */
export const changeLines = (result: ChangeResult): LogEntry[] => line(describeChange(result));

/** What a domain's verification has come to, in words. */
const verifications: Readonly<Record<Verification, string>> = {
  good: 'is verified',
  bad: 'failed its verification',
  pending: 'is not verified yet',
  unclear: 'shows nothing that says whether it is verified',
};

/** What is known of a domain's verification. */
export interface SeenDomain {
  hostname: SafeText;
  verification: Verification;
  statuses: SafeText;
  /** In milliseconds. */
  elapsed: number;
}

/** What the log shows of a domain once what is known of it has changed. */
export function domainLines({ hostname, verification, statuses, elapsed }: SeenDomain): LogEntry[] {
  const words = statuses === '' ? safe`no status is shown` : statuses;
  const said = verification === 'good' ? safe`` : safe` (${words})`;
  return line(
    safe`Domain ${hostname} ${unsafeText(verifications[verification])}${said}${after(elapsed)}`,
  );
}
