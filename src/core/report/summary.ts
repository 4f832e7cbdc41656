import type { Commit } from '../../contract/commit.ts';
import { formatDuration } from '../text/duration.ts';
import { code, plain, table } from '../text/markdown.ts';
import { safe, trusted } from '../text/safe.ts';
import { describeConfirmation, describeRequests, titleOf } from './closing.ts';
import { previewUrl, renderDomain } from './domain.ts';
import { describeCounts } from './environment-result.ts';
import { renderEnvironment } from './environment-section.ts';
import type { DeployReport, Phase } from './report.ts';

const phaseTitles: Readonly<Record<Phase['name'], string>> = {
  environment: 'Sync environment',
  push: 'Push the commit',
  deployment: 'Deploy',
  verification: 'Verify the page',
  domain: 'Point the domain at it',
};

/** A commit, in Markdown. */
export const showCommit = (commit: Commit): string =>
  commit === 'HEAD' ? 'HEAD of its repository' : code(safe`${commit}`);

/** What is to be known first, as rows of a name and Markdown. */
function facts(report: DeployReport, projectId: string): string[][] {
  const { commit, deployment, confirmedBy, requests, durationMs, skippedReason } = report;
  const confirmed = confirmedBy === undefined ? '' : `, ${describeConfirmation(confirmedBy)}`;
  const pushed = report.pushed === true ? ', pushed to its repository' : '';
  const url = previewUrl(report);
  const skipped =
    skippedReason === undefined ? [] : [['Skipped because', code(trusted(skippedReason))]];
  const deployed =
    deployment === undefined
      ? []
      : [
          ['Deployment', code(deployment.id)],
          ['Status', `${code(deployment.status)}${confirmed}`],
        ];
  return [
    ['Project', code(trusted(projectId))],
    ...(url === '' ? [] : [['Preview', `[${url}](${url})`]]),
    ...(commit === undefined ? [] : [['Commit', `${showCommit(commit)}${pushed}`]]),
    ...skipped,
    ...deployed,
    ...(report.environment === undefined
      ? []
      : [['Environment', describeCounts(report.environment)]]),
    ['Time', `${formatDuration(durationMs)}, ${describeRequests(requests)}`],
  ];
}

function factsTable(report: DeployReport, projectId: string): string {
  const [head = [], ...rows] = facts(report, projectId);
  return table(head, rows);
}

/** A moment of a run as a time of day, which a chart shows alike in every time zone. */
const timeOfDay = (milliseconds: number): string =>
  new Date(Math.round(milliseconds)).toISOString().slice(11, 23);

/** The marks on a chart's axis: about ten of them. */
function tickInterval(milliseconds: number): string {
  const steps = [1, 5, 15, 60, 300, 900, 3600];
  const seconds = steps.find((step) => milliseconds / 1000 / step <= 12) ?? 3600;
  return seconds < 60 ? `${seconds}second` : `${seconds / 60}minute`;
}

/** The phases as a chart; Mermaid's own words only, so that nothing needs escaping. */
function timeline(phases: readonly Phase[]): string[] {
  if (phases.length === 0) return [];
  const bars = phases.map(({ name, start, end }) => {
    const length = Math.max(1, Math.round(end - start));
    const label = `${phaseTitles[name]} (${formatDuration(end - start)})`;
    return `  ${label} :${timeOfDay(start)}, ${length}ms`;
  });
  const total = Math.max(...phases.map(({ end }) => end));
  const settings = [
    'dateFormat HH:mm:ss.SSS',
    'axisFormat %M:%S',
    `tickInterval ${tickInterval(total)}`,
  ];
  const chart = ['gantt', ...settings.map((setting) => `  ${setting}`), ...bars];
  return ['### Timeline', `\`\`\`mermaid\n${chart.join('\n')}\n\`\`\``];
}

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderSummary(report: DeployReport): string {
  const { outcome, error, environment, phases } = report;
  return [
    `## ${titleOf(outcome)}`,
    ...(error === undefined ? [] : [`> ${plain(error)}`]),
    ...[...(report.uncertainties ?? []), ...(report.actions ?? [])].map(
      (line) => `- ${plain(line)}`,
    ),
    ...(report.projectId === undefined ? [] : [factsTable(report, report.projectId)]),
    ...renderDomain(report),
    ...(environment === undefined
      ? []
      : renderEnvironment(environment, { isDeployed: report.deployment !== undefined })),
    ...timeline(phases),
    '',
  ].join('\n\n');
}
