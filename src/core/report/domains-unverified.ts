import { code, plain } from '../text/markdown.ts';
import { shorten } from '../text/safe.ts';
import { recordsTable } from './domain.ts';
import type { ConnectedReport } from './domains-report.ts';
import type { DnsInstruction } from './report.ts';

/** The most characters of Markdown that domains which are not verified may take, for each row of a table. */
const charactersOfRow = 800;

/** What is left out of a list of which only some are shown. */
const restOf = (list: readonly unknown[], most: number): string[] =>
  list.length > most ? [`… and ${list.length - most} more`] : [];

/** How much of a DNS record to make a table shows, and how many of one domain. */
const longestInstruction = { name: 300, value: 1000, word: 40 };
const maxInstructions = 10;

function renderInstructions(records: readonly DnsInstruction[]): string[] {
  if (records.length === 0) return [];
  const short = records.slice(0, maxInstructions).map((record) => ({
    ...record,
    type: shorten(record.type, longestInstruction.word),
    name: shorten(record.name, longestInstruction.name),
    value: shorten(record.value, longestInstruction.value),
    purpose: shorten(record.purpose, longestInstruction.word),
  }));
  return [
    'Make these DNS records where the domain is hosted:',
    recordsTable(short),
    ...restOf(records, maxInstructions),
  ];
}

function renderDomain({ hostname, statuses, records, errors, ...domain }: ConnectedReport) {
  const state = domain.verification === 'bad' ? 'failed its verification' : 'is not verified yet';
  return [
    `${code(hostname)} ${state}${statuses === '' ? '' : ` (${plain(statuses)})`}.`,
    ...errors.map((error) => `- ${plain(shorten(error, 300))}`),
    ...renderInstructions(records),
  ].join('\n\n');
}

/**
 * The connected domains that are not verified, with the DNS records to make: as many as fit beside the rest of the
 * page.
 *
 * @param most how many rows a table of the page has at most
 */
export function renderUnverified(domains: readonly ConnectedReport[], most: number): string[] {
  const others = domains.filter(({ verification }) => verification !== 'good');
  let room = most * charactersOfRow;
  const told = others
    .slice(0, most)
    .map(renderDomain)
    .filter((text) => {
      room -= text.length;
      return room >= 0;
    });
  return told.length === others.length
    ? told
    : [...told, `… and ${others.length - told.length} more: the output domains has them all`];
}
