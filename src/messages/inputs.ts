import { limits } from '../contract/limits.ts';
import * as schema from '../input-schemas.ts';
import { admission, common, commonOutputs, gitHubToken } from '../inputs/common.ts';
import type { ActionDefinition, InputTable } from '../inputs/input.ts';

/** The name of a model or of an effort. */
const modelName = schema.limited(limits.model.max);

/** A list of at most `max` items. */
const listOf =
  (max: number): schema.InputSchema<string[]> =>
  (text) => {
    const value = schema.itemsOf(text);
    return value.length > max ? { fault: `must have at most ${max} items` } : { value };
  };

/** What a turn may be given beside its words. */
export const turn = {
  model: { description: 'The model, as the service names it.', schema: modelName },
  effort: { description: 'The effort, as the service names it.', schema: modelName },
  'skill-names': { description: 'At most 3 skills.', schema: listOf(limits.skillNames.max) },
} as const satisfies InputTable;

/** The action `message`. */
export const message = {
  name: 'Site message',
  description:
    'Sends a message (an AI turn) to a project, shows what it says as it arrives, follows it to its end, and replies.',
  inputs: {
    ...common,
    'project-id': { description: 'UUID of the project.', schema: schema.projectId, required: true },
    content: {
      description: 'What to say.',
      schema: schema.text,
      required: true,
      verbatim: true,
    },
    ...turn,
    'attachment-ids': {
      description: 'At most 20 ids of attachments that the service has.',
      schema: listOf(limits.attachmentIds.max),
    },
    wait: {
      description:
        'How to follow the turn: `auto`, `stream`, `poll` (without its text), or `none`.',
      schema: schema.oneOf('auto', 'stream', 'poll', 'none'),
      default: 'auto',
    },
    'events-path': {
      description:
        "Where a turn's event stream is read; `{projectId}` and `{messageId}` are filled in.",
      schema: schema.path,
      default: '/v1/projects/{projectId}/messages/{messageId}/events',
    },
    'github-token': { ...gitHubToken, description: 'For the reply.' },
    comment: {
      description:
        'Reply on the issue or pull request that triggered it: `auto` (if there is one), `true` or `false`.',
      schema: schema.oneOf('auto', 'true', 'false'),
      default: 'auto',
    },
    'allowed-associations': {
      ...admission['allowed-associations'],
      description:
        "Whose issues, comments, reviews, discussions and pull requests may start it, in GitHub's words for what somebody is to the repository; others are skipped. Where the event does not say who it was, it is always skipped.",
    },
  },
  outputs: {
    outcome:
      '`succeeded`, `failed`, `timed-out`, `cancelled`, `unconfirmed`, `accepted` or `skipped`.',
    'message-id': "The service's own id of the message.",
    'message-status': "Its status as last seen, in the service's own word.",
    text: 'What the turn said, at most 60,000 characters, with workflow commands broken as in the log.',
    'comment-url': 'The reply.',
    ...commonOutputs,
  },
} as const satisfies ActionDefinition;
