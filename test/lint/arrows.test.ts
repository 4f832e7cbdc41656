import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { lateFiles, placeOf, problems, refusals } from './arrows.ts';
import { rooms } from './rooms.ts';

/** Module names by the file that imports them, parted by white space. */
const imports = {
  'src/main.ts': {
    allowed: './run.ts',
    refused: './frame/step.ts ./kernel/event.ts ./github/log.ts ../emulator/index.ts zod',
  },
  'src/run.ts': {
    allowed: './action/run-step.ts ./action/starts/deploy.ts ./action/post/post.ts ./github/log.ts',
    refused: `./main.ts ./inputs.ts ./kernel/event.ts ./contract/wire.ts
      ./action/actions/deploy.ts ./input-schemas.ts ./service/client.ts ./http/pool.ts ../emulator/index.ts
      @actions/core undici node:fs ./kernel/../../emulator/index.ts`,
  },
  'src/action/preflight/inputs.ts': {
    allowed: `./bounds.ts ../../frame/step.ts ../../inputs.ts ../../github/log.ts ../../kernel/event.ts`,
    refused: `../../main.ts ../service.ts ../../deploy/facts.ts ../../service/errors.ts
      ../../input-schemas.ts ../../../emulator/index.ts @actions/core node:http
      ../../kernel/../../emulator/index.ts`,
  },
  'src/action/service.ts': {
    allowed: `./preflight/bounds.ts ../github/log.ts ../frame/host.ts ../kernel/event.ts
      ../service/client.ts ../service/clock.ts ../service/http.ts`,
    refused: `../deploy/facts.ts ../contract/wire.ts ../../emulator/index.ts undici
      ./../../emulator/index.ts ../kernel/../../emulator/index.ts`,
  },
  'src/action/run-step.ts': {
    allowed: '../frame/step.ts ../inputs.ts',
    refused: '../service/client.ts ../deploy/apply.ts undici',
  },
  'src/inputs.ts': {
    allowed: './inputs/common.ts ./input-schemas.ts ./contract/limits.ts ./messages/inputs.ts',
    refused: `zod ./run.ts ./declared/declared.ts ./kernel/event.ts ../emulator/index.ts node:fs
      ./contract/../run.ts`,
  },
  'src/inputs/common.ts': {
    allowed: './input.ts ../input-schemas.ts ../contract/limits.ts',
    refused: `zod ../inputs.ts ../run.ts ../frame/step.ts ../../emulator/index.ts node:fs
      ../contract/../run.ts`,
  },
  'src/input-schemas.ts': {
    allowed: './contract/limits.ts',
    refused: 'zod ./declared/declared.ts ./service/errors.ts ./kernel/text/duration.ts undici',
  },
  'src/contract/probe.ts': {
    allowed: './wire.ts zod',
    refused: '../kernel/event.ts ../inputs.ts ./../kernel/event.ts zod/mini node:util undici',
  },
  'src/kernel/probe.ts': {
    allowed: `./event.ts ./text/clean.ts ../contract/wire.ts node:crypto`,
    refused: `../run.ts ../frame/step.ts ../main.ts ../inputs.ts ../input-schemas.ts
      ../service/errors.ts ../http/pool.ts ../frame/host.ts ../github/log.ts ../report/closing.ts
      ../../emulator/index.ts node:fs node:fs/promises node:http node:https node:http2 node:net node:tls node:dns
      node:dns/promises node:child_process node:process node:timers node:timers/promises node:os
      node:worker_threads node:perf_hooks node:module fs zod undici @actions/core a-new-library
      node:buffer node:url node:util ../domains/model/dns/name.ts
      ./../github/log.ts ./text/../../github/log.ts ../contract/../github/log.ts`,
  },
  'src/kernel/text/probe.ts': {
    allowed: `./clean.ts ../../contract/wire.ts`,
    refused: `../event.ts ../../report/closing.ts ../../frame/step.ts ../../input-schemas.ts
      ../../service/errors.ts node:crypto node:net node:https ./../../run.ts
      ../catalogue/../../run.ts ../../contract/../run.ts`,
  },
  'src/report/probe.ts': {
    allowed: './closing.ts ../kernel/outcome.ts',
    refused: '../deploy/model/title.ts ../frame/host.ts ../github/log.ts zod node:fs',
  },
  'src/site-file/probe.ts': {
    allowed: `./position.ts ../kernel/text/clean.ts leven yaml zod node:buffer`,
    refused: `../run.ts ../service/errors.ts ../checks/model/check.ts ajv undici node:fs ./../run.ts
      ../kernel/../run.ts`,
  },
  'src/domains/model/dns/probe.ts': {
    allowed: './name.ts ../../../kernel/text/clean.ts ../../../contract/wire.ts ipaddr.js node:url',
    refused: '../../../service/errors.ts ../connected.ts node:net node:dns zod',
  },
  'src/ledger/model/probe.ts': {
    allowed: './keys.ts ../../kernel/json.ts ../../contract/wire.ts zod node:crypto',
    refused:
      '../../github/log.ts ../../service/errors.ts ../store/file.ts node:fs yaml ./../../run.ts',
  },
  'src/checks/model/probe.ts': {
    allowed: './check.ts ../../kernel/json.ts ../../report/markdown.ts zod',
    refused:
      '../probe.ts ../../frame/host.ts ../../service/errors.ts ../../deploy/model/title.ts undici',
  },
  'src/checks/wait.ts': {
    allowed: './probe.ts ./model/check.ts ../frame/host.ts ../http/pool.ts p-limit undici',
    refused: '../deploy/apply.ts ../push/bring.ts ../variables/sync.ts ../github/log.ts node:fs',
  },
  'src/push/git/probe.ts': {
    allowed: `./process.ts ../model/brought.ts ../../kernel/text/safe.ts node:fs/promises node:child_process`,
    refused: `../../run.ts ../bring.ts ../../frame/host.ts ../../inputs.ts ../../service/clock.ts
      ../../github/log.ts ../../../emulator/index.ts @actions/core undici zod ./../../../run.ts`,
  },
  'src/variables/probe.ts': {
    allowed: './sync.ts ./model/desired.ts ../ledger/model/ledger.ts ../service/client.ts p-limit',
    refused: '../deploy/apply.ts ../previews/preview.ts ../push/bring.ts ../github/log.ts undici',
  },
  'src/blue-green/probe.ts': {
    allowed: './moving.ts ../previews/preview.ts ../release/context.ts ../service/client.ts',
    refused: '../deploy/apply.ts ../github/log.ts ../push/git/bring.ts undici p-limit',
  },
  'src/http/probe.ts': {
    allowed: `./pool.ts ../contract/base-url.ts undici node:dns node:events node:net node:tls`,
    refused: `../service/errors.ts ../kernel/event.ts ../github/log.ts ../frame/step.ts
      ../../emulator/index.ts eventsource-parser zod node:fs node:http node:process
      ./../service/errors.ts ../contract/../kernel/event.ts`,
  },
  'src/service/probe.ts': {
    allowed: `./errors.ts ../http/pool.ts ../contract/wire.ts undici eventsource-parser zod
      node:timers/promises`,
    refused: `../frame/host.ts ../github/log.ts ../frame/step.ts ../inputs.ts
      ../../emulator/index.ts @actions/core node:dns node:net node:tls node:fs node:process
      node:child_process ../contract/../frame/host.ts`,
  },
  'src/records/probe.ts': {
    allowed:
      './api.ts ./model/claim.ts ../http/fetch.ts ../kernel/json.ts @actions/github node:crypto',
    refused:
      '../recording/comment.ts ../github/log.ts ../frame/step.ts ../service/client.ts undici',
  },
  'src/github/probe.ts': {
    allowed: `./log.ts ../kernel/event.ts ../report/log-entry.ts @actions/core node:fs`,
    refused: `../run.ts ../frame/step.ts ../inputs.ts ../service/errors.ts ../records/api.ts
      ../../emulator/index.ts undici ./../run.ts ../kernel/../run.ts`,
  },
  'src/ledger/store/probe.ts': {
    allowed: `./store.ts ../cache/client.ts ../../github/workspace.ts node:fs`,
    refused: `../../run.ts ../../frame/step.ts ../../inputs.ts ../../service/errors.ts
      ../../../emulator/index.ts @actions/core undici ./../../run.ts`,
  },
  'emulator/probe.ts': {
    allowed: `./dialect.ts ./service/errors.ts ./github/index.ts ../src/contract/wire.ts
      zod node:http node:fs/promises`,
    refused: `../src/service/errors.ts ../src/service/client.ts ../src/http/pool.ts ../src/github/log.ts
      ../src/frame/step.ts ../src/kernel/event.ts ../src/inputs.ts @actions/core ajv yaml undici
      eventsource-parser ./../src/run.ts ../contract/../src/run.ts`,
  },
  'emulator/github/probe.ts': { allowed: './state/world.ts ajv node:http', refused: 'yaml' },
  'emulator/runner/probe.ts': { allowed: '../dialect.ts yaml zod node:os', refused: 'ajv' },
  'emulator/service/probe.ts': {
    allowed: `./errors.ts ./turns/page.ts ../dialect.ts ../../src/contract/wire.ts zod node:http node:fs/promises`,
    refused: `../github/index.ts ../../src/service/errors.ts ../../src/github/log.ts ../../src/run.ts
      ajv yaml undici ./../../src/run.ts ../github/../../src/run.ts ../../contract/../src/run.ts`,
  },
  'emulator/service/resources/probe.ts': {
    allowed: `./projects.ts ../errors.ts ../../dialect.ts ../../../src/contract/limits.ts
      zod node:http node:fs/promises`,
    refused: `../../../src/service/errors.ts ../../../src/github/log.ts ../../../src/frame/step.ts
      ../../../src/kernel/event.ts ajv yaml undici ./../../../src/run.ts ../../github/../../src/run.ts
      ../../../contract/../src/run.ts`,
  },
  'src/probe.ts': { allowed: '', refused: '../emulator/index.ts ./run.ts node:fs' },
  'src/messages/apply.ts': {
    allowed: './evaluate.ts ./text.ts ../service/errors.ts ../frame/host.ts ../kernel/template.ts',
    refused: '../deploy/apply.ts ../github/log.ts node:fs',
  },
  'src/messages/intent.ts': {
    allowed: './thread.ts ../kernel/event.ts ../contract/message.ts ../inputs.ts',
    refused: './apply.ts ./text.ts ./evaluate.ts ../service/errors.ts ../frame/host.ts node:fs',
  },
  'src/messages/evaluate.ts': {
    allowed: './result.ts ../kernel/event.ts',
    refused: './apply.ts ./follow.ts ./render.ts ../service/errors.ts ../frame/host.ts node:fs',
  },
  'src/new-room/probe.ts': {
    allowed: '',
    refused: '../../emulator/index.ts ../kernel/event.ts zod',
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
  'src/main.ts': {
    allowed: ["import type { ActionName } from './inputs.ts'"],
    refused: [
      "import { actions } from './inputs.ts'",
      "import { type ActionName, actions as table } from './inputs.ts'",
      "import * as inputs from './inputs.ts'",
      "export * from './inputs.ts'",
      "await import('./inputs.ts')",
    ],
  },
  'src/action/run-step.ts': {
    allowed: ["import type { Run } from '../frame/run.ts'"],
    refused: [
      "import type { ServiceClient } from '../service/client.ts'",
      "import { createClient } from '../service/client.ts'",
      "import * as client from '../service/client.ts'",
      "export * from '../service/client.ts'",
      "await import('../service/client.ts')",
    ],
  },
  'src/kernel/probe.ts': {
    allowed: [
      'const url = new URL(text)',
      'given.Date(given.process)',
      "type Event = import('./event.ts').Event",
    ],
    refused: [
      "import type { Log } from '../github/log.ts'",
      "import '../github/log.ts'",
      "export * from '../github/log.ts'",
      "export { log } from '../github/log.ts'",
      "await import('../github/log.ts')",
      "type Log = import('../github/log.ts').Log",
      "type Log = typeof import('../github/log.ts')",
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
    ['intent', 'explain', 'plan', 'evaluate', 'result', 'render'].map((name) => [
      `src/messages/${name}.ts`,
      { allowed: ['new URL(text)'], refused: [...impure, 'Date.now()'] },
    ]),
  ),
  'src/github/probe.ts': {
    allowed: ['process.env', 'setTimeout(act, 1)', 'Date.now()'],
    refused: ["await import('../service/client.ts')"],
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
  expect([...problems(), ...globalsIn(root)]).toEqual([]);
});

test('a room imports only what stands below it', () => {
  const topOf = (place: string) => place.replace(/[/*].*/, '');
  const folders = Object.keys(rooms).filter((room) => !/\.ts$|^<|^emulator/.test(room));
  const order = [...new Set(folders.map(topOf))];
  const upwards = folders.flatMap((room) =>
    (rooms[room] ?? '')
      .split(' ')
      .map(topOf)
      .filter((word) => order.includes(word) && order.indexOf(word) < order.indexOf(topOf(room)))
      .map((word) => `${room} → ${word}`),
  );
  expect(upwards).toEqual([]);
});

describe('the first stage', () => {
  const late = 'src/action/run-step.ts:2 may import';
  const found = (line: string) =>
    lateFiles(['main.ts', 'action/starts/deploy.ts'], (file) => {
      if (file === 'main.ts') return "import './action/run-step.ts';";
      return file === 'action/run-step.ts' ? `const one = 1;\n${line}` : '';
    });

  test.for([
    './finish-step.ts',
    '../service/client.ts',
    './actions/deploy.ts',
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

  test.for(['./finish-step.ts', '@actions/core'])(
    'may import %s by a call, or as types',
    (module) => {
      expect(found(`const load = () => import('${module}');`)).toEqual([]);
      expect(found(`import type { Something } from '${module}';`)).toEqual([]);
      expect(found(`export type { Something } from '${module}';`)).toEqual([]);
    },
  );

  test('is walked through all that it imports', () => {
    const codes: Readonly<Record<string, string>> = {
      'action/starts/deploy.ts': "import '../preflight/inputs.ts';",
      'action/preflight/inputs.ts': "import '../../release/report.ts';",
    };
    expect(lateFiles(['action/starts/deploy.ts'], (file) => codes[file] ?? '')).toEqual([
      "src/action/preflight/inputs.ts:1 may import '../../release/report.ts' only by a call, or as types",
    ]);
  });
});
