import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { type CustomStatuses, noCustomStatuses } from '../../follow/model/status.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import {
  joinSafe,
  type SafeText,
  type Sanitize,
  safe,
  shorten,
  unsafeText,
} from '../../kernel/text/safe.ts';
import { countOf } from '../../report/closing.ts';
import { code, fence, fold, plain } from '../../report/markdown.ts';
import {
  describeStatuses,
  unknownStatuses,
  type Verification,
  verificationOf,
} from '../evaluate.ts';

/** A DNS record as blocks to copy: name and value separately, as DNS forms need them. */
export const recordBlocks = ({ type, name, value, purpose }: DnsInstruction): string[] => [
  `${code(type)} record${purpose === '' ? '' : ` for ${plain(purpose)}`}. Name:`,
  fence([name]),
  'Value:',
  fence([value]),
];

/** The state of a domain's verification, to follow its name. */
export const verifications = {
  good: 'is verified',
  bad: 'failed its verification',
  pending: 'is not verified yet',
  unclear: 'is not known to be verified',
} as const satisfies Record<Verification, string>;

/**
 * The same as a sentence with its statuses, and how to define unknown statuses.
 *
 * @param statuses its statuses, if they are not shown elsewhere
 */
export function describeVerification(
  { verification, unknown = [] }: Pick<DomainReport, 'verification' | 'unknown'>,
  statuses = safe``,
): SafeText {
  const shown = statuses === '' ? safe`` : safe` (${statuses})`;
  const state = verifications[verification];
  if (verification !== 'unclear') return safe`${state}${shown}.`;
  if (unknown.length === 0) return safe`${state}: no status reported.`;
  return safe`${state}${shown}: ${joinSafe(unknown.map(describeCustomStatus), ' ')}`;
}

/** An unknown status, and how to define it. */
export const describeCustomStatus = (word: SafeText): SafeText =>
  safe`unknown status "${word}". If it is final, add success=${word} or failure=${word} to the input service.`;

/** The parts of a run's result that concern its preview. */
interface RunOfPreview {
  outcome: Outcome;
  release?: { stage: string } | undefined;
  preview?: PreviewReport | undefined;
}

/** True if the deployment succeeded, but the preview is not live because its domain is not verified. */
export function waitsForDomain(report: RunOfPreview): boolean {
  const { outcome, release, preview } = report;
  const isDeployed = outcome === 'succeeded' || release?.stage === 'succeeded';
  const isMissing = preview?.domain !== undefined && preview.domain.verification !== 'good';
  return isDeployed && isMissing && previewUrl(report) === '';
}

/** What a preview's domain still needs, in Markdown; empty if the preview doesn't wait for its domain. */
export function renderDomain(report: RunOfPreview): string[] {
  const domain = report.preview?.domain;
  if (domain === undefined || !waitsForDomain(report)) return [];
  const { hostname, records, errors, trouble } = domain;
  const required = records.filter((record) => record.required);
  const optional = records.filter((record) => !record.required);
  const isTodo = required.length > 0 && domain.unknown === undefined;
  const todo = isTodo
    ? ' Create these DNS records, wait until they are visible, then rerun the job:'
    : '';
  const parts = errors.map((error) => `- ${plain(shorten(error, 300))}`);
  if (trouble !== undefined) parts.unshift(`> ${plain(trouble)}`);
  parts.push(`${code(hostname)} ${plain(describeVerification(domain))}${todo}`);
  const blocks = required.flatMap(recordBlocks);
  if (isTodo) parts.push(...blocks);
  else if (blocks.length > 0) parts.push(fold('Its DNS records', blocks));
  if (optional.length > 0) {
    const count = countOf(optional.length, safe`optional record`);
    parts.push(fold(count, optional.flatMap(recordBlocks)));
  }
  return parts;
}

/** The URL of a live preview; empty if it is not live. */
export const previewUrl = ({ preview }: Pick<RunOfPreview, 'preview'>): string =>
  preview?.isLive === true ? `https://${preview.hostname}` : '';

/** The most DNS records and messages of one domain, and the most characters of each part. */
const most = { records: 10, errors: 5 };
const longest = { name: 200, value: 420, word: 40, error: 300 };

/**
 * A domain for a report.
 *
 * @param hostname the requested one: the one from the service is not trusted, because it becomes a link
 * @param sanitize makes outside text printable and free of secrets
 * @param options `verification`: overrides the one derived from the statuses; `trouble`: why following it failed
 */
export function previewReport(
  hostname: string,
  domain: ConnectedDomain,
  sanitize: Sanitize,
  {
    customStatuses = noCustomStatuses,
    verification = verificationOf(domain, customStatuses),
    trouble,
  }: {
    customStatuses?: CustomStatuses | undefined;
    verification?: Verification;
    trouble?: SafeText | undefined;
  } = {},
): DomainReport {
  const instructions = verification === 'good' ? [] : (domain.instructions ?? []);
  const unknown = verification === 'unclear' ? unknownStatuses(domain, customStatuses) : [];
  const show = (text: string | null | undefined, max: number) => shorten(sanitize(text ?? ''), max);
  const report: DomainReport = {
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
      .map((error) => shorten(sanitize(error), longest.error)),
  };
  if (unknown.length > 0) report.unknown = unknown.map((word) => show(word, longest.word));
  if (trouble !== undefined) report.trouble = trouble;
  return report;
}

/** A DNS record that a domain needs. */
export interface DnsInstruction {
  type: SafeText;
  name: SafeText;
  value: SafeText;
  purpose: SafeText;
  required: boolean;
}

/** A domain as last read. */
export interface DomainReport {
  hostname: SafeText;
  verification: Verification;
  /** As the service reports it; empty if it does not. */
  state: SafeText;
  statuses: SafeText;
  /** Its unknown statuses, if they make its verification unclear. */
  unknown?: readonly SafeText[];
  /** Records to create; empty once it is verified. */
  records: readonly DnsInstruction[];
  errors: readonly SafeText[];
  /** Why following its verification failed. */
  trouble?: SafeText;
}

/** The preview of a run. */
export interface PreviewReport {
  hostname: SafeText;
  /** Absent until it is assigned. */
  domain?: DomainReport | undefined;
  /** True if the deployment succeeded and its domain is verified, or a check passed at its URL. */
  isLive?: boolean;
}
