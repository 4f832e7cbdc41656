import { tmpdir } from 'node:os';
import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import { listReferences } from '../../push/git/network.ts';
import { Scratch } from '../../push/git/scratch.ts';
import type { ProjectRepositories } from '../../push/model/git-url.ts';
import { createClient } from '../../service/client.ts';
import { systemClock } from '../../service/clock.ts';
import { userAgent } from '../../step/version.ts';
import type { SetupSurroundings } from '../surroundings.ts';
import type { Settings } from './settings.ts';

/** The longest time in which a request is repeated, in milliseconds. */
const longest = 30_000;

/**
 * Checks settings by requests, and gives a line for each, at the end what was not checked.
 *
 * @throws ServiceError, GitFailure
 */
export async function* checkSettings(
  settings: Settings,
  repositories: ProjectRepositories,
  { environment, signal }: SetupSurroundings,
): AsyncGenerator<string> {
  const { 'project-id': live, 'preview-projects': leased = [], 'git-token': token = '' } = settings;
  const tools = {
    signal,
    clock: systemClock,
    random: Math.random,
    clean: createSanitize(createRedact([settings['api-key'], token])),
  };
  const access = { baseUrl: settings['base-url'], apiKey: settings['api-key'], userAgent };
  const client = createClient({ ...access, ...tools, deadline: Date.now() + longest });
  try {
    for (const id of [live, ...leased]) {
      await client.readEnvironment(id);
      yield `✓ ${id === live ? 'live project' : 'project of previews'}: ${id}`;
    }
  } finally {
    await client.close();
  }
  const gitTools = { ...tools, report: () => undefined, environment };
  for (const { protocol, url, username } of repositories.values()) {
    if (protocol !== 'ssh' && token === '') {
      yield `! not checked: ${url}, because SITE_GIT_TOKEN is not set. init needs no token: gh secret set SITE_GIT_TOKEN stores it`;
      continue;
    }
    await using scratch = await Scratch.create(gitTools, tmpdir());
    const remote = { name: 'project', url, protocol, username: username || 'git', token } as const;
    await listReferences(scratch, gitTools, remote);
    yield `✓ git repository: ${url}`;
  }
  const records = '; the DNS records of previews, which the first pull request lists';
  yield `! not checked: whether the key and the token can write${leased.length > 0 ? records : ''}`;
}
