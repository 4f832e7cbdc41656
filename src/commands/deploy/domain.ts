import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { previewReport } from '../../core/preview/preview-report.ts';
import type { PreviewReport } from '../../core/report/report.ts';
import type { Ending } from '../ending.ts';
import { followVerification } from '../preview/follow-verification.ts';
import { describePending, type LeasedProject, leasePreviewProject } from '../preview/preview.ts';
import type { Beginning, Deploying } from './context.ts';

/** The project to deploy to: the one that is given, or a leased one; `isNew` if this run has leased it. */
export async function findProject(run: Beginning): Promise<LeasedProject> {
  const { target, guarded } = run.request;
  if (target.kind === 'project') return { projectId: target.id, isNew: false };
  return await leasePreviewProject(run, target.preview, target.from, guarded);
}

const isGood = ({ outcome }: Ending): boolean => outcome === 'succeeded' || outcome === 'synced';

/** Follows the preview domain beside the deployment; once that has ended badly, no longer. */
export async function alongsideDomain(
  run: Deploying,
  placed: ConnectedDomain | undefined,
  work: () => Promise<Ending>,
): Promise<Ending> {
  const { host, request, projectId, found } = run;
  const { wait } = request;
  const { preview } = request.target;
  if (placed === undefined || preview === undefined) return await work();
  found({ preview: previewReport(preview.hostname, placed, host.clean) });
  if (wait === 'none') return await work();
  const ended = new AbortController();
  const signal = AbortSignal.any([host.signal, ended.signal]);
  const following = async () => {
    const { timeout, hostname } = preview;
    const placing = { domain: placed, projectId, timeout, signal };
    const { domain, trouble } = await run.phase('domain', () => followVerification(run, placing));
    const seen = previewReport(hostname, domain, host.clean, trouble);
    found({ preview: seen });
    return seen;
  };
  const working = async () => {
    let ending: Ending = { outcome: 'failed' };
    try {
      ending = await work();
      return ending;
    } finally {
      if (!isGood(ending)) ended.abort();
    }
  };
  const [ending, seen] = await Promise.all([working(), following()]);
  return isGood(ending) ? judgeDomain(run, ending, seen) : ending;
}

/** What a domain that is not verified makes of a good run. */
function judgeDomain({ host, request }: Deploying, ending: Ending, seen: PreviewReport): Ending {
  const { timeout = 0, onPending } = request.target.preview ?? {};
  const text = describePending(seen, timeout);
  if (text === undefined) return ending;
  if (onPending === 'fail') return { outcome: 'failed', error: text };
  host.report({ type: 'warning', text });
  return ending;
}
