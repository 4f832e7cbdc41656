import type { Outcome } from '../outcome.ts';
import { code, fold, heading, plain } from '../text/markdown.ts';
import { type SafeText, safe, shorten, trusted } from '../text/safe.ts';
import { closeWith, describeRequests, iconOf, nameOf, showTime } from './closing.ts';
import {
  countVariables,
  describeCounts,
  type EnvironmentResult,
  isBlank,
} from './environment-result.ts';
import { renderEnvironment } from './environment-section.ts';
import { longestError } from './facts.ts';
import { countChanged } from './title.ts';

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

const titles: Readonly<Partial<Record<Outcome, (environment: EnvironmentResult) => SafeText>>> = {
  synced: (environment) => {
    const changed = countChanged(environment);
    return changed === 0 ? safe`nothing changed` : safe`${changed} changed`;
  },
  planned: ({ changes }) =>
    changes.length === 0 ? safe`nothing would change` : safe`${changes.length} would change`,
  conflict: (environment) => safe`${countVariables(environment).conflicts} in conflict`,
};

/** What a sync came to, in one line. */
export function describeSync({ outcome, environment }: SyncReport): SafeText {
  const title = environment && titles[outcome]?.(environment);
  return safe`Variables: ${title ?? trusted(nameOf(outcome).toLowerCase())}`;
}

/** The last line of a sync's log. */
export function closeSync(report: SyncReport): string {
  const { outcome, environment } = report;
  const counts =
    environment && !isBlank(environment) ? `variables: ${describeCounts(environment)}` : undefined;
  return closeWith(nameOf(outcome), report, counts);
}

/** A sync's job summary, in GitHub-flavoured Markdown. */
export function renderSync(report: SyncReport): string {
  const { outcome, error, environment, projectId } = report;
  const time = showTime(report);
  const counts = environment === undefined ? '' : describeCounts(environment);
  const details = [
    `- Project: ${code(trusted(projectId))}`,
    ...(environment === undefined
      ? []
      : [`- Digest of the plan: ${code(trusted(environment.digest))}`]),
    ...(report.requests === 0
      ? []
      : [`- Sent to the service: ${describeRequests(report.requests)}`]),
  ];
  const facts = [
    ...(time === undefined ? [] : [`Took ${time}`]),
    // One count alone is said by the title.
    ...(counts.includes(',') ? [counts] : []),
  ];
  return [
    heading(2, iconOf(outcome), describeSync(report)),
    ...(error === undefined ? [] : [`> ${plain(shorten(error, longestError))}`]),
    ...(facts.length === 0 ? [] : [facts.join(' · ')]),
    ...(environment === undefined ? [] : renderEnvironment(environment)),
    fold('Details', [details.join('\n')]),
    '',
  ].join('\n\n');
}
