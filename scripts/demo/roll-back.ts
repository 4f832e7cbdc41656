import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { startPlay } from '../player/play.ts';
import { check, createProject, pushAndShow, quote, title } from './stage.ts';

/** A release whose page is broken, after a good one. */
export async function playRollBack(emulator: Emulator): Promise<void> {
  await using github = await startGitHub();
  const project = await createProject(emulator);
  const deploy = async (commit: string, runId: string) =>
    await startPlay(
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
        onLine: quote,
      },
    ).done;
  title('A release whose page has the expected text');
  const good = await pushAndShow(project, 'Welcome', 'main');
  await deploy(good, '1');
  title(
    'A release that the service reports as a success, but whose page lacks the text: it is rolled back',
  );
  const bad = await pushAndShow(project, 'Internal error', 'main');
  const { conclusion, outputs } = await deploy(bad, '2');

  title('Result');
  const { outcome, 'live-commit': live } = outputs;
  check(
    conclusion === 'failure' && outcome === 'rolled-back',
    'the step failed with the outcome rolled-back',
  );
  check(live === good, 'live-commit is the first commit');
  const page = await (await fetch(project.sitePathUrl)).text();
  check(page.includes('Welcome'), 'the site serves it');
}
