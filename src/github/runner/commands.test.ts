import * as core from '@actions/core';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { anyCodePoint } from '../../../test/support/any-text.ts';
import * as commands from './log.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What is printed meanwhile. */
function printed(work: () => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    work();
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

const text = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc
    .array(fc.constantFrom('%', '\r', '\n', ':', ',', '::', '%0A', 'a', '…'))
    .map((all) => all.join('')),
);

/** Ours, and the same by GitHub's own package. */
const pairs: readonly [string, (text: string) => void, (text: string) => void][] = [
  ['a mask', commands.mask, core.setSecret],
  ['a line', commands.printLine, core.info],
  ['a group', commands.printGroup, core.startGroup],
  ['the end of a group', commands.printGroupEnd, core.endGroup],
  ['a notice', (message) => commands.annotate('notice', message), core.notice],
  ['a warning', (message) => commands.annotate('warning', message), core.warning],
  [
    'an error with a title',
    (message) => commands.annotate('error', message, `t${message}`),
    (message) => core.error(message, { title: `t${message}` }),
  ],
];

test.for(pairs)("%s is written as GitHub's package writes it", ([, ours, theirs]) => {
  fc.assert(
    fc.property(text, (given) => {
      expect(printed(() => ours(given))).toBe(printed(() => theirs(given)));
    }),
  );
});
