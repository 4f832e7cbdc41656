import { isLoopback, uuidPattern } from '../../contract/limits.ts';
import { fillTemplate } from '../../kernel/text/format.ts';

/** Repositories by project id in lower case. */
export type ProjectRepositories = ReadonlyMap<string, RemoteAddress>;

const projectLine = /^([^\s=:/]+)\s*=\s*(.*)$/;

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).map((line) => line.trim());

/** A part of a URL without percent-encoding; as it is if that is wrong. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The URLs of projects, and whether they are lines; or what is wrong with the input. */
function readUrls(
  text: string,
  projects: readonly string[],
): { urls: ReadonlyMap<string, string>; areLines: boolean } | { problem: string } {
  const lines = linesOf(text).filter((line) => line !== '' && !line.startsWith('#'));
  const [pattern = ''] = lines;
  const urls = new Map<string, string>();
  if (lines.length === 1 && !projectLine.test(pattern)) {
    for (const projectId of projects) urls.set(projectId, fillTemplate(pattern, { projectId }));
    return { urls, areLines: false };
  }
  for (const [index, line] of lines.entries()) {
    const [, id = '', url = ''] = projectLine.exec(line) ?? [];
    const project = id.toLowerCase();
    if (!uuidPattern.test(id)) {
      const problem = `line ${index + 1}: must be one URL, which may contain {projectId}, or lines of the form PROJECT_ID=URL`;
      return { problem };
    }
    if (urls.has(project)) return { problem: `has two lines for the project ${project}` };
    urls.set(project, url);
  }
  return { urls, areLines: true };
}

/** Hosts with the same repositories as another one: ssh on the https port, and a redirect. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['ssh.github.com', 'github.com'],
  ['www.github.com', 'github.com'],
]);

/**
 * What identifies a repository: host and path, without user, protocol and port. Errs on the side of equality: two equal
 * repositories taken for different ones would overwrite each other.
 */
function repositoryKeyOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  // Git decodes the host of an ssh URL, which the URL parser doesn't; in DNS, a dot at its end does not count.
  const given = decoded(parsed.hostname);
  const host = (URL.parse(`https://${given}/`)?.hostname ?? given.toLowerCase()).replace(
    /\.+$/,
    '',
  );
  const path = decoded(parsed.pathname).toLowerCase().replace(/\/+/g, '/');
  return `${aliases.get(host) ?? host}${path.replace(/\/?(?:\.git)?\/?$/, '')}`;
}

/** True if both URLs are of the same repository. */
export function isSameRepository(one: string, other: string): boolean {
  const repository = repositoryKeyOf(one);
  return repository !== undefined && repository === repositoryKeyOf(other);
}

/** An id that no project has, as a placeholder for all projects that are not listed. */
const anyOther = '00000000-0000-4000-8000-000000000000';

const ownRepositories =
  'with preview-projects, each project needs its own repository, because previews are force-pushed';

/**
 * What is wrong with the URLs if pull requests lease projects: pushes to these are forced, so that none of them may share
 * its repository with another project. This is checked for every event.
 */
function leaseProblem(text: string, leased: readonly string[]): string | undefined {
  if (leased.length === 0) return undefined;
  const read = readUrls(text, [...leased, anyOther]);
  if ('problem' in read) return read.problem;
  const owners = new Map<string, string>();
  for (const [project, url] of read.urls) {
    const repository = repositoryKeyOf(url);
    const owner = repository === undefined ? undefined : owners.get(repository);
    if (owner !== undefined && (leased.includes(owner) || leased.includes(project))) {
      return read.areLines
        ? `has the same repository for ${owner} and ${project}: ${ownRepositories}`
        : `needs {projectId} in its host or path, or lines PROJECT_ID=URL: ${ownRepositories}`;
    }
    if (repository !== undefined) owners.set(repository, project);
  }
  return undefined;
}

/**
 * Reads `git-url`: one URL for all projects, in which `{projectId}` is filled in, or lines `PROJECT_ID=URL`. Every line
 * is checked, even if its project is not used.
 *
 * @param projects the possible targets, in lower case
 * @param leased the projects that pull requests lease: each needs its own repository
 * @returns the repository of each target, and of each project with a line; or what is wrong, without quoting a URL, which
 * may contain a password
 */
