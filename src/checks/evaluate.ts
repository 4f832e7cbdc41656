import { parseJson } from '../kernel/json.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, type Sanitize, safe, shorten } from '../kernel/text/safe.ts';
import { type Check, wantsRedirect } from './intent.ts';

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
  /** How long it took; undefined without a response. */
  milliseconds?: number;
  /** True if only its time is too long, so that another try may pass. */
  isOnlySlow?: true;
  /** Whether it showed the commit, even if something else failed; absent if the check names none. */
  showsCommit?: boolean;
}

/**
 * Decides whether a response, or a network error, passes.
 *
 * @param now milliseconds since the epoch
 */
export function judge(
  check: Check,
  answer: PageAnswer | { failure: string },
  clean: Sanitize,
  now: number,
): TryResult {
  const result = judgeAnswer(check, answer, clean, now);
  const { commit } = check;
  if (commit === undefined) return result;
  const shows = !('failure' in answer) && showsCommit({ answer, check, clean, now }, commit);
  return { ...result, showsCommit: shows };
}

function judgeAnswer(
  check: Check,
  answer: PageAnswer | { failure: string },
  clean: Sanitize,
  now: number,
): TryResult {
  if ('failure' in answer) {
    const url = own(check, safe`verify-url`);
    const advice = safe`Check the DNS record and the certificate of the host in ${url}.`;
    const text = clean(answer.failure);
    return { isGood: false, isAbsent: false, text, explains: text, advice };
  }
  const { milliseconds } = answer;
  const miss = missIn({ answer, check, clean, now });
  if (miss !== undefined) return { isGood: false, milliseconds, ...miss };
  const { maxMs = Number.POSITIVE_INFINITY } = check;
  const returned = describeAnswer(answer, clean);
  if (milliseconds > maxMs) {
    const text = safe`${returned}, but took ${formatDuration(milliseconds)}`;
    return {
      isGood: false,
      isAbsent: false,
      isOnlySlow: true,
      milliseconds,
      text,
      explains: safe`${text}, expected at most ${formatDuration(maxMs)}`,
      advice: safe`Make the page faster, or raise max-ms.`,
    };
  }
  const withText = (check.contains ?? '') !== '' && check.from === 'inputs';
  const content = withText ? safe`${comma(answer)} with the text of verify-contains` : safe``;
  const all = [safe`${returned}${content}`];
  if (wantsRedirect(check)) {
    all.push(quote(shownLocation(headerOf(answer, 'location') ?? '', check.location), clean));
  }
  const text = joinSafe(all, ' to ');
  const found = wantsRedirect(check) || !check.contains;
  return {
    isGood: true,
    isAbsent: false,
    advice: safe``,
    milliseconds,
    text,
    explains: found ? text : safe`${returned}, with ${quote(check.contains ?? '', clean)}`,
  };
}

/** The response of a site, as far as it was read. */
export interface PageAnswer {
  status: number;
  /** Where redirects ended, without its origin if that is the requested one; absent if none was followed. */
  end?: { address: string; redirects: number } | undefined;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  text: string;
  /** True if there was more of it. */
  truncated: boolean;
  /** Why its body can't be decoded, and is not in the text; absent if it could be. */
  undecodable?: string;
  /** How long it took, to the end of what was read. */
  milliseconds: number;
  /** When the certificate of its connection expires, in milliseconds since the epoch; undefined without one. */
  certificateEnds?: number | undefined;
}

/** The most characters of a site's text that are shown. */
const longestActual = 80;

const day = 24 * 3_600_000;

/** The first expectation that a response does not meet. */
interface Miss {
  text: SafeText;
  explains: SafeText;
  advice: SafeText;
  /** True if it will not pass by itself. */
  isAbsent: boolean;
}

/** The statuses that pass if a check names none. */
const standardStatus = ({ location }: Check): SafeText =>
  location === undefined ? safe`2xx` : safe`3xx`;

function isExpected(status: number, check: Check): boolean {
  if (check.status !== undefined) return status === check.status;
  const [from, to] = check.location === undefined ? [200, 299] : [300, 399];
  return status >= from && status <= to;
}

