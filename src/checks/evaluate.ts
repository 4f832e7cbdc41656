import { parseJson } from '../kernel/json.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, type Sanitize, safe, shorten } from '../kernel/text/safe.ts';
import { type Check, wantsRedirect } from './intent.ts';

/** The response of a site, as far as it was read. */
export interface PageAnswer {
  status: number;
  /** Where redirects ended, without its origin if that is the requested one; absent if none was followed. */
  end?: { address: string; redirects: number } | undefined;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  text: string;
  /** True if there was more than 5 MiB. */
  truncated: boolean;
  /** Why its body can't be decoded, and is not in the text; absent if it could be. */
  undecodable?: string | undefined;
  /** From the request to the end of what was read, redirects included. */
  milliseconds: number;
  /** When the certificate of its host expires, in milliseconds since the epoch; undefined without one. */
  certificateEnds?: number | undefined;
}

/** Why there was no response, and what to do about it if that is known. */
export interface NoPage {
  failure: string;
  advice?: string | undefined;
}

/** The result of one try of a check. */
export interface TryResult {
  isGood: boolean;
  /** True if the page is certainly not as expected: 404, 410, or other content. A temporary fault proves nothing. */
  isAbsent: boolean;
  /** What it returned, such as `returned 404`; or the network error. */
  text: SafeText;
  /** The same with the expectation that it does not meet: `returned 404, expected 2xx`. */
  explains: SafeText;
  /** What to do about it; empty if it passed. */
  advice: SafeText;
  /** Absent without a response. */
  milliseconds?: number;
  /** True if only its time is too long, so that another try may pass. */
  isOnlySlow?: true;
  /** Whether it showed the commit, even if something else failed; undefined if the check names none. */
  showsCommit: boolean | undefined;
}

/**
 * Decides whether a response, or a network error, passes.
 *
 * @param now milliseconds since the epoch
 */
export function evaluateAnswer(
  check: Check,
  answer: PageAnswer | NoPage,
  clean: Sanitize,
  now: number,
): TryResult {
  const { commit, contains = '', maxMs = Number.POSITIVE_INFINITY } = check;
  if ('failure' in answer) {
    const text = clean(answer.failure);
    const url = toFix(check, safe`verify-url`);
    // The authority of a public site's certificate may be unknown because the certificate is the host's own.
    const first = text.includes('certificate') ? safe`Check the site's certificate. ` : safe``;
    const advice = answer.advice
      ? safe`${first}${clean(answer.advice)}`
      : safe`Check the DNS record and the certificate of the host in ${url}.`;
    const showsCommit = commit === undefined ? undefined : false;
    return { isGood: false, isAbsent: false, text, explains: text, advice, showsCommit };
  }
  const compared = { check, answer, clean, now };
  const { milliseconds } = answer;
  const showsCommit = commit === undefined ? undefined : isShown(commit, compared);
  const miss =
    statusMiss(compared) ??
    locationMiss(compared) ??
    headerMiss(compared) ??
    certificateMiss(compared) ??
    textMiss(compared) ??
    jsonMiss(compared);
  if (miss !== undefined) return { isGood: false, milliseconds, showsCommit, ...miss };
  const returned = describeAnswer(answer, clean);
  if (milliseconds > maxMs) {
    const text = safe`${returned}, but took ${formatDuration(milliseconds)}`;
    return {
      isGood: false,
      isAbsent: false,
      isOnlySlow: true,
      milliseconds,
      showsCommit,
      text,
      explains: safe`${text}, expected at most ${formatDuration(maxMs)}`,
      advice: safe`Make the page faster, or raise max-ms.`,
    };
  }
  const isInput = contains !== '' && check.from === 'inputs';
  const content = isInput ? safe`${comma(answer)} with the text of verify-contains` : safe``;
  const target = shownLocation(headerOf(answer, 'location') ?? '', check.location);
  const to = wantsRedirect(check) ? safe` to ${quote(target, clean)}` : safe``;
  const text = safe`${returned}${content}${to}`;
  const explains =
    contains === '' || wantsRedirect(check)
      ? text
      : safe`${returned}, with ${quote(contains, clean)}`;
  return {
    isGood: true,
    isAbsent: false,
    milliseconds,
    showsCommit,
    text,
    explains,
    advice: safe``,
  };
}

