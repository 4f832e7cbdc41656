import type { Declared } from '../../declared/declared.ts';
import { type PossibleAnswer, possiblePullRequests } from '../../deploy/assumed.ts';
import { numberIn, subjectOf } from '../../deploy/describe-subject.ts';
import { explainDeploy, knownOutputs, showHostname } from '../../deploy/explain.ts';
import { prepareBeforeQuery, prepareFor } from '../../deploy/prepare.ts';
import type { StepWork } from '../../deploy/work.ts';
import type { Explained, ExplainedEnd, Preflight, Prepared } from '../../frame/action.ts';
import { supersededSkip } from '../../frame/skip.ts';
import type { Step } from '../../frame/step.ts';
import type { QueriedSource, RunEvent } from '../../kernel/event.ts';
import { joinSafe, type SafeText, type Sanitize, safe } from '../../kernel/text/safe.ts';
import { explainEnd } from '../../previews/explain.ts';
import { needsOf, type Statement, type SubjectlessExplanation } from '../../report/explanation.ts';
import { explainedEnd, explainSkip, explainWrong, withStep } from './explained.ts';

/** A possible response of GitHub, and the work that follows. */
interface Answered {
  /** The pull request that GitHub returns; `none`: no matching one. */
  when: Pick<PossibleAnswer, 'isOpen' | 'isFork'> | 'none';
  prepared: Prepared<StepWork>;
}

interface Explaining {
  explain: (prepared: Prepared<StepWork>) => SubjectlessExplanation;
  clean: Sanitize;
}

/** The response that is explained in full: the first with work, else one that shows why there is none. */
function mainOf(answers: readonly Answered[]): Prepared<StepWork> {
  const all = answers.map(({ prepared }) => prepared);
  const main =
    all.find(({ kind }) => kind === 'work') ??
    all.find(({ kind }) => kind === 'problems') ??
    all[0];
  if (main === undefined) throw new Error('no possible response');
  return main;
}

/** A response as a condition. */
function nameOf(when: Answered['when'], namesFork: boolean): SafeText {
  if (when === 'none') return safe`If there is none`;
  const state = when.isOpen ? safe`If it is open` : safe`If it is closed`;
  if (!namesFork || when.isFork === undefined) return state;
  return when.isFork ? safe`${state}, from a fork` : safe`${state}, not from a fork`;
}

/** What a run would do, in full. */
function describe({ would, statements }: SubjectlessExplanation): SafeText {
  const details = statements.flatMap((one) =>
    'does' in one ? [safe`${one.about}: ${one.does}`] : [],
  );
  return joinSafe([safe`The run would ${would}.`, ...details], ' ');
}

const stateOf = (when: Answered['when']): string => (when === 'none' ? when : String(when.isOpen));

/** A response and its explanation. */
type ExplainedAnswer = Answered & { explanation: SubjectlessExplanation };

/** A line for each response; those with the same explanation share one. */
function rowsOf(all: readonly ExplainedAnswer[], main: Prepared<StepWork>): Statement[] {
  const groups = Map.groupBy(
    all,
    ({ when, explanation }) => `${stateOf(when)} ${describe(explanation)}`,
  );
  return [...groups.values()].flatMap((group): Statement[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { when, explanation } = first;
    const isMain =
      explanation.outcome === 'planned' && group.some(({ prepared }) => prepared === main);
    const does = isMain
      ? safe`The run would ${explanation.would}, as described here.`
      : describe(explanation);
    const alike = all.filter((one) => stateOf(one.when) === stateOf(when));
    return [{ about: nameOf(when, alike.length > group.length), does }];
  });
}

/** The request to GitHub. */
function explainRequest(source: QueriedSource, clean: Sanitize): Statement {
  const about = safe`GitHub`;
  const head = source.head === undefined ? safe`` : safe`, whose head must be this commit`;
  const which =
    source.kind === 'by-number'
      ? safe`pull request #${source.number}`
      : safe`the pull request of ${clean(source.owner)}:${clean(source.branch)}`;
  return {
    about,
    does: safe`The run would read ${which} from GitHub${head}. If GitHub does not respond, the run fails.`,
    needs: [{ scope: 'pull-requests', level: 'read', why: safe`to find the pull request` }],
  };
}

/** Explains what follows from each possible response of GitHub. */
function explainAnswers(
  source: QueriedSource,
  answers: readonly Answered[],
  { explain, clean }: Explaining,
): SubjectlessExplanation {
  const main = mainOf(answers);
  const all = answers.map((one) => ({ ...one, explanation: explain(one.prepared) }));
  const explained = explain(main);
  const request = explainRequest(source, clean);
  const first = [request, ...rowsOf(all, main)];
  if (explained.outcome !== 'planned') return { ...explained, needs: [], statements: first };
  const { when } = answers.find(({ prepared }) => prepared === main) ?? {};
  const isOpen = when !== undefined && when !== 'none' && when.isOpen;
  return {
    ...explained,
    would: safe`${explained.would}, if its pull request is ${isOpen ? safe`open` : safe`closed`}`,
    statements: [...first, ...explained.statements],
    needs: [...needsOf([request]), ...all.flatMap(({ explanation }) => explanation.needs)],
  };
}

/** The work for each possible response of GitHub. */
async function prepareAnswers(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
  source: QueriedSource,
): Promise<Answered[]> {
  const possible = possiblePullRequests(source, step.context.event);
  const answers: Answered[] = [];
  for (const { isOpen, isFork, pullRequest } of possible) {
    const prepared = await prepareFor(step, declared, preflight, pullRequest);
    answers.push({ when: { isOpen, isFork }, prepared });
  }
  // Without a commit that must be at its head, any pull request that GitHub returns is the right one.
  if (source.head === undefined) return answers;
  return [...answers, { when: 'none', prepared: supersededSkip }];
}

/** Explains prepared work, a skip, or mistakes. */
function explainPrepared(
  step: Step<'deploy'>,
  declared: Declared,
  prepared: Prepared<StepWork>,
  clean: Sanitize,
): SubjectlessExplanation {
  const { event, serverUrl } = step.context;
  if (prepared.kind === 'skip') return explainSkip(prepared, event, clean);
  if (prepared.kind === 'problems') return explainWrong(prepared.problems, event, clean);
  const { work } = prepared;
  const { pullRequest: source } = event;
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
function outputsOf(
  { pullRequest: source }: RunEvent,
  prepared: Prepared<StepWork>,
): Record<string, string> {
  if (prepared.kind !== 'work') return {};
  const { work } = prepared;
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
    environmentName: inputs.get('environment-name'),
    projectId: inputs.get('project-id'),
  });
  const before = await prepareBeforeQuery(step, declared, preflight);
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
  const explain = (clean: Sanitize): ExplainedEnd => {
    const explanation = (one: Prepared<StepWork>) => explainPrepared(step, declared, one, clean);
    const explained =
      source === undefined
        ? explanation(prepared)
        : explainAnswers(source, answers, { explain: explanation, clean });
    const needsKey = source !== undefined || prepared.kind !== 'skip';
    const whole = withStep(step, explained, { needsKey, clean });
    const outputs = outputsOf(context.event, prepared);
    const problems = prepared.kind === 'problems' ? prepared.problems : [];
    const ended = explainedEnd({ subject, ...whole }, { outputs, problems });
    if (prepared.kind === 'skip') return { ...ended, skippedReason: prepared.reason };
    return prepared.kind === 'work'
      ? { ...ended, logEntries: [...prepared.logEntries, ...ended.logEntries] }
      : ended;
  };
  return { kind: 'explained', explain };
}
