import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type Following, followVerification } from '../domains/follow-verification.ts';
import type { Ending } from '../frame/ending.ts';
import { coded } from '../kernel/catalogue/coded.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import {
  endIfClosed,
  findPreviewProject,
  type LeasedProject,
  leasePreviewProject,
  noPreviewProject,
} from '../previews/preview.ts';
import type { Beginning, Deploying } from '../release/context.ts';
import type { Swap } from '../release/swap-request.ts';
import { PreviewDomain } from './preview-domain.ts';

/** The project to deploy to: the one that is given, a leased one (`isNew` if this run has leased it), or an idle one. */
export async function findProject(run: Beginning): Promise<LeasedProject & { swap?: Swap }> {
  const { target, guarded } = run.request;
  if (target.kind === 'project') return { projectId: target.id, isNew: false };
  if (target.kind === 'swap') {
    const { findIdle } = await import('../blue-green/swap.ts');
    return await findIdle(run, target);
  }
  const { preview, from } = target;
  if (run.request.deploy) return await leasePreviewProject(run, preview, from, guarded);
  await endIfClosed(preview);
  const found = await findPreviewProject(run, preview, from);
  if (found === undefined) throw noPreviewProject;
  return { projectId: found, isNew: false };
}

const isGood = ({ outcome }: Ending): boolean => outcome === 'succeeded' || outcome === 'synced';

/** Follows the preview domain beside the deployment; once that has ended badly, no longer. */
export async function alongsideDomain(
  run: Deploying,
  placed: Pick<Following, 'domain' | 'isSeen'> | undefined,
  work: (run: Deploying) => Promise<Ending>,
): Promise<Ending> {
  const { host, request, projectId } = run;
  const { preview } = request.target;
  if (placed === undefined || preview === undefined) return await work(run);
  const { timeout } = preview;
  const domain = new PreviewDomain(run, preview, placed.domain);
  if (request.wait === 'none') return await work(run);
  const pending = () => domain.pending() ?? safe``;
  const waitsFor: Deploying['waitsFor'] = (describe, restsOnChecks) =>
    run.waitsFor(() => {
      const parts = domain.isChecked ? [describe(), pending()] : [describe()];
      return joinSafe(parts.filter(Boolean), ' ');
    }, restsOnChecks);
  const ended = new AbortController();
  const signal = AbortSignal.any([host.signal, ended.signal]);
  const following = async () => {
    const { taught } = domain;
    const onSeen = (seen: ConnectedDomain) => domain.seen(seen);
    const placing = { ...placed, projectId, timeout, taught, onSeen, signal };
    const last = await run.phase('domain', () => followVerification(run, placing));
    domain.seen(last.domain, last.trouble);
    domain.isFollowed = false;
  };
  const working = async () => {
    let ending: Ending = { outcome: 'failed' };
    try {
      ending = await work({ ...run, waitsFor, domain });
      if (domain.hasHeld) ended.abort();
      run.waitsFor(pending);
      return ending;
    } finally {
      if (!isGood(ending)) ended.abort();
    }
  };
  const [ending] = await Promise.all([working(), following()]);
  const fails = preview.onPending === 'fail';
  return isGood(ending) ? judgeDomain(run, ending, domain.pending(timeout, fails)) : ending;
}

/** What a domain that lacks something makes of a good run. */
function judgeDomain(
  { host, request }: Deploying,
  ending: Ending,
  lacks: SafeText | undefined,
): Ending {
  if (lacks === undefined) return ending;
  const text = coded('SD6001', lacks);
  if (request.target.preview?.onPending === 'fail') return { outcome: 'failed', error: text };
  host.report({ type: 'warning', text });
  return ending;
}

/**
 * Does some work beside the look whether the pull request is still open, and ends it if it is not.
 *
 * @param stillOpen rejects if it is closed; undefined if there is none
 * @throws what ends the run, first of all that the pull request is closed
 */
export async function unlessClosed<Done>(
  run: Deploying,
  stillOpen: Promise<void> | undefined,
  work: (run: Deploying) => Promise<Done>,
): Promise<Done> {
  const closing = new AbortController();
  const signal = AbortSignal.any([run.host.signal, closing.signal]);
  const working = work({ ...run, host: { ...run.host, signal } });
  // It may fail before the look is over.
  working.catch(() => undefined);
  try {
    await stillOpen;
  } catch (error) {
    closing.abort(error);
    await Promise.allSettled([working]);
    throw error;
  }
  return await working;
}