/** What an expectation is compared with. */
interface Compared {
  check: Check;
  answer: PageAnswer;
  clean: Sanitize;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The first expectation that a response does not meet: the same fields as in a result. */
type Miss = Pick<TryResult, 'text' | 'explains' | 'advice' | 'isAbsent'>;

/** @param expected absent if the miss shows it */
function missOf(
  { answer, clean }: Compared,
  what: SafeText,
  { expected, ...others }: Partial<Miss> & { expected?: SafeText } = {},
): Miss {
  const text = safe`${describeAnswer(answer, clean)}${comma(answer)} ${what}`;
  const explains = expected === undefined ? text : safe`${text}, expected ${expected}`;
  return { text, explains, advice: safe`Fix the site, or the check.`, isAbsent: true, ...others };
}

function statusMiss({ answer, check, clean }: Compared): Miss | undefined {
  const { status } = answer;
  const [least, most, expected] =
    check.status !== undefined
      ? ([check.status, check.status, safe`${check.status}`] as const)
      : check.location === undefined
        ? ([200, 299, safe`2xx`] as const)
        : ([300, 399, safe`3xx`] as const);
  if (status >= least && status <= most) return undefined;
  const target = status >= 300 && status <= 399 ? headerOf(answer, 'location') : undefined;
  const to =
    target === undefined ? safe`` : safe`, a redirect to ${quote(withoutTokens(target), clean)}`;
  const isOther = check.status !== undefined && status >= 200 && status <= 399;
  const text = safe`${describeAnswer(answer, clean)}${to}`;
  return {
    text,
    explains: safe`${text}, expected ${expected}`,
    advice: adviceOnStatus(status, target, check),
    isAbsent: status === 404 || status === 410 || isOther,
  };
}

/** @param target where it redirects to */
function adviceOnStatus(status: number, target: string | undefined, check: Check): SafeText {
  const url = toFix(check, safe`verify-url`);
  if (target !== undefined && !wantsRedirect(check)) {
    return URL.parse(target, check.url.href)?.origin === check.url.origin
      ? safe`The host keeps redirecting to itself: fix the redirect.`
      : safe`Redirects to another host or from https to http are not followed: use that address in ${url}.`;
  }
  if (status === 404 || status === 410) {
    return safe`Add the page, or correct the address in ${url}.`;
  }
  if (status === 401 || status === 403) {
    return safe`The page is requested without credentials: use a public page in ${url}.`;
  }
  if (status >= 500) return safe`Check the project's logs.`;
  return safe`Fix ${url}, or the page.`;
}

function locationMiss(compared: Compared): Miss | undefined {
  const { answer, check, clean } = compared;
  if (check.location === undefined) return undefined;
  const target = headerOf(answer, 'location');
  const expected = quote(check.location, clean);
  if (target === undefined) return missOf(compared, safe`without a location`, { expected });
  // `/b` and `https://www.example.com/b` are the same, seen from the page.
  const parsed = URL.parse(target, check.url.href);
  const isSame = parsed !== null && parsed.href === URL.parse(check.location, check.url.href)?.href;
  if (target === check.location || isSame) return undefined;
  const shown = quote(shownLocation(target, check.location), clean);
  return missOf(compared, safe`with the location ${shown}`, { expected });
}

function headerMiss(compared: Compared): Miss | undefined {
  const { answer, check, clean } = compared;
  for (const [name, value] of check.header ?? []) {
    const actual = headerOf(answer, name);
    if (actual?.trim() === value) continue;
    const shown = shorten(clean(name), longestActual);
    const expected = quote(value, clean);
    if (actual === undefined) {
      return missOf(compared, safe`without the header ${shown}`, { expected });
    }
    const target = name === 'location' ? shownLocation(actual, value) : actual;
    return missOf(compared, safe`with the header ${shown}: ${quote(target, clean)}`, { expected });
  }
  return undefined;
}

function certificateMiss(compared: Compared): Miss | undefined {
  const { answer, check, now } = compared;
  if (check.certificateDays === undefined) return undefined;
  if (answer.certificateEnds === undefined) {
    return missOf(compared, safe`without a certificate that could be read`, { isAbsent: false });
  }
  const days = Math.floor((answer.certificateEnds - now) / (24 * 3_600_000));
  if (days >= check.certificateDays) return undefined;
  const time = days === 1 ? safe`1 day` : safe`${days} days`;
  return missOf(compared, safe`with a certificate that expires in ${time}`, {
    expected: safe`at least ${check.certificateDays}`,
    advice: safe`Renew the certificate.`,
    isAbsent: false,
  });
}

function textMiss(compared: Compared): Miss | undefined {
  const { answer, check, clean } = compared;
  const { contains = '', lacks } = check;
  const { text, truncated } = answer;
  if (contains === '' && lacks === undefined) return undefined;
  const undecodable = undecodableMiss(compared);
  if (undecodable !== undefined) return undecodable;
  if (!text.includes(contains)) {
    const part = truncated ? safe` in its first 5 MiB` : safe``;
    const input = check.from === 'inputs' ? safe`verify-contains` : safe`contains`;
    return missOf(compared, safe`without the text of ${input}${part}`, {
      explains: safe`${describeAnswer(answer, clean)}, but the page does not contain ${quote(contains, clean)}${part}`,
      advice: isMisread(text, contains)
        ? safe`The page's charset (UTF-8 if none is named) is wrong: correct its content-type.`
        : safe`Fix the page, or change ${toFix(check, safe`verify-contains`)}.`,
      isAbsent: !truncated,
    });
  }
  if (lacks === undefined) return undefined;
  if (text.includes(lacks)) {
    // The text may be that of a temporary error.
    return missOf(compared, safe`with the text of lacks`, {
      explains: safe`${describeAnswer(answer, clean)}, but the page contains ${quote(lacks, clean)}`,
      advice: safe`Remove the text from the page, or change lacks.`,
      isAbsent: false,
    });
  }
  return truncated ? tooLong(compared) : undefined;
}

/** True if a page lacks a text perhaps only because it is not in the charset by which it was decoded. */
const isMisread = (page: string, wanted: string): boolean =>
  page.includes('\u{fffd}') && /[^\0-\x7f]/.test(wanted);

function jsonMiss(compared: Compared): Miss | undefined {
  const { answer, check, clean } = compared;
  if (check.json === undefined) return undefined;
  const undecodable = undecodableMiss(compared);
  if (undecodable !== undefined) return undecodable;
  if (answer.truncated) return tooLong(compared);
  const body = parseJson(answer.text);
  if (body === undefined) return missOf(compared, safe`without JSON`);
  for (const [path, value] of check.json) {
    const actual = valueAt(body, path);
    if (actual === value) continue;
    const name = shorten(clean(path), longestActual);
    const expected = quote(textOf(value), clean);
    return actual === undefined
      ? missOf(compared, safe`without ${name}`, { expected })
      : missOf(compared, safe`with ${name} = ${quote(textOf(actual), clean)}`, { expected });
  }
  return undefined;
}

/** A body that can't be decoded may contain anything. */
function undecodableMiss({ answer, clean }: Compared): Miss | undefined {
  if (answer.undecodable === undefined) return undefined;
  const text = safe`${describeAnswer(answer, clean)}, but ${clean(answer.undecodable)}`;
  const advice = safe`Send the page without compression, or in gzip, br, zstd or deflate.`;
  return { text, explains: text, advice, isAbsent: false };
}

/** The rest of a text that was not read may contain anything. */
const tooLong = (compared: Compared): Miss =>
  missOf(compared, safe`with more than 5 MiB`, {
    advice: safe`Only the first 5 MiB are read: check a shorter page.`,
    isAbsent: false,
  });

/** True if a response shows the commit wherever the check names it, even if something else fails. */
function isShown(commit: string, compared: Compared): boolean {
  const { contains, location, header = [], json = [] } = compared.check;
  const names = (text: unknown) => typeof text === 'string' && text.includes(commit);
  const naming = json.filter(([, value]) => names(value));
  const only: Compared = {
    ...compared,
    check: {
      ...compared.check,
      contains: names(contains) ? contains : undefined,
      lacks: undefined,
      location: names(location) ? location : undefined,
      header: header.filter(([, value]) => names(value)),
      // Without any, the page need not be JSON.
      json: naming.length === 0 ? undefined : naming,
    },
  };
  const miss = locationMiss(only) ?? headerMiss(only) ?? textMiss(only) ?? jsonMiss(only);
  return miss === undefined;
}

/** What to change: the input, or the check of the site file. */
const toFix = ({ from }: Check, input: SafeText): SafeText =>
  from === 'inputs' ? input : safe`the check`;

function headerOf({ headers }: PageAnswer, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** What a response is, and where it is from if a redirect was followed. */
function describeAnswer({ status, end }: PageAnswer, clean: Sanitize): SafeText {
  if (end === undefined) return safe`returned ${status}`;
  const address = shorten(clean(withoutTokens(end.address)), longestActual);
  const redirects = end.redirects === 1 ? safe`a redirect` : safe`${end.redirects} redirects`;
  return safe`returned ${status} at ${address} after ${redirects}`;
}

/** What separates a response from what it has. */
const comma = ({ end }: PageAnswer): SafeText => (end === undefined ? safe`` : safe`,`);

/** The most characters of a site's text that are shown. */
const longestActual = 80;

/** Text of a page, quoted and shortened. */
const quote = (text: string, clean: Sanitize): SafeText =>
  safe`"${shorten(clean(text), longestActual)}"`;

/**
 * An address without what may be a token: parameters of its path, its query, its fragment, and a user name and password.
 */
const withoutTokens = (address: string): string =>
  address
    .replace(/([?#;]).+$/s, '$1…')
    .replace(/^(?:([a-z][a-z\d+.-]*:)[\\/]*|[\\/]{2,})[^\\/?#]*@/i, '$1//…@');

/** Where a page redirects to: whole if the check has a query, which must differ visibly. */
const shownLocation = (target: string, expected = ''): string =>
  /[?#;]/.test(expected) ? target : withoutTokens(target);

/**
 * The value at a path of own keys and indices, such as `build.commit` or `items.0.name`; a key may itself contain a dot.
 *
 * @returns undefined if there is none
 */
function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return Reflect.get(value, path);
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const key = path.slice(0, dot);
  return Object.hasOwn(value, key)
    ? valueAt(Reflect.get(value, key), path.slice(dot + 1))
    : undefined;
}

/** A JSON value as text: a string as it is, anything else as JSON. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
