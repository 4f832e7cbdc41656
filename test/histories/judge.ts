import type { Happening, Look, Played, PlayedRun } from './played.ts';

/** A request of a run, and its answer if one came back to it. */
interface Exchange {
  by: PlayedRun;
  side: 'service' | 'github';
  method: string;
  path: string;
  body: Record<string, unknown>;
  /** The place in the timeline when the run sent it, and when it reached the server. */
  asked: number;
  at: number;
  answer: (Extract<Happening, { what: 'answered' }> & { at: number }) | undefined;
}

interface Version {
  id: string;
  name: string;
  version: number;
}

/** How a promise was broken; false or undefined if it was not. */
type Broken = string | false | undefined;

/** Each promise, with how a history breaks it. */
type Promises = Readonly<
  Record<string, (played: Played, all: readonly Exchange[]) => readonly Broken[]>
>;

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function exchangesOf({ timeline, runs }: Played): Exchange[] {
  const answers = new Map(
    timeline.flatMap((one, at) =>
      one.what === 'answered' ? [[one.request, { ...one, at }] as const] : [],
    ),
  );
  return timeline.flatMap((one, at) => {
    const by = one.what === 'sent' && runs.find(({ run }) => run === one.run);
    return by ? [{ ...one, by, body: objectOf(one.body), at, answer: answers.get(at) }] : [];
  });
}

type Judge<Subject> = (
  subject: Subject,
  own: Exchange[],
  played: Played,
  all: readonly Exchange[],
) => Broken;

const ownOf = (run: PlayedRun, all: readonly Exchange[]) => all.filter(({ by }) => by === run);
const ofRun = ({ run }: PlayedRun, how: Broken): Broken => how && `run ${run}: ${how}`;

/** Judges each run by itself. @param broken is given the run's own requests */
const eachRun =
  (broken: Judge<PlayedRun>): Promises[string] =>
  (played, all) =>
    played.runs.map((run) => ofRun(run, broken(run, ownOf(run, all), played, all)));

/** Judges each request by itself. @param broken is given all requests of the same run */
const eachRequest =
  (broken: Judge<Exchange>): Promises[string] =>
  (played, all) =>
    all.map((one) => ofRun(one.by, broken(one, ownOf(one.by, all), played, all)));

const isGood = ({ answer }: Exchange): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;
const isRelease = ({ path }: Exchange): boolean =>
  /^\/v1\/projects\/[^/]+\/deployments$/.test(path);
const isPost = (one: Exchange): boolean => one.method === 'POST' && isRelease(one);
const isOfVariables = ({ path, side }: Exchange): boolean =>
  side === 'service' && path.includes('/environment');
const idIn = ({ path }: Exchange): string => /environment\/(.+)$/.exec(path)?.[1] ?? '';

/** What the answers that a run was given show of the variables of a project, before a place of the timeline. */
const shownBefore = (own: readonly Exchange[], before: number): Version[][] =>
  own.flatMap((one) => {
    const { variables } = objectOf(one.answer?.body) as { variables?: Version[] };
    const isShown = isOfVariables(one) && one.answer?.isTold === true && one.answer.at < before;
    return isShown && Array.isArray(variables) ? [variables] : [];
  });

/** The place of a run's start and of its end. */
function spanOf({ timeline }: Played, { run }: PlayedRun): [number, number] {
  const at = (what: 'started' | 'ended') =>
    timeline.findIndex((one) => one.what === what && 'run' in one && one.run === run);
  return [at('started'), at('ended')];
}

/** The states of the service from a run's start to its end. */
function statesDuring(played: Played, run: PlayedRun): Look[] {
  const [from, to] = spanOf(played, run);
  const during = played.timeline.slice(from, to).filter((one) => one.what === 'state');
  return [run.before, ...during, run.after];
}

const projectIn = (look: Look, id = '') => look.projects.find((project) => project.id === id);
const placeOf = (look: Look, hostname: string) =>
  look.domains.find((domain) => domain.hostname === hostname)?.projectId ?? null;
