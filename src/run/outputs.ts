import { previewUrl } from '../core/report/domain.ts';
import { countVariables, type DeployReport } from '../core/report/report.ts';
import type { OutputsOf } from '../inputs.ts';
import type { Recorded } from './record.ts';

/** The outputs of the deploy action: every one, empty where there is nothing to say. */
export function deployOutputs(report: DeployReport, recorded: Recorded): OutputsOf<'deploy'> {
  const { environment, deployment } = report;
  const changes = environment?.changes ?? [];
  const plan = environment && { digest: environment.digest, changes };
  return {
    outcome: report.outcome,
    'skipped-reason': report.skippedReason ?? '',
    'deployment-id': deployment?.id ?? '',
    'deployment-status': deployment?.status ?? '',
    'commit-sha': report.commit,
    'project-id': report.projectId,
    'preview-url': previewUrl(report),
    'domain-state': report.preview?.state ?? '',
    plan: plan === undefined ? '' : JSON.stringify(plan),
    'env-summary': environment === undefined ? '' : JSON.stringify(countVariables(environment)),
    drift: environment === undefined ? '' : String(changes.length > 0),
    'comment-url': recorded.commentUrl,
    'github-deployment-id': recorded.deploymentId,
    requests: String(report.requests),
    'duration-ms': String(Math.round(report.durationMs)),
    error: report.error ?? '',
  };
}
