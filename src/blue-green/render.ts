import { countFailed } from '../checks/result.ts';
import { type Sha, shaOf } from '../contract/commit.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { DeployReport, SwappedDomain, SwapReport } from '../release/model/report.ts';
import { countOf } from '../report/closing.ts';

/** The first characters of a project's id. */
const short = (project: string): SafeText => shorten(unsafeText(project), 9);

const name = (project: string | undefined): SafeText =>
  project === undefined ? safe`none` : short(project);

function domainLine({ from, to }: SwapReport, domain: SwappedDomain): SafeText | undefined {
  const { hostname, state, gap, isUnverified } = domain;
  const without =
    gap === undefined
      ? safe``
      : safe`; without a project for at most ${formatDuration(Math.max(100, gap))}`;
  if (state === 'moved') {
    const open = isUnverified === true ? safe`; not verified yet` : safe``;
    return safe`${hostname}: moved from ${name(from)} to ${short(to)}${without}${open}`;
  }
  if (state === 'moved-back') {
    return safe`${hostname}: moved to ${short(to)} and back to ${name(from)}${without}`;
  }
  if (state === 'stays')
    return gap === undefined ? undefined : safe`${hostname}: not moved${without}`;
  return safe`${hostname}: moved by another run or a user, or its project is unknown${without}`;
}

/** Which project serves and which is idle, before and now, and a line for each moved domain. */
export function swapLines({ swap }: Pick<DeployReport, 'swap'>): SafeText[] {
  if (swap === undefined) return [];
  const { from, to, live, reconciled, domains } = swap;
  const idle = live === to ? from : to;
  const isSame = live === from;
  const before = isSame ? safe`, as before` : safe` (before: ${name(from)})`;
  const idleBefore = isSame ? safe`` : safe` (before: ${short(to)})`;
  return [
    ...(reconciled === undefined
      ? []
      : [
          safe`An interrupted move was completed first: the domains were assigned to ${short(reconciled)}`,
        ]),
    live === undefined && from !== undefined
      ? safe`Live: unknown, the domains may be on different projects (before: ${name(from)})`
      : safe`Live: project ${name(live)}${before}`,
    ...(idle === undefined ? [] : [safe`Idle: project ${short(idle)}${idleBefore}`]),
    ...domains.flatMap((domain) => domainLine(swap, domain) ?? []),
  ];
}

/** The first verified address of a successful swap; empty if there is none. */
export function swapUrl({ swap, outcome }: Pick<DeployReport, 'swap' | 'outcome'>): string {
  const first = swap?.domains.find(({ isUnverified }) => isUnverified !== true);
  return outcome === 'succeeded' && first !== undefined ? `https://${first.hostname}` : '';
}

/**
 * The commit that the domains serve at the end, whatever the result of their checks; undefined if it is not this run's,
 * or not known.
 */
export function swapCommit({
  swap,
  commit,
}: Pick<DeployReport, 'swap' | 'commit'>): Sha | undefined {
  return swap !== undefined && swap.live === swap.to ? shaOf(commit) : undefined;
}

/** The title of a swap that failed after its deployment. */
function failedTitle(
  { live, from, to, domains }: SwapReport,
  failed: SafeText | undefined,
  isConfirmed: boolean,
) {
  const is = isConfirmed ? safe`is deployed` : safe`is deployed according to the service`;
  if (live === to) return safe`${is}, and its domains moved, but ${failed ?? safe`not checked`}`;
  if (live === undefined && from !== undefined)
    return safe`${is}, and its domains may be on different projects`;
  const wasMoved = domains.some(({ state, gap }) => state === 'moved-back' || gap !== undefined);
  const why = failed === undefined ? safe`no domain was moved` : safe`${failed} at the preview`;
  return safe`is unchanged: ${wasMoved ? safe`not all of its domains could be moved` : why}`;
}

/** The title of a swap that was interrupted after its deployment; undefined if the domains serve what was deployed. */
function cutOffTitle({ live, from, domains }: SwapReport, subject: SafeText, how: SafeText) {
  if (from === undefined) return undefined;
  if (live === undefined)
    return safe`${subject}: ${how}, and its domains may be on different projects`;
  if (live !== from) return undefined;
  const wasMoved = domains.some(({ state }) => state === 'moved-back');
  const end = wasMoved ? safe`, and its domains moved back` : safe` before its domains moved`;
  return safe`${subject} is unchanged: ${how}${end}`;
}

/** The title of a swap that deployed and did not succeed; undefined for other runs. */
export function swapTitle(report: DeployReport, subject: SafeText): SafeText | undefined {
  const { swap, outcome, release, checks = [] } = report;
  if (swap === undefined || release?.stage !== 'succeeded') return undefined;
  const count = countFailed(checks);
  const failed = safe`${countOf(count, safe`check`)} failed`;
  const isConfirmed = !checks.some(({ lacksCommit }) => lacksCommit === true);
  switch (outcome) {
    case 'rolled-back':
      return safe`${subject} was switched back to its former project: ${failed}`;
    case 'cancelled':
    case 'timed-out':
      return cutOffTitle(swap, subject, outcome === 'cancelled' ? safe`canceled` : safe`timed out`);
    case 'failed':
      return safe`${subject} ${failedTitle(swap, count === 0 ? undefined : failed, isConfirmed)}`;
    default:
      return undefined;
  }
}

/** Where an interrupted run left the domains, for the end of its error; empty if it had not started to move them. */
export function describeSwapLeft({ swap }: Pick<DeployReport, 'swap'>): SafeText {
  if (swap === undefined || swap.domains.every(({ state }) => state === 'stays')) return safe``;
  const lines = swap.domains.flatMap((domain) => domainLine(swap, domain) ?? []);
  return safe` ${joinSafe(lines, '. ')}.`;
}
