import { basename, resolve } from 'node:path';
import type { Permissions } from '../../emulator/github/index.ts';
import { checkOut } from '../../emulator/workflow/check-out.ts';
import {
  type Play,
  playWorkflow,
  type WorkflowEnd,
} from '../../emulator/workflow/play-workflow.ts';
import {
  missingIn,
  namesIn,
  readWorkflow,
  type Workflow,
} from '../../emulator/workflow/read-workflow.ts';
import { inputsFor, payloadFor } from '../../emulator/workflow/repository-runs.ts';
import { reasonAgainst } from '../../emulator/workflow/triggers.ts';
import { asObject } from '../../src/kernel/json.ts';
import { pushChange } from '../player/change.ts';
import { readDialect } from '../player/dialect.ts';
import { endOf } from '../player/ends.ts';
import { type StartingEvent, startByEvent, type ToldEvent } from '../player/events.ts';
import { withholdsSecrets } from '../player/fork.ts';
import { here, readGiven } from '../player/given-file.ts';
import {
  inventValue,
  localValues,
  type PlayValues,
  readValues,
  refuseElsewhere,
} from '../player/local-values.ts';
import { played, repository } from '../player/play.ts';
import { fakeValues, leftOf, showProgress } from '../player/show-runs.ts';
import { UsageError } from '../player/usage-error.ts';
import { commitOf, describeCommit } from '../player/workspace-commit.ts';
import { type LocalWorld, openWorld, siteAndPreview } from '../player/world.ts';
import { readContents } from '../player/world-file.ts';
import type { WorkflowRequest } from './arguments.ts';
import { writeFiles } from './files.ts';
import { openingOf } from './parts.ts';
import { makeFolder, pace } from './play-request.ts';
import { readEvent } from './scenario.ts';
import { type Print, showRows, showTitle } from './show.ts';

/** @throws UsageError with each mistake, its file and line */
async function readWorkflowFile({ workflow: path }: WorkflowRequest): Promise<Workflow> {
  const { source, file } = await readGiven('workflow', path);
  const workflow = await readWorkflow(basename(file), source);
  if ('mistakes' in workflow) throw new UsageError(workflow.mistakes.join('\n'));
  return workflow;
}

/** The secrets and variables that were given, with what is missing. */
async function readPlayValues(request: WorkflowRequest): Promise<PlayValues> {
  return {
    secrets: await readValues('secrets', request.secrets),
    vars: await readValues('vars', request.vars),
  };
}

/**
 * Refuses what would send an invented value, although nothing is to be invented.
 * @throws UsageError before anything is sent
 */
function guardReal(
  workflow: Workflow,
  given: PlayValues,
  { payload }: WorkflowRequest,
  told: ToldEvent,
) {
  const missing = missingIn(workflow, given);
  if (missing.length > 0) {
    throw new UsageError(
      `${missing.join(', ')} need a value: with --real, add them to --secrets and --vars`,
    );
  }
  const isAbout = ['pull_request', 'issue', 'workflow_run'].some(
    (one) => asObject(told.payload[one]) !== undefined,
  );
  if (isAbout && payload === undefined) {
    throw new UsageError(
      `--event ${told.name} is about an example pull request: with --real, set --payload to your own`,
    );
  }
}

/** What each name of the file stands for. */
function valuesFor(
  workflow: Workflow,
  given: PlayValues,
  world: LocalWorld,
  isReal: boolean,
): PlayValues {
  if (isReal) return given;
  const own = localValues(world);
  const filled = (context: keyof PlayValues) => ({
    ...Object.fromEntries(namesIn(workflow, context).map((name) => [name, inventValue(name)])),
    ...given[context],
    ...own[context],
  });
  return { secrets: filled('secrets'), vars: filled('vars') };
}

/** The folder whose commit is played: the one that was named, or else that of the file. */
function folderFor({ workspace, workflow }: WorkflowRequest): string | undefined {
  if (workspace !== undefined) return resolve(here, workspace);
  const [, root] =
    /^(.*)[/\\]\.github[/\\]workflows[/\\][^/\\]+$/s.exec(resolve(here, workflow)) ?? [];
  return root;
}

