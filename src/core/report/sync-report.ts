import type { Outcome } from '../outcome.ts';
import { formatDuration } from '../text/duration.ts';
import { code, plain, table } from '../text/markdown.ts';
import { type SafeText, trusted } from '../text/safe.ts';
import { closeWith, describeRequests, nameOf, titleOf } from './closing.ts';
import { describeCounts, type EnvironmentResult } from './environment-result.ts';
import { renderEnvironment } from './environment-section.ts';

/** Everything that a run of the env-sync command has to say. */
export interface SyncReport {
  outcome: Outcome;
  projectId: string;
  environment?: EnvironmentResult;
  /** Requests that the service was sent. */
  requests: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: SafeText;
}

/** The last line of a sync's log. */
export function closeSync(report: SyncReport): string {
  const { outcome, environment } = report;
  const counts = environment && `environment: ${describeCounts(environment)}`;
  return closeWith(nameOf(outcome), report, counts);
}

/** A sync's job summary, in GitHub-flavoured Markdown. */
export function renderSync(report: SyncReport): string {
  const { outcome, error, environment, projectId, requests, durationMs } = report;
  const facts = [
    ...(environment === undefined ? [] : [['Environment', describeCounts(environment)]]),
    ['Time', `${formatDuration(durationMs)}, ${describeRequests(requests)}`],
    ...(environment === undefined ? [] : [['Plan', code(trusted(environment.digest))]]),
  ];
  return [
    `## ${titleOf(outcome)}`,
    ...(error === undefined ? [] : [`> ${plain(error)}`]),
    table(['Project', code(trusted(projectId))], facts),
    ...(environment === undefined ? [] : renderEnvironment(environment)),
    '',
  ].join('\n\n');
}
