import { startCacheServer } from '../../emulator/cache/index.ts';
import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { repository, startPlay } from '../player/play.ts';
import { check, createProject, pushAndShow, quote, title } from './stage.ts';

const variables = {
  STRIPE_KEY: 'sk_not_a_real_key_0123456789',
  TLS_PRIVATE_KEY: [
    '-----BEGIN FAKE PRIVATE KEY-----',
    'bm90IGEgcmVhbCBrZXksIGp1c3QgYSBkZW1vCg==',
    '-----END FAKE PRIVATE KEY-----',
    '',
  ].join('\n'),
  GREETING: `She said "hello" 👋 and paid $5 # a=b 'c'`,
} as const;

/** A commit that was pushed to GitHub goes to the project's repository, and live with its variables. */
export async function playMainJob(emulator: Emulator): Promise<void> {
  await using github = await startGitHub();
  // GitHub's side has an address of its own here, as an Enterprise Server has, and so the cache of one.
  await using cache = await startCacheServer({ protocol: 'older' });
  const headline = `Shipped at ${new Date().toISOString()}`;
  title('A project on the local site service, with a STRIPE_KEY from long ago');
  const project = await createProject(emulator);
  project.setVariable({ name: 'STRIPE_KEY', value: 'sk_an_old_fake' });
  console.log(`  project ${project.id} at ${emulator.url}`);

  title(
    "A change to its page, committed and pushed to GitHub: the project's own repository lacks it",
  );
  const onGitHub = await github.gitFolder(repository);
  const sha = await pushAndShow(project, headline, 'main', onGitHub);

  title('The step, as its log shows it');
  const step = await startPlay(
    { emulator, project, github, cache },
    {
      action: 'deploy',
      inputs: {
        'git-url': `${emulator.url}/git/{projectId}.git`,
        'git-token': emulator.gitToken,
        'env-from': Object.keys(variables).join('\n'),
        'verify-url': project.siteUrl,
        'verify-contains': headline,
      },
      env: variables,
      event: { name: 'push', payload: { ref: 'refs/heads/main', after: sha } },
      github: { sha, serverUrl: github.url },
      onLine: quote,
    },
  ).done;

  title('What holds now');
  const page = await (await fetch(project.sitePathUrl)).text();
  const stored = new Map(project.variables.map(({ name, value }) => [name, value]));
  const [post] = emulator.journal.of('createDeployment');
  const writes = emulator.journal.entries.filter(({ operation }) => /Variable$/.test(operation));
  check(step.conclusion === 'success', `the step succeeded: outcome ${step.outputs['outcome']}`);
  check(step.outputs['pushed'] === 'true', "the commit was pushed to the project's repository");
  for (const [name, value] of Object.entries(variables)) {
    const bytes = Buffer.byteLength(value);
    check(stored.get(name) === value, `${name} arrived byte for byte (${bytes} bytes)`);
  }
  const wroteFirst = writes.every(({ endedAt }) => (endedAt ?? Infinity) <= (post?.at ?? 0));
  check(wroteFirst && writes.length === 3, 'all writes ended before the deployment was posted');
  check(project.deployments[0]?.commit === sha, `the pushed commit was deployed: ${sha}`);
  check(page.includes(`<h1>${headline}</h1>`), `the live page says "${headline}"`);
}
