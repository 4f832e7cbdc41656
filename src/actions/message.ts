import { proxyProblems } from '../http/proxies.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { message } from '../messages/inputs.ts';
import { messageIntent, messageProblems } from '../messages/intent.ts';
import type { Platform } from '../platform.ts';
import { prefetch } from '../service/http.ts';
import type { StepResult } from '../step/end-step.ts';
import { connect, nothingToRead, openStep } from '../step/open-step.ts';
import { unlessWrong, whyNotToStart } from '../step/skip.ts';

const loadRest = () => import('./late/message.ts');

/** The action that sends a message and follows its turn. */
export async function messageAction(platform: Platform): Promise<StepResult> {
  using step = await openStep(platform, message.inputs, nothingToRead);
  const { inputs, context } = step;
  const problems = [...proxyProblems(step), ...messageProblems(inputs, context.event)];
  const allowed = inputs.get('allowed-associations');
  // The author of a pull request could put any prompt into the message, and there is no other guard.
  const skip = allowed && whyNotToStart(step, { allowed, checksProposers: true });
  const job = skip ?? unlessWrong(inputs, problems);
  if (job.kind !== 'valid') {
    const { messageView, refuse } = await loadRest();
    return await refuse(step, messageView, job);
  }

  const { values } = job;
  const intent = messageIntent(values);
  // The earlier messages, by which the new one is recognized.
  const transport = await connect(step, values, prefetch.messages(intent.projectId));
  const rest = await loadRest();
  const { messageView: view, openService, reply, runMessage } = rest;
  await using service = await openService(step, values, transport);
  const done = await runMessage(service, intent);
  // Its lines were redacted one by one: joined, they may contain a secret of several lines.
  const report = rest.complete(step, { ...done, text: unsafeText(step.redact(done.text)) });
  await rest.setOutputs(step, view, report);
  return await rest.finish(view, report, reply(step, values, report));
}
