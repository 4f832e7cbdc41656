import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import {
  forFreeText,
  type SafeText,
  type Sanitize,
  shorten,
  trusted,
} from '../../kernel/text/safe.ts';
import type { DomainReport } from './domain-report.ts';
import {
  describeStatuses,
  nothingTaught,
  type TaughtWords,
  unknownWords,
  type Verification,
  verificationOf,
} from './domain-state.ts';

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
    taught = nothingTaught,
    verification = verificationOf(domain, taught),
    trouble,
  }: {
    taught?: TaughtWords | undefined;
    verification?: Verification;
    trouble?: SafeText | undefined;
  } = {},
): DomainReport {
  const instructions = verification === 'good' ? [] : (domain.instructions ?? []);
  const unknown = verification === 'unclear' ? unknownWords(domain, taught) : [];
  const show = (text: string | null | undefined, max: number) => shorten(sanitize(text ?? ''), max);
  return {
    hostname: trusted(hostname),
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