/** The commit that a project serves, of the deployment that succeeded last: several if they ended at the same time. */
function liveIn(look: Look, id: string | null | undefined): string[] {
  const all = projectIn(look, id ?? '')?.deployments ?? [];
  const good = all.filter(({ status }) => status === 'succeeded');
  const latest = Math.max(...good.map(({ endedAt }) => endedAt ?? 0));
  return good.filter(({ endedAt }) => endedAt === latest).map(({ commit }) => commit);
}
const hostnameOf = (number: number): string => `pr-${number}.preview.example.com`;
const hostnameIn = ({ path }: Exchange): string =>
  /^\/connected-domains\/([^/]+)\//.exec(path)?.[1] ?? '';
const numberOf = (hostname: string): number => Number(/^pr-(\d+)\./.exec(hostname)?.[1]);
const numberIn = ({ cause }: PlayedRun): number | undefined =>
  'number' in cause ? cause.number : undefined;
const isClose = ({ cause }: PlayedRun): boolean => 'action' in cause && cause.action === 'closed';
const isPull = (look: Look, number: number, state: 'open' | 'closed'): boolean =>
  look.pulls.some((pull) => pull.number === number && pull.state === state);
const outputsOf = ({ result }: PlayedRun): Record<string, string> => result?.outputs ?? {};
/** How many variables of a run ended so. */
const countOf = (run: PlayedRun, how: string): number =>
  JSON.parse(outputsOf(run)['env-summary'] || '{}')[how] ?? 0;
const says = ({ result }: PlayedRun, what: RegExp): boolean =>
  result?.texts.some((text) => what.test(text)) === true;
/** True if GitHub was too slow for it, as on a busy machine, which it says. */
const couldNot = (run: PlayedRun, what: string): boolean =>
  says(run, new RegExp(`Could not ${what}.*SD8003`));
/** True if all went well with it but for a wait. */
const isUntroubled = ({ struck }: PlayedRun): boolean => struck === null || struck.kind === 'hold';
const isDead = ({ struck }: PlayedRun): boolean => /kill|cancel/.test(struck?.kind ?? '');

