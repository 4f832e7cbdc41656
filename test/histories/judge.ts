import type { Happening, Look, Played, PlayedRun } from './played.ts';

/** A request of a run, and its answer if one came back to it. */
interface Exchange {
  run: number | undefined;
  side: 'service' | 'github';
  method: string;
  path: string;
  body: Record<string, unknown>;
  /** Its place in the timeline. */
  at: number;
  answer: (Extract<Happening, { what: 'answered' }> & { at: number }) | undefined;
}

interface Version {
  id: string;
  name: string;
  version: number;
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function exchangesOf({ timeline }: Played): Exchange[] {
  const answers = new Map(
    timeline.flatMap((one, at) =>
      one.what === 'answered' ? [[one.request, { ...one, at }] as const] : [],
    ),
  );
  return timeline.flatMap((one, at) =>
    one.what === 'sent' ? [{ ...one, body: objectOf(one.body), at, answer: answers.get(at) }] : [],
  );
}

const isGood = ({ answer }: Exchange): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;

const idIn = (path: string): string => /environment\/(.+)$/.exec(path)?.[1] ?? '';

/** What the answers that a run was given show of the variables of a project, before a place of the timeline. */
function shownBefore(all: readonly Exchange[], run: number | undefined, at: number): Version[][] {
  return all.flatMap((one) => {
    if (one.run !== run || !one.path.includes('/environment') || one.answer?.isTold !== true) {
      return [];
    }
    const { variables } = objectOf(one.answer.body) as { variables?: Version[] };
    return one.answer.at < at && Array.isArray(variables) ? [variables] : [];
  });
}

/** The place of a run's start and of its end. */
function spanOf({ timeline }: Played, run: number): [number, number] {
  const at = (what: 'started' | 'ended') =>
    timeline.findIndex((one) => one.what === what && 'run' in one && one.run === run);
  return [at('started'), at('ended')];
}

/** The states of the service from a run's start to its end. */
function statesDuring(played: Played, run: PlayedRun): Look[] {
  const [from, to] = spanOf(played, run.run);
  const during = played.timeline.slice(from, to).filter((one) => one.what === 'state');
  return [run.before, ...during, run.after];
}

const projectIn = (look: Look, id: string) => look.projects.find((project) => project.id === id);
const placeOf = (look: Look, hostname: string) =>
  look.domains.find((domain) => domain.hostname === hostname)?.projectId ?? null;
/** The commit that a project serves, of the deployment that succeeded last: several if they ended at the same time. */
function liveIn(look: Look, id: string): string[] {
  const all = projectIn(look, id)?.deployments ?? [];
  const good = all.filter(({ status }) => status === 'succeeded');
  const latest = Math.max(...good.map(({ endedAt }) => endedAt ?? 0));
  return good.filter(({ endedAt }) => endedAt === latest).map(({ commit }) => commit);
}
const numberOf = (hostname: string): number => Number(/^pr-(\d+)\./.exec(hostname)?.[1]);
const numberIn = ({ cause }: PlayedRun): number | undefined =>
  'number' in cause ? cause.number : undefined;
const isHeld = ({ struck }: PlayedRun): boolean => struck?.kind === 'hold';
/** True if all went well with it but for a wait. */
const isUntroubled = (run: PlayedRun): boolean => run.struck === null || isHeld(run);
const isDead = ({ struck }: PlayedRun): boolean => /kill|cancel/.test(struck?.kind ?? '');

/** Each promise, with how a history breaks it. */
type Promises = Readonly<Record<string, (played: Played, all: readonly Exchange[]) => string[]>>;

const ofVariables: Promises = {
  'a write names a version that the run was shown': (_, all) =>
    all.flatMap((one) => {
      if (!one.path.includes('/environment/') || one.side !== 'service') return [];
      const { expectedVersion } = one.body;
      const shown = shownBefore(all, one.run, one.at).flat();
      const isShown = shown.some(
        ({ id, version }) => id === idIn(one.path) && version === expectedVersion,
      );
      return isShown ? [] : [`run ${one.run}: ${one.method} with version ${expectedVersion}`];
    }),

  'a variable is created once': (_, all) =>
    all.flatMap((one, index) => {
      if (one.method !== 'POST' || !one.path.endsWith('/environment')) return [];
      const { name } = one.body;
      const before = all
        .slice(0, index)
        .findLast(
          (other) =>
            other.run === one.run &&
            other.method === 'POST' &&
            other.body['name'] === name &&
            other.path === one.path,
        );
      const shown = shownBefore(all, one.run, one.at);
      const isThere = shown.at(-1)?.some((variable) => variable.name === name);
      if (isThere) return [`run ${one.run} created ${name}, which it was shown`];
      const isSure = before?.answer?.isTold === true && [429, 503].includes(before.answer.status);
      const isRead = all.some(
        ({ run, method, path, at, answer }) =>
          run === one.run &&
          method === 'GET' &&
          path === one.path &&
          answer?.isTold === true &&
          at > (before?.at ?? 0) &&
          at < one.at,
      );
      // What was refused before it reached the service leaves no answer of the service, but no effect either.
      const wasSent = before !== undefined && before.answer !== undefined;
      return wasSent && !isSure && !isRead ? [`run ${one.run} created ${name} twice, blindly`] : [];
    }),

  'what nobody declared stays': ({ history, timeline, end, projects, runs }) =>
    Object.entries(projects).flatMap(([project, id]) =>
      ['UNDECLARED', 'OLD'].flatMap((name) => {
        if (name === 'OLD' && runs.some(({ inputs }) => inputs['env-remove'] === 'OLD')) return [];
        const byHand = timeline.flatMap((one) =>
          one.what === 'act' &&
          (one.act.do === 'set' || one.act.do === 'unset') &&
          one.act.project === project &&
          one.act.name === name
            ? [one.act]
            : [],
        );
        const last = byHand.at(-1);
        if (last?.do === 'unset') return [];
        const wanted = last?.value ?? `first ${name}`;
        const found = projectIn(end, id)?.variables.find((variable) => variable.name === name);
        return found?.value === wanted
          ? []
          : [
              `${name} of ${project} is ${found?.value}, not ${wanted} (${history.acts.length} acts)`,
            ];
      }),
    ),

  'only what is named is deleted': (played, all) =>
    all.flatMap((one) => {
      if (one.method !== 'DELETE' || !one.path.includes('/environment/')) return [];
      const run = played.runs.find((other) => other.run === one.run);
      const name = shownBefore(all, one.run, one.at)
        .flat()
        .find(({ id }) => id === idIn(one.path))?.name;
      return run?.inputs['env-remove'] === name ? [] : [`run ${one.run} deleted ${name}`];
    }),

  // A run that wrote it before has told the ledger so, unless runs beside each other each kept words of the other's.
  'what a person wrote is kept if the run says so': (played, all) =>
    all.flatMap((one) => {
      const run = played.runs.find((other) => other.run === one.run);
      const { 'env-on-conflict': policy = '', 'project-id': project = '' } = run?.inputs ?? {};
      if (run === undefined || !['PUT', 'DELETE'].includes(one.method)) return [];
      if (!played.history.hasLedger || (policy !== 'keep' && policy !== 'fail')) return [];
      const name = projectIn(run.before, project)?.variables.find(
        ({ id }) => id === idIn(one.path),
      )?.name;
      const [start] = spanOf(played, run.run);
      const edit = played.timeline.findLastIndex(
        (other, at) =>
          at < start &&
          other.what === 'act' &&
          other.act.do === 'set' &&
          other.act.name === name &&
          played.projects[other.act.project] === project,
      );
      const before = played.runs.filter((other) => other.run < run.run);
      const isAlone = before.every(
        (other) => numberIn(other) !== undefined || spanOf(played, other.run)[1] < edit,
      );
      const isOurs = before.some(
        (other) =>
          isUntroubled(other) &&
          other.ledgerKey === run.ledgerKey &&
          all.some(
            (write) =>
              write.run === other.run &&
              isGood(write) &&
              (write.method === 'PUT'
                ? write.path === one.path
                : write.method === 'POST' &&
                  one.path.startsWith(`${write.path}/`) &&
                  write.body['name'] === name),
          ),
      );
      return edit !== -1 && isOurs && isAlone
        ? [`run ${one.run}: ${one.method} under ${policy}`]
        : [];
    }),

  'what is said to be written or unchanged is so': (played) =>
    played.runs.flatMap((run) => {
      const { outputs = {} } = run.result ?? {};
      const isDone = outputs['outcome'] === 'succeeded' || outputs['outcome'] === 'synced';
      if (!isDone || run.inputs['mode'] === 'plan') return [];
      const project = outputs['project-id'] || run.inputs['project-id'] || '';
      const summary = JSON.parse(outputs['env-summary'] || '{}') as Record<string, number>;
      if ((summary['kept'] ?? 0) + (summary['conflicts'] ?? 0) > 0) return [];
      return Object.entries(run.declared).flatMap(([name, value]) => {
        const isSo = statesDuring(played, run).some((look) =>
          projectIn(look, project)?.variables.some(
            (variable) => variable.name === name && variable.value === value,
          ),
        );
        return isSo ? [] : [`run ${run.run}: ${name} never had its value`];
      });
    }),

  'what is not asked for is not done: by a plan, after a conflict, without deploy': (
    { runs },
    all,
  ) =>
    runs.flatMap((run) => {
      const isPlan = run.inputs['mode'] === 'plan';
      const isConflict = run.result?.outputs['outcome'] === 'conflict';
      const sent = all.filter((one) => one.run === run.run && one.method !== 'GET');
      const writes = sent.filter(
        ({ side, path }) => side === 'service' && !path.endsWith('/status'),
      );
      const isWrong =
        (isPlan && writes.length > 0) || (isConflict && writes.some(({ path }) => isRelease(path)));
      const isUnasked =
        run.inputs['deploy'] === 'false' && writes.some(({ path }) => isRelease(path));
      return isWrong || isUnasked ? [`run ${run.run}: ${writes.map(({ path }) => path)}`] : [];
    }),

  'variables come before the deployment': (_, all) =>
    all.flatMap((one, index) => {
      const isWrite = one.method !== 'GET' && one.path.includes('/environment');
      const isLate = all
        .slice(0, index)
        .some(({ run, method, path }) => run === one.run && method === 'POST' && isRelease(path));
      return isWrite && isLate ? [`run ${one.run}: ${one.method} after its deployment`] : [];
    }),
};

const isPost = ({ method, path }: Exchange): boolean => method === 'POST' && isRelease(path);
const isRelease = (path: string): boolean => /^\/v1\/projects\/[^/]+\/deployments$/.test(path);

const ofReleases: Promises = {
  // Other runs may end successes while this one reads: it is older than all that it may have read.
  'an older commit never goes over a newer one': (played, all) =>
    played.runs.flatMap((run) => {
      const { cause, before, inputs, commit = '' } = run;
      const minds = inputs['on-older'] === 'skip' || inputs['on-older'] === 'fail';
      if (!minds || cause.event !== 'push' || !isUntroubled(run)) return [];
      const place = (sha: string) => played.commits.indexOf(sha);
      const good = before.records.filter((record) => isOwn(played.runs, record, run));
      const sent = all.find(
        (one) =>
          one.run === run.run &&
          (isRelease(one.path) || one.path.includes('/environment')) &&
          one.method !== 'GET' &&
          (inputs['deploy'] === 'true' || one.body['versionId'] === commit),
      );
      if (sent === undefined || good.length === 0) return [];
      const [start] = spanOf(played, run.run);
      const since = all.filter(
        ({ path, body, at }) =>
          /statuses$/.test(path) && body['state'] === 'success' && at > start && at < sent.at,
      );
      const ids = since.map(({ path }) => Number(/deployments\/(\d+)/.exec(path)?.[1]));
      const later = played.end.records.filter(({ id }) => ids.includes(id));
      return [...good, ...later].every(({ sha }) => place(commit) < place(sha))
        ? [`run ${run.run} sent ${sent.method} ${sent.path} for commit ${place(commit)}`]
        : [];
    }),

  'what is told of a deployment is its own': ({ runs, end }, all) =>
    runs.flatMap((run) => {
      const { outputs = {} } = run.result ?? {};
      const id = outputs['deployment-id'] ?? '';
      if (id === '') return [];
      const answered = all.filter((one) => one.run === run.run && isRelease(one.path));
      const isOwn = answered.some(({ answer }) => objectOf(answer?.body)['deploymentId'] === id);
      const found = end.projects
        .flatMap(({ deployments }) => deployments)
        .find((one) => one.id === id);
      const isGood = found?.status === 'succeeded';
      const { outcome, 'deployment-status': status } = outputs;
      return [
        ...(isOwn ? [] : [`run ${run.run} tells of deployment ${id}, which is not its own`]),
        ...(outcome === 'succeeded' && !isGood
          ? [`run ${run.run}: succeeded, ${found?.status}`]
          : []),
        ...(outcome === 'succeeded' && found?.commit !== outputs['commit-sha']
          ? [`run ${run.run}: another commit was deployed`]
          : []),
        ...(status === 'failed' && isGood ? [`run ${run.run}: failed, although it succeeded`] : []),
      ];
    }),

  'what is told to be live is live': (played) =>
    played.runs.flatMap((run) => {
      const { outputs = {} } = run.result ?? {};
      const live = outputs['live-commit'];
      if (!live) return [];
      const isLive = statesDuring(played, run).some((look) =>
        liveIn(look, outputs['project-id'] ?? '').includes(live),
      );
      return isLive ? [] : [`run ${run.run}: ${live} was never live`];
    }),

  'a key stands for one request': (_, all) => {
    const keyed = all.filter(({ body, side }) => side === 'service' && 'idempotencyKey' in body);
    return keyed.flatMap((one, index) =>
      keyed.slice(index + 1).flatMap((other) => {
        const isSameKey = one.body['idempotencyKey'] === other.body['idempotencyKey'];
        const isSame =
          one.run === other.run &&
          one.path === other.path &&
          JSON.stringify(one.body) === JSON.stringify(other.body);
        const isAgain =
          one.run === other.run &&
          isRelease(one.path) &&
          one.path === other.path &&
          one.body['versionId'] === other.body['versionId'];
        if (isSameKey && !isSame) return [`runs ${one.run} and ${other.run}: ${one.path}`];
        return isAgain && !isSameKey ? [`run ${one.run} requested its deployment twice`] : [];
      }),
    );
  },
};

/** True of a record of a success that counts for a run. */
function isOwn(
  runs: readonly PlayedRun[],
  record: Look['records'][number],
  { ledgerKey }: PlayedRun,
): boolean {
  const keys = new Set(runs.map((run) => run.ledgerKey));
  const isReadable =
    keys.size === 1 ||
    runs.every((run) => run.commit !== record.sha || run.ledgerKey === ledgerKey);
  return isReadable && record.environment === 'production' && record.states.at(-1) === 'success';
}

const ofPreviews: Promises = {
  // Who leases a project assigns it, and looks then: for that long two may have it, and only the first may deploy.
  'a project has one preview': (played) => {
    let since = new Map<string, { projectId: string | null; at: number }>();
    return played.timeline.flatMap((one, at) => {
      if (one.what === 'state') {
        since = new Map(
          one.domains.map(({ hostname, projectId }) => {
            const before = since.get(hostname);
            return [hostname, before?.projectId === projectId ? before : { projectId, at }];
          }),
        );
        return [];
      }
      if (one.what !== 'sent' || one.method !== 'POST' || !isRelease(one.path)) return [];
      const run = played.runs.find((other) => other.run === one.run);
      const number = run && numberIn(run);
      if (number === undefined) return [];
      const own = since.get(`pr-${number}.preview.example.com`);
      const isTaken = [...since.values()].some(
        ({ projectId, at: from }) =>
          projectId !== null && projectId === own?.projectId && from < own.at,
      );
      return isTaken ? [`run ${one.run} deploys to the project of another pull request`] : [];
    });
  },

  'a project with another preview is left alone': (played, all) =>
    all.flatMap((one) => {
      const run = played.runs.find((other) => other.run === one.run);
      const { projectId } = one.body;
      const isAssigning =
        one.path.startsWith('/connected-domains') && typeof projectId === 'string';
      if (run === undefined || !isAssigning) return [];
      const isTaken = statesDuring(played, run).every((look) =>
        look.domains.some(
          (other) => other.projectId === projectId && numberOf(other.hostname) !== numberIn(run),
        ),
      );
      return isTaken ? [`run ${one.run} took a project that serves another pull request`] : [];
    }),

  'a run writes to its own preview alone, and a sweep to no open one': (played, all) =>
    all.flatMap((one) => {
      const [, hostname = ''] =
        /^\/connected-domains\/([^/]+)\/(?:project|disconnect)$/.exec(one.path) ?? [];
      const run = played.runs.find((other) => other.run === one.run);
      if (hostname === '' || run === undefined) return [];
      const number = numberOf(hostname);
      const own = numberIn(run);
      if (own !== undefined) return own === number ? [] : [`run ${one.run} wrote to ${hostname}`];
      const isOpen = (look: Look) =>
        look.pulls.some((pull) => pull.number === number && pull.state === 'open');
      const [start, end] = spanOf(played, run.run);
      const isClosedMeanwhile = played.runs.some(
        (other) =>
          numberIn(other) === number &&
          spanOf(played, other.run)[0] > start &&
          spanOf(played, other.run)[0] < end,
      );
      return isOpen(run.before) && isOpen(run.after) && !isClosedMeanwhile
        ? [`run ${one.run} ended the preview of ${number}, which is open`]
        : [];
    }),

  'a hostname of a project that is not known stays': (played, all) =>
    all.flatMap((one) => {
      const [, hostname = ''] = /^\/connected-domains\/([^/]+)\//.exec(one.path) ?? [];
      const run = played.runs.find((other) => other.run === one.run);
      if (one.method !== 'POST' || hostname === '' || run === undefined) return [];
      const isForeign = (look: Look) => placeOf(look, hostname) === played.projects['foreign'];
      return isForeign(run.before) && statesDuring(played, run).slice(0, 2).every(isForeign)
        ? [`run ${one.run} wrote to ${hostname}, which serves another project`]
        : [];
    }),

  'what is told to be removed is removed': (played) =>
    played.runs.flatMap((run) => {
      const number = numberIn(run);
      if (run.result?.outputs['outcome'] !== 'cleaned-up' || number === undefined) return [];
      const pool = [played.projects['a'], played.projects['b']];
      const isGone = statesDuring(played, run).some(
        (look) => !pool.includes(placeOf(look, `pr-${number}.preview.example.com`) ?? ''),
      );
      return isGone ? [] : [`run ${run.run} removed nothing`];
    }),

  'an address is told only of a preview that is there': (played) =>
    played.runs.flatMap((run) => {
      const { outputs = {} } = run.result ?? {};
      const { 'preview-url': url = '', 'project-id': project } = outputs;
      if (url === '') return [];
      const { hostname } = new URL(url);
      const isThere = statesDuring(played, run).some((look) =>
        look.domains.some(
          (one) => one.hostname === hostname && one.projectId === project && one.state === 'active',
        ),
      );
      return isThere ? [] : [`run ${run.run}: ${url} is not there`];
    }),

  'nothing is live for a pull request that was closed before its deployment': (played, all) =>
    played.runs.flatMap((run) => {
      const number = numberIn(run);
      const posted = all.find((one) => one.run === run.run && isPost(one));
      const isDone = run.result?.outputs['outcome'] === 'succeeded';
      if (number === undefined || posted === undefined || !isDone || !isUntroubled(run)) return [];
      const changes = played.runs.filter(
        ({ run: other, cause }) =>
          'action' in cause &&
          cause.number === number &&
          spanOf(played, other)[0] < spanOf(played, run.run)[1],
      );
      const last = changes.at(-1);
      const isClosed =
        last !== undefined &&
        'action' in last.cause &&
        last.cause.action === 'closed' &&
        spanOf(played, last.run)[0] < posted.at;
      return isClosed ? [`run ${run.run} succeeded for ${number}`] : [];
    }),

  'the preview of a closed pull request ends': (played) =>
    played.end.pulls.flatMap(({ number, state }) => {
      const hostname = `pr-${number}.preview.example.com`;
      const place = placeOf(played.end, hostname);
      const isMoved = played.timeline.some((one) => one.what === 'act' && one.act.do === 'move');
      if (state === 'open' || place === null || isMoved) return [];
      const all = played.runs.filter(
        (run) => numberIn(run) === number || run.cause.event === 'sweep',
      );
      const hasClosed = all.some(
        ({ cause, result, after }) =>
          'action' in cause &&
          cause.action === 'closed' &&
          result?.outputs['outcome'] === 'cleaned-up' &&
          after.pulls.some((pull) => pull.number === number && pull.state === 'closed'),
      );
      return hasClosed && all.every(isUntroubled) ? [`${hostname} is still assigned`] : [];
    }),
};

const ofTexts: Promises = {
  'a pull request has one comment of a kind': ({ comments }) =>
    [...new Set(comments.map(({ number }) => number))].flatMap((number) => {
      const own = comments.filter((one) => one.number === number && isOurs(one));
      const keys = own.map(({ body }) => / key=(\S*)/.exec(body)?.[1]);
      return new Set(keys).size < keys.length ? [`pull request ${number} has ${keys}`] : [];
    }),

  'a comment tells the truth at the end': (played) =>
    played.comments.flatMap((one) => {
      const { end, timeline, runs, projects } = played;
      const isMoved = timeline.some(
        (other) =>
          other.what === 'act' && other.act.do === 'move' && other.act.number === one.number,
      );
      const isHindered = runs.some(
        (run) => (numberIn(run) ?? one.number) === one.number && !isUntroubled(run),
      );
      if (!isOurs(one) || isMoved || isHindered) return [];
      const title = /^### (.*)$/m.exec(one.body)?.[1] ?? '';
      const place = placeOf(end, `pr-${one.number}.preview.example.com`);
      const isThere = place !== null && place !== projects['foreign'];
      const [, commit] = /^<!-- site-deploy-live \S+ (\w+) -->$/m.exec(one.body) ?? [];
      const isLive = isThere && liveIn(end, place).includes(commit ?? '');
      const isTrue = title.includes('is removed') ? !isThere : isLive || !title.includes('is live');
      return isTrue ? [] : [`${title}: ${place} has ${liveIn(end, place ?? '')}, not ${commit}`];
    }),

  // GitHub has no conditional write: of runs under way at once, the older one may write last if it read first.
  'the words of a newer run stay': (_, all) =>
    all.flatMap((one, index) => {
      const order = orderOf(String(one.body['body']));
      if (one.method !== 'PATCH' || order === undefined) return [];
      const own = all
        .slice(0, index)
        .filter(({ run, path }) => run === one.run && path.includes('/comments'));
      const read = own.findLast(
        ({ method, answer }) => method === 'GET' && answer?.isTold === true,
      );
      const found = [read?.answer?.body].flat().map(objectOf);
      const body = found.find(({ id }) => one.path.endsWith(`/${id}`))?.['body'];
      const seen = orderOf(String(body));
      const isBlind = own.at(-1)?.method !== 'GET' || seen === undefined;
      if (isBlind) return [`run ${one.run} did not read what it overwrote`];
      const isNewer = seen.key === order.key && seen.at > order.at;
      return isNewer ? [`run ${one.run} overwrote the words of run ${seen.at}`] : [];
    }),

  'a run that has ended says so, however it ended': ({ runs, comments, end }, all) =>
    runs.flatMap((run) => {
      const isSilenced =
        run.struck !== null && run.struck.kind !== 'hold' && !isDead(run) && all.length > 0;
      const own = all.filter((one) => one.run === run.run && one.side === 'github' && isGood(one));
      const made = own
        .filter(({ method, path }) => method === 'POST' && path.endsWith('/deployments'))
        .map(({ answer }) => objectOf(answer?.body)['id']);
      if (isSilenced) return [];
      const marker = ` run=${run.runId} attempt=${run.attempt} `;
      return [
        ...comments
          .filter((one) => isOurs(one) && one.body.includes(marker) && /deploying …/.test(one.body))
          .map(() => `run ${run.run} is still deploying, by its comment`),
        ...end.records
          .filter(({ id, states }) => made.includes(id) && states.at(-1) === 'in_progress')
          .map(() => `run ${run.run} is still in progress, by its GitHub deployment`),
      ];
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
  'every run has an end': ({ runs }) =>
    runs.flatMap(({ run, result, struck }) => {
      const isKilled = struck?.kind.startsWith('kill') === true;
      return result?.outputs['outcome'] || isKilled ? [] : [`run ${run} has no outcome`];
    }),
};

/** Of which kind a comment is, and how new the run is that wrote it: pull requests have a kind each of their project. */
function orderOf(body: string): { key: string; at: number } | undefined {
  const [, key, run, attempt] =
    /^<!-- site-deploy key=(\S*) run=(\d+) attempt=(\d+)/.exec(body) ?? [];
  const [, number = ''] = /(?:Preview of #\u200d?)(\d+)/.exec(body) ?? [];
  return key === undefined || number === ''
    ? undefined
    : { key: `${number} ${key}`, at: Number(run) + Number(attempt) / 100 };
}

const isOurs = ({ author, body }: Played['comments'][number]): boolean =>
  author === 'github-actions[bot]' && body.startsWith('<!-- site-deploy key=');

const promises: Promises = { ...ofVariables, ...ofReleases, ...ofPreviews, ...ofTexts };

/** The promises that were broken, with how; from the journals, the states and the texts alone. */
export function judge(played: Played): string[] {
  const all = exchangesOf(played);
  return Object.entries(promises).flatMap(([promise, broken]) =>
    broken(played, all).map((how) => `${promise}: ${how}`),
  );
}
