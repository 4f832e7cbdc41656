import { describe, expect, test } from 'vitest';
import { shareProcess } from '../../../test/support/shared-process.ts';
import { type RunOptions, runAction } from '../../runner.ts';
import { print, writeAction } from './write-action.ts';

/** Runs an action that writes these lines, and gives the lines of its log after the runner's own. */
async function logOf(lines: string[], options: Omit<RunOptions, 'action'> = {}) {
  await using action = await writeAction({ main: print(...lines) });
  const result = await runAction({ action: action.path, launch: shareProcess, ...options });
  return { ...result, log: result.log.slice(result.log.indexOf('▾ Run ./') + 1) };
}

test.each([
  ['plain text', ['a', '', ' b'], ['a', '', ' b']],
  [
    'groups, which do not nest',
    ['::group::One', 'a', '::group::Two', 'b', '::endgroup::', 'c'],
    ['▾ One', '  a', '▾ Two', '  b', 'c'],
  ],
  [
    'annotations, multi-line and in the old form',
    ['::error::a%0Ab', '::warning title=T::c', '::notice::d', 'text ##[error]e'],
    ['Error: a', 'b', 'Warning: c', 'Notice: d', 'Error: e'],
  ],
  ['debug messages, which are hidden', ['::debug::a', 'b'], ['b']],
  [
    'a mask, whole and line by line, from then on',
    ['one', '::add-mask::one%0Atwo', 'one two', '::error::two'],
    ['one', '*** ***', 'Error: ***'],
  ],
  [
    'stopped commands',
    ['::stop-commands::fake-token', '::error::a', '::add-mask::x', '::fake-token::', '::error::b'],
    ['::stop-commands::***', '::error::a', '::add-mask::x', '::***::', 'Error: b'],
  ],
  [
    'echoed commands',
    ['::echo::on', '::group::a', '::add-mask::x', '::echo::off', '::endgroup::'],
    ['::group::a', '▾ a', '  ::add-mask::***', '  ::echo::off'],
  ],
  ['a name that is no command', ['::other::a'], ['::other::a']],
])('the log shows %s', async (_name, lines, expected) => {
  const { log, conclusion } = await logOf(lines);
  expect(log).toEqual(expected);
  expect(conclusion).toBe('success');
});

test('debug logging shows debug messages and echoes commands', async () => {
  const { log } = await logOf(['::debug::a%0Ab', '::group::c'], { debug: true });
  expect(log).toEqual(['##[debug]a', '##[debug]b', '::group::c', '▾ c']);
});

test.each([
  ['a disabled command', '::set-env name=A::1', 'The `set-env` command is disabled.'],
  ['a wrong echo', '::echo::maybe', 'Invalid echo command value.'],
  ['a stop token that is a command', '::stop-commands::error', 'You cannot use a endToken'],
  ['an output without name', '::set-output::1', "Required field 'name' is missing"],
])('%s fails the step', async (_name, line, message) => {
  const { annotations, conclusion, exitCode } = await logOf([line]);
  expect([conclusion, exitCode]).toEqual(['failure', 0]);
  expect(annotations.map((annotation) => annotation.message).join('\n')).toContain(message);
});

test('the deprecated commands for outputs and state still work, with a warning', async () => {
  const result = await logOf(['::set-output name=a::1', '::save-state name=b::2']);
  expect(result).toMatchObject({ outputs: { a: '1' }, state: { b: '2' }, conclusion: 'success' });
  expect(result.annotations.map(({ level }) => level)).toEqual(['warning', 'warning']);
});

test('the last line counts without its end, on both streams', async () => {
  await using action = await writeAction({
    main: "process.stdout.write('last'); process.stderr.write('::error::bad');",
  });
  const { log } = await runAction({ action: action.path });
  expect(log).toEqual(expect.arrayContaining(['last', 'Error: bad']));
});

test('commands count on stderr too', async () => {
  await using action = await writeAction({
    main: "process.stderr.write('::add-mask::fake\\n::error::it is fake\\n');",
  });
  const result = await runAction({ action: action.path });
  expect(result.annotations).toEqual([{ level: 'error', message: 'it is ***' }]);
  expect(result.raw.stderr).toContain('it is fake');
});

describe('annotations', () => {
  test('carry their place', async () => {
    const { annotations } = await logOf([
      '::warning file=src/a.ts,line=3,endLine=4,col=5,endColumn=6,title=Look::text',
    ]);
    expect(annotations).toEqual([
      {
        level: 'warning',
        message: 'text',
        title: 'Look',
        file: 'src/a.ts',
        line: 3,
        endLine: 4,
        column: 5,
        endColumn: 6,
      },
    ]);
  });

  test('name a file of the workspace by its path in the repository', async () => {
    await using action = await writeAction({
      main: `import { join } from 'node:path';
        console.log('::error file=' + join(process.env.GITHUB_WORKSPACE, 'src', 'a.ts') + '::text');`,
    });
    const { annotations } = await runAction({ action: action.path });
    expect(annotations).toEqual([{ level: 'error', message: 'text', file: 'src/a.ts' }]);
  });

  test('end after ten of one level; further messages only log', async () => {
    const errors = Array.from({ length: 12 }, (_, index) => `::error::${index}`);
    const { annotations, log } = await logOf([...errors, '::notice::last']);
    expect(annotations.map(({ message }) => message)).toEqual([...'0123456789', 'last']);
    expect(log).toEqual([...errors.map((_, index) => `Error: ${index}`), 'Notice: last']);
  });

  test('are cut after 4,096 characters', async () => {
    const { annotations } = await logOf([`::error::${'x'.repeat(5000)}`]);
    expect(annotations[0]?.message).toHaveLength(4096);
  });
});

test('the log starts with the inputs and the environment, masked', async () => {
  await using action = await writeAction({ inputs: { key: {}, empty: {} }, main: '' });
  const lines: string[] = [];
  const { log } = await runAction({
    action: action.path,
    uses: 'OWNER/site-deploy-action@v1',
    inputs: { key: 'fake-secret' },
    env: { VALUE: 'a fake-secret' },
    secrets: ['fake-secret'],
    onLine: (line) => lines.push(line),
  });
  expect(log).toEqual([
    '▾ Run OWNER/site-deploy-action@v1',
    '  with:',
    '    key: ***',
    '  env:',
    '    VALUE: a ***',
  ]);
  expect(lines).toEqual(log);
});
