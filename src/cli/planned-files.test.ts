import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, test } from 'vitest';
import { diffOf, type PlannedFile, writePlanned } from './planned-files.ts';

test('a diff has each changed line below its number, whatever the line ends are', () => {
  const lines = (...numbers: number[]) => numbers.map((number) => `line ${number}\r\n`).join('');
  const before = lines(1, 2, 3, 4, 5, 6);
  const after = before
    .replaceAll('\r', '')
    .replace('line 2\n', 'line 2\nnew\n')
    .replace('line 5\n', 'other\n');
  expect(diffOf({ path: 'a.yml', before, after })).toEqual([
    ...['a.yml:3', '+ new'],
    ...['a.yml:6', '- line 5', '+ other'],
  ]);
  expect(diffOf({ path: 'b.yml', before: 'c\n', after: '' })).toEqual(['b.yml:1', '- c']);
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
    signal: new AbortController().signal,
    run: () => Promise.reject(new Error('no other command is run here')),
    emulator: () => Promise.reject(new Error('the emulator is not started here')),
  };
  const end = await writePlanned(files, root, settings, around).catch(
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
    expect(end).toBe(true);
    expect(left).toEqual(['a\n', 'b\nc\n']);
    if (process.platform !== 'win32') expect((modes[1] ?? 0) & 0o777).toBe(0o700);
    expect(shown).toBe('.github/a.yml (new)\nb.yml:2\n+ c\nWrote .github/a.yml.\nWrote b.yml.\n');
  });

  it.each([
    ['only shown with --dry-run', { 'dry-run': true, yes: true }, undefined, false],
    ['not written after a no', {}, 'n\n', 'Canceled. Nothing was written. (SD9002)'],
    ['not written after another word', {}, 'maybe\n', 'Canceled. Nothing was written. (SD9002)'],
    ['not written after the end of the input', {}, '', 'Canceled. Nothing was written. (SD9002)'],
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
    expect(shown).toContain('+ c');
  });

  it('are written after a yes at a terminal, but not at that of a CI', async () => {
    const agreed = await write([created], {}, { typed: 'y\n' });
    expect(agreed).toMatchObject({ end: true, left: ['a\n'] });
    expect(agreed.shown).toContain('.github/a.yml (new)\n');
    expect(agreed.shown).not.toContain('+ a');
    expect(agreed.shown).toContain('Write this file? [y/N]');
    const inCi = await write([created], {}, { typed: 'y\n', environment: { CI: 'true' } });
    expect(inCi.left).toEqual([undefined]);
  });

  it('show nothing that a terminal or an agent would obey', async () => {
    const before = '\u001b]0;x\u0007\n##[error]\n\u202eb\r::c\n';
    const file = { path: 'b.yml', before, after: '' };
    const { shown } = await write([file], { 'dry-run': true });
    expect(shown.split('\n').slice(1, 4)).toEqual([
      '- \\u{1b}]0;x\\u{7}',
      '- ## [error]',
      '- \\u{202e}b\\u{d}::c',
    ]);
  });

  it.each([
    ['changed', { ...changed, before: 'old\n' }],
    ['appeared', { ...changed, before: undefined }],
  ])('are none of them written if one %s meanwhile', async (_, file) => {
    const { end, left } = await write([created, file], { yes: true }, { prepare });
    expect(end).toBe('b.yml changed while it was shown: run this again');
    expect(left).toEqual([undefined, 'b\n']);
  });

  it.skipIf(process.platform === 'win32')('are replaced, and never half written', async () => {
    let opened = -1;
    const { left } = await write(
      [changed],
      { yes: true },
      {
        prepare: (root) => {
          prepare(root);
          opened = openSync(join(root, 'b.yml'), 'r');
        },
      },
    );
    expect(left).toEqual([changed.after]);
    expect(readFileSync(opened, 'utf8')).toBe(changed.before);
    closeSync(opened);
  });

  it.skipIf(process.platform === 'win32').each([
    ['the file', (root: string) => symlinkSync('../outside', join(root, 'b.yml'))],
    ['its folder', (root: string) => symlinkSync('..', join(root, 'b'))],
  ])('are not written if %s is a link', async (_, link) => {
    const file = { path: _ === 'the file' ? 'b.yml' : 'b/c.yml', before: undefined, after: 'x' };
    const { end, left } = await write([created, file], { yes: true }, { prepare: link });
    expect(end).toBe(
      `${file.path} is or contains a link, which is not followed, or is outside the repository: nothing was written`,
    );
    expect(left[0]).toBeUndefined();
  });
});
