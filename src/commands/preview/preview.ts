import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../core/preview/domain-state.ts';
import type { HostnameMatcher } from '../../core/preview/hostname.ts';
import { previewReport } from '../../core/preview/preview-report.ts';
import type { PreviewReport } from '../../core/report/report.ts';
import { formatDuration } from '../../core/text/duration.ts';
import type { ServiceClient } from '../../service/client.ts';
import { EarlyEnd, type Host } from '../host.ts';
import { leaseProject, stillHolds } from './lease.ts';
import { placeDomain, releaseDomain } from './place.ts';
import { type Following, followVerification } from './verification.ts';

/** The preview that a deployment is for. */
export interface PreviewRequest {
  hostname: string;
  matcher: HostnameMatcher;
  /** The projects to lease one of; empty: the project is given. */
  projects: readonly string[];
  /** How long to follow the domain's verification, in milliseconds. */
  timeout: number;
  onPending: 'warn' | 'fail';
  /** False: a domain that is assigned to a project of somebody else's must not be moved. */
  mayMove: boolean;
  /** The projects that the domain may be on without being anybody else's. */
  ownProjects: readonly string[];
  /** Whether the pull request is open; undefined if that cannot be told. Absent outside pull requests. */
  isOpen?: () => Promise<boolean | undefined>;
}

type KeyFor = (operation: string, target: string) => string;

const closed = () =>
  new EarlyEnd('skipped', 'The pull request was closed in the meantime.', 'pull-request-closed');

async function endIfClosed({ isOpen }: PreviewRequest): Promise<void> {
  if ((await isOpen?.()) === false) throw closed();
}

/** Leases a project for the preview. */
export async function leasePreviewProject(
  client: ServiceClient,
  host: Host,
  preview: PreviewRequest,
  guarded: boolean,
  keyFor: KeyFor,
): Promise<string> {
  await endIfClosed(preview);
  const lease = await leaseProject(client, host, { ...preview, guarded, keyFor });
  if ('projectId' in lease) return lease.projectId;
  const holders = lease.holders.map((hostname) => {
    const number = preview.matcher.numberOf(hostname);
    return number === undefined ? host.clean(hostname) : `#${number}`;
  });
  const who = holders.length === 0 ? 'domains that are no previews' : holders.join(', ');
  const message = `No project of preview-projects is free: they are held by ${who}. Close one of these pull requests, or add a project.`;
  throw new EarlyEnd('skipped', message, 'no-free-preview-project');
}

/** Ends the run if the leased project is ours no more. */
export async function confirmLease(
  client: ServiceClient,
  { hostname, projects }: PreviewRequest,
  projectId: string,
): Promise<void> {
  if (projects.length === 0 || (await stillHolds(client, hostname, projectId))) return;
  const message = `Nothing was deployed: ${hostname} lost its project in the meantime. Run the job again.`;
  throw new EarlyEnd('failed', message);
}

/** Ends the run rather than take a domain off a project that is none of ours. */
function guardMove(
  { hostname, mayMove, ownProjects }: PreviewRequest,
  seen: ConnectedDomain,
): void {
  const current = assignedTo(seen)?.toLowerCase();
  const isOurs = ownProjects.some((projectId) => projectId.toLowerCase() === current);
  if (mayMove || current === undefined || isOurs) return;
  const message = `Nothing was deployed: ${hostname} is assigned to another project, and a branch's name must not take it from there. Put {number} into preview-domain, or set allow-production: true.`;
  throw new EarlyEnd('failed', message);
}

/**
 * Points the preview's hostname at its project, unless the pull request was closed right before or after. A
 * leased project has its hostname already, and must still have it.
 */
export async function placePreview(
  client: ServiceClient,
  preview: PreviewRequest,
  projectId: string,
  domains: readonly ConnectedDomain[] | undefined,
  keyFor: KeyFor,
): Promise<ConnectedDomain> {
  const { hostname } = preview;
  const seen = domains?.find((domain) => domain.hostname.toLowerCase() === hostname);
  await endIfClosed(preview);
  if (seen !== undefined) guardMove(preview, seen);
  const isLeased = preview.projects.length > 0;
  const placed =
    isLeased && seen !== undefined
      ? seen
      : await placeDomain(client, { hostname, projectId, seen, keyFor });
  if ((await preview.isOpen?.()) !== false) return placed;
  await releaseDomain(client, { hostname, keyFor });
  throw closed();
}

/** Takes a preview's hostname off its project again, if a run ends before it has deployed. */
export async function giveBack(
  client: ServiceClient,
  { hostname }: PreviewRequest,
  projectId: string,
  keyFor: KeyFor,
): Promise<void> {
  const domain = await client.getConnectedDomain(hostname, false);
  if (assignedTo(domain)?.toLowerCase() !== projectId.toLowerCase()) return;
  await releaseDomain(client, { hostname, keyFor });
}

/** Follows the verification of a placed preview, and tells what somebody has to do for it. */
export async function followPreview(
  client: ServiceClient,
  host: Host,
  preview: PreviewRequest,
  following: Omit<Following, 'timeout'>,
): Promise<PreviewReport> {
  const { hostname, timeout } = preview;
  const { domain, trouble } = await followVerification(client, host, { ...following, timeout });
  return previewReport(hostname, domain, host.clean, trouble);
}

/** Why a preview is not verified, and what to do; undefined if it is. */
export function describePending(preview: PreviewReport, timeout: number): string | undefined {
  const { hostname, verification, statuses, records, errors, trouble } = preview;
  if (verification === 'good') return undefined;
  if (trouble !== undefined) {
    return `The verification of ${hostname} could not be followed (last seen: ${statuses}). ${trouble}`;
  }
  const how =
    verification === 'bad'
      ? 'failed its verification'
      : `is not verified after ${formatDuration(timeout)}`;
  const said = errors.length === 0 ? '' : ` The service says: ${errors.join('; ')}.`;
  const wanted = records
    .filter(({ required }) => required)
    .map(({ type, name, value }) => `${type} ${name} → ${value}`);
  const make = wanted.length === 0 ? '' : ` Make these DNS records: ${wanted.join('; ')}.`;
  return `The domain ${hostname} ${how} (${statuses}).${said}${make}`;
}
