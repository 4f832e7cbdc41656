import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { circles, lateFiles, placeOf, problems, refusals } from './arrows.ts';

/** Module names by the file that imports them, parted by white space. */
const imports = {
  'src/main.ts': {
    allowed: './platform.ts ./inputs.ts ./github/runner/log.ts',
    refused: '../emulator/index.ts zod node:fs',
  },
  'src/probe.ts': { allowed: '', refused: '../emulator/index.ts ./main.ts node:fs' },
  'src/new-room/probe.ts': {
    allowed: './other.ts',
    refused: '../../emulator/index.ts ../kernel/event.ts zod',
  },
  'src/actions/probe.ts': {
    allowed: './explain/deploy.ts ../deploy/job.ts ../github/runner/log.ts ../service/client.ts',
    refused: `../main.ts ../main.ts ../inputs.ts ../../emulator/index.ts undici node:fs @actions/core
      ./../../emulator/index.ts ../kernel/../../emulator/index.ts`,
  },
  'src/deploy/probe.ts': {
    allowed: './model/title.ts ../domains/plan.ts ../checks/apply.ts ../service/client.ts',
    refused: '../actions/service.ts ../main.ts ./../actions/service.ts zod undici p-limit node:fs',
  },
  'src/deploy/model/probe.ts': {
    allowed:
      './title.ts ../../checks/result.ts ../../deploy/model/report.ts ../../variables/render.ts',
    refused:
      '../deploy.ts ../../checks/apply.ts ../../service/errors.ts ../../step/host.ts node:fs',
  },
  'src/checks/probe.ts': {
    allowed: './intent.ts ../step/host.ts ../http/pool.ts ../variables/sync.ts p-limit undici',
    refused: '../deploy/verify.ts ../deploy/previews/preview.ts node:fs',
  },
  'src/push/git/probe.ts': {
    allowed:
      './process.ts ../model/push-result.ts ../../kernel/text/safe.ts node:fs/promises node:child_process',
    refused:
      '../../deploy/previews/preview.ts ../../../emulator/index.ts @actions/core undici zod ./../../../main.ts',
  },
  'src/push/probe.ts': { allowed: './git/push.ts', refused: 'node:child_process node:fs' },
  'src/variables/probe.ts': {
    allowed: './sync.ts ./model/desired.ts ../ledger/model/ledger.ts ../service/client.ts p-limit',
    refused: '../push/push-commit.ts ../checks/apply.ts undici',
  },
  'src/domains/dns/probe.ts': {
    allowed:
      './name.ts ../plan.ts ../../kernel/text/clean.ts ../../contract/wire.ts node:net node:url',
    refused: '../records.ts ../../service/errors.ts node:http node:dns p-limit',
  },
  'src/messages/apply.ts': {
    allowed: './evaluate.ts ./text.ts ../service/errors.ts ../step/host.ts ../kernel/template.ts',
    refused: '../deploy/deploy.ts ../projects/apply.ts node:fs',
  },
  ...Object.fromEntries(
    ['intent', 'plan', 'evaluate', 'result', 'render', 'site-file'].map((name) => [
      `src/messages/${name}.ts`,
      {
        allowed:
          './model/thread.ts ../kernel/event.ts ../contract/message.ts ../report/markdown.ts',
        refused: './apply.ts ./follow.ts ../service/errors.ts ../step/host.ts node:fs',
      },
    ]),
  ),
  'src/messages/inputs.ts': {
    allowed: '../inputs/input.ts ../input-schemas.ts ../contract/limits.ts',
    refused: './apply.ts ../service/errors.ts zod node:fs node:crypto',
  },
  'src/checks/inputs.ts': {
    allowed: '../inputs/input.ts ../input-schemas.ts ../contract/limits.ts ../push/inputs.ts',
    refused: `./intent.ts ../deploy/inputs.ts ../deploy/previews/intent.ts ../http/pool.ts ../declared/declared.ts
      zod node:fs`,
  },
  'src/inputs/probe.ts': {
    allowed: './input.ts ../input-schemas.ts ../kernel/problem.ts',
    refused: '../inputs.ts ../checks/inputs.ts ../checks/intent.ts zod',
  },
  'src/variables/env-sync-inputs.ts': {
    allowed: './inputs.ts ../inputs/common.ts ../input-schemas.ts',
    refused: './intent.ts ./sync.ts ../service/errors.ts zod',
  },
  'src/comments/probe.ts': {
    allowed: './model/marker.ts ../step/host.ts ../github/client.ts',
    refused: '../messages/apply.ts ../deploy/recorder.ts @actions/github',
  },
  'src/step/probe.ts': {
    allowed: './host.ts ../github/runner/log.ts ../service/client.ts ../ledger/store/file.ts',
    refused: '../comments/comment.ts ../follow/tracker.ts node:fs undici',
  },
  'src/ledger/model/probe.ts': {
    allowed: './keys.ts ../../kernel/json.ts ../../contract/wire.ts zod node:crypto',
    refused: '../../github/runner/log.ts ../../service/errors.ts ../store/file.ts node:fs yaml',
  },
  'src/ledger/store/probe.ts': {
    allowed: './store.ts ../cache/exchange.ts ../../machine.ts node:fs',
    refused: '../../step/step.ts ../../../emulator/index.ts @actions/core undici',
  },
  'src/site-file/probe.ts': {
    allowed: './position.ts ../kernel/text/clean.ts leven yaml zod node:buffer',
    refused:
      '../main.ts ../service/errors.ts ../checks/intent.ts ajv undici node:fs ../kernel/../main.ts',
  },
  'src/github/probe.ts': {
    allowed:
      './api.ts ./model/claim.ts ../http/fetch.ts ../kernel/json.ts @actions/github node:crypto',
    refused: '../comments/comment.ts ../step/step.ts undici',
  },
  'src/github/runner/probe.ts': {
    allowed:
      './log.ts ../model/pull-request.ts ../../kernel/event.ts ../../report/log-entry.ts @actions/core node:fs',
    refused: '../../step/step.ts ../../../emulator/index.ts undici ../../kernel/../main.ts',
  },
  'src/report/probe.ts': {
    allowed: './closing.ts ../kernel/outcome.ts',
    refused: '../deploy/model/title.ts ../service/errors.ts ../http/pool.ts zod node:fs',
  },
  'src/service/probe.ts': {
    allowed:
      './errors.ts ../http/pool.ts ../contract/wire.ts undici eventsource-parser zod node:timers/promises',
    refused:
      '../step/host.ts ../report/closing.ts @actions/core node:net node:fs ../contract/../step/host.ts',
  },
  'src/inputs.ts': {
    allowed: `./inputs/common.ts ./input-schemas.ts ./contract/limits.ts ./messages/inputs.ts
      ./variables/env-sync-inputs.ts`,
    refused:
      'zod ./main.ts ./declared/declared.ts ./messages/apply.ts node:fs ./contract/../main.ts',
  },
  'src/input-schemas.ts': {
    allowed: './contract/limits.ts',
    refused: 'zod ./declared/declared.ts ./service/errors.ts undici',
  },
  'src/http/probe.ts': {
    allowed: './pool.ts ../contract/base-url.ts undici node:dns node:events node:net node:tls',
    refused: '../service/errors.ts eventsource-parser zod node:fs node:http node:process',
  },
  'src/kernel/probe.ts': {
    allowed: './event.ts ./text/clean.ts ../contract/wire.ts node:crypto',
    refused: `../inputs.ts ../http/pool.ts ../report/closing.ts ../../emulator/index.ts node:fs node:http node:net
      node:child_process node:process node:timers node:os fs zod undici @actions/core a-new-library
      ./text/../../github/runner/log.ts ../contract/../github/runner/log.ts`,
  },
  'src/kernel/text/probe.ts': {
    allowed: './clean.ts ../event.ts ../../contract/wire.ts',
    refused:
      '../../report/closing.ts ../../http/pool.ts node:net ./../../main.ts ../text/../../main.ts',
  },
  'src/contract/probe.ts': {
    allowed: './wire.ts zod',
    refused: '../kernel/event.ts ../inputs.ts ./../kernel/event.ts zod/mini node:util undici',
  },
  'emulator/probe.ts': {
    allowed:
      './dialect.ts ./github/index.ts ../src/contract/wire.ts ajv yaml zod node:http node:fs/promises',
    refused: `../src/service/errors.ts ../src/kernel/event.ts ../src/inputs.ts ../src/http/pool.ts @actions/core undici
      eventsource-parser ./../src/run.ts ../contract/../src/run.ts`,
  },
  'emulator/service/resources/probe.ts': {
    allowed: './projects.ts ../../dialect.ts ../../../src/contract/limits.ts zod node:http',
    refused:
      '../../../src/service/errors.ts undici ./../../../src/run.ts ../../../contract/../src/run.ts',
  },
};