export function readGitUrl(
  text: string,
  projects: readonly string[],
  leased: readonly string[],
): ProjectRepositories | { problem: string } {
  const read = readUrls(text, projects.length === 0 ? [anyOther] : projects);
  if ('problem' in read) return read;
  const { urls } = read;
  const problem = leaseProblem(text, leased);
  if (problem !== undefined) return { problem };
  const missing = projects.find((project) => !urls.has(project));
  if (missing !== undefined) return { problem: `has no line for the project ${missing}` };
  const repositories = new Map<string, RemoteAddress>();
  for (const [project, url] of urls) {
    const address = /\{[\w-]*\}/.test(url)
      ? { problem: 'has a placeholder that is not supported here: use {projectId} in one URL' }
      : readRemoteAddress(url);
    if ('problem' in address) {
      const where = project === anyOther ? '' : ` (for the project ${project})`;
      return { problem: `${address.problem}${where}` };
    }
    repositories.set(project, address);
  }
  return repositories;
}

/** A user and a password, as written or as parsed. */
interface Credentials {
  user: string;
  password: string;
}

function splitCredentials(text: string): Credentials {
  const at = text.indexOf(':');
  return at < 0
    ? { user: text, password: '' }
    : { user: text.slice(0, at), password: text.slice(at + 1) };
}

/** The secret parts of a user and a password: a short user name with a password, or with `git-token`, is none. */
function credentialParts({ user, password }: Credentials, hasToken: boolean): string[] {
  // GitHub's placeholder for the password if the user name is the credential.
  if (decoded(password).toLowerCase() === 'x-oauth-basic') return [user];
  // A longer user name may itself be a credential.
  const isCredential = (password === '' && !hasToken) || decoded(user).length >= 16;
  return isCredential ? [user, password] : [password];
}

