import { z } from 'zod';
import { isLoopback, withoutSlashes } from './contract/base-url.ts';
import { type Commit, sha } from './contract/commit.ts';
import { limits, surelyTooLong } from './contract/limits.ts';
import { uuid } from './contract/wire.ts';

/** What may be written in an input. Each takes the text that the runner gives, trimmed, never empty. */

/** `true` or `false` in any case, as YAML 1.2 has them. */
export const flag = z
  .string()
  .regex(/^(true|false)$/i, 'must be true or false')
  .transform((text) => text.toLowerCase() === 'true');

const unitSeconds = { s: 1, m: 60, h: 3600 } as const;

/** The longest span that a timer takes: 2³¹ − 1 milliseconds. */
const longestSeconds = 2_147_483;

/** `30s`, `20m`, `1h`, or a number of seconds. Gives milliseconds. */
export const duration = z.string().transform((text, context) => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([smh]?)$/i.exec(text) ?? [];
  const factor = unitSeconds[(unit?.toLowerCase() || 's') as keyof typeof unitSeconds];
  const seconds = Number(number) * factor;
  if (seconds >= 0.001 && seconds <= longestSeconds) return Math.round(seconds * 1000);
  context.addIssue('must be a duration: 30s, 20m, 1h, or a number of seconds');
  return z.NEVER;
});

/** How long checks may take, in which each must hold twice. Gives milliseconds. */
export const checkTime = duration.refine(
  (milliseconds) => milliseconds >= 2000,
  'must be at least 2s: a check must hold twice in a row, a second apart',
);

