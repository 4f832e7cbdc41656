import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../runner/workflow-commands.ts';

const isCommand = (name: string) => ['error', 'group'].includes(name);
const parse = (line: string) => {
  const command = parseCommand(line, isCommand);
  return command && [command.name, Object.fromEntries(command.properties), command.data];
};

describe('commands', () => {
  test.each([
    ['without properties', '::group::title', ['group', {}, 'title']],
    ['without data', '::group::', ['group', {}, '']],
    ['after white space', ' \t::group::title', ['group', {}, 'title']],
    ['in another case', '::GROUP::title', ['group', {}, 'title']],
    [
      'with properties',
      '::error file=a.ts,endLine=2,title=A=b::text',
      ['error', { file: 'a.ts', endline: '2', title: 'A=b' }, 'text'],
    ],
    ['with an empty property', '::error file=,line=1::text', ['error', { line: '1' }, 'text']],
    ['with escapes in the data', '::error::a%0D%0Ab%25%3A', ['error', {}, 'a\r\nb%%3A']],
    [
      'with escapes in a property',
      '::error title=a%3A%2C%0A%25::text',
      ['error', { title: 'a:,\n%' }, 'text'],
    ],
    ['with an escaped escape', '::error::%250A', ['error', {}, '%0A']],
    ['with colons in the data', '::group::a::b', ['group', {}, 'a::b']],
    [
      'in the old form, anywhere',
      'x ##[error file=a;line=1]text',
      ['error', { file: 'a', line: '1' }, 'text'],
    ],
    ['in the old form, with escapes', '##[error]a%5D%3B%0Ab', ['error', {}, 'a];\nb']],
  ])('%s', (_name, line, expected) => {
    expect(parse(line)).toEqual(expected);
  });
});

describe('plain output', () => {
  test.each([
    ['a command within the line', 'text ::group::title'],
    ['a name that is no command', '::other::text'],
    ['no second pair of colons', '::group'],
    ['an old command after another bracket', '##[other] ##[group]title'],
    ['an open bracket', '##[group title'],
    ['an empty line', ''],
  ])('%s', (_name, line) => {
    expect(parse(line)).toBeUndefined();
  });
});
