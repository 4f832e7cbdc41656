import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { notForUs } from '../domains/guard.ts';
import { findDomain, isAssignedTo, placeDomain, releaseDomain } from '../domains/place-domain.ts';
import { explainError } from '../frame/ending.ts';
import { EarlyEnd, type Host } from '../frame/host.ts';
import type { Run } from '../frame/step.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { joinSafe, safe, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { PreviewIntent } from './intent.ts';
import { type Lease, leaseProject } from './lease.ts';
import { foreignProject, isTakenByOthers } from './model/ownership.ts';
import type { HostnameMatcher } from './model/preview-hostname.ts';

/** The preview that a deployment is for. */
export interface PreviewRequest extends PreviewIntent {
  matcher: HostnameMatcher;
  /** The projects that the run may deploy to: from no other one the hostname is moved. */
  known: readonly string[];
  /** Notes on GitHub what the run does to the hostname; absent where the name alone tells whose it is. */
  record?: {
    /** The hostname, which was nobody's or ours, is about to be given to a project. */
    take(projectId: string): void;
    /** Nothing stands in the run's way any more. */
    begin(): void;
  };
  /** Whether the pull request is open; undefined if that cannot be told. Absent outside pull requests. */
  isOpen?: () => Promise<boolean | undefined>;
}

const closed = () =>
  new EarlyEnd(
    'skipped',
    diagnose('SD6007', safe`The pull request was closed in the meantime.`),
    'pull-request-closed',
  );

/** A project that is leased for a preview. */
export type LeasedProject = Extract<Lease, { projectId: string }>;

/** Ends the run if the pull request is closed. @throws EarlyEnd */
export async function endIfClosed({ isOpen }: PreviewRequest): Promise<void> {
  if ((await isOpen?.()) === false) throw closed();
}

/**
 * Ends a preview whose pull request was closed while it was being deployed.
 *
 * @param isOurs false if its hostname was on the project before, and no record says that it is the preview's
 * @returns what ends the run, and says where a look shows the hostname
 */
async function endClosedPreview(
  run: Run,
  { hostname }: PreviewRequest,
  projectId: string,
  isOurs: boolean,
): Promise<EarlyEnd> {
  const closed = safe`The pull request was closed while it was being deployed`;
  const name = unsafeText(hostname);
  try {
    const seen = await findDomain(run, hostname);
    const current = seen && assignedTo(seen);
    if (current !== undefined && !(isOurs && current === projectId)) {
      const text = safe`${closed}: ${name} is assigned to ${run.host.clean(current)}, and was left there.`;
      return new EarlyEnd('skipped', diagnose('SD6007', text), 'pull-request-closed');
    }
    if (current !== undefined) await releaseDomain(run, hostname);
    const text = safe`${closed}: its preview is removed.`;
    return new EarlyEnd('skipped', diagnose('SD6007', text), 'pull-request-closed');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const diagnostic = reword(
      explainError(error, run.host.clean),
      (why) => safe`${closed}, and ${name} may still be there. Run the job again. ${why}`,
    );
    return new EarlyEnd('failed', diagnostic);
  }
}

/**
 * Ends the run rather than move the hostname away from a project that the run knows nothing of.
 *
 * @param seen the hostname's domain; undefined if it is not connected
 * @throws EarlyEnd
 */
export function guardMove(
  { clean }: Host,
  { hostname, known, ownership }: PreviewRequest,
  seen: ConnectedDomain | undefined,
): void {
  const project = seen && foreignProject(known, ownership, seen);
  if (project === undefined) return;
  const message = safe`${unsafeText(hostname)} is assigned to project ${clean(project)}, which this run does not know, so it was not moved. Clear that assignment at the service, or declare the move in the site file of the domains action.`;
  throw new EarlyEnd('failed', diagnose('SD6017', message));
}

/** What ends a run that lost the project of its preview. */
const lostLease = ({ hostname }: PreviewRequest) =>
  new EarlyEnd(
    'failed',
    diagnose(
      'SD6006',
      safe`Nothing was deployed: ${unsafeText(hostname)} lost its project in the meantime. Run the job again.`,
    ),
  );

/** What ends a run that deploys nothing, of a pull request that has no project. */
export const noPreviewProject = new EarlyEnd(
  'skipped',
  diagnose(
    'SD6018',
    safe`This pull request has no preview, and a run with deploy: false takes no project of preview-projects.`,
  ),
  'no-preview',
);

/** The project of `preview-projects` that the preview has; undefined if it has none. */
export async function findPreviewProject(
  { client }: Run,
  preview: PreviewRequest,
  projects: readonly string[],
): Promise<string | undefined> {
  const own = ownIn(await client.listConnectedDomains(), preview);
  guardName(preview, own);
  const current = own && assignedTo(own);
  return projects.find((project) => project === current);
}

