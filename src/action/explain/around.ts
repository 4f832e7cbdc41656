import { formatDuration } from '../../kernel/text/duration.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { Grant } from '../../report/explain/explanation.ts';
import type { ExplainFacts, Left, Sentence } from './facts.ts';
import { type AssumedFacts, isCommitAssumed } from './sentences.ts';
import { sayKey } from './shared.ts';

/** True if a hostname holds what only GitHub can say. */
export function isHostnameAssumed(facts: AssumedFacts): boolean {
  const { source, values } = facts;
  const template = values['preview-domain'] ?? '';
  const asked = source?.kind === 'by-number' || source?.kind === 'by-branch' ? source : undefined;
  const unknown = [
    ...(asked !== undefined && asked.branch === undefined ? ['{branch}'] : []),
    ...(asked?.kind === 'by-branch' ? ['{number}'] : []),
    ...(isCommitAssumed(facts) ? ['{sha}'] : []),
  ];
  return unknown.some((placeholder) => template.includes(placeholder));
}

/** A preview's hostname; where only GitHub can say it, the template that it will come from. */
export const hostnameOf = (
  facts: AssumedFacts & Pick<ExplainFacts, 'clean'>,
  hostname: string,
): SafeText =>
  isHostnameAssumed(facts)
    ? safe`${facts.clean(facts.values['preview-domain'] ?? '')}, filled in once that is known,`
    : facts.clean(hostname);

/** Why a run has no preview. */
const whyNone = ({ values }: ExplainFacts): SafeText =>
  values['preview-domain'] === undefined
    ? safe`preview-domain is empty.`
    : safe`preview-domain has {number}, and the event is about no pull request.`;

function domain(facts: ExplainFacts): SafeText | Left | undefined {
  const { request, values } = facts;
  if (request === undefined) return undefined;
  const { preview } = request.target;
  if (preview === undefined) return { leaves: whyNone(facts) };
  const name = hostnameOf(facts, preview.hostname);
  const record =
    preview.ownership.by === 'record'
      ? safe` If it is assigned already, only our own record on GitHub, which would be read, can say that it is this pull request's; else the run fails.`
      : safe``;
  const foreign = safe` If it serves a project that no input of this run names${preview.ownership.by === 'record' ? safe`, nor our record` : safe``}, the run fails before it writes.`;
  const pending = preview.onPending === 'fail' ? safe`the run fails` : safe`the run warns`;
  const isAsked = preview.onPending === values['on-domain-pending'];
  const why = isAsked ? safe`on-domain-pending` : safe`swap-projects: its checks could not be run`;
  return safe`${name} is connected if need be, assigned to the project, and its verification followed for ${formatDuration(preview.timeout)}; if it is not verified by then, ${pending} (${why}).${foreign}${record}`;
}

function open({ request }: ExplainFacts): SafeText | undefined {
  return request?.target.preview?.isOpen === undefined
    ? undefined
    : safe`GitHub would be asked whether the pull request is still open, before the preview is placed and once more at the end. If it was closed, the preview is taken back.`;
}

function sweep({ work, values }: ExplainFacts): SafeText | undefined {
  if (work.sweep === undefined) return undefined;
  const how = values['disconnect-on-close'] ? safe`disconnected` : safe`no longer assigned`;
  const told = [
    ...(values.comment === 'false' ? [] : [safe`its comment`]),
    ...(values['github-deployment'] ? [safe`its GitHub Deployment`] : []),
  ];
  const says =
    told.length === 0 ? safe`` : safe` As after a close, ${joinSafe(told, ' and ')} says so.`;
  return safe`Each hostname of preview-domain that is assigned to one of these projects, and whose pull request GitHub says is closed, is ${how}.${says}`;
}

/** What a sweep asks GitHub for, and writes there. */
function grantsOfSweep({ values }: ExplainFacts): Grant[] {
  const grants: Grant[] = [
    { scope: 'pull-requests', level: 'read', why: safe`to see which are closed` },
  ];
  if (values.comment !== 'false') {
    grants.push({ scope: 'pull-requests', level: 'write', why: safe`to say so in their comments` });
  }
  if (values['github-deployment']) {
    const why = safe`to end their GitHub Deployments`;
    grants.push({ scope: 'deployments', level: 'write', why });
  }
  return grants;
}

function comment({ work, source }: ExplainFacts): SafeText | Left | undefined {
  if (work.sweep !== undefined) return undefined;
  const planned = work.record.comment;
  if (planned === undefined) {
    const leaves =
      source === undefined ? safe`the event is about no pull request.` : safe`comment is false.`;
    return { leaves };
  }
  const where =
    source?.kind === 'by-branch'
      ? safe`On the pull request`
      : safe`On pull request #${planned.number}`;
  return safe`${where}, one that is edited in place: when the deployment begins, and at the end.`;
}

function record({ work, values, clean, source }: ExplainFacts): SafeText | Left | undefined {
  if (work.sweep !== undefined) return undefined;
  const { deployment } = work.record;
  if (deployment !== undefined) {
    const isAssumed = source?.kind === 'by-branch' && values['environment-name'] === undefined;
    const environment = isAssumed
      ? safe`preview/pr-N, N its number`
      : clean(deployment.environment);
    const production =
      work.inProduction === undefined || values['environment-name'] !== undefined
        ? safe``
        : safe` If the project serves another domain than the run's own preview: in production.`;
    return safe`In the environment ${environment}: as in progress, and then as the run ended.${production}`;
  }
  if (!values['github-deployment']) return { leaves: safe`github-deployment is false.` };
  return values.deploy
    ? { leaves: safe`GitHub does not know the HEAD of the project's own repository.` }
    : { leaves: safe`nothing is deployed.` };
}

/** What is said of all that is around a deploy. Another sentence is another entry. */
export const sentencesAround: readonly Sentence[] = [
  { about: safe`Preview domain`, says: domain },
  {
    about: safe`Pull request`,
    says: open,
    grants: () => [
      { scope: 'pull-requests', level: 'read', why: safe`to see whether it is still open` },
    ],
  },
  {
    about: safe`Sweep`,
    says: sweep,
    grants: grantsOfSweep,
  },
  {
    about: safe`Comment`,
    says: comment,
    grants: () => [{ scope: 'pull-requests', level: 'write', why: safe`to comment` }],
  },
  {
    about: safe`GitHub Deployment`,
    says: record,
    grants: () => [{ scope: 'deployments', level: 'write', why: safe`to record the deployment` }],
  },
  { about: safe`Key`, says: ({ values }) => sayKey(values) },
];
