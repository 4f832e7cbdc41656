import { assemble, type CommentContext } from '../comments/model/assemble.ts';
import type { ConfirmedBy } from '../follow/model/evaluate.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import {
  closeWith,
  iconOf,
  nameOf,
  type RunReport,
  requestsFact,
  showTime,
} from '../report/closing.ts';
import { code, fold, heading, plain, quoteMessage } from '../report/markdown.ts';

/** The result of a run of the action. */
export interface MessageReport extends RunReport {
  projectId: SafeText;
  message?: { id: SafeText; status: SafeText };
  /** Why something may exist twice. */
  uncertainties?: readonly SafeText[];
  confirmedBy?: ConfirmedBy;
  /** The text of the turn, cut at 60,000 characters. */
  text: SafeText;
  /** True if the text is longer. */
  isCut: boolean;
}

/** A run's job summary, in GitHub-flavored Markdown. */
export function renderMessage(report: MessageReport): string {
  return [headingOf(report, 2), ...renderParts(report), ''].join('\n\n');
}

/** The reply on the issue or pull request. */
export function renderReply(report: MessageReport, context: CommentContext): string {
  return assemble(context, [headingOf(report, 3), ...renderParts(report)]);
}

const headingOf = ({ outcome }: MessageReport, level: number): string =>
  heading(level, iconOf(outcome), titleFor(outcome));

function renderParts(report: MessageReport): string[] {
  const { error, uncertainties = [], text, helpUrl } = report;
  const parts = quoteMessage(error, helpUrl);
  parts.push(...uncertainties.map((line) => `- ${plain(line)}`));
  if (error !== undefined && text !== '') parts.push('#### Answer');
  if (text !== '') parts.push(quoteTurn(report));
  const time = showTime(report);
  if (time !== undefined) parts.push(`Took ${time}`);
  return [...parts, renderDetails(report)];
}

/** The maximum length of a turn's text in a comment or a summary: an escaped character may take twelve. */
const longestShown = 4000;

/** A turn's text as a quotation. */
function quoteTurn({ text, isCut }: MessageReport): string {
  const shown = text.slice(0, longestShown);
  const lines = shown.split('\n').map(quoteLine);
  if (isCut || shown.length < text.length) lines.push('>', '> …');
  return lines.join('\n');
}

/** A line as plain text: no markup, no mention, no link. */
function quoteLine(line: string): string {
  const words = line.trimStart();
  // Markdown would read an indented line as a code block.
  const indent = line.slice(0, line.length - words.length).replaceAll('\t', '  ');
  return `> ${indent.replaceAll(' ', '&#160;')}${plain(unsafeText(words))}`.trimEnd();
}

function renderDetails(report: MessageReport): string {
  const { projectId, message, confirmedBy } = report;
  const lines = [`- Project: ${code(projectId)}`];
  if (message !== undefined) {
    const source = confirmedBy && confirmations[confirmedBy];
    const confirmed = source === undefined ? '' : `, ${source}`;
    lines.push(`- Message: ${code(message.id)}`, `- Status: ${code(message.status)}${confirmed}`);
  }
  lines.push(...requestsFact(report).map((text) => `- ${text}`));
  return fold('Details', [lines.join('\n')]);
}

/** The source that showed the end of the turn. */
const confirmations: Readonly<Partial<Record<ConfirmedBy, string>>> = {
  stream: 'read from the event stream',
  poll: "read from the project's list of messages",
  answer: 'read from the response to the message',
};

/** The last line of a run's log. */
export function closeMessage(report: MessageReport): string {
  const { outcome, message } = report;
  const title = outcome === 'succeeded' ? 'Done' : nameOf(outcome);
  return closeWith(title, report, message && `message ${message.id}`);
}

/** Titles where the outcome's name doesn't fit. */
const titles: Readonly<Partial<Record<Outcome, SafeText>>> = {
  succeeded: safe`Done`,
  failed: safe`The AI could not finish its work`,
  'timed-out': safe`Timed out before the AI had answered`,
  cancelled: safe`Canceled before the AI had answered`,
  unconfirmed: safe`Message accepted, result unconfirmed`,
  accepted: safe`Message accepted, not followed`,
};

/** The title of a run's report. */
export const titleFor = (outcome: Outcome): SafeText => titles[outcome] ?? nameOf(outcome);
