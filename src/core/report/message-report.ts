import type { Coded } from '../catalogue/coded.ts';
import { assemble, type CommentContext } from '../comment/body.ts';
import type { Outcome } from '../outcome.ts';
import { code, fold, heading, plain } from '../text/markdown.ts';
import { type SafeText, safe, trusted } from '../text/safe.ts';
import { closeWith, describeRequests, iconOf, nameOf, showTime } from './closing.ts';
import type { ConfirmedBy } from './report.ts';

/** Everything that a run of the message command has to say. */
export interface MessageReport {
  outcome: Outcome;
  projectId: string;
  message?: { id: SafeText; status: SafeText };
  /** What was maybe made twice, and what is known of it, in words. */
  uncertainties?: readonly SafeText[];
  confirmedBy?: ConfirmedBy;
  /** What the turn said, line by line, cut at 60,000 characters. */
  text: SafeText;
  /** True if it said more. */
  isCut: boolean;
  requests: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Coded;
}

/** The most characters of a turn's text that stand in a comment or a summary: each may take twelve when escaped. */
const longestShown = 4000;

/** Who said that the turn ended, in words. */
const confirmations: Readonly<Partial<Record<ConfirmedBy, string>>> = {
  stream: 'seen on its event stream',
  poll: "seen in the project's list of messages",
  answer: 'said by the answer to the message',
};

/** What a message came to: a deployment's words would not fit. */
const titles: Readonly<Partial<Record<Outcome, SafeText>>> = {
  succeeded: safe`Done`,
  failed: safe`The message failed`,
  'timed-out': safe`Timed out before the answer ended`,
  cancelled: safe`Cancelled before the answer ended`,
  unconfirmed: safe`Message accepted, and nothing confirms its end`,
  accepted: safe`Message accepted, not followed`,
};

/** What a message came to, in a few words. */
export const titleFor = (outcome: Outcome): SafeText => titles[outcome] ?? trusted(nameOf(outcome));

/** Keeps the space before a line, which Markdown would take for the mark of a block of code. */
const indent = (space: string): string => space.replaceAll('\t', '  ').replaceAll(' ', '&#160;');

/** A line that can do nothing: no markup, no mention, no link. */
function quoteLine(line: string): string {
  const words = line.trimStart();
  return `> ${indent(line.slice(0, line.length - words.length))}${plain(trusted(words))}`.trimEnd();
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
function details({ projectId, message, confirmedBy, requests }: MessageReport): string {
  const seen = confirmedBy && confirmations[confirmedBy];
  const confirmed = seen === undefined ? '' : `, ${seen}`;
  const lines = [
    `- Project: ${code(trusted(projectId))}`,
    ...(message === undefined
      ? []
      : [`- Message: ${code(message.id)}`, `- Status: ${code(message.status)}${confirmed}`]),
    ...(requests === 0 ? [] : [`- Sent to the service: ${describeRequests(requests)}`]),
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
    ...(error === undefined ? [] : [`> ${plain(error)}`]),
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
