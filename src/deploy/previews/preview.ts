import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import {
  clearDomain,
  ensureAssigned,
  findDomain,
  isAssignedTo,
} from '../../domains/assign-domain.ts';
import { assignedTo, otherDomains } from '../../domains/evaluate.ts';
import { notForUs } from '../../domains/guard.ts';
import { diagnose, reword } from '../../kernel/diagnostic.ts';
import { listNames } from '../../kernel/names.ts';
import { joinSafe, safe, unsafeText } from '../../kernel/text/safe.ts';
import { ServiceError } from '../../service/errors.ts';
import { explainError, warnOf } from '../../step/run-outcome.ts';
import { type Host, type Run, Stop } from '../../step/step.ts';
import { describeLongestIdle, type PreviewHistories } from './idle.ts';
import { type Lease, leaseProject } from './lease.ts';
import type { HostnameMatcher } from './model/preview-hostname.ts';

/** The preview that a deployment is for. */
export interface PreviewRequest {
  hostname: string;
  /** The time limit for the domain's verification, in milliseconds. */
  timeout: number;
  /** True: a domain that is not verified in time fails the run; false: it is a warning. */
  strict: boolean;
  matcher: HostnameMatcher;
  /** The projects to which the run may deploy: the hostname is moved from no other one. */
  known: readonly string[];
  /**
   * Whether the pull request is open; undefined if that can't be read. Absent outside pull requests. It is asked before the
   * first write, right after the hostname is assigned, before a rollback, and by the last reads.
   */
  isOpen?: (() => Promise<boolean | undefined>) | undefined;
  /** Reads which preview is the longest idle, to name it where no project is free; absent without `preview-idle`. */
  historyOf?: PreviewHistories | undefined;
}

/** The project that is deployed to. */
export interface Place {
  projectId: string;
  preview: PreviewRequest | undefined;
  /** The preview that has leased it, and whether in this run. */
  lease: { preview: PreviewRequest; isNew: boolean } | undefined;
}

/** Ends the run if the pull request is closed. @throws Stop */
export async function endIfClosed({ isOpen }: PreviewRequest): Promise<void> {
  if ((await isOpen?.()) !== false) return;
  const diagnostic = diagnose('SD6007', safe`The pull request was closed during this run.`);
  throw new Stop('skipped', diagnostic, 'pull-request-closed');
}

/**
 * Ends a preview whose pull request was closed while it was being deployed.
 *
 * @returns the end of the run, with the hostname's current assignment
 */
async function endClosedPreview(
  run: Run,
  { hostname }: PreviewRequest,
  projectId: string,
): Promise<Stop> {
  const closed = safe`The pull request was closed during this run`;
  const name = unsafeText(hostname);
  try {
    const current = await findDomain(run, hostname);
    const project = current && assignedTo(current);
    if (project !== undefined && project !== projectId) {
      const text = safe`${closed}: ${name} is assigned to ${run.host.clean(project)}, and was not changed.`;
      return new Stop('skipped', diagnose('SD6007', text), 'pull-request-closed');
    }
    if (project !== undefined) {
      await clearDomain(run, hostname).catch(async (error: unknown) => {
        // The run of the close may have disconnected it meanwhile.
        if ((await findDomain(run, hostname)) !== undefined) throw error;
      });
    }
    const text = safe`${closed}: its preview is removed.`;
    return new Stop('skipped', diagnose('SD6007', text), 'pull-request-closed');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const diagnostic = reword(
      explainError(error, run.host.clean),
      (why) => safe`The pull request was closed, and ${name} may still be assigned. ${why}`,
    );
    return new Stop('failed', diagnostic);
  }
}

/**
 * The project to which a hostname is assigned, if the hostname must not be moved from there.
 *
 * @param known the projects to which the run may deploy
 */
