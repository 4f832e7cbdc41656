import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { shorten } from '../../kernel/text/safe.ts';
import type { Sanitize } from './dns/record.ts';
import { assignedTo, statusesOf, type TaughtWords } from './domain-state.ts';
import type { ConnectedReport } from './domains-report.ts';
import type { DomainsPlan } from './plan-domains.ts';
import { previewReport } from './preview-report.ts';

/** The most characters of a project's id. */
const longestId = 500;

/** The most characters of a status. */
const longestStatus = 200;

/** A domain without the status that it can only have with a project: without one it routes nowhere. */
function withoutRouting({ routingStatus, ...domain }: ConnectedDomain): ConnectedDomain {
  return domain;
}

function reportDomain(
  hostname: string,
  domain: ConnectedDomain,
  sanitize: Sanitize,
  taught: TaughtWords | undefined,
): ConnectedReport {
  const projectId = assignedTo(domain);
  const judged = projectId === undefined ? withoutRouting(domain) : domain;
  const report = previewReport(hostname, judged, sanitize, { taught });
  const instructions = report.verification === 'good' ? [] : (domain.instructions ?? []);
  return {
    ...report,
    statuses: statusesOf(judged).map(({ of, status }) => ({
      of,
      status: shorten(sanitize(status), longestStatus),
    })),
    // Whole, because they are to be copied.
    records: instructions.map(({ type, name, value, purpose, required }) => ({
      type: sanitize(type),
      name: sanitize(name),
      value: sanitize(value),
      purpose: sanitize(purpose ?? ''),
      required: required !== false,
    })),
    projectId: shorten(sanitize(projectId ?? ''), longestId),
  };
}

/**
 * The declared connected domains as they were last seen; those that are not connected are left out.
 *
 * @param sanitize makes outside text printable and free of secrets
 * @param taught the words that the workflow adds
 */
export function reportConnected(
  { connections }: DomainsPlan,
  seen: ReadonlyMap<string, ConnectedDomain>,
  sanitize: Sanitize,
  taught?: TaughtWords,
): ConnectedReport[] {
  return connections.flatMap(({ declared: { hostname } }) => {
    const domain = seen.get(hostname);
    return domain === undefined ? [] : [reportDomain(hostname, domain, sanitize, taught)];
  });
}
