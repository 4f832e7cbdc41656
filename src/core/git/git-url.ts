import { uuidPattern } from '../../contract/limits.ts';
import { fillTemplate } from '../template.ts';
import { type RemoteAddress, readRemoteAddress } from './remote-address.ts';

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

/**
 * What tells repositories apart: the host and the path, but not who asks, nor how. Too much that is held to be the
 * same is refused, too little is pushed over.
 */
function placeOf(url: string): string | undefined {
  const read = URL.parse(url);
  if (read === null) return undefined;
  const path = decoded(read.pathname).toLowerCase().replace(/\/+/g, '/');
  const port = read.protocol === 'ssh:' ? '' : read.port;
  return `${read.hostname.toLowerCase()}:${port}${path.replace(/\/?(?:\.git)?\/?$/, '')}`;
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

/**
 * Reads `git-url`: one URL for all projects, in which `{projectId}` is filled in, or lines `PROJECT_ID=URL`.
 *
 * @param projects those that may be deployed to, in lower case
 * @param leased those that pull requests lease: each needs a repository of its own
 * @returns the repository of each of them, or in words what is wrong; the words quote no URL, for it may hold a
 * password
 */
export function readGitUrl(
  text: string,
  projects: readonly string[],
  leased: readonly string[],
): ProjectRepositories | { problem: string } {
  const urls = urlsOf(text, projects);
  if ('problem' in urls) return urls;
  const problem = leaseProblem(text, leased);
  if (problem !== undefined) return { problem };
  const repositories = new Map<string, RemoteAddress>();
  for (const project of projects) {
    const url = urls.get(project);
    if (url === undefined) return { problem: `has no line for the project ${project}` };
    if (/\{[\w-]*\}/.test(url)) return { problem: 'has another placeholder than {projectId}' };
    const address = readRemoteAddress(url);
    if ('problem' in address) {
      return { problem: `${address.problem} (for the project ${project})` };
    }
    repositories.set(project, address);
  }
  return repositories;
}

/**
 * What must not be shown of `git-url`, right or wrong: each URL that holds credentials as a whole, and the
 * credentials alone. The user name of an ssh URL is none.
 *
 * @param projects those that may be filled in
 */
export function secretsInGitUrl(text: string, projects: readonly string[]): string[] {
  return linesOf(text).flatMap((line) => {
    const url = projectLine.exec(line)?.[2] ?? line;
    const read = URL.parse(url);
    if (read !== null && read.username === '' && read.password === '') return [];
    const [, scheme = '', user = '', password = ''] =
      /^([a-z+]*):?\/\/([^/?#:]*)(?::(.*))?@[^@]*$/i.exec(url) ?? [];
    const isOnlyUser = password === '' && /ssh$/i.test(scheme);
    const parts = [user, password].filter((part) => part !== '');
    if (isOnlyUser || parts.length === 0) return [];
    const filled = projects.map((projectId) => fillTemplate(url, { projectId }));
    return [...new Set([url, ...filled, ...parts, ...parts.map(decoded)])];
  });
}
