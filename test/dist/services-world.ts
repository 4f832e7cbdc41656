import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmulatedProject, RecordByHand } from '../../emulator/index.ts';
import { type ActionResult, type RunEvent, startAction } from '../../emulator/runner.ts';
import { repository, startGitWorld } from '../git/support.ts';
import { dialectOf, type Service } from '../interface/answers.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

/** The secrets of all jobs, which nobody may see. */
export const secrets = {
  TOKEN: 'fake-token-0123456789',
  TAKEN: 'fake-taken-0123456789',
  STALE: 'fake-stale-0123456789',
};

const number = 7;
export const hostname = `pr-${number}.preview.example.com`;

/** How an action is run as a step of a job. */
interface Step {
  /** The folder of the action. Default: that of `deploy`. */
  action?: string;
  event?: RunEvent;
  inputs: Readonly<Record<string, string>>;
}

/**
 * Starts one service with two projects, a repository on GitHub with a pull request, and a workspace for the runs of the
 * three jobs.
 */
export async function startService(service: Service) {
  const world = await startGitWorld({
    ...dialectOf(service),
    verifyMs: 20,
    revalidateMs: 5,
    turnMs: 300,
    stream: { ...dialectOf(service).stream, logLines: ['a line of the log'] },
    seed: 7,
  });
  const { emulator, github, project } = world;
  const workspace = join(world.folder, 'workspace');
  await mkdir(join(workspace, '.github'), { recursive: true });
  const words = [service.deploymentWords.success, service.domainWords.state.good];
  // What somebody sets whose service has its own words and paths, and nobody else.
  const settings = [
    ...(words.includes('moin') ? ['success=moin', 'failure=ouch'] : []),
    ...(service.messageEventsPath.startsWith('/v2')
      ? ['message-events=/v2/turns/{messageId}']
      : []),
  ].join('\n');
  let runs = 0;
  const results: ActionResult[] = [];
  const run = async ({ action = '', event, inputs }: Step): Promise<ActionResult> => {
    runs += 1;
    const result = await startAction({
      action: join(unpacked, action),
      workspace,
      launch: shareProcess,
      ...(event && { event }),
      env: secrets,
      secrets: Object.values(secrets),
      github: {
        repository,
        ref: 'refs/heads/main',
        runId: String(runs),
        serverUrl: github.url,
        apiUrl: github.url,
        token: github.token,
      },
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        timeout: '60s',
        ...inputs,
      },
    }).done;
    results.push(result);
    return result;
  };
  return {
    ...world,
    live: project,
    settings,
    /** The runs so far. */
    results,
    run,
    /** Writes the site file that the steps read. */
    declare: async (site: object) =>
      await writeFile(join(workspace, '.github/site.yml'), JSON.stringify(site)),
    /** An event of the pull request, whose commit is the head of a project. */
    pullRequest: async (preview: EmulatedProject, action: string): Promise<RunEvent> => {
      const sha = await preview.head();
      const state = action === 'closed' ? 'closed' : 'open';
      const head = { ref: 'topic', sha, repo: { full_name: repository, fork: false } };
      github.pullRequests.set(`${repository}#${number}`, {
        number,
        state,
        head,
        base: { ref: 'main', sha },
      });
      const payload = adjust(examplePayload('pull_request', action), {
        number,
        'pull_request.number': number,
        'pull_request.head.sha': sha,
        'pull_request.head.ref': 'topic',
        'pull_request.head.repo.full_name': repository,
        'pull_request.base.repo.full_name': repository,
      });
      return { name: 'pull_request', payload };
    },
  };
}

/** One service at work, and what the jobs need on it. */
export type ServiceWorld = Awaited<ReturnType<typeof startService>>;

/**
 * Whether a run can know that its deployment succeeded, without a check of the site, by what
 * `docs/adr/0001-what-proves-a-deployment.md` says; undefined if it goes by how much arrives before a stream breaks off,
 * or by when it closes.
 */
export function showsEnd(service: Service): boolean | undefined {
  const { offers, pendingFlags, publicationApplies, deploymentWords } = service;
  const isOnlyStream = offers === 'stream';
  const startsAnew = service['stream.dropAfterEvents'] !== null && !service['stream.resume'];
  const isHint = service['stream.shape'] === 'name-only';
  // An end that is only an event's name counts once the stream is closed, and only if it can mean nothing else.
  const isUndecided = startsAnew || (isHint && !service['stream.closeAtEnd']);
  if (isOnlyStream && isUndecided) return undefined;
  const isUnknown = isHint && deploymentWords.success === 'moin';
  const isSilent = offers === 'neither' || (isOnlyStream && isUnknown);
  const isPublished = pendingFlags === 'honest' && publicationApplies !== 'neither';
  return !isSilent || isPublished;
}

/** DNS records that are there as they are declared, however the service spells them. */
export const records: readonly RecordByHand[] = [
  { type: 'AAAA', name: 'Six', content: '2001:DB8:0::1' },
  { type: 'MX', name: 'mail', content: 'Mail.Example.net', priority: 10 },
  { type: 'TXT', name: 'txt', content: 'hello world' },
  { type: 'CNAME', name: 'alias', content: 'Target.Example.net' },
  { type: 'CAA', name: 'caa', content: 'ca.example.net', flags: 0, tag: 'issue' },
  { type: 'A', name: 'proxied', content: '203.0.113.20', proxied: true },
  { type: 'A', name: 'short', content: '203.0.113.21', ttl: 120 },
  { type: 'HTTPS', name: 'https', content: '1 . alpn=h2' },
];
