import { formatDuration } from '../kernel/text/duration.ts';
import { listNames } from '../kernel/text/list-names.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Permission, Statement } from '../report/explain/explanation.ts';
import type { EndIntent, NoPreview, PreviewIntent, SweepIntent } from './intent.ts';
import type { Ownership } from './model/ownership.ts';

const about = safe`Preview domain`;

const whyNone: Readonly<Record<NoPreview, SafeText>> = {
  'no-template': safe`preview-domain is empty.`,
  'no-number': safe`preview-domain has {number}, and the event is about no pull request.`,
};

/** Explains that a run has no preview domain. */
export const explainNoPreview = (why: NoPreview): Statement => ({ about, leaves: whyNone[why] });

/** Explains what is done to a preview's domain. @param name its hostname, as it may be shown */
export function explainPreview(
  { ownership, onPending, mustBeVerified, timeout }: PreviewIntent,
  name: SafeText,
): Statement {
  const record =
    ownership.by === 'record'
      ? safe` If it is assigned already, only our own record on GitHub, which would be read, can say that it is this pull request's; else the run fails.`
      : safe``;
  const foreign = safe` If it serves a project that no input of this run names${ownership.by === 'record' ? safe`, nor our record` : safe``}, the run fails before it writes.`;
  const pending = onPending === 'fail' ? safe`the run fails` : safe`the run warns`;
  const why = mustBeVerified
    ? safe`swap-projects: its checks could not be run`
    : safe`on-domain-pending`;
  return {
    about,
    does: safe`${name} is connected if need be, assigned to the project, and its verification followed for ${formatDuration(timeout)}; if it is not verified by then, ${pending} (${why}).${foreign}${record}`,
  };
}

/** Which of the projects a pull request gets. @param takes true if it may take one that is free */
export function describeLease(
  from: readonly string[],
  takes: boolean,
  ignoresProject: boolean,
): SafeText {
  if (!takes) {
    return safe`The one of ${listNames(from, unsafeText)} that this pull request has leased. If it has none, the run is skipped (no-preview), because deploy is false.`;
  }
  const [only, ...others] = from;
  if (only !== undefined && others.length === 0) {
    return safe`${unsafeText(only)}, the one project of preview-projects, if no other pull request has it.`;
  }
  const ignored = ignoresProject
    ? safe` project-id is not used: it is for runs that are about no pull request.`
    : safe``;
  return safe`One of ${listNames(from, unsafeText)}: the one that this pull request has leased, or the first free one of preview-projects. If none is free, the run is skipped (no-free-preview-project).${ignored}`;
}

/** Explains when GitHub is asked whether the pull request of a preview is open. */
export const explainOpen = (): Statement => ({
  about: safe`Pull request`,
  does: safe`GitHub would be asked whether the pull request is still open, before the preview is placed and once more at the end. If it was closed, the preview is taken back.`,
  needs: [{ scope: 'pull-requests', level: 'read', why: safe`to see whether it is still open` }],
});

/** Explains which previews are ended beside the rest of a run. */
export function explainSweep({ disconnect, tells }: SweepIntent): Statement {
  const how = disconnect ? safe`disconnected` : safe`no longer assigned`;
  const told = [
    ...(tells.comment ? [safe`its comment`] : []),
    ...(tells.deployment ? [safe`its GitHub Deployment`] : []),
  ];
  const says =
    told.length === 0 ? safe`` : safe` As after a close, ${joinSafe(told, ' and ')} says so.`;
  const needs: Permission[] = [
    { scope: 'pull-requests', level: 'read', why: safe`to see which are closed` },
  ];
  if (tells.comment) {
    needs.push({ scope: 'pull-requests', level: 'write', why: safe`to say so in their comments` });
  }
  if (tells.deployment) {
    const why = safe`to end their GitHub Deployments`;
    needs.push({ scope: 'deployments', level: 'write', why });
  }
  return {
    about: safe`Sweep`,
    does: safe`Each hostname of preview-domain that is assigned to one of these projects, and whose pull request GitHub says is closed, is ${how}.${says}`,
    needs,
  };
}

/**
 * Explains how the preview of a closed pull request is ended.
 *
 * @param hostname the preview's, as it may be shown
 * @param records where that is said
 */
export function explainEnd(
  { projects, disconnect, ownership }: EndIntent & { ownership: Ownership },
  hostname: SafeText,
  records: { comment: boolean; deployment: boolean },
): Statement[] {
  const how = disconnect ? safe`disconnected` : safe`no longer assigned to its project`;
  const record =
    ownership.by === 'record'
      ? safe`, and our own record on GitHub, which would be read, says that it is this pull request's`
      : safe``;
  const among = listNames(projects, unsafeText);
  const ofComment: Permission = { scope: 'pull-requests', level: 'write', why: safe`to comment` };
  const ofDeployment: Permission = {
    scope: 'deployments',
    level: 'write',
    why: safe`to set its deployments inactive`,
  };
  return [
    {
      about,
      does: safe`The pull request is closed: ${hostname} is ${how}, if it is assigned to ${among}${record}. What was deployed to the project stays there.`,
    },
    {
      about: safe`Pull request`,
      does: safe`GitHub would be asked whether it is open again; then the preview stays.`,
      needs: [
        { scope: 'pull-requests', level: 'read', why: safe`to see whether it is open again` },
      ],
    },
    records.comment
      ? {
          about: safe`Comment`,
          does: safe`If there is one, it says that the preview is removed.`,
          needs: [ofComment],
        }
      : { about: safe`Comment`, leaves: safe`comment is false.` },
    records.deployment
      ? {
          about: safe`GitHub Deployment`,
          does: safe`Those of the preview are set inactive.`,
          needs: [ofDeployment],
        }
      : { about: safe`GitHub Deployment`, leaves: safe`none is recorded for such runs.` },
  ];
}
