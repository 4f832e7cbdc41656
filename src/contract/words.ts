import type { z } from 'zod';

/** What each type of a shape must be. */
const types: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

const sized = (what: string, end: string, size: number | bigint): string =>
  `must ${what === 'string' || what === 'array' ? 'have' : 'be'} ${end} ${size}${what === 'string' ? ' characters' : what === 'array' ? ' items' : ''}`;

/** The messages of shapes without their own: the rule, never the value. zod's own presume knowledge of zod. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return types[issue.expected] ?? 'is of the wrong type';
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return issue.minimum === 1 && (issue.origin === 'string' || issue.origin === 'array')
        ? 'must not be empty'
        : sized(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return sized(issue.origin, 'at most', issue.maximum);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    default:
      return 'has an invalid format';
  }
};
