import { assemble, type CommentContext } from '../comments/model/assemble.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import {
  closeWith,
  countOf,
  nameInText,
  nameOf,
  requestsFact,
  showTime,
} from '../report/closing.ts';
import { code, cutTable, fold, heading, plain, quoteMessage } from '../report/markdown.ts';
import {
  iconOfPlan,
  type PlanView,
  planInComment,
  planInSummary,
  renderPlan,
  showRefused,
} from '../report/plan.ts';
import type { AvailabilityRow } from './model/availability.ts';
import { type DnsInstruction, recordBlocks } from './model/connected-domain-report.ts';
import { describeDomainsPlan, groupPlan } from './model/domains-plan.ts';
import {
  type ChangeResult,
  type ConnectedReport,
  type DomainsReport,
  describeAction,
  describeConnected,
  type ListedRecord,
  nameOfResult,
} from './result.ts';

/** The most rows of a summary's table: GitHub limits a summary to 1 MiB. */
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
  const rows = results.map((change) => [
    resources[change.resource],
    code(shorten(change.name, longestName)),
    change.outcome === 'done'
      ? describeAction(change)
      : `${change.action}: ${nameOfResult(change.outcome)}`,
    plain(shorten(change.reason, 200)),
  ]);
  const head = ['Resource', 'Name', 'Result', 'Why'];
  return ['### Domains', cutTable(head, rows, most)];
}

const price = (value: number | undefined): string =>
  value === undefined ? 'unknown' : `${value.toFixed(2)} USD`;

function renderAvailability(rows: readonly AvailabilityRow[], most: number): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => [
    code(shorten(unsafeText(row.name), longestName)),
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
  const head = ['Domain', 'Record', 'Content'];
  if (isManaged) head.push('Reason');
  const rows = records.map(({ domain, type, name, content, managed }) => {
    const row = [code(domain), code(safe`${type} ${name}`), code(content)];
    if (isManaged) row.push(plain(managed));
    return row;
  });
  return [fold(plain(safe`${title}: ${records.length}`), [cutTable(head, rows, most)])];
}

/** What to change in the file, as a list. */
function renderNotices(notices: readonly SafeText[], most: number): string[] {
  if (notices.length === 0) return [];
  const lines = notices.slice(0, most).map((notice) => `- ${plain(shorten(notice, 300))}`);
  const rest = notices.length - most;
  if (rest > 0) lines.push(`- … and ${rest} more; see the log`);
  return [lines.join('\n')];
}

/** The counts of writes by outcome. */
function countOutcomes(results: readonly ChangeResult[], what: (count: number) => string) {
  return [...Map.groupBy(results, ({ outcome }) => outcome)].map(
    ([outcome, { length }]) => `${length} ${what(length)}${nameOfResult(outcome)}`,
  );
}

/** The counts of a plan or an apply. Settings are counted separately, because they are not changes. */
export function countResults({ results, unchanged, digest }: DomainsReport): string {
  const { settings = [], changes = [] } = Object.groupBy(results, (one) =>
    isSetting(one) ? 'settings' : 'changes',
  );
  const counts = [
    ...countOutcomes(changes, () => ''),
    ...countOutcomes(settings, (count) => (count === 1 ? 'setting ' : 'settings ')),
  ];
  if (unchanged > 0) counts.push(`${unchanged} unchanged`);
  if (counts.length > 0) return counts.join(', ');
  return digest === '' ? 'nothing was planned' : 'nothing declared';
}

/** The last line of a run's log. */
export function closeDomains(report: DomainsReport): string {
  const counts = report.outcome === 'planned' ? describeDomainsPlan(report) : countResults(report);
  return closeWith(nameOf(report.outcome), report, `domains: ${counts}`);
}

/** The body of a summary or a comment, below its title. */
export function renderDomains(report: DomainsReport, page: PlanView & { most: number }): string[] {
  const { error, refusal, undeclared, managed, digest, unchanged, isPlanned, helpUrl } = report;
  const { most } = page;
  const facts: string[] = [];
  const time = showTime(report);
  if (time !== undefined) facts.push(`Took ${time}`);
  if (!isPlanned) facts.push(countResults(report));
  else if (unchanged > 0) facts.push(`${unchanged} unchanged`);
  const details = requestsFact(report).map((text) => `- ${text}`);
  if (digest !== '') details.unshift(`- Digest of the plan: ${code(unsafeText(digest))}`);
  const parts = [
    ...quoteMessage(error, helpUrl),
    ...quoteMessage(refusal, helpUrl),
    ...(isPlanned ? renderPlan(groupPlan(report), page) : renderChanges(report, most)),
    ...renderNotices(report.notices, most),
    ...renderUnverified(report.connected, page),
  ];
  if (facts.length > 0) parts.push(facts.join(' · '));
  parts.push(
    ...renderRecords(safe`Records only on the service, kept`, undeclared, most),
    ...renderRecords(safe`Records managed by the service`, managed, most),
    ...renderAvailability(report.availability, most),
  );
  if (details.length > 0) parts.push(fold('Details', [details.join('\n')]));
  return parts;
}

