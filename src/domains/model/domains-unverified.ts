import { joinSafe, type SafeText, safe, shorten, trusted } from '../../kernel/text/safe.ts';
import { code, fold, plain } from '../../report/markdown.ts';
import { describeVerification, recordBlocks } from './domain.ts';
import type { DnsInstruction } from './domain-report.ts';
import type { ConnectedReport } from './domains-report.ts';

/** What is left out of a list of which only some are shown. */
const restOf = (rest: number, what: string): string[] =>
  rest > 0 ? [`… and ${rest} more ${what}: the output domains has them all`] : [];

/** No name and no usual value is longer: what is cut cannot be copied, so that a longer one is left to the output. */
const longestInstruction = 2000;
const maxInstructions = 10;

/** The records to make, each as blocks that can be copied whole. */
function renderInstructions(records: readonly DnsInstruction[]): string[] {
  if (records.length === 0) return [];
  const fitting = records.filter(
    ({ name, value }) => name.length + value.length <= longestInstruction,
  );
  const shown = fitting.slice(0, maxInstructions).map((record) => ({
    ...record,
    type: shorten(record.type, 40),
    purpose: shorten(record.purpose, 40),
  }));
  const required = shown.filter((record) => record.required);
  const optional = shown.filter((record) => !record.required);
  const count = optional.length === 1 ? '1 optional record' : `${optional.length} optional records`;
  return [
    ...(required.length === 0 ? [] : ['Make these DNS records where the domain is hosted:']),
    ...required.flatMap(recordBlocks),
    ...(optional.length === 0 ? [] : [fold(count, optional.flatMap(recordBlocks))]),
    ...restOf(records.length - shown.length, 'records'),
  ];
}

const describe = ({ statuses }: ConnectedReport): SafeText =>
  joinSafe(
    statuses.map(({ of, status }) => safe`${trusted(of)} ${status}`),
    ', ',
  );

function renderDomain(domain: ConnectedReport): string {
  const { hostname, records, errors } = domain;
  const statuses = shorten(describe(domain), 200);
  return [
    `${code(hostname)} ${plain(describeVerification(domain, statuses))}`,
    ...errors.map((error) => `- ${plain(shorten(error, 300))}`),
    ...renderInstructions(records),
  ].join('\n\n');
}

/**
 * The connected domains that are not verified, with the DNS records to make: as many as fit beside the rest of the
 * page.
 *
 * @param most how many domains there may be, and `room` how many characters of Markdown they may take
 */
export function renderUnverified(
  domains: readonly ConnectedReport[],
  { most, room }: { most: number; room: number },
): string[] {
  const others = domains.filter(({ verification }) => verification !== 'good');
  let left = room;
  const shown = others.slice(0, most).map(renderDomain);
  const told = shown.filter((text) => {
    left -= text.length;
    return left >= 0;
  });
  return [...told, ...restOf(others.length - told.length, 'domains')];
}
