import { type ConnectedReport, describeConnected } from '../domains/result.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { type LogEntry, line } from '../report/log-entry.ts';
import { describeRuntime } from '../variables/render.ts';
import type { ReleaseReport } from './evaluate.ts';
import type { StatusReport } from './result.ts';

/** The log of a status: a section for each part that could be read, and one of what is not known. */
export function statusLines(report: StatusReport): LogEntry[] {
  const { live, stale, pending, domains, previews, unknown, error } = report;
  const runtimes = describeRuntime({ stale, pending });
  // The error follows.
  const whys = new Set(unknown.map(({ why }) => why).filter((why) => why !== error?.text));
  return [
    ...section('Live', live && releaseLines(live)),
    ...section('Variables', runtimes.length > 0 ? runtimes : undefined),
    ...section('Domains', domains?.flatMap(domainLines)),
    ...section('Previews', previews?.flatMap(releaseLines)),
    ...section(
      'Not known',
      [...whys].map((why) => safe`? ${why}`),
    ),
  ];
}

function section(title: string, texts: readonly SafeText[] | undefined): LogEntry[] {
  if (texts === undefined) return [];
  const lines = texts.length === 0 ? [safe`  none`] : texts;
  return [{ kind: 'group', text: title }, ...lines.flatMap(line)];
}

/** What was released, when and by which run. */
function releaseLines(release: ReleaseReport): SafeText[] {
  const { 'pull-request': number, commit, 'project-id': projectId, since } = release;
  const name = number === undefined ? safe`` : safe`#${number}: `;
  const place = projectId === undefined ? safe`` : safe` in project ${projectId}`;
  const run = release['run-id'] && safe`, by run ${release['run-id']}: ${release['run-url'] ?? ''}`;
  return [
    commit === undefined
      ? safe`? ${name}a run may still be deploying, or ended without a clear result${place}`
      : safe`✓ ${name}commit ${commit}${place}`,
    safe`  since ${since}${run ?? ''}`,
  ];
}

function domainLines(domain: ConnectedReport): SafeText[] {
  const { hostname, verification, records, errors, projectId } = domain;
  if (verification === 'good') return [safe`✓ ${hostname} is verified.`];
  const mark = verification === 'bad' ? '×' : '!';
  const place = projectId === '' ? safe` (of no project)` : safe``;
  return [
    safe`${mark} ${hostname}${place} ${describeConnected(domain)}`,
    ...errors.map((error) => safe`  ${error}`),
    ...(records.length === 0 ? [] : [safe`  DNS records to create:`]),
    ...records.map(({ type, name, value, purpose, required }) => {
      const role = safe`${purpose || 'record'}${required ? '' : ', optional'}`;
      return safe`    ${type}  ${name}  ${value}  (${role})`;
    }),
  ];
}
