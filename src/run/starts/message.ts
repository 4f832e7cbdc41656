import type { MessageRequest } from '../../commands/message.ts';
import { threadOf } from '../../core/message/thread.ts';
import type { Problem } from '../../core/problem.ts';
import type { MessageReport } from '../../core/report/message-report.ts';
import { message } from '../../inputs/message.ts';
import type { Values } from '../../inputs.ts';
import { looks } from '../../service/looks.ts';
import { type Hidden, nothingToRead, type Start, workUnlessWrong } from '../action.ts';
import type { Step } from '../step.ts';
import { proxyProblems } from '../way-in/proxy.ts';
import { whyNotToStart } from '../way-in/skip.ts';
import { turnOf } from '../way-in/turn.ts';

/** A message to send, and how its turn is followed. */
export interface MessageWork {
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

/** The message, without what is not given. */
function bodyOf(values: Values<'message'>): MessageRequest['body'] {
  const { content, 'attachment-ids': attachmentIds = [] } = values;
  const attached = attachmentIds.length === 0 ? {} : { attachmentIds };
  return { content, ...attached, ...turnOf(values) };
}

/** The action that sends a message and follows its turn. */
export const messageStart: Start<'message', Hidden, MessageWork, MessageReport> = {
  inputs: message.inputs,
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
  // What is there before ours, by which it is known again.
  look: ({ request }) => looks.messages(request.projectId),
  load: async () => (await import('../actions/message.ts')).messageAction,
};
