import { commentOnThread } from '../../comments/run-comment.ts';
import { safe } from '../../kernel/text/safe.ts';
import { replyKey } from '../../messages/apply.ts';
import type { MessageValues } from '../../messages/inputs.ts';
import type { MessageOutputs } from '../../messages/outputs.ts';
import {
  closeMessage,
  type MessageReport,
  renderMessage,
  renderReply,
  titleFor,
} from '../../messages/render.ts';
import type { Recorded, View } from '../../step/end-step.ts';
import type { OpenStep } from '../../step/open-step.ts';

export { runMessage } from '../../messages/apply.ts';
export { complete, finish, refuse, setOutputs } from '../../step/end-step.ts';
export { openService } from '../../step/open-service.ts';

/** Replies on the issue or pull request of the message, if there is one and comments are on. */
export async function reply(
  step: OpenStep<MessageValues>,
  values: MessageValues,
  report: MessageReport,
): Promise<Partial<Recorded>> {
  const { context } = step;
  const { thread } = context.event;
  if (thread === undefined || values.comment === 'false') return {};
  const sent = { thread, projectId: report.projectId, content: values.content };
  const comment = {
    number: thread.number,
    isIssue: !thread.isPullRequest,
    key: replyKey(sent, context.identity),
    render: (shell: Parameters<typeof renderReply>[1]) => renderReply(report, shell),
    mayCreate: true,
  };
  return { commentUrl: await commentOnThread(context, values, comment, step) };
}

/** The reports of this action. */
export const messageView: View<MessageValues, MessageOutputs, MessageReport> = {
  action: 'message',
  unsent: ({ inputs }, outcome) => ({
    ...outcome,
    projectId: inputs.get('project-id') ?? safe``,
    text: safe``,
    isCut: false,
  }),
  show: (report, { commentUrl }) => ({
    outputs: {
      'message-id': report.message?.id,
      'message-status': report.message?.status,
      text: report.text,
      'comment-url': commentUrl,
    },
    title: titleFor(report.outcome),
    closing: closeMessage(report),
    summary: () => renderMessage(report),
  }),
};
