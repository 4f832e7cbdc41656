import { type CommitInPart, isWhole } from '../../contract/commit.ts';
import { commitOf, defaultBranchOf } from '../../kernel/event.ts';
import { formatDuration } from '../../kernel/text/duration.ts';
import { listNames } from '../../kernel/text/list-names.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import type { Force } from '../../push/model/decide.ts';
import { countOf } from '../../report/closing.ts';
import type { Grant } from '../../report/explain/explanation.ts';
import { describeEvent, whereCommitIs } from './event.ts';
import type { ExplainFacts, Left, Sentence } from './facts.ts';
import { earlierOnes, wayBack } from './records.ts';
import { checkingOut, sayVariables, sayWorkspace } from './shared.ts';

function project({ request, values }: ExplainFacts): SafeText | Left {
  if (request === undefined) return { leaves: safe`project-id is empty, and nothing needs one.` };
  const { target, guarded } = request;
  const guard = guarded
    ? safe` If it serves a domain other than the run's own preview, the run fails before it writes: the code is not merged, and allow-production is false.`
    : safe``;
  if (target.kind === 'project') return safe`${trusted(target.id)}, as project-id says.${guard}`;
  if (target.kind === 'swap') {
    return safe`The one of ${listNames(target.swap.projects, trusted)} that serves none of ${listNames(target.swap.domains, trusted)}; the first, if neither does.`;
  }
  if (!values.deploy) {
    return safe`The one of ${listNames(target.from, trusted)} that this pull request has leased. If it has none, the run is skipped (no-preview), because deploy is false.`;
  }
  const [only, ...others] = target.from;
  if (only !== undefined && others.length === 0) {
    return safe`${trusted(only)}, the one project of preview-projects, if no other pull request has it.`;
  }
  const ignored =
    values['project-id'] === undefined
      ? safe``
      : safe` project-id is not used: it is for runs that are about no pull request.`;
  return safe`One of ${listNames(target.from, trusted)}: the one that this pull request has leased, or the first free one of preview-projects. If none is free, the run is skipped (no-free-preview-project).${ignored}`;
}

/** What says how much of a run is known before GitHub is asked. */
export type AssumedFacts = Pick<ExplainFacts, 'step' | 'values' | 'source'>;

/** True if only GitHub can say which commit it is. */
export const isCommitAssumed = ({
  step,
  values: { 'commit-sha': given },
}: AssumedFacts): boolean =>
  given === undefined ? commitOf(step.context.event).kind === 'pull-request' : !isWhole(given);

/** The commit that is assumed, in words. */
export function describeAssumed({ values: { 'commit-sha': given } }: AssumedFacts): SafeText {
  if (given === undefined || isWhole(given)) return safe`the head of the pull request`;
  return given === 'PREVIOUS'
    ? safe`the good release before what is live`
    : safe`the commit that begins with ${trusted(given.digits)}`;
}

/** How GitHub is asked for the commit that was given in part. */
function sayLookUp(given: CommitInPart): SafeText {
  return given === 'PREVIOUS'
    ? safe`The newest good release before the first one of what is live, if GitHub's records of earlier deployments say which that is, and it was not rolled back (commit-sha: PREVIOUS). If there is none, a record is missing or none can be read, the run fails.`
    : safe`The one that was released here and begins with ${trusted(given.digits)}; if none was, the one on the default branch. If several were, none is there, or GitHub cannot be asked, the run fails.`;
}

/** What GitHub is asked for the commit by. */
function grantsOfCommit({ values: { 'commit-sha': given } }: ExplainFacts): Grant[] {
  if (given === undefined || isWhole(given)) return [];
  const why = safe`to find the commit`;
  return [
    { scope: 'deployments', level: 'read', why },
    { scope: 'contents', level: 'read', why },
  ];
}

function commit(facts: ExplainFacts): SafeText | Left | undefined {
  const { request, values, step } = facts;
  if (request === undefined) return undefined;
  if (!values.deploy) return { leaves: safe`deploy is false.` };
  const { commit: sha } = request;
  const given = values['commit-sha'];
  if (given !== undefined) {
    if (!isWhole(given)) return sayLookUp(given);
    return sha === 'HEAD'
      ? safe`HEAD of the project's own repository, as commit-sha says.`
      : safe`${sha}, as commit-sha says.`;
  }
  if (sha === 'HEAD' || isCommitAssumed(facts)) {
    return safe`The head of the pull request, which the event does not say.`;
  }
  return safe`${sha}, ${whereCommitIs(step.context.event)}.`;
}

