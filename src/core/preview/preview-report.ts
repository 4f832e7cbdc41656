import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import type { PreviewReport } from '../report/report.ts';
import { describeStatuses, verificationOf } from './domain-state.ts';

/** The most DNS records, and messages, that are shown of one domain. */
const most = 20;

/** What a report says of a domain. */
export function previewReport(
  domain: ConnectedDomain,
  clean: (text: string) => string,
): PreviewReport {
  const verification = verificationOf(domain);
  const instructions = verification === 'good' ? [] : (domain.instructions ?? []);
  return {
    hostname: clean(domain.hostname),
    verification,
    state: clean(domain.state ?? ''),
    statuses: clean(describeStatuses(domain)),
    records: instructions.slice(0, most).map(({ type, name, value, purpose, required }) => ({
      type: clean(type),
      name: clean(name),
      value: clean(value),
      purpose: clean(purpose ?? ''),
      required: required !== false,
    })),
    errors: (domain.verificationErrors ?? []).slice(0, most).map(clean),
  };
}
