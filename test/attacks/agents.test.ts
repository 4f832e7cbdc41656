// Attack (command): Text from outside is a command of the CI's agent (`##vso[…]` of Azure Pipelines, `##teamcity[…]`),
// a section of GitLab, a group, a link or an image of Buildkite, a note of Jenkins, a card of Drone
// Defense: On every CI, `##` before a letter or a bracket, and `::` at the start of a line, are broken in the log,
// `--outputs`, the report and errors. In JSON, `#` is `\u0023`, and control characters of eight bits are escaped, so
// that its values stay what they are. Elsewhere control characters are removed

import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { defuse, defuseJson } from '../../src/kernel/text/safe.ts';
import { siteDeploy } from '../cli/site-deploy.ts';
import { readResult } from '../support/results.ts';
import { json, projectId, startHostile } from './hostile.ts';

/** What the agents of CIs carry out, or show as their own, of a line of a log, by their documentation and sources. */
const agents: readonly (readonly [ci: string, reads: RegExp, lines: readonly string[]])[] = [
  [
    'GitHub, Gitea, Forgejo',
    /^[\s\u0085]*::|##\[/,
    ['::add-mask::e', ' \t::error::x', 'a ##[error]x', '###[group]x'],
  ],
  [
    'Azure Pipelines',
    /##(?:vso)?\[/i,
    [
      '##vso[task.setvariable variable=PATH]/tmp/evil',
      'a ##vso[task.complete result=Succeeded;]ok',
      '##VSO[task.setvariable variable=x]y',
      '##[section]x',
    ],
  ],
  [
    'TeamCity',
    /##teamcity\[/i,
    [`##teamcity[setParameter name='env.PATH' value='x']`, `a####teamcity[buildStop comment='x']`],
  ],
  ['another that reads such commands', /##[\p{L}[]/u, ['##ci[x]', '##été[x]', '#####x']],
  [
    'GitLab',
    /section_(?:start|end):\d+:[\w.-]+(?:\[.*\])?\r\p{Cc}\[0K/u,
    ['\u001b[0Ksection_start:1:x[collapsed=true]\r\u001b[0KFine', 'section_end:1:x\r\u001b[0K'],
  ],
  [
    'Buildkite',
    /^(?:---|\+\+\+|~~~|\^\^\^)(?:\s|$)|[\p{Cc}--\t]/v,
    [
      '--- fine',
      '+++ fine',
      '~~~ fine',
      '^^^ +++',
      "\u001b]1338;url='https://evil.example/x.png'\u0007",
      '\u001b_bk;t=1\u0007',
    ],
  ],
  [
    'Jenkins',
    /(?:\p{Cc}\[|\u009b)8mha:/u,
    ['\u001b[8mha:////4AAAA\u001b[0mfine', '\u009b8mha:////4AAAA\u009b0mfine'],
  ],
  ['Drone', /\p{Cc}\]1338;/u, ['\u001b]1338;e30=\u001b]0m']],
];

const lines = agents.flatMap(([, , all]) => all);

/** What the agents read in a text that was printed, or that a later step prints. */
const readIn = (text: string, by = agents) =>
  text
    .split('\n')
    .flatMap((line) => by.filter(([, reads]) => reads.test(line)).map(([ci]) => ({ ci, line })));

/** Runs a command that leaves everything it can, against a service at this URL. */
async function run(
  command: string,
  args: readonly string[],
  url: string,
  key = 'fake-key',
  site = {},
) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'agents-'));
  writeFileSync(join(folder.path, 'site.yml'), JSON.stringify(site));
  const leave = ['--outputs', 'out.env', '--report', 'report.md', '--pull-request', 'none'];
  const env = { SITE_API_KEY: key, SITE_BASE_URL: url, SITE_PROJECT_ID: projectId };
  const options = { env, folder: folder.path };
  const plain = await siteDeploy([command, ...args, ...leave], options);
  const file = (name: string) => readFileSync(join(folder.path, name), 'utf8');
  const files = [file('out.env'), file('report.md')];
  const withJson = await siteDeploy([command, ...args, ...leave, '--json'], options);
  const result = readResult(withJson.stdout);
  const shown = [plain.stdout, plain.stderr, withJson.stdout, withJson.stderr].join('\n');
  // The title of a group in Buildkite is no command: outputs and reports keep it.
  const commands = agents.filter(([ci]) => ci !== 'Buildkite');
  return { shown, result, read: [...readIn(shown), ...readIn(files.join('\n'), commands)] };
}

