import { parseJson } from '../../kernel/json.ts';
import {
  forFreeText,
  type SafeText,
  type Sanitize,
  safe,
  shorten,
} from '../../kernel/text/safe.ts';
import { adviceOn, adviceOnRedirect, own } from './advice.ts';
import type { Check } from './check.ts';
import { showValue, valueAt } from './json-path.ts';

/** What a site answered, as far as it was read. */
export interface Answer {
  status: number;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  text: string;
  /** True if there was more of it. */
  truncated: boolean;
  /** How long it took, to the end of what was read. */
  milliseconds: number;
  /** When the certificate of its connection ends, in milliseconds since the epoch; undefined without one. */
  certificateEnds?: number | undefined;
}

/** Makes what a site said printable and free of secrets. */
export type Clean = Sanitize;

/** The most characters of what a site said that are shown. */
const longestSeen = 80;

const day = 24 * 3_600_000;

/** What is not as wanted, in words. */
export interface Miss {
  says: SafeText;
  advice: SafeText;
  /** True if time alone does not mend it. */
  isAbsent: boolean;
}

/** True if a status is the one that is wanted. */
function isWanted(status: number, check: Check): boolean {
  if (check.status !== undefined) return status === check.status;
  const [from, to] = check.location === undefined ? [200, 299] : [300, 399];
  return status >= from && status <= to;
}

export function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** What a page says, quoted and short. */
export const quote = (text: string, clean: Clean): SafeText =>
  safe`"${shorten(forFreeText(clean)(text), longestSeen)}"`;

function statusMiss({ answer, check, clean }: Judging): Miss | undefined {
  const { status } = answer;
  if (isWanted(status, check)) return undefined;
  const target = headerOf(answer, 'location');
  const isRedirect = status >= 300 && status <= 399 && target !== undefined;
  const to = isRedirect ? safe`, a redirect to ${quote(target, clean)}` : safe``;
  const isElsewhere = check.status === undefined ? false : status >= 200 && status <= 399;
  return {
    says: safe`answered ${status}${to}`,
    advice: isRedirect ? adviceOnRedirect(target, check) : adviceOn(status, check),
    isAbsent: status === 404 || status === 410 || isElsewhere,
  };
}

/** Whether a place and the one that is wanted are the same, seen from the page that names them. */
function isSamePlace(one: string, other: string, from: URL): boolean {
  const place = URL.parse(one, from.href);
  return one === other || (place !== null && place.href === URL.parse(other, from.href)?.href);
}

/** What is looked at, and how it is told. */
export interface Judging {
  answer: Answer;
  check: Check;
  clean: Clean;
  /** Milliseconds since the epoch. */
  now: number;
}

const mend = safe`Mend the site, or the check.`;

/** What an answer lacks, or has and must not. */
const missOf = (
  { answer }: Judging,
  what: SafeText,
  advice: SafeText = mend,
  isAbsent = true,
): Miss => ({ says: safe`answered ${answer.status} ${what}`, advice, isAbsent });

function locationMiss(judging: Judging): Miss | undefined {
  const { answer, check, clean } = judging;
  const { location, url } = check;
  if (location === undefined) return undefined;
  const target = headerOf(answer, 'location');
  if (target === undefined) return missOf(judging, safe`without a location`);
  if (isSamePlace(target, location, url)) return undefined;
  return missOf(judging, safe`with the location ${quote(target, clean)}`);
}

function headerMiss(judging: Judging): Miss | undefined {
  const { answer, check, clean } = judging;
  for (const [name, value] of check.header ?? []) {
    const seen = headerOf(answer, name);
    if (seen?.trim() === value) continue;
    const shown = shorten(clean(name), longestSeen);
    return seen === undefined
      ? missOf(judging, safe`without the header ${shown}`)
      : missOf(judging, safe`with the header ${shown}: ${quote(seen, clean)}`);
  }
  return undefined;
}

function certificateMiss(judging: Judging): Miss | undefined {
  const { answer, check, now } = judging;
  if (check.certificateDays === undefined) return undefined;
  if (answer.certificateEnds === undefined) {
    return missOf(judging, safe`without a certificate that could be read`, mend, false);
  }
  const days = Math.floor((answer.certificateEnds - now) / day);
  if (days >= check.certificateDays) return undefined;
  const renew = safe`Renew its certificate, or see why that does not happen by itself.`;
  const left = days === 1 ? safe`1 day` : safe`${days} days`;
  return missOf(judging, safe`with a certificate that ends in ${left}`, renew, false);
}

/** Of a text of which there is more, it cannot be said what it lacks. */
const tooLong = (judging: Judging): Miss =>
  missOf(
    judging,
    safe`with more than 5 MiB`,
    safe`The page is too long to be looked at whole: check a shorter one.`,
    false,
  );

function textMiss(judging: Judging): Miss | undefined {
  const { answer, check } = judging;
  const { contains = '', lacks } = check;
  const { text, truncated } = answer;
  if (!text.includes(contains)) {
    const part = truncated ? safe` in its first 5 MiB` : safe``;
    const input = check.from === 'inputs' ? safe`verify-contains` : safe`contains`;
    const advice = safe`If the page shows it in other words, mend ${own(check, safe`verify-contains`)}.`;
    return missOf(judging, safe`without the text of ${input}${part}`, advice, !truncated);
  }
  if (lacks === undefined) return undefined;
  if (text.includes(lacks)) {
    // What it must not say may be an error, which passes by itself.
    const advice = safe`The page says what it must not.`;
    return missOf(judging, safe`with the text of lacks`, advice, false);
  }
  return truncated ? tooLong(judging) : undefined;
}

function jsonMiss(judging: Judging): Miss | undefined {
  const { answer, check, clean } = judging;
  if (check.json === undefined) return undefined;
  if (answer.truncated) return tooLong(judging);
  const value = parseJson(answer.text);
  if (value === undefined) return missOf(judging, safe`without JSON`);
  for (const [path, wanted] of check.json) {
    const seen = valueAt(value, path);
    if (seen === wanted) continue;
    const name = shorten(clean(path), longestSeen);
    return seen === undefined
      ? missOf(judging, safe`without ${name}`)
      : missOf(judging, safe`with ${name} = ${quote(showValue(seen), clean)}`);
  }
  return undefined;
}

/** The first thing of an answer that is not as wanted; undefined if all is. */
export function missIn(judging: Judging): Miss | undefined {
  return (
    statusMiss(judging) ??
    locationMiss(judging) ??
    headerMiss(judging) ??
    certificateMiss(judging) ??
    textMiss(judging) ??
    jsonMiss(judging)
  );
}

/** True if an answer shows the commit wherever a check names it, whatever else it lacks. */
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
