import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessOptions, RunningProcess } from '../emulator/runner/process.ts';
import { startAction } from '../emulator/runner.ts';
import { launchUnread } from './launch.ts';
import { type Loopback, openPlain, openSecure } from './loopback.ts';
import { medianOf, type Row } from './measurement.ts';
import { processorTime } from './processor-time.ts';

const turns = 20;
const root = fileURLToPath(new URL('..', import.meta.url));

/** An empty script that tells when it is at its end. */
const empty = "require('node:fs').writeSync(1, '.'); setTimeout(() => undefined, 60_000);";

/** One way to the service, and what an action's median may be there, as a multiple of bare Node's. */
interface Way {
  name: string;
  service: Loopback;
  bound: number;
}

/** Something that is started, and that asks the service for something. */
interface Starter {
  name: string;
  /** The folder that holds `action.yml`. */
  action: string;
  inputs: Readonly<Record<string, string>>;
}

const projectId = '00000000-0000-4000-8000-000000000001';
const project = { 'project-id': projectId };
const starters: readonly Starter[] = [
  { name: 'deploy', action: root, inputs: project },
  { name: 'env-sync', action: join(root, 'env-sync'), inputs: { ...project, env: 'NAME=value' } },
  { name: 'domains', action: join(root, 'domains'), inputs: { check: 'example.com' } },
  { name: 'message', action: join(root, 'message'), inputs: { ...project, content: 'Hello' } },
  { name: 'projects', action: join(root, 'projects'), inputs: {} },
];

/** What Node itself takes to the end of an empty script, in milliseconds of the processor's time. */
async function bareNode(): Promise<number> {
  const child = spawn(process.execPath, ['--eval', empty], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const time = processorTime(child.pid ?? 0);
  child.kill('SIGKILL');
  await once(child, 'close');
  return time;
}

/** What it takes from its start until its first request is with the service, in milliseconds of the processor's time. */
async function timeToRequest(
  { action, inputs }: Starter,
  service: Loopback,
  gitHub: Loopback,
): Promise<number> {
  let pid = 0;
  const launch = (options: ProcessOptions): RunningProcess => {
    const launched = launchUnread(options);
    pid = launched.pid;
    return launched;
  };
  await using step = startAction({
    action,
    inputs: { 'api-key': 'fake-key-of-the-bench', 'base-url': service.url, ...inputs },
    env: service.env,
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) } },
    github: { apiUrl: gitHub.url },
    post: false,
    launch,
  });
  const early = step.done.then(({ log }) => {
    throw new Error(`It ended without a request:\n${log.join('\n')}`);
  });
  const time = await Promise.race([service.next(() => processorTime(pid)), early]);
  early.catch(() => undefined);
  return time;
}

/** Measures all in turns, so that what else the machine does is shared by all of a turn; gives the turns. */
async function takeTurns(ways: readonly Way[], gitHub: Loopback): Promise<Map<string, number>[]> {
  const takeTurn = async () => {
    const times = new Map([['Node itself', await bareNode()]]);
    for (const { name: way, service } of ways) {
      for (const starter of starters) {
        times.set(`${starter.name}, ${way}`, await timeToRequest(starter, service, gitHub));
      }
    }
    return times;
  };
  // One turn that does not count: it fills the machine's caches.
  await takeTurn();
  const all: Map<string, number>[] = [];
  for (let turn = 0; turn < turns; turn += 1) all.push(await takeTurn());
  return all;
}

/** What it takes until the first request is with the service, as a multiple of what Node takes to start. */
export async function* firstRequest(): AsyncGenerator<Row> {
  if (process.platform !== 'linux') {
    console.log('Skipped: only Linux tells the processor time of another process while it runs.');
    return;
  }
  await using plain = await openPlain();
  await using gitHub = await openPlain();
  await using secure = await openSecure();
  const ways: Way[] = [{ name: 'plain', service: plain, bound: 2.8 }];
  if (secure !== undefined) ways.push({ name: 'over TLS', service: secure, bound: 3.5 });
  else console.log('Without TLS: it needs the command openssl, to make a certificate.');
  const all = await takeTurns(ways, gitHub);
  const timesOf = (name: string) => all.map((times) => times.get(name) ?? Number.NaN);
  const bare = timesOf('Node itself');
  yield { name: 'Node itself, with an empty script', unit: 'ms', values: bare };
  for (const { name: way, bound } of ways) {
    for (const { name } of starters) {
      const times = timesOf(`${name}, ${way}`);
      const values = times.map((time, turn) => time / (bare[turn] ?? Number.NaN));
      const title = `first request: ${name}, ${way} (${medianOf(times).toFixed(0)} ms)`;
      yield { name: title, unit: '×', values, bound };
    }
  }
}
