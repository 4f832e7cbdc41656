import { describe, expect, it } from 'vitest';
import { unsafeText } from '../kernel/text/safe.ts';
import { decisiveLine } from './build-log.ts';

const logs: readonly (readonly [string, readonly string[], string | undefined])[] = [
  ['nothing', [], undefined],
  ['blank lines', ['', '  '], undefined],
  [
    'no error: the last that says anything',
    ['> build', 'Building 2 pages', ''],
    'Building 2 pages',
  ],
  [
    'TypeScript',
    ['src/a.ts:3:5 - error TS2322: Type', '', 'Found 1 error in src/a.ts:3', 'npm ERR! code 2'],
    'src/a.ts:3:5 - error TS2322: Type',
  ],
  [
    'a trace of Node',
    ['node:internal/x', '  throw err;', "Error: Cannot find module 'x'", '    at Module (node:x)'],
    "Error: Cannot find module 'x'",
  ],
  [
    'a command that is not there',
    ['> vite build', 'sh: 1: vite: not found', 'npm error code 127', 'npm error command failed'],
    'sh: 1: vite: not found',
  ],
  [
    'npm alone',
    ['npm error Missing script: "build"', 'npm error', 'npm error A complete log is in x'],
    'npm error Missing script: "build"',
  ],
  [
    'files whose names are errors',
    ['dist/error.html 1 kB', 'dist/404/error-page.js', 'Killed'],
    'Killed',
  ],
  ['a count of none', ['Found 0 errors.', 'Tests failed: 3'], 'Tests failed: 3'],
  [
    'a warning before',
    ['warning: error handler unused', 'panic: no such page'],
    'panic: no such page',
  ],
  [
    'Rust',
    ['   Compiling x', 'error[E0382]: borrow of moved value'],
    'error[E0382]: borrow of moved value',
  ],
  ['Python', ['Traceback (most recent call last):', 'ValueError: bad'], 'ValueError: bad'],
];

describe('the line that says why a build failed', () => {
  it.each(logs)('of %s', (_, lines, wanted) => {
    expect(decisiveLine(lines.map(unsafeText))).toBe(wanted);
  });
});
