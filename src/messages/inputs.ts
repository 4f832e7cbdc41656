import * as schema from '../input-schemas.ts';
import { admission, common, gitHubToken } from '../inputs/common.ts';
import { deploy } from '../inputs/deploy.ts';
import type { ActionDefinition } from '../inputs/input.ts';

/** What a turn may be given beside its words. */
export const turn = {
  model: { description: 'The model, as the service names it.', schema: schema.modelName },
  effort: { description: 'The effort, as the service names it.', schema: schema.modelName },
  'skill-names': { description: 'At most 3 skills.', schema: schema.skillNames },
} as const satisfies ActionDefinition['inputs'];

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
      schema: schema.attachmentIds,
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
    requests: deploy.outputs.requests,
    'duration-ms': deploy.outputs['duration-ms'],
    error: deploy.outputs.error,
  },
} as const satisfies ActionDefinition;
