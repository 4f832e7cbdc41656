import { clearDomain, disconnectDomain, findDomain } from '../../domains/assign-domain.ts';
import { assignedTo } from '../../domains/evaluate.ts';
import { DiagnosedError, diagnose } from '../../kernel/diagnostic.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import type { Run } from '../../step/step.ts';
import type { EndIntent } from './intent.ts';
import type { HostnameMatcher } from './model/preview-hostname.ts';
import { foreignProject } from './preview.ts';

/** A preview whose pull request is closed. */
export interface CleanUpRequest extends EndIntent {
  hostname: string;
}

/** The result for a preview's domain. */
export type CleanedUp = 'cleared' | 'disconnected' | 'not-connected' | 'unassigned';

/** Thrown for a hostname that this run may not take from the project to which it is assigned. */
export class PreviewKept extends DiagnosedError {
  override readonly name = 'PreviewKept';

  constructor(hostname: SafeText, projectId: SafeText) {
    super(
      diagnose(
        'SD6017',
        safe`${hostname} is assigned to project ${projectId}, which no input of this run names, so the preview was not removed. Add the project to preview-projects and rerun the job, or clear the assignment on the service.`,
      ),
    );
  }
}

/**
 * Ends a preview: clears the assignment of its domain or disconnects the domain. The project keeps what was deployed to it.
 *
 * @throws PreviewKept if the domain is assigned, and not to the preview's project
 */
export async function cleanUp(
  run: Run,
  { hostname, projects, disconnect }: CleanUpRequest,
): Promise<CleanedUp> {
  const { host } = run;
  const domain = await findDomain(run, hostname);
  if (domain === undefined) return 'not-connected';
  const foreign = foreignProject(projects, domain);
  if (foreign !== undefined) throw new PreviewKept(host.clean(hostname), host.clean(foreign));
  if (disconnect) {
    await disconnectDomain(run, hostname);
    host.report({ type: 'note', text: safe`${host.clean(hostname)} is disconnected` });
    return 'disconnected';
  }
  if (assignedTo(domain) === undefined) return 'unassigned';
  await clearDomain(run, hostname);
  host.report({ type: 'note', text: safe`${host.clean(hostname)} is no longer assigned` });
  return 'cleared';
}

/** Previews that the clean-up on close may have missed. */
export interface SweepRequest extends EndIntent {
  matcher: HostnameMatcher;
  /** Whether a pull request is open; undefined if that can't be read. */
  isOpen: (number: number) => Promise<boolean | undefined>;
  /** Called for each ended preview before the next one is checked, so that a killed run misses at most one. */
  onEnded?: (ended: Ended) => Promise<void>;
}

/** A preview that was ended. */
interface Ended {
  hostname: string;
  number: number;
  /** The project to which its hostname was assigned. */
  projectId: string;
  result: CleanedUp;
}

/** A hostname of the sweep, and its result or its error. */
export interface Swept {
  hostname: string;
  number: number;
  result: CleanedUp | { error: unknown };
}

/** Ends the previews of all closed pull requests. Previews of pull requests with an unknown state are kept. */
export async function sweep(run: Run, request: SweepRequest): Promise<Swept[]> {
  const { client, host } = run;
  const { matcher, isOpen, onEnded } = request;
  const swept: Swept[] = [];
  for (const domain of await client.listConnectedDomains()) {
    const number = matcher.numberOf(domain.hostname);
    const projectId = assignedTo(domain);
    if (number === undefined || projectId === undefined) continue;
    if ((await isOpen(number)) !== false) continue;
    const { hostname } = domain;
    const result = await cleanUp(run, { ...request, hostname }).catch((error: unknown) => {
      host.signal.throwIfAborted();
      return { error };
    });
    swept.push({ hostname, number, result });
    if (typeof result === 'string') await onEnded?.({ hostname, number, projectId, result });
  }
  return swept;
}
