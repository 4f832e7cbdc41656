import { type SafeText, safe, shorten } from '../../kernel/text/safe.ts';
import { countOf, iconOf } from '../closing.ts';
import type { LogEntry } from '../log-entry.ts';
import { addressCell, codeCell, cutTable, fence, heading, plain } from '../markdown.ts';
import { type Explanation, permissionLines } from './explanation.ts';

/** The most rows of a table, and characters of a cell or a sentence. */
const mostRows = 200;
const longest = { cell: 300, sentence: 1500 };

/** The first line of an explanation. */
const basis = safe`Based on the event, the inputs and the workspace only: nothing was sent to the service or to GitHub. To compare with what exists, use mode: plan.`;

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
    ...statements.flatMap((one) => ('leaves' in one ? [row(one.about, `no: ${one.leaves}`)] : [])),
    ...group(
      countOf(variables.length, safe`variable`),
      variables.map(({ name, kind, targets, from }) => safe`${name}: ${kind}, ${targets}, ${from}`),
    ),
    ...group(
      countOf(checks.length, safe`check`),
      checks.map(({ what, wanted }) => safe`${what}: ${wanted}`),
    ),
    ...(outcome === 'planned'
      ? group(safe`Permissions this job needs`, permissionLines(needs))
      : []),
  ];
}

const list = (lines: readonly (readonly [SafeText, SafeText])[]): string =>
  lines
    .map(([about, says]) => `- **${plain(about)}**: ${plain(shorten(says, longest.sentence))}`)
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
  const wanted = checks.map((check) => [
    addressCell(shorten(check.what, longest.cell)),
    cell(check.wanted),
  ]);
  const section = (title: string, part: string) => [`### ${title}`, part];
  const head = ['Variable', 'Kind, for', 'Value from'];
  return [
    heading(2, iconOf(outcome), describeExplanation(explanation)),
    ...section('What this run would do', list(does)),
    ...(rows.length === 0 ? [] : section('Variables', cutTable(head, rows, mostRows))),
    ...(wanted.length === 0
      ? []
      : section('Checks', cutTable(['Check', 'Expected'], wanted, mostRows))),
    ...(leaves.length === 0 ? [] : section('What it would not do, and why', list(leaves))),
    ...(outcome === 'planned'
      ? section('Permissions this job needs', fence(permissionLines(needs), 'yaml'))
      : []),
    plain(basis),
    '',
  ].join('\n\n');
}
