import { describeVerification } from '../domains/model/connected-domain-report.ts';
import type { ConnectedReport } from '../domains/result.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import { closeWith, countOf, nameOf } from '../report/closing.ts';
import { type LogEntry, line } from '../report/log-entry.ts';
import { showMinute } from './evaluate.ts';
import type { PreviewStatus, StatusReport, VariablesStatus } from './result.ts';

/** The log of a status: sections with what there is to say. */
export function statusLines(report: StatusReport): LogEntry[] {
  const { live, variables, domains = [], previews = [], unknown, error } = report;
  const whys = unknown.map(({ why }) => why).filter((why) => why !== error?.text);
  return [
    ...section('Live', live === undefined ? [] : liveLines(live)),
    ...section('Variables', variables === undefined ? [] : variableLines(variables)),
    ...section('Domains', domains.flatMap(domainLines)),
    ...section('Previews', previews.flatMap(previewLines)),
    ...section(
      'Not known',
      [...new Set(whys)].map((why) => safe`? ${why}`),
    ),
  ];
}

const section = (title: string, texts: readonly SafeText[]): LogEntry[] =>
  texts.length === 0 ? [] : [{ kind: 'group', text: title }, ...texts.flatMap(line)];

/** When and by which run a commit was deployed. */
function runLines({
  since,
  'run-id': id,
  'run-url': url,
}: Pick<PreviewStatus, 'since' | 'run-id' | 'run-url'>): SafeText[] {
  const at = safe`  since ${showMinute(since)}`;
  return id === undefined || url === undefined ? [at] : [safe`${at}, by run ${id}: ${url}`];
}

const liveLines = (live: NonNullable<StatusReport['live']>): SafeText[] => [
  safe`✓ commit ${live.commit}`,
  ...runLines(live),
];

/** How many variables are shown. */
const mostVariables = 5;

function variableLines({ pending, stale, list }: VariablesStatus): SafeText[] {
  const lines: SafeText[] = [];
  if (pending === true) lines.push(safe`! Changes for production wait for a deployment.`);
  if (stale === true) lines.push(safe`! Changes for the preview runtime are not applied yet.`);
  const changed = list.flatMap(({ name, 'updated-at': at }) =>
    at === undefined ? [] : [[name, showMinute(at)]],
  );
  if (lines.length === 0 || changed.length === 0) return lines;
  return [...lines, safe`  Changed last:`, ...aligned(changed.slice(0, mostVariables))];
}

/** Rows with columns below each other. */
function aligned(rows: readonly (readonly SafeText[])[]): SafeText[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) => {
    const cells = row.map((cell, column) => unsafeText(cell.padEnd(widthOf(column))));
    return unsafeText(`    ${joinSafe(cells, '  ').trimEnd()}`);
  });
}

function domainLines(domain: ConnectedReport): SafeText[] {
  const { hostname, verification, statuses, records, errors, projectId } = domain;
  if (verification === 'good') return [safe`✓ ${hostname} is verified.`];
  const words = joinSafe(
    statuses.map(({ of, status }) => safe`${of} ${status}`),
    ', ',
  );
  const place = projectId === '' ? safe` (of no project)` : safe``;
  const mark = verification === 'bad' ? safe`×` : safe`!`;
  const state = describeVerification(domain, shorten(words, 200));
  const rows = records.map(({ type, name, value, purpose, required }) => [
    required ? purpose : safe`${purpose || safe`record`} (optional)`,
    type,
    name,
    value,
  ]);
  return [
    safe`${mark} ${hostname}${place} ${state}`,
    ...errors.map((error) => safe`  ${error}`),
    ...(rows.length === 0 ? [] : [safe`  DNS records to create:`, ...aligned(rows)]),
  ];
}

function previewLines(preview: PreviewStatus): SafeText[] {
  const { 'pull-request': number, commit, 'project-id': projectId, hostnames = [] } = preview;
  const names = hostnames.length === 0 ? safe`` : safe` at ${joinSafe(hostnames, ', ')}`;
  const place = projectId === undefined ? safe`` : safe` in project ${projectId}`;
  const what =
    commit === undefined
      ? safe`? #${number}: a run may still be deploying, or ended without a result`
      : safe`✓ #${number}: commit ${commit}`;
  return [safe`${what}${place}${names}`, ...runLines(preview)];
}

/** The last line of the log. */
export function closeStatus(report: StatusReport): string {
  const { outcome, live, variables, domains, previews } = report;
  const title = outcome === 'succeeded' ? 'Done' : nameOf(outcome);
  return closeWith(
    title,
    report,
    live && safe`live: ${unsafeText(live.commit.slice(0, 7))}`,
    variables && describeWaiting(variables),
    domains && describeDomains(domains),
    previews &&
      (previews.length === 0 ? safe`no preview` : countOf(previews.length, safe`preview`)),
  );
}

function describeDomains(domains: readonly ConnectedReport[]): SafeText {
  if (domains.length === 0) return safe`no domain`;
  const waiting = domains.filter(({ verification }) => verification !== 'good').length;
  return waiting === 0
    ? safe`all domains verified`
    : safe`${countOf(waiting, safe`domain`)} not verified`;
}

function describeWaiting({ pending, stale }: VariablesStatus): SafeText | undefined {
  if (pending === true || stale === true) return safe`variables wait`;
  return pending === false ? safe`no variable waits` : undefined;
}
