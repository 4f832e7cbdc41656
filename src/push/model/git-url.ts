import { isLoopback } from '../../contract/base-url.ts';
import { uuidPattern } from '../../contract/limits.ts';
import { fillTemplate } from '../../kernel/template.ts';

/** The repositories of some projects, by the project's id in lower case. */
export type ProjectRepositories = ReadonlyMap<string, RemoteAddress>;

const projectLine = /^([^\s=:/]+)\s*=\s*(.*)$/;

const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

const shape =
  'must be one URL, in which {projectId} is filled in, or lines of the form PROJECT_ID=URL';

/** The address for each project as lines have it, or what is wrong with one of them. */
function readLines(lines: readonly string[]): Map<string, string> | { problem: string } {
  const urls = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const [, id = '', url = ''] = projectLine.exec(line) ?? [];
    const project = id.toLowerCase();
    if (!uuidPattern.test(id)) return { problem: `line ${index + 1}: ${shape}` };
    if (urls.has(project)) return { problem: `has two lines for the project ${project}` };
    urls.set(project, url);
  }
  return urls;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The one URL that is to serve all projects; undefined if there are lines for projects. */
function patternOf(lines: readonly string[]): string | undefined {
  const [first = ''] = lines;
  return lines.length === 1 && !projectLine.test(first) ? first : undefined;
}

/** The URL of each project, as far as one is given, or what is wrong with the whole. */
function urlsOf(
  text: string,
  projects: readonly string[],
): ReadonlyMap<string, string> | { problem: string } {
  const lines = linesOf(text);
  const pattern = patternOf(lines);
  if (pattern === undefined) return readLines(lines);
  return new Map(projects.map((projectId) => [projectId, fillTemplate(pattern, { projectId })]));
}

/** Hosts that serve what another one serves: its ssh on the port of https, and a redirect. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['ssh.github.com', 'github.com'],
  ['www.github.com', 'github.com'],
]);

/** A host as it is looked up in DNS, whatever is written: git decodes that of an ssh URL, which its parser leaves. */
function hostOf({ hostname }: URL): string {
  const given = decoded(hostname);
  const host = URL.parse(`https://${given}/`)?.hostname ?? given.toLowerCase();
  const name = host.replace(/\.+$/, '');
  return aliases.get(name) ?? name;
}

/**
 * What tells repositories apart: the host and the path, but not who asks, nor how or at which port. Too much that is
 * held to be the same is refused, too little is pushed over.
 */
function placeOf(url: string): string | undefined {
  const read = URL.parse(url);
  if (read === null) return undefined;
  const path = decoded(read.pathname).toLowerCase().replace(/\/+/g, '/');
  return `${hostOf(read)}${path.replace(/\/?(?:\.git)?\/?$/, '')}`;
}

/** True if both URLs lead to one repository. */
export function isSameRepository(one: string, other: string): boolean {
  const place = placeOf(one);
  return place !== undefined && place === placeOf(other);
}

/** An id that no project has: it stands for each project that is not named. */
const anyOther = '00000000-0000-4000-8000-000000000000';

const forcing =
  "a pull request's commit is pushed to the project that it leases, by force, and a repository that serves another project too would lose that one's commits";

/**
 * What is wrong with the URLs where pull requests lease projects: a push may be forced there, so that none of these
 * projects may have the repository of another one. It is so whatever the event of this run.
 */
function leaseProblem(text: string, leased: readonly string[]): string | undefined {
  if (leased.length === 0) return undefined;
  const urls = urlsOf(text, [...leased, anyOther]);
  if ('problem' in urls) return urls.problem;
  const owners = new Map<string, string>();
  for (const [project, url] of urls) {
    const place = placeOf(url);
    const owner = place === undefined ? undefined : owners.get(place);
    if (owner !== undefined && (leased.includes(owner) || leased.includes(project))) {
      return patternOf(linesOf(text)) === undefined
        ? `has the same repository for ${owner} and ${project}: give each project its own, for ${forcing}`
        : `needs {projectId} in its host or path, or lines PROJECT_ID=URL, one for each project: with preview-projects, ${forcing}`;
    }
    if (place !== undefined) owners.set(place, project);
  }
  return undefined;
}

/** The repository at a URL of `git-url`, or what is wrong with it. */
function repositoryAt(url: string): RemoteAddress | { problem: string } {
  return /\{[\w-]*\}/.test(url)
    ? {
        problem:
          'has another placeholder than {projectId}, which one URL for all projects may have',
      }
    : readRemoteAddress(url);
}

/**
 * Reads `git-url`: one URL for all projects, in which `{projectId}` is filled in, or lines `PROJECT_ID=URL`. Every line
 * is judged, whatever its project is.
 *
 * @param projects those that may be deployed to, in lower case
 * @param leased those that pull requests lease: each needs a repository of its own
 * @returns the repository of each of them, and of each project that has a line; or in words what is wrong. The words
 * quote no URL, for it may hold a password
 */
export function readGitUrl(
  text: string,
  projects: readonly string[],
  leased: readonly string[],
): ProjectRepositories | { problem: string } {
  const urls = urlsOf(text, projects.length === 0 ? [anyOther] : projects);
  if ('problem' in urls) return urls;
  const problem = leaseProblem(text, leased);
  if (problem !== undefined) return { problem };
  const missing = projects.find((project) => !urls.has(project));
  if (missing !== undefined) return { problem: `has no line for the project ${missing}` };
  const repositories = new Map<string, RemoteAddress>();
  for (const [project, url] of urls) {
    const address = repositoryAt(url);
    if ('problem' in address) {
      const where = project === anyOther ? '' : ` (for the project ${project})`;
      return { problem: `${address.problem}${where}` };
    }
    repositories.set(project, address);
  }
  return repositories;
}