export function foreignProject(
  known: readonly string[],
  domain: ConnectedDomain,
): string | undefined {
  const projectId = assignedTo(domain);
  const folded = projectId?.toLowerCase();
  return known.some((one) => one.toLowerCase() === folded) ? undefined : projectId;
}

/**
 * Prevents that the hostname is moved from a project that no input of the run names.
 *
 * @param current the hostname's domain; undefined if it is not connected
 * @throws Stop
 */
export function guardMove(
  { clean }: Host,
  { hostname, known }: PreviewRequest,
  current: ConnectedDomain | undefined,
): void {
  const project = current && foreignProject(known, current);
  if (project === undefined) return;
  const message = safe`${unsafeText(hostname)} is assigned to project ${clean(project)}, which no input of this run names. Clear the assignment on the service, or move it with the domains action.`;
  throw new Stop('failed', diagnose('SD6017', message));
}

const lostLease = ({ hostname }: PreviewRequest) =>
  new Stop(
    'failed',
    diagnose(
      'SD6006',
      safe`Nothing was deployed: ${unsafeText(hostname)} is no longer assigned to its project. Rerun the job.`,
    ),
  );

/** The end of a run with `deploy: false` for a pull request without a project. */
export const noPreviewProject = new Stop(
  'skipped',
  diagnose(
    'SD6018',
    safe`This pull request has no preview, and a run with deploy: false uses only a project that the pull request has already.`,
  ),
  'no-preview',
);

/** The project of `preview-projects` that the preview has leased; undefined if there is none. */
export async function findPreviewProject(
  { client }: Run,
  preview: PreviewRequest,
  projects: readonly string[],
): Promise<string | undefined> {
  const own = ownIn(await client.listConnectedDomains(), preview);
  const current = own && assignedTo(own);
  return projects.find((project) => project === current);
}

/** Leases one of some projects for the preview. @throws Stop if none is free, or the hostname must not be moved */
export async function leasePreviewProject(
  run: Run,
  preview: PreviewRequest,
  projects: readonly string[],
  guarded: boolean,
): Promise<Extract<Lease, { projectId: string }>> {
  const { host } = run;
  const known = [...preview.known, ...projects];
  const guard = (current: ConnectedDomain | undefined) =>
    guardMove(host, { ...preview, known }, current);
  const lease = await leaseProject(run, { ...preview, projects, guarded, guard });
  if ('projectId' in lease) return lease;
  const holders = lease.holders.map((hostname) => {
    const number = preview.matcher.numberOf(hostname);
    return number === undefined ? host.clean(hostname) : safe`#${number}`;
  });
  const who = holders.length === 0 ? safe`domains that are not previews` : joinSafe(holders, ', ');
  const close = ['', 'Close that pull request, or '][holders.length] ?? 'Close one of them, or ';
  const add = safe`${unsafeText(close)}${unsafeText(close === '' ? 'Add' : 'add')} a project, then rerun the job.`;
  const idle = await describeLongestIdle(run, preview, lease.holders, projects[0]);
  const message = safe`All projects of preview-projects are in use, by ${who}. ${idle}${add}`;
  throw new Stop('skipped', diagnose('SD6002', message), 'no-free-preview-project');
}

/**
 * Ends the run if the project is no longer leased, by a new request. As long as our assignment exists, another run that
 * takes the same project reads it and releases the project.
 */
export async function confirmLease(
  { client }: Run,
  preview: PreviewRequest,
  projectId: string,
): Promise<void> {
  if (isAssignedTo(ownIn(await client.listConnectedDomains(), preview), projectId)) return;
  throw lostLease(preview);
}

/**
 * Ends the run if the project that it was just given serves another domain, too, by a new request, and gives it back. Two
 * pull requests that had both read it as free can't both pass: each would have had to check before the other's assignment
 * and after its own.
 */
