import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gather } from '../../../test/support/variables/builders.ts';
import type { DesiredSources } from './desired.ts';

describe('a problem', () => {
  test.each<[string, Partial<DesiredSources>, string, string]>([
    [
      'a missing source',
      { envFrom: ['A'] },
      'env-from',
      `A is not in the step's environment. Add it to the step's env: (A: \${{ secrets.A }})`,
    ],
    [
      'an empty source, which would be written as an empty value',
      { envFrom: ['A=SOURCE'], stepEnvironment: { SOURCE: '' } },
      'env-from',
      'SOURCE is empty. Set the secret',
    ],
    [
      'a name that would turn the line around',
      { envFrom: ['A\u202eB=SOURCE'], stepEnvironment: { SOURCE: '1' } },
      'env-from',
      '"A B" is not a valid variable name',
    ],
    ['a line that cannot be read', { env: 'A=1\nb' }, 'env', 'line 2 is not NAME=value'],
    [
      'a line of a file that cannot be read',
      { envFiles: [{ path: 'a.env', text: 'A="' }] },
      'env-file a.env',
      'line 1 has an opening "',
    ],
  ])('is %s', (_name, fields, input, message) => {
    const { problems } = gather(fields);
    expect(problems).toMatchObject([{ input, message: expect.stringContaining(message) }]);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'is a source that only every object has: %s',
    (name) => {
      for (const item of [name, `A=${name}`]) {
        expect(gather({ envFrom: [item] })).toMatchObject({
          variables: [],
          problems: [
            {
              input: 'env-from',
              message: expect.stringMatching(/^(item 1|the source of A) is not in/),
            },
          ],
        });
      }
    },
  );

  test('says how to give a missing source', () => {
    const [problem] = gather({ envFrom: ['KEY'] }).problems;
    expect(problem?.message).toContain(`KEY: \${{ secrets.KEY }}`);
  });

  test('does not hide the others', () => {
    const { problems } = gather({
      env: 'a',
      envFrom: ['B', 'C'],
      envFiles: [{ path: 'd.env', text: 'd' }],
    });
    expect(problems.map(({ input }) => input).toSorted()).toEqual([
      'env',
      'env-file d.env',
      'env-from',
      'env-from',
    ]);
  });

  test('shows a path on one line', () => {
    const { problems } = gather({ envFiles: [{ path: 'a\n::error::b', text: 'x' }] });
    expect(problems[0]?.input).toBe('env-file a ::error::b');
  });
});

const marker = 'FAKEVALUE';

describe('an item of env-from that is no name', () => {
  test.each([
    ['a name with a space', `A ${marker}=SOURCE`],
    ['no name', `=${marker}`],
    ['nothing but an equals sign', '='],
    ['no source', 'A='],
    ['no source but white space', 'A= '],
    ['a value with slashes and plus signs', `KEY=${marker}/a+b/c`],
    ['a value in base64', `KEY=${marker}==`],
    ['a value with a space', `KEY=${marker} and more`],
    ['a value in quotes', `KEY="${marker}"`],
    ['an address with a password', `KEY=https://user:${marker}@a.example`],
    ['the first line of a key', `KEY=-----BEGIN ${marker}-----`],
    ['a value that begins with a digit', `KEY=1${marker}`],
    ['a value with other letters', `KEY=ü${marker}`],
    ['a value with a control character', `KEY=${marker}\u0007`],
    ['a value that is longer than any name', `KEY=${marker.repeat(20)}`],
    ['a word that is longer than any name', marker.repeat(40)],
  ])('is told of by its number alone: %s', (_name, item) => {
    const { variables, problems } = gather({
      envFrom: ['A', item],
      stepEnvironment: { A: '1', SOURCE: '2' },
    });
    expect(variables.map(({ name }) => name)).toEqual(['A']);
    expect(problems).toMatchObject([
      {
        input: 'env-from',
        message: expect.stringMatching(/^item 2 (?:is not|must be) NAME or NAME=SOURCE/),
      },
    ]);
    expect(JSON.stringify(problems)).not.toContain(marker);
  });

  test.each([
    '- SOURCE',
    '"SOURCE"',
    "'SOURCE'",
    '["SOURCE"',
    '[SOURCE',
    'SOURCE]',
    'A="SOURCE"',
    'A: SOURCE',
    '$SOURCE',
    '- A=SOURCE',
  ])('is told of by what it has beside the name: %s', (item) => {
    const { problems } = gather({ envFrom: [item], stepEnvironment: { SOURCE: '2' } });
    const message = expect.stringMatching(
      /^item 1 must be .*, one per line, without dash, quotes, .* SOURCE is the name of a variable/,
    );
    expect(problems).toMatchObject([{ code: 'SD1201', message }]);
  });

  test.each([
    ['secrets.STRIPE_KEY', `STRIPE_KEY: \${{ secrets.STRIPE_KEY }}`],
    ['A=vars.PUBLIC_ORIGIN', `PUBLIC_ORIGIN: \${{ vars.PUBLIC_ORIGIN }}`],
  ])('is told of with the line to add, as an expression: %s', (item, line) => {
    const [name] = line.split(':');
    const context = item.includes('vars') ? 'vars' : 'secrets';
    const message = `item 1: write ${name} without "${context}.", and add it to the step's env: (${line})`;
    const { problems } = gather({ envFrom: [item] });
    expect(problems).toEqual([{ input: 'env-from', code: 'SD1201', message }]);
  });

  test.each([
    ['env.ORIGIN', 'item 1: write ORIGIN without "env."'],
    ['secrets.sk_live_fake', 'item 1: write the name without "secrets."'],
  ])('is told of as an expression, without what may be a value: %s', (item, message) => {
    expect(gather({ envFrom: [item] }).problems).toMatchObject([{ message }]);
  });

  test('may have a dot in its name', () => {
    const { problems } = gather({
      envFrom: ['secrets.SOURCE'],
      stepEnvironment: { 'secrets.SOURCE': '2' },
    });
    expect(problems).toEqual([]);
  });

  test('is told of beside the others', () => {
    const { problems } = gather({ envFrom: ['=', 'A', 'B='] });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^item 1 /),
      expect.stringContaining("A is not in the step's environment"),
      expect.stringMatching(/^item 3 /),
    ]);
  });
});

