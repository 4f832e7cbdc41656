import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { otherDomains } from '../../core/preview/domain-state.ts';
import type { HostnameMatcher } from '../../core/preview/hostname.ts';
import { previewReport } from '../../core/preview/preview-report.ts';
import type { PreviewReport } from '../../core/report/report.ts';
import { formatDuration } from '../../core/text/duration.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import { EarlyEnd, type Host } from '../host.ts';
import { leaseProject } from './lease.ts';
import { placeDomain } from './place.ts';
import { followVerification } from './verification.ts';

/** The preview that a deployment is for. */
export interface PreviewRequest {
  hostname: string;
  matcher: HostnameMatcher;
  /** The projects to lease one of; empty: the project is given. */
  projects: readonly string[];
  /** How long to follow the domain's verification, in milliseconds. */
  timeout: number;
  onPending: 'warn' | 'fail';
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
  keyFor: KeyFor,
): Promise<string> {
  await endIfClosed(preview);
  const lease = await leaseProject(client, host, { ...preview, keyFor });
  if ('projectId' in lease) return lease.projectId;
  const holders = lease.holders.map((hostname) => {
    const number = preview.matcher.numberOf(hostname);
    return number === undefined ? host.clean(hostname) : `#${number}`;
  });
  const who = holders.length === 0 ? 'other hostnames' : holders.join(', ');
  const message = `No project of preview-projects is free: they are held by ${who}. Close one of these pull requests, or add a project.`;
  throw new EarlyEnd('skipped', message, 'no-free-preview-project');
}

/**
 * Lists the domains that a deployment to a project would change.
 *
 * @returns undefined, with a note, if the key may not list domains or the service does not
 */
export async function listDomains(
  client: ServiceClient,
  host: Host,
): Promise<ConnectedDomain[] | undefined> {
  try {
    return await client.listConnectedDomains();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.details.fault !== 'answer') throw error;
    const text = `The connected domains cannot be listed, so it is not known whether the project serves others. ${error.message}`;
    host.report({ type: 'warning', text });
    return undefined;
  }
}

/** Refuses to put a pull request's code on domains that are not its preview. */
export function guardDomains(
  host: Host,
  projectId: string,
  domains: readonly ConnectedDomain[],
  ownHostname: string | undefined,
): void {
  const others = otherDomains(domains, projectId, ownHostname).map(host.clean);
  if (others.length === 0) return;
  const message = `Nothing was deployed: the project also serves ${others.join(', ')}, and a pull request's code would go live there. Give pull requests a project of their own (project-id or preview-projects), or set allow-production: true.`;
  throw new EarlyEnd('failed', message);
}

/** Points the preview's hostname at its project, unless the pull request was closed right before or after. */
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
  const placed = await placeDomain(client, { hostname, projectId, seen, keyFor });
  if ((await preview.isOpen?.()) !== false) return placed;
  const idempotencyKey = keyFor('clear domain', hostname);
  await client.assignDomain(hostname, { projectId: null, idempotencyKey });
  throw closed();
}

/** Follows the verification of a placed preview, and tells what somebody has to do for it. */
export async function followPreview(
  client: ServiceClient,
  host: Host,
  preview: PreviewRequest,
  placed: ConnectedDomain,
  signal: AbortSignal,
): Promise<PreviewReport> {
  const { domain } = await followVerification(client, host, placed, preview.timeout, signal);
  return previewReport(domain, host.clean);
}

/** Why a preview is not verified, and what to do; undefined if it is. */
export function describePending(preview: PreviewReport, timeout: number): string | undefined {
  const { hostname, verification, statuses, records, errors } = preview;
  if (verification === 'good') return undefined;
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