/** Puts the commit on GitHub, or one that is made. */
async function makeCommit(
  request: WorkflowRequest,
  { github, project }: LocalWorld,
  print: Print,
): Promise<string> {
  const folder = folderFor(request);
  const commit = folder === undefined ? undefined : await commitOf(folder);
  if (folder !== undefined && commit !== undefined) {
    await github.serveRepository(repository, folder, 'main');
    print(describeCommit(folder, commit));
    return commit;
  }
  if (request.real)
    throw new UsageError(`--workspace: ${folder} has no commit, and --real invents none`);
  print('No commit to deploy: using a sample site');
  const target = await github.gitFolder(repository);
  return (await pushChange(project, 'A change of mine', 'main', target)).sha;
}

/** What the token of a fork's run may do: GitHub lets it write nothing. */
const readOnly = (permissions: Permissions | 'all'): Permissions =>
  Object.fromEntries(
    (permissions === 'all'
      ? ['actions', 'contents', 'deployments', 'issues', 'pull-requests']
      : Object.keys(permissions)
    ).map((name) => [name, 'read']),
  );

/** @throws UsageError for an end that a workflow file can't be led to */
function dialectFor({ end, dialect }: WorkflowRequest) {
  const { dialect: ending = {}, ...more } = endOf('deploy', end);
  if (Object.keys(more).length > 0) {
    throw new UsageError(`--end ${end} can't be used with --workflow; success and failure can`);
  }
  const chosen = readDialect(dialect);
  const stream = { ...pace.stream, ...ending.stream, ...chosen.stream };
  return { ...pace, ...ending, ...chosen, stream };
}

/** @throws UsageError that says what starts the file instead */
function requireStart({ events, file }: Workflow, { name, payload }: ToldEvent): void {
  const action = payload['action'];
  const reason = reasonAgainst(events, {
    name,
    action: typeof action === 'string' ? action : undefined,
    ref: 'refs/heads/main',
  });
  if (reason !== undefined) throw new UsageError(`${file} doesn't start: ${reason}`);
}

/** A schedule of the file itself: the first, unless a payload names another. */
function ofOwnSchedule(
  { events }: Workflow,
  { payload }: WorkflowRequest,
  told: ToldEvent,
): ToldEvent {
  const cron = events.schedule?.[0]?.cron;
  if (told.name !== 'schedule' || payload !== undefined || cron === undefined) return told;
  return { ...told, payload: { ...told.payload, schedule: cron } };
}

/** @throws UsageError for an input without which GitHub starts no run by hand */
function requireInputs({ events, file }: Workflow, { name, payload }: ToldEvent): void {
  if (name !== 'workflow_dispatch') return;
  const given = asObject(payload['inputs']) ?? {};
  for (const [input, { required, default: usual, options }] of Object.entries(
    events.workflow_dispatch?.inputs ?? {},
  )) {
    const value = given[input] ?? usual;
    if (required && (value === undefined || value === '')) {
      throw new UsageError(
        `${file}: the input ${input} is required: give it in --payload, such as {"inputs": {"${input}": "…"}}`,
      );
    }
    if (options !== undefined && value !== undefined && !options.includes(String(value))) {
      throw new UsageError(`${file}: the input ${input} must be one of ${options.join(', ')}`);
    }
  }
}

/**
 * Plays a workflow file once, for one event, as the emulator plays those of a repository.
 *
 * @param around.print takes each line for the person
 * @returns the exit status: 1 for a run that failed, if that was asked for
 * @throws UsageError for what cannot be played, before anything is
 */
