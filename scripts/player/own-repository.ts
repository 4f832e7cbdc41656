import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { playRepository, type RepositoryRuns } from '../../emulator/workflow/repository-runs.ts';
import { type RunHistory, recordProgress } from '../../emulator/workflow/run-history.ts';
import { here } from './given-file.ts';
import { inventValue, localValues, type PlayValues, refuseElsewhere } from './local-values.ts';
import { played } from './play.ts';
import { showRuns } from './show-runs.ts';
import { UsageError } from './usage-error.ts';
import { borrow } from './workspace-commit.ts';
import type { LocalWorld } from './world.ts';

/** A git repository of this machine that an option names. */
export interface OwnRepository {
  folder: string;
  /** What GitHub calls it: `octo-org/my-site`. */
  name: string;
}

/** @throws UsageError if it is none */
export async function findRepository(option: string, path: string): Promise<OwnRepository> {
  const folder = resolve(here, path);
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) throw new UsageError(`--${option}: there is no folder ${path}`);
  await using borrowed = await borrow(folder);
  if (borrowed === undefined) {
    throw new UsageError(`--${option}: ${path} is not a git repository. Run git init in it`);
  }
  const name = basename(folder)
    .replace(/\.git$/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^\W+/, '');
  return { folder, name: `octo-org/${name || 'my-site'}` };
}

/** Serves a repository on the local GitHub, and plays its workflows: gives what runs, and what is known of it. Values that were given count but for the world's own. */
export async function serveOwn(
  world: LocalWorld,
  { folder, name }: OwnRepository,
  given: PlayValues,
  options: { runSteps: boolean; unfold: boolean; print: (line: string) => void },
): Promise<{ runs: RepositoryRuns; history: RunHistory }> {
  const { github, emulator, cache, proxy } = world;
  await github.serveRepository(name, folder).catch((error: unknown) => {
    throw new UsageError(`--repo: can't copy ${folder}: ${String(error).split('\n')[0]}`);
  });
  const own = localValues(world);
  const show = showRuns(options.print, options.unfold);
  const history: RunHistory = { runs: [], unstarted: [] };
  const runs = playRepository({
    github,
    repository: name,
    actions: played,
    runtime: { ...cache.environment, ...proxy.environment },
    runSteps: options.runSteps,
    secrets: { ...given.secrets, ...own.secrets },
    vars: { ...given.vars, ...own.vars },
    invent: (_, missing) => inventValue(missing),
    refuse: refuseElsewhere(emulator.url),
    report: (progress) => {
      show(progress);
      recordProgress(history, progress, Date.now());
    },
  });
  return { runs, history };
}
