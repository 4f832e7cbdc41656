import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { beginScene, check, createProject, pushAndShow, runStep } from './stage.ts';

/** A release whose page is broken, after a good one. */
export async function playRollBack(emulator: Emulator): Promise<void> {
  await using github = await startGitHub();
  const project = await createProject(emulator);
  const deploy = async (commit: string, runId: string) =>
    await runStep(
      { emulator, project, github },
      {
        action: 'deploy',
        inputs: {
          'commit-sha': commit,
          'verify-url': project.siteUrl,
          'verify-contains': 'Welcome',
          'verify-timeout': '2s',
          'on-failed-checks': 'roll-back',
        },
        event: { name: 'workflow_dispatch', payload: {} },
        github: { runId },
      },
    );
  beginScene(
    'A rollback',
    'The first release is good. The page of the second lacks a text, so the first is deployed again.',
  );
  const good = await pushAndShow(project, 'Welcome', 'main');
  await deploy(good, '1');
  const bad = await pushAndShow(project, 'Internal error', 'main');
  const { conclusion, outputs } = await deploy(bad, '2');
  const { outcome, 'live-commit': live } = outputs;
  check(
    conclusion === 'failure' && outcome === 'rolled-back',
    'the step failed with the outcome rolled-back',
  );
  check(live === good, 'live-commit is the first commit');
  const page = await (await fetch(project.sitePathUrl)).text();
  check(page.includes('Welcome'), 'the site serves it');
}
