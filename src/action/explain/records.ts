import type { PlannedRequest } from '../../deploy/work.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { Grant } from '../../report/explain/explanation.ts';
import type { ExplainFacts, Left, Sentence } from './facts.ts';

function sayOlder({ onOlder }: PlannedRequest): SafeText | undefined {
  if (onOlder === undefined) return undefined;
  const ends = onOlder === 'skip' ? safe`is skipped` : safe`fails`;
  return safe`If the commit is older than the last one that was deployed here with success, the run ${ends} before it writes (on-older).`;
}

const isNamed = ({ checks }: PlannedRequest): boolean =>
  checks?.declared.some(({ namesCommit }) => namesCommit) === true;

/** True if the commit may turn out to be live, so that it is not deployed. */
export const mayBeNeedless = ({ request }: ExplainFacts): boolean => request?.ifNeeded === true;

function sayNeeded(request: PlannedRequest): SafeText | undefined {
  if (request.ifNeeded !== true) return undefined;
  const undone = safe`If the commit was rolled back, the run is skipped (rolled-back); if that cannot be read, it fails.`;
  return isNamed(request)
    ? safe`${undone} If it is the last one that was deployed here with success, its checks hold, no variable is written, and none waits to be published, it is not deployed again (deploy: if-needed).`
    : safe`${undone} Else it is deployed, because no check names it by {sha} (deploy: if-needed).`;
}

/** True if a verified preview is asked for, or may be. */
const isGated = ({ request, work }: ExplainFacts): boolean =>
  request?.requireVerified === true ||
  (request?.requireVerified !== undefined && work.inProduction !== undefined);

function sayVerified(facts: ExplainFacts): SafeText | undefined {
  if (!isGated(facts)) return undefined;
  const where =
    facts.request?.requireVerified === true
      ? safe``
      : safe`If the project serves another domain than the run's own preview, it is production: `;
  const without = where === '' ? safe`Without` : safe`without`;
  return safe`${where}${without} a preview that had this commit's files, and whose checks held, the run fails (require-verified).`;
}

/** What our deployment records would be asked before the deployment. */
function sayEarlier(facts: ExplainFacts): SafeText | Left | undefined {
  const { request, values } = facts;
  if (request === undefined) return undefined;
  const { onOlder } = request;
  if (!values['github-deployment'] && onOlder !== undefined) {
    return {
      leaves: safe`github-deployment is false, so that no record says what was deployed here: the commit is deployed in any case.`,
    };
  }
  const parts = [sayVerified(facts), sayOlder(request), sayNeeded(request)];
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : joinSafe(said, ' ');
}

const toRead: Grant = {
  scope: 'deployments',
  level: 'read',
  why: safe`to read what was deployed before`,
};

function grantsOf(facts: ExplainFacts): Grant[] {
  const { onOlder, ifNeeded } = facts.request ?? {};
  const grants: Grant[] = [toRead];
  if ((onOlder ?? ifNeeded) !== undefined) {
    grants.push({ scope: 'contents', level: 'read', why: safe`to compare commits` });
  }
  if (!isGated(facts)) return grants;
  return [
    ...grants,
    { scope: 'contents', level: 'read', why: safe`to compare the files of commits` },
    { scope: 'pull-requests', level: 'read', why: safe`to see where a commit came from` },
  ];
}

/** What earlier deployments decide. */
export const earlierOnes: Sentence = {
  about: safe`Earlier deployments`,
  says: sayEarlier,
  grants: grantsOf,
};

/** What is done if the checks fail. */
export const wayBack: Sentence = {
  about: safe`Way back`,
  says: ({ request }) =>
    request?.rollsBack === true
      ? safe`If the checks fail, the last commit that our records call good is deployed again, once, unless it is this very one. Variables stay as they are then, and the run fails either way (on-failed-checks).`
      : undefined,
  grants: () => [toRead],
};