test.each(agents)('%s: each example is one that it reads', (_ci, reads, examples) => {
  expect(examples.filter((line) => !reads.test(line))).toEqual([]);
});

describe.each(lines.map((line) => [line]))('a service that sends %j', (line) => {
  const sha = ['--commit-sha', 'a'.repeat(40)];
  it.each<[string, string[], Parameters<typeof startHostile>[0], object?]>([
    ['deploy', sha, { deploy: json({ error: { message: line } }, 400) }],
    [
      'deploy',
      [...sha, '--wait', 'none'],
      { deploy: json({ deploymentId: line, status: `${line}\n${line}` }, 202) },
    ],
    ['projects', [], { projects: json([{ projectId, name: line }]) }],
    [
      'domains',
      ['--config', 'site.yml', '--mode', 'plan'],
      {
        records: json({ records: [{ id: 'r1', type: 'TXT', name: '@', content: line }] }),
      },
      { 'registered-domains': { 'example.com': { dns: [] } } },
    ],
  ])('has no agent carry it out (%s %j)', async (command, args, answers, site) => {
    await using service = await startHostile(answers);
    const { result, read } = await run(command, args, service.url, 'fake-key', site);
    expect(result['outcome']).toMatch(/./);
    expect(read).toEqual([]);
  });
});

test('a log of a build and the reply of an assistant have no agent carry them out', async () => {
  await using emulator = await startEmulator({
    dialect: {
      stream: { logLines: lines },
      deploymentEnds: 'failure',
      turnText: [lines.join('\n')],
    },
  });
  const project = await emulator.world.createProject();
  const args = ['--project-id', project.id];
  const deployed = await run(
    'deploy',
    [...args, '--commit-sha', await project.head()],
    emulator.url,
    emulator.key,
  );
  expect(deployed.shown).toContain('task.setvariable');
  expect(deployed.read).toEqual([]);
  const replied = await run('message', [...args, '--content', 'x'], emulator.url, emulator.key);
  expect(replied.shown).toContain('task.setvariable');
  expect(replied.read).toEqual([]);
});

test('--json has what was sent, as a text of one line without a command', async () => {
  const line = '##vso[task.complete]a ###teamcity[b] ##[c]';
  await using service = await startHostile({ deploy: json({ error: { message: line } }, 400) });
  const { result, read } = await run('deploy', ['--commit-sha', 'a'.repeat(40)], service.url);
  expect(result.error?.message).toContain(line);
  expect(read).toEqual([]);
  await using emulator = await startEmulator({ dialect: { turnText: [`${line}\n::error::x`] } });
  const { id } = await emulator.world.createProject();
  const args = ['--project-id', id, '--content', 'x'];
  const replied = await run('message', args, emulator.url, emulator.key);
  expect(replied.result['text']).toBe(`${line}\n::error::x`);
  expect(replied.read).toEqual([]);
});

test('JSON stays what it is', () => {
  for (const line of [
    '##vso[x]',
    '\u009b8mha:x\u007f',
    '###teamcity[x',
    '##[x',
    '\\##x',
    '##',
    '## x',
    '##1',
  ]) {
    const text = defuseJson(JSON.stringify({ [line]: line }));
    expect(JSON.parse(text)).toEqual({ [line]: line });
    expect(text).not.toMatch(/##[\p{L}[]|\p{Cc}/u);
  }
});

test('what no agent reads stays as it is', () => {
  for (const text of ['## Title', '##', '#1', '##1', 'std::string', 'a#b', '--- a']) {
    expect(defuse(text)).toBe(text);
  }
});