export async function confirmAlone(
  run: Run,
  preview: PreviewRequest,
  projectId: string,
): Promise<void> {
  const domains = await run.client.listConnectedDomains();
  const others = otherDomains(domains, projectId, preview.hostname);
  if (others.length === 0) return;
  await endLease(run, preview, projectId);
  const names = listNames(others, run.host.clean);
  const message = safe`Nothing was deployed: ${names} was assigned to the project during this run. Rerun the job. To have several previews at once, use preview-projects.`;
  throw new Stop('failed', diagnose('SD6004', message));
}

const ownIn = (domains: readonly ConnectedDomain[], { hostname }: PreviewRequest) =>
  domains.find((domain) => domain.hostname.toLowerCase() === hostname);

/**
 * The domain of the preview's hostname.
 *
 * @param domains the connected domains, if they can be listed
 * @returns undefined if it is not connected, or may not be read: connecting it will show its project
 */
export async function findOwnDomain(
  run: Run,
  preview: PreviewRequest,
  domains: readonly ConnectedDomain[] | undefined,
): Promise<ConnectedDomain | undefined> {
  if (domains !== undefined) return ownIn(domains, preview);
  return await findDomain(run, preview.hostname).catch((error: unknown) => {
    if (error instanceof ServiceError && notForUs.has(error.status ?? 0)) return undefined;
    throw error;
  });
}

/** A preview whose hostname is assigned to its project. */
export interface AssignedPreview {
  /** False if the domain comes from the response to a write. */
  isRead: boolean;
  domain: ConnectedDomain;
  /** Ends the preview because the pull request was closed. @returns the end of the run */
  end(): Promise<Stop>;
  /**
   * The question right after the assignment whether the pull request is still open, for which a deployment need not wait.
   * If it is not, this ends the preview and rejects.
   */
  stillOpenCheck: Promise<void>;
}

/**
 * Assigns the preview's hostname to its project, and removes it again if the pull request was closed. To a leased project
 * it is assigned already.
 *
 * @param isLeased true if the project was leased
 * @param current the hostname's domain; undefined if it is not connected
 */
export async function assignPreview(
  run: Run,
  preview: PreviewRequest,
  { projectId, isLeased }: { projectId: string; isLeased: boolean },
  current: ConnectedDomain | undefined,
): Promise<AssignedPreview> {
  const { hostname } = preview;
  if (isLeased && current === undefined) throw lostLease(preview);
  if (!isLeased && current !== undefined && !isAssignedTo(current, projectId)) {
    guardMove(run.host, preview, await findDomain(run, hostname));
  }
  const accepts = (found: ConnectedDomain) => guardMove(run.host, preview, found);
  const domain =
    isLeased && current !== undefined
      ? current
      : await ensureAssigned(run, { hostname, projectId, current, accepts });
  const end = () => endClosedPreview(run, preview, projectId);
  const checkAgain = async () => {
    if ((await preview.isOpen?.()) === false) throw await end();
  };
  // A lease may be this run's, too.
  const isNew = isLeased || !isAssignedTo(current, projectId);
  const stillOpenCheck = isNew ? checkAgain() : Promise.resolve();
  // The caller awaits it later.
  stillOpenCheck.catch(() => undefined);
  return { domain, isRead: domain === current, end, stillOpenCheck };
}

/** Removes a preview's hostname from its project, for a run that ends before it has deployed. */
async function endLease(run: Run, { hostname }: PreviewRequest, projectId: string): Promise<void> {
  const domain = await run.client.readConnectedDomain(hostname, false);
  if (isAssignedTo(domain, projectId)) await clearDomain(run, hostname);
}

/**
 * Runs a part of a run up to the end of its writes. If a Stop ends that, a lease that this run has made is ended; any other
 * error, as of the service or a timeout, leaves it, and so does what comes later: another run may use it by then.
 */
export async function endLeaseIfStopped<Done>(
  run: Run,
  { projectId, lease }: Place,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (lease?.isNew && error instanceof Stop) {
      await endLease(run, lease.preview, projectId).catch((cause: unknown) =>
        warnOf(run.host, cause),
      );
    }
    throw error;
  }
}
