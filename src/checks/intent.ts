import { type RunCommit, type Sha, shaOf } from '../contract/commit.ts';
import { fillTemplate } from '../kernel/text/format.ts';

/** A value that JSON may have at a path. */
export type JsonScalar = string | number | boolean | null;

/** What the response must be, as declared. */
export interface Expectation {
  method: 'GET' | 'HEAD';
  /** Absent: 200 to 299, or 300 to 399 with a `location`. */
  status?: number | undefined;
  contains?: string | undefined;
  lacks?: string | undefined;
  /** Values at paths such as `build.commit` or `items.0.name`. */
  json?: readonly (readonly [path: string, value: JsonScalar])[] | undefined;
  /** Values of headers, by their names in lower case. */
  header?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Where it redirects to; the redirect is then not followed. */
  location?: string | undefined;
  /** For how many more days its certificate must be valid. */
  certificateDays?: number | undefined;
  /** How long the fastest of three responses may take. */
  maxMs?: number | undefined;
}

/** A check as declared, with its placeholders: it applies to any commit and any origin. */
export interface DeclaredCheck extends Expectation {
  /** A path is requested at the origin of the run. */
  at: { path: string } | { url: string };
  /** True if the expectation contains the commit, so that no other deployment's page passes. */
  namesCommit: boolean;
  /** Where it is declared: the inputs `verify-url` and `verify-contains`, or the site file. */
  from: 'inputs' | 'file';
}

/** A check with its placeholders filled in. */
export interface Check extends Expectation {
  url: URL;
  namesCommit: boolean;
  /** The commit that it contains; absent if none. */
  commit?: Sha | undefined;
  from: DeclaredCheck['from'];
}

/** The values of a check's placeholders, and its origin. */
export interface CheckedSite {
  commit: RunCommit;
  /** Where paths are requested, such as `https://www.example.com`; undefined if not given. */
  origin: string | undefined;
  /** The preview's hostname; undefined if the run has none. */
  hostname: string | undefined;
}

/** The texts of a check that may contain placeholders, except its address. */
const textsOf = ({ contains, lacks, json = [], header = [], location }: Expectation): string[] =>
  [
    contains,
    lacks,
    location,
    ...json.map(([, value]) => value),
    ...header.map(([, it]) => it),
  ].filter((text) => typeof text === 'string');

/** True if the expectation contains the commit. */
export const namesCommit = ({ lacks: _, ...expected }: Expectation): boolean =>
  textsOf(expected).some((text) => text.includes('{sha}'));

/** Why a check cannot be filled in, as the end of a sentence. */
function whatIsMissing(check: DeclaredCheck, site: CheckedSite): string | undefined {
  const address = 'url' in check.at ? check.at.url : check.at.path;
  const uses = (name: string) => [address, ...textsOf(check)].some((text) => text.includes(name));
  if (uses('{sha}') && shaOf(site.commit) === undefined)
    return `{sha} needs a commit, but ${site.commit === 'HEAD' ? 'commit-sha is HEAD' : 'this run deploys none'}`;
  if (uses('{preview-domain}') && site.hostname === undefined) {
    return '{preview-domain} needs the input preview-domain and a run with a preview';
  }
  return 'path' in check.at && site.origin === undefined
    ? 'a path needs a host: set verify-url, or a preview-domain that this run uses'
    : undefined;
}

/** What is wrong with an address, as the end of a sentence. */
function whatIsWrong(
  url: URL | null,
  check: DeclaredCheck,
  origin: string | undefined,
): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'must be a URL such as https://www.example.com/';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password: the page must be public';
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
export function fillCheck(declared: DeclaredCheck, site: CheckedSite): Check | { problem: string } {
  const { at, json, header, ...rest } = declared;
  const missing = whatIsMissing(declared, site);
  if (missing !== undefined) return { problem: missing };
  const fill = (text: string) =>
    fillTemplate(text, { sha: site.commit ?? 'HEAD', 'preview-domain': site.hostname ?? '' });
  const url = URL.parse(fill('url' in at ? at.url : `${site.origin}${at.path}`));
  const problem = whatIsWrong(url, declared, site.origin);
  if (url === null || problem !== undefined) return { problem: problem ?? '' };
  const { contains, lacks, location } = rest;
  const commit = shaOf(site.commit);
  return {
    ...rest,
    url,
    commit: declared.namesCommit ? commit : undefined,
    contains: contains && fill(contains),
    lacks: lacks && fill(lacks),
    location: location && fill(location),
    json: json?.map(
      ([path, value]) => [path, typeof value === 'string' ? fill(value) : value] as const,
    ),
    header: header?.map(([name, value]) => [name, fill(value)] as const),
  };
}

/** True if the redirect itself is expected, and so not followed. */
export const wantsRedirect = ({ status, location }: Expectation): boolean =>
  location !== undefined || (status !== undefined && status >= 300 && status <= 399);

/** The checks of a job. */
export interface JobChecks {
  declared: readonly DeclaredCheck[];
  /** Undefined as long as only GitHub knows a value in it. */
  site: CheckedSite | undefined;
  /** How long they may take to pass, in milliseconds. */
  timeout: number;
}

/** The checks of a run. */
export interface ChecksRequest extends JobChecks {
  site: CheckedSite;
}