/** A user and a password, as they are written or as a parser gives them. */
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

/** What stands for the password where the user name is the credential. */
const noPassword = 'x-oauth-basic';

/** A user name of so many characters may be a credential itself, whatever stands beside it. */
const longUser = 16;

/** What of a user and a password is the credential: a plain user name beside a password is none. */
function credentialParts({ user, password }: Credentials): string[] {
  if (password === '' || decoded(password).toLowerCase() === noPassword) return [user];
  return decoded(user).length >= longUser ? [user, password] : [password];
}

/** What stands in a URL before the last `@` of its authority: a back slash ends that too where the scheme is the web's. */
const writtenInWeb = /^[a-z][a-z\d+.-]*:[/\\]*([^/?#\\]*)@/i;
const writtenElsewhere = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)@/i;
const isWeb = /^(?:https?|wss?|ftp):/i;

/** What stands before the last `@` of all, in what no parser takes for the URL of a host. */
const beforeLastAt = /^(?:[a-z][a-z\d+.-]*:[/\\]+)?(.*)@/is;

/** The user name of ssh is no credential, with or without a scheme. */
const isOfSsh = (url: string): boolean =>
  !/^[a-z][a-z\d+.-]*:/i.test(url) || /^[a-z+.-]*ssh:/i.test(url);

/** The credentials in a URL: as the parser takes them, and as they are written; or what may be some, if it takes none. */
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

/** What may be a URL in a line: what comes after a project, or the line, but of a comment; and all from a scheme on. */
function urlsIn(line: string): string[] {
  const given = line.startsWith('#') ? [] : [projectLine.exec(line)?.[2] ?? line];
  const schemes = line.matchAll(/https?:|[a-z][a-z\d+.-]{0,20}:(?=[/\\])/gi);
  return [...given, ...Array.from(schemes, ({ index }) => line.slice(index))];
}

/**
 * What must not be shown of `git-url`, right or wrong, comments too: each URL that holds credentials as a whole, and
 * the credentials alone, as they are written, as the parser takes them, and decoded. A project's id is none.
 *
 * @param projects those that may be filled in
 */
export function secretsInGitUrl(text: string, projects: readonly string[]): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const named = lines.map((line) => projectLine.exec(line)?.[1] ?? '');
  const shown = new Set([...projects, ...named, '{projectId}', ''].map((id) => id.toLowerCase()));
  const secrets = lines.flatMap(urlsIn).flatMap((url) => {
    const filled = [url, ...projects.map((projectId) => fillTemplate(url, { projectId }))];
    const parts = filled
      .flatMap(credentialsIn)
      .flatMap(credentialParts)
      .filter((part) => !shown.has(decoded(part).toLowerCase()));
    return parts.length === 0 ? [] : [...filled, ...parts, ...parts.map(decoded)];
  });
  return [...new Set(secrets)];
}

/** Where a repository is, without credentials, and the credentials that were written into its address. */
export interface RemoteAddress {
  readonly protocol: 'https' | 'http' | 'ssh';
  /** Without credentials; of `ssh`, with the user. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

const advice = 'use https://host/path, ssh://user@host/path, or http on this machine itself';

function decodedOrNull(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** What is wrong with an address that can be read, or null. */
function problemOf(url: URL): string | null {
  const isKnown = ['https:', 'ssh:', 'http:'].includes(url.protocol);
  // Without slashes it may be no protocol but a user, or a token.
  if (!isKnown && !url.href.includes('://')) return `names no protocol: ${advice}`;
  if (!isKnown) return `has the protocol \`${url.protocol}\`: ${advice}`;
  if (url.protocol === 'http:' && !isLoopback(url)) return `is not encrypted: ${advice}`;
  // A host that starts with a dash would be an option of ssh.
  if (!/^[^-]/.test(url.hostname)) return `names no host: ${advice}`;
  // The parser's own `search` and `hash` are empty for a lone mark.
  if (/[?#]/.test(url.href)) return 'has a query or a fragment, which no repository has';
  if (url.pathname.length < 2) return 'names no repository: its path is empty';
  if (url.protocol === 'ssh:' && url.password !== '')
    return 'holds a password, which ssh does not take: give ssh a key';
  return null;
}

/**
 * Reads the address of a repository, and takes credentials out of it.
 *
 * @returns the address, or in words what is wrong with it; the words do not quote it, for it may hold a password
 */
export function readRemoteAddress(text: string): RemoteAddress | { problem: string } {
  // A URL's parser would drop these in silence.
  const hasSpace = /[\s\p{Cc}]/u.test(text);
  const url = hasSpace ? null : URL.parse(text);
  if (url === null) return { problem: `is not a URL: ${advice}` };
  const problem = problemOf(url);
  if (problem !== null) return { problem };
  const [username, password] = [decodedOrNull(url.username), decodedOrNull(url.password)];
  if (username === null || password === null)
    return { problem: 'holds a malformed user or password' };
  const protocol = url.protocol.slice(0, -1) as RemoteAddress['protocol'];
  if (protocol !== 'ssh') {
    url.username = '';
    url.password = '';
  }
  return { protocol, url: url.href, username, password };
}
