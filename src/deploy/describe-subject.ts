import type { RunEvent } from '../kernel/event.ts';
import { type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import type { Subject } from '../report/closing.ts';
import type { Step } from '../step/step.ts';
import type { DeployValues } from './inputs.ts';

/** What the subject of a report is described with. */
export interface SubjectFacts {
  context: Pick<RunContext, 'event' | 'serverUrl' | 'repository' | 'commitsUrl' | 'sign'>;
  pullRequest: { number: number | undefined } | undefined;
  /** The input `environment-name`, and the project, if an input gives it. */
  environmentName: string | undefined;
  projectId: string | undefined;
}

/** The maximum length of an input in a title. */
const longest = 60;

const shown = (input: string): SafeText => shorten(unsafeText(input), longest);

function nameOf({ context, pullRequest, environmentName }: SubjectFacts): SafeText {
  if (pullRequest !== undefined) {
    const { number } = pullRequest;
    const sign = context.sign ?? '#';
    return number === undefined ? safe`Preview` : safe`Preview of ${sign}${number}`;
  }
  if (environmentName !== undefined) return shown(environmentName);
  return context.event.kind === 'merge-group' ? safe`Merge queue` : safe`Production`;
}

/**
 * The subject of a run: a pull request's preview, distinguished from others of the same pull request by the start of
 * the project's id; or the name of its environment.
 */
export function subjectOf(facts: SubjectFacts): Subject {
  const { context, pullRequest, projectId } = facts;
  const isMarked = pullRequest !== undefined && projectId !== undefined;
  return {
    name: nameOf(facts),
    mark: isMarked ? unsafeText(projectId.slice(0, 8)) : undefined,
    commitsUrl: context.commitsUrl ?? `${context.serverUrl}/${context.repository}/commit/`,
  };
}

/** The pull request of an event, without a request to GitHub; undefined if there is none. */
function numberIn({ pullRequest: source }: RunEvent): SubjectFacts['pullRequest'] {
  if (source === undefined || source.kind === 'missing') return undefined;
  if (source.kind === 'known') return source.pullRequest;
  return { number: source.kind === 'by-number' ? source.number : undefined };
}

/** The subject of a step, without a request to GitHub. */
export const subjectOfStep = ({ inputs, context }: Step<DeployValues>): Subject =>
  subjectOf({
    context,
    pullRequest: numberIn(context.event),
    environmentName: inputs.get('environment-name'),
    projectId: inputs.get('project-id'),
  });
