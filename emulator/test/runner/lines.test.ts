import { expect, test } from 'vitest';
import { lineSplitter } from '../../runner/lines.ts';

test.each([
  ['one chunk', ['a\nb\n'], ['a', 'b']],
  ['a line over chunks', ['a', 'b', '\n'], ['ab']],
  ['no end at the end', ['a\nb'], ['a', 'b']],
  ['carriage return and line feed', ['a\r\nb\r\n'], ['a', 'b']],
  ['the two split over chunks', ['a\r', '\nb'], ['a', 'b']],
  ['a lone carriage return', ['a\rb', '\r', 'c\r'], ['a', 'b', 'c']],
  ['empty lines', ['\n\na\n'], ['', '', 'a']],
  ['other separators of lines', ['a\u2028b\n'], ['a\u2028b']],
])('%s', (_name, chunks, expected) => {
  const lines: string[] = [];
  const splitter = lineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  expect(lines).toEqual(expected);
});
