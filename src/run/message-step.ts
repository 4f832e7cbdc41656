import { runMessage } from '../commands/message.ts';
import { replyKey } from '../core/message/reply-key.ts';
import { threadOf } from '../core/message/thread.ts';
import { failsStep } from '../core/outcome.ts';
import type { Problem } from '../core/problem.ts';
import {
  closeMessage,
  type MessageReport,
  renderMessage,
  renderReply,
} from '../core/report/message-report.ts';
import { setOutputs } from '../github/runner.ts';
import type { OutputsOf } from '../inputs.ts';
import { boundRun, defaultTimeout } from './bounds.ts';
import { proxyProblems } from './cross-problems.ts';
import { openLog } from './open-log.ts';
import { startPatience } from './patience.ts';
import { endRefused, refuse } from './refusal.ts';
import { openService } from './service.ts';
import { whyNotToStart } from './skip.ts';
import type { Step, StepEnd } from './step.ts';
import { tell } from './tell.ts';
import { commentOnThread } from './thread-comment.ts';

function outputsOf(report: MessageReport, commentUrl: string): OutputsOf<'message'> {
  const { outcome, message, text, requests, durationMs, error } = report;
  return {
    outcome,
    'message-id': message?.id ?? '',
    'message-status': message?.status ?? '',
    text,
    'comment-url': commentUrl,
    requests: String(requests),
    'duration-ms': String(Math.round(durationMs)),
    error: error ?? '',
  };
}

function endOf(report: MessageReport, commentUrl = ''): StepEnd<'message'> {
  return {
    outcome: report.outcome,
    outputs: outputsOf(report, commentUrl),
    closing: closeMessage(report),
    summary: renderMessage(report),
    error: report.error,
    fails: failsStep(report.outcome, 'warn'),
  };
}

function problemsOf({ values, problems, context, environment }: Step<'message'>): Problem[] {
  const found = [...problems, ...proxyProblems(values['base-url'], environment)];
  if (values.content !== undefined && values.content.trim() === '') {
    found.push({ input: 'content', message: 'holds nothing but white space' });
  }
  if (values.comment === 'true' && threadOf(context.event) === undefined) {
    found.push({ input: 'comment', message: 'true needs an issue or a pull request: use auto' });
  }
  return found;
}

/** The message, without what is not given. */
function bodyOf({ values }: Step<'message'>) {
  const { content = '', model, effort } = values;
  const attachmentIds = values['attachment-ids'] ?? [];
  const skillNames = values['skill-names'] ?? [];
  return {
    content,
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(attachmentIds.length === 0 ? {} : { attachmentIds }),
    ...(skillNames.length === 0 ? {} : { skillNames }),
  };
}

/** Replies on the issue or pull request that asked, if there is one and a reply is wanted. */
async function reply(
  { values, context }: Step<'message'>,
  report: MessageReport,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<string> {
  const thread = threadOf(context.event);
  if (thread === undefined || values.comment === 'false') return '';
  const asked = { thread, projectId: report.projectId, content: values.content ?? '' };
  const comment = {
    number: thread.number,
    isIssue: !thread.isPullRequest,
    key: replyKey(asked, context.identity),
    render: (shell: Parameters<typeof renderReply>[1]) => renderReply(report, shell),
    mayCreate: true,
  };
  const patience = startPatience(signal).whole;
  return await commentOnThread(context, values, comment, { signal: patience, warn });
}

/** Runs a step of the message action, from its inputs to its report. */
export async function messageStep(step: Step<'message'>): Promise<StepEnd<'message'>> {
  const { values, context } = step;
  const started = Date.now();
  using bounds = boundRun(values.timeout ?? defaultTimeout);
  const opened = openLog(step.secrets);
  const { log, redact, warn } = opened;
  const projectId = values['project-id'] ?? '';
  const unsent = (report: Pick<MessageReport, 'outcome' | 'error'>) =>
    endOf({
      projectId,
      text: '',
      isCut: false,
      requests: 0,
      durationMs: Date.now() - started,
      ...report,
    });
  // A turn of whoever proposes something is one in their own words, which nothing else guards.
  const skip = whyNotToStart(values, context, true);
  const refusal = refuse(skip?.message, problemsOf(step), opened);
  if (refusal !== undefined) return endRefused(refusal, unsent(refusal));
  const access = { baseUrl: values['base-url'] ?? '', apiKey: values['api-key'] ?? '' };
  await using service = openService(access, log, redact, bounds, context.identity);
  const report = await runMessage(service, {
    projectId,
    body: bodyOf(step),
    wait: values.wait ?? 'auto',
    eventsPath: values['events-path'] ?? '',
  });
  // Its lines were redacted one by one: together they may hold a secret of short ones.
  const whole = { ...report, text: redact(report.text), durationMs: Date.now() - started };
  // Before GitHub is told, so that a step that is killed meanwhile has its outputs.
  await tell('outputs', log, () => setOutputs(outputsOf(whole, '')));
  return endOf(whole, await reply(step, whole, bounds.signal, warn));
}
