import { describe, expect, test } from 'vitest';
import { sources } from '../../../test/support/variables/builders.ts';
import {
  type DotenvFile,
  dotenvFiles,
  singleQuoted,
} from '../../../test/support/variables/dotenv-files.ts';
import { gatherDesired } from './desired.ts';

function read({ text }: DotenvFile) {
  const envFiles = [{ path: '.env', text: text.join('\n') }];
  const { variables, problems } = gatherDesired(sources({ envFiles }));
  return {
    values: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    refused: problems.map(({ message }) => /^(?:line \d+|\S+)/.exec(message)?.[0]),
  };
}

describe('a file means what dotenv and dotenv-expand read, or is refused', () => {
  test.each(dotenvFiles)('$shape', (file) => {
    const { values, refused } = read(file);
    expect(refused).toEqual(file.refused);
    if (refused.length > 0) return;
    expect(values).toEqual(file.dotenv);
    expect(file.expanded).toEqual({});
  });
});

test.each(singleQuoted)('a value in single quotes is literal: $shape', (file) => {
  expect(read(file)).toEqual({ values: file.dotenv, refused: [] });
});
