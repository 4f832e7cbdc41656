import type { Said } from '../../core/explain/explanation.ts';
import { listNames } from '../../core/text/list-names.ts';
import { safe, trusted } from '../../core/text/safe.ts';
import type { Sanitize } from '../../core/text/sanitize.ts';
import type { CleanUpWork } from '../deploy/work.ts';
import type { Step } from '../step.ts';
import { describeEvent } from './event.ts';

/** Explains how the preview of a closed pull request would be ended. */
export function explainCleanUp(
  step: Step<'deploy'>,
  { request: { hostname, projects, disconnect, ownership } }: CleanUpWork,
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
    isSkipped: false,
    statements: [
      { about: safe`Event`, does: describeEvent(step.context.event, clean) },
      {
        about: safe`Preview domain`,
        does: safe`The pull request is closed: ${clean(hostname)} is ${how}, if it is assigned to ${among}${record}. What was deployed to the project stays there.`,
      },
      {
        about: safe`Pull request`,
        does: safe`GitHub would be asked whether it is open again; then the preview stays.`,
      },
      {
        about: safe`On GitHub`,
        does: safe`The comment, if there is one, says that the preview is removed, and its GitHub Deployments are set inactive.`,
      },
    ],
    grants: [
      { scope: 'pull-requests', level: 'write', why: safe`to ask whether it is open, and comment` },
      { scope: 'deployments', level: 'write', why: safe`to set its deployments inactive` },
    ],
  };
}
