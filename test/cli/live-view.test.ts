import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { chooseView } from '../../src/cli/choose-view.ts';
import { fitting, LiveView } from '../../src/cli/live-view.ts';
import { plainView } from '../../src/cli/view.ts';

const esc = '\u001b';

/** A move up with all below erased, a color, or a text. */
const sequence = new RegExp(`${esc}\\[(\\d+)A${esc}\\[0J|(${esc}\\[\\d+m|[^${esc}]+)`, 'g');

/** A terminal of a size, and what a person sees on it. */
function terminal(columns: number, rows = 24) {
  const stream = new PassThrough() as PassThrough & NodeJS.WriteStream;
  let written = '';
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  Object.assign(stream, { isTTY: true, columns, rows });
  return {
    stream,
    written: () => written,
    /** The lines of the screen: the only sequences are colors, and "some lines up, and erase all below". */
    screen: () => {
      const lines = [''];
      const put = (part: string, index: number) => {
        if (index === 0) lines[lines.length - 1] += part;
        else lines.push(part);
      };
      for (const [, up, text = ''] of written.matchAll(sequence)) {
        if (up !== undefined) lines.splice(lines.length - 1 - Number(up), Number(up) + 1, '');
        else stripVTControlCharacters(text).split('\n').forEach(put);
      }
      return lines.slice(0, -1);
    },
  };
}

describe.each([80, 120])('the live view at %d columns', (columns) => {
  it('keeps lines above, and moves the end of the build and the status below', () => {
    const { stream, screen } = terminal(columns);
    let now = 0;
    const view = new LiveView({ stream, hasColor: false }, 'preparing', () => now);
    view.show({ kind: 'line', text: 'Project 1' });
    expect(screen()).toEqual(['Project 1', '⠋ preparing · 0s']);
    for (let line = 1; line <= 30; line += 1)
      view.show({ kind: 'build-log', text: `line ${line}` });
    now = 65_000;
    view.show({ kind: 'line', text: '     1s  building', status: 'building' });
    const tail = [26, 27, 28, 29, 30].map((line) => `  │ line ${line}`);
    expect(screen()).toEqual(['Project 1', '     1s  building', ...tail, '⠋ building · 1m 5s']);
    view.show({ kind: 'line', text: '     2s  still building', status: 'building', isStill: true });
    expect(screen()).toHaveLength(8);
    view.close(false);
    expect(screen()).toEqual(['Project 1', '     1s  building']);
  });

  it('leaves the end of the build after a failure', () => {
    const { stream, screen } = terminal(columns);
    const view = new LiveView({ stream, hasColor: false }, 'preparing', () => 0);
    for (let line = 1; line <= 30; line += 1)
      view.show({ kind: 'build-log', text: `line ${line}` });
    view.show({ kind: 'error', text: 'It failed.' });
    view.close(true);
    expect(screen()[0]).toBe('Error: It failed.');
    expect(screen().slice(1)).toEqual(
      Array.from({ length: 20 }, (_, index) => `  │ line ${index + 11}`),
    );
  });

  it('cuts what moves to the width', () => {
    const { stream, screen } = terminal(columns);
    const view = new LiveView({ stream, hasColor: false }, 'x'.repeat(300), () => 0);
    view.show({ kind: 'build-log', text: '長'.repeat(300) });
    view.show({ kind: 'line', text: 'a' });
    view.close(false);
    const [, build = '', status = ''] = [...screen(), '', ''];
    expect(status.length).toBeLessThan(columns);
    expect(build.length).toBeLessThanOrEqual(columns / 2 + 4);
  });
});

it.each([
  ['abcdef', 4, 'abcd'],
  ['長い道', 4, '長い'],
  ['e\u0301e\u0301e', 2, 'e\u0301e\u0301'],
  ['🚀🚀', 3, '🚀'],
])('%s fits into %d columns as %s', (text, columns, end) => {
  expect(fitting(text, columns)).toBe(end);
});

test('marks, warnings and errors have colors of the terminal, and none with NO_COLOR', () => {
  const painted = (hasColor: boolean) => {
    const { stream, written } = terminal(80);
    const view = new LiveView({ stream, hasColor }, 'preparing', () => 0);
    view.show({ kind: 'line', text: '+ to create   A: not on the service yet' });
    view.show({ kind: 'line', text: '- to delete   B: removed' });
    view.show({ kind: 'line', text: '-not a mark' });
    view.show({ kind: 'warning', text: 'Careful.' });
    view.show({ kind: 'error', text: 'Wrong.' });
    view.close(false);
    return written();
  };
  expect(painted(true)).toContain(`${esc}[32m+ to create`);
  expect(painted(true)).toContain(`${esc}[31m- to delete`);
  expect(painted(true)).toContain('J-not a mark\n');
  expect(painted(true)).toContain(`${esc}[33mWarning: Careful.`);
  expect(painted(true)).toContain(`${esc}[31mError: Wrong.`);
  expect(painted(false).replaceAll(new RegExp(`${esc}\\[\\d+A${esc}\\[0J`, 'g'), '')).not.toContain(
    esc,
  );
});

describe('the view', () => {
  const kindOf = (environment: Record<string, string>, { isTTY = true, isCi = false } = {}) => {
    const { stream, written } = terminal(80);
    Object.assign(stream, { isTTY });
    const view = chooseView(stream, environment, { command: 'deploy', isCi });
    view.show({ kind: 'error', text: 'Wrong.' });
    view.close(false);
    return {
      moves: view instanceof LiveView,
      hasColor: written().includes(`${esc}[31m`),
    };
  };

  it.each<[string, Record<string, string>, { isTTY?: boolean; isCi?: boolean }, boolean, boolean]>([
    ['a terminal', {}, {}, true, true],
    ['a terminal with NO_COLOR', { NO_COLOR: '1' }, {}, true, false],
    ['a terminal with an empty NO_COLOR', { NO_COLOR: '' }, {}, true, true],
    ['a dumb terminal', { TERM: 'dumb' }, {}, false, false],
    ['a pipe', {}, { isTTY: false }, false, false],
    ['a terminal of a CI', {}, { isCi: true }, false, true],
    ['a terminal of a CI with NO_COLOR', { NO_COLOR: '1' }, { isCi: true }, false, false],
  ])('of %s', (_, environment, options, moves, hasColor) => {
    expect(kindOf(environment, options)).toEqual({ moves, hasColor });
  });
});

test('plain lines name what is not a line of the log', () => {
  const { stream, written } = terminal(80);
  const view = plainView(stream);
  view.show({ kind: 'notice', text: 'a' });
  view.show({ kind: 'warning', text: 'b' });
  view.show({ kind: 'build-log', text: 'c' });
  view.show({ kind: 'line', text: 'd' });
  expect(written()).toBe('Note: a\nWarning: b\n  │ c\nd\n');
});
