import type { AvailabilityRow } from '../domains/availability.ts';
import { formatDuration } from '../text/duration.ts';
import { code, cutTable, plain, table } from '../text/markdown.ts';
import { type SafeText, safe, shorten, trusted } from '../text/safe.ts';
import { closeWith, describeRequests, nameOf, titleOf } from './closing.ts';
import type { ChangeResult, DomainsReport, ListedRecord } from './domains-report.ts';
import { renderUnverified } from './domains-unverified.ts';
import { describeCounts } from './environment-result.ts';
import { renderVariables } from './environment-section.ts';

/** The most rows of a summary's table, so that it stays far below what GitHub takes. */
const maxRows = 150;

/** The most characters of a name. */
const longestName = 500;

function folded(title: SafeText, content: string): string {
  return `<details><summary>${plain(title)}</summary>\n\n${content}\n\n</details>`;
}

const resources: Readonly<Record<ChangeResult['resource'], string>> = {
  variable: 'variable',
  'connected-domain': 'connected domain',
  'registered-domain': 'registered domain',
  'dns-record': 'DNS record',
};

function renderChanges({ results, isPlanned }: DomainsReport, most: number): string[] {
  if (results.length === 0) return [];
  const rows = results.map(({ resource, name, action, outcome, reason }) => [
    resources[resource],
    code(shorten(name, longestName)),
    outcome === 'done' || outcome === 'planned'
      ? action
      : `${action}: ${outcome.replace('-', ' ')}`,
    plain(shorten(reason, 200)),
  ]);
  const head = ['What', 'Name', isPlanned ? 'Would be done' : 'Done', 'Why'];
  return ['### Domains', cutTable(head, rows, most)];
}

const price = (value: number | undefined): string =>
  value === undefined ? 'not shown' : `${value.toFixed(2)} USD`;

function renderAvailability(rows: readonly AvailabilityRow[], most: number): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => [
    code(shorten(trusted(row.name), longestName)),
    row.registrable ? 'yes' : 'no',
    row.registrable ? price(row.price) : '',
    row.registrable ? price(row.renewalPrice) : '',
    row.premium ? 'premium' : '',
    plain(row.reason),
  ]);
  const head = ['Name', 'Can be registered', 'Price', 'Renewal', '', 'Why not'];
  return ['### Availability', 'Nothing was bought.', cutTable(head, cells, most)];
}

function renderRecords(title: SafeText, records: readonly ListedRecord[], most: number): string[] {
  if (records.length === 0) return [];
  const rows = records.map(({ domain, type, name, content, managed }) => [
    code(domain),
    code(safe`${type} ${name}`),
    code(content),
    plain(managed),
  ]);
  return [
    folded(
      safe`${title}: ${records.length}`,
      cutTable(['Domain', 'Record', 'Content', 'Managed because'], rows, most),
    ),
  ];
}

/** How many of some writes came to which outcome, in words. */
function countOutcomes(results: readonly ChangeResult[], what: (count: number) => string) {
  return [...Map.groupBy(results, ({ outcome }) => outcome)].map(
    ([outcome, { length }]) => `${length} ${what(length)}${outcome.replace('-', ' ')}`,
  );
}

/** What a plan or an apply did, counted. Settings, which are no changes, are counted apart. */
export function countResults({ results, unchanged, digest }: DomainsReport): string {
  const [settings, changes] = [true, false].map((wanted) =>
    results.filter(({ resource }) => (resource === 'registered-domain') === wanted),
  );
  const counts = [
    ...countOutcomes(changes ?? [], () => ''),
    ...countOutcomes(settings ?? [], (count) => (count === 1 ? 'setting ' : 'settings ')),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
  ];
  const nothing = digest === '' ? 'nothing was planned' : 'nothing declared';
  return counts.length === 0 ? nothing : counts.join(', ');
}

/** The last line of a run's log. */
export function closeDomains(report: DomainsReport): string {
  const { outcome, environment } = report;
  const counts = environment && `environment: ${describeCounts(environment)}`;
  return closeWith(nameOf(outcome), report, `domains: ${countResults(report)}`, counts);
}

/**
 * The body of a summary or a comment, below its title.
 *
 * @param most how many rows a table has at most
 */
export function renderDomains(report: DomainsReport, most: number): string[] {
  const { error, environment, undeclared, managed, digest, requests, durationMs } = report;
  const facts = [
    ['Time', `${formatDuration(durationMs)}, ${describeRequests(requests)}`],
    ...(digest === '' ? [] : [['Plan', code(trusted(digest))]]),
  ];
  return [
    ...(error === undefined ? [] : [`> ${plain(error)}`]),
    table(['Domains', countResults(report)], facts),
    ...renderChanges(report, most),
    ...renderUnverified(report.connected, most),
    ...(environment === undefined ? [] : renderVariables(environment, { most })),
    ...renderRecords(safe`Records that are not declared, left in place`, undeclared, most),
    ...renderRecords(safe`Records that the system manages`, managed, most),
    ...renderAvailability(report.availability, most),
  ];
}

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderDomainsSummary(report: DomainsReport): string {
  return [`## ${titleOf(report.outcome)}`, ...renderDomains(report, maxRows), ''].join('\n\n');
}
