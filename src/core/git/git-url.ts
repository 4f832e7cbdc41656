import { uuid } from '../../contract/wire.ts';
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
    if (!uuid.safeParse(id).success) return { problem: `line ${index + 1}: ${shape}` };
    if (urls.has(project)) return { problem: `has two lines for the project ${project}` };
    urls.set(project, url);
  }
  return urls;
}

/** The URL of each project, as far as one is given, or what is wrong with the whole. */
function urlsOf(
  text: string,
  projects: readonly string[],
): ReadonlyMap<string, string> | { problem: string } {
  const lines = linesOf(text);
  const [first = ''] = lines;
  if (lines.length !== 1 || projectLine.test(first)) return readLines(lines);
  if (projects.length > 1 && !first.includes('{projectId}')) {
    return { problem: 'needs {projectId}: each of preview-projects has a repository of its own' };
  }
  return new Map(projects.map((projectId) => [projectId, fillTemplate(first, { projectId })]));
}

/**
 * Reads `git-url`: one URL for all projects, in which `{projectId}` is filled in, or lines `PROJECT_ID=URL`.
 *
 * @param projects those that may be deployed to, in lower case: each needs a repository of its own
 * @returns the repository of each of them, or in words what is wrong; the words quote no URL, for it may hold a
 * password
 */
export function readGitUrl(
  text: string,
  projects: readonly string[],
): ProjectRepositories | { problem: string } {
  const urls = urlsOf(text, projects);
  if ('problem' in urls) return urls;
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
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
