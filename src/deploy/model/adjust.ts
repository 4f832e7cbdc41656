import { coded, withoutCode } from '../../kernel/catalogue/coded.ts';
import type { DeployReport } from '../../release/report.ts';
import { isLiveAlready } from './verdict.ts';

/** A preview is live once the run has ended well, or found it so: nothing of it is announced before. */
export function withLiveness(report: DeployReport): DeployReport {
  const { preview, outcome } = report;
  if (preview === undefined) return report;
  const stands = outcome === 'succeeded' || isLiveAlready(report);
  const isLive = stands && preview.verification === 'good';
  return { ...report, preview: { ...preview, isLive } };
}

/** A deployment that only its checks could confirm: that they did not hold in time says nothing against it. */
export function asUnconfirmed(report: DeployReport): DeployReport {
  const { outcome, error } = report;
  if (outcome !== 'timed-out' || error === undefined) return report;
  return { ...report, outcome: 'unconfirmed', error: coded('SD5002', withoutCode(error)) };
}