/** What reaches the world, or a clock, without an import. */
const impure = [
  'process.env',
  'globalThis.process',
  'global.process',
  'fetch(url)',
  'new WebSocket(url)',
  'setTimeout(act, 1)',
  'setInterval(act, 1)',
  'setImmediate(act)',
  'queueMicrotask(act)',
  'AbortSignal.timeout(1)',
  'performance.now()',
];

/** Other ways to import, parts of a module, and what is there without an import. */
const statements = {
  'src/kernel/probe.ts': {
    allowed: [
      'const url = new URL(text)',
      'given.Date(given.process)',
      "type Event = import('./event.ts').Event",
    ],
    refused: [
      "import type { Log } from '../github/runner/log.ts'",
      "import '../github/runner/log.ts'",
      "export * from '../github/runner/log.ts'",
      "export { log } from '../github/runner/log.ts'",
      "await import('../github/runner/log.ts')",
      "type Log = import('../github/runner/log.ts').Log",
      "type Log = typeof import('../github/runner/log.ts')",
      'await import(name)',
      "require('./event.ts')",
      ...impure,
      'Date.now()',
      'new Date()',
    ],
  },
  'src/deploy/model/timeline.ts': {
    allowed: ['new Date(milliseconds)'],
    refused: impure,
  },
  ...Object.fromEntries(
    [
      ...['intent', 'explain', 'plan', 'evaluate', 'result', 'render', 'inputs', 'more-inputs'].map(
        (name) => `messages/${name}`,
      ),
      'inputs',
      'inputs/probe',
      'input-schemas',
    ].map((name) => [
      `src/${name}.ts`,
      { allowed: ['new URL(text)'], refused: [...impure, 'Date.now()'] },
    ]),
  ),
  'src/github/runner/probe.ts': {
    allowed: ['process.env', 'setTimeout(act, 1)', 'Date.now()'],
    refused: ["await import('../../step/step.ts')"],
  },
};

