import type { Outcome } from '../../kernel/outcome.ts';
import { joinSafe, type SafeText, safe, shorten } from '../../kernel/text/safe.ts';
import { code, fence, fold, plain } from '../../report/markdown.ts';
import type { DnsInstruction, DomainReport, PreviewReport } from './domain-report.ts';

/** A DNS record as blocks that can be copied whole: forms ask for name and value each by itself. */
export const recordBlocks = ({ type, name, value, purpose }: DnsInstruction): string[] => [
  `${code(type)} record${purpose === '' ? '' : ` for ${plain(purpose)}`}. Its name:`,
  fence([name]),
  'Its value:',
  fence([value]),
];

/**
 * What a domain's verification has come to, behind its name, and what would tell where its words do not.
 *
 * @param statuses its words, where they stand nowhere else
 */
export function describeVerification(
  { verification, unknown = [] }: Pick<DomainReport, 'verification' | 'unknown'>,
  statuses = safe``,
): SafeText {
  const shown = statuses === '' ? safe`` : safe` (${statuses})`;
  if (verification === 'bad') return safe`failed its verification${shown}.`;
  if (verification !== 'unclear') return safe`is not verified yet${shown}.`;
  if (unknown.length === 0) return safe`may be verified or not: the service shows no status of it.`;
  return safe`may be verified or not${shown}. ${joinSafe(unknown.map(teachWord), ' ')}`;
}

/** The line that teaches a word. */
export const teachWord = (word: SafeText): SafeText =>
  safe`"${word}" is a word that this action does not know: if the service means a good domain by it, set the input success-states: ${word}.`;

/** What a run came to, as far as its preview goes. */
interface RunOfPreview {
  outcome: Outcome;
  deploymentEnd?: 'succeeded' | 'failed';
  preview?: PreviewReport;
}

/** True if the deployment stands, and the preview is not live because its domain is not verified. */
export function waitsForDomain(report: RunOfPreview): boolean {
  const { outcome, deploymentEnd, preview } = report;
  const stands = outcome === 'succeeded' || deploymentEnd === 'succeeded';
  const isMissing = preview !== undefined && preview.verification !== 'good';
  return stands && isMissing && previewUrl(report) === '';
}

/** What a preview's domain still needs, in Markdown; nothing unless it is the domain that is missing. */
export function renderDomain(report: RunOfPreview): string[] {
  const { preview } = report;
  if (preview === undefined || !waitsForDomain(report)) return [];
  const { hostname, records, errors, trouble } = preview;
  const required = records.filter((record) => record.required);
  const optional = records.filter((record) => !record.required);
  const todo =
    required.length === 0
      ? ''
      : ' Whoever manages its DNS has to see that these records are there:';
  const more = optional.length === 1 ? '1 optional record' : `${optional.length} optional records`;
  return [
    ...(trouble === undefined ? [] : [`> ${plain(trouble)}`]),
    ...errors.map((error) => `- ${plain(shorten(error, 300))}`),
    `${code(hostname)} ${plain(describeVerification(preview))}${todo}`,
    ...required.flatMap(recordBlocks),
    ...(optional.length === 0 ? [] : [fold(more, optional.flatMap(recordBlocks))]),
    'Then run the job again: it looks anew, and says here what it finds.',
  ];
}

/** The address of a preview that is live; it is a valid hostname, and so needs no escape. */
export const previewUrl = ({ preview }: Pick<RunOfPreview, 'preview'>): string =>
  preview?.isLive === true ? `https://${preview.hostname}` : '';