export async function playFile(
  request: WorkflowRequest,
  {
    print,
    launch,
    signal,
  }: { print: Print; launch?: Play['launch'] | undefined; signal?: AbortSignal | undefined },
): Promise<number> {
  const workflow = await readWorkflowFile(request);
  const told = ofOwnSchedule(
    workflow,
    request,
    await readEvent({ ...request, action: 'deploy' }, {}),
  );
  requireStart(workflow, told);
  requireInputs(workflow, told);
  const given = await readPlayValues(request);
  if (request.real) guardReal(workflow, given, request, told);
  const dialect = dialectFor(request);
  const left = await makeFolder(request);
  const file = request.world === undefined ? undefined : await readGiven('world', request.world);
  const contents = file === undefined ? siteAndPreview : readContents(file.source, file.file);
  await using world = await openWorld({ dialect, hasOwnAddress: true, contents });
  const { github, emulator, cache, proxy } = world;
  const sha = await makeCommit(request, world, print);
  const values = valuesFor(workflow, given, world, request.real);
  const own = localValues(world);
  const invented = missingIn(workflow, {
    secrets: { ...given.secrets, ...own.secrets },
    vars: { ...given.vars, ...own.vars },
  });
  if (invented.length > 0) print(`Using ${fakeValues(invented.join(', '))}`);
  const isWithheld = request.fork && withholdsSecrets(told);
  const none = Object.fromEntries(Object.keys(values.secrets).map((name) => [name, '']));
  const isOwnCommit = request.payload !== undefined && request.real;
  let runs = 1000;
  const play = async (event: ToldEvent): Promise<[WorkflowEnd, StartingEvent]> => {
    const start = startByEvent(event, { sha, isOwnCommit }, github);
    runs += 1;
    const end = await playWorkflow(workflow, {
      event: {
        ...start.event,
        payload: payloadFor(workflow, {
          name: start.event.name,
          payload: asObject(start.event.payload) ?? {},
        }),
      },
      github: {
        ...start.github,
        runId: String(runs),
        workflowRef: `${start.repository}/.github/workflows/${workflow.file}@refs/heads/main`,
        apiUrl: github.url,
        serverUrl: github.url,
        token: '',
      },
      secrets: isWithheld ? none : values.secrets,
      vars: values.vars,
      inputs: inputsFor(workflow, event),
      actions: played,
      runtime: { ...cache.environment, ...(request.real ? {} : proxy.environment) },
      runSteps: request.runSteps,
      debug: request.debug,
      ...(launch === undefined ? {} : { launch }),
      ...(signal === undefined ? {} : { signal }),
      ...(request.real ? {} : { refuse: refuseElsewhere(emulator.url) }),
      checkOut: (checkout) =>
        checkOut({ ...checkout, sha }, { url: github.url, repository: start.repository }),
      token: {
        issue: (permissions) =>
          github.issueToken({
            login: 'github-actions[bot]',
            permissions: isWithheld ? readOnly(permissions) : permissions,
          }),
        revoke: (token) => github.revokeToken(token),
      },
      report: showProgress(print, workflow.file, request.unfold),
    });
    if (end === undefined) throw new Error('nothing takes the place of the only run');
    return [end, start];
  };
  const opening = openingOf({ ...request, action: 'deploy', inputs: {} }, told);
  const isOpened =
    opening !== undefined &&
    reasonAgainst(workflow.events, {
      name: told.name,
      action: 'opened',
      ref: 'refs/heads/main',
    }) === undefined;
  let opened: WorkflowEnd | undefined;
  if (isOpened) {
    showTitle(print, 'First, the pull request is opened');
    [opened] = await play(opening);
    showTitle(print, 'Then the pull request is closed');
  }
  const [end, start] = await play(told);
  const { conclusion, steps } = end;
  const ends = opened === undefined ? [end] : [opened, end];
  const which =
    opened === undefined
      ? conclusion
      : `${opened.conclusion} when opened, ${conclusion} when closed`;
  showTitle(print, `Conclusion: ${which}`);
  for (const one of ends.flatMap(({ notPlayed }) => notPlayed)) print(leftOf(one));
  const comments = start.number === null ? [] : github.comments(start.repository, start.number);
  const written = await writeFiles(left, {
    title: `${workflow.file}: ${conclusion}`,
    played: `--workflow ${request.workflow} --event ${request.event ?? told.name}`,
    annotations: steps.flatMap(({ annotations }) => annotations),
    comments: comments.map(({ body = '' }) => body),
    issues: github.issues.of(start.repository).filter(({ number }) => number !== start.number),
    summary: steps.map(({ summary }) => summary).join('\n'),
    log: steps.flatMap(({ log, post }) => [...log, ...(post?.log ?? [])]),
  });
  showRows(print, written);
  const isGood = ends.every((one) => one.conclusion === 'success');
  return request.exitCode && !isGood ? 1 : 0;
}
