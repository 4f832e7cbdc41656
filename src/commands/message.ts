import type { SendMessage } from '../contract/message.ts';
import type { MessageReport } from '../core/report/message-report.ts';
import { fillTemplate } from '../core/template.ts';
import type { ServiceClient } from '../service/client.ts';
import { EarlyEnd, type Host } from './host.ts';
import { followTurn } from './message/follow.ts';
import { sendMessage } from './message/send.ts';
import { TurnText } from './message/text.ts';
import { settle } from './settle.ts';

/** What the message command is asked to do. Everything has been checked. */
export interface MessageRequest {
  projectId: string;
  body: Omit<SendMessage, 'idempotencyKey'>;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** A path template with `{projectId}` and `{messageId}`. */
  eventsPath: string;
  /** Makes the idempotency key of one operation on one target. */
  keyFor: (operation: string, target: string) => string;
}

type Report = Omit<MessageReport, 'requests' | 'durationMs' | 'text' | 'isCut'>;

const mayGoOn = 'The turn may still go on: the service shows no way to cancel it.';

/** What a run that was cut off leaves behind. */
function whatIsLeft({ message, isRequested }: Report): string {
  if (message !== undefined) return ` The turn was not seen to end. ${mayGoOn}`;
  return isRequested === true ? ' The message may have been sent.' : '';
}

async function carryOut(
  client: ServiceClient,
  host: Host,
  request: MessageRequest,
  report: Report,
  text: TurnText,
): Promise<void> {
  const { projectId, body, wait, eventsPath, keyFor } = request;
  const idempotencyKey = keyFor('send message', `${projectId} ${body.content}`);
  const onSend = () => {
    report.isRequested = true;
  };
  const message = await sendMessage(client, host, { projectId, body, idempotencyKey, onSend });
  const { messageId, status } = message;
  report.message = { id: host.clean(messageId), status: host.clean(status) };
  host.report({ type: 'message-accepted', messageId: report.message.id });
  if (wait === 'none') {
    report.outcome = 'accepted';
    return;
  }
  const ids = {
    projectId: encodeURIComponent(projectId),
    messageId: encodeURIComponent(messageId),
  };
  const filled = fillTemplate(eventsPath, ids);
  const turn = { projectId, message, wait, eventsPath: filled, text };
  const end = await followTurn(client, host, turn);
  report.message.status = end.status;
  report.outcome = end.outcome;
  if (end.witness !== undefined) report.witness = end.witness;
  const said = end.message === undefined ? '' : `: ${end.message}`;
  if (end.outcome === 'failed') {
    throw new EarlyEnd('failed', `The turn ended as "${end.status}"${said}.`);
  }
  if (end.outcome === 'unconfirmed') {
    const message = `${end.message ?? 'Nothing confirms the end of the turn'}. ${mayGoOn}`;
    throw new EarlyEnd('unconfirmed', message);
  }
}

/**
 * Sends a message to a project, and follows its turn to the end.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function runMessage(
  client: ServiceClient,
  host: Host,
  request: MessageRequest,
): Promise<MessageReport> {
  const started = host.clock.now();
  const report: Report = { outcome: 'failed', projectId: request.projectId };
  const text = new TurnText(host);
  const tapped: Host = {
    ...host,
    report: (progress) => {
      if (progress.type === 'status' && report.message !== undefined) {
        report.message.status = progress.status;
      }
      host.report(progress);
    },
  };
  try {
    await carryOut(client, tapped, request, report, text);
  } catch (error) {
    Object.assign(report, settle(host, error));
    if (host.signal.aborted) report.error += whatIsLeft(report);
  }
  const said = text.finish();
  const durationMs = host.clock.now() - started;
  return { ...report, text: said, isCut: text.isCut, requests: client.requests, durationMs };
}
