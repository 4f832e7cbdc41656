import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyValuePairs } from '../../runner/file-commands.ts';
import { runAction } from '../../runner.ts';
import { append, print, writeAction } from './write-action.ts';

describe('entries of a file', () => {
  test.each([
    ['nothing', '', []],
    [
      'name and value',
      'a=1\nb=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a value with equals signs', 'a=b=c\n', [['a', 'b=c']]],
    ['an empty value', 'a=\n', [['a', '']]],
    ['empty lines between', '\na=1\n\n', [['a', '1']]],
    [
      'a heredoc',
      'a<<END\n1\n2\nEND\nb=3\n',
      [
        ['a', '1\n2'],
        ['b', '3'],
      ],
    ],
    ['a heredoc that is empty', 'a<<END\nEND\n', [['a', '']]],
    ['a heredoc with an empty line at its end', 'a<<END\n1\n\nEND', [['a', '1\n']]],
    ['a heredoc with a command in it', 'a<<END\nb=1\nc<<END\nEND\n', [['a', 'b=1\nc<<END']]],
    [
      'whichever sign comes first',
      'a=b<<c\nd<<=\n1\n=\n',
      [
        ['a', 'b<<c'],
        ['d', '1'],
      ],
    ],
  ])('%s', (_name, text, expected) => {
    expect([...keyValuePairs(text)]).toEqual(expected);
  });

  test.each([
    ['neither form', 'text\n', "Invalid format 'text'"],
    ['a heredoc without a name', '<<END\nEND\n', "Invalid format '<<END'. Name must not be empty"],
    ['a heredoc without a delimiter', 'a<<\n', 'delimiter must not be empty'],
    ['a heredoc without an end', 'a<<END\n1\n', "Matching delimiter not found 'END'"],
    ['an end that is not reached', 'a<<END\n1', 'EOF marker missing new line'],
  ])('refused: %s', (_name, text, message) => {
    expect(() => [...keyValuePairs(text)]).toThrow(message);
  });
});

describe('a step', () => {
  test('sets outputs and keeps what stands before a fault, which fails it', async () => {
    await using action = await writeAction({ main: append('GITHUB_OUTPUT', 'a=1\nb<<END\n2\n') });
    const result = await runAction({ action: action.path });
    expect(result).toMatchObject({ conclusion: 'failure', exitCode: 0, outputs: { a: '1' } });
    expect(result.log).toContain("Error: Unable to process file command 'output' successfully.");
    expect(result.log).toContain("Error: Invalid value. Matching delimiter not found 'END'");
  });

  test('gives its outputs unmasked', async () => {
    await using action = await writeAction({ main: append('GITHUB_OUTPUT', 'a=fake-secret\n') });
    const result = await runAction({ action: action.path, secrets: ['fake-secret'] });
    expect(result.outputs).toEqual({ a: 'fake-secret' });
  });

  test('passes variables, folders and state on to the post step', async () => {
    await using action = await writeAction({
      main: [
        append('GITHUB_ENV', 'COLOUR=blue\nNODE_OPTIONS=--no-warnings\n'),
        "appendFileSync(process.env.GITHUB_PATH, '/first\\n/second\\n');",
        "appendFileSync(process.env.GITHUB_STATE, 'id<<END\\n1\\n2\\nEND\\n');",
      ].join('\n'),
      post: `const { COLOUR, STATE_id, PATH, NODE_OPTIONS } = process.env;
        console.log(JSON.stringify([COLOUR, STATE_id, PATH.split(${JSON.stringify(delimiter)}).slice(0, 2), NODE_OPTIONS]));`,
    });
    const result = await runAction({ action: action.path });
    expect(result).toMatchObject({
      conclusion: 'success',
      env: { COLOUR: 'blue' },
      path: ['/first', '/second'],
      state: { id: '1\n2' },
    });
    expect(result.log).toContain(
      "Error: Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.",
    );
    expect(result.post?.raw.stdout).toBe('["blue","1\\n2",["/second","/first"],null]\n');
  });
});

test('a variable without a name fails the step', async () => {
  await using action = await writeAction({ main: append('GITHUB_ENV', 'A=1\n=value\n') });
  const result = await runAction({ action: action.path });
  expect(result).toMatchObject({ conclusion: 'failure', exitCode: 0, env: { A: '1' } });
  expect(result.log).toContain("Error: Value cannot be null. (Parameter 'name')");
});

describe('the summary', () => {
  test('is masked line by line', async () => {
    await using action = await writeAction({
      main: append('GITHUB_STEP_SUMMARY', '# fake-secret\r\ntext'),
    });
    const result = await runAction({ action: action.path, secrets: ['fake-secret'] });
    expect(result.summary).toBe('# ***\ntext\n');
  });

  test.each([
    ['at the limit', 1024 * 1024, 'success', 1024 * 1024 + 1, 0],
    ['over the limit', 1024 * 1024 + 1, 'success', 0, 1],
  ])('%s', async (_name, size, conclusion, length, errors) => {
    await using action = await writeAction({
      main: `import { writeFileSync } from 'node:fs';
        writeFileSync(process.env.GITHUB_STEP_SUMMARY, 'x'.repeat(${size}));`,
    });
    const result = await runAction({ action: action.path });
    expect(result.conclusion).toBe(conclusion);
    expect(result.summary).toHaveLength(length);
    expect(result.annotations).toHaveLength(errors);
  });

  test('is empty if none is written', async () => {
    await using action = await writeAction({ main: print('text') });
    expect((await runAction({ action: action.path })).summary).toBe('');
  });
});
