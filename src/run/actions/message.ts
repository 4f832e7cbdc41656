import { type MessageRequest, runMessage } from '../../commands/message.ts';
import type { Coded } from '../../core/catalogue/coded.ts';
import { replyKey } from '../../core/message/reply-key.ts';
import { threadOf } from '../../core/message/thread.ts';
import type { Problem } from '../../core/problem.ts';
import {
  closeMessage,
  type MessageReport,
  renderMessage,
  renderReply,
  titleFor,
} from '../../core/report/message-report.ts';
import { safe, trusted } from '../../core/text/safe.ts';
import type { Values } from '../../inputs.ts';
import { type Action, type Hidden, nothingToRead, workUnlessWrong } from '../action.ts';
import { commentOnThread } from '../recording/run-comment.ts';
import type { Step } from '../step.ts';
import { proxyProblems } from '../way-in/proxy.ts';
import { whyNotToStart } from '../way-in/skip.ts';

interface MessageWork {
  values: Values<'message'>;
  request: MessageRequest;
}

function problemsOf(step: Step<'message'>): Problem[] {
  const { inputs, context } = step;
  const found = proxyProblems(step);
  if (inputs.get('content')?.trim() === '') {
    found.push({ input: 'content', code: 'SD1114', message: 'holds nothing but white space' });
  }
  if (inputs.get('comment') === 'true' && threadOf(context.event) === undefined) {
    found.push({
      input: 'comment',
      code: 'SD1103',
      message: 'true needs an issue or a pull request: use auto',
    });
  }
  return found;
}

/** What a turn is given beside its words, without what is not given. */
export function turnOf(values: Pick<Values<'message'>, 'model' | 'effort' | 'skill-names'>) {
  const { model, effort, 'skill-names': skillNames = [] } = values;
  return {
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(skillNames.length === 0 ? {} : { skillNames }),
  };
}

/** The message, without what is not given. */
function bodyOf(values: Values<'message'>): MessageRequest['body'] {
  const { content, 'attachment-ids': attachmentIds = [] } = values;
  const attached = attachmentIds.length === 0 ? {} : { attachmentIds };
  return { content, ...attached, ...turnOf(values) };
}

/** Replies on the issue or pull request that asked, if there is one and a reply is wanted. */
async function reply(
  { context }: Step<'message'>,
  values: Values<'message'>,
  report: MessageReport,
  by: { signal: AbortSignal; warn: (text: Coded<string>) => void },
): Promise<string> {
  const thread = threadOf(context.event);
  if (thread === undefined || values.comment === 'false') return '';
  const asked = { thread, projectId: report.projectId, content: values.content };
  const comment = {
    number: thread.number,
    isIssue: !thread.isPullRequest,
    key: replyKey(asked, context.identity),
    render: (shell: Parameters<typeof renderReply>[1]) => renderReply(report, shell),
    mayCreate: true,
  };
  return await commentOnThread(context, values, comment, by);
}

/** The action that sends a message and follows its turn. */
export const messageAction: Action<'message', Hidden, MessageWork, MessageReport> = {
  read: nothingToRead,
  prepare: (step) => {
    const makeWork = (values: Values<'message'>) => ({
      work: {
        values,
        request: {
          projectId: values['project-id'],
          body: bodyOf(values),
          wait: values.wait,
          eventsPath: values['events-path'],
        },
      },
    });
    // A turn of whoever proposes something is one in their own words, which nothing else guards.
    return whyNotToStart(step, true) ?? workUnlessWrong(step.inputs, problemsOf(step), makeWork);
  },
  execute: async (step, _read, { values, request }, open) => {
    const { host, redact, warn } = open;
    const report = await runMessage(open, request);
    const { signal } = host;
    return {
      // Its lines were redacted one by one: together they may hold a secret of short ones.
      report: { ...report, text: trusted(redact(report.text)) },
      tell: async (told) => ({ commentUrl: await reply(step, values, told, { signal, warn }) }),
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
    summary: renderMessage(report),
  }),
};
