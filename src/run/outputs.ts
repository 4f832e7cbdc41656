import { previewUrl } from '../core/report/domain.ts';
import { countVariables, type EnvironmentResult, hasDrift } from '../core/report/environment.ts';
import type { DeployReport } from '../core/report/report.ts';
import type { OutputsOf } from '../inputs.ts';
import type { Recorded } from './record-request.ts';

/** The outputs that tell of a sync. */
export function environmentOutputs(environment: EnvironmentResult | undefined) {
  if (environment === undefined) return { plan: '', 'env-summary': '', drift: '' };
  const { digest, changes } = environment;
  return {
    plan: JSON.stringify({ digest, changes }),
    'env-summary': JSON.stringify(countVariables(environment)),
    drift: String(hasDrift(environment)),
  };
}

/** The outputs of the deploy action: every one, empty where there is nothing to say. */
export function deployOutputs(report: DeployReport, recorded: Recorded): OutputsOf<'deploy'> {
  const { environment, deployment } = report;
  return {
    outcome: report.outcome,
    'skipped-reason': report.skippedReason ?? '',
    'deployment-id': deployment?.id ?? '',
    'deployment-status': deployment?.status ?? '',
    'deployment-repeated': deployment === undefined ? '' : String(report.doubts !== undefined),
    'commit-sha': report.commit,
    'project-id': report.projectId,
    'preview-url': previewUrl(report),
    'domain-state': report.preview?.state ?? '',
    ...environmentOutputs(environment),
    'comment-url': recorded.commentUrl,
    'github-deployment-id': recorded.deploymentId,
    requests: String(report.requests),
    'duration-ms': String(Math.round(report.durationMs)),
    error: report.error ?? '',
  };
}
