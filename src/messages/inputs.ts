import { limits } from '../contract/limits.ts';
import { serviceInputs } from '../follow/inputs.ts';
import * as schema from '../input-schemas.ts';
import {
  type ActionDefinition,
  admission,
  common,
  gitHubToken,
  type InputTable,
  projectInput,
  type ValuesOf,
} from '../inputs/input.ts';

/** The name of a model or of an effort. */
const modelName = schema.limited(limits.model.max);

/** A list of at most `max` items. */
const listOf =
  (max: number): schema.InputSchema<string[]> =>
  (text) => {
    const value = schema.itemsOf(text);
    return value.length > max ? { fault: `must have at most ${max} items` } : { value };
  };

/** The options of a turn. */
export const turn = {
  model: { description: 'The model, as the service names it.', schema: modelName },
  effort: { description: 'The effort, as the service names it.', schema: modelName },
  'skill-names': { description: 'At most 3 skills.', schema: listOf(limits.skillNames.max) },
} as const satisfies InputTable;

/** The action `message`. */
export const message = {
  name: 'Site message',
  description:
    "Sends a message to a project's AI assistant, shows the text as it arrives, waits for the result, and replies.",
  inputs: {
    ...common,
    'project-id': projectInput,
    content: {
      description: 'The text of the message.',
      schema: schema.text,
      required: true,
      verbatim: true,
    },
    ...turn,
    'attachment-ids': {
      description: 'At most 20 ids of attachments on the service.',
      schema: listOf(limits.attachmentIds.max),
    },
    wait: {
      description:
        "How to follow the AI's answer: `auto`, `stream` (its events), `poll` (its status, without its text) or `none`.",
      schema: schema.oneOf('auto', 'stream', 'poll', 'none'),
      default: 'auto',
    },
    ...serviceInputs,
    'github-token': { ...gitHubToken, description: 'Token for GitHub: to write the reply.' },
    comment: {
      description:
        'Reply on the issue or pull request that triggered it: `auto` (if there is one), `true` or `false`.',
      schema: schema.oneOf('auto', 'true', 'false'),
      default: 'auto',
    },
    'allowed-associations': {
      ...admission['allowed-associations'],
      description:
        "GitHub's author associations whose issues, comments, reviews, discussions and pull requests may start the action; others are skipped. Events without an author association are always skipped.",
    },
  },
} as const satisfies ActionDefinition;

/** The values of the inputs of `message`. */
export type MessageValues = ValuesOf<typeof message.inputs>;