/** A run's job summary, in GitHub-flavored Markdown. */
export function renderDomainsSummary(report: DomainsReport): string {
  const page = { most: maxRows, ...planInSummary };
  const title = heading(2, iconOfDomains(report), describeDomains(report));
  return [title, ...renderDomains(report, page), ''].join('\n\n');
}

/** The domains that serve a project and are not known to be verified. */
const unverified = ({ connected }: DomainsReport): readonly ConnectedReport[] =>
  connected.filter(({ projectId, verification }) => projectId !== '' && verification !== 'good');

const isSetting = ({ resource }: ChangeResult): boolean => resource === 'registered-domain';

/** The result of an apply, and what is still missing. */
function describeDone(report: DomainsReport): SafeText {
  const { results, availability, unchanged } = report;
  const done = results.filter(({ outcome }) => outcome === 'done');
  const set = done.filter(isSetting).length;
  const changed = done.length - set;
  const waiting = unverified(report).length;
  const isCheck = availability.length > 0 && results.length + unchanged === 0;
  const nothing = isCheck
    ? safe`${countOf(availability.length, safe`name`)} checked`
    : safe`nothing changed`;
  const parts: SafeText[] = [];
  if (changed > 0) parts.push(safe`${countOf(changed, safe`change`)} made`);
  if (set > 0) parts.push(safe`${countOf(set, safe`setting`)} set`);
  if (changed + set === 0) parts.push(nothing);
  if (waiting > 0) parts.push(safe`${countOf(waiting, safe`domain`)} not verified`);
  return joinSafe(parts, ', ');
}

/** The number of writes with an outcome, if any. */
function describeWrites(
  { results, outcome }: DomainsReport,
  ended: ChangeResult['outcome'],
): SafeText {
  const { length } = results.filter((one) => one.outcome === ended);
  if (length === 0) return nameInText(outcome);
  return safe`${length} of ${countOf(results.length, safe`write`)} ${nameOfResult(ended)}`;
}

/** The title of a run's report. */
export function describeDomains(report: DomainsReport): SafeText {
  const { outcome, drifted } = report;
  if (outcome === 'synced') return safe`Domains: ${describeDone(report)}`;
  if (outcome === 'failed' || outcome === 'unconfirmed')
    return safe`Domains: ${describeWrites(report, outcome)}`;
  if (outcome === 'conflict')
    return safe`Domains: not applied, the plan differs from expected-plan`;
  if (outcome !== 'planned') return safe`Domains: ${nameInText(outcome)}`;
  const counts = showRefused(describeDomainsPlan(report), report.refusal);
  return drifted === true ? safe`Drift: ${counts}` : safe`Domains: ${counts}`;
}

/** The title's icon: no check mark if something is left to do. */
function iconOfDomains(report: DomainsReport): string {
  const waiting = unverified(report);
  if (report.outcome !== 'synced' || waiting.length === 0) return iconOfPlan(report);
  return waiting.every(({ verification }) => verification === 'pending') ? '⏳' : '⚠️';
}

/** The last line of a shortened list. */
const restOf = (rest: number, what: string): string[] =>
  rest > 0 ? [`… and ${rest} more ${what}; see the output domains`] : [];

/** A longer record is only in the output: a shortened one could not be copied. */
const longestInstruction = 2000;
const maxInstructions = 10;

/** The records to create, each as blocks to copy. */
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
  const parts = required.flatMap(recordBlocks);
  if (required.length > 0) parts.unshift('Create these DNS records at your DNS provider:');
  if (optional.length > 0) {
    const count = countOf(optional.length, safe`optional record`);
    parts.push(fold(count, optional.flatMap(recordBlocks)));
  }
  return [...parts, ...restOf(records.length - shown.length, 'records')];
}

function renderDomain(domain: ConnectedReport): string {
  const { hostname, records, errors } = domain;
  return [
    `${code(hostname)} ${plain(describeConnected(domain))}`,
    ...errors.map((error) => `- ${plain(shorten(error, 300))}`),
    ...renderInstructions(records),
  ].join('\n\n');
}

/**
 * The connected domains that are not verified, with the DNS records to create, as many as fit.
 *
 * @param limits `most`: the most domains; `room`: the most characters of Markdown
 */
function renderUnverified(
  domains: readonly ConnectedReport[],
  { most, space }: { most: number; space: number },
): string[] {
  const others = domains.filter(({ verification }) => verification !== 'good');
  let left = space;
  const shown = others.slice(0, most).map(renderDomain);
  const fitting = shown.filter((text) => {
    left -= text.length;
    return left >= 0;
  });
  return [...fitting, ...restOf(others.length - fitting.length, 'domains')];
}

/** The most rows of a comment's table, to stay below GitHub's limit. */
const maxCommentRows = 20;

/** The plan of a pull request's domains, or its result, as a comment. */
export function renderDomainsComment(report: DomainsReport, context: CommentContext): string {
  const title = heading(3, iconOfDomains(report), describeDomains(report));
  const page = { most: maxCommentRows, ...planInComment };
  return assemble(context, [title, ...renderDomains(report, page)]);
}
