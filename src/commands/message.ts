import type { Message, SendMessage } from '../contract/message.ts';
import { coded } from '../core/catalogue/coded.ts';
import type { MessageReport } from '../core/report/message-report.ts';
import { fillTemplate } from '../core/template.ts';
import { type SafeText, safe } from '../core/text/safe.ts';
import { sentence } from '../core/text/sentence.ts';
import { type Ending, reportOn } from './ending.ts';
import { UnclearRequest } from './follow/unclear.ts';
import { EarlyEnd, type Host } from './host.ts';
import { followTurn } from './message/follow-turn.ts';
import { sendMessage } from './message/send.ts';
import { TurnText } from './message/text.ts';
import type { Found, Run } from './run.ts';

/** What the message command is asked to do. Everything has been checked. */
export interface MessageRequest {
  projectId: string;
  body: Omit<SendMessage, 'idempotencyKey'>;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** A path template with `{projectId}` and `{messageId}`. */
  eventsPath: string;
}

type MessageFindings = Omit<
  MessageReport,
  keyof Ending | 'requests' | 'durationMs' | 'text' | 'isCut'
>;

const twin = safe`The project has more than one new message that says the same since this step began: the service took ours twice, or somebody else sent one. Each of them is a turn.`;

const mayGoOn = safe`The turn may still go on: the service shows no way to cancel it.`;

/** What a run that was cut off or failed leaves behind. */
function whatIsLeft(host: Host, { message }: MessageFindings, sent: UnclearRequest): SafeText {
  if (message === undefined) return sent.mayExist ? safe` The message may have been sent.` : safe``;
  return host.signal.aborted ? safe` The turn was not seen to end. ${mayGoOn}` : safe``;
}

async function carryOut(
  run: Run,
  request: MessageRequest,
  { text, sent }: { text: TurnText; sent: UnclearRequest },
  found: Found<MessageFindings>,
): Promise<Ending> {
  const { host } = run;
  const { projectId, body, wait, eventsPath } = request;
  const idempotencyKey = run.keyFor('send message', `${projectId} ${body.content}`);
  const sending = { projectId, body, idempotencyKey, request: sent };
  const { message, uncertainty, countTwins } = await sendMessage(run, sending);
  const uncertainties = new Set<SafeText>();
  const tell = (uncertainty: SafeText) => {
    const text = coded('SD5103', uncertainty);
    if (uncertainties.has(text)) return;
    found({ uncertainties: [...uncertainties.add(text)] });
    host.report({ type: 'warning', text });
  };
  if (uncertainty !== undefined) tell(uncertainty);
  const id = host.clean(message.messageId);
  let status = safe``;
  const onStatus = (word: SafeText) => {
    status = word;
    found({ message: { id, status } });
  };
  onStatus(host.clean(message.status));
  host.report({ type: 'message-accepted', messageId: id });
  if (wait === 'none') return { outcome: 'accepted' };
  const ids = {
    projectId: encodeURIComponent(projectId),
    messageId: encodeURIComponent(message.messageId),
  };
  const filled = fillTemplate(eventsPath, ids);
  const onList = (messages: readonly Message[]) => {
    if (countTwins(messages) > 0) tell(twin);
  };
  const turn = { projectId, message, wait, eventsPath: filled, text, onStatus, onList };
  const end = await followTurn(run, turn);
  if (end.confirmedBy !== undefined) found({ confirmedBy: end.confirmedBy });
  const said = end.message === undefined ? safe`` : safe`: ${end.message}`;
  if (end.outcome === 'failed') {
    throw new EarlyEnd('failed', coded('SD5101', safe`The turn ended as "${status}"${said}`));
  }
  if (end.outcome === 'unconfirmed') {
    const message = safe`${sentence(end.message ?? safe`Nothing confirms the end of the turn`)} ${mayGoOn}`;
    throw new EarlyEnd('unconfirmed', coded('SD5102', message));
  }
  return { outcome: end.outcome };
}

/**
 * Sends a message to a project, and follows its turn to the end.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function runMessage(run: Run, request: MessageRequest): Promise<MessageReport> {
  const { projectId } = request;
  const text = new TurnText(run.host);
  const sent = new UnclearRequest();
  const report = await reportOn<MessageFindings>(
    run,
    { projectId },
    (found) => carryOut(run, request, { text, sent }, found),
    (findings) => whatIsLeft(run.host, findings, sent),
  );
  return { ...report, text: text.finish(), isCut: text.isCut };
}