const ofVariables: Promises = {
  'a write names a version that the run was shown': eachRequest((one, own) => {
    if (!isOfVariables(one) || idIn(one) === '') return false;
    const { expectedVersion } = one.body;
    const isShown = shownBefore(own, one.asked)
      .flat()
      .some(({ id, version }) => id === idIn(one) && version === expectedVersion);
    return !isShown && `${one.method} with version ${expectedVersion}`;
  }),

  'a variable is created once': eachRequest((one, own) => {
    if (!isOfVariables(one) || one.method !== 'POST') return false;
    const { name } = one.body;
    const isThere = shownBefore(own, one.asked)
      .at(-1)
      ?.some((variable) => variable.name === name);
    if (isThere) return `created ${name}, which it was shown`;
    const { answer, at: from = 0 } =
      own.findLast(
        ({ method, path, body, at }) =>
          at < one.at && method === 'POST' && body['name'] === name && path === one.path,
      ) ?? {};
    // What was refused before it reached the service leaves no answer of the service, but no effect either.
    if (answer === undefined || (answer.isTold && [429, 503].includes(answer.status))) return false;
    const isRead = own.some(
      ({ method, path, at, answer: read }) =>
        method === 'GET' && path === one.path && read?.isTold === true && at > from && at < one.at,
    );
    return !isRead && `created ${name} twice, blindly`;
  }),

  'what nobody declared stays': ({ timeline, end, projects, runs }) =>
    Object.entries(projects).flatMap(([project, id]) =>
      ['UNDECLARED', 'OLD'].map((name) => {
        if (name === 'OLD' && runs.some(({ inputs }) => inputs['env-remove'] === 'OLD'))
          return false;
        const acts = timeline.flatMap((one) => (one.what === 'act' ? [one.act] : []));
        const last = acts.findLast(
          (act) =>
            (act.do === 'set' || act.do === 'unset') &&
            act.project === project &&
            act.name === name,
        );
        if (last?.do === 'unset') return false;
        const wanted = last?.do === 'set' ? last.value : `first ${name}`;
        const found = projectIn(end, id)?.variables.find((variable) => variable.name === name);
        return found?.value !== wanted && `${name} of ${project} is ${found?.value}, not ${wanted}`;
      }),
    ),

  'only what is named is deleted': eachRequest((one, own) => {
    const shown = shownBefore(own, one.asked).flat();
    const name = shown.find(({ id }) => id === idIn(one))?.name;
    const isDeletion = one.method === 'DELETE' && isOfVariables(one);
    return isDeletion && one.by.inputs['env-remove'] !== name && `deleted ${name}`;
  }),

  // A run that wrote it before has told the ledger so, unless runs beside each other each kept words of the other's.
  'what a person wrote is kept if the run says so': eachRequest((one, _, played, all) => {
    const { by: run, method } = one;
    const { 'env-on-conflict': policy, 'project-id': project } = run.inputs;
    if (!['PUT', 'DELETE'].includes(method) || !['keep', 'fail'].includes(`${policy}`))
      return false;
    const name = projectIn(run.before, project)?.variables.find(({ id }) => id === idIn(one))?.name;
    const [start] = spanOf(played, run);
    const edit = played.timeline.findLastIndex(
      (other, at) =>
        at < start &&
        other.what === 'act' &&
        other.act.do === 'set' &&
        other.act.name === name &&
        played.projects[other.act.project] === project,
    );
    const before = played.runs.filter((other) => other.run < run.run);
    // On a busy machine the cache may be too slow for a run, which says so.
    const isLate = [...before, run].some((other) =>
      says(other, /Actions cache: no response within/),
    );
    const isAlone = before.every(
      (other) => numberIn(other) !== undefined || spanOf(played, other)[1] < edit,
    );
    const isOurs = all.some(
      (write) =>
        before.includes(write.by) &&
        isUntroubled(write.by) &&
        ['succeeded', 'synced'].includes(outputsOf(write.by)['outcome'] ?? '') &&
        write.by.ledgerKey === run.ledgerKey &&
        isGood(write) &&
        (write.method === 'PUT'
          ? write.path === one.path
          : write.method === 'POST' &&
            one.path.startsWith(`${write.path}/`) &&
            write.body['name'] === name),
    );
    // What a later run has overwritten is no longer what the person wrote.
    const isThere = !all.some(
      (write) =>
        write.at > edit &&
        write.at < start &&
        write.path === one.path &&
        write.method === 'PUT' &&
        isGood(write),
    );
    const isKnown = played.history.hasLedger && edit !== -1 && isOurs && isAlone && !isLate;
    return isKnown && isThere && `${method} under ${policy}`;
  }),

  'what is said to be written or unchanged is so': eachRun((run, _, played) => {
    const outputs = outputsOf(run);
    const isDone = ['succeeded', 'synced'].includes(outputs['outcome'] ?? '');
    if (!isDone || run.inputs['mode'] === 'plan') return false;
    const project = outputs['project-id'] || run.inputs['project-id'];
    if (countOf(run, 'kept') + countOf(run, 'conflicts') > 0) return false;
    const [missing] =
      Object.entries(run.declared).find(([name, value]) =>
        statesDuring(played, run).every(
          (look) =>
            !projectIn(look, project)?.variables.some(
              (variable) => variable.name === name && variable.value === value,
            ),
        ),
      ) ?? [];
    return missing && `${missing} never had its value`;
  }),

  'what is not asked for is not done: by a plan, after a conflict, without deploy': eachRun(
    (run, own) => {
      const mayRelease = countOf(run, 'conflicts') === 0 && run.inputs['deploy'] !== 'false';
      const unasked = own.filter(
        (one) =>
          one.side === 'service' &&
          one.method !== 'GET' &&
          !one.path.endsWith('/status') &&
          (run.inputs['mode'] === 'plan' || (!mayRelease && isRelease(one))),
      );
      return unasked.map(({ path }) => path).join();
    },
  ),

  'variables come before the deployment': eachRequest((one, own) => {
    const isLate = own.some((other) => isPost(other) && other.at < one.at);
    return one.method !== 'GET' && isOfVariables(one) && isLate && `${one.method} too late`;
  }),
};

