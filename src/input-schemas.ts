import { isLoopback, isProjectId, surelyTooLong, withoutSlashes } from './contract/limits.ts';
import type { ProjectId } from './contract/safe-text.ts';

/** The value of a text, or what is wrong with it. */
type Reading<Value> = { value: Value } | { fault: string };

/**
 * What may be written in an input. It takes the text that the runner gives, trimmed, never empty. A function, and not
 * a schema of zod's, which takes as long to load as half of a start: an input is one text.
 */
export type InputSchema<Value> = (text: string) => Reading<Value>;

/** A schema that takes what a pattern does, and gives what is made of it. */
export const matching =
  <Value>(pattern: RegExp, fault: string, make: (text: string) => Value): InputSchema<Value> =>
  (text) =>
    pattern.test(text) ? { value: make(text) } : { fault };

const asWritten = (text: string): string => text;

/** A text in lower case. */
export const inLowerCase = (text: string): string => text.toLowerCase();

/** `true` or `false` in any case, as YAML 1.2 has them. */
export const flag = matching(
  /^(true|false)$/i,
  'must be true or false',
  (text) => inLowerCase(text) === 'true',
);

const unitSeconds = { s: 1, m: 60, h: 3600 } as const;

/** The longest span that a timer takes: 2³¹ − 1 milliseconds. */
const longestSeconds = 2_147_483;

/** `30s`, `20m`, `1h`, or a number of seconds. Gives milliseconds. */
export const duration: InputSchema<number> = (text) => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([smh]?)$/i.exec(text) ?? [];
  const factor = unitSeconds[(unit?.toLowerCase() || 's') as keyof typeof unitSeconds];
  const seconds = Number(number) * factor;
  if (seconds >= 0.001 && seconds <= longestSeconds) return { value: Math.round(seconds * 1000) };
  return { fault: 'must be a duration: 30s, 20m, 1h, or a number of seconds' };
};

/** `36h` or `7d`: longer than a timer takes, and nothing waits for it. Gives milliseconds. */
export const age = matching(
  /^[1-9]\d{0,3}[hd]$/i,
  'must be an age in hours or days: 36h or 7d',
  (text) => parseInt(text, 10) * (/d$/i.test(text) ? 24 : 1) * 3_600_000,
);

/** One item a line or comma-separated; blank lines and lines that start with `#` are skipped. */
export const itemsOf = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A list, see {@link itemsOf}. */
export const list: InputSchema<string[]> = (text) => ({ value: itemsOf(text) });

/** A path of the service itself (section "Versioning") at the end of a base URL; a gateway's own may look alike. */
const ownPath = /\/(v1(\/projects(\/.*)?)?|connected-domains|domain\/check)$/;

function baseUrlProblem(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'must be a URL such as https://api.example.com';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password: the key goes into api-key';
  }
  if (/[?#]/.test(url.href)) return 'must not contain ? or #';
  const [path] = ownPath.exec(withoutSlashes(url.pathname)) ?? [];
  if (path !== undefined) {
    return `must not end in ${path}: the action adds that path`;
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return 'must use https: http is allowed only for this machine';
  }
  return undefined;
}

/** The service's base URL: https, or loopback. */
export const baseUrl: InputSchema<string> = (text) => {
  const url = URL.parse(text);
  const fault = baseUrlProblem(url);
  return url === null || fault !== undefined
    ? { fault: fault ?? '' }
    : { value: withoutSlashes(url.href) };
};

/** A key that can be sent in a header. */
export const apiKey = matching(
  /^[\x21-\x7e]+$/,
  "contains a character that a header can't have, such as a space",
  asWritten,
);

const whereIds = 'the /projects action lists the ids';

/** A project's id. */
export const projectId: InputSchema<ProjectId> = (text) => {
  const id = inLowerCase(text);
  return isProjectId(id) ? { value: id } : { fault: `must be a UUID, not a name: ${whereIds}` };
};

/** Projects' ids, a list. */
export const projectIds: InputSchema<ProjectId[]> = (text) => {
  const items = itemsOf(text).map(inLowerCase);
  return items.every(isProjectId)
    ? { value: [...new Set(items)] }
    : { fault: `must be UUIDs of projects, one per line or separated by commas: ${whereIds}` };
};

/** One word of a few, or the only one. */
export function oneOf<const Word extends string>(...words: readonly Word[]): InputSchema<Word> {
  const others = words.slice(0, -1).join(', ');
  const fault = `must be ${others}${others === '' ? '' : ' or '}${words.at(-1)}`;
  return (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { fault } : { value };
  };
}

/** Any text. */
export const text: InputSchema<string> = (value) => ({ value });

/** A secret of its own for the ledger: long enough that it cannot be guessed from what it encrypts. */
export const ledgerKey = matching(
  /^.{16}/s,
  'must have at least 16 characters, such as the output of: openssl rand -hex 32',
  asWritten,
);

/** Where the ledger is kept: `cache`, `off`, or the path of a file in the workspace. */
export const ledgerLocation: InputSchema<string> = (text) => {
  const isOutside = /^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/.test(text);
  return isOutside || /^(true|false|yes|no|on|none|null|file)$/i.test(text)
    ? {
        fault:
          'must be cache, off, or the path of a file in the workspace, such as .site/ledger.txt',
      }
    : { value: /^(cache|off)$/i.test(text) ? inLowerCase(text) : text };
};

/** A plan's digest. */
export const digest = matching(
  /^[0-9a-f]{64}(-[0-9a-f]{16})?$/i,
  'must be the whole output plan-digest of an earlier plan: 64 hex digits, for most plans of variables followed by "-" and 16 more',
  inLowerCase,
);

/** `20`, or `30%`. */
export const share: InputSchema<{ count: number } | { percent: number }> = (text) => {
  const [, digits, percent] = /^(\d{1,9})\s*(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits !== undefined && percent === '') return { value: { count: number } };
  if (digits !== undefined && number <= 100) return { value: { percent: number } };
  return { fault: 'must be a number such as 20, or a percentage such as 30%' };
};

/** A text whose length the interface limits (section "Limits"). */
export const limited =
  (max: number): InputSchema<string> =>
  (text) =>
    surelyTooLong(text, max) ? { fault: `must have at most ${max} characters` } : { value: text };

/** GitHub's words for a user's relation to a repository. */
const authorAssociations: ReadonlySet<string> = new Set([
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIMER',
  'FIRST_TIME_CONTRIBUTOR',
  'MANNEQUIN',
  'NONE',
]);

/** Values of GitHub's `author_association`, in any case. Returns capitals. */
export const associations: InputSchema<string[]> = (text) => {
  const value = itemsOf(text).map((item) => item.toUpperCase());
  return value.length > 0 && value.every((one) => authorAssociations.has(one))
    ? { value }
    : { fault: `must be one or more of ${[...authorAssociations].join(', ')}` };
};
