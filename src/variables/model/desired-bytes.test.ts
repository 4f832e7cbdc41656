import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoint } from '../../../test/support/any-text.ts';
import { sources } from '../../../test/support/variables/builders.ts';
import { createVariable } from '../../contract/environment.ts';
import { gatherDesired } from './desired.ts';

/** What becomes of a value of the step's environment, given by `env-from` and by the site file. */
const ways = [
  {
    way: 'env-from',
    gather: (value: string) =>
      gatherDesired(sources({ envFrom: ['A=SOURCE'], stepEnvironment: { SOURCE: value } })),
  },
  {
    way: 'config',
    gather: (value: string) =>
      gatherDesired(
        sources({
          siteVariables: [{ name: 'A', from: 'SOURCE', kind: 'secret', line: 1, column: 1 }],
          stepEnvironment: { SOURCE: value },
        }),
      ),
  },
];

describe.each(ways)('by $way', ({ gather }) => {
  test.each([
    ['carriage returns', 'a\r\nb\rc\r\n'],
    ['a newline at its end', 'a\n'],
    ['nothing but a newline', '\n'],
    ['nothing but a space', ' '],
    ['white space around it', ' \ta\t '],
    ['a byte order mark', '\ufeffa'],
    ['quotes and escapes', `"a" 'b' \`c\` \\n \\`],
    ['what a shell would expand', `$A \${A} $(a) %A%`],
    ['commas and comments', 'a, b # c'],
    ['letters that could be composed otherwise', 'e\u0301 \u00e9'],
    ['zero-width and bidirectional characters', '\u200b\u202e\u2066'],
    ['control characters', '\u0001\u001b[31m\u007f'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('a value with %s arrives as it is', (_name, value) => {
    const { variables, problems } = gather(value);
    expect(problems).toEqual([]);
    expect(variables.map((one) => one.value)).toEqual([value]);
  });

  test('any value that can be an environment variable arrives as it is, and may be sent', () => {
    const anyValue = fc
      .string({ unit: anyCodePoint, minLength: 1, maxLength: 200 })
      .filter((value) => !value.includes('\0'));
    fc.assert(
      fc.property(anyValue, (value) => {
        const [variable] = gather(value).variables;
        expect(variable?.value).toBe(value);
        const { success } = createVariable.safeParse({
          name: 'A',
          value,
          preview: true,
          production: true,
        });
        expect(success).toBe(true);
      }),
    );
  });
});