const forces = (force: Force): SafeText => {
  if (force === 'always')
    return safe`The branch may lose commits by it, but none that somebody pushes meanwhile.`;
  return force === 'never'
    ? safe`If the branch would lose commits by it, the run fails.`
    : safe`If the branch would lose commits by it, the run fails, unless its head is ${trusted(force.onlyFrom)}.`;
};

function push({ request, values, step, clean }: ExplainFacts): SafeText | Left | undefined {
  if (request === undefined || !values.deploy) return undefined;
  const { bringing, target } = request;
  if (bringing === undefined) {
    const leaves =
      values['git-url'] === undefined
        ? safe`git-url is empty, so the project's repository must have the commit already.`
        : safe`HEAD is in the project's repository already.`;
    return { leaves };
  }
  const isShown = values['github-deployment'] && defaultBranchOf(step.context.event) !== undefined;
  const adopts =
    bringing.adopts && isShown
      ? safe` A project that holds nothing but its template is adopted: its commit is kept as a branch.`
      : safe``;
  const where =
    target.kind === 'project'
      ? clean(bringing.addressOf(target.id) ?? '')
      : safe`the ${trusted(target.kind === 'swap' ? 'idle' : 'leased')} project's repository, as git-url says`;
  return safe`To the branch ${clean(bringing.branch)} of ${where}, unless that has the commit. ${forces(bringing.force)}${adopts}`;
}

function variables({
  request,
  values,
  declared,
  clean,
}: ExplainFacts): SafeText | Left | undefined {
  if (request === undefined) return undefined;
  return sayVariables(declared, values, values.deploy !== false, clean);
}

function workspace({ values, clean }: ExplainFacts): SafeText | undefined {
  return sayWorkspace(values, clean);
}

const ways = {
  auto: safe`its event stream and its status`,
  stream: safe`its event stream`,
  poll: safe`its status`,
} as const;

function deployment({ request, values }: ExplainFacts): SafeText | Left | undefined {
  if (request === undefined) return undefined;
  if (!values.deploy) return { leaves: safe`deploy is false: variables wait for the next one.` };
  const { wait, timeout } = values;
  return wait === 'none'
    ? safe`Asked for, and not followed: wait is none.`
    : safe`Asked for, and followed to its end by ${ways[wait]}, within what is left of timeout (${formatDuration(timeout)}).`;
}

function checks({ request, work, values }: ExplainFacts): SafeText | Left {
  const { declared } = request?.checks ?? work.watch ?? { declared: [] };
  if (declared.length === 0)
    return { leaves: safe`neither verify-url nor the site file asks for any.` };
  const count = countOf(declared.length, safe`check`);
  const when = values.deploy ? safe`once the deployment has succeeded` : safe`at once`;
  return safe`${count}, ${when}: each must hold twice in a row, a second apart, within verify-timeout (${formatDuration(values['verify-timeout'])}); else the run fails.`;
}

function swap({ request, clean }: ExplainFacts): SafeText | undefined {
  if (request?.target.kind !== 'swap') return undefined;
  const { preview, swap: asked } = request.target;
  const gets = safe`it gets ${listNames(asked.domains, trusted)}`;
  return asked.checks === undefined
    ? safe`Once it is deployed, ${gets}.`
    : safe`Once it is deployed and its checks hold at ${clean(preview.hostname)}, ${gets}. If the checks fail there, that is undone.`;
}

/** What is said of a deploy, in the order in which it is done. Another sentence is another entry. */
export const deploySentences: readonly Sentence[] = [
  { about: safe`Event`, says: ({ step, clean }) => describeEvent(step.context.event, clean) },
  { about: safe`Project`, says: project },
  { about: safe`Commit`, says: commit, grants: grantsOfCommit },
  {
    about: safe`Push`,
    says: push,
    grants: () => [
      { scope: 'contents', level: 'read', why: safe`to fetch the commit that is pushed` },
    ],
  },
  { about: safe`Variables`, says: variables },
  {
    about: safe`Workspace`,
    says: workspace,
    grants: () => [checkingOut],
  },
  earlierOnes,
  { about: safe`Deployment`, says: deployment },
  { about: safe`Checks`, says: checks },
  { about: safe`Domains`, says: swap },
  wayBack,
];
