import { joinSafe, type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import { nameOf } from '../../report/closing.ts';
import { countOf } from '../../report/count-of.ts';
import { iconOfPlan, tellRefused } from '../../report/plan.ts';
import { describeDomainsPlan } from './domains-plan.ts';
import type { ChangeResult, ConnectedReport, DomainsReport } from './domains-report.ts';

/** The domains that serve a project, and are not seen to be verified. */
const unverified = ({ connected }: DomainsReport): readonly ConnectedReport[] =>
  connected.filter(({ projectId, verification }) => projectId !== '' && verification !== 'good');

const isSetting = ({ resource }: ChangeResult): boolean => resource === 'registered-domain';

/** What an apply did, and what is still missing. */
function describeDone(report: DomainsReport): SafeText {
  const { results, availability, unchanged } = report;
  const done = results.filter(({ outcome }) => outcome === 'done');
  const set = done.filter(isSetting).length;
  const changed = done.length - set;
  const waiting = unverified(report).length;
  const isCheck = availability.length > 0 && results.length + unchanged === 0;
  const nothing = isCheck
    ? safe`${countOf(availability.length, safe`name`)} checked`
    : safe`nothing changed`;
  const parts = [
    ...(changed > 0 ? [safe`${countOf(changed, safe`change`)} made`] : []),
    ...(set > 0 ? [safe`${countOf(set, safe`setting`)} set`] : []),
    ...(changed + set === 0 ? [nothing] : []),
    ...(waiting > 0 ? [safe`${countOf(waiting, safe`domain`)} not verified`] : []),
  ];
  return joinSafe(parts, ', ');
}

/** How many of the writes ended so, if any did. */
function describeWrites(
  { results, outcome }: DomainsReport,
  ended: ChangeResult['outcome'],
): SafeText {
  const { length } = results.filter((one) => one.outcome === ended);
  if (length === 0) return trusted(nameOf(outcome).toLowerCase());
  return safe`${length} of ${countOf(results.length, safe`write`)} ${trusted(ended)}`;
}

/** What a run came to, in one line: of a plan what it would do. */
export function describeDomains(report: DomainsReport): SafeText {
  const { outcome, drifted } = report;
  if (outcome === 'synced') return safe`Domains: ${describeDone(report)}`;
  if (outcome === 'failed' || outcome === 'unconfirmed')
    return safe`Domains: ${describeWrites(report, outcome)}`;
  if (outcome !== 'planned') return safe`Domains: ${trusted(nameOf(outcome).toLowerCase())}`;
  const counts = tellRefused(describeDomainsPlan(report), report.refusal);
  return drifted === true ? safe`Drift: ${counts}` : safe`Domains: ${counts}`;
}

/** The sign beside it: no tick where somebody still has to do something. */
export function iconOfDomains(report: DomainsReport): string {
  const waiting = unverified(report);
  if (report.outcome !== 'synced' || waiting.length === 0) return iconOfPlan(report);
  return waiting.every(({ verification }) => verification === 'pending') ? '⏳' : '⚠️';
}