interface Row {
  file: string;
  code: string;
  verdict: 'allowed' | 'refused';
}

function rowsOf(file: string, codes: readonly string[], verdict: Row['verdict']): Row[] {
  return codes.map((code) => ({ file, code, verdict }));
}

const importsOf = (modules: string) =>
  (modules.match(/\S+/g) ?? []).map((name) => `import '${name}'`);

const rows = [
  ...Object.entries(imports).flatMap(([file, { allowed, refused }]) => [
    ...rowsOf(file, importsOf(allowed), 'allowed'),
    ...rowsOf(file, importsOf(refused), 'refused'),
  ]),
  ...Object.entries(statements).flatMap(([file, { allowed, refused }]) => [
    ...rowsOf(file, allowed, 'allowed'),
    ...rowsOf(file, refused, 'refused'),
  ]),
];

const root = join(import.meta.dirname, '../..');

const reportShape = z.object({
  diagnostics: z.array(
    z.object({
      severity: z.string(),
      category: z.string(),
      location: z.object({ path: z.string(), start: z.object({ line: z.int() }) }),
    }),
  ),
});

/** Where Biome refuses a global in the `src/` of a folder. */
function globalsIn(folder: string): string[] {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const rule = 'style/noRestrictedGlobals';
  const options = ['--reporter=json', '--max-diagnostics=none', '--vcs-enabled=false'];
  const { stdout } = spawnSync(
    process.execPath,
    [biome, 'lint', ...options, `--only=${rule}`, 'src'],
    { cwd: folder, encoding: 'utf8' },
  );
  return reportShape
    .parse(JSON.parse(stdout))
    .diagnostics.filter(
      ({ severity, category }) => severity === 'error' && category === `lint/${rule}`,
    )
    .map(({ location: { path, start } }) => `${path.replaceAll('\\', '/')}:${start.line}`);
}

