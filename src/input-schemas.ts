import { z } from 'zod';
import { isLoopback } from './contract/base-url.ts';
import { commitPattern } from './contract/limits.ts';
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

/** One item a line or comma-separated; blank lines and lines that start with `#` are skipped. */
export const list = z.string().transform((text) =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

function baseUrlProblem(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'must be a URL such as https://api.example.com';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user name or password: the key goes into api-key';
  }
  if (/[?#]/.test(url.href)) return 'must end before any ? or #';
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return 'must be https: the key would cross the network in the clear (plain http is for this machine only)';
  }
  return undefined;
}

/** The service's base URL: https, or loopback. */
export const baseUrl = z.string().transform((text, context) => {
  const url = URL.parse(text);
  const problem = baseUrlProblem(url);
  if (url !== null && problem === undefined) return url.href.replace(/\/+$/, '');
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

/** A project's id. */
export const projectId = uuid.transform((text) => text.toLowerCase());

/** Projects' ids, a list. */
export const projectIds = list.transform((items, context) => {
  const wrong = items.find((item) => !uuid.safeParse(item).success);
  if (wrong === undefined) return [...new Set(items.map((item) => item.toLowerCase()))];
  context.addIssue('must be UUIDs of projects, one a line');
  return z.NEVER;
});

/** A commit: 40 hex digits, or `HEAD`. Gives `HEAD` in capitals. */
export const commit = z.string().transform((text, context) => {
  if (/^head$/i.test(text)) return 'HEAD';
  const sha = text.toLowerCase();
  if (commitPattern.test(sha)) return sha;
  context.addIssue('must be all 40 hex digits of a commit, or HEAD');
  return z.NEVER;
});

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
