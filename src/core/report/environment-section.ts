import { codeCell, cutTable, plain } from '../text/markdown.ts';
import { type SafeText, shorten } from '../text/safe.ts';
import {
  describeOutcome,
  type EnvironmentResult,
  type VariableResult,
} from './environment-result.ts';
import { describeRuntimes } from './runtime.ts';

/** The most rows of a table, and characters of a reason: a summary stays far below the 1 MiB that GitHub takes. */
const maxInSummary = 200;
const longestReason = 200;

const why = (reason: SafeText): string => plain(shorten(reason, longestReason));

function whatHappened({ outcome, retargeted }: VariableResult, isPlanned: boolean): string {
  const word = describeOutcome(outcome, isPlanned);
  if (!retargeted || outcome === 'retargeted') return word;
  return isPlanned ? `${word}, retarget` : `${word}, retargeted`;
}

/** The unchanged variables, folded: worth having, not worth reading each time. */
function unchanged({ variables }: EnvironmentResult, most: number): string[] {
  const rows = variables
    .filter(({ outcome }) => outcome === 'unchanged')
    .map(({ name, reason }) => [codeCell(name), why(reason)]);
  if (rows.length === 0) return [];
  const title = `${rows.length} unchanged`;
  return [
    `<details><summary>${title}</summary>\n\n${cutTable(['Variable', 'Why'], rows, most)}\n\n</details>`,
  ];
}

function runtimes(result: EnvironmentResult): string[] {
  const lines = describeRuntimes(result).map((line) => `- ${plain(line)}`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** How a sync is shown. */
export interface EnvironmentView {
  /** How many rows a table has at most. */
  most?: number;
  /** True if a deployment followed: then the runtimes are no longer as the sync left them. */
  isDeployed?: boolean;
}

/** What somebody has to look at comes first, so that it is never cut. */
const urgency = ['conflict', 'failed', 'not-reached', 'kept'];

const byUrgency = (a: VariableResult, b: VariableResult): number =>
  (urgency.indexOf(a.outcome) + 1 || urgency.length + 1) -
  (urgency.indexOf(b.outcome) + 1 || urgency.length + 1);

/**
 * A sync, or the plan of one, in GitHub-flavoured Markdown: what happened to each variable, and why. Nothing if there is
 * nothing to tell.
 */
export function renderEnvironment(
  result: EnvironmentResult,
  { most = maxInSummary, isDeployed = false }: EnvironmentView = {},
): string[] {
  const { variables, ambiguous, undeclared, requiredMissing, isPlanned } = result;
  const missing = new Set(requiredMissing);
  const rows = [
    ...ambiguous.map(({ name, reason }) => [codeCell(name), `conflict: ${why(reason)}`]),
    ...requiredMissing.map((name) => [
      codeCell(name),
      'required, missing: the service requires it, and nothing shows that it has a value',
    ]),
    ...variables
      .filter(({ outcome }) => outcome !== 'unchanged')
      .toSorted(byUrgency)
      .map((one) => [codeCell(one.name), `${whatHappened(one, isPlanned)}: ${why(one.reason)}`]),
    ...undeclared
      .filter((name) => !missing.has(name))
      .map((name) => [codeCell(name), 'undeclared: left in place']),
  ];
  // Two columns: on a phone, a third would be cut off.
  const head = ['Variable', isPlanned ? 'What would happen, and why' : 'What happened, and why'];
  return [
    ...(rows.length === 0 ? [] : [cutTable(head, rows, most)]),
    ...unchanged(result, most),
    ...(isDeployed ? [] : runtimes(result)),
  ];
}

/** The same as a section of a page: no heading stands without content. */
export function renderVariables(result: EnvironmentResult, view?: EnvironmentView): string[] {
  const parts = renderEnvironment(result, view);
  return parts.length === 0 ? [] : ['### Variables', ...parts];
}