/** True of a record of a success that counts for a run. */
function isOwn(
  { runs }: Played,
  { sha, environment, states }: Look['records'][number],
  { ledgerKey }: PlayedRun,
): boolean {
  const isReadable =
    runs.every((run) => run.ledgerKey === ledgerKey) ||
    runs.every((run) => run.commit !== sha || run.ledgerKey === ledgerKey);
  return isReadable && environment === 'production' && states.at(-1) === 'success';
}

const ofReleases: Promises = {
  // Other runs may end successes while this one reads: it is older than all that it may have read.
  'an older commit never goes over a newer one': eachRun((run, own, played, all) => {
    const { cause, before, inputs, commit = '' } = run;
    const minds = inputs['on-older'] === 'skip' || inputs['on-older'] === 'fail';
    // Who is held beyond a time limit can't read earlier deployments, and says so.
    const isBlind = run.struck !== null && says(run, /on-older can't be decided.*SD8003/);
    if (!minds || cause.event !== 'push' || !isUntroubled(run) || isBlind) return false;
    const place = (sha: string) => played.commits.indexOf(sha);
    const sent = own.find(
      (one) =>
        one.method !== 'GET' &&
        (isRelease(one) ? one.body['versionId'] === commit : isOfVariables(one)) &&
        (inputs['deploy'] === 'true' || isRelease(one)),
    );
    if (sent === undefined) return false;
    const [start] = spanOf(played, run);
    // A record that a person deletes before it is read tells nothing.
    const isForgotten = played.timeline
      .slice(start, sent.at)
      .some((one) => one.what === 'act' && one.act.do === 'forget');
    const left = isForgotten ? played.end.records : before.records;
    const good = before.records.filter(
      (record) => isOwn(played, record, run) && left.some(({ id }) => id === record.id),
    );
    if (good.length === 0) return false;
    const since = all.filter(
      ({ path, body, at }) =>
        /statuses$/.test(path) && body['state'] === 'success' && at > start && at < sent.at,
    );
    const ids = since.map(({ path }) => Number(/deployments\/(\d+)/.exec(path)?.[1]));
    const later = played.end.records.filter(({ id }) => ids.includes(id));
    const isOlder = [...good, ...later].every(({ sha }) => place(commit) < place(sha));
    return isOlder && `${sent.method} ${sent.path} for commit ${place(commit)}`;
  }),

  'what is told of a deployment is its own': eachRun((run, own, { end }) => {
    const { 'deployment-id': id, outcome, ...outputs } = outputsOf(run);
    if (!id) return false;
    const isOwn = own.some(
      (one) => isRelease(one) && objectOf(one.answer?.body)['deploymentId'] === id,
    );
    const found = end.projects
      .flatMap(({ deployments }) => deployments)
      .find((one) => one.id === id);
    const isGood = found?.status === 'succeeded';
    if (!isOwn) return `tells of deployment ${id}, which is not its own`;
    if (outputs['deployment-status'] === 'failed' && isGood) return 'failed, although it succeeded';
    if (outcome !== 'succeeded') return false;
    if (!isGood) return `succeeded, ${found?.status}`;
    return found.commit !== outputs['commit-sha'] && 'another commit was deployed';
  }),

  'what is told to be live is live': eachRun((run, _, played) => {
    const { 'live-commit': live, 'project-id': project } = outputsOf(run);
    const looks = statesDuring(played, run);
    return live && !looks.some((look) => liveIn(look, project).includes(live)) && `not ${live}`;
  }),

  'a key stands for one request': (_, all) => {
    const keyed = all.filter(({ body, side }) => side === 'service' && 'idempotencyKey' in body);
    return keyed.flatMap((one, index) =>
      keyed.slice(index + 1).map((other) => {
        const isSameKey = one.body['idempotencyKey'] === other.body['idempotencyKey'];
        const isSamePlace = one.by === other.by && one.path === other.path;
        const isSame = isSamePlace && JSON.stringify(one.body) === JSON.stringify(other.body);
        const isAgain =
          isSamePlace && isRelease(one) && one.body['versionId'] === other.body['versionId'];
        // A service may refuse a key whose answer was lost: then there is another one, and the run says so.
        const isTold =
          outputsOf(one.by)['deployment-repeated'] === 'true' &&
          keyed.some(
            ({ by, body, answer, at }) =>
              by === one.by &&
              body['idempotencyKey'] === one.body['idempotencyKey'] &&
              answer?.status === 409 &&
              at < other.at,
          );
        return isSameKey
          ? !isSame && `runs ${one.by.run} and ${other.by.run}: ${one.path}`
          : isAgain && !isTold && `run ${one.by.run} requested its deployment twice`;
      }),
    );
  },
};

const week = 7 * 86_400_000;

/** True if a preview was in use for all of a sweep: by its label, its newest release, or a run in progress. */
function isUsed(
  played: Played,
  sweep: PlayedRun,
  number: number,
  all: readonly Exchange[],
): boolean {
  const [start, end] = spanOf(played, sweep);
  const acts = played.timeline
    .slice(start, end)
    .flatMap((one) => (one.what === 'act' ? [one.act.do] : []));
  const isLabeled = [sweep.before, sweep.after].every(({ pulls }) =>
    pulls.some((pull) => pull.number === number && pull.isKept),
  );
  if (isLabeled && !acts.includes('label')) return true;
  const makers = new Map(
    all
      .filter(({ method, path }) => method === 'POST' && /^\/repos.*\/deployments$/.test(path))
      .map(({ answer, by }) => [objectOf(answer?.body)['id'], by] as const),
  );
  return sweep.before.records.some(({ id, environment, createdAt }) => {
    const maker = makers.get(id);
    // What another key has signed is not believed.
    const isRead = environment === `preview/pr-${number}` && maker?.ledgerKey === sweep.ledgerKey;
    if (maker === undefined || !isRead || acts.includes('forget')) return false;
    const isYoung = Date.now() - Date.parse(createdAt) < week && !acts.includes('age');
    return isYoung || spanOf(played, maker)[1] > end;
  });
}

const ofPreviews: Promises = {
  // Who leases a project assigns it, and looks then: for that long two may have it, and only the first may deploy.
  'a project has one preview': eachRequest((one, _, { timeline }) => {
    const number = numberIn(one.by);
    if (!isPost(one) || number === undefined) return false;
    let since = new Map<string, { projectId: string | null; at: number }>();
    for (const [at, state] of timeline.slice(0, one.at).entries()) {
      if (state.what !== 'state') continue;
      since = new Map(
        state.domains.map(({ hostname, projectId }) => {
          const before = since.get(hostname);
          return [hostname, before?.projectId === projectId ? before : { projectId, at }];
        }),
      );
    }
    const own = since.get(hostnameOf(number));
    const isTaken = [...since.values()].some(
      ({ projectId, at }) => projectId !== null && projectId === own?.projectId && at < own.at,
    );
    return isTaken && 'deploys to the project of another pull request';
  }),

  'no two previews are left on a project': ({ history, end, projects, runs }) => {
    const isHindered =
      !runs.every(isUntroubled) || history.dialect.refuse?.includes('assignDomain');
    const places = end.domains.flatMap(({ projectId }) => projectId ?? []);
    const ours = places.filter((id) => id !== projects['foreign']);
    return isHindered || new Set(ours).size === ours.length ? [] : [`${ours}`];
  },

  'a project with another preview is left alone': eachRequest(({ by, path, body }, _, played) => {
    const { projectId } = body;
    if (!path.startsWith('/connected-domains') || typeof projectId !== 'string') return false;
    const isTaken = statesDuring(played, by).every((look) =>
      look.domains.some(
        (other) => other.projectId === projectId && numberOf(other.hostname) !== numberIn(by),
      ),
    );
    return isTaken && 'took a project that serves another pull request';
  }),

  'a run writes to its own preview alone, and a sweep to no open one': eachRequest(
    ({ by, path }, _, played, all) => {
      const [, hostname] =
        /^\/connected-domains\/([^/]+)\/(?:project|disconnect)$/.exec(path) ?? [];
      if (hostname === undefined) return false;
      const number = numberOf(hostname);
      const own = numberIn(by);
      if (own !== undefined) return own !== number && `wrote to ${hostname}`;
      const [start, end] = spanOf(played, by);
      const isChanged = played.runs.some((other) => {
        const [at] = spanOf(played, other);
        return numberIn(other) === number && at > start && at < end;
      });
      const isOpen = [by.before, by.after].every((look) => isPull(look, number, 'open'));
      const isIdle = by.inputs['preview-idle'] !== undefined && !isUsed(played, by, number, all);
      return isOpen && !isChanged && !isIdle && `ended the preview of ${number}, which is open`;
    },
  ),

  'a hostname of a project that is not known stays': eachRequest((one, _, played) => {
    const hostname = hostnameIn(one);
    const isForeign = statesDuring(played, one.by)
      .slice(0, 2)
      .every((look) => placeOf(look, hostname) === played.projects['foreign']);
    return (
      one.method === 'POST' && isForeign && `wrote to ${hostname}, which serves another project`
    );
  }),

  'what is told to be removed is removed': eachRun((run, _, played) => {
    const number = numberIn(run);
    if (outputsOf(run)['outcome'] !== 'cleaned-up' || number === undefined) return false;
    const pool = [played.projects['a'], played.projects['b']];
    const isThere = statesDuring(played, run).every((look) =>
      pool.includes(placeOf(look, hostnameOf(number)) ?? ''),
    );
    return isThere && 'removed nothing';
  }),

  'an address is told only of a preview that is there': eachRun((run, _, played) => {
    const { 'preview-url': url, 'project-id': project } = outputsOf(run);
    const isThere = statesDuring(played, run).some((look) =>
      look.domains.some(
        ({ hostname, projectId, state }) =>
          url === `https://${hostname}` && projectId === project && state === 'active',
      ),
    );
    return url && !isThere && `${url} is not there`;
  }),

  'nothing is live for a pull request that was closed before its deployment': eachRun(
    (run, own, played) => {
      const posted = own.find(isPost);
      const isDone = outputsOf(run)['outcome'] === 'succeeded';
      if (numberIn(run) === undefined || !posted || !isDone || !isUntroubled(run)) return false;
      const [, end] = spanOf(played, run);
      const last = played.runs.findLast(
        (other) =>
          'action' in other.cause &&
          numberIn(other) === numberIn(run) &&
          spanOf(played, other)[0] < end,
      );
      const isClosed = last && isClose(last) && spanOf(played, last)[0] < posted.at;
      return isClosed && `succeeded for ${numberIn(run)}`;
    },
  ),

  'the preview of a closed pull request ends': (played, sent) =>
    played.end.pulls.map(({ number, state }) => {
      const isMoved = played.history.acts.some((act) => act.do === 'move');
      const hostname = hostnameOf(number);
      // A key that may not clear the domain is told so.
      const isRefused = sent.some(
        (one) => hostnameIn(one) === hostname && one.answer?.status === 403,
      );
      if (state === 'open' || placeOf(played.end, hostname) === null || isMoved || isRefused)
        return false;
      const all = played.runs.filter(
        (run) => numberIn(run) === number || run.cause.event === 'sweep',
      );
      const hasClosed = all.some(
        (run) =>
          isClose(run) &&
          outputsOf(run)['outcome'] === 'cleaned-up' &&
          isPull(run.after, number, 'closed'),
      );
      return hasClosed && all.every(isUntroubled) && `${hostname} is still assigned`;
    }),
};

const isReport = ({ inputs }: PlayedRun): boolean => inputs['drift-issue'] === 'true';
const isReported = (run: PlayedRun): boolean =>
  isUntroubled(run) &&
  outputsOf(run)['outcome'] === 'planned' &&
  !couldNot(run, 'write the drift issue');

const ofDrift: Promises = {
  'drift that an issue reports does not fail': eachRun((run) => {
    if (!isReport(run) || !isReported(run) || run.result?.conclusion === 'success') return false;
    return (
      /Could not write the drift issue.*/.exec(run.result?.texts.join('\n') ?? '')?.[0] ??
      'it failed'
    );
  }),

  // After a report beside which there was nothing else.
  'the drift issue that is told is the only one open': (played) => {
    const reports = played.runs.filter(isReport);
    const last = reports.at(-1);
    if (last === undefined || !isReported(last)) return [];
    const [start] = spanOf(played, last);
    const isAlone = reports.every((run) => run === last || spanOf(played, run)[1] < start);
    const isClosed = played.timeline
      .slice(start)
      .some((one) => one.what === 'act' && one.act.do === 'close');
    const [, told = ''] =
      /The drift is in \S+\/issues\/(\d+)/.exec(last.result?.texts.join('\n') ?? '') ?? [];
    const open = played.issues.filter(({ state }) => state === 'open');
    const found = open.map(({ number }) => number).join();
    return [isAlone && !isClosed && found !== told && `open: ${found}, told: ${told}`];
  },

  'no issue has a value': ({ timeline, runs }, all) => {
    const acts = timeline.flatMap((one) => (one.what === 'act' ? [one.act] : []));
    const values = [
      ...acts.flatMap((act) => (act.do === 'set' ? [act.value] : [])),
      ...runs.flatMap(({ declared }) => Object.values(declared)),
      'first OLD',
      'first UNDECLARED',
    ].filter((value) => value.length > 5);
    return all
      .filter(({ path }) => /\/issues(?:\/\d+)?$/.test(path))
      .flatMap(({ by, body }) => {
        const text = JSON.stringify(body);
        return values.map((value) => text.includes(value) && `run ${by.run} wrote ${value}`);
      });
  },
};

const ofTexts: Promises = {
  'a pull request has one comment of a kind': ({ comments }) => {
    const own = comments.filter(isOurs);
    const keyOf = ({ number, body }: (typeof own)[number]) =>
      `${number}${/ key=(\S*)/.exec(body)?.[1]}`;
    return [...Map.groupBy(own, keyOf).values()].map(
      (same) => same.length > 1 && `pull request ${same[0]?.number} has ${same.length}`,
    );
  },

  // By the words of the newest run: not if an older one, which may not replace them, has deployed after it.
  'a comment tells the truth at the end': ({ comments, end, history, runs, projects }, all) =>
    comments.map((one) => {
      const { number, body } = one;
      const isMoved = history.acts.some((act) => act.do === 'move' && act.number === number);
      const isHindered = runs.some(
        (run) =>
          (numberIn(run) ?? number) === number &&
          (!isUntroubled(run) || couldNot(run, 'write the comment')),
      );
      const last = all.findLast((other) => isPost(other) && numberIn(other.by) === number);
      const isOvertaken = last && newnessOf(last.by) < (orderOf(body)?.at ?? 0);
      if (!isOurs(one) || isMoved || isHindered || isOvertaken) return false;
      const title = /^### (.*)$/m.exec(body)?.[1] ?? '';
      const place = placeOf(end, hostnameOf(number));
      const isThere = place !== null && place !== projects['foreign'];
      const [, commit = ''] = /^<!-- site-deploy-live \S+ (\w+) -->$/m.exec(body) ?? [];
      const isLive = isThere && liveIn(end, place).includes(commit);
      const isTrue = title.includes('is removed') ? !isThere : isLive || !title.includes('is live');
      return !isTrue && `${title}: ${place} has ${liveIn(end, place)}, not ${commit}`;
    }),

  // GitHub has no conditional write: of runs under way at once, the older one may write last if it read first.
  // One that has another key can't tell its words from a forgery.
  'the words of a newer run stay': eachRequest((one, all, { runs }) => {
    const order = orderOf(String(one.body['body']));
    if (one.method !== 'PATCH' || order === undefined) return false;
    const own = all.filter(({ path, at }) => at < one.at && path.includes('/comments'));
    const read = own.findLast(({ method, answer }) => method === 'GET' && answer?.isTold === true);
    const found = [read?.answer?.body].flat().map(objectOf);
    const body = found.find(({ id }) => one.path.endsWith(`/${id}`))?.['body'];
    const seen = orderOf(String(body));
    if (own.at(-1)?.method !== 'GET' || seen === undefined) return 'did not read what it overwrote';
    const isReadable = runs.some(
      (run) => newnessOf(run) === seen.at && run.ledgerKey === one.by.ledgerKey,
    );
    const isNewer = seen.key === order.key && seen.at > order.at;
    return isNewer && isReadable && `overwrote the words of run ${seen.at}`;
  }),

  'a run that has ended says so, however it ended': eachRun((run, own, { comments, end }) => {
    if (!isUntroubled(run) && !isDead(run)) return false;
    const marker = ` run=${run.runId} attempt=${run.attempt} `;
    const isSaid = comments.some(
      (one) => isOurs(one) && one.body.includes(marker) && /deploying …/.test(one.body),
    );
    const made = own
      .filter((one) => /^\/repos.*\/deployments$/.test(one.path) && one.method === 'POST')
      .filter(isGood)
      .map(({ answer }) => objectOf(answer?.body)['id']);
    // Without a state, it is pending.
    const isRecorded = end.records.some(
      ({ id, states: [state = 'in_progress', ...later] }) =>
        made.includes(id) && (later.at(-1) ?? state) === 'in_progress',
    );
    if (isSaid && !couldNot(run, 'write the comment')) return 'still deploying, by its comment';
    return (
      isRecorded && !couldNot(run, 'record the') && 'still in progress, by its GitHub deployment'
    );
  }),

  'no text has a secret': (played, all) => {
    const secrets = played.runs.flatMap((run) => run.secrets);
    const forms = secrets.flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64').slice(0, -4),
    ]);
    const texts = [
      ...played.runs.map(({ run, result }) => [`run ${run}`, result?.texts.join('\n')] as const),
      ...all
        .filter(({ side }) => side === 'github')
        .map((one) => [`${one.method} ${one.path}`, JSON.stringify(one.body)] as const),
      ['the comments', JSON.stringify(played.comments)] as const,
      ['the GitHub deployments', played.recordTexts] as const,
    ];
    return texts.flatMap(([where, text = '']) =>
      forms.filter((form) => text.includes(form)).map((form) => `${form} is in ${where}`),
    );
  },

  'GitHub finds nothing wrong': ({ violations }) => violations,
  'every run has an end': eachRun(
    (run) => !outputsOf(run)['outcome'] && !run.struck?.kind.startsWith('kill') && 'no outcome',
  ),
};

