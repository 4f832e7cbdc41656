import type { RunningAction } from '../../emulator/runner.ts';
import type { ActionName } from '../../src/inputs.ts';
import type { EndName } from '../player/ends.ts';
import type { LocalWorld, WorldOptions } from '../player/world.ts';

/** Something that depends on the world in which it is played, or not. */
export type InWorld<Value> = Value | ((world: LocalWorld) => Value);

/** One run of an action. */
export interface Run {
  action: ActionName;
  /** The event that starts it, with its action: `pull_request.closed`. Default: `push`. */
  event?: string;
  /** True if the pull request comes from a fork, so that GitHub gives the run no secrets. */
  isFork?: true;
  /** How it is brought to its end: see `npm run try -- --help`. */
  end?: EndName;
  inputs?: InWorld<Readonly<Record<string, string>>>;
  env?: Readonly<Record<string, string>>;
  /** Where the workspace has files, by path. */
  files?: Readonly<Record<string, string>>;
  /** What others do before it. */
  prepare?: (world: LocalWorld) => unknown;
  /** What happens while it runs. */
  during?: (step: RunningAction, world: LocalWorld) => Promise<void>;
  /** It is shown as it stands once this holds, and goes on unseen; absent: at its end. */
  shownAt?: (step: RunningAction, world: LocalWorld) => Promise<unknown>;
}

/** What people can read of some runs, of which the last is shown. */
export interface GalleryScene {
  /** The name of its folder. */
  name: string;
  /** What it shows, in a line. */
  shows: string;
  /** The output `outcome` of the last run; empty if it is shown, or ended, before it has one. */
  outcome: string;
  world?: WorldOptions;
  runs: readonly Run[];
}
