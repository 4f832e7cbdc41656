import type { Declared } from '../../declared/declared.ts';
import { possiblePullRequests } from '../../deploy/assumed.ts';
import { explainDeploy, knownOutputs, showHostname } from '../../deploy/explain.ts';
import { prepareBeforeAsking, prepareFor } from '../../deploy/prepare.ts';
import type { StepWork } from '../../deploy/work.ts';
import type { Explained, Preflight, Prepared, Telling } from '../../frame/action.ts';
import { supersededSkip } from '../../frame/skip.ts';
import type { Step } from '../../frame/step.ts';
import { type AskedSource, pullRequestOf, type WorkflowEvent } from '../../kernel/event.ts';
import { type Sanitize, safe } from '../../kernel/text/safe.ts';
import { explainEnd } from '../../previews/explain.ts';
import { numberIn, subjectOf } from '../../recording/describe-subject.ts';
import { needsOf, type Said } from '../../report/explain/explanation.ts';
import { type Answered, explainAnswers, mainOf } from './answers.ts';
import { telling, withStep } from './telling.ts';
import { explainSkip, explainWrong } from './unprepared.ts';

/** The work for each possible response of GitHub. */
async function prepareAnswers(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
  source: AskedSource,
): Promise<Answered[]> {
  const possible = possiblePullRequests(source, step.context.event);
  const answers: Answered[] = [];
  for (const { isOpen, isFork, pullRequest } of possible) {
    const prepared = await prepareFor(step, declared, preflight, pullRequest);
    answers.push({ when: { isOpen, isFork }, prepared });
  }
  // Without a commit that must be at its head, any pull request that GitHub returns is the right one.
  if (source.sha === undefined) return answers;
  return [...answers, { when: 'none', prepared: supersededSkip }];
}

/** Explains prepared work, a skip, or mistakes. */
function explainPrepared(
  step: Step<'deploy'>,
  declared: Declared,
  prepared: Prepared<StepWork>,
  clean: Sanitize,
): Said {
  const { event, serverUrl } = step.context;
  if (prepared.kind === 'skip') return explainSkip(prepared, event, clean);
  if (prepared.kind === 'problems') return explainWrong(prepared.problems, event, clean);
  const { work } = prepared;
  const source = pullRequestOf(event);
  if (work.kind === 'deploy') {
    const { timeout } = work.values;
    return explainDeploy(work, { event, source, serverUrl, declared, timeout, clean });
  }
  const { template, origin, request, record } = work;
  const { hostname } = request;
  const shown = showHostname({ template, hostname }, origin, { source, clean });
  const statements = explainEnd(request, shown, {
    comment: record.comment !== undefined,
    deployment: record.deployment !== undefined,
  });
  return {
    would: safe`remove the preview`,
    outcome: 'planned',
    statements,
    variables: [],
    checks: [],
    needs: needsOf(statements),
  };
}

/** The known outputs of an explained run. */
function outputsOf(event: WorkflowEvent, prepared: Prepared<StepWork>): Record<string, string> {
  if (prepared.kind !== 'work') return {};
  const { work } = prepared;
  const source = pullRequestOf(event);
  if (work.kind === 'deploy') return knownOutputs(work, source);
  return source?.kind === 'known' ? { 'preview-hostname': work.request.hostname } : {};
}

/**
 * Explains what a deploy run would do, or why it would be skipped or fail, from the same preparation as a run. Where
 * GitHub's response decides, each possible response is prepared.
 */
export async function explainDeployStep(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
): Promise<Explained> {
  const { context, inputs } = step;
  const subject = subjectOf({
    context,
    pullRequest: numberIn(context.event),
    commentKey: inputs.get('comment-key'),
    environmentName: inputs.get('environment-name'),
    projectId: inputs.get('project-id'),
  });
  const before = await prepareBeforeAsking(step, declared, preflight);
  const source = before.kind === 'asked' ? before.source : undefined;
  const answers: Answered[] =
    source === undefined ? [] : await prepareAnswers(step, declared, preflight, source);
  const only =
    before.kind === 'ended'
      ? before.prepared
      : before.kind === 'known'
        ? await prepareFor(step, declared, preflight, before.pullRequest)
        : undefined;
  const prepared = only ?? mainOf(answers);
  const explain = (clean: Sanitize): Telling => {
    const said = (one: Prepared<StepWork>) => explainPrepared(step, declared, one, clean);
    const explained =
      source === undefined
        ? said(prepared)
        : explainAnswers(source, answers, { explain: said, clean });
    const needsKey = source !== undefined || prepared.kind !== 'skip';
    const whole = withStep(step, explained, { needsKey, clean });
    const outputs = outputsOf(context.event, prepared);
    const problems = prepared.kind === 'problems' ? prepared.problems : [];
    const told = telling({ subject, ...whole }, { outputs, problems });
    if (prepared.kind === 'skip') return { ...told, skippedReason: prepared.reason };
    return prepared.kind === 'work' ? { ...told, says: [...prepared.says, ...told.says] } : told;
  };
  return { kind: 'explained', explain };
}