/** Of which kind a comment is, and how new the run is that wrote it: pull requests have a kind each of their project. */
function orderOf(body: string): { key: string; at: number } | undefined {
  const [, key, run, attempt] =
    /^<!-- site-deploy key=(\S*) run=(\d+) attempt=(\d+)/.exec(body) ?? [];
  const [, number = ''] = /(?:Preview of #\u200d?)(\d+)/.exec(body) ?? [];
  return key === undefined || run === undefined || number === ''
    ? undefined
    : { key: `${number} ${key}`, at: newnessOf({ runId: run, attempt: Number(attempt) }) };
}

const newnessOf = ({ runId, attempt }: Pick<PlayedRun, 'runId' | 'attempt'>): number =>
  Number(runId) + attempt / 100;

function isOurs({ author, body }: Played['comments'][number]): boolean {
  return author === 'github-actions[bot]' && body.startsWith('<!-- site-deploy key=');
}

const promises: Promises = {
  ...ofVariables,
  ...ofReleases,
  ...ofPreviews,
  ...ofDrift,
  ...ofTexts,
};

/** The promises that were broken, with how; from the journals, the states and the texts alone. */
export function judge(played: Played): string[] {
  const all = exchangesOf(played);
  return Object.entries(promises).flatMap(([promise, broken]) =>
    broken(played, all).flatMap((how) => (how ? [`${promise}: ${how}`] : [])),
  );
}
