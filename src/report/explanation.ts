import type { CodeTrust, RunEvent, Trust } from '../kernel/event.ts';
import {
  joinSafe,
  type SafeText,
  type Sanitize,
  safe,
  shorten,
  unsafeText,
} from '../kernel/text/safe.ts';
import { countOf, iconOf, type Subject } from './closing.ts';
import type { LogEntry } from './log-entry.ts';
import { addressCell, codeCell, cutTable, fence, heading, plain } from './markdown.ts';

/** A row of an explanation: what a run would do about something and needs for it, or why it would do nothing. */
export type Row = {
  /** What it is about, in a word or two. */
  about: SafeText;
} & (
  | { does: SafeText; needs?: readonly Need[]; hosts?: readonly NamedHost[] }
  | { leaves: SafeText }
  /** What is wrong with an input, which the log has as a problem of its own. */
  | { fails: SafeText }
);

/** A line under `permissions:` of a job, and what it is for. */
export type Need = readonly [
  permission: `${'contents' | 'deployments' | 'issues' | 'pull-requests'}: ${'read' | 'write'}`,
  why: SafeText,
];

/** A row of what a run would do. */
export const does = (about: SafeText, what: SafeText, ...needs: Need[]): Row =>
  needs.length === 0 ? { about, does: what } : { about, does: what, needs };

/** A row of what a run would not do, and why. */
export const leaves = (about: SafeText, why: SafeText): Row => ({ about, leaves: why });

/** A row of what a run would fail for. */
export const fails = (about: SafeText, why: SafeText): Row => ({ about, fails: why });

/** The rows that there are. */
export const tableOf = (...rows: readonly (Row | false | undefined)[]): Row[] =>
  rows.filter((row) => row !== undefined && row !== false);

/** A host that a run connects to, as a rule for outgoing traffic names it. */
export interface NamedHost {
  host: SafeText;
  /** What it is, in a few words. */
  what: SafeText;
}

/** A variable that would be written unless it is unchanged. Never its value. */
export interface ExplainedVariable {
  name: SafeText;
  kind: SafeText;
  targets: SafeText;
  /** Where its value comes from. */
  from: SafeText;
}

/** A check that would be run. */
export interface ExplainedCheck {
  what: SafeText;
  expected: SafeText;
}

/** The outcome of an explained run; `failed`: it would fail whatever GitHub returns. */
export type ExplainedOutcome = 'planned' | 'skipped' | 'failed';

/** What `mode: explain` found about a run. */
export interface Explanation {
  /** What it would do; follows "this run would". */
  would: SafeText;
  outcome: ExplainedOutcome;
  rows: readonly Row[];
  variables?: readonly ExplainedVariable[];
  checks?: readonly ExplainedCheck[];
  /** The permissions that its job needs; absent where no job has any. */
  needs?: readonly Need[] | undefined;
}

/** The permissions that a job needs for what the rows do. */
export const needsOf = (rows: readonly Row[]): Need[] =>
  rows.flatMap((row) => ('does' in row ? (row.needs ?? []) : []));

/** The hosts of what is done, each once, in one line. */
export function describeHosts(hosts: readonly NamedHost[]): SafeText {
  const grouped = Map.groupBy(hosts, ({ host }) => host);
  const named = [...grouped].map(
    ([host, some]) => safe`${host} (${joinSafe([...new Set(some.map(({ what }) => what))], ', ')})`,
  );
  return safe`${joinSafe(named, ', ')}.`;
}

/** Permissions as the lines of a job, to be copied: each scope once, where `write` includes `read`. */
function permissionLines(needs: readonly Need[]): SafeText[] {
  if (needs.length === 0) return [safe`permissions: {}`];
  const scopes = Map.groupBy(needs, ([permission]) => permission.split(':')[0] ?? '');
  const sorted = [...scopes].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([scope, some]) => {
    const level = some.some(([permission]) => permission.endsWith('write')) ? 'write' : 'read';
    const whys = new Set(some.map(([, why]) => why));
    return { permission: `  ${scope}: ${level}`, why: joinSafe([...whys], '; ') };
  });
  const width = Math.max(...lines.map(({ permission }) => permission.length));
  const shown = lines.map(({ permission, why }) =>
    unsafeText(`${permission.padEnd(width)} # ${why}`),
  );
  return [safe`permissions:`, ...shown];
}

const codes: Readonly<Record<CodeTrust, SafeText>> = {
  merged: safe`The code counts as merged.`,
  'own-branch': safe`The code is not merged. It is on a branch of this repository, which only users with write access can change.`,
  unknown: safe`The code is not merged and may come from anyone.`,
};

/** What is known of such an event besides {@link codes} and {@link starters}. */
const ofKind: Readonly<Partial<Record<RunEvent['kind'], { starter?: SafeText; code: SafeText }>>> =
  {
    push: { code: safe`The code was pushed to this repository and counts as merged.` },
    schedule: {
      starter: safe`GitHub starts it on a schedule.`,
      code: safe`The code is on the default branch.`,
    },
    manual: {
      code: safe`The run was requested manually, so the code counts as merged.`,
    },
  };

