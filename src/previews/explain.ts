import { listNames } from '../kernel/names.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { NeededPermission, Statement } from '../report/explanation.ts';
import type { EndIntent, NoPreview, PreviewIntent, SweepIntent } from './intent.ts';

const about = safe`Preview domain`;

const whyNone: Readonly<Record<NoPreview, SafeText>> = {
  'no-template': safe`preview-domain is empty.`,
  'no-number': safe`preview-domain contains {number}, and the event is not for a pull request.`,
};

/** Explains that a run has no preview domain. */
export const explainNoPreview = (why: NoPreview): Statement => ({ about, leaves: whyNone[why] });

/** Explains what a run does with a preview's domain. @param name its hostname, sanitized */
export function explainPreview({ strict, timeout }: PreviewIntent, name: SafeText): Statement {
  const pending = strict ? safe`the run fails` : safe`the run warns`;
  return {
    about,
    does: safe`${name} is connected when needed and assigned to the project. If it is not verified within ${formatDuration(timeout)} (verify-timeout), ${pending} (strict). If it is assigned to a project that the inputs don't name, the run fails before it writes.`,
  };
}

/** Which of the projects a pull request gets. @param takes true if it may lease a free one */
export function describeLease(
  from: readonly string[],
  takes: boolean,
  ignoresProject: boolean,
): SafeText {
  if (!takes) {
    return safe`The one of ${listNames(from, unsafeText)} that this pull request uses. If it uses none, the run is skipped (no-preview), because deploy is false.`;
  }
  const [only, ...others] = from;
  if (only !== undefined && others.length === 0) {
    return safe`${unsafeText(only)}, the only project of preview-projects, if no other pull request uses it.`;
  }
  const ignored = ignoresProject ? safe` project-id is not used for pull requests.` : safe``;
  return safe`One of ${listNames(from, unsafeText)}: the one that this pull request uses already, or else one that is not in use. If all are in use, the run is skipped (no-free-preview-project).${ignored}`;
}

/** How a run finds out whether its pull request is still open. */
export const explainOpen = (): Statement => ({
  about: safe`Pull request`,
  does: safe`The run checks on GitHub whether it is still open, before it assigns the preview's domain and at the end. If it is closed, the preview is removed.`,
  needs: [{ scope: 'pull-requests', level: 'read', why: safe`to check whether it is still open` }],
});

/** Explains which previews of other pull requests a run ends. */
export function explainSweep({ disconnect, updates }: SweepIntent): Statement {
  const how = disconnect ? safe`disconnected` : safe`no longer assigned`;
  const records = [
    ...(updates.comment ? [safe`its comment`] : []),
    ...(updates.deployment ? [safe`its GitHub Deployment`] : []),
  ];
  const updated =
    records.length === 0
      ? safe``
      : safe` As on close, ${joinSafe(records, ' and ')} ${records.length === 1 ? safe`is` : safe`are`} updated.`;
  const needs: NeededPermission[] = [
    { scope: 'pull-requests', level: 'read', why: safe`to find the closed ones` },
  ];
  if (updates.comment) {
    needs.push({ scope: 'pull-requests', level: 'write', why: safe`to update their comments` });
  }
  if (updates.deployment) {
    const why = safe`to set their GitHub Deployments inactive`;
    needs.push({ scope: 'deployments', level: 'write', why });
  }
  return {
    about: safe`Sweep`,
    does: safe`Each hostname of preview-domain that is assigned to one of these projects, and whose pull request is closed on GitHub, is ${how}. One that is assigned to another project is kept, and the run fails and lists it.${updated}`,
    needs,
  };
}

/**
 * Explains how the preview of a closed pull request is ended.
 *
 * @param hostname the preview's, sanitized
 * @param records what is updated on GitHub
 */
export function explainEnd(
  { projects, disconnect }: EndIntent,
  hostname: SafeText,
  records: { comment: boolean; deployment: boolean },
): Statement[] {
  const how = disconnect ? safe`disconnected` : safe`no longer assigned to its project`;
  const among = listNames(projects, unsafeText);
  const ofComment: NeededPermission = {
    scope: 'pull-requests',
    level: 'write',
    why: safe`to comment`,
  };
  const ofDeployment: NeededPermission = {
    scope: 'deployments',
    level: 'write',
    why: safe`to set its deployments inactive`,
  };
  return [
    {
      about,
      does: safe`The pull request is closed: ${hostname} is ${how}, if it is assigned to ${among}. If it is assigned to another project, it is kept, and the run fails. The project keeps what was deployed to it.`,
    },
    {
      about: safe`Pull request`,
      does: safe`The run checks its state on GitHub. If it is open again, the preview stays.`,
      needs: [
        { scope: 'pull-requests', level: 'read', why: safe`to check whether it is open again` },
      ],
    },
    records.comment
      ? {
          about: safe`Comment`,
          does: safe`An existing comment is updated: the preview is removed.`,
          needs: [ofComment],
        }
      : { about: safe`Comment`, leaves: safe`comment is false.` },
    records.deployment
      ? {
          about: safe`GitHub Deployment`,
          does: safe`The preview's GitHub Deployments are set inactive.`,
          needs: [ofDeployment],
        }
      : { about: safe`GitHub Deployment`, leaves: safe`such runs are not recorded.` },
  ];
}
