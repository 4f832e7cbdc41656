import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DialectOptions, EmulatedProject } from '../../../emulator/index.ts';
import { swapWork } from '../../../src/blue-green/read-swap.ts';
import type { ChecksRequest } from '../../../src/checks/intent.ts';
import type { DeployRequest } from '../../../src/deploy/deploy.ts';
import { type Run, RunAborted } from '../../../src/frame/step.ts';
import { diagnose } from '../../../src/kernel/diagnostic.ts';
import { unsafeText } from '../../../src/kernel/text/safe.ts';
import { hostnameMatcher } from '../../../src/previews/model/preview-hostname.ts';
import type { DeployReport } from '../../../src/release/model/report.ts';
import { createClient } from '../../../src/service/client.ts';
import { runDeploy } from '../../support/deploy.ts';
import { fastClock } from '../../support/fast-clock.ts';
import type { ReadReport } from '../../support/read-report.ts';
import { startWorld, type World } from '../../support/world.ts';

export const preview = 'next.localhost';
export const www = 'www.localhost';
export const shop = 'shop.localhost';

/** What a page answers at a hostname, which the project serves: a status. */
export type Answer = (hostname: string, project: EmulatedProject | undefined) => number;

/** A world whose runs can be cut off. */
interface Outliving extends World {
  outlive(milliseconds: number, signal?: AbortSignal): Run;
}

/** Two projects, the domains that move between them, and a site that answers by what the service assigns. */
export interface Swapping extends AsyncDisposable {
  world: Outliving;
  blue: EmulatedProject;
  green: EmulatedProject;
  /** How the site answers; may be changed at any time. By default well wherever a deployment succeeded. */
  answer: Answer;
  /** Where each domain is: `blue`, `green`, `none`, `absent`, or another project's id. */
  slots(): Record<string, string>;
  run(
    fields?: Partial<DeployRequest> & { declared?: ChecksRequest['declared'] },
  ): Promise<ReadReport<DeployReport>>;
  /** The hostnames that the site was asked at, in order. */
  asked: string[];
}

/** @param domains those that are swapped; they are not connected yet */
export async function startSwap({
  dialect = {},
  domains = [www, shop],
  timeout,
}: {
  dialect?: DialectOptions;
  domains?: readonly string[];
  timeout?: number;
} = {}): Promise<Swapping> {
  const world = await startWorld({ dialect, ...(timeout !== undefined && { timeout }) });
  const { emulator, project: blue, host } = world;
  const green = await emulator.world.createProject();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const hostname = request.headers.host?.replace(/:\d+$/, '') ?? '';
    asked.push(hostname);
    response.writeHead(swapping.answer(hostname, emulator.world.projectAt(hostname))).end('page');
  });
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  const nameOf = (id: string | null) =>
    id === null ? 'none' : id === blue.id ? 'blue' : id === green.id ? 'green' : id;
  // What outlives the run: another client, with a signal of its own.
  const outlive = (milliseconds: number, own?: AbortSignal) => {
    const signal = own ?? AbortSignal.timeout(milliseconds);
    const client = createClient({
      baseUrl: emulator.url,
      apiKey: emulator.key,
      userAgent: 'test',
      clean: host.clean,
      clock: fastClock,
      deadline: Number.POSITIVE_INFINITY,
      random: host.random,
      signal,
    });
    return { ...world, client, host: { ...host, signal } };
  };
  let runs = 0;
  const swapping: Swapping = {
    world: { ...world, outlive },
    blue,
    green,
    asked,
    answer: (_, served) =>
      served?.deployments.some(({ status }) => status === 'succeeded') === true ? 200 : 503,
    slots: () =>
      Object.fromEntries(
        [...domains, preview].map((name) => {
          const domain = emulator.world.domains.find(name);
          return [name, domain === undefined ? 'absent' : nameOf(domain.projectId)];
        }),
      ),
    run: async ({ declared, ...fields } = {}) => {
      const checks: ChecksRequest = {
        declared: declared ?? [
          {
            at: { url: `http://{preview-domain}:${port}/` },
            method: 'GET',
            namesCommit: false,
            from: 'inputs',
          },
        ],
        site: { commit: 'HEAD', origin: undefined, hostname: preview },
        timeout: 8000,
      };
      const work = swapWork(
        { kind: 'swap', projects: [blue.id, green.id], domains },
        {
          template: 'a.example.com',
          hostname: preview,
          matcher: hostnameMatcher(preview, { owner: 'o', repo: 'r' }),
          timeout: 60_000,
          onPending: 'warn',
          known: [blue.id, green.id],
          ownership: { by: 'name' },
        },
        checks.declared.length === 0 ? undefined : checks,
      );
      runs += 1;
      const mark = runs;
      const keyFor: World['keyFor'] = (operation, target) =>
        `${mark} ${operation} ${target}`.slice(0, 128);
      return await runDeploy({ ...swapping.world, keyFor }, { commit: 'HEAD', ...work, ...fields });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await world[Symbol.asyncDispose]();
    },
  };
  return swapping;
}