const starters: Readonly<Record<Trust['starter']['kind'], SafeText>> = {
  writer: safe`Only users with write access can start it.`,
  app: safe`Apps and users with write access can start it.`,
  proposer: safe`Anyone who opens a pull request can start it.`,
  speaker: safe`Anyone who writes an issue, a comment or a review can start it.`,
  anybody: safe`Anyone may be able to start it.`,
};

/** The event: its name, its pull request, who can start it, and whose code it is about. */
export function describeEvent(event: RunEvent, clean: Sanitize): SafeText {
  const { kind, name, action, trust, pullRequest: source } = event;
  const own = ofKind[kind];
  const done = action === undefined ? safe`` : safe` (${clean(action)})`;
  const shown = name === '' ? safe`None (not a GitHub Actions run)` : clean(name);
  const number =
    source?.kind === 'known'
      ? source.pullRequest.number
      : source?.kind === 'by-number'
        ? source.number
        : undefined;
  const about = number === undefined ? safe`` : safe` of pull request #${number}`;
  return safe`${shown}${done}${about}. ${own?.starter ?? starters[trust.starter.kind]} ${own?.code ?? codes[trust.code]}`;
}

/** The most rows of a table, and characters of a cell or a sentence. */
const mostRows = 200;
const longest = { cell: 300, sentence: 1500 };

/** The first line of an explanation. */
const basis = safe`Based on the event, the inputs and the workspace only: nothing was sent to the service or to GitHub. To compare with what exists, use mode: plan.`;

/** The explanation in one line. */
export const describeExplanation = ({ name }: Subject, { would }: Explanation): SafeText =>
  safe`${name}: this run would ${would}`;

/** The last line of the log. */
export const closeExplanation = (subject: Subject, explanation: Explanation): string =>
  `${describeExplanation(subject, explanation)} · nothing was sent`;

const permissionsTitle = safe`Permissions this job needs`;

/** What would be done, and what would not, with what each is about. */
const splitRows = (rows: readonly Row[]) => ({
  done: rows.flatMap((row) => ('does' in row ? [[row.about, row.does] as const] : [])),
  left: rows.flatMap((row) => ('leaves' in row ? [[row.about, row.leaves] as const] : [])),
  failing: rows.flatMap((row) => ('fails' in row ? [[row.about, row.fails] as const] : [])),
});

const logLine = (text: string): LogEntry => ({ kind: 'line', text });

const groupEntries = (text: SafeText, lines: readonly SafeText[]): LogEntry[] =>
  lines.length === 0
    ? []
    : [{ kind: 'group', text }, ...lines.map(logLine), { kind: 'group-end', text: '' }];

/** The explanation as log lines: first what would be done, then what would not. */
export function explanationEntries(explanation: Explanation): LogEntry[] {
  const { rows, variables = [], checks = [], needs } = explanation;
  const { done, left } = splitRows(rows);
  const width = Math.max(...[...done, ...left].map(([about]) => about.length));
  return [
    logLine(basis),
    ...done.map(([about, words]) => logLine(`${about.padEnd(width)}  ${words}`)),
    ...left.map(([about, words]) => logLine(`${about.padEnd(width)}  Skipped: ${words}`)),
    ...groupEntries(
      countOf(variables.length, safe`variable`),
      variables.map(({ name, kind, targets, from }) => safe`${name}: ${kind}, ${targets}, ${from}`),
    ),
    ...groupEntries(
      countOf(checks.length, safe`check`),
      checks.map(({ what, expected }) => safe`${what}: ${expected}`),
    ),
    ...groupEntries(permissionsTitle, needs === undefined ? [] : permissionLines(needs)),
  ];
}

const listRows = (rows: readonly (readonly [SafeText, SafeText])[]): string =>
  rows
    .map(([about, text]) => `- **${plain(about)}**: ${plain(shorten(text, longest.sentence))}`)
    .join('\n');

/** The explanation as the job's summary, in GitHub-flavored Markdown. */
export function renderExplanation(subject: Subject, explanation: Explanation): string {
  const { rows, variables = [], checks = [], outcome, needs } = explanation;
  const { done, left, failing } = splitRows(rows);
  const cell = (text: SafeText) => plain(shorten(text, longest.cell));
  const parts = [
    heading(2, iconOf(outcome), describeExplanation(subject, explanation)),
    plain(basis),
    '### What this run would do',
    listRows([...done, ...failing]),
  ];
  if (variables.length > 0) {
    const cells = variables.map(({ name, kind, targets, from }) => [
      codeCell(shorten(name, longest.cell)),
      cell(safe`${kind}, ${targets}`),
      cell(from),
    ]);
    parts.push('### Variables', cutTable(['Variable', 'Kind, for', 'Value from'], cells, mostRows));
  }
  if (checks.length > 0) {
    const cells = checks.map(({ what, expected }) => [
      addressCell(shorten(what, longest.cell)),
      cell(expected),
    ]);
    parts.push('### Checks', cutTable(['Check', 'Expected'], cells, mostRows));
  }
  if (left.length > 0) parts.push('### What it would not do, and why', listRows(left));
  if (needs !== undefined) {
    parts.push(`### ${permissionsTitle}`, fence(permissionLines(needs), 'yaml'));
  }
  return [...parts, ''].join('\n\n');
}
