import { type RunCommit, shaOf } from '../../../contract/commit.ts';
import { isHostname, limits } from '../../../contract/limits.ts';
import type { Hostname } from '../../../contract/safe-text.ts';
import { cryptography } from '../../../kernel/cryptography.ts';

/** The values of the placeholders in a hostname template. */
export interface HostnameValues {
  /** The pull request's number; absent outside pull requests. */
  number?: number | undefined;
  branch: string;
  commit: RunCommit;
  owner: string;
  repo: string;
}

const longestLabel = 63;
const hashLength = 6;
const placeholder = /\{(number|branch|sha|owner|repo)\}/g;

const hash = (text: string): string =>
  cryptography().createHash('sha256').update(text).digest('hex').slice(0, hashLength);

/** Lower case, with other characters replaced by single `-`, and no `-` at either end. */
const simplify = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A shortened name with a hash of `whole`, at most `max` characters. */
function cut(name: string, whole: string, max: number): string {
  const space = Math.max(0, max - hashLength - 1);
  const kept = name.slice(0, space).replace(/-$/, '');
  return kept === '' ? hash(whole) : `${kept}-${hash(whole)}`;
}

const hashed = /-[0-9a-f]{6}$/;

/**
 * A value as a part of a label. A value that was changed gets a hash, and so does one that already ends like a hash, so
 * that two values never give the same name.
 */
function part(value: string, ignoresCase: boolean): string {
  const simple = simplify(value);
  const isSame = simple === (ignoresCase ? value.toLowerCase() : value);
  return isSame && !hashed.test(simple) ? simple : cut(simple, value, longestLabel);
}

/** True if only a run about a pull request can fill the template in. */
export function needsPullRequest(template: string): boolean {
  return template.includes('{number}');
}

/** True if the number in a hostname can be separated from the characters around it. */
export function isDelimited(template: string): boolean {
  return !/[^.-]\{number\}|\{number\}[^.-]/.test(template);
}

/** The minimum length of a shortened branch: a letter, a dash and the hash. */
const shortestBranch = hashLength + 2;

/** Fills in one label. Only the branch is shortened, so that the rest stays recognizable. */
function fillLabel(
  label: string,
  parts: Readonly<Record<string, string>>,
  branch: string,
  max: number,
): string {
  const without = label.replace(placeholder, (whole, name: string) =>
    name === 'branch' ? whole : (parts[name] ?? ''),
  );
  const branches = without.split('{branch}').length - 1;
  const space = Math.floor(
    (max - without.replaceAll('{branch}', '').length) / Math.max(1, branches),
  );
  const value = parts['branch'] ?? '';
  const fitting =
    value.length <= space ? value : cut(value, branch, Math.max(space, shortestBranch));
  return without.replaceAll('{branch}', fitting);
}

/**
 * Fills in a hostname template (section "Connected domains"). The same values always give the same hostname, and different
 * branches different ones.
 *
 * @returns undefined if the result is not a valid hostname
 */
export function previewHostname(template: string, values: HostnameValues): Hostname | undefined {
  const parts: Readonly<Record<string, string>> = {
    number: values.number === undefined ? '' : String(values.number),
    branch: part(values.branch, false),
    sha: shaOf(values.commit) ?? '',
    owner: part(values.owner, true),
    repo: part(values.repo, true),
  };
  const labels = template.toLowerCase().split('.');
  const fill = (max: number) =>
    labels.map((label) => fillLabel(label, parts, values.branch, max)).join('.');
  const whole = fill(longestLabel);
  const excess = Math.max(0, whole.length - limits.hostname.max);
  const hostname = excess === 0 ? whole : fill(longestLabel - excess);
  const isProper = hostname
    .split('.')
    .every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return isProper && isHostname(hostname) ? hostname : undefined;
}

/** Recognizes the hostnames of a template. */
export interface HostnameMatcher {
  matches(hostname: string): boolean;
  /** The pull request's number in a hostname; undefined if the template has no `{number}`. */
  numberOf(hostname: string): number | undefined;
}

/** Recognizes the hostnames that a template makes for any pull request of a repository. */
export function hostnameMatcher(
  template: string,
  { owner, repo }: Pick<HostnameValues, 'owner' | 'repo'>,
): HostnameMatcher {
  const patterns: Readonly<Record<string, string>> = {
    number: '(?<number>[1-9][0-9]*)',
    branch: '[a-z0-9-]+',
    sha: '[0-9a-f]{40}',
    owner: RegExp.escape(part(owner, true)),
    repo: RegExp.escape(part(repo, true)),
  };
  const source = template
    .toLowerCase()
    .split(placeholder)
    .map((piece, index) => (index % 2 === 0 ? RegExp.escape(piece) : (patterns[piece] ?? '')));
  const named = template.split('{number}').length > 2 ? source.map(onceNamed()) : source;
  const pattern = new RegExp(`^${named.join('')}$`);
  // A longer text is not a hostname, and with two branches in a label the pattern would try every way to split it.
  const find = (hostname: string) =>
    hostname.length > limits.hostname.max ? null : pattern.exec(hostname);
  return {
    matches: (hostname) => find(hostname) !== null,
    numberOf: (hostname) => {
      const number = find(hostname)?.groups?.['number'];
      return number === undefined ? undefined : Number(number);
    },
  };
}

/** A group name must be unique in a pattern: later placeholders refer back to the first. */
function onceNamed(): (piece: string) => string {
  let current = false;
  return (piece) => {
    if (!piece.startsWith('(?<number>')) return piece;
    if (current) return '\\k<number>';
    current = true;
    return piece;
  };
}
