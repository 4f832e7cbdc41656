import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type EmulatedProject, type Emulator, startEmulator } from '../../src/emulator/index.ts';
import { type ActionResult, runAction } from '../../src/emulator/runner.ts';
import { root } from './run-step.ts';

const texts = z.record(z.string(), z.coerce.string());
const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(z.object({ uses: z.string(), with: texts, env: texts.optional() })),
    }),
  ),
});

const siteFile = `environment:
  STRIPE_KEY: {}
  DATABASE_URL: { from: PRODUCTION_DATABASE_URL, targets: [production] }
`;

/** What GitHub would put in the place of an expression. */
function fill(text: string, emulator: Emulator, project: EmulatedProject): string {
  const known: Record<string, string> = {
    'secrets.SITE_API_KEY': emulator.key,
    'vars.SITE_BASE_URL': emulator.url,
    'vars.SITE_PROJECT_ID': project.id,
    'matrix.project-id': project.id,
  };
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, name: string) => known[name] ?? `fake ${name}`);
}

/** Runs the last step of an example, as a runner does that has checked the repository out. */
async function runExample(
  file: string,
  emulator: Emulator,
  project: EmulatedProject,
  workspace: string,
): Promise<ActionResult> {
  const source = await readFile(join(root, 'examples/workflows', file), 'utf8');
  const [job] = Object.values(workflow.parse(parse(source)).jobs);
  const step = job?.steps.at(-1);
  const [, folder] = /^OWNER\/site-deploy-action\/([\w-]+)@/.exec(step?.uses ?? '') ?? [];
  const filled = (some: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(some).map(([name, text]) => [name, fill(text, emulator, project)]),
    );
  return await runAction({
    action: join(root, folder ?? ''),
    workspace,
    inputs: { ...filled(step?.with), 'env-ledger': 'ledger' },
    env: filled(step?.env),
  });
}

it.concurrent.each([
  ['env-sync.yml', 'synced', 'success'],
  ['env-environments.yml', 'synced', 'success'],
  ['env-projects.yml', 'synced', 'success'],
  ['env-drift.yml', 'planned', 'failure'],
])('the step of %s works as it is copied: %s, %s', async (file, outcome, conclusion) => {
  await using emulator = await startEmulator();
  await using workspace = await mkdtempDisposable(join(tmpdir(), 'example-'));
  const [project] = emulator.world.createProjects(1);
  if (project === undefined) throw new Error('no project was made');
  await mkdir(join(workspace.path, '.github'));
  await writeFile(join(workspace.path, '.github/site.yml'), siteFile);
  for (const requests of [undefined, outcome === 'synced' ? '1' : undefined]) {
    const result = await runExample(file, emulator, project, workspace.path);
    expect(result).toMatchObject({ conclusion, outputs: { outcome } });
    if (requests !== undefined) expect(result.outputs['requests']).toBe(requests);
  }
});
