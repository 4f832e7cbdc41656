// Attack (files): A workflow file runs code by a variable: `NODE_OPTIONS`, `OPENSSL_CONF` with a provider in the
// workspace, `LD_PRELOAD`, `PATH`
// Defense: A step gets only the variables that its `env-from` or its site file names. None has a name that the runner
// sets, or that Node, OpenSSL, git, the system's loader or a shell reads, in any case. The log names the rest

import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { playWorkflow } from '../../workflow/play-workflow.ts';
import { readWorkflow } from '../../workflow/read-workflow.ts';
import { writeAction } from '../runner/write-action.ts';

const run = promisify(execFile);

/** In the place of an action of ours: it prints its variables. */
const main = `console.log(JSON.stringify(process.env));`;

/** Plays a file whose only step uses an action of ours in a folder, and gives its log and the variables that it had. */
async function playIn(
  workspace: string,
  env: Record<'workflow' | 'job' | 'step', Record<string, string>>,
  inputs: Record<string, string> = {},
) {
  await using action = await writeAction({ main, post: main });
  const workflow = await readWorkflow(
    'a.yml',
    JSON.stringify({
      on: 'push',
      env: env.workflow,
      jobs: {
        a: {
          'runs-on': 'x',
          env: env.job,
          steps: [{ uses: 'somebody/site-deploy-action@v1', with: inputs, env: env.step }],
        },
      },
    }),
  );
  if ('mistakes' in workflow) throw new Error(workflow.mistakes.join('\n'));
  const log: string[] = [];
  const end = await playWorkflow(workflow, {
    event: { name: 'push', payload: {} },
    secrets: {},
    vars: {},
    actions: action.path,
    workspaceOf: () => workspace,
    report: (progress) => {
      if (progress.type === 'line') log.push(progress.line);
    },
  });
  const printed = log.filter((line) => line.startsWith('{'));
  const seen = printed.map((line): Record<string, string> => JSON.parse(line));
  return { log: log.join('\n'), seen, conclusion: end?.conclusion };
}

const none = { workflow: {}, job: {}, step: {} };

test('a step has of the file the variables that its inputs or its site file name as sources, and the log names the rest', async () => {
  await using folder = await writeAction({});
  await writeFile(
    join(folder.path, 'site.yml'),
    'environment: { FROM_SITE: {}, OTHER: { from: BEHIND }, FIXED: { value: x, kind: plain } }\n',
  );
  const { log, seen } = await playIn(
    folder.path,
    {
      workflow: { FIRST: '1', FIXED: 'no', UNNAMED: 'no' },
      job: { SOURCE: '2', FROM_SITE: '3' },
      step: { BEHIND: '4', NODE_ENV: '5', TARGET: 'no', OTHER: 'no', COMMENTED: 'no' },
    },
    { 'env-from': 'FIRST, TARGET=SOURCE,NODE_ENV\n#COMMENTED', config: 'site.yml' },
  );
  expect(seen).toHaveLength(2);
  for (const one of seen) {
    expect(one).toMatchObject({
      FIRST: '1',
      SOURCE: '2',
      FROM_SITE: '3',
      BEHIND: '4',
      NODE_ENV: '5',
    });
    expect(Object.values(one)).not.toContain('no');
  }
  expect(log).toContain('Not passed to this step: FIXED, UNNAMED, TARGET, OTHER, COMMENTED.');
});

test('the site file is read in the workspace only', async () => {
  await using folder = await writeAction({});
  await mkdir(join(folder.path, 'work'));
  await writeFile(join(folder.path, 'site.yml'), 'environment: { A: {} }\n');
  const workspace = join(folder.path, 'work');
  const env = { ...none, step: { A: 'no' } };
  for (const config of ['../site.yml', join(folder.path, 'site.yml'), '.', 'none.yml']) {
    const { seen } = await playIn(workspace, env, { config });
    expect(seen[0], config).not.toHaveProperty('A');
  }
});

