import type { Message, SendMessage } from '../contract/message.ts';
import type { MessageReport } from '../core/report/message-report.ts';
import { fillTemplate } from '../core/template.ts';
import { UnclearRequest } from './follow/unclear.ts';
import { EarlyEnd, type Host } from './host.ts';
import { followTurn } from './message/follow.ts';
import { sendMessage } from './message/send.ts';
import { TurnText } from './message/text.ts';
import type { Run } from './run.ts';
import { settle } from './settle.ts';

/** What the message command is asked to do. Everything has been checked. */
export interface MessageRequest {
  projectId: string;
  body: Omit<SendMessage, 'idempotencyKey'>;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** A path template with `{projectId}` and `{messageId}`. */
  eventsPath: string;
}

type Report = Omit<MessageReport, 'requests' | 'durationMs' | 'text' | 'isCut'>;

const twin =
  'The project has more than one new message that says the same since this step began: the service took ours twice, or somebody else sent one. Each of them is a turn.';

const mayGoOn = 'The turn may still go on: the service shows no way to cancel it.';

/** What a run that was cut off or failed leaves behind. */
function whatIsLeft(host: Host, { message }: Report, sent: UnclearRequest): string {
  if (message === undefined) return sent.mayExist ? ' The message may have been sent.' : '';
  return host.signal.aborted ? ` The turn was not seen to end. ${mayGoOn}` : '';
}

async function carryOut(
  run: Run,
  request: MessageRequest,
  report: Report,
  { text, sent }: { text: TurnText; sent: UnclearRequest },
): Promise<void> {
  const { host } = run;
  const { projectId, body, wait, eventsPath } = request;
  const idempotencyKey = run.keyFor('send message', `${projectId} ${body.content}`);
  const sending = { projectId, body, idempotencyKey, request: sent };
  const { message, doubt, countTwins } = await sendMessage(run, sending);
  const { messageId, status } = message;
  const tell = (text: string) => {
    report.doubts = [...(report.doubts ?? []), text];
    host.report({ type: 'warning', text });
  };
  if (doubt !== undefined) tell(doubt);
  const seen = { id: host.clean(messageId), status: host.clean(status) };
  report.message = seen;
  host.report({ type: 'message-accepted', messageId: seen.id });
  if (wait === 'none') {
    report.outcome = 'accepted';
    return;
  }
  const ids = {
    projectId: encodeURIComponent(projectId),
    messageId: encodeURIComponent(messageId),
  };
  const filled = fillTemplate(eventsPath, ids);
  const onStatus = (word: string) => {
    seen.status = word;
  };
  let isTold = false;
  const onList = (messages: readonly Message[]) => {
    if (isTold || countTwins(messages) === 0) return;
    isTold = true;
    tell(twin);
  };
  const turn = { projectId, message, wait, eventsPath: filled, text, onStatus, onList };
  const end = await followTurn(run, turn);
  report.outcome = end.outcome;
  if (end.witness !== undefined) report.witness = end.witness;
  const said = end.message === undefined ? '' : `: ${end.message}`;
  if (end.outcome === 'failed') {
    throw new EarlyEnd('failed', `The turn ended as "${seen.status}"${said}.`);
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
export async function runMessage(run: Run, request: MessageRequest): Promise<MessageReport> {
  const { client, host } = run;
  const started = host.clock.now();
  const report: Report = { outcome: 'failed', projectId: request.projectId };
  const text = new TurnText(host);
  const sent = new UnclearRequest();
  try {
    await carryOut(run, request, report, { text, sent });
  } catch (error) {
    Object.assign(report, settle(host, error));
    report.error += whatIsLeft(host, report, sent);
  }
  const said = text.finish();
  const durationMs = host.clock.now() - started;
  return { ...report, text: said, isCut: text.isCut, requests: client.requests, durationMs };
}
