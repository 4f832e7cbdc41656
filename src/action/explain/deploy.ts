import type { Declared } from '../../declared/declared.ts';
import { possiblePullRequests } from '../../deploy/assumed.ts';
import { prepareBeforeAsking, prepareFor } from '../../deploy/facts.ts';
import type { StepWork } from '../../deploy/work.ts';
import type { Explained, Prepared, Telling, WayIn } from '../../frame/action.ts';
import { supersededSkip } from '../../frame/skip.ts';
import type { Step } from '../../frame/step.ts';
import { type AskedSource, pullRequestOf } from '../../kernel/event/pull-request.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import { numberIn, subjectOf } from '../../recording/subject.ts';
import type { Said } from '../../report/explain/explanation.ts';
import { type Answered, explainAnswers, mainOf } from './answers.ts';
import { hostnameOf } from './around.ts';
import { explainCleanUp } from './clean-up.ts';
import type { ExplainFacts } from './facts.ts';
import { explainSkip } from './skipped.ts';
import { telling } from './telling.ts';
import { explainWork, knownOutputs } from './work.ts';
import { explainWrong } from './wrong.ts';

/** What each of GitHub's answers leads to. */
async function prepareAnswers(
  step: Step<'deploy'>,
  declared: Declared,
  wayIn: WayIn,
  source: AskedSource,
): Promise<Answered[]> {
  const possible = possiblePullRequests(source, step.context.event);
  const answers: Answered[] = [];
  for (const { isOpen, isFork, pullRequest } of possible) {
    const prepared = await prepareFor(step, declared, wayIn, pullRequest);
    answers.push({ when: { isOpen, isFork }, prepared });
  }
  // Without a commit that must be at its head, each pull request that GitHub answers is the one.
  if (source.sha === undefined) return answers;
  return [...answers, { when: 'none', prepared: supersededSkip }];
}

/** What can be told of a run that was prepared, beside the sentences about it. */
function factsOf(
  step: Step<'deploy'>,
  declared: Declared,
  prepared: Prepared<StepWork>,
  clean: Sanitize,
): ExplainFacts | undefined {
  if (prepared.kind !== 'work' || prepared.work.kind !== 'deploy') return undefined;
  const { work } = prepared;
  const source = pullRequestOf(step.context.event);
  return { step, values: work.values, work, request: work.request, declared, source, clean };
}

/** Explains what was prepared: the same work that a run does, a skip, or what is wrong. */
function explainPrepared(
  step: Step<'deploy'>,
  declared: Declared,
  prepared: Prepared<StepWork>,
  clean: Sanitize,
): Said {
  if (prepared.kind === 'skip') return explainSkip(step, prepared, clean);
  if (prepared.kind === 'problems') return explainWrong(step, prepared.problems, clean);
  const facts = factsOf(step, declared, prepared, clean);
  if (facts !== undefined) return explainWork(facts);
  const { work } = prepared;
  if (work.kind !== 'clean-up') throw new Error('a work without facts');
  const source = pullRequestOf(step.context.event);
  const shown = hostnameOf({ step, values: work.values, source, clean }, work.request.hostname);
  return explainCleanUp(step, work, shown, clean);
}

/** The outputs of a run that is explained, as far as they are known. */
function outputsOf(
  step: Step<'deploy'>,
  declared: Declared,
  prepared: Prepared<StepWork>,
  clean: Sanitize,
): Record<string, string> {
  const facts = factsOf(step, declared, prepared, clean);
  if (facts !== undefined) return knownOutputs(facts);
  if (prepared.kind !== 'work' || prepared.work.kind !== 'clean-up') return {};
  const isKnown = pullRequestOf(step.context.event)?.kind === 'known';
  return isKnown ? { 'preview-hostname': prepared.work.request.hostname } : {};
}

/**
 * Explains what a deploy run would do, be skipped for or fail for, from what a run is prepared by. Where GitHub's
 * answer decides, each of its answers is prepared.
 */
export async function explainDeploy(
  step: Step<'deploy'>,
  declared: Declared,
  wayIn: WayIn,
): Promise<Explained> {
  const { context, inputs } = step;
  const subject = subjectOf({
    context,
    pullRequest: numberIn(context.event),
    commentKey: inputs.get('comment-key'),
    environmentName: inputs.get('environment-name'),
    projectId: inputs.get('project-id'),
  });
  const before = await prepareBeforeAsking(step, declared, wayIn);
  const source = before.kind === 'asked' ? before.source : undefined;
  const answers: Answered[] =
    source === undefined ? [] : await prepareAnswers(step, declared, wayIn, source);
  const only =
    before.kind === 'ended'
      ? before.prepared
      : before.kind === 'known'
        ? await prepareFor(step, declared, wayIn, before.pullRequest)
        : undefined;
  const prepared = only ?? mainOf(answers);
  const explain = (clean: Sanitize): Telling => {
    const said = (one: Prepared<StepWork>) => explainPrepared(step, declared, one, clean);
    const explained =
      source === undefined
        ? said(prepared)
        : explainAnswers(step, source, answers, { explain: said, clean });
    const outputs = outputsOf(step, declared, prepared, clean);
    const problems = prepared.kind === 'problems' ? prepared.problems : [];
    const told = telling({ subject, ...explained }, { outputs, problems });
    if (prepared.kind === 'skip') return { ...told, skippedReason: prepared.reason };
    return prepared.kind === 'work' ? { ...told, says: [...prepared.says, ...told.says] } : told;
  };
  return { kind: 'explained', explain };
}
