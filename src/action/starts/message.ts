import { nothingToRead, type Start, type WorkOf, workUnlessWrong } from '../../frame/action.ts';
import { proxyProblems } from '../../frame/first-request.ts';
import type { Hidden } from '../../frame/open-log.ts';
import { whyNotToStart } from '../../frame/skip.ts';
import type { Values } from '../../inputs.ts';
import { message } from '../../messages/inputs.ts';
import { type MessageIntent, messageIntent, messageProblems } from '../../messages/intent.ts';
import type { MessageReport } from '../../messages/render.ts';
import { prefetch } from '../../service/prefetch.ts';

/** The action that sends a message and follows its turn. */
export const messageStart: Start<
  'message',
  Hidden,
  WorkOf<'message', MessageIntent>,
  MessageReport
> = {
  inputs: message.inputs,
  read: nothingToRead,
  prepare: (step) => {
    const { inputs, context } = step;
    const problems = [...proxyProblems(step), ...messageProblems(inputs, context.event)];
    const makeWork = (values: Values<'message'>) => ({
      work: { values, request: messageIntent(values) },
    });
    const allowed = inputs.get('allowed-associations');
    // The author of a pull request could put any prompt into the message, and there is no other guard.
    const skip = allowed && whyNotToStart(step, { allowed, checksProposers: true });
    return skip ?? workUnlessWrong(inputs, problems, makeWork);
  },
  // The earlier messages, by which the new one is recognized.
  firstRequest: ({ request }) => prefetch.messages(request.projectId),
  load: async () => (await import('../actions/message.ts')).messageAction,
};
