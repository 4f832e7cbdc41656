import assert from 'node:assert/strict';
import type { CacheServer } from '../../emulator/cache/index.ts';
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { EmulatedProject, Emulator } from '../../emulator/index.ts';

/** Something that took its time, in milliseconds since the epoch. */
export interface Timed {
  /** Whom was asked for what: `service createVariable`; a status of GitHub's with its state. */
  name: string;
  at: number;
  endedAt: number;
}

/** Who was asked in a run. */
interface Asked {
  emulator: Pick<Emulator, 'journal'>;
  github?: Pick<GitHubStandIn, 'journal'>;
  cache?: Pick<CacheServer, 'journal'>;
  project: Pick<EmulatedProject, 'deployments'>;
}

/** All that was asked for in a run, and its builds, in the order in which they began. */
export function timesOf({ emulator, github, cache, project }: Asked): Timed[] {
  const ended = (endedAt: number | null) => endedAt ?? Number.POSITIVE_INFINITY;
  const github_ = (github?.journal ?? []).map(({ operationId, body, at, endedAt }) => {
    const state = operationId === 'repos/create-deployment-status' ? ` ${Object(body).state}` : '';
    return { name: `github ${operationId}${state}`, at, endedAt: ended(endedAt) };
  });
  const named = (host: string, { journal }: Pick<Emulator, 'journal'>) =>
    journal.entries.map(({ operation, method, path, at, endedAt }) => {
      const what = operation === 'git' ? `git ${method} ${path.split('/').at(-1)}` : operation;
      return { name: `${host} ${what}`, at, endedAt: ended(endedAt) };
    });
  const builds = project.deployments.map(({ createdAt, endedAt }) => {
    return { name: 'build', at: createdAt, endedAt: ended(endedAt) };
  });
  return [
    ...named('service', emulator),
    ...(cache === undefined ? [] : named('cache', cache)),
    ...github_,
    ...builds,
  ].toSorted((a, b) => a.at - b.at);
}

/** Those of a name: all, or with `#1` the first of them and with `#-1` the last. */
function pick(times: readonly Timed[], wanted: string): Timed[] {
  const [name = '', which] = wanted.split(/ #(?=-?\d+$)/);
  const all = times.filter((one) => one.name === name);
  const number = Number(which);
  const one = all.at(number > 0 ? number - 1 : number);
  const picked = which === undefined ? all : one === undefined ? [] : [one];
  const names = times.map((time) => time.name).join(', ');
  assert(picked.length > 0, `there is no "${wanted}" among: ${names}`);
  return picked;
}

/** True if all of the one were over when the first of the other began. */
export function isBefore(times: readonly Timed[], earlier: string, later: string): boolean {
  const end = Math.max(...pick(times, earlier).map(({ endedAt }) => endedAt));
  return end <= Math.min(...pick(times, later).map(({ at }) => at));
}
