import { type Sha, shaOf } from '../contract/commit.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { isAssignedTo } from '../domains/assign-domain.ts';
import { otherDomains } from '../domains/evaluate.ts';
import { guardProject, listDomains, noPreview, notForUs } from '../domains/guard.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { lastGood, mayBeNewer } from '../releases/decisions.ts';
import { type History, HistoryUnreadable } from '../releases/history.ts';
import { ServiceError } from '../service/errors.ts';
import { Stop } from '../step/step.ts';
import { observeVariables } from '../variables/sync.ts';
import type { ReleaseContext, SetupContext } from './context.ts';
import {
  confirmAlone,
  confirmLease,
  findOwnDomain,
  guardMove,
  type Place,
} from './previews/preview.ts';
import { tryIfChecksProve } from './verify.ts';

type GateContext = Pick<SetupContext, 'host' | 'request' | 'recorder'>;

/**
 * Chooses the series of a run of unmerged code, which only the project shows: it goes to production if the project
 * serves other domains than its preview's.
 */
export async function chooseSeries(run: ReleaseContext): Promise<void> {
  const { place, projectId } = run;
  const domains = await listOnce(run);
  const others = otherDomains(sitesOf(place, domains ?? []), projectId, place.preview?.hostname);
  if (others.length > 0) run.recorder?.moveToProduction(projectId);
}

/** The connected domains; undefined if they may not be listed, which is reported once. */
async function listOnce(run: SetupContext): Promise<readonly ConnectedDomain[] | undefined> {
  // A run with a preview lists them again, and reports it then.
  if (run.request.target.preview === undefined) return await listDomains(run);
  return await run.client.listConnectedDomains().catch((error: unknown) => {
    if (error instanceof ServiceError && notForUs.has(error.status ?? 0)) return undefined;
    throw error;
  });
}

/** The domains that a run must not touch; not those of other previews that try to lease the same project. */
function sitesOf({ lease }: Place, domains: readonly ConnectedDomain[]) {
  if (lease === undefined) return domains;
  return domains.filter(({ hostname }) => !lease.preview.matcher.matches(hostname));
}

/**
 * The first gate, before the first write (an undecided run has leased its project by then): reads earlier releases, and then
 * begins the run's own record on GitHub, for which the last gate waits. With `if-needed` that begins once it is needed.
 *
 * @throws Stop if it may not
 */
export async function firstGate(run: SetupContext): Promise<void> {
  const { recorder, request } = run;
  const why = await whyRefused(run);
  if (why !== undefined) throw why;
  // Not awaited: other runs need it only once something is deployed.
  if (request.ifNeeded !== true) void recorder?.ensureCreated();
}

/** Reads all that the run depends on. */
export async function observe(run: ReleaseContext) {
  const { request, projectId } = run;
  const { guarded } = request;
  const { preview } = request.target;
  const [known, domains, checksProve] = await Promise.all([
    observeVariables(run, projectId, request.ledgers),
    preview !== undefined || guarded ? listDomains(run) : undefined,
    request.deploys && tryIfChecksProve(run),
  ]);
  const own = preview && (await findOwnDomain(run, preview, domains));
  return { known, domains, own, checksProve };
}

/** Ends a run of code that must not go live there; warns if it is no preview. @throws Stop */
export function guardWrites(
  run: ReleaseContext,
  { domains, own }: Pick<Awaited<ReturnType<typeof observe>>, 'domains' | 'own'>,
): void {
  const { host, request, place, projectId } = run;
  const { guarded, deploys, isPullRequest } = request;
  const { preview, lease } = place;
  if (preview && !lease && !isAssignedTo(own, projectId)) guardMove(host, preview, own);
  if (!guarded) return;
  guardProject(host, projectId, sitesOf(place, domains ?? []), preview?.hostname);
  if (isPullRequest && deploys && preview === undefined) {
    host.report({ type: 'warning', diagnostic: noPreview });
  }
}

/**
 * Ends the run if its hostname is no longer assigned to the project that it has leased, or its project is not its preview's
 * alone, by a new read after the writes.
 *
 * @throws Stop
 */