/** One item a line or comma-separated; blank lines and lines that start with `#` are skipped. */
export const list = z.string().transform((text) =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** A path of the service itself (section "Versioning") at the end of a base URL; a gateway's own may look alike. */
const ownPath = /\/(v1(\/projects(\/.*)?)?|connected-domains|domain\/check)$/;

function baseUrlProblem(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'must be a URL such as https://api.example.com';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user name or password: the key goes into api-key';
  }
  if (/[?#]/.test(url.href)) return 'must end before any ? or #';
  const [path] = ownPath.exec(withoutSlashes(url.pathname)) ?? [];
  if (path !== undefined) {
    return `must end before ${path}, which the action adds by itself`;
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return 'must be https: the key would cross the network in the clear (plain http is for this machine only)';
  }
  return undefined;
}

/** The service's base URL: https, or loopback. */
export const baseUrl = z.string().transform((text, context) => {
  const url = URL.parse(text);
  const problem = baseUrlProblem(url);
  if (url !== null && problem === undefined) return withoutSlashes(url.href);
  context.addIssue(problem ?? '');
  return z.NEVER;
});

/** A key that can be sent in a header. */
export const apiKey = z
  .string()
  .regex(
    /^[\x21-\x7e]+$/,
    'holds a character that a header cannot carry, such as a space in its middle',
  );

const whereIds = 'GET /v1/projects?filter=all, or the /projects action, lists the ids';

/** A project's id. */
export const projectId = z
  .string()
  .refine((text) => uuid.safeParse(text).success, `must be a UUID, not a name: ${whereIds}`)
  .transform((text) => text.toLowerCase());

/** Projects' ids, a list. */
export const projectIds = list.transform((items, context) => {
  const wrong = items.find((item) => !uuid.safeParse(item).success);
  if (wrong === undefined) return [...new Set(items.map((item) => item.toLowerCase()))];
  context.addIssue(`must be UUIDs of projects, one a line: ${whereIds}`);
  return z.NEVER;
});

/** A commit: 40 hex digits, or `HEAD`. Gives `HEAD` in capitals. */
export const commit = z.string().transform((text, context): Commit => {
  if (/^head$/i.test(text)) return 'HEAD';
  const { data } = sha.safeParse(text.toLowerCase());
  if (data !== undefined) return data;
  context.addIssue('must be all 40 hex digits of a commit, or HEAD');
  return z.NEVER;
});

/** When a branch may lose commits: `auto`, `true`, `false`, or only while its head is this commit. */
export const force = z
  .string()
  .regex(
    /^(auto|true|false|[0-9a-f]{40})$/i,
    'must be auto, true, false, or all 40 hex digits of a commit',
  )
  .transform((text) => text.toLowerCase());

/** `preview`, `production` or both. */
export const targets = list.transform((items, context) => {
  const unknown = items.find((item) => item !== 'preview' && item !== 'production');
  if (unknown === undefined && items.length > 0) {
    return { preview: items.includes('preview'), production: items.includes('production') };
  }
  context.addIssue('must be preview, production, or both');
  return z.NEVER;
});

/** A path on the service, with placeholders: it never leads to another host. */
export const path = z
  .string()
  .regex(/^\/[^\s\\#]*$/, 'must be a path that begins with /, with no space and no #');

/** One word of a few. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` });
}

/** Any text. */
export const text = z.string();

/** A secret of its own for the ledger: long enough that it cannot be guessed from what it seals. */
export const ledgerKey = z
  .string()
  .min(16, 'must have at least 16 characters, such as the output of: openssl rand -hex 32');

/** Where the ledger is kept: `cache`, `off`, or the path of a file in the workspace. */
export const ledgerPlace = z
  .string()
  .refine(
    (path) =>
      !/^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/.test(path) &&
      !/^(true|false|yes|no|on|none|null|file)$/i.test(path),
    'must be cache, off, or the path of a file in the workspace, such as .site/ledger.txt',
  )
  .transform((path) => (/^(cache|off)$/i.test(path) ? path.toLowerCase() : path));

/** A plan's digest. */
export const digest = z
  .string()
  .regex(
    /^[0-9a-f]{64}(-[0-9a-f]{16})?$/i,
    'must be the output plan-digest of an earlier plan, whole: 64 hex digits, and for most plans of variables "-" and 16 more',
  )
  .transform((text) => text.toLowerCase());

/** A number, or a share of all. */
export type Share = { count: number } | { percent: number };

/** `20`, or `30%`. */
export const share = z.string().transform((text, context): Share => {
  const [, digits, percent] = /^(\d{1,9})\s*(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits !== undefined && percent === '') return { count: number };
  if (digits !== undefined && number <= 100) return { percent: number };
  context.addIssue('must be a number such as 20, or a share such as 30%');
  return z.NEVER;
});

/** An amount of US dollars. */
export const dollars = z.string().transform((text, context) => {
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text);
  context.addIssue('must be an amount of US dollars such as 20 or 19.99');
  return z.NEVER;
});

/** A text whose length the interface limits (section "Limits"). */
const limited = (max: number, what: string) =>
  z.string().refine((value) => !surelyTooLong(value, max), `must have at most ${max} ${what}`);

/** The name of a model or of an effort. */
export const modelName = limited(limits.model.max, 'characters');

/** The first message of a new project. */
export const initialPrompt = limited(limits.initialPrompt.max, 'characters');

/** A list of at most `max` items. */
const listOf = (max: number) =>
  list.refine((items) => items.length <= max, `must have at most ${max} items`);

/** The names of skills. */
export const skillNames = listOf(limits.skillNames.max);

/** The ids of attachments. */
export const attachmentIds = listOf(limits.attachmentIds.max);

/** A glob of names: longer ones are no names. */
export const namePattern = limited(256, 'characters');

/** GitHub's words for what somebody is to a repository. */
const associationWords: ReadonlySet<string> = new Set([
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIMER',
  'FIRST_TIME_CONTRIBUTOR',
  'MANNEQUIN',
  'NONE',
]);

/** Some of GitHub's words for what somebody is to a repository, in any case. Gives capitals. */
export const associations = list.transform((items, context) => {
  const words = items.map((item) => item.toUpperCase());
  if (words.length > 0 && words.every((word) => associationWords.has(word))) return words;
  context.addIssue(`must be one or more of ${[...associationWords].join(', ')}`);
  return z.NEVER;
});

/** `2/5`: the second of five parts. */
export const shard = z.string().transform((value, context) => {
  const [, index = '', of = ''] = /^(\d{1,5})\s*\/\s*(\d{1,5})$/.exec(value) ?? [];
  const [part, parts] = [Number(index), Number(of)];
  if (part >= 1 && part <= parts) return { index: part, of: parts };
  context.addIssue('must be a part of some, such as 2/5: the second of five');
  return z.NEVER;
});
