import { closestMatch } from 'leven';
import type { z } from 'zod';

/** The name of an invalid value: only keys of the schema, never content of the file. */
function subject(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'this';
  return typeof last === 'number' ? `item ${last + 1} of ${String(path.at(-2))}` : String(last);
}

/** The message for each type, and a hint for values that are nearly valid. */
const types: Readonly<Record<string, { must: string; fix: (input: unknown) => string }>> = {
  string: {
    must: 'must be a string',
    fix: (input) => (['number', 'boolean'].includes(typeof input) ? ': write it in quotes' : ''),
  },
  number: {
    must: 'must be a whole number',
    fix: (input) => (typeof input === 'string' && /^\d+$/.test(input) ? ', without quotes' : ''),
  },
  boolean: {
    must: 'must be true or false',
    fix: (input) => (input === 'true' || input === 'false' ? ', without quotes' : ''),
  },
  array: {
    must: 'must be a list',
    fix: () => ': [ … ], or lines that start with "-"',
  },
  record: {
    must: 'must be a mapping',
    fix: () => ' of names',
  },
};

const oneOf = (values: readonly unknown[]) => values.map(String).join(' or ');

/**
 * The message for an issue without its own message in the schema. It never contains a value of the file.
 *
 * @returns undefined to use the schema's message
 */
export const describe: z.core.$ZodErrorMap = (issue) => {
  const what = subject(issue.path ?? []);
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return `${what} is missing`;
      const type = types[issue.expected === 'int' ? 'number' : issue.expected];
      return type === undefined ? undefined : `${what} ${type.must}${type.fix(issue.input)}`;
    }
    case 'invalid_value': {
      const near =
        typeof issue.input === 'string' ? suggestion(issue.input, issue.values.map(String)) : '';
      return `${what} must be ${oneOf(issue.values)}${near}`;
    }
    case 'too_small':
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `${what} must not be empty`
        : `${what} is out of range`;
    default:
      return undefined;
  }
};

/** A longer word is not a misspelling of a known one. */
const longest = 40;

/**
 * Suggests a similar known word: one letter in three may differ, four at most.
 *
 * @returns `; did you mean "…"?`, or an empty text. It never contains the given word.
 */
export function suggestion(given: string, known: readonly string[]): string {
  if (given.length > longest) return '';
  const maxDistance = Math.min(4, Math.ceil(given.length / 3));
  const nearest = closestMatch(given.toLowerCase(), known, { maxDistance });
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
