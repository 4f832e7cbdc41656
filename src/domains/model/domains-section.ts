import { type SafeText, safe, shorten, trusted } from '../../kernel/text/safe.ts';
import { closeWith, describeRequests, nameOf, showTime } from '../../report/closing.ts';
import { code, cutTable, fold, heading, plain } from '../../report/markdown.ts';
import { type PlanView, planInSummary, renderPlan } from '../../report/plan.ts';
import { quoteMessage } from '../../report/quote.ts';
import type { AvailabilityRow } from './availability.ts';
import { groupPlan } from './domains-plan.ts';
import type { ChangeResult, DomainsReport, ListedRecord } from './domains-report.ts';
import { describeDomains, iconOfDomains } from './domains-title.ts';
import { renderUnverified } from './domains-unverified.ts';

/** The most rows of a summary's table, so that it stays far below what GitHub takes. */
const maxRows = 150;

/** The most characters of a name. */
const longestName = 500;

const resources: Readonly<Record<ChangeResult['resource'], string>> = {
  'connected-domain': 'connected domain',
  'registered-domain': 'registered domain',
  'dns-record': 'DNS record',
};

function renderChanges({ results }: DomainsReport, most: number): string[] {
  if (results.length === 0) return [];
  const rows = results.map(({ resource, name, action, outcome, reason }) => [
    resources[resource],
    code(shorten(name, longestName)),
    outcome === 'done' ? action : `${action}: ${outcome.replace('-', ' ')}`,
    plain(shorten(reason, 200)),
  ]);
  const head = ['What', 'Name', 'Done', 'Why'];
  return ['### Domains', cutTable(head, rows, most)];
}

const price = (value: number | undefined): string =>
  value === undefined ? 'not shown' : `${value.toFixed(2)} USD`;

function renderAvailability(rows: readonly AvailabilityRow[], most: number): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => [
    code(shorten(trusted(row.name), longestName)),
    row.registrable ? 'yes' : 'no',
    row.registrable ? `${price(row.price)}${row.premium ? ', premium' : ''}` : '',
    row.registrable ? price(row.renewalPrice) : '',
    plain(row.reason),
  ]);
  const head = ['Name', 'Can be registered', 'Price', 'Renewal', 'Why not'];
  return ['### Availability', 'Nothing was bought.', cutTable(head, cells, most)];
}

function renderRecords(title: SafeText, records: readonly ListedRecord[], most: number): string[] {
  if (records.length === 0) return [];
  const isManaged = records.some(({ managed }) => managed !== '');
  const rows = records.map(({ domain, type, name, content, managed }) => [
    code(domain),
    code(safe`${type} ${name}`),
    code(content),
    ...(isManaged ? [plain(managed)] : []),
  ]);
  const head = ['Domain', 'Record', 'Content', ...(isManaged ? ['Managed because'] : [])];
  return [fold(plain(safe`${title}: ${records.length}`), [cutTable(head, rows, most)])];
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
  return closeWith(nameOf(report.outcome), report, `domains: ${countResults(report)}`);
}

/** How much a page takes. */
export interface DomainsPage extends PlanView {
  /** How many rows a table has at most. */
  most: number;
}

/** What was done or would be done: a plan in lines, an apply in a table with what became of each write. */
function renderWork(report: DomainsReport, { most, room, elsewhere }: DomainsPage): string[] {
  return report.isPlanned
    ? renderPlan(groupPlan(report), { room, elsewhere })
    : renderChanges(report, most);
}

/** The body of a summary or a comment, below its title. */
export function renderDomains(report: DomainsReport, page: DomainsPage): string[] {
  const { error, refusal, undeclared, managed, digest, unchanged, isPlanned } = report;
  const { most } = page;
  const time = showTime(report);
  const counts = isPlanned ? `${unchanged} unchanged` : countResults(report);
  const facts = [
    ...(time === undefined ? [] : [`Took ${time}`]),
    ...(isPlanned && unchanged === 0 ? [] : [counts]),
  ];
  const details = [
    ...(digest === '' ? [] : [`- Digest of the plan: ${code(trusted(digest))}`]),
    ...describeRequests(report).map((text) => `- Sent to the service: ${text}`),
  ];
  return [
    ...quoteMessage(error),
    ...quoteMessage(refusal),
    ...renderWork(report, page),
    ...renderUnverified(report.connected, page),
    ...(facts.length === 0 ? [] : [facts.join(' · ')]),
    ...renderRecords(safe`Records that are not declared, left in place`, undeclared, most),
    ...renderRecords(safe`Records that the system manages`, managed, most),
    ...renderAvailability(report.availability, most),
    ...(details.length === 0 ? [] : [fold('Details', [details.join('\n')])]),
  ];
}

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderDomainsSummary(report: DomainsReport): string {
  const page = { most: maxRows, ...planInSummary };
  const title = heading(2, iconOfDomains(report), describeDomains(report));
  return [title, ...renderDomains(report, page), ''].join('\n\n');
}
