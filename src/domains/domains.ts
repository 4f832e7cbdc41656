import { type Ending, reportOn } from '../frame/ending.ts';
import { EarlyEnd, type Host } from '../frame/host.ts';
import type { Found, Run } from '../frame/run.ts';
import { coded, reword } from '../kernel/catalogue/coded.ts';
import type { Gates } from '../kernel/gate.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { applyDomains } from './apply.ts';
import { checkNames, guardPrices } from './availability.ts';
import type { Seen } from './connections.ts';
import { describeLeft, describePlan, measurePlan, showDomains } from './describe-plan.ts';
import { followDomains } from './follow-domains.ts';
import { type MemoryRequest, openMemory, type RecordMemory, type Written } from './memory.ts';
import { reportConnected } from './model/connected.ts';
import type { DeclaredDomains } from './model/declared.ts';
import type { TaughtWords } from './model/domain-state.ts';
import { type ChangeResult, type DomainsReport, emptyReport } from './model/domains-report.ts';
import { type DomainsPlan, planDomains } from './model/plan-domains.ts';
import { describeFaults } from './model/results.ts';
import { observeDomains } from './observe-domains.ts';
import { type Refusal, whyRefused } from './refuse.ts';

/** What the domains command is asked to do. Everything has been checked. */
export interface DomainsRequest {
  declared: DeclaredDomains;
  /** Names to check for availability and price. */
  check: readonly string[];
  /** The most that a checked name may cost, in US dollars. */
  maxPrice: number | undefined;
  planOnly: boolean;
  gates: Gates;
  /** True if the site file must change nothing: it is not merged. */
  guarded: boolean;
  /** Where it is remembered which records the file declared; absent: nowhere. */
  memory?: MemoryRequest;
  /** True: a record may take the place of one that this file did not declare. */
  replaceUndeclared?: boolean;
  /** Words that the workflow adds to the tables. */
  taught?: TaughtWords;
  /** Follow the verification of connected domains for so many milliseconds; undefined: do not. */
  follow: number | undefined;
}

type DomainsFindings = Omit<DomainsReport, keyof Ending | 'requests' | 'durationMs'>;

/** Shows a plan that is not applied: because that is all that was asked for, or because it is refused. */
function showOnly(
  host: Host,
  planOnly: boolean,
  shown: Partial<DomainsFindings>,
  refused: Refusal | undefined,
  found: Found<DomainsFindings>,
): void {
  found(shown);
  if (refused === undefined) return;
  const { end, failsPlan, short } = refused;
  if (!planOnly || failsPlan) throw end;
  const soften = (tell: (why: SafeText) => SafeText) =>
    reword(end.message, (why) => safe`It would not be applied. ${tell(why)}`);
  host.report({ type: 'warning', text: soften((why) => why) });
  found({ refusal: soften((why) => short ?? why) });
}

/** Carries the plan out, and follows the verification if that is asked for. */
async function apply(
  run: Run,
  { declared, follow, taught }: DomainsRequest,
  plan: DomainsPlan,
  { seen, memory }: { seen: Seen; memory: RecordMemory },
  found: Found<DomainsFindings>,
): Promise<ChangeResult[]> {
  const written: Written = new Map();
  const results = await applyDomains(run, plan, seen, written);
  memory.keep(plan, written);
  found({ results });
  if (follow === undefined) return results;
  const hostnames = declared.connections.map(({ hostname }) => hostname);
  const trouble = await followDomains(run, hostnames, seen, { timeout: follow, taught });
  if (trouble !== undefined) {
    const text = safe`The verification could not be followed to its end. ${trouble}`;
    run.host.report({ type: 'warning', text: coded('SD6107', text) });
  }
  return results;
}

/** Judges what was done. What does not show is not called done. @throws EarlyEnd if something failed */
function judge(
  host: Host,
  { planOnly, follow }: DomainsRequest,
  done: Pick<DomainsFindings, 'results' | 'connected'>,
): Ending {
  const faults = describeFaults(done, planOnly ? undefined : follow);
  for (const text of faults.warnings) host.report({ type: 'warning', text });
  if (faults.error !== undefined) throw new EarlyEnd('failed', faults.error);
  if (planOnly) return { outcome: 'planned' };
  const isShown = done.results.every(({ outcome }) => outcome !== 'unconfirmed');
  return { outcome: isShown ? 'synced' : 'unconfirmed' };
}

async function carryOut(
  run: Run,
  request: DomainsRequest,
  found: Found<DomainsFindings>,
): Promise<Ending> {
  const { host } = run;
  const { declared, planOnly } = request;
  const availability = await checkNames(run, request.check);
  found({ availability });
  guardPrices(host, availability, request.maxPrice);
  const [observed, memory] = await Promise.all([
    observeDomains(run, declared),
    openMemory(request.memory),
  ]);
  const plan = planDomains(declared, observed, host.cleanLine, memory.known);
  const described = describePlan(host, plan);
  const seen: Seen = new Map(
    plan.connections.flatMap(({ declared: { hostname }, observed: domain }) =>
      domain === undefined ? [] : [[hostname, domain]],
    ),
  );
  const connected = () => reportConnected(plan, seen, host.cleanLine, request.taught);
  found({ ...described, connected: connected() });
  found(await describeLeft(host, plan));
  const gated = { digest: described.digest, ...measurePlan(plan) };
  const refused = whyRefused(host, request, plan, memory, gated);
  if (planOnly || refused !== undefined) {
    const shown = showDomains(host, plan, described.changes);
    showOnly(host, planOnly, shown, refused, found);
    return judge(host, request, { results: shown.results, connected: connected() });
  }
  try {
    const results = await apply(run, request, plan, { seen, memory }, found);
    return judge(host, request, { results, connected: connected() });
  } finally {
    found({ connected: connected() });
  }
}

/**
 * Brings a site's domains to what its site file declares; or shows the plan.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function manageDomains(run: Run, request: DomainsRequest): Promise<DomainsReport> {
  return await reportOn<DomainsFindings>(run, emptyReport(), async (found) => {
    const ending = await carryOut(run, request, found);
    run.host.signal.throwIfAborted();
    return ending;
  });
}
