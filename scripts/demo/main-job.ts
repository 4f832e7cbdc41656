import { startCacheServer } from '../../emulator/cache/index.ts';
import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { repository } from '../player/play.ts';
import { beginScene, check, createProject, note, pushAndShow, runStep } from './stage.ts';

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

/** A commit on GitHub is pushed to the project's repository and deployed with its variables. */
export async function playMainJob(emulator: Emulator): Promise<void> {
  await using github = await startGitHub();
  // GitHub's side has an address of its own here, as an Enterprise Server has, and so the cache of one.
  await using cache = await startCacheServer({ protocol: 'older' });
  const headline = `Shipped at ${new Date().toISOString()}`;
  beginScene(
    'A push to main',
    'The action syncs three variables, one of them outdated, then deploys the commit and checks the page.',
  );
  const project = await createProject(emulator);
  project.setVariable({ name: 'STRIPE_KEY', value: 'sk_an_old_fake' });
  const onGitHub = await github.gitFolder(repository);
  const sha = await pushAndShow(project, headline, 'main', onGitHub);
  const step = await runStep(
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
    },
  );

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
  check(
    wroteFirst && writes.length === 3,
    'all variables were written before the deployment was requested',
  );
  check(project.deployments[0]?.commit === sha, 'the pushed commit was deployed');
  check(page.includes(`<h1>${headline}</h1>`), `the live page shows "${headline}"`);
  note(`In your browser: ${project.siteUrl}`);
}