/** The hostnames and projects of all deployments, by name, in order of their requests. */
export function deployed({ world, blue }: Swapping): string[] {
  return world.emulator.journal
    .of('createDeployment')
    .map(({ path }) => (path.includes(blue.id) ? 'blue' : 'green'));
}

/** Connects the domains to a project, as an earlier run has left them. */
export function slot(
  { world, blue, green }: Swapping,
  where: Readonly<Record<string, 'blue' | 'green' | 'none'>>,
): void {
  const ids = { blue: blue.id, green: green.id, none: null };
  for (const [hostname, project] of Object.entries(where)) {
    const { emulator } = world;
    if (emulator.world.domains.find(hostname) === undefined) {
      emulator.world.connectDomain(hostname, ids[project]);
    } else {
      emulator.world.assignDomain(hostname, ids[project]);
    }
  }
}

/**
 * Runs a swap until its n-th request waits for an answer, and ends it there: by a cancel, after which it may go on for
 * a few seconds, or as a kill does, after which nothing more is sent. The next run has a signal of its own.
 *
 * @param effect true if that request has taken effect
 * @param path which requests count; absent: all
 * @returns what the run said; undefined if it ended before
 */
export async function interrupt(
  swapping: Swapping,
  how: 'cancelled' | 'killed',
  n: number,
  effect: boolean,
  path?: RegExp,
): Promise<DeployReport | undefined> {
  const { emulator } = swapping.world;
  const whole = swapping.world;
  const controller = new AbortController();
  const fresh = { ...whole, ...whole.outlive(0, controller.signal) };
  // A run that is killed sends nothing more: as one whose signal has aborted before.
  const dead = () => ({ ...fresh, ...whole.outlive(0, AbortSignal.abort()) });
  swapping.world = how === 'killed' ? { ...fresh, outlive: dead } : fresh;
  const known = emulator.journal.entries.at(-1)?.n ?? 0;
  const fault = emulator.faults.add({
    kind: 'stall',
    effect,
    after: n - 1,
    ...(path && { path }),
  });
  const ended = new AbortController();
  const run = swapping.run().finally(() => ended.abort());
  const isStalled = await emulator.journal
    .waitFor(
      (entry) =>
        fault.fired === 1 &&
        entry.n > known &&
        entry.status === null &&
        (!effect || entry.method === 'GET' || entry.carriedOut > 0),
      ended.signal,
    )
    .then(
      () => true,
      () => false,
    );
  controller.abort(
    new RunAborted('cancelled', diagnose('SD9002', unsafeText('The run is cancelled.'))),
  );
  const report = await run;
  fault.remove();
  swapping.world = whole;
  return isStalled ? report.whole : undefined;
}
