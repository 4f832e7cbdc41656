import { listNames } from '../../kernel/names.ts';
import { formatDuration } from '../../kernel/text/format.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import { does, leaves, type Need, type Row } from '../../report/explanation.ts';
import type { EndIntent } from './intent.ts';

const about = safe`Preview domain`;

/** Explains that a run has no preview domain: it has no template, or one that needs a pull request. */
export const explainNoPreview = (template: string | undefined): Row =>
  leaves(
    about,
    template === undefined
      ? safe`preview-domain is empty.`
      : safe`preview-domain contains {number}, and the event is not for a pull request.`,
  );

/** Explains what a run does with a preview's domain. @param name its hostname, sanitized */
export function explainDomain(
  name: SafeText,
  { strict, 'verify-timeout': timeout }: { strict: boolean; 'verify-timeout': number },
): Row {
  const pending = strict ? safe`the run fails` : safe`the run warns`;
  return does(
    about,
    safe`${name} is connected when needed and assigned to the project. If it is not verified within ${formatDuration(timeout)} (verify-timeout), ${pending} (strict). If it is assigned to a project that the inputs don't name, the run fails before it writes.`,
  );
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
export const explainOpen = does(
  safe`Pull request`,
  safe`The run checks on GitHub whether it is still open, before it assigns the preview's domain and at the end. If it is closed, the preview is removed.`,
  ['pull-requests: read', safe`to check whether it is still open`],
);

/** What is updated on GitHub. */
interface Updates {
  comment: boolean;
  deployment: boolean;
}

/** Explains which previews of other pull requests a run ends. */
export function explainSweep({ disconnect }: EndIntent, { comment, deployment }: Updates): Row {
  const how = disconnect ? safe`disconnected` : safe`no longer assigned`;
  const records: SafeText[] = [];
  const needs: Need[] = [['pull-requests: read', safe`to find the closed ones`]];
  if (comment) {
    records.push(safe`its comment`);
    needs.push(['pull-requests: write', safe`to update their comments`]);
  }
  if (deployment) {
    records.push(safe`its GitHub Deployment`);
    needs.push(['deployments: write', safe`to set their GitHub Deployments inactive`]);
  }
  const are = records.length === 1 ? safe`is` : safe`are`;
  const updated =
    records.length === 0
      ? safe``
      : safe` As on close, ${joinSafe(records, ' and ')} ${are} updated.`;
  return does(
    safe`Sweep`,
    safe`Each hostname of preview-domain that is assigned to one of these projects, and whose pull request is closed on GitHub, is ${how}. One that is assigned to another project is kept, and the run fails and lists it.${updated}`,
    ...needs,
  );
}

/** Explains how the preview of a closed pull request is ended. @param hostname the preview's, sanitized */
export function explainEnd(
  { projects, disconnect }: EndIntent,
  hostname: SafeText,
  { comment, deployment }: Updates,
): Row[] {
  const how = disconnect ? safe`disconnected` : safe`no longer assigned to its project`;
  const among = listNames(projects, unsafeText);
  const ofComment = safe`Comment`;
  const ofDeployment = safe`GitHub Deployment`;
  return [
    does(
      about,
      safe`The pull request is closed: ${hostname} is ${how}, if it is assigned to ${among}. If it is assigned to another project, it is kept, and the run fails. The project keeps what was deployed to it.`,
    ),
    does(
      safe`Pull request`,
      safe`The run checks its state on GitHub. If it is open again, the preview stays.`,
      ['pull-requests: read', safe`to check whether it is open again`],
    ),
    comment
      ? does(ofComment, safe`An existing comment is updated: the preview is removed.`, [
          'pull-requests: write',
          safe`to comment`,
        ])
      : leaves(ofComment, safe`comment is false.`),
    deployment
      ? does(ofDeployment, safe`The preview's GitHub Deployments are set inactive.`, [
          'deployments: write',
          safe`to set its deployments inactive`,
        ])
      : leaves(ofDeployment, safe`such runs are not recorded.`),
  ];
}
