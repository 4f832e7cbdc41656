import type { Origin, Settings } from './settings.ts';
import { previewSecret } from './starter.ts';

/** A word of a command line, as a shell reads it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The lines of `git-url` without what is not read. */
const linesOf = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n');

/** The option of `gh` that names the repository; empty if it is not known, or not in its form. */
function repositoryOption({ serverUrl, repository }: Origin): string {
  const { hostname } = URL.parse(serverUrl) ?? { hostname: '' };
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^[\w.-]+$/.test(hostname)) return '';
  return ` --repo ${hostname === 'github.com' ? '' : `${hostname}/`}${repository}`;
}

/** The commands that set what the workflows need. Secrets are in none of them: `gh` reads those from standard input. */
export function setCommands(
  settings: Settings,
  names: readonly string[],
  origin: Origin,
): string[] {
  const { previews } = settings;
  const secrets = ['SITE_API_KEY', 'SITE_GIT_TOKEN', ...names];
  const variables: [name: string, value: string][] = [
    ['SITE_BASE_URL', settings.baseUrl],
    ['SITE_PROJECT_ID', settings.projectId],
    ['SITE_GIT_URL', linesOf(settings.gitUrl)],
  ];
  if (previews !== undefined) {
    secrets.push(...names.map(previewSecret));
    variables.push(
      ['SITE_PREVIEW_PROJECTS', previews.projects.join(',')],
      ['SITE_PREVIEW_DOMAIN', previews.domain],
    );
  }
  const option = repositoryOption(origin);
  return [
    ...secrets.map((name) => `gh secret set ${name}${option}`),
    ...variables.map(([name, value]) => `gh variable set ${name}${option} --body ${quoted(value)}`),
  ];
}

/**
 * The commands that push what was written.
 *
 * @param folder the repository, if it is not the current folder
 */
export function pushCommands(folder: string | undefined, branch: string): string[] {
  const git = folder === undefined ? 'git' : `git -C ${quoted(folder)}`;
  return [
    `${git} add .github`,
    `${git} commit --message 'Deploy with site-deploy'`,
    `${git} push origin ${quoted(branch)}`,
  ];
}
