import { PassThrough } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { screen } from '../../test/cli/screen.ts';
import { logIn, openView } from './view.ts';
import { commandWords } from './words.ts';

const esc = '\u001b';

/** A stream that may be a terminal, and what is written on it. */
function terminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough() as PassThrough & NodeJS.WriteStream, { isTTY });
  let written = '';
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  return { stream, written: () => written };
}

describe('on the terminal of a person', () => {
  const open = () => {
    const { stream, written } = terminal(true);
    return { view: openView(stream, { NO_COLOR: '1' }, false), lines: () => screen(written()) };
  };

  it('every line stays, above the time and the last status', () => {
    const { view, lines } = open();
    view.show({ kind: 'build-log', text: 'line 1' });
    expect(lines()).toEqual(['  │ line 1', expect.stringMatching(/^\ds · running$/)]);
    view.show({ kind: 'line', text: '     1s  building', status: 'building' });
    view.show({ kind: 'build-log', text: 'line 2' });
    view.show({ kind: 'error', text: 'It failed.' });
    const all = ['  │ line 1', '     1s  building', '  │ line 2', 'Error: It failed.'];
    expect(lines()).toEqual([...all, expect.stringMatching(/^\ds · building$/)]);
    view[Symbol.dispose]();
    expect(lines()).toEqual([...all, '']);
  });

  it('the terminal cuts the status line, which would wrap', () => {
    const { stream, written } = terminal(true);
    using view = openView(stream, { NO_COLOR: '1' }, false);
    view.show({ kind: 'line', text: 'a', status: '長'.repeat(300) });
    const [, status = ''] = written().split(`a\n\r${esc}[K`);
    expect(status.startsWith(`${esc}[?7l`) && status.endsWith(`長${esc}[?7h`)).toBe(true);
  });
});

test('marks, warnings and errors have colors of the terminal', () => {
  const { stream, written } = terminal(true);
  using view = openView(stream, {}, true);
  view.show({ kind: 'line', text: '+ to create   A: not on the service yet' });
  view.show({ kind: 'line', text: '- to delete   B: removed' });
  view.show({ kind: 'line', text: '-not a mark' });
  view.show({ kind: 'warning', text: 'Careful.' });
  view.show({ kind: 'error', text: 'Wrong.' });
  expect(written().split('\n')).toEqual([
    `${esc}[32m+ to create   A: not on the service yet${esc}[39m`,
    `${esc}[31m- to delete   B: removed${esc}[39m`,
    '-not a mark',
    `${esc}[33mWarning: Careful.${esc}[39m`,
    `${esc}[31mError: Wrong.${esc}[39m`,
    '',
  ]);
});

it.each<[string, Record<string, string>, { isTTY?: boolean; isCi?: boolean }, boolean, boolean]>([
  ['a terminal', {}, {}, true, true],
  ['a terminal with NO_COLOR', { NO_COLOR: '1' }, {}, true, false],
  ['a terminal with an empty NO_COLOR', { NO_COLOR: '' }, {}, true, true],
  ['a dumb terminal', { TERM: 'dumb' }, {}, false, false],
  ['a pipe', {}, { isTTY: false }, false, false],
  ['a terminal of a CI', {}, { isCi: true }, false, true],
  ['a terminal of a CI with NO_COLOR', { NO_COLOR: '1' }, { isCi: true }, false, false],
])('the view of %s', (_, environment, { isTTY = true, isCi = false }, hasStatus, hasColor) => {
  const { stream, written } = terminal(isTTY);
  using view = openView(stream, environment, isCi);
  view.show({ kind: 'error', text: 'Wrong.' });
  expect(written().includes('running')).toBe(hasStatus);
  expect(written().includes(`${esc}[31m`)).toBe(hasColor);
});

test('plain lines name what is not a line of the log', () => {
  const { stream, written } = terminal(false);
  using view = openView(stream, {}, false);
  view.show({ kind: 'notice', text: 'a' });
  view.show({ kind: 'warning', text: 'b' });
  view.show({ kind: 'build-log', text: 'c' });
  view.show({ kind: 'line', text: 'd' });
  expect(written()).toBe('Note: a\nWarning: b\n  │ c\nd\n');
});

test('what was shown is not shown again: a warning, and problems in the error that lists them', () => {
  const { stream, written } = terminal(false);
  const warnings = new Set<string>();
  for (const kind of ['warning', 'problem', 'error'] as const) {
    using view = openView(stream, {}, false, warnings);
    view.show({ kind: 'warning', text: 'a' });
    view.show({ kind, text: 'b' });
    view.show({ kind: 'error', text: 'c' });
  }
  expect(written()).toBe('Warning: a\nWarning: b\nError: c\nError: b\nError: b\nError: c\n');
});

test('what the site writes stays as it is', () => {
  const { stream, written } = terminal(false);
  using view = openView(stream, {}, false);
  const log = logIn(view, (text) => text, commandWords('deploy', { inputs: {}, files: {} }, {}));
  log.write({ kind: 'build-log', text: 'the runner' });
  log.write({ kind: 'line', text: '1s  building: the runner starts', status: 'building' });
  log.write({ kind: 'line', text: 'the runner' });
  expect(written()).toBe('  │ the runner\n1s  building: the runner starts\nthis machine\n');
});
