import type { SendMessage } from '../contract/project.ts';
import type { ProjectId } from '../contract/safe-text.ts';
import { readService } from '../follow/model/service.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { RunEvent } from '../kernel/event.ts';
import type { MessageValues } from './inputs.ts';

/** A message to send, and how its turn is followed. */
export interface MessageIntent {
  projectId: ProjectId;
  body: Omit<SendMessage, 'idempotencyKey'>;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** A path template with `{projectId}` and `{messageId}`. */
  eventsPath: string;
}

/** What is wrong with inputs that are right each by itself. */
export function messageProblems(
  inputs: Inputs<Pick<MessageValues, 'content' | 'comment' | 'service'>>,
  { thread }: RunEvent,
): Problem[] {
  const { problems } = readService(inputs.get('service'));
  if (inputs.get('content')?.trim() === '') {
    problems.push({ input: 'content', code: 'SD1114', message: 'contains only whitespace' });
  }
  if (inputs.get('comment') === 'true' && thread === undefined) {
    problems.push({
      input: 'comment',
      code: 'SD1103',
      message: 'true needs an issue or a pull request: use auto',
    });
  }
  return problems;
}

/** The options of a turn, without empty inputs. */
export function turnOptions(values: Pick<MessageValues, 'model' | 'effort' | 'skill-names'>) {
  const { model, effort, 'skill-names': skillNames = [] } = values;
  return { model, effort, skillNames: skillNames.length === 0 ? undefined : skillNames };
}

/** The message of the inputs, without empty ones. */
export function messageIntent(values: MessageValues): MessageIntent {
  const { content, 'attachment-ids': attachmentIds = [] } = values;
  const attached = attachmentIds.length === 0 ? undefined : attachmentIds;
  return {
    projectId: values['project-id'],
    body: { content, attachmentIds: attached, ...turnOptions(values) },
    wait: values.wait,
    eventsPath: readService(values.service).paths['message-events'],
  };
}