test.each([
  ['env', { env: `${marker.repeat(15)}=x` }],
  ['env-from', { envFrom: [`${marker.repeat(15)}=A`], stepEnvironment: { A: 'x' } }],
  ['env-file', { envFiles: [{ path: 'a.env', text: `${marker.repeat(15)}=x` }] }],
])('no part of a name of %s that is too long is shown', (_input, fields) => {
  const { problems } = gather(fields);
  expect(problems.map(({ message }) => message)).toEqual([
    'a name has 135 characters; the service allows 128',
  ]);
});

test('no problem ever holds a value', () => {
  const value = fc
    .tuple(
      fc.constantFrom('', '"', "'", '`', '#', '\0', '\n', 'a b', ' '),
      fc.constantFrom('', '"', '#', 'x'.repeat(5121)),
    )
    .map(([before, after]) => `${before}${marker}${after}`);
  const name = fc.constantFrom('A', 'B', 'B C', '', '1', 'n'.repeat(129));
  const lines = fc.array(
    fc.tuple(name, fc.constantFrom('=', ' = ', ': ', '="'), value).map((parts) => parts.join('')),
  );
  const given = fc.record({
    env: lines.map((all) => all.join('\n')),
    envFrom: fc.array(
      fc
        .tuple(name, fc.constantFrom('', '=A', '=NONE', `=${marker}+`, `=/${marker}`))
        .map((parts) => parts.join('')),
    ),
    envFiles: fc.array(lines.map((all) => ({ path: 'a.env', text: all.join('\n') }))),
    stepEnvironment: fc.dictionary(fc.constantFrom('A', 'B'), value),
  });
  fc.assert(
    fc.property(given, (fields) => {
      expect(JSON.stringify(gather(fields).problems)).not.toContain(marker);
    }),
  );
});
