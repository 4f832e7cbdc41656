import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, homedir, platform, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Conclusion } from './conditions.ts';
import {
  type GitHubContext,
  type GitHubOptions,
  githubContext,
  githubVariables,
  pullRequestBranches,
} from './github-context.ts';
import { SecretMasker } from './masks.ts';

/** The event that started the workflow: `push`, `pull_request`, … and the webhook's payload. */
export type RunEvent = { name: string; payload: unknown };

/** What the steps of one job share. */
export type Job = AsyncDisposable & {
  github: GitHubContext;
  workspace: string;
  /** The runner's folder for temporary files (`RUNNER_TEMP`). */
  temp: string;
  masker: SecretMasker;
  /** Written by steps to `GITHUB_ENV`, for the steps after them. */
  env: Map<string, string>;
  /** Written by steps to `GITHUB_PATH`, the first written first. */
  path: string[];
  /** The variables of the machine, of GitHub and of the runner, in rising order of precedence. */
  variables: { machine: Record<string, string>; context: Record<string, string> };
  status: Conclusion;
};

/** Prepares a job in a temporary folder that goes when the job is disposed of. */
export function createJob(options: {
  event: RunEvent;
  github: GitHubOptions;
  secrets: readonly string[];
  runtime: Readonly<Record<string, string>>;
  workspace: string | undefined;
  debug: boolean;
}): Job {
  const root = mkdtempSync(join(tmpdir(), 'runner-'));
  const temp = join(root, 'temp');
  const tools = join(root, 'tools');
  const workspace = resolve(options.workspace ?? join(root, 'work'));
  const eventPath = join(temp, '_github_workflow', 'event.json');
  mkdirSync(dirname(eventPath), { recursive: true });
  mkdirSync(tools);
  mkdirSync(workspace, { recursive: true });
  writeFileSync(eventPath, JSON.stringify(options.event.payload, undefined, 2));
  const github = githubContext(
    { ...pullRequestBranches(options.event.payload), ...options.github },
    { eventName: options.event.name, eventPath, workspace },
  );
  const masker = new SecretMasker();
  for (const secret of [github['token'] ?? '', ...options.secrets]) {
    masker.addWithLines(secret.trim());
  }
  return {
    github,
    workspace,
    temp,
    masker,
    env: new Map(),
    path: [],
    variables: {
      machine: machineVariables(),
      context: {
        ...options.runtime,
        ...githubVariables(github),
        ...runnerVariables({ temp, tools, workspace: dirname(workspace) }),
        ...(options.debug ? { RUNNER_DEBUG: '1' } : {}),
      },
    },
    status: 'success',
    [Symbol.asyncDispose]: async () =>
      rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

const inherited =
  platform() === 'win32'
    ? ['APPDATA', 'ComSpec', 'LOCALAPPDATA', 'PATHEXT', 'SystemDrive', 'SystemRoot', 'TEMP', 'TMP']
    : ['LANG', 'TMPDIR', 'USER'];

/** What a runner's machine has by itself; nothing else of our own environment reaches the action. */
function machineVariables(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  return {
    ...variables,
    [platform() === 'win32' ? 'USERPROFILE' : 'HOME']: homedir(),
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  };
}

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macOS', win32: 'Windows' };

function runnerVariables(folders: { temp: string; tools: string; workspace: string }) {
  return {
    RUNNER_ARCH: arch().toUpperCase(),
    RUNNER_ENVIRONMENT: 'self-hosted',
    RUNNER_NAME: 'emulated-runner',
    RUNNER_OS: systems[platform()] ?? 'Linux',
    RUNNER_TEMP: folders.temp,
    RUNNER_TOOL_CACHE: folders.tools,
    RUNNER_WORKSPACE: folders.workspace,
  };
}
