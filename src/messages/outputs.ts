import { commonOutputs, type OutputsOf, someText, wordOf } from '../output-shapes.ts';

/** The outputs of `message`. */
export const messageOutputs = {
  outcome: wordOf(
    'succeeded',
    'failed',
    'timed-out',
    'cancelled',
    'unconfirmed',
    'accepted',
    'skipped',
  ),
  'message-id': someText.describe('Id of the message on the service.'),
  'message-status': someText.describe('Its last known status, as the service names it.'),
  text: someText.describe(
    "The AI's answer, at most 60,000 characters, before workflow commands are neutralized as in the log.",
  ),
  'comment-url': someText.describe('URL of the reply.'),
  ...commonOutputs,
};

/** The values of the outputs of `message`. */
export type MessageOutputs = OutputsOf<typeof messageOutputs>;
