import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Emulator } from '../../emulator/index.ts';
import { beginScene, check, createProject, quote, runStep } from './stage.ts';

const siteFile = `checks:
  - { path: /, contains: Hello, max-ms: 5000 }
  - { path: /pricing }
`;

/** A deployment that the service reports as a success, of a site without one of its pages. */
export async function playChecks(emulator: Emulator): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-checks-demo-'));
  await writeFile(join(folder.path, 'checks.yml'), siteFile);
  const project = await createProject(emulator);
  beginScene(
    'Checks of the site',
    'The service reports success, but a page is missing. The step fails, and names the page. The checks:',
  );
  for (const line of siteFile.trimEnd().split('\n')) quote(line);
  const { conclusion, outputs } = await runStep(
    { emulator, project },
    {
      action: 'deploy',
      workspace: folder.path,
      inputs: {
        'commit-sha': 'HEAD',
        config: 'checks.yml',
        'verify-url': project.siteUrl,
        'verify-timeout': '2s',
        'github-deployment': 'false',
      },
      event: { name: 'workflow_dispatch', payload: {} },
    },
  );
  const { error = '', outcome } = outputs;
  check(outputs['deployment-status'] === 'succeeded', 'the service reported success');
  check(conclusion === 'failure' && outcome === 'failed', 'the step failed because of its checks');
  check(error.includes('/pricing') && error.includes('404'), 'the error names the page and 404');
}
