import { printed } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { assemble, type CommentContext } from '../recording/model/assemble.ts';
import { closeWith, describeRequests, iconOf, nameOf, showTime } from '../report/closing.ts';
import { code, fold, heading, plain } from '../report/markdown.ts';
import { confirmations, type MessageReport, titleFor } from './result.ts';

/** The most characters of a turn's text that stand in a comment or a summary: each may take twelve when escaped. */
const longestShown = 4000;

/** Keeps the space before a line, which Markdown would take for the mark of a block of code. */
const indent = (space: string): string => space.replaceAll('\t', '  ').replaceAll(' ', '&#160;');

/** A line that can do nothing: no markup, no mention, no link. */
function quoteLine(line: string): string {
  const words = line.trimStart();
  return `> ${indent(line.slice(0, line.length - words.length))}${plain(unsafeText(words))}`.trimEnd();
}

/** What a turn said as a quotation. */
function quote({ text, isCut }: MessageReport): string[] {
  if (text === '') return [];
  const shown = text.slice(0, longestShown);
  const lines = shown.split('\n').map(quoteLine);
  const more = isCut || shown.length < text.length ? ['>', '> …'] : [];
  return [[...lines, ...more].join('\n')];
}

/** Ids and words of the service, folded. */
function details(report: MessageReport): string {
  const { projectId, message, confirmedBy } = report;
  const seen = confirmedBy && confirmations[confirmedBy];
  const confirmed = seen === undefined ? '' : `, ${seen}`;
  const lines = [
    `- Project: ${code(unsafeText(projectId))}`,
    ...(message === undefined
      ? []
      : [`- Message: ${code(message.id)}`, `- Status: ${code(message.status)}${confirmed}`]),
    ...describeRequests(report).map((text) => `- Sent to the service: ${text}`),
  ];
  return fold('Details', [lines.join('\n')]);
}

/** The last line of a run's log. */
export function closeMessage(report: MessageReport): string {
  const { outcome, message } = report;
  const title = outcome === 'succeeded' ? 'Done' : nameOf(outcome);
  return closeWith(title, report, message && `message ${message.id}`);
}

function parts(report: MessageReport): string[] {
  const { error, uncertainties = [] } = report;
  const time = showTime(report);
  return [
    ...(error === undefined ? [] : [`> ${plain(printed(error))}`]),
    ...uncertainties.map((line) => `- ${plain(line)}`),
    ...(error === undefined || report.text === '' ? [] : ['What it said:']),
    ...quote(report),
    ...(time === undefined ? [] : [`Took ${time}`]),
    details(report),
  ];
}

const headingOf = ({ outcome }: MessageReport, level: number): string =>
  heading(level, iconOf(outcome), titleFor(outcome));

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderMessage(report: MessageReport): string {
  return [headingOf(report, 2), ...parts(report), ''].join('\n\n');
}

/** The reply on the issue or pull request that asked. */
export function renderReply(report: MessageReport, context: CommentContext): string {
  return assemble(context, [headingOf(report, 3), ...parts(report)]);
}