/** The user information of a URL, up to the last `@` of its authority, which a backslash ends too in a web URL. */
const writtenInWeb = /^[a-z][a-z\d+.-]*:[/\\]*([^/?#\\]*)@/i;
const writtenElsewhere = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)@/i;
const isWeb = /^(?:https?|wss?|ftp):/i;

/** The same in a text that no parser accepts as a URL with a host: up to the last `@` of all. */
const beforeLastAt = /^(?:[a-z][a-z\d+.-]*:[/\\]+)?(.*)@/is;

/** The user name of an ssh URL is not a credential, with or without a scheme. */
const isOfSsh = (url: string): boolean =>
  !/^[a-z][a-z\d+.-]*:/i.test(url) || /^[a-z+.-]*ssh:/i.test(url);

/** The credentials in a URL, as parsed and as written; or what may be credentials, if the parser finds none. */
function credentialsIn(url: string): Credentials[] {
  const read = URL.parse(url);
  const pattern = isWeb.test(url) ? writtenInWeb : writtenElsewhere;
  const [, written = ''] = pattern.exec(url) ?? [];
  const found = [splitCredentials(written)];
  if (read !== null && read.host !== '') {
    found.push({ user: read.username, password: read.password });
  } else found.push(splitCredentials(beforeLastAt.exec(url)?.[1] ?? ''));
  return found.filter(({ password }) => password !== '' || !isOfSsh(url));
}

/** Possible URLs in a line: the part after a project id or the whole line, unless it is a comment; and all text after a scheme. */
function urlsIn(line: string): string[] {
  const given = line.startsWith('#') ? [] : [projectLine.exec(line)?.[2] ?? line];
  const schemes = line.matchAll(/https?:|[a-z][a-z\d+.-]{0,20}:(?=[/\\])/gi);
  return [...given, ...Array.from(schemes, ({ index }) => line.slice(index))];
}

/**
 * The secrets in `git-url`, valid or not, comments included: each URL with credentials as a whole, and the credentials
 * alone, as written, as parsed, and decoded. A project id is not a secret.
 *
 * @param projects the ids that may be filled in
 * @param hasToken true if `git-token` is the password of a URL without one
 */
export function secretsInGitUrl(
  text: string,
  projects: readonly string[],
  hasToken: boolean,
): string[] {
  const lines = linesOf(text);
  const named = lines.map((line) => projectLine.exec(line)?.[1] ?? '');
  const shown = new Set([...projects, ...named, '{projectId}', ''].map((id) => id.toLowerCase()));
  const secrets = lines.flatMap(urlsIn).flatMap((url) => {
    const filled = [url, ...projects.map((projectId) => fillTemplate(url, { projectId }))];
    const parts = filled
      .flatMap(credentialsIn)
      .flatMap((found) => credentialParts(found, hasToken))
      .filter((part) => !shown.has(decoded(part).toLowerCase()));
    return parts.length === 0 ? [] : [...filled, ...parts, ...parts.map(decoded)];
  });
  return [...new Set(secrets)];
}

/**
 * The repository that a request for another one was redirected to; undefined if it is not on the same server, or not a
 * repository.
 *
 * @param url the requested repository, without credentials
 * @param location the `Location` header of the response
 */
export function redirectTarget(url: string, location: string): string | undefined {
  const own = url.replace(/\/$/, '');
  const target = URL.parse(location, `${own}/info/refs`);
  // Of ssh, where a host can print what looks like a response, every origin is "null".
  const isHttp = /^https?:/.test(own);
  if (!isHttp || target === null || target.origin !== URL.parse(own)?.origin) return undefined;
  const service = /(?<=^\/.+)\/(?:info\/refs|git-(?:upload|receive)-pack)$/;
  const path = target.pathname.replace(service, '');
  const address = `${target.origin}${path}`;
  return path === target.pathname || address === own ? undefined : address;
}

/** A repository's URL without credentials, and the credentials that were in it. */
export interface RemoteAddress {
  readonly protocol: 'https' | 'http' | 'ssh';
  /** Without credentials; of `ssh`, with the user. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

const advice = 'use https://host/path, ssh://user@host/path, or http to a loopback address';

/** What is wrong with a parsed URL, or null. */
function problemOf(url: URL): string | null {
  const isKnown = ['https:', 'ssh:', 'http:'].includes(url.protocol);
  // Without slashes it may be a user or a token, so it is not quoted.
  if (!isKnown && !url.href.includes('://')) return `has no protocol: ${advice}`;
  if (!isKnown) return `has the unsupported protocol \`${url.protocol}\`: ${advice}`;
  if (url.protocol === 'http:' && !isLoopback(url)) return `is not encrypted: ${advice}`;
  // Ssh would read a host that starts with a dash as an option.
  if (!/^[^-]/.test(url.hostname)) return `has no host: ${advice}`;
  // The parser's `search` and `hash` are empty for a lone `?` or `#`.
  if (/[?#]/.test(url.href)) return 'has a query or a fragment, which is not supported';
  if (url.pathname.length < 2) return 'has no path to a repository';
  if (url.protocol === 'ssh:' && url.password !== '')
    return 'contains a password, which ssh does not accept: use an ssh key';
  return null;
}

/**
 * Reads a repository's URL, and separates the credentials from it.
 *
 * @returns the address, or what is wrong with it, without quoting it, because it may contain a password
 */
export function readRemoteAddress(text: string): RemoteAddress | { problem: string } {
  // The URL parser would silently remove these.
  const hasSpace = /[\s\p{Cc}]/u.test(text);
  const url = hasSpace ? null : URL.parse(text);
  if (url === null) return { problem: `is not a URL: ${advice}` };
  const problem = problemOf(url);
  if (problem !== null) return { problem };
  let username: string;
  let password: string;
  try {
    username = decodeURIComponent(url.username);
    password = decodeURIComponent(url.password);
  } catch {
    return { problem: 'contains a malformed user or password' };
  }
  const protocol = url.protocol.slice(0, -1) as RemoteAddress['protocol'];
  if (protocol !== 'ssh') {
    url.username = '';
    url.password = '';
  }
  return { protocol, url: url.href, username, password };
}
