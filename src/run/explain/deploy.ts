import { pullRequestOf } from '../../core/event/pull-request.ts';
import type { Said } from '../../core/explain/explanation.ts';
import type { Sanitize } from '../../core/text/sanitize.ts';
import type { Explained, Ready, Telling } from '../action.ts';
import type { StepWork } from '../deploy/work.ts';
import { numberIn, subjectOf } from '../recording/subject.ts';
import type { Step } from '../step.ts';
import type { Declared } from '../way-in/declared.ts';
import type { Skip } from '../way-in/skip.ts';
import { explainCleanUp } from './clean-up.ts';
import { explainSkip } from './skipped.ts';
import { type ToldOutputs, telling } from './telling.ts';
import { explainWork, knownOutputs } from './work.ts';

/**
 * Explains what a deploy run was prepared to do, or why it would be skipped: the same work that a run carries out.
 *
 * @param prepared what `prepareDeploy` makes of the step
 */
export function explainDeploy(
  step: Step<'deploy'>,
  declared: Declared,
  prepared: Ready<StepWork> | Skip,
): Explained {
  const { context, inputs } = step;
  const subject = subjectOf({
    context,
    pullRequest: numberIn(context.event),
    commentKey: inputs.get('comment-key'),
    environmentName: inputs.get('environment-name'),
    projectId: inputs.get('project-id'),
  });
  const tell = (said: Said, more: ToldOutputs) => telling({ subject, ...said }, more);
  const explain = (clean: Sanitize): Telling => {
    if (prepared.kind === 'skip') {
      const told = tell(explainSkip(step, prepared, clean), { outcome: 'skipped', outputs: {} });
      return { ...told, skippedReason: prepared.reason };
    }
    const { work } = prepared;
    if (work.kind === 'clean-up') {
      const outputs = { 'preview-hostname': work.request.hostname };
      return tell(explainCleanUp(step, work, clean), { outcome: 'planned', outputs });
    }
    const { values, request } = work;
    const source = pullRequestOf(context.event);
    const facts = { step, values, work, request, declared, source, clean };
    const told = tell(explainWork(facts), { outcome: 'planned', outputs: knownOutputs(facts) });
    return { ...told, says: [...prepared.says, ...told.says] };
  };
  return { kind: 'explained', explain };
}
