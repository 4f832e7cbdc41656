// Plays the main job against the local world: a real commit, pushed to a real repository, deployed by dist/.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { project as projectShape } from '../src/contract/project.ts';
import { git } from '../src/emulator/git/git.ts';
import { type EmulatedProject, startEmulator } from '../src/emulator/index.ts';
import { runAction } from '../src/emulator/runner.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const headline = `Shipped at ${new Date().toISOString()}`;

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

const failures: string[] = [];
const title = (text: string) => console.log(`\n${styleText('bold', text)}`);

function check(holds: boolean, claim: string): void {
  console.log(`  ${holds ? styleText('green', '✓') : styleText('red', '✗')} ${claim}`);
  if (!holds) failures.push(claim);
}

/** Clones the project, changes its page, commits and pushes; gives the commit. */
async function pushChange(project: EmulatedProject, folder: string): Promise<string> {
  const inClone = (...args: string[]) => git(['-C', folder, ...args]);
  await git(['clone', '--quiet', project.gitUrl, folder]);
  const page = join(folder, 'index.html');
  const before = await readFile(page, 'utf8');
  await writeFile(page, before.replace(/<h1>.*<\/h1>/, `<h1>${headline}</h1>`));
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost'];
  await inClone(...author, 'commit', '--quiet', '--all', '--message', headline);
  await inClone('push', '--quiet', 'origin', 'HEAD');
  console.log(await inClone('show', '--format=  commit %H%n  %s', '--stat', 'HEAD'));
  return await inClone('rev-parse', 'HEAD');
}

async function createProject(): Promise<EmulatedProject> {
  const response = await fetch(`${world.url}/v1/projects`, {
    method: 'POST',
    headers: { 'x-api-key': world.key, 'content-type': 'application/json' },
    body: '{}',
  });
  return world.project(projectShape.parse(await response.json()).projectId);
}

await using world = await startEmulator({
  dialect: {
    buildMs: 3000,
    deploymentWords: { steps: ['building', 'uploading'] },
    stream: { logLines: ['Installing 3 packages', 'Building 2 pages', 'Optimizing 1 style sheet'] },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'site-deploy-demo-'));
try {
  title('A project on the local site service, with a STRIPE_KEY from long ago');
  const project = await createProject();
  const everywhere = { preview: true, production: true, kind: 'secret' } as const;
  project.setVariable({ name: 'STRIPE_KEY', value: 'sk_an_old_fake', ...everywhere });
  console.log(`  project ${project.id} at ${world.url}`);

  title("A change to its page, committed and pushed to the project's own git repository");
  const sha = await pushChange(project, folder);

  title('The step, as its log shows it');
  const step = await runAction({
    action: root,
    uses: 'OWNER/site-deploy-action@v1',
    inputs: {
      'api-key': world.key,
      'base-url': world.url,
      'project-id': project.id,
      'env-from': Object.keys(variables).join('\n'),
      'verify-url': project.siteUrl,
      'verify-contains': headline,
    },
    env: variables,
    secrets: [world.key, ...Object.values(variables)],
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: sha } },
    onLine: (line) => console.log(`  ${styleText('dim', '│')} ${line}`),
  });

  title('What holds now');
  const page = await (await fetch(project.sitePathUrl)).text();
  const stored = new Map(project.variables.map(({ name, value }) => [name, value]));
  const [post] = world.journal.of('createDeployment');
  const writes = world.journal.entries.filter(({ operation }) => /Variable$/.test(operation));
  check(step.conclusion === 'success', `the step succeeded: outcome ${step.outputs['outcome']}`);
  for (const [name, value] of Object.entries(variables)) {
    const bytes = Buffer.byteLength(value);
    check(stored.get(name) === value, `${name} arrived byte for byte (${bytes} bytes)`);
  }
  const wroteFirst = writes.every(({ endedAt }) => (endedAt ?? Infinity) <= (post?.at ?? 0));
  check(wroteFirst && writes.length === 3, 'all writes ended before the deployment was posted');
  check(project.deployments[0]?.commit === sha, `the pushed commit was deployed: ${sha}`);
  check(page.includes(`<h1>${headline}</h1>`), `the live page says "${headline}"`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
