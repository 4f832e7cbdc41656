import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { actionNames, commandNames, inputsOf, settingsOf } from '../../src/cli/commands.ts';
import { statuses } from '../../src/cli/exit-status.ts';
import { help } from '../../src/cli/help.ts';
import { isOnlyOnGitHub, refusedInputs } from '../../src/cli/refused.ts';
import { root } from './snippets.ts';

const page = ['other-ci', 'other-ci-pull-requests', 'command-inputs']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n');

/** The rows of the table below a line of the pages. */
function rowsBelow(head: string): string[][] {
  const [, table = ''] = page.split(`\n${head}\n`);
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .slice(1)
    .map((row) => row.slice(2, -2).split(' | '));
}

test('the exit statuses are those of the command', () => {
  expect(rowsBelow('| exit status | result |')).toEqual(
    statuses.map(([status, meaning]) => [String(status), meaning]),
  );
});

/** Values of which one is refused for each input that is refused at all. */
const values = ['x', 'true', 'skip', 'roll-back', 'if-needed', 'PREVIOUS', 'www.example.com'];

test('the inputs that need GitHub are those that are refused', () => {
  const refused = actionNames.flatMap((command) =>
    Object.keys(inputsOf(command)).filter((input) =>
      values.some((value) => refusedInputs(command, { [input]: value }, false).length > 0),
    ),
  );
  const listed = rowsBelow('| input | instead |').flatMap(([inputs = '']) =>
    [...inputs.matchAll(/`([a-z-]+)(?::[^`]*)?`/g)]
      .map(([, name = '']) => name)
      .filter((name) => actionNames.some((command) => name in inputsOf(command))),
  );
  expect([...new Set(listed)].sort()).toEqual([...new Set(refused)].sort());
});

test('each flag is one of the command', () => {
  const flags = [...page.replaceAll(/npm install .*/g, '').matchAll(/--([a-z][a-z-]+)/g)].map(
    ([, name = '']) => name,
  );
  const known = commandNames.flatMap((command) => [
    ...Object.keys(inputsOf(command)).flatMap((name) => [name, `${name}-file`]),
    ...Object.keys(settingsOf(command)),
  ]);
  const others = flags.filter((name) => !known.includes(name));
  expect(others).toEqual([]);
});

const readme = readFileSync(join(root, 'npm/README.md'), 'utf8');
const first = readFileSync(join(root, 'README.md'), 'utf8');
const helps = [undefined, ...commandNames].map((command) => help(command));

/** What is not in the package, and is named in its help without an address: pages, examples, other files. */
const notThere = /(?<![\w-])(?:docs|examples|src|scripts|action\.yml)\b(?!\.)/;

test('the package names nothing that is not in it', () => {
  const texts = [...helps, readme.replaceAll(/https?:\/\/[^\s)]+/g, '')];
  expect(texts.filter((text) => notThere.test(text))).toEqual([]);
  for (const [, command] of readme.matchAll(/`?site-deploy ([a-z][a-z-]+)/g)) {
    expect([...commandNames, 'emulator']).toContain(command);
  }
  for (const [flag, name = ''] of readme
    .replaceAll(/npm install .*/g, '')
    .matchAll(/--([a-z-]+)/g)) {
    expect(
      helps.some((text) => text.includes(flag)),
      name,
    ).toBe(true);
  }
});

test.each(actionNames)('the help of %s names what needs GitHub once: that it does', (command) => {
  const [before = '', list = ''] = help(command).split('Only on GitHub, by the action: ');
  const names = Object.keys(inputsOf(command)).filter((name) => isOnlyOnGitHub(command, name));
  expect(list === '').toBe(names.length === 0);
  for (const name of names) {
    expect(before).not.toContain(name);
    expect(list.split('.\n')[0]).toContain(name);
  }
});

test('the page lists what the help lists: the commands, and the flags for results', () => {
  const [, commands = ''] = /It has the commands ([^.]*), with the inputs/.exec(page) ?? [];
  expect([...commands.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)).toEqual(actionNames);
  const [general = ''] = helps;
  for (const name of actionNames) expect(general).toContain(`\n  ${name}\n`);
  const flags = rowsBelow('| flag | writes |').map(([flag = '']) => flag.replaceAll('`', ''));
  expect(flags).toEqual(['--json', '--outputs FILE', '--report FILE']);
  for (const flag of flags) expect(help('deploy')).toContain(`\n  ${flag}\n`);
});

test('what a variable of the examples is called is in their first lines', () => {
  const file = readFileSync(join(root, 'examples/gitlab/.gitlab-ci.yml'), 'utf8');
  const [head = ''] = file.split('\n\n');
  const text = file.slice(head.length);
  const jobs = z.record(z.string(), z.unknown()).parse(parse(file, { merge: true }));
  expect(Object.keys(jobs)).toContain('workflow');
  const used = [...text.matchAll(/\$(?!SITE_OUT_|CI_)([A-Z_]+)|--env-from (\w+)(?:=(\w+))?/g)];
  for (const [, variable, name, source] of used) expect(head).toContain(variable ?? source ?? name);
  for (const name of ['SITE_API_KEY', 'SITE_BASE_URL', 'SITE_GIT_URL', 'SITE_GIT_TOKEN']) {
    expect(head).toContain(name);
  }
});

test('the command is installed with the same options and version everywhere, and never run by npx', () => {
  const files = ['buildkite/pipeline.yml', 'gitlab/.gitlab-ci.yml', 'jenkins/Jenkinsfile'];
  const texts = [
    page,
    first,
    ...files.map((file) => readFileSync(join(root, 'examples', file), 'utf8')),
  ];
  const installing = texts.flatMap((text) => text.match(/npm install --prefix .*/g) ?? []);
  expect(installing).toHaveLength(5);
  expect(new Set(installing).size).toBe(1);
  const versions = [...texts, readme].flatMap(
    (text) => text.match(/site-deploy@\S+?(?=[`\s])/g) ?? [],
  );
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).toMatch(/@\d+\.\d+\.\d+$/);
  for (const text of [...texts, readme]) expect(text).not.toMatch(/npx [-\w]/);
});
