// Attack (command): A stranger's checkout has a package `site-deploy` in `node_modules`, an `.npmrc` with another
// registry, or files by which `npm` or `node` runs another program
// Defense: The examples install an exact version from a given registry in an empty folder, read no settings of other
// folders, run no scripts, and start Node and the file by absolute paths

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { git } from '../../emulator/git/git.ts';
import { startGitLab } from '../../emulator/gitlab/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import * as jobs from '../cli/ci-environments.ts';
import { root } from '../support/places.ts';
import { startRegistry, writePackage } from '../support/registry.ts';

type Variables = Record<string, string>;

const read = (path: string) => readFileSync(join(root, 'examples', path), 'utf8');

const strings = z.union([z.string(), z.array(z.string())]).transform((given) => [given].flat());
const gitlabJob = z.object({
  extends: z.string().optional(),
  rules: z
    .array(z.object({ if: z.string(), when: z.enum(['never', 'manual']).optional() }))
    .default([]),
  variables: z.record(z.string(), z.string()).default({}),
  before_script: z.array(strings).default([]),
  script: z.array(z.string()).default([]),
  cache: z.object({ paths: z.array(z.string()) }).optional(),
  artifacts: z.object({ reports: z.object({ dotenv: z.string() }) }).optional(),
  environment: z
    .object({ name: z.string(), url: z.string().optional(), action: z.string().optional() })
    .optional(),
});

/** The jobs of a file of GitLab, with what they extend. */
function gitlabJobs() {
  const file = z
    .record(z.string(), z.unknown())
    .parse(parse(read('gitlab/.gitlab-ci.yml'), { merge: true }));
  const { workflow: _, default: __, variables, '.ledger': ___, '.install': ____, ...rest } = file;
  const all = Object.entries(rest).map(([name, job]) => {
    const base = z.object({ extends: z.string().default('') }).parse(job).extends;
    const parts = [rest[base] ?? {}, job].map((part) =>
      z.record(z.string(), z.unknown()).parse(part),
    );
    return [name, gitlabJob.parse(Object.assign({}, ...parts))] as const;
  });
  return { variables, jobs: new Map(all.filter(([name]) => !name.startsWith('.'))) };
}

/** True if a condition such as `$A == "b"`, or `$A == $B`, holds. */
function holds(condition: string, variables: Variables): boolean {
  const sides = condition.split(' == ').map((side) => {
    const [, name, literal] = /^(?:\$(\w+)|"([^"]*)")$/.exec(side) ?? [];
    if (name === undefined && literal === undefined) throw new Error(`unknown: ${condition}`);
    return name === undefined ? literal : variables[name];
  });
  return sides.length === 2 && sides[0] !== undefined && sides[0] === sides[1];
}

/** The names of the jobs that a pipeline has, as GitLab decides by their rules. */
const namesFor = (variables: Variables): string[] =>
  [...gitlabJobs().jobs]
    .filter(([, { rules }]) => {
      const rule = rules.find((one) => holds(one.if, variables));
      return rule !== undefined && rule.when !== 'never';
    })
    .map(([name]) => name);

/** The shell lines of a stage of the Jenkinsfile, and the variables that it sets. */
function jenkinsStage(name: string) {
  const file = read('jenkins/Jenkinsfile');
  const [, stage = ''] =
    new RegExp(`stage\\('${name}'\\) \\{\\n([\\s\\S]*?)\\n    \\}\\n`).exec(file) ?? [];
  const [, lines, line] = /\bsh '''([\s\S]*?)'''|\bsh '(.*)'/.exec(stage) ?? [];
  const script = lines ?? line ?? '';
  const set = [...stage.matchAll(/^ +(\w+) = (?:'(.*)'|"\$\{env\.(\w+)\}")$/gm)];
  return (given: Variables) => ({
    script,
    variables: Object.fromEntries(
      set.map(([, variable, literal, other = '']) => [variable, literal ?? given[other] ?? '']),
    ) as Variables,
  });
}

const buildkiteFile = z.object({
  env: z.record(z.string(), z.string()),
  steps: z.array(
    z.object({
      label: z.string(),
      command: strings,
      env: z.record(z.string(), z.string()),
      secrets: z.array(z.string()),
    }),
  ),
});

/** A step of Buildkite's pipeline. */
function buildkiteStep(label: string) {
  const { env, steps } = buildkiteFile.parse(parse(read('buildkite/pipeline.yml')));
  const step = steps.find((one) => one.label.endsWith(label));
  if (step === undefined) throw new Error(`no step ${label}`);
  return { script: step.command.join('\n'), names: Object.keys({ ...env, ...step.env }), ...step };
}

