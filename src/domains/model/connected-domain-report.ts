import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { type CustomWords, noCustomWords } from '../../follow/model/status.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import {
  forFreeText,
  joinSafe,
  type SafeText,
  type Sanitize,
  safe,
  shorten,
  unsafeText,
} from '../../kernel/text/safe.ts';
import { code, fence, fold, plain } from '../../report/markdown.ts';
import { describeStatuses, unknownWords, type Verification, verificationOf } from '../evaluate.ts';

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

/** The most DNS records, and messages, that are shown of one domain, and how long each part may be. */
const most = { records: 10, errors: 5 };
const longest = { name: 200, value: 420, word: 40, error: 300 };

/**
 * What a report says of a domain.
 *
 * @param hostname the one that was asked for: what the service answers is not trusted with a link
 * @param sanitize makes outside text printable and free of secrets
 * @param seen the words that the workflow adds; what its verification has come to, if not its words alone say that;
 *   and why it could not be followed to its end
 */
export function previewReport(
  hostname: string,
  domain: ConnectedDomain,
  sanitize: Sanitize,
  {
    customWords = noCustomWords,
    verification = verificationOf(domain, customWords),
    trouble,
  }: {
    customWords?: CustomWords | undefined;
    verification?: Verification;
    trouble?: SafeText | undefined;
  } = {},
): DomainReport {
  const instructions = verification === 'good' ? [] : (domain.instructions ?? []);
  const unknown = verification === 'unclear' ? unknownWords(domain, customWords) : [];
  const show = (text: string | null | undefined, max: number) => shorten(sanitize(text ?? ''), max);
  return {
    hostname: unsafeText(hostname),
    verification,
    state: show(domain.state, longest.word),
    statuses: show(describeStatuses(domain), longest.name),
    records: instructions
      .slice(0, most.records)
      .map(({ type, name, value, purpose, required }) => ({
        type: show(type, longest.word),
        name: show(name, longest.name),
        value: show(value, longest.value),
        purpose: show(purpose, longest.word),
        required: required !== false,
      })),
    errors: (domain.verificationErrors ?? [])
      .slice(0, most.errors)
      .map((error) => shorten(forFreeText(sanitize)(error), longest.error)),
    ...(unknown.length === 0 ? {} : { unknown: unknown.map((word) => show(word, longest.word)) }),
    ...(trouble === undefined ? {} : { trouble }),
  };
}

/** A DNS record that somebody must make for a domain. */
export interface DnsInstruction {
  type: SafeText;
  name: SafeText;
  value: SafeText;
  purpose: SafeText;
  required: boolean;
}

/** A domain as it was last seen. */
export interface DomainReport {
  hostname: SafeText;
  verification: Verification;
  /** Its state in the service's own word; empty if it shows none. */
  state: SafeText;
  /** All its statuses in words. */
  statuses: SafeText;
  /** Those of its words that no table has, if they are what makes its verification unclear. */
  unknown?: readonly SafeText[];
  /** Records to make; empty once it is verified. */
  records: readonly DnsInstruction[];
  errors: readonly SafeText[];
  /** Why its verification could not be followed to its end. */
  trouble?: SafeText;
}

/** The preview of a run. */
export interface PreviewReport extends DomainReport {
  /** True if the deployment succeeded and its domain is verified, or a check held at its address. */
  isLive: boolean;
}
