import { tmpdir } from 'node:os';
import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import { shorten } from '../../kernel/text/safe.ts';
import type { StepEnvironment } from '../../platform.ts';
import { listReferences } from '../../push/git/network.ts';
import { Scratch } from '../../push/git/scratch.ts';
import { readGitUrl } from '../../push/model/git-url.ts';
import { systemClock } from '../../service/clock.ts';
import { openReader } from './service.ts';
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
  const { 'project-id': live, 'preview-projects': leased = [], 'git-token': token = '' } = settings;
  const clean = createSanitize(createRedact([settings['api-key'], token]));
  const projects = [live, ...leased];
  await using reader = openReader(settings['base-url'], settings['api-key'], signal);
  const listed = await reader.client.listProjects('all');
  yield `✓ ${settings['base-url']} accepts the key`;
  for (const id of projects) {
    const project = listed.find((one) => one.projectId.toLowerCase() === id);
    // One that is in no list.
    if (project === undefined) await reader.client.readEnvironment(id);
    const name = shorten(clean(project?.name ?? ''), 60);
    yield `✓ ${id === live ? 'live project' : 'project of previews'}: ${id}${name && `, ${name}`}`;
  }
  const repositories = readGitUrl(settings['git-url'], projects, leased);
  if ('problem' in repositories) throw new Error('a git address that is wrong');
  const tools = {
    signal,
    clock: systemClock,
    random: Math.random,
    clean,
    report: () => undefined,
    environment,
  };
  const unchecked = ['whether the key can write', 'whether the token can push'];
  for (const { protocol, url, username } of repositories.values()) {
    if (protocol !== 'ssh' && token === '') {
      unchecked.push(`${url}, because SITE_GIT_TOKEN is not set`);
      continue;
    }
    await using scratch = await Scratch.create(tools, tmpdir());
    const remote = { name: 'project', url, protocol, username: username || 'git', token } as const;
    await listReferences(scratch, tools, remote);
    yield `✓ git repository: ${url}`;
  }
  if (leased.length > 0) {
    unchecked.push("the DNS records of previews, which the first pull request's comment lists");
  }
  yield `! Not checked: ${unchecked.join('; ')}`;
}
