import { tmpdir } from 'node:os';
import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import { clean } from '../../kernel/text/safe.ts';
import type { StepEnvironment } from '../../platform.ts';
import { listReferences } from '../../push/git/network.ts';
import { Scratch } from '../../push/git/scratch.ts';
import { type RemoteAddress, readGitUrl } from '../../push/model/git-url.ts';
import { systemClock } from '../../service/clock.ts';
import { listProjects, readProject } from './service.ts';
import type { Settings } from './settings.ts';

/**
 * Checks settings by requests, and gives a line for each, at the end what was not checked.
 *
 * @throws ServiceError, GitFailure
 */
export async function* checkSettings(
  settings: Settings,
  environment: StepEnvironment,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { baseUrl, projectId, gitUrl, gitToken, previews } = settings;
  const listed = await listProjects(settings, signal);
  yield `✓ ${baseUrl} accepts the key`;
  const projects = [projectId, ...(previews?.projects ?? [])];
  for (const id of projects) {
    const project = listed.find((one) => one.projectId.toLowerCase() === id);
    if (project === undefined) await readProject(settings, id, signal);
    const name = clean(project?.name ?? '', 60);
    const what = id === projectId ? 'live project' : 'project of previews';
    yield `✓ ${what}: ${id}${name === '' ? '' : `, ${name}`}`;
  }
  const repositories = readGitUrl(gitUrl, projects, previews?.projects ?? []);
  if ('problem' in repositories) throw new Error('a git address that is wrong');
  const unchecked = ['whether the key can write', 'whether the token can push'];
  for (const id of projects) {
    const address = repositories.get(id);
    if (address === undefined) throw new Error('a project that the git address was not read for');
    if (address.protocol !== 'ssh' && gitToken === '') {
      unchecked.push(`${address.url}, because SITE_GIT_TOKEN is not set`);
    } else {
      await readReferences(address, gitToken, environment, signal);
      yield `✓ git repository: ${address.url}`;
    }
  }
  if (previews !== undefined) {
    yield `✓ domain of previews: ${previews.domain}`;
    unchecked.push("the DNS records of previews, which the first pull request's comment lists");
  }
  yield `! Not checked: ${unchecked.join('; ')}`;
}

/** Lists the references of a repository. @throws GitFailure */
async function readReferences(
  { protocol, url, username }: RemoteAddress,
  token: string,
  environment: StepEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const tools = {
    signal,
    clock: systemClock,
    random: Math.random,
    clean: createSanitize(createRedact([token])),
    report: () => undefined,
    environment,
  };
  await using scratch = await Scratch.create(tools, tmpdir());
  const remote = { name: 'project', url, protocol, username: username || 'git', token } as const;
  await listReferences(scratch, tools, remote);
}
