import { describeVerification } from '../domains/model/connected-domain-report.ts';
import type { ConnectedReport } from '../domains/result.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { type LogEntry, line } from '../report/log-entry.ts';
import type { StatusReport } from './result.ts';

type Preview = NonNullable<StatusReport['previews']>[number];

/** The log of a status: a section for each part that could be read, and one of what is not known. */
export function statusLines(report: StatusReport): LogEntry[] {
  const { live, variables, domains, previews, unknown, error } = report;
  const whys = unknown.map(({ why }) => why).filter((why) => why !== error?.text);
  return [
    ...section('Live', live && [safe`✓ commit ${live.commit}`, runLine(live)]),
    ...section('Variables', variables && variableLines(variables)),
    ...section('Domains', domains?.flatMap(domainLines)),
    ...section('Previews', previews?.flatMap(previewLines)),
    ...section(
      'Not known',
      [...new Set(whys)].map((why) => safe`? ${why}`),
    ),
  ];
}

function section(title: string, texts: readonly SafeText[] | undefined): LogEntry[] {
  if (texts === undefined) return [];
  const lines = texts.length === 0 ? [safe`  none`] : texts;
  return [{ kind: 'group', text: title }, ...lines.flatMap(line)];
}

/** When and by which run a commit was deployed. */
function runLine({ since, 'run-id': id, 'run-url': url }: Omit<Preview, 'pull-request'>): SafeText {
  const run = id === undefined || url === undefined ? safe`` : safe`, by run ${id}: ${url}`;
  return safe`  since ${since}${run}`;
}

const variableLines = ({ pending, stale }: NonNullable<StatusReport['variables']>): SafeText[] => [
  ...(pending === true ? [safe`! Changes for production wait for a deployment.`] : []),
  ...(pending === false ? [safe`✓ No change for production waits.`] : []),
  ...(stale === true ? [safe`! Changes for the preview runtime are not applied yet.`] : []),
  ...(stale === false ? [safe`✓ No change for the preview runtime waits.`] : []),
];

function domainLines(domain: ConnectedReport): SafeText[] {
  const { hostname, verification, statuses, records, errors, projectId } = domain;
  if (verification === 'good') return [safe`✓ ${hostname} is verified.`];
  const words = statuses.map(({ of, status }) => safe`${of} ${status}`);
  const place = projectId === '' ? safe` (of no project)` : safe``;
  const mark = verification === 'bad' ? safe`×` : safe`!`;
  return [
    safe`${mark} ${hostname}${place} ${describeVerification(domain, joinSafe(words, ', '))}`,
    ...errors.map((error) => safe`  ${error}`),
    ...(records.length === 0 ? [] : [safe`  DNS records to create:`]),
    ...records.map(({ type, name, value, purpose, required }) => {
      const role = safe`${purpose || safe`record`}${required ? safe`` : safe`, optional`}`;
      return safe`    ${type}  ${name}  ${value}  (${role})`;
    }),
  ];
}

function previewLines(preview: Preview): SafeText[] {
  const { 'pull-request': number, commit, 'project-id': projectId } = preview;
  const place = projectId === undefined ? safe`` : safe` in project ${projectId}`;
  const what =
    commit === undefined
      ? safe`? #${number}: a run may still be deploying, or ended without a result`
      : safe`✓ #${number}: commit ${commit}`;
  return [safe`${what}${place}`, runLine(preview)];
}