/** Variables with which a process runs code of a folder, or sends what it has elsewhere, each read by a program. */
const dangerous = [
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'],
  ...['NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_REDIRECT_WARNINGS', 'NODE_REPL_EXTERNAL_MODULE'],
  ...[
    'OPENSSL_CONF',
    'OPENSSL_CONF_INCLUDE',
    'OPENSSL_MODULES',
    'OPENSSL_ENGINES',
    'SSL_CERT_FILE',
  ],
  ...['SSL_CERT_DIR', 'SSLKEYLOGFILE', 'CTLOG_FILE', 'RANDFILE', 'QLOGDIR', 'OSSL_QFILTER'],
  ...['GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT', 'GIT_EXEC_PATH', 'SSH_ASKPASS', 'SSH_AUTH_SOCK'],
  ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'GLIBC_TUNABLES'],
  ...[
    'GCONV_PATH',
    'LOCPATH',
    'NLSPATH',
    'MALLOC_TRACE',
    'HOSTALIASES',
    'RES_OPTIONS',
    'LOCALDOMAIN',
  ],
  ...['PATH', 'HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'TMPDIR', 'TEMP', 'TMP', 'TZDIR', 'TZ'],
  ...[
    'BASH_ENV',
    'BASH_FUNC_git%%',
    'ENV',
    'SHELLOPTS',
    'BASHOPTS',
    'IFS',
    'PS4',
    'CDPATH',
    'SHELL',
  ],
  ...['PROMPT_COMMAND', 'ZDOTDIR', 'COMSPEC', 'PATHEXT', 'SYSTEMROOT', 'WINDIR', 'LC_ALL', 'LANG'],
  ...[
    'HTTP_PROXY',
    'https_proxy',
    'ALL_PROXY',
    'no_proxy',
    'CURL_HOME',
    'CURL_CA_BUNDLE',
    'EDITOR',
  ],
  ...[
    'PERL5OPT',
    'PYTHONSTARTUP',
    'RUBYOPT',
    'UV_THREADPOOL_SIZE',
    'ICU_DATA',
    'NPM_CONFIG_PREFIX',
  ],
  ...['RESOLV_HOST_CONF', 'KRB5_CONFIG', 'GNUTLS_SYSTEM_PRIORITY_FILE', 'DEVELOPER_DIR', 'LIBPATH'],
  ...['HOMEDRIVE', 'HOMEPATH', 'SIMDUTF_FORCE_IMPLEMENTATION', 'WATCH_REPORT_DEPENDENCIES'],
  ...[
    'GITHUB_API_URL',
    'RUNNER_TEMP',
    'ACTIONS_RESULTS_URL',
    'INPUT_API-KEY',
    'STATE_A',
    'CI',
    'HOME=/x',
    'A=B',
    'A B',
  ],
];

test('no source has the name of a variable that Node, OpenSSL, git, the loader, a shell or the runner reads', async () => {
  await using folder = await writeAction({});
  const lower = dangerous.map((name) => name.toLowerCase());
  const site = lower.map((name, index) => [`V${index}`, { from: name }]);
  await writeFile(
    join(folder.path, 'site.yml'),
    JSON.stringify({ environment: Object.fromEntries(site) }),
  );
  for (const [place, names, inputs] of [
    ['workflow', dangerous, { 'env-from': dangerous.join('\n') }],
    ['job', dangerous, { 'Env-From': dangerous.map((name) => `SITE=${name}`).join(',') }],
    ['step', lower, { config: 'site.yml' }],
  ] as const) {
    const given = Object.fromEntries(names.map((name) => [name, 'fake-of-the-file']));
    const { log, seen, conclusion } = await playIn(
      folder.path,
      { ...none, [place]: given },
      inputs,
    );
    expect(conclusion, log).toBe('success');
    const reached = Object.entries(seen[0] ?? {}).filter(
      ([name, value]) => !name.startsWith('INPUT_') && value.includes('of-the-file'),
    );
    expect(
      reached.map(([name]) => name),
      place,
    ).toEqual([]);
    expect(log).toContain(`Not passed to this step: ${names.join(', ')}.`);
  }
});

const compiler = await run('cc', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(!compiler || process.platform !== 'linux')(
  'a provider of OpenSSL in the workspace is not loaded (needs Linux and a C compiler)',
  async () => {
    await using folder = await writeAction({});
    const at = (name: string) => join(folder.path, name);
    const workspace = at('work');
    await mkdir(workspace);
    await writeFile(
      at('provider.c'),
      `#include <fcntl.h>
__attribute__((constructor)) static void loaded(void) { creat("${at('loaded')}", 0600); }
int OSSL_provider_init(const void *core, const void *in, const void **out, void **context) { return 0; }`,
    );
    const built = join(workspace, 'provider.so');
    await run('cc', ['-shared', '-fPIC', '-o', built, at('provider.c')]);
    const sections = ['[init]', 'providers = list', '[list]', 'evil = one', '[one]'];
    const module = 'module = /proc/self/cwd/provider.so';
    const settings = ['nodejs_conf = init', ...sections, module, 'activate = 1', ''];
    await writeFile(join(workspace, 'openssl.cnf'), settings.join('\n'));
    await writeFile(join(workspace, 'site.yml'), 'environment: { OPENSSL_CONF: {} }\n');
    const env = { OPENSSL_CONF: 'openssl.cnf' };
    const isLoaded = async () => (await readdir(folder.path)).includes('loaded');
    for (const place of ['workflow', 'job', 'step'] as const) {
      for (const inputs of [{}, { 'env-from': 'OPENSSL_CONF' }, { config: 'site.yml' }]) {
        const { log } = await playIn(workspace, { ...none, [place]: env }, inputs);
        expect(await isLoaded(), place).toBe(false);
        expect(log).toContain('Not passed to this step: OPENSSL_CONF.');
      }
    }
    const script = 'require("node:crypto").createHash("sha256")';
    await run(process.execPath, ['-e', script], {
      cwd: workspace,
      env: { ...process.env, ...env },
    }).catch(() => undefined);
    expect(await isLoaded()).toBe(true);
  },
);
