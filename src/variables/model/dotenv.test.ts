import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseDotenv } from './source.ts';

/** The variables of a text that must be without a problem. */
function valuesOf(text: string): Record<string, string> {
  const { entries, problems } = parseDotenv(text);
  expect(problems).toEqual([]);
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

describe("reads as Node's own reader does", () => {
  test.each([
    ['nothing', ''],
    ['a variable', 'A=1'],
    ['several', 'A=1\nB=2\n'],
    ['an empty value', 'A=\nB=2'],
    ['a quoted empty value', 'A=""\nB=\'\'\nC=``'],
    ['lines that end in CRLF', 'A=1\r\nB="2"\r\n\r\nC=3'],
    ['blank lines', '\n  \n\t\nA=1\n\n'],
    ['comments', '# a\n#b=c\nA=1'],
    ['a comment behind a value', 'A=1 # one\nB=2'],
    ['a comment instead of a value', 'A= # none\nB=2'],
    ['a comment behind white space instead of a value', 'A=\t#none\nB=2'],
    ['a comment behind a value, before CRLF', 'A=1 # one\r\nB=2\r\n'],
    ['a comment behind quotes, before CRLF', 'A="1" # one\r\nB=2'],
    ['a comment instead of a value, before CRLF', 'A= # none\r\nB=2'],
    ['a comment behind quotes', 'A="1" # one\nB=2'],
    ['white space around the value', 'A =  1  \n  B\t=\t2'],
    ['white space in quotes', 'A="  1  "'],
    ['white space before quotes', `A= "1"\nB=\t'2' # two`],
    ['export', 'export A=1\nexport   B=2'],
    ['an equals sign in the value', 'A=b=c=='],
    ['an address', 'A=https://a.example/?b=c&d=e'],
    ['a # in single quotes', "A='b#c'"],
    ['a # in double quotes', 'A="b # c"'],
    ['quotes within other quotes', `A='say "a"'\nB="it's"\nC=\`"'\``],
    ['several lines in quotes', 'A="one\ntwo"\nB=\'three\nfour\'\nC=`five\nsix`'],
    ['an escaped line end in double quotes', String.raw`A="one\ntwo"`],
    ['no escapes in single quotes', String.raw`A='one\ntwo'`],
    ['a dollar sign in single quotes', `A='$B'\nB='\${A}'`],
    ['a quote within a value', `A=it's\nB=say"a"`],
  ])('%s', (_name, text) => {
    expect(valuesOf(text)).toEqual({ ...parseEnv(text) });
  });
});

describe('reads where other readers differ', () => {
  test.each([
    ['a comment behind white space', '  # b=c\n\t#\nA=1', { A: '1' }],
    ['a byte order mark', '\ufeffA=1', { A: '1' }],
    ['escapes in double quotes', String.raw`A="a\r\nb"`, { A: 'a\r\nb' }],
    ['a backslash before anything else', String.raw`A="C:\dir\x"`, { A: String.raw`C:\dir\x` }],
    ['CRLF within quotes', 'A="one\r\ntwo"\r\n', { A: 'one\ntwo' }],
    [
      'a line separator in quotes, or at the end',
      'A="a\u2028b"\nB=b\u2028',
      { A: 'a\u2028b', B: 'b' },
    ],
    ['dots and dashes in a name', 'a.b-c_D1=x', { 'a.b-c_D1': 'x' }],
    ['a variable that is called export', 'export=1', { export: '1' }],
    ['several comments behind a value', 'A=b # c # d', { A: 'b' }],
    [
      'a key of several lines in quotes',
      `A='-----BEGIN FAKE KEY-----\nx=\n-----END FAKE KEY-----'`,
      { A: '-----BEGIN FAKE KEY-----\nx=\n-----END FAKE KEY-----' },
    ],
    ['dashes that begin no key', 'A=-----BEGINNING', { A: '-----BEGINNING' }],
  ])('%s', (_name, text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });
});

test('an entry stands on the line on which it starts', () => {
  const text = '# a\nA=1\n\nB="one\ntwo"\nC=3';
  expect(parseDotenv(text).entries.map(({ name, line }) => [name, line])).toEqual([
    ['A', 2],
    ['B', 4],
    ['C', 6],
  ]);
});

test('a name that comes twice is given twice', () => {
  expect(parseDotenv('A=1\nA=2').entries).toHaveLength(2);
});

const marker = 'FAKEVALUE';

describe('a line that cannot be read for certain is a problem', () => {
  test.each([
    ['a word', marker, [1]],
    ['a name alone after export', `export ${marker}`, [1]],
    ['no name', `=${marker}`, [1]],
    ['a name that begins with a digit', `1A=${marker}`, [1]],
    ['a name with a space', `A B=${marker}`, [1]],
    ['a colon instead of an equals sign', `A: ${marker}`, [1]],
    ['a # within an unquoted value', `A=${marker}#1`, [1]],
    ['a # at the start of an unquoted value', `A=#${marker}`, [1]],
    ['a # right behind the equals sign, before CRLF', `A=#${marker}\r\n`, [1]],
    ['a # within an unquoted value before a comment', `A=${marker}#1 # c`, [1]],
    ['a carriage return within an unquoted value', `A=1\r${marker}`, [1]],
    ['lines that end in a lone carriage return', `A=1\rB=${marker}\rC=3\r`, [1]],
    ['a carriage return before an unquoted value', `A=\r${marker}`, [1]],
    ['a carriage return before quotes', `A=\r'${marker}'`, [1]],
    ['a carriage return behind quotes', `A="1"\rB=${marker}`, [1]],
    ['a carriage return before CRLF within quotes', `A="one\r\r\n${marker}"\r\n`, [1]],
    ['a line separator before an unquoted value', `A= # 1\u2028${marker}`, [1]],
    ['a line separator in an unquoted value', `A=${marker}\u2028''`, [1]],
    ['a paragraph separator in an unquoted value', `A=${marker} \u2029 "b"`, [1]],
    ['a line separator in a comment', `# ${marker}\u2028B=1`, [1]],
    ['a line separator in a comment behind a value', `A=1 # ${marker}\u2028B=1`, [1]],
    ['a line separator in a comment behind quotes', `A='1' # ${marker}\u2028B=1`, [1]],
    ['a backslash before a closing single quote', `A='${marker}\\'\nB=c # it's`, [1]],
    ['a backslash before a closing back quote', `A=\`${marker}\\\`\nB=\`c\``, [1]],
    ['a carriage return within single quotes', `A='one\r${marker}'`, [1]],
    ['an escaped double quote', String.raw`A="${marker}\"b"`, [1]],
    ['an escaped backslash', String.raw`A="${marker}\\n"`, [1]],
    ['an escaped tab, or a folder of Windows', String.raw`A="C:\temp\${marker}"`, [1]],
    ['the first line of a key', `A=-----BEGIN FAKE KEY----- ${marker}`, [1]],
    ['the first line of a key behind white space', `A= -----BEGIN ${marker}\r\nB=2`, [1]],
    ['a whole key', `A=-----BEGIN FAKE KEY-----\n${marker}\nx=${marker}=\n`, [1, 2]],
    ['double quotes that do not end', `A="${marker}`, [1]],
    ['single quotes that do not end', `A='${marker}`, [1]],
    ['back quotes that do not end', `A=\`${marker}`, [1]],
    ['quotes that end in an escape', String.raw`A="${marker}\"`, [1]],
    ['text behind the quotes', `A="a"${marker}`, [1]],
    ['a quote within its own kind', `A='it's ${marker}'`, [1]],
    ['a key of several lines without quotes', `A=-----BEGIN\n+${marker}+\n/${marker}`, [2, 3]],
    ['the third line', `A=1\n# a\n${marker}\nB=2`, [3]],
    ['two lines', `${marker}\nA=1\n${marker}`, [1, 3]],
    ['a line behind a value of several lines', `A="one\ntwo"\n${marker}`, [3]],
  ])('%s', (_name, text, lines) => {
    const { problems } = parseDotenv(text);
    expect(problems.map(({ line }) => line)).toEqual(lines);
    expect(problems.map(({ message }) => message).join()).not.toContain(marker);
  });

  test('and the lines around it are read', () => {
    const { entries } = parseDotenv(`A=1\nB="${marker}\nC=3\n`);
    expect(entries.map(({ name }) => name)).toEqual(['A', 'C']);
  });

  test.each([
    ['which line it is not', 'a', 'is not NAME=value, a comment or blank'],
    ['what does not end', "A='a", "has an opening ' but no closing one"],
    ['what to do about text behind quotes', 'A="a"b', 'quote the value with another kind of quote'],
    ['what to do about a #', 'A=a#b', 'put the value in single quotes'],
    ['what stands in the middle', 'A=a\rb', 'a carriage return in the middle of an unquoted value'],
    ['that a key is not one line', 'A=-----BEGIN FAKE', 'has an unquoted key or certificate'],
  ])('and it says %s', (_name, text, words) => {
    expect(parseDotenv(text).problems[0]?.message).toContain(words);
  });
});
