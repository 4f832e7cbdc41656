import type { Commit, Sha } from '../contract/commit.ts';
import { fillTemplate } from '../kernel/template.ts';

/** A value that JSON may have at a path. */
export type JsonScalar = string | number | boolean | null;

/** What the answer must be, as it was declared. */
export interface Wanted {
  method: 'GET' | 'HEAD';
  /** Absent: 200 to 299, or 300 to 399 with a `location`. */
  status?: number;
  contains?: string;
  lacks?: string;
  /** Values at paths such as `build.commit` or `items.0.name`. */
  json?: readonly (readonly [path: string, value: JsonScalar])[];
  /** Values of headers, by their names in lower case. */
  header?: readonly (readonly [name: string, value: string])[];
  /** Where it redirects to; it is not followed then. */
  location?: string;
  /** For how many more days its certificate must be good. */
  certificateDays?: number;
  /** How long the fastest of a few answers may take. */
  maxMs?: number;
}

/** A check as it was declared, with its placeholders: the same one holds for any commit, and at any origin. */
export interface DeclaredCheck extends Wanted {
  /** Under a path, it is asked at the origin of the run. */
  at: { path: string } | { url: string };
  /** True if what is wanted names the commit: no other deployment's page shows that. */
  namesCommit: boolean;
  /** Who declares it: the inputs `verify-url` and `verify-contains`, or the site file. */
  from: 'inputs' | 'file';
}

/** A check that can be run. */
export interface Check extends Wanted {
  url: URL;
  namesCommit: boolean;
  /** The commit that it names; absent if it names none. */
  commit?: Sha;
  from: DeclaredCheck['from'];
}

/** What a check is filled in with: the commit that must be seen, and where. */
export interface CheckPlace {
  commit: Commit;
  /** Where paths are asked, such as `https://www.example.com`; undefined if nothing says it. */
  origin: string | undefined;
  /** The preview's hostname; undefined if the run has none. */
  hostname: string | undefined;
}

/** Every text of a check in which placeholders may stand, beside its address. */
const textsOf = ({ contains, lacks, json = [], header = [], location }: Wanted): string[] =>
  [
    contains,
    lacks,
    location,
    ...json.map(([, value]) => value),
    ...header.map(([, it]) => it),
  ].filter((text) => typeof text === 'string');

/** True if what is wanted of an answer names the commit. */
export const namesCommit = ({ lacks: _, ...wanted }: Wanted): boolean =>
  textsOf(wanted).some((text) => text.includes('{sha}'));

/** What a check lacks to be filled in, as the end of a sentence; undefined if it lacks nothing. */
function whatIsMissing(check: DeclaredCheck, place: CheckPlace): string | undefined {
  const address = 'url' in check.at ? check.at.url : check.at.path;
  const uses = (name: string) => [address, ...textsOf(check)].some((text) => text.includes(name));
  if (uses('{sha}') && place.commit === 'HEAD')
    return '{sha} needs a commit, and commit-sha is HEAD';
  if (uses('{preview-domain}') && place.hostname === undefined) {
    return '{preview-domain} needs preview-domain, and a run that uses it';
  }
  return 'path' in check.at && place.origin === undefined
    ? 'a path needs an address: give verify-url, or a preview-domain that this run uses'
    : undefined;
}

/** What is wrong with an address that is to be asked, as the end of a sentence. */
function whatIsWrong(
  url: URL | null,
  check: DeclaredCheck,
  origin: string | undefined,
): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'must be a URL such as https://www.example.com/';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user name or password: the page must be public';
  }
  if ('path' in check.at && url.origin !== origin) return 'a path must not lead to another host';
  return check.certificateDays !== undefined && url.protocol !== 'https:'
    ? 'certificate-days needs https'
    : undefined;
}

/**
 * Fills a check in for a commit and an origin.
 *
 * @returns it, or why it cannot be run, as the end of a sentence
 */
export function fillCheck(declared: DeclaredCheck, place: CheckPlace): Check | { problem: string } {
  const { at, json, header, ...rest } = declared;
  const missing = whatIsMissing(declared, place);
  if (missing !== undefined) return { problem: missing };
  const fill = (text: string) =>
    fillTemplate(text, { sha: place.commit, 'preview-domain': place.hostname ?? '' });
  const url = URL.parse(fill('url' in at ? at.url : `${place.origin}${at.path}`));
  const problem = whatIsWrong(url, declared, place.origin);
  if (url === null || problem !== undefined) return { problem: problem ?? '' };
  const { contains, lacks, location } = rest;
  const { commit } = place;
  return {
    ...rest,
    url,
    ...(declared.namesCommit && commit !== 'HEAD' && { commit }),
    ...(contains !== undefined && { contains: fill(contains) }),
    ...(lacks !== undefined && { lacks: fill(lacks) }),
    ...(location !== undefined && { location: fill(location) }),
    ...(json && {
      json: json.map(
        ([path, value]) => [path, typeof value === 'string' ? fill(value) : value] as const,
      ),
    }),
    ...(header && { header: header.map(([name, value]) => [name, fill(value)] as const) }),
  };
}

/** True if its answer is the end: a redirect is what is wanted of it, not where that leads. */
export const wantsRedirect = ({ status, location }: Wanted): boolean =>
  location !== undefined || (status !== undefined && status >= 300 && status <= 399);

/** The checks of a run, whatever commit and origin they are run for. */
export interface ChecksRequest {
  declared: readonly DeclaredCheck[];
  place: CheckPlace;
  /** How long they may take to hold, in milliseconds. */
  timeout: number;
}
