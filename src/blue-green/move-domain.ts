import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { ensureAssigned, findDomain, isAssignedTo } from '../domains/assign-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { EarlyEnd, type Host, type Run } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';

/** A domain that is to move. */
interface Move {
  hostname: string;
  /** The project that serves it now; undefined: none, or it is not connected. */
  from: string | undefined;
  to: string;
}

/** Thrown when a domain is not where this run found or left it: another run or a user moved it. */
export class MovedByOthers extends EarlyEnd {
  /** The project that has it now; undefined: none. */
  readonly project: string | undefined;

  constructor({ clean }: Host, { hostname, from }: Omit<Move, 'to'>, project: string | undefined) {
    const is = project === undefined ? safe`no project` : clean(project);
    const was = from === undefined ? safe`none` : clean(from);
    const message = safe`${unsafeText(hostname)} is now assigned to ${is} (before: ${was}): another run or a user moved it, so this run stops. Rerun the job. To prevent this, put such jobs in one concurrency group.`;
    super('failed', diagnose('SD6013', message));
    this.project = project;
  }
}

/**
 * The run with idempotency keys that differ if the same assignment is made twice: the second is no retry.
 *
 * @param part each part of the run counts by itself
 */
export function withCountedKeys(run: Run, part: 'reconcile' | 'move'): Run {
  let operations = 0;
  return {
    ...run,
    keyFor: (operation, target) => {
      operations += 1;
      return run.keyFor(operation, `${target} ${part} ${operations}`);
    },
  };
}

/** How long a run may continue after its end, so that no domain is left without a project, in milliseconds. */
const afterEnd = 4000;

/** The run itself, or after its end one that continues for a few more seconds. */
export const thatStillRuns = (run: Run): Run =>
  run.host.signal.aborted && run.outlive !== undefined
    ? { ...run.outlive(afterEnd), keyFor: run.keyFor }
    : run;

/** Receives for how long at most no project had a domain, in milliseconds; not called if the move is one request. */
type OnGap = (milliseconds: number) => void;

/**
 * Assigns a domain to the project that served it, unless it was moved to a third one.
 *
 * @returns `there` if it was not moved, `taken` if it is on a third project
 */
export async function giveBack(
  run: Run,
  { hostname, to }: Move,
  from: string,
  onGap?: OnGap,
): Promise<'there' | 'back' | 'taken'> {
  const current = await findDomain(run, hostname);
  const project = current && assignedTo(current);
  if (project === from) return 'there';
  if (project !== undefined && project !== to) return 'taken';
  await ensureAssigned(run, { hostname, projectId: from, current, ...(onGap && { onGap }) });
  return 'back';
}

/** Domains that were moved, and the preview's domain, where the project was checked before. */
export interface Moved {
  /** The project that served them. */
  from: string;
  /** The one that they were moved to. */
  to: string;
  domains: readonly string[];
  preview: string;
}

/**
 * Why domains that were all moved must stay: the preview's domain shows that another run deploys unchecked code to the
 * project that served them.
 *
 * @returns undefined if nothing shows that, or not all have moved
 */
export async function whyNotBack(
  run: Run,
  { domains, preview, from, to }: Moved,
): Promise<MovedByOthers | undefined> {
  const isAt = async (hostname: string, project: string) =>
    isAssignedTo(await findDomain(run, hostname).catch(() => undefined), project);
  if (!(await isAt(preview, from))) return undefined;
  const haveMoved = await Promise.all(domains.map((hostname) => isAt(hostname, to)));
  return haveMoved.every(Boolean)
    ? new MovedByOthers(run.host, { hostname: preview, from: to }, from)
    : undefined;
}

/**
 * Moves a domain if it is still where it was. A run that is interrupted meanwhile moves it back, so that it is not left
 * without a project.
 *
 * @throws MovedByOthers, or what `placeDomain` throws
 */
export async function moveDomain(run: Run, move: Move, onGap?: OnGap): Promise<void> {
  const { hostname, from, to } = move;
  const { clock, signal } = run.host;
  const current = await findDomain(run, hostname);
  const guard = (domain: ConnectedDomain | undefined) => {
    const project = domain && assignedTo(domain);
    if (project !== from) throw new MovedByOthers(run.host, move, project);
  };
  guard(current);
  const began = clock.now();
  try {
    const request = { hostname, projectId: to, current, accepts: guard };
    await ensureAssigned(run, { ...request, ...(onGap && { onGap }) });
  } catch (error) {
    if (signal.aborted && from !== undefined) {
      const now = await giveBack(thatStillRuns(run), move, from).catch(() => undefined);
      // It is not known when it left its project.
      if (now === 'back') onGap?.(clock.now() - began);
    }
    throw error;
  }
}
