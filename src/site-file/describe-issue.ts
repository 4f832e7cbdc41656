import { closestMatch } from 'leven';
import type { z } from 'zod';

/** What a wrong thing is called: only words of the schema, never what the file says. */
function subject(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'this';
  return typeof last === 'number' ? `item ${last + 1} of ${String(path.at(-2))}` : String(last);
}

/** What each type of the schema must be, and what to do about an input that is nearly so. */
const types: Readonly<Record<string, { must: string; fix: (input: unknown) => string }>> = {
  string: {
    must: 'must be a text',
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
 * What to say where the schema does not say it itself. No message holds a value of the file.
 *
 * @returns undefined for what only the schema can explain
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
        : `${what} is too large or too small a number`;
    default:
      return undefined;
  }
};

/** Longer words are no misspellings of any word that we know. */
const longest = 40;

/**
 * The known word that somebody may have meant: one letter in three may differ, four at most.
 *
 * @returns `; did you mean "…"?`, or an empty text if no known word is near. It never holds the given word.
 */
export function suggestion(given: string, known: readonly string[]): string {
  if (given.length > longest) return '';
  const maxDistance = Math.min(4, Math.ceil(given.length / 3));
  const nearest = closestMatch(given.toLowerCase(), known, { maxDistance });
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