/** Leases one of some projects for the preview, and says whether the preview had none before. */
export async function leasePreviewProject(
  run: Run,
  preview: PreviewRequest,
  projects: readonly string[],
  guarded: boolean,
): Promise<LeasedProject> {
  const { client, host } = run;
  await endIfClosed(preview);
  // Not even allow-production takes a site for a lease: that is given back, and nobody would put the site back.
  if (preview.ownership.by === 'record') {
    guardName(preview, ownIn(await client.listConnectedDomains(), preview));
  }
  const known = [...preview.known, ...projects];
  const guard = (seen: ConnectedDomain | undefined) => guardMove(host, { ...preview, known }, seen);
  const lease = await leaseProject(run, { ...preview, projects, guarded, guard });
  if ('projectId' in lease) return lease;
  const holders = lease.holders.map((hostname) => {
    const number = preview.matcher.numberOf(hostname);
    return number === undefined ? host.clean(hostname) : safe`#${number}`;
  });
  const who = holders.length === 0 ? safe`domains that are no previews` : joinSafe(holders, ', ');
  const message = safe`No project of preview-projects is free: they are held by ${who}. Close one of these pull requests, or add a project.`;
  throw new EarlyEnd('skipped', diagnose('SD6002', message), 'no-free-preview-project');
}

/**
 * Ends the run if the leased project is ours no more, by a fresh look: as long as our own assignment stands, whoever
 * came to the project since sees it, and leaves again.
 */
export async function confirmLease(
  { client }: Run,
  preview: PreviewRequest,
  projectId: string,
): Promise<void> {
  if (isAssignedTo(ownIn(await client.listConnectedDomains(), preview), projectId)) return;
  throw lostLease(preview);
}

const ownIn = (domains: readonly ConnectedDomain[], { hostname }: PreviewRequest) =>
  domains.find((domain) => domain.hostname.toLowerCase() === hostname);

/**
 * The preview's own hostname, as the service shows it.
 *
 * @param domains the connected domains, if they can be listed
 * @returns undefined if it is not connected, or if that may not be read and the name alone tells whose it is
 */
export async function findOwnDomain(
  run: Run,
  preview: PreviewRequest,
  domains: readonly ConnectedDomain[] | undefined,
): Promise<ConnectedDomain | undefined> {
  if (domains !== undefined) return ownIn(domains, preview);
  return await findDomain(run, preview.hostname).catch((error: unknown) => {
    const isRefused = error instanceof ServiceError && notForUs.has(error.status ?? 0);
    // Then its connection shows whose it is.
    if (isRefused && preview.ownership.by === 'name') return undefined;
    throw error;
  });
}

/** Ends the run rather than change what may be somebody's site, whose name a branch was given. */
export function guardName(
  { hostname, ownership }: PreviewRequest,
  seen: ConnectedDomain | undefined,
): void {
  if (seen === undefined || !isTakenByOthers(ownership, seen)) return;
  const message = safe`Nothing was written or deployed: ${unsafeText(hostname)} is assigned to a project, and no record of ours says that it is the preview of this pull request on that project. So it may be somebody's site, which a branch's name must not take. Put {number} into preview-domain. If it is a preview, clear its assignment at the service, and let its runs keep a record of it, by comment or github-deployment.`;
  throw new EarlyEnd('failed', diagnose('SD6003', message));
}

/** A preview's hostname where it should be. */
export interface PlacedPreview {
  domain: ConnectedDomain;
  /** Ends the preview, because the pull request was closed. Gives what ends the run. */
  end(): Promise<EarlyEnd>;
  /**
   * The look right after it was assigned, which a deployment need not wait for: rejects if the pull request was closed,
   * once the preview is ended.
   */
  stillOpen: Promise<void>;
}

/**
 * Points the preview's hostname at its project, unless the pull request was closed right before, and takes it back if
 * it was closed right after. A leased project has its hostname already, and must still have it.
 *
 * @param isLeased true if the project was leased
 * @param seen the hostname's domain; undefined if it is not connected
 */
export async function placePreview(
  run: Run,
  preview: PreviewRequest,
  { projectId, isLeased }: { projectId: string; isLeased: boolean },
  seen: ConnectedDomain | undefined,
): Promise<PlacedPreview> {
  const { hostname, ownership, record } = preview;
  if (isLeased && seen === undefined) throw lostLease(preview);
  if (!isLeased && seen !== undefined && !isAssignedTo(seen, projectId)) {
    guardMove(run.host, preview, await findDomain(run, hostname));
  }
  const isOurs = isLeased || seen === undefined || !isTakenByOthers(ownership, seen);
  if (isOurs) record?.take(projectId);
  record?.begin();
  const accepts = (found: ConnectedDomain) => {
    guardName(preview, found);
    guardMove(run.host, preview, found);
  };
  const domain =
    isLeased && seen !== undefined
      ? seen
      : await placeDomain(run, { hostname, projectId, seen, accepts });
  const end = () => endClosedPreview(run, preview, projectId, isOurs);
  const lookAgain = async () => {
    if ((await preview.isOpen?.()) === false) throw await end();
  };
  const isAssigned = isLeased || !isAssignedTo(seen, projectId);
  const stillOpen = isAssigned ? lookAgain() : Promise.resolve();
  // Whoever places it waits for it later.
  stillOpen.catch(() => undefined);
  return { domain, end, stillOpen };
}

/** Takes a preview's hostname off its project again, if a run ends before it has deployed. */
export async function releaseLease(
  run: Run,
  { hostname }: PreviewRequest,
  projectId: string,
): Promise<void> {
  const domain = await run.client.getConnectedDomain(hostname, false);
  if (isAssignedTo(domain, projectId)) await releaseDomain(run, hostname);
}
