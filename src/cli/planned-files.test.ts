import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type PlannedFile, showDiff, writePlanned } from './planned-files.ts';
import { openQuestions, personAt } from './prompt.ts';

const numbered = (...numbers: number[]) => numbers.map((number) => `line ${number}\n`).join('');

describe('a diff', () => {
  it('shows each change with three lines around it', () => {
    const all = Array.from({ length: 20 }, (_, index) => index + 1);
    const before = numbered(...all);
    const after = before.replace('line 5\n', 'line 5\nnew\n').replace('line 15\n', 'other\n');
    expect(showDiff([{ path: 'a.yml', before, after }], true).split('\n')).toEqual([
      'a.yml:3',
      ...['  line 3', '  line 4', '  line 5', '+ new', '  line 6', '  line 7', '  line 8'],
      'a.yml:13',
      ...['  line 12', '  line 13', '  line 14', '- line 15', '+ other'],
      ...['  line 16', '  line 17', '  line 18'],
    ]);
  });

  it('shows a new file as a whole, and line ends not at all', () => {
    const files = [
      { path: 'a', before: undefined, after: 'b\n\tc\n' },
      { path: 'd', before: 'e\r\n', after: 'e\r\nf\r\n' },
    ];
    expect(showDiff(files, true).split('\n')).toEqual([
      ...['a (new, 2 lines)', '+ b', '+ \tc'],
      ...['d:1', '  e', '+ f'],
    ]);
  });

  it('contains nothing that a terminal or an agent would obey', () => {
    const files = [
      { path: 'a\u001b[2J', before: '', after: '\u001b]0;x\u0007\n##[error]\n\u202eb\r::c\n' },
    ];
    expect(showDiff(files, true).split('\n')).toEqual([
      'a\\u{1b}[2J:1',
      '+ \\u{1b}]0;x\\u{7}',
      '+ ## [error]',
      '+ \\u{202e}b\\u{d}::c',
    ]);
  });
});

/** Writes files in a temporary folder, which may be prepared, and gives what was left. */
async function write(
  files: readonly PlannedFile[],
  settings: object,
  {
    prepare = () => undefined,
    typed,
    environment = { TERM: 'xterm' },
  }: { prepare?: (root: string) => unknown; typed?: string; environment?: object } = {},
) {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'planned-'));
  const root = join(temporary.path, 'repository');
  mkdirSync(root);
  prepare(root);
  const isTTY = typed !== undefined;
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  stdin.end(typed);
  const around = {
    environment: { ...environment },
    folder: root,
    isInContainer: false,
    stdin: Object.assign(stdin, { isTTY }),
    stdout: Object.assign(stdout, { isTTY }),
    stderr: new PassThrough(),
    emulator: () => Promise.reject(new Error('the emulator is not started here')),
  };
  const person = personAt(around);
  using questions = person && openQuestions(person, new AbortController().signal);
  const end = await writePlanned(files, root, settings, around, questions).catch(
    (error: Error) => error.message,
  );
  stdout.end();
  const left = files.map(({ path }) => {
    const file = join(root, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  });
  const modes = files.map(
    ({ path }) => statSync(join(root, path), { throwIfNoEntry: false })?.mode,
  );
  return { end, left, modes, shown: await text(stdout) };
}

const created = { path: '.github/a.yml', before: undefined, after: 'a\n' };
const changed = { path: 'b.yml', before: 'b\n', after: 'b\nc\n' };
const prepare = (root: string) => {
  writeFileSync(join(root, 'b.yml'), 'b\n');
  chmodSync(join(root, 'b.yml'), 0o700);
};

describe('planned files', () => {
  it('are written with --yes, in new folders, with the mode that they had', async () => {
    const { end, left, modes, shown } = await write([created, changed], { yes: true }, { prepare });
    expect(end).toBe('written');
    expect(left).toEqual(['a\n', 'b\nc\n']);
    if (process.platform !== 'win32') expect((modes[1] ?? 0) & 0o777).toBe(0o700);
    expect(shown).toBe(
      '.github/a.yml (new, 1 line)\nb.yml:1\n  b\n+ c\nWrote .github/a.yml, b.yml.\n',
    );
  });

  it.each([
    ['only shown with --dry-run', { 'dry-run': true, yes: true }, undefined, 'shown'],
    ['not written after a no', {}, 'n\n', 'declined'],
    ['not written after the end of the input', {}, '', 'declined'],
    [
      'not written without a terminal',
      {},
      undefined,
      'nothing was written: without a terminal, --yes writes the files, and --dry-run only shows them',
    ],
  ])('are %s', async (_, settings, typed, expected) => {
    const { end, left, shown } = await write([created, changed], settings, {
      prepare,
      ...(typed !== undefined && { typed }),
    });
    expect(end).toBe(expected);
    expect(left).toEqual([undefined, 'b\n']);
    expect(shown).toContain(' c');
  });

  it('are written after a yes at a terminal, but not at that of a CI', async () => {
    const agreed = await write([created], {}, { typed: 'y\n' });
    expect(agreed).toMatchObject({ end: 'written', left: ['a\n'] });
    expect(agreed.shown).toContain('.github/a.yml (new, 1 line)\n');
    expect(agreed.shown).not.toContain('+ a');
    expect(agreed.shown).toContain('Write this file? [y/N]');
    const inCi = await write([created], {}, { typed: 'y\n', environment: { CI: 'true' } });
    expect(inCi.left).toEqual([undefined]);
  });

  it('are none of them written if one has changed', async () => {
    const { end, left } = await write(
      [created, { ...changed, before: 'old\n' }],
      { yes: true },
      { prepare },
    );
    expect(end).toBe('b.yml changed while it was shown, and nothing was written: run it again');
    expect(left).toEqual([undefined, 'b\n']);
  });

  it.skipIf(process.platform === 'win32').each([
    ['the file', (root: string) => symlinkSync('../outside', join(root, 'b.yml'))],
    ['its folder', (root: string) => symlinkSync('..', join(root, 'b'))],
  ])('are none of them written if %s is a link', async (_, link) => {
    const file = { path: _ === 'the file' ? 'b.yml' : 'b/c.yml', before: undefined, after: 'x' };
    const { end, left } = await write([created, file], { yes: true }, { prepare: link });
    expect(end).toBe(
      `${file.path} is or contains a link, which is not followed: nothing was written`,
    );
    expect(left[0]).toBeUndefined();
  });
});