const hostname = 'preview.example.com';

const publicRegistry = 'https://registry.npmjs.org/';
const name = 'site-deploy';
/** The version that the examples install. */
const [, version = ''] = /site-deploy@([\d.]+)/.exec(read('gitlab/.gitlab-ci.yml')) ?? [];

/** As a version manager does, which people put before the programs in PATH: runs what a file of the folder, or above, names. */
const versionManager = (program: string) => `#!/bin/bash
folder=$PWD
while true; do
  if [ -f "$folder/.tool-versions" ]; then exec "$folder/$(cut -d: -f2 "$folder/.tool-versions")/${program}" "$@"; fi
  [ "$folder" = / ] && break
  folder=$(dirname "$folder")
done
PATH=\${PATH#*:} exec ${program} "$@"
`;

/** Puts into a folder what makes npx, npm or node run a stranger's code, which creates the file `mark`. */
function plant(folder: string, registry: string, mark: string): void {
  const steal = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  };
  writePackage(join(folder, 'node_modules', name), name, version, steal);
  write('.npmrc', `registry=${registry}\nnode-options=--require=./steal.cjs\ncache=./cache\n`);
  write('.tool-versions', 'nodejs path:stolen');
  write('steal.cjs', steal);
  for (const program of ['node', 'npm', 'npx', 'git', name]) {
    write(join('stolen', program), `#!/bin/sh\ntouch '${mark}'\n`);
    write(join('node_modules/.bin', program), `#!/bin/sh\ntouch '${mark}'\n`);
  }
  const scripts = { preinstall: `touch '${mark}'`, postinstall: `touch '${mark}'` };
  const overrides = { [name]: `file:node_modules/${name}` };
  write(
    'package.json',
    JSON.stringify({ name: 'site', scripts, overrides, packageManager: 'npm@1.0.0+sha1.00' }),
  );
}

