import { commentOnThread } from '../../comments/run-comment.ts';
import type { Action, WorkOf } from '../../frame/action.ts';
import type { Hidden } from '../../frame/open-log.ts';
import type { Step } from '../../frame/step.ts';
import type { Values } from '../../inputs.ts';
import type { Diagnostic } from '../../kernel/diagnostic.ts';
import { safe, unsafeText } from '../../kernel/text/safe.ts';
import { replyKey, runMessage } from '../../messages/apply.ts';
import type { MessageIntent } from '../../messages/intent.ts';
import {
  closeMessage,
  type MessageReport,
  renderMessage,
  renderReply,
  titleFor,
} from '../../messages/render.ts';

/** Replies on the issue or pull request of the message, if there is one and comments are on. */
async function reply(
  { context }: Step<'message'>,
  values: Values<'message'>,
  report: MessageReport,
  by: { signal: AbortSignal; warn: (diagnostic: Diagnostic<string>) => void },
): Promise<string> {
  const { thread } = context.event;
  if (thread === undefined || values.comment === 'false') return '';
  const sent = { thread, projectId: report.projectId, content: values.content };
  const comment = {
    number: thread.number,
    isIssue: !thread.isPullRequest,
    key: replyKey(sent, context.identity),
    render: (shell: Parameters<typeof renderReply>[1]) => renderReply(report, shell),
    mayCreate: true,
  };
  return await commentOnThread(context, values, comment, by);
}

/** Sends a message and follows its turn. */
export const messageAction: Action<
  'message',
  Hidden,
  WorkOf<'message', MessageIntent>,
  MessageReport
> = {
  execute: async (step, _read, { values, request }, open) => {
    const { host, redact, warn } = open;
    const report = await runMessage(open, request);
    const { signal } = host;
    return {
      // Its lines were redacted one by one: joined, they may contain a secret of several lines.
      report: { ...report, text: unsafeText(redact(report.text)) },
      notify: async (report) => ({
        commentUrl: await reply(step, values, report, { signal, warn }),
      }),
    };
  },
  unsent: ({ inputs }, end) => ({
    ...end,
    projectId: inputs.get('project-id') ?? '',
    text: safe``,
    isCut: false,
  }),
  report: (report, { commentUrl }) => ({
    outputs: {
      'message-id': report.message?.id ?? '',
      'message-status': report.message?.status ?? '',
      text: report.text,
      'comment-url': commentUrl,
    },
    title: titleFor(report.outcome),
    closing: closeMessage(report),
    summary: () => renderMessage(report),
  }),
};
