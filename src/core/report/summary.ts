import { clean } from '../text/clean.ts';
import { formatDuration } from '../text/duration.ts';
import { code, plain, table } from '../text/markdown.ts';
import { describeCounts, describeWitness, titleOf } from './closing.ts';
import { previewUrl, renderDomain } from './domain.ts';
import type { DeployReport, EnvironmentResult, Phase } from './report.ts';

/** The most rows of a table, and characters of a reason: a summary stays far below the 1 MiB that GitHub takes. */
const mostRows = 200;
const longestReason = 200;

const phaseTitles: Readonly<Record<Phase['name'], string>> = {
  environment: 'Sync environment',
  deployment: 'Deploy',
  verification: 'Verify the page',
  domain: 'Point the domain at it',
};

/** What is to be known first, as rows of a name and Markdown. */
function facts(report: DeployReport): string[][] {
  const { projectId, commit, deployment, witness, requests, durationMs, skippedReason } = report;
  const confirmed = witness === undefined ? '' : `, ${describeWitness(witness)}`;
  const url = previewUrl(report);
  const skipped = skippedReason === undefined ? [] : [['Skipped because', code(skippedReason)]];
  const deployed =
    deployment === undefined
      ? []
      : [
          ['Deployment', code(deployment.id)],
          ['Status', `${code(deployment.status)}${confirmed}`],
        ];
  return [
    ['Project', code(projectId)],
    ...(url === '' ? [] : [['Preview', `[${url}](${url})`]]),
    ['Commit', commit === '' ? 'HEAD of its repository' : code(commit)],
    ...skipped,
    ...deployed,
    ['Environment', describeCounts(report)],
    ['Time', `${formatDuration(durationMs)}, ${requests} requests`],
  ];
}

function factsTable(report: DeployReport): string {
  const [head = [], ...rows] = facts(report);
  return table(head, rows);
}

const why = (reason: string): string => plain(clean(reason, longestReason));

function variables({ variables: all, ambiguous, undeclared }: EnvironmentResult): string[] {
  const changed = all.filter(({ outcome }) => outcome !== 'unchanged');
  const rows = [
    ...ambiguous.map(({ name, reason }) => [code(name), 'conflict', why(reason)]),
    ...changed.map(({ name, outcome, retargeted, reason }) => [
      code(name),
      retargeted && outcome !== 'retargeted' ? `${outcome}, retargeted` : outcome,
      why(reason),
    ]),
  ];
  const more = rows.length > mostRows ? [`… and ${rows.length - mostRows} more`] : [];
  const shown = table(['Variable', 'What happened', 'Why'], rows.slice(0, mostRows));
  const rest = undeclared.length > mostRows ? ` … and ${undeclared.length - mostRows} more` : '';
  const left = `${undeclared.slice(0, mostRows).map(code).join(' ')}${rest}`;
  return [
    ...(rows.length === 0 ? [] : ['### Environment', shown, ...more]),
    ...(undeclared.length === 0 ? [] : [`On the service and not declared, left in place: ${left}`]),
  ];
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
    ...(report.cleaned ?? []).map((line) => `- ${plain(line)}`),
    ...(report.projectId === '' ? [] : [factsTable(report)]),
    ...renderDomain(report),
    ...(environment === undefined ? [] : variables(environment)),
    ...timeline(phases),
    '',
  ].join('\n\n');
}
