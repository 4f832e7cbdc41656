import { type CacheServer, startCacheServer } from '../../emulator/cache/index.ts';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../emulator/index.ts';
import { type ClosedProxy, startClosedProxy } from '../../emulator/runner/closed-proxy.ts';
import type { Scene } from './play.ts';
import type { WorldContents } from './world-file.ts';

/** The service, GitHub and the runner's cache on this machine, with projects by name. */
export interface LocalWorld extends Required<Scene>, AsyncDisposable {
  /** At least one; {@link Scene.project} is the first. */
  readonly projects: ReadonlyMap<string, EmulatedProject>;
  /** Where a step is led that would reach another machine. */
  readonly proxy: ClosedProxy;
}

/** How to open a local world; everything has a default. */
export interface WorldOptions {
  dialect?: DialectOptions;
  /** The port of the service; 0 takes a free one. */
  port?: number;
  /** True for a GitHub that is reached at its own address, as an Enterprise Server: its cache is of that kind. */
  hasOwnAddress?: boolean;
  /** The service's key, and the password of its repositories. By default new ones. */
  keys?: Pick<EmulatorOptions, 'key' | 'gitToken'>;
  /** Whom GitHub's token stands for, that token, and the port. By default the app of GitHub's runs, and always the same. */
  gitHub?: Parameters<typeof startGitHub>[0];
  /** What there is. By default one project. */
  contents?: WorldContents;
  /** How many requests each journal keeps, the latest ones. By default all. */
  journalLimit?: number;
}

/** Puts there what a world file lists. @throws if the emulated service refuses any of it */
async function populate({ world }: Emulator, contents: WorldContents) {
  const projects = new Map<string, EmulatedProject>();
  for (const [name, { variables }] of Object.entries(contents.projects)) {
    const project = await world.createProject(name);
    for (const [variable, value] of Object.entries(variables)) {
      project.setVariable({ name: variable, value });
    }
    projects.set(name, project);
  }
  const idOf = (name: string | null) => (name === null ? null : (projects.get(name)?.id ?? null));
  for (const [hostname, project] of Object.entries(contents['connected-domains'])) {
    world.connectDomain(hostname, idOf(project));
  }
  for (const [name, { project, renewal, dns }] of Object.entries(contents['registered-domains'])) {
    const domain = world.registerDomain(name, { projectId: idOf(project), autoRenew: renewal });
    for (const { managed, ...record } of dns) {
      domain.zone.put({ ...record, managedReason: managed ?? null });
    }
  }
  return projects;
}

/** Opens a local world. Disposing of it stops all that runs. */
export async function openWorld(options: WorldOptions = {}): Promise<LocalWorld> {
  const { dialect = {}, port = 0, hasOwnAddress = false, gitHub = {} } = options;
  const { contents, journalLimit, keys = {} } = options;
  const limit = journalLimit === undefined ? {} : { journalLimit };
  const protocol = hasOwnAddress ? 'older' : 'newer';
  await using opening = new AsyncDisposableStack();
  const emulator: Emulator = opening.use(await startEmulator({ dialect, port, ...keys, ...limit }));
  const github: GitHubStandIn = opening.use(await startGitHub({ ...gitHub, ...limit }));
  const cache: CacheServer = opening.use(await startCacheServer({ protocol, ...limit }));
  const proxy = opening.use(await startClosedProxy());
  const projects = await populate(emulator, contents ?? smallest);
  const [project] = projects.values();
  if (project === undefined) throw new Error('a world file has at least one project');
  const open = opening.move();
  return {
    emulator,
    github,
    cache,
    proxy,
    projects,
    project,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** A project for the site, and one for its previews. */
export const siteAndPreview: WorldContents = {
  projects: { site: { variables: {} }, preview: { variables: {} } },
  'connected-domains': {},
  'registered-domains': {},
};

const smallest: WorldContents = {
  projects: { site: { variables: {} } },
  'connected-domains': {},
  'registered-domains': {},
};
