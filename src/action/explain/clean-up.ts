import type { CleanUpWork } from '../../deploy/work.ts';
import type { Step } from '../../frame/step.ts';
import { listNames } from '../../kernel/text/list-names.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import type { Grant, Said } from '../../report/explain/explanation.ts';
import { describeEvent } from './event.ts';
import { keyStatements } from './wrong.ts';

const toComment: Grant = { scope: 'pull-requests', level: 'write', why: safe`to comment` };

const toRetire: Grant = {
  scope: 'deployments',
  level: 'write',
  why: safe`to set its deployments inactive`,
};

/**
 * Explains how the preview of a closed pull request would be ended.
 *
 * @param hostname the preview's, as it may be shown
 */
export function explainCleanUp(
  step: Step<'deploy'>,
  { request: { projects, disconnect, ownership }, record: planned }: CleanUpWork,
  hostname: SafeText,
  clean: Sanitize,
): Said {
  const how = disconnect ? safe`disconnected` : safe`no longer assigned to its project`;
  const record =
    ownership.by === 'record'
      ? safe`, and our own record on GitHub, which would be read, says that it is this pull request's`
      : safe``;
  const among = listNames(projects, (id) => trusted(id));
  return {
    variables: [],
    checks: [],
    would: safe`end the preview`,
    outcome: 'planned',
    statements: [
      { about: safe`Event`, does: describeEvent(step.context.event, clean) },
      {
        about: safe`Preview domain`,
        does: safe`The pull request is closed: ${hostname} is ${how}, if it is assigned to ${among}${record}. What was deployed to the project stays there.`,
      },
      {
        about: safe`Pull request`,
        does: safe`GitHub would be asked whether it is open again; then the preview stays.`,
      },
      planned.comment === undefined
        ? { about: safe`Comment`, leaves: safe`comment is false.` }
        : {
            about: safe`Comment`,
            does: safe`If there is one, it says that the preview is removed.`,
          },
      planned.deployment === undefined
        ? { about: safe`GitHub Deployment`, leaves: safe`none is recorded for such runs.` }
        : { about: safe`GitHub Deployment`, does: safe`Those of the preview are set inactive.` },
      ...keyStatements(step),
    ],
    grants: [
      { scope: 'pull-requests', level: 'read', why: safe`to see whether it is open again` },
      ...(planned.comment === undefined ? [] : [toComment]),
      ...(planned.deployment === undefined ? [] : [toRetire]),
    ],
  };
}