/** Writes each row on a line of its own in the file that it names, and has it read for globals and for imports. */
async function judge() {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'arrows-'));
  await copyFile(join(root, 'biome.json'), join(folder.path, 'biome.json'));
  const lines = new Map<string, string[]>();
  const placed = rows.map((row) => {
    const codes = lines.get(row.file) ?? [];
    lines.set(row.file, codes);
    return { ...row, place: `${row.file}:${codes.push(row.code)}` };
  });
  for (const [file, codes] of lines) {
    const path = join(folder.path, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, codes.join(';\n'));
  }
  const refused = [
    ...globalsIn(folder.path),
    ...[...lines].flatMap(([file, codes]) => refusals(placeOf(file), codes.join(';\n'))),
  ];
  return placed.map((row) => ({
    ...row,
    refused: refused.filter((each) => each.split(' ')[0] === row.place),
  }));
}

test.each(await judge())('$file: $code is $verdict', ({ verdict, refused }) => {
  expect(refused.length > 0 ? 'refused' : 'allowed').toBe(verdict);
});

test('the tree as it stands is allowed, and each word of its plan names something', () => {
  expect(problems()).toEqual([]);
});

test.each([
  ["import { b } from './b.ts';", "import { a } from './a.ts';"],
  ["import type { B } from './b.ts';", "export type { A } from './a.ts';"],
  ["type B = import('./b.ts').B;", "import { a } from './a.ts';"],
  ["const load = () => import('./b.ts');", "import type { A } from './a.ts';"],
])('%s and %s are a circle', (a, b) => {
  const codes: Readonly<Record<string, string>> = { 'room/a.ts': a, 'room/b.ts': b };
  const circle = 'room/a.ts → room/b.ts → room/a.ts';
  expect(circles(Object.keys(codes), (file) => codes[file] ?? '')).toEqual([circle]);
});

describe('the first stage', () => {
  const late = 'src/step/open-step.ts:2 may import';
  const found = (line: string) =>
    lateFiles(['main.ts', 'actions/deploy.ts'], (file) => {
      if (file === 'main.ts') return "import './step/open-step.ts';";
      return file === 'step/open-step.ts' ? `const one = 1;\n${line}` : '';
    });

  test.for([
    './end-step.ts',
    '../service/client.ts',
    '../actions/late/deploy.ts',
    '@actions/core',
    'undici',
    'yaml',
  ])('does not reach %s by a statement', (module) => {
    const refusal = [`${late} '${module}' only by a call, or as types`];
    expect(found(`import { something } from '${module}';`)).toEqual(refusal);
    expect(found(`export { something } from '${module}';`)).toEqual(refusal);
    expect(found(`import { type Something } from '${module}';`)).toEqual(refusal);
    expect(found(`import '${module}';`)).toEqual(refusal);
  });

  test.for(['./end-step.ts', '@actions/core'])('may import %s by a call, or as types', (module) => {
    expect(found(`const load = () => import('${module}');`)).toEqual([]);
    expect(found(`import type { Something } from '${module}';`)).toEqual([]);
    expect(found(`export type { Something } from '${module}';`)).toEqual([]);
  });

  test('is walked through all that it imports', () => {
    const codes: Readonly<Record<string, string>> = {
      'actions/deploy.ts': "import '../step/read-values.ts';",
      'step/read-values.ts': "import '../deploy/model/report.ts';",
    };
    expect(lateFiles(['actions/deploy.ts'], (file) => codes[file] ?? '')).toEqual([
      "src/step/read-values.ts:1 may import '../deploy/model/report.ts' only by a call, or as types",
    ]);
  });
});
