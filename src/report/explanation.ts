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

/** One thing that a run would do, or why it would not do it. */
export type Statement = {
  /** What it is about, in a word or two. */
  about: SafeText;
} & (
  | { does: SafeText; needs?: readonly NeededPermission[]; hosts?: readonly NamedHost[] }
  | { leaves: SafeText }
);

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
  subject: Subject;
  /** What it would do; follows "this run would". */
  would: SafeText;
  outcome: ExplainedOutcome;
  statements: readonly Statement[];
  variables: readonly ExplainedVariable[];
  checks: readonly ExplainedCheck[];
  /** The permissions that the job needs. */
  needs: readonly NeededPermission[];
}

/** An explanation of an action whose subject is added later. */
export type SubjectlessExplanation = Omit<Explanation, 'subject'>;

/** The permissions that a job needs for what the statements do. */
export const needsOf = (statements: readonly Statement[]): NeededPermission[] =>
  statements.flatMap((one) => ('does' in one ? (one.needs ?? []) : []));

/** The hosts of what is done, each once, in one line. */
export function describeHosts(hosts: readonly NamedHost[]): SafeText {
  const grouped = Map.groupBy(hosts, ({ host }) => host);
  const named = [...grouped].map(
    ([host, some]) => safe`${host} (${joinSafe([...new Set(some.map(({ what }) => what))], ', ')})`,
  );
  return safe`${joinSafe(named, ', ')}.`;
}

/** The scopes of a job's token that this action may need. */
type Scope = 'contents' | 'deployments' | 'issues' | 'pull-requests';

/** A line under `permissions:`, and what it is for. */
export interface NeededPermission {
  scope: Scope;
  level: 'read' | 'write';
  why: SafeText;
}

/** The highest level needed of each scope, sorted by scope: `write` includes `read`. */
function mergePermissions(permissions: readonly NeededPermission[]): NeededPermission[] {
  const scopes = [...Map.groupBy(permissions, ({ scope }) => scope)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return scopes.map(([scope, some]) => ({
    scope,
    level: some.some(({ level }) => level === 'write') ? 'write' : 'read',
    why: joinSafe([...new Set(some.map(({ why }) => why))], '; '),
  }));
}

/** Permissions as the lines of a job, to be copied. */
function permissionLines(permissions: readonly NeededPermission[]): SafeText[] {
  const merged = mergePermissions(permissions);
  if (merged.length === 0) return [safe`permissions: {}`];
  const lines = merged.map(({ scope, level }) => unsafeText(`  ${scope}: ${level}`));
  const width = Math.max(...lines.map(({ length }) => length));
  const commented = lines.map((line, index) =>
    unsafeText(`${line.padEnd(width)} # ${merged[index]?.why ?? ''}`),
  );
  return [safe`permissions:`, ...commented];
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
export const describeExplanation = ({ subject, would }: Explanation): SafeText =>
  safe`${subject.name}: this run would ${would}`;

/** The last line of the log. */
export const closeExplanation = (explanation: Explanation): string =>
  `${describeExplanation(explanation)} · nothing was sent`;

const group = (text: SafeText, lines: readonly SafeText[]): LogEntry[] =>
  lines.length === 0
    ? []
    : [
        { kind: 'group', text },
        ...lines.map((line): LogEntry => ({ kind: 'line', text: line })),
        { kind: 'group-end', text: '' },
      ];

/** The explanation as log lines: first what would be done, then what would not. */
export function explanationEntries(explanation: Explanation): LogEntry[] {
  const { statements, variables, checks, needs, outcome } = explanation;
  const width = Math.max(...statements.map(({ about }) => about.length));
  const row = (about: SafeText, words: string): LogEntry => ({
    kind: 'line',
    text: `${about.padEnd(width)}  ${words}`,
  });
  return [
    { kind: 'line', text: basis },
    ...statements.flatMap((one) => ('does' in one ? [row(one.about, one.does)] : [])),
    ...statements.flatMap((one) =>
      'leaves' in one ? [row(one.about, `Skipped: ${one.leaves}`)] : [],
    ),
    ...group(
      countOf(variables.length, safe`variable`),
      variables.map(({ name, kind, targets, from }) => safe`${name}: ${kind}, ${targets}, ${from}`),
    ),
    ...group(
      countOf(checks.length, safe`check`),
      checks.map(({ what, expected }) => safe`${what}: ${expected}`),
    ),
    ...(outcome === 'planned'
      ? group(safe`Permissions this job needs`, permissionLines(needs))
      : []),
  ];
}

const list = (lines: readonly (readonly [SafeText, SafeText])[]): string =>
  lines
    .map(([about, text]) => `- **${plain(about)}**: ${plain(shorten(text, longest.sentence))}`)
    .join('\n');

/** The explanation as the job's summary, in GitHub-flavored Markdown. */
export function renderExplanation(explanation: Explanation): string {
  const { statements, variables, checks, needs, outcome } = explanation;
  const does = statements.flatMap((one) => ('does' in one ? [[one.about, one.does] as const] : []));
  const leaves = statements.flatMap((one) =>
    'leaves' in one ? [[one.about, one.leaves] as const] : [],
  );
  const cell = (text: SafeText) => plain(shorten(text, longest.cell));
  const rows = variables.map(({ name, kind, targets, from }) => [
    codeCell(shorten(name, longest.cell)),
    cell(safe`${kind}, ${targets}`),
    cell(from),
  ]);
  const expected = checks.map((check) => [
    addressCell(shorten(check.what, longest.cell)),
    cell(check.expected),
  ]);
  const section = (title: string, part: string) => [`### ${title}`, part];
  const head = ['Variable', 'Kind, for', 'Value from'];
  return [
    heading(2, iconOf(outcome), describeExplanation(explanation)),
    plain(basis),
    ...section('What this run would do', list(does)),
    ...(rows.length === 0 ? [] : section('Variables', cutTable(head, rows, mostRows))),
    ...(expected.length === 0
      ? []
      : section('Checks', cutTable(['Check', 'Expected'], expected, mostRows))),
    ...(leaves.length === 0 ? [] : section('What it would not do, and why', list(leaves))),
    ...(outcome === 'planned'
      ? section('Permissions this job needs', fence(permissionLines(needs), 'yaml'))
      : []),
    '',
  ].join('\n\n');
}