export async function guardAssigned(
  run: ReleaseContext,
  { domains, own }: Pick<Awaited<ReturnType<typeof observe>>, 'domains' | 'own'>,
): Promise<void> {
  const { place, projectId, request } = run;
  const { preview, lease } = place;
  if (lease) return await confirmLease(run, lease.preview, projectId);
  if (preview === undefined || !request.guarded || domains === undefined) return;
  if (!isAssignedTo(own, projectId)) await confirmAlone(run, preview, projectId);
}

/**
 * The last gate, right before the deployment is requested: waits at most 10 s for this run's own record, which other runs
 * can read then, and reads those of others again.
 *
 * @throws Stop if the commit is older by now
 */
export async function lastGate(run: GateContext): Promise<void> {
  if (run.request.history !== undefined) await run.recorder?.awaitCreated(run.host.clock);
  const why = await whyOlder(run, findNewerNow);
  if (why !== undefined) throw why;
}

/** Why earlier deployments forbid this one, before it writes anything; undefined if they do not. */
export async function whyRefused(run: SetupContext): Promise<Stop | undefined> {
  return await whyOlder(run, findNewer);
}

/** Histories that could not be read, which is reported once. */
const reported = new WeakSet<History>();

/**
 * Why a commit must not be deployed because it is older than another release of this series; undefined if it may. A
 * failure to read that is reported once, and the run continues.
 *
 * @param find finds a newer release
 */
async function whyOlder(run: GateContext, find: typeof findNewer): Promise<Stop | undefined> {
  const { host, request } = run;
  const { onOlder, history } = request;
  const commit = shaOf(request.commit);
  if (onOlder === undefined || history === undefined || commit === undefined) return undefined;
  try {
    const newer = await find(run, commit, history);
    if (newer === undefined || (await history.isBranchHead(commit, host.signal))) return undefined;
    const text = safe`Nothing was deployed: ${commit} is older than ${newer}. To deploy it anyway, set on-older: deploy, or commit-sha in a manual run`;
    const error = diagnose('SD5301', text);
    if (onOlder === 'fail') return new Stop('failed', error);
    return new Stop('skipped', error, 'older-commit');
  } catch (error) {
    if (!(error instanceof HistoryUnreadable)) throw error;
    if (reported.has(history)) return undefined;
    reported.add(history);
    const result = request.planOnly
      ? safe`a run would deploy the commit`
      : safe`the commit is deployed`;
    const diagnostic = reword(
      error.diagnostic,
      (why) => safe`${why} on-older can't be decided, so ${result}.`,
    );
    host.report({ type: 'warning', diagnostic });
    if (error.isLasting) run.recorder?.giveUp();
    return undefined;
  }
}

/** The last good release, if it is newer than the run's commit, as a clause; undefined if not, or if that is not known. */
async function findNewer(
  { host, request }: GateContext,
  commit: Sha,
  history: History,
): Promise<SafeText | undefined> {
  const { target } = request;
  const { signal } = host;
  const projectId = target.kind === 'project' ? target.id : undefined;
  const good = (await history.decide(lastGood, { signal, projectId }))?.record;
  if (good === undefined) return undefined;
  const isOlder = await history.isOlder(commit, good.commit, signal);
  if (isOlder) return safe`${good.commit}, the last successful deployment here`;
  if (isOlder === undefined) {
    const doing = request.planOnly ? safe`A run would deploy` : safe`Deploying`;
    const text = safe`${doing} ${commit} without comparing it with ${good.commit}, the last successful deployment here: GitHub does not know both, or they share no history`;
    host.report({ type: 'warning', diagnostic: diagnose('SD5302', text) });
  }
  return undefined;
}

/** The same right before the deployment is posted: deployments of other runs in progress then count, too. */
async function findNewerNow(
  { host: { signal } }: GateContext,
  commit: Sha,
  history: History,
): Promise<SafeText | undefined> {
  for (const { record, isGood } of await history.decide(mayBeNewer, { signal, fresh: true })) {
    if (!(await history.isOlder(commit, record.commit, signal))) continue;
    const newer = record.commit;
    if (isGood) return safe`${newer}, the last successful deployment here`;
    const [end] = await history.decide((known) => known.ends([record]), { signal });
    if (end === undefined) return safe`${newer}, which another run is deploying here`;
  }
  return undefined;
}