/** A service with a live project and one for previews, GitLab, and a clone with a commit to deploy. */
async function startWorld() {
  const stack = new AsyncDisposableStack();
  const emulator = stack.use(await startEmulator());
  const gitlab = stack.use(await startGitLab());
  const temporary = stack.use(mkdtempDisposableSync(join(tmpdir(), 'other-ci-')));
  gitlab.openMergeRequest({ project: 5, iid: 12 });
  const live = await emulator.world.createProject();
  const preview = await emulator.world.createProject();
  const clone = join(temporary.path, 'clone');
  await git(['clone', '--quiet', live.gitUrl, clone]);
  const mark = join(temporary.path, 'stolen');
  const evil = stack.use(
    await startRegistry(
      name,
      version,
      `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`,
    ),
  );
  const registry = stack.use(
    await startRegistry(
      name,
      version,
      `const { spawnSync } = require('node:child_process');
      const args = [${JSON.stringify(join(root, 'npm/main.ts'))}, ...process.argv.slice(2)];
      process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status;`,
    ),
  );
  plant(clone, evil.url, mark);
  await git(['-C', clone, 'add', '--force', '--all']);
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  await git([...author, '-C', clone, 'commit', '--quiet', '--allow-empty', '--message=New']);
  const head = (await git(['-C', clone, 'rev-parse', 'HEAD'])).trim();
  const home = join(temporary.path, 'home');
  const empty = join(temporary.path, 'empty');
  const tools = join(temporary.path, 'tools');
  for (const folder of [home, empty, tools]) mkdirSync(folder);
  writeFileSync(join(home, '.npmrc'), `registry=${evil.url}\n`);
  for (const program of ['node', 'npm', 'npx']) {
    writeFileSync(join(tools, program), versionManager(program), { mode: 0o755 });
  }

  /** Runs shell lines as a CI does, and tells whether something of the checkout was run, or asked for. */
  async function start(script: string, variables: Variables, folder = clone) {
    const local = script.replaceAll(publicRegistry, registry.url);
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', local], {
      cwd: folder,
      env: {
        ...variables,
        HOME: home,
        PATH: [tools, dirname(process.execPath), process.env['PATH']].join(delimiter),
      },
    });
    child.stdin.end();
    const all = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const [stdout, stderr, [status]] = await all;
    const isStolen = existsSync(mark) || evil.requested.length > 0;
    return { status: status as number | null, log: `${stdout}${stderr}`, isStolen };
  }

  /** The same where nothing may be. */
  async function run(...given: Parameters<typeof start>) {
    const { isStolen, ...ran } = await start(...given);
    expect(isStolen, ran.log).toBe(false);
    return ran;
  }

  return {
    emulator,
    gitlab,
    live,
    preview,
    head,
    clone,
    empty,
    start,
    run,
    /** What the first lines of the examples ask for. */
    needed: {
      SITE_API_KEY: emulator.key,
      SITE_BASE_URL: emulator.url,
      SITE_GIT_URL: live.gitUrl.replace(live.id, '{projectId}').replace(/\/\/[^@/]*@/, '//'),
      SITE_GIT_TOKEN: emulator.gitToken,
      STRIPE_KEY: 'not-a-real-live-key',
      STRIPE_TEST_KEY: 'not-a-real-test-key',
      LIVE_PROJECT_ID: live.id,
      PREVIEW_PROJECT_ID: preview.id,
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const deployed = (project: { deployments: readonly { commit: string; status: string }[] }) =>
  project.deployments.map(({ commit, status }) => [commit, status]);

const values = (project: { variables: readonly { name: string; value: string }[] }) =>
  project.variables.map(({ name, value }) => `${name}=${value}`);

describe.skipIf(process.platform === 'win32')('GitLab (Windows lacks the shell)', () => {
  test.each<[string, Variables, string[]]>([
    ['a push', jobs.gitlabPush, ['deploy']],
    ['a schedule', jobs.gitlabSchedule, ['drift']],
    ['a merge request', jobs.gitlabMergeRequest, ['preview', 'stop-preview']],
    ['a push to another branch', { ...jobs.gitlabPush, CI_COMMIT_BRANCH: 'topic' }, []],
    ['a tag', jobs.gitlabTag, []],
  ])('%s runs these jobs', (_name, variables, names) => {
    expect(namesFor(variables)).toEqual(names);
  });

  it('deploys, previews, ends the preview and reports drift', async () => {
    await using world = await startWorld();
    const { emulator, gitlab, live, preview, head, clone, empty, run, needed } = world;
    const play = async (name: string, given: Variables) => {
      const { jobs: all, variables } = gitlabJobs();
      const job = all.get(name);
      if (job === undefined) throw new Error(`no job ${name}`);
      const lines = [...job.before_script.flat(), ...job.script].join('\n');
      const result = await run(
        lines,
        {
          ...given,
          ...(variables as Variables),
          ...job.variables,
          ...needed,
          CI_API_V4_URL: gitlab.apiUrl,
          CI_PROJECT_DIR: job.variables['GIT_STRATEGY'] === 'none' ? empty : clone,
          CI_COMMIT_SHA: head,
          PREVIEW_PROJECT_IDS: `${live.id} ${preview.id} ${live.id}`,
          SITE_GITLAB_TOKEN: gitlab.token,
          ...(job.environment?.action && { CI_ENVIRONMENT_ACTION: job.environment.action }),
        },
        job.variables['GIT_STRATEGY'] === 'none' ? empty : clone,
      );
      return { ...result, job };
    };

    const push = await play('deploy', jobs.gitlabPush);
    expect(push.log).toContain('succeeded');
    expect(push.status).toBe(0);
    expect(deployed(live)).toEqual([[head, 'succeeded']]);
    expect(values(live)).toEqual(['STRIPE_KEY=not-a-real-live-key']);
    const [cached = ''] = push.job.cache?.paths ?? [];
    expect(readFileSync(join(clone, cached, 'ledger'), 'utf8')).not.toContain('not-a-real');

    const calm = await play('drift', jobs.gitlabSchedule);
    expect(calm.status).toBe(0);
    live.setVariable({ name: 'STRIPE_KEY', value: 'changed by hand' });
    const drifted = await play('drift', jobs.gitlabSchedule);
    expect(drifted.log).toMatch(/differ|drift/);
    expect(drifted.status).toBe(1);
    const request = { ...jobs.gitlabMergeRequest, CI_MERGE_REQUEST_IID: '13' };
    gitlab.openMergeRequest({ project: 5, iid: 13 });
    const shown = await play('preview', request);
    expect(shown.log).toContain(`mr-13.${hostname}`);
    expect(shown.status).toBe(0);
    expect(deployed(preview)).toEqual([[head, 'succeeded']]);
    expect(values(preview)).toEqual(['STRIPE_KEY=not-a-real-test-key']);
    expect(gitlab.notes({ project: 5, iid: 13 })).toHaveLength(1);
    const [, variable = ''] = /^\$(\w+)$/.exec(shown.job.environment?.url ?? '') ?? [];
    const report = shown.job.artifacts?.reports.dotenv ?? '';
    expect(readFileSync(join(clone, report), 'utf8')).toContain(
      `${variable}=https://mr-13.${hostname}\n`,
    );

    const stopped = await play('stop-preview', request);
    expect(stopped.status).toBe(0);
    expect(emulator.world.domains.find(`mr-13.${hostname}`)?.projectId ?? null).toBeNull();
    expect(gitlab.notes({ project: 5, iid: 13 })[0]?.body).toMatch(/removed|ended/i);
    expect(gitlab.violations).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('Jenkins (Windows lacks the shell)', () => {
  it('deploys, previews PR-12 at its head, and reports drift', async () => {
    await using world = await startWorld();
    const { live, preview, head, clone, run, needed } = world;
    const play = async (name: string, given: Variables) => {
      const around = { ...given, ...needed, WORKSPACE_TMP: `${clone}@tmp` };
      const installed = await run(jenkinsStage('Install')(needed).script, around);
      expect(installed.status).toBe(0);
      const { script, variables } = jenkinsStage(name)(needed);
      return await run(script, { ...around, ...variables });
    };
    const push = await play('Deploy', { ...jobs.jenkinsBranch, GIT_COMMIT: head });
    expect(push.log).toContain('succeeded');
    expect(deployed(live)).toEqual([[head, 'succeeded']]);
    expect((await play('Drift', { ...jobs.jenkinsBranch, GIT_COMMIT: head })).status).toBe(0);

    await git(['-C', clone, 'update-ref', 'refs/remotes/origin/PR-12', head]);
    const shown = await play('Preview', jobs.jenkinsChange);
    expect(shown.log).toContain(`pr-12.${hostname}`);
    expect(shown.status).toBe(0);
    expect(deployed(preview)).toEqual([[head, 'succeeded']]);
    expect(readFileSync(join(clone, 'report.md'), 'utf8')).toContain(`pr-12.${hostname}`);
  });
});

describe.skipIf(process.platform === 'win32')('Buildkite (Windows lacks the shell)', () => {
  it('deploys, previews, and reports drift with the ledger of the deployment', async () => {
    await using world = await startWorld();
    const { live, preview, head, clone, run, needed } = world;
    const play = (label: string, given: Variables, other: Variables = {}) => {
      const { script, env, secrets, names } = buildkiteStep(label);
      const known: Variables = {
        ...needed,
        ...env,
        SITE_PROJECT_ID: label === 'Preview' ? preview.id : live.id,
        ...other,
      };
      const passed = [...names, ...secrets].map((name) => [name, known[name] ?? '']);
      return run(script, { ...given, BUILDKITE_COMMIT: head, ...Object.fromEntries(passed) });
    };
    // There is no ledger to keep, and the exit status is still that of the run.
    const wrong = await play('Deploy', jobs.buildkitePush, { SITE_PROJECT_ID: 'wrong' });
    expect(wrong.status).toBe(2);
    const push = await play('Deploy', jobs.buildkitePush);
    expect(push.log).toContain('succeeded');
    expect(push.status).toBe(0);
    expect(deployed(live)).toEqual([[head, 'succeeded']]);
    // As Buildkite does before each job.
    await git(['-C', clone, 'clean', '-ffxdq']);
    const calm = await play('Drift', jobs.buildkitePush);
    expect(calm.status).toBe(0);
    expect(calm.log).not.toContain('No ledger');

    const shown = await play('Preview', jobs.buildkitePullRequest);
    expect(shown.log).toContain(`pr-12.${hostname}`);
    expect(shown.status).toBe(0);
    expect(deployed(preview)).toEqual([[head, 'succeeded']]);
  });
});

describe.skipIf(process.platform === 'win32')('the checkout (Windows lacks the shell)', () => {
  const install = `npm install --ignore-scripts --registry ${publicRegistry} site-deploy@${version}`;
  const apart = `folder="$(mktemp -d)"; (cd "$folder"; ${install} --prefix . --cache cache)`;

  it.each([
    ['npx', 'npx --yes site-deploy@1 --version'],
    ['npx of an exact version', `npx --yes site-deploy@${version} --version`],
    ['npx of what is not there', `rm -r node_modules; npx --yes site-deploy@${version} --version`],
    ['npm exec', `npm exec --yes site-deploy@${version} -- --version`],
    ['npm, started there', `npm install --prefix "$(mktemp -d)" site-deploy@${version}`],
    ['node, started there', `${apart}; node "$folder/node_modules/site-deploy/bin.cjs" --version`],
    ['the command itself', `${apart}; "$folder/node_modules/.bin/site-deploy" --version`],
  ])('decides what %s runs', async (_name, script) => {
    await using world = await startWorld();
    const { isStolen } = await world.start(script, {});
    expect(isStolen).toBe(true);
  });
});
