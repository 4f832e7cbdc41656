import type { PlannedChange } from '../../kernel/change.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';
import {
  countPlan,
  countSigns,
  inColumns,
  type PlanGroup,
  type PlanLine,
  toSet,
} from '../../report/plan.ts';
import { showDifference, shown } from '../dns/content.ts';
import { isInZone } from '../dns/name.ts';
import type { ChangeResult, DomainsReport } from '../result.ts';

/** The most characters of each part. */
const longest = { name: 100, project: 9 };

/** A line before alignment. */
interface Row extends Omit<PlanLine, 'text'> {
  cells: readonly SafeText[];
}

function recordRow({ record = {}, differences, unnamed, reason }: PlannedChange): Row {
  const { type, name, content = safe``, ...fields } = record;
  const nameCells = [
    unsafeText(String(type).padEnd(5)),
    shorten(unsafeText(String(name)), longest.name),
  ];
  if (differences === undefined) {
    const others = Object.entries(fields).map(
      ([field, value]) => safe`${unsafeText(field)}: ${shown(value)}`,
    );
    return { sign: '+', cells: [...nameCells, joinSafe([shown(content), ...others], '  ')] };
  }
  const changed = differences.map(showDifference);
  const isContent = differences.some(({ field }) => field === 'content');
  const what = isContent ? changed : [shown(content), ...changed];
  const cells = [...nameCells, joinSafe(what, '  ')];
  return unnamed ? { sign: '!', cells, why: reason } : { sign: '~', cells };
}

/** Two projects by the start of their ids, if these differ. */
function showProjects(from: SafeText | null, to: SafeText | null): [SafeText, SafeText] {
  const [old, next] = [from ?? safe`none`, to ?? safe`none`];
  const short = (id: SafeText) => shorten(id, longest.project);
  return short(old) === short(next) ? [old, next] : [short(old), short(next)];
}

/** The line of a connected domain, for all its changes. */
function connectionRow(hostname: SafeText, changes: readonly PlannedChange[]): Row {
  const isNew = changes.some(({ action }) => action === 'connect');
  const { from = null, to = null } = changes.find(({ project }) => project)?.project ?? {};
  const [old, next] = showProjects(from, to);
  if (isNew) {
    const assigned = to === null ? safe`` : safe`, assign to project ${next}`;
    return { sign: '+', cells: [hostname, safe`connect${assigned}`] };
  }
  const isMove = from !== null && to !== null;
  const text = isMove
    ? safe`move from project ${old} to project ${next}`
    : safe`project: ${old} → ${next}`;
  return { sign: to === null ? '-' : '~', cells: [hostname, text] };
}

/** A setting of a registered domain. */
const settingRow = ({ action, reason }: ChangeResult): Row => ({
  sign: ' ',
  cells: [safe`set`, safe`${action}`],
  why: reason,
});

/** The line of a connected domain below its name. */
export const connectionLines = (
  hostname: SafeText,
  changes: readonly PlannedChange[],
): PlanLine[] => inLines([connectionRow(hostname, changes)]);

const inLines = (rows: readonly Row[]): PlanLine[] => {
  const texts = inColumns(rows.map(({ cells }) => cells));
  return rows.map(({ cells, ...row }, index) => ({ ...row, text: texts[index] ?? safe`` }));
};

/** A record that replaces one which the file does not name is first. */
const rankOf = ({ sign }: PlanLine): number => (sign === '!' ? 0 : 1);

/** A plan as lines: each domain with its connected hosts, records and settings. */
export function groupPlan({ changes, results }: DomainsReport): PlanGroup[] {
  const records = changes.filter(({ resource }) => resource === 'dns-record');
  const settings = results.filter(({ resource }) => resource === 'registered-domain');
  const zones = [
    ...new Set([
      ...records.map(({ domain = safe`` }) => domain),
      ...settings.map(({ name }) => name),
    ]),
  ].sort();
  const connections = Map.groupBy(
    changes.filter(({ resource }) => resource === 'connected-domain'),
    ({ name }) => name,
  );
  const byLength = zones.toSorted((a, b) => b.length - a.length);
  const zoneOf = (hostname: SafeText) =>
    byLength.find((zone) => isInZone(zone, hostname)) ?? hostname;
  const titles = [...new Set([...zones, ...[...connections.keys()].map(zoneOf)])].sort();
  const domains = titles.map((title): PlanGroup => {
    const hosts = [...connections].filter(([hostname]) => zoneOf(hostname) === title);
    const lines = [
      ...inLines(hosts.map(([hostname, some]) => connectionRow(hostname, some))),
      ...inLines(records.filter(({ domain }) => domain === title).map(recordRow)),
      ...inLines(settings.filter(({ name }) => name === title).map(settingRow)),
    ];
    return { title, lines: lines.toSorted((a, b) => rankOf(a) - rankOf(b)) };
  });
  return domains.filter(({ lines }) => lines.length > 0);
}

/** The counts of a plan. Settings are not changes, because every apply sets them. */
export function describeDomainsPlan(report: DomainsReport): SafeText {
  const groups = groupPlan(report);
  return countPlan(groups, [
    [countSigns(groups, '!'), safe`to replace (not named in the file)`],
    [countSigns(groups, ' '), toSet],
  ]);
}
