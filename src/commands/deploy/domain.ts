import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import type { Outcome } from '../../core/outcome.ts';
import { previewReport } from '../../core/preview/preview-report.ts';
import { describePending, followPreview, leasePreviewProject } from '../preview/preview.ts';
import { type Deploying, phase } from './context.ts';

/** The project to deploy to: the one that is given, or a leased one. */
export async function findProject(run: Deploying): Promise<string> {
  const { preview, guarded, projectId } = run.request;
  if (preview === undefined || preview.projects.length === 0) return projectId;
  return await leasePreviewProject(run, preview, guarded);
}

/** Follows the preview domain beside the deployment; once that has ended badly, no longer. */
export async function besideDomain(
  run: Deploying,
  placed: ConnectedDomain | undefined,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { host, request, report } = run;
  const { preview } = request;
  if (placed === undefined || preview === undefined) return await work();
  report.preview = previewReport(preview.hostname, placed, host.clean);
  const { projectId } = report;
  const ended = new AbortController();
  const signal = AbortSignal.any([host.signal, ended.signal]);
  const following = async () => {
    if (request.wait === 'none') return;
    report.preview = await phase(run, 'domain', () =>
      followPreview(run, preview, { domain: placed, projectId, signal }),
    );
  };
  const working = async () => {
    let outcome: Outcome = 'failed';
    try {
      outcome = await work();
      return outcome;
    } finally {
      if (outcome !== 'succeeded' && outcome !== 'synced') ended.abort();
    }
  };
  const [outcome] = await Promise.all([working(), following()]);
  return outcome;
}

/** What a domain that is not verified makes of a good run. */
export function judgeDomain({ host, request, report }: Deploying, outcome: Outcome): Outcome {
  const { preview } = request;
  const isGood = outcome === 'succeeded' || outcome === 'synced';
  const isFollowed = preview !== undefined && request.wait !== 'none' && isGood;
  if (!isFollowed || report.preview === undefined) return outcome;
  const text = describePending(report.preview, preview.timeout);
  if (text === undefined) return outcome;
  if (preview.onPending === 'warn') {
    host.report({ type: 'warning', text });
    return outcome;
  }
  report.error = text;
  return 'failed';
}
