import { z } from 'zod';
import { asObject } from '../kernel/json.ts';
import { mapping, right } from '../site-file/entry.ts';
import type { Position } from '../site-file/position.ts';
import { type DeclaredCheck, type Expectation, type JsonScalar, namesCommit } from './intent.ts';

/** The most checks of a site file, and the most values of json or of headers of one check. */
const most = { checks: 50, entries: 20 };

/** The longest expected text, in characters. */
const longest = 1000;

const text = (what: string) => z.string().min(1).max(longest).describe(what).exactOptional();

const entries = <Value extends z.ZodType>(value: Value, what: string) =>
  z
    .record(z.string().min(1).max(longest), value)
    .refine(
      (given) => Object.keys(given).length <= most.entries,
      `this takes at most ${most.entries} names`,
    )
    .describe(what)
    .exactOptional();

/** Rules about several keys run even if another key is wrong. */
const when = ({ value: given }: z.core.ParsePayload) => typeof given === 'object' && given !== null;

/** The shape of one check. */
export const check = mapping(
  {
    path: z
      .string()
      .max(longest)
      .regex(
        /^\/(?![/\\])[^\s\\#]*$/,
        'path must start with a single /, without a space, \\ or #; for another host, use url',
      )
      .describe('A path at the origin of verify-url, else at the preview; {sha} is filled in.')
      .exactOptional(),
    url: text(
      'Or a full URL: https, or on the host of verify-url. {sha} and {preview-domain} are filled in.',
    ),
    method: z.enum(['GET', 'HEAD']).describe('Default: GET.').exactOptional(),
    status: z
      .int()
      .min(100)
      .max(599)
      .describe('Default: 2xx, or 3xx with a location.')
      .exactOptional(),
    contains: text('A text that the response must contain; {sha} is filled in.'),
    lacks: text('A text that it must not contain.'),
    json: entries(
      z.union(
        [z.string().max(longest), z.number(), z.boolean(), z.null()],
        'a value of json must be a string, a number, true, false or null',
      ),
      'Values at paths of its JSON, such as { build.commit: "{sha}" }.',
    ),
    header: entries(z.string().max(longest), 'Values of its headers, by name.'),
    location: text('Where it redirects to; the redirect is not followed.'),
    'certificate-days': z
      .int()
      .min(1)
      .max(3650)
      .describe('For how many more days its certificate must be valid.')
      .exactOptional(),
    'max-ms': z
      .int()
      .min(1)
      .max(30_000)
      .describe('How many milliseconds the fastest of three responses may take.')
      .exactOptional(),
  },
  'such as { path: /, contains: Hello }',
)
  .refine((given) => (given.path === undefined) !== (given.url === undefined), {
    error: 'set either path or url',
    when,
  })
  .refine(
    ({ method, contains, lacks, json }) =>
      method !== 'HEAD' || (contains ?? lacks ?? json) === undefined,
    { error: 'HEAD has no body: contains, lacks and json need GET', path: ['method'], when },
  )
  .meta({
    description: 'A check of the site after a deployment.',
    oneOf: [{ required: ['path'] }, { required: ['url'] }],
  });

/** The checks of a site. */
export const checks = z
  .array(check)
  .max(most.checks, `this takes at most ${most.checks} checks`)
  .nullable()
  .describe('Checks of the site after a deployment: each must pass twice in a row.')
  .exactOptional();

/** A check of the site file, with its position. */
export type SiteFileCheck = DeclaredCheck & Position;

/** A check as the file declares it; empty if it is wrong. */
export function siteCheck(given: unknown, position: Position): SiteFileCheck[] {
  const value = right(check, given);
  if (value === undefined) return [];
  const { path, url = '', method = 'GET', status, contains, lacks, json, header, location } = value;
  // From the given value: a zod record drops the name `__proto__`.
  const entriesOf = <Value>(key: 'json' | 'header') =>
    Object.entries(asObject(asObject(given)?.[key]) ?? {}) as [string, Value][];
  const expected: Expectation = {
    method,
    status,
    contains,
    lacks,
    json: json && entriesOf<JsonScalar>('json'),
    header:
      header &&
      entriesOf<string>('header').map(([name, text]) => [name.toLowerCase(), text] as const),
    location,
    certificateDays: value['certificate-days'],
    maxMs: value['max-ms'],
  };
  const at = path === undefined ? { url } : { path };
  return [{ ...expected, at, namesCommit: namesCommit(expected), from: 'file', ...position }];
}
