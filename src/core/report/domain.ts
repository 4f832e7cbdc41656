import { code, plain, table } from '../text/markdown.ts';
import { joinSafe, safe, shorten } from '../text/safe.ts';
import type { DeployReport, DnsInstruction } from './report.ts';

/** The DNS records that somebody has to make, ready to copy. */
export function recordsTable(records: readonly DnsInstruction[]): string {
  const rows = records.map(({ type, name, value, purpose, required }) => [
    code(type),
    code(name),
    code(value),
    plain(joinSafe([purpose, required ? safe`` : safe`optional`].filter(Boolean), ', ')),
  ]);
  return table(['Type', 'Name', 'Value', 'For'], rows);
}

/** What a preview's domain still needs, in Markdown; nothing once it is verified. */
export function renderDomain({ preview }: Pick<DeployReport, 'preview'>): string[] {
  if (preview === undefined || preview.verification === 'good') return [];
  const { hostname, statuses, records, errors } = preview;
  const state = preview.verification === 'bad' ? 'failed its verification' : 'is not verified yet';
  return [
    `${code(hostname)} ${state}${statuses === '' ? '' : ` (${plain(statuses)})`}.`,
    ...errors.map((error) => `- ${plain(shorten(error, 300))}`),
    ...(records.length === 0 ? [] : ['Make these DNS records:', recordsTable(records)]),
  ];
}

/** True if the deployment succeeded, and nothing but the preview's domain is missing. */
export function waitsForDomain({ outcome, preview }: DeployReport): boolean {
  return outcome === 'succeeded' && preview?.isLive === false;
}

/** The address of a preview that is live; it is a valid hostname, and so needs no escape. */
export function previewUrl({ outcome, preview }: DeployReport): string {
  return outcome === 'succeeded' && preview?.isLive === true ? `https://${preview.hostname}` : '';
}