function headerOf({ headers }: PageAnswer, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

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

/** What a response is, and where it is from if a redirect was followed. */
function describeAnswer({ status, end }: PageAnswer, clean: Sanitize): SafeText {
  if (end === undefined) return safe`returned ${status}`;
  const address = shorten(clean(withoutTokens(end.address)), longestActual);
  const redirects = end.redirects === 1 ? safe`a redirect` : safe`${end.redirects} redirects`;
  return safe`returned ${status} at ${address} after ${redirects}`;
}

/** What separates a response from what it has. */
const comma = ({ end }: PageAnswer): SafeText => (end === undefined ? safe`` : safe`,`);

function statusMiss({ answer, check, clean }: Judging): Miss | undefined {
  const { status } = answer;
  if (isExpected(status, check)) return undefined;
  const target = headerOf(answer, 'location');
  const isRedirect = status >= 300 && status <= 399 && target !== undefined;
  const to = isRedirect ? safe`, a redirect to ${quote(withoutTokens(target), clean)}` : safe``;
  const isElsewhere = check.status === undefined ? false : status >= 200 && status <= 399;
  const text = safe`${describeAnswer(answer, clean)}${to}`;
  const expected = check.status === undefined ? standardStatus(check) : safe`${check.status}`;
  return {
    text,
    explains: safe`${text}, expected ${expected}`,
    advice: isRedirect ? adviceOnRedirect(target, check) : adviceOn(status, check),
    isAbsent: status === 404 || status === 410 || isElsewhere,
  };
}

/** True if two locations are the same once they are resolved against the page. */
function isSameUrl(one: string, other: string, from: URL): boolean {
  const parsed = URL.parse(one, from.href);
  return one === other || (parsed !== null && parsed.href === URL.parse(other, from.href)?.href);
}

interface Judging {
  answer: PageAnswer;
  check: Check;
  clean: Sanitize;
  /** Milliseconds since the epoch. */
  now: number;
}

const fix = safe`Fix the site, or the check.`;

/** How a miss differs from the usual one. */
interface MissOptions extends Partial<Omit<Miss, 'text'>> {
  /** The expectation; absent if the miss shows it. */
  expected?: SafeText;
}

function missOf(
  { answer, clean }: Judging,
  what: SafeText,
  { expected, ...options }: MissOptions = {},
): Miss {
  const text = safe`${describeAnswer(answer, clean)}${comma(answer)} ${what}`;
  const explains = expected === undefined ? text : safe`${text}, expected ${expected}`;
  return { text, explains, advice: fix, isAbsent: true, ...options };
}

function locationMiss(judging: Judging): Miss | undefined {
  const { answer, check, clean } = judging;
  const { location, url } = check;
  if (location === undefined) return undefined;
  const target = headerOf(answer, 'location');
  const expected = quote(location, clean);
  if (target === undefined) return missOf(judging, safe`without a location`, { expected });
  if (isSameUrl(target, location, url)) return undefined;
  const shown = quote(shownLocation(target, location), clean);
  return missOf(judging, safe`with the location ${shown}`, { expected });
}

function headerMiss(judging: Judging): Miss | undefined {
  const { answer, check, clean } = judging;
  for (const [name, value] of check.header ?? []) {
    const actual = headerOf(answer, name);
    if (actual?.trim() === value) continue;
    const shown = shorten(clean(name), longestActual);
    const expected = quote(value, clean);
    if (actual === undefined)
      return missOf(judging, safe`without the header ${shown}`, { expected });
    const found = quote(name === 'location' ? shownLocation(actual, value) : actual, clean);
    return missOf(judging, safe`with the header ${shown}: ${found}`, { expected });
  }
  return undefined;
}

function certificateMiss(judging: Judging): Miss | undefined {
  const { answer, check, now } = judging;
  if (check.certificateDays === undefined) return undefined;
  if (answer.certificateEnds === undefined) {
    return missOf(judging, safe`without a certificate that could be read`, { isAbsent: false });
  }
  const days = Math.floor((answer.certificateEnds - now) / day);
  if (days >= check.certificateDays) return undefined;
  const left = days === 1 ? safe`1 day` : safe`${days} days`;
  return missOf(judging, safe`with a certificate that expires in ${left}`, {
    expected: safe`at least ${check.certificateDays}`,
    advice: safe`Renew the certificate.`,
    isAbsent: false,
  });
}

/** The rest of a text that was not read may contain anything. */
const tooLong = (judging: Judging): Miss =>
  missOf(judging, safe`with more than 5 MiB`, {
    advice: safe`Only the first 5 MiB are read: check a shorter page.`,
    isAbsent: false,
  });

/** A body that can't be decoded may contain anything. */
function unreadable(judging: Judging): Miss | undefined {
  const { answer, clean } = judging;
  if (answer.undecodable === undefined) return undefined;
  const text = safe`${describeAnswer(answer, clean)}, but ${clean(answer.undecodable)}`;
  const advice = safe`Send the page without compression, or in gzip, br, zstd or deflate.`;
  return { text, explains: text, advice, isAbsent: false };
}

function textMiss(judging: Judging): Miss | undefined {
  const { answer, check, clean } = judging;
  const { contains = '', lacks } = check;
  const { text, truncated } = answer;
  if (contains === '' && lacks === undefined) return undefined;
  const hidden = unreadable(judging);
  if (hidden !== undefined) return hidden;
  if (!text.includes(contains)) {
    const part = truncated ? safe` in its first 5 MiB` : safe``;
    const input = check.from === 'inputs' ? safe`verify-contains` : safe`contains`;
    return missOf(judging, safe`without the text of ${input}${part}`, {
      explains: safe`${describeAnswer(answer, clean)}, but the page does not contain ${quote(contains, clean)}${part}`,
      advice: safe`Fix the page, or change ${own(check, safe`verify-contains`)}.`,
      isAbsent: !truncated,
    });
  }
  if (lacks === undefined) return undefined;
  if (text.includes(lacks)) {
    // The text may be that of a temporary error.
    return missOf(judging, safe`with the text of lacks`, {
      explains: safe`${describeAnswer(answer, clean)}, but the page contains ${quote(lacks, clean)}`,
      advice: safe`Remove the text from the page, or change lacks.`,
      isAbsent: false,
    });
  }
  return truncated ? tooLong(judging) : undefined;
}

function jsonMiss(judging: Judging): Miss | undefined {
  const { answer, check, clean } = judging;
  if (check.json === undefined) return undefined;
  const hidden = unreadable(judging);
  if (hidden !== undefined) return hidden;
  if (answer.truncated) return tooLong(judging);
  const body = parseJson(answer.text);
  if (body === undefined) return missOf(judging, safe`without JSON`);
  for (const [path, value] of check.json) {
    const actual = valueAt(body, path);
    if (actual === value) continue;
    const name = shorten(clean(path), longestActual);
    const expected = quote(showValue(value), clean);
    return actual === undefined
      ? missOf(judging, safe`without ${name}`, { expected })
      : missOf(judging, safe`with ${name} = ${quote(showValue(actual), clean)}`, { expected });
  }
  return undefined;
}

/** The first expectation that is not met; undefined if all are. */
function missIn(judging: Judging): Miss | undefined {
  return (
    statusMiss(judging) ??
    locationMiss(judging) ??
    headerMiss(judging) ??
    certificateMiss(judging) ??
    textMiss(judging) ??
    jsonMiss(judging)
  );
}

/** True if a response shows the commit wherever a check names it, even if something else fails. */
export function showsCommit(judging: Judging, commit: string): boolean {
  const { check } = judging;
  const names = (text: unknown): text is string =>
    typeof text === 'string' && text.includes(commit);
  const { contains, location } = check;
  const { contains: _, lacks: _lacks, location: _location, ...rest } = check;
  const naming: Check = {
    ...rest,
    ...(names(contains) && { contains }),
    ...(names(location) && { location }),
    header: (check.header ?? []).filter(([, value]) => names(value)),
    json: (check.json ?? []).filter(([, value]) => names(value)),
  };
  const only = { ...judging, check: naming };
  const miss = locationMiss(only) ?? headerMiss(only) ?? textMiss(only);
  return (miss ?? (naming.json?.length === 0 ? undefined : jsonMiss(only))) === undefined;
}

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
const showValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** What to change: the input, or the check of the site file. */
export const own = ({ from }: Check, input: SafeText): SafeText =>
  from === 'inputs' ? input : safe`the check`;

/** What to do about an unexpected redirect. */
function adviceOnRedirect(target: string, check: Check): SafeText {
  const url = own(check, safe`verify-url`);
  if (wantsRedirect(check)) return safe`Fix ${url}, or the page.`;
  return URL.parse(target, check.url.href)?.origin === check.url.origin
    ? safe`The host keeps redirecting to itself: fix the redirect.`
    : safe`Redirects to another host or from https to http are not followed: use that address in ${url}.`;
}

/** What to do about an unexpected status. */
function adviceOn(status: number, check: Check): SafeText {
  const url = own(check, safe`verify-url`);
  if (status === 404 || status === 410) {
    return safe`Add the page, or correct the address in ${url}.`;
  }
  if (status === 401 || status === 403) {
    return safe`The page is requested without credentials: use a public page in ${url}.`;
  }
  if (status >= 500) return safe`Check the project's logs.`;
  return safe`Fix ${url}, or the page.`;
}
