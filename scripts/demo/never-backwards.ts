import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { repository } from '../player/play.ts';
import { beginScene, check, createProject, pushAndShow, runStep } from './stage.ts';

/** A newer commit is deployed, then the slow run of an older one starts. */
export async function playNeverBackwards(emulator: Emulator): Promise<void> {
  await using github = await startGitHub();
  const project = await createProject(emulator);
  beginScene(
    'A late run',
    'The run of a newer commit is faster. The late run of the older one deploys nothing.',
  );
  const older = await pushAndShow(project, 'The older page', 'main');
  const newer = await pushAndShow(project, 'The newer page', 'main');
  github.commits.set(`${repository}@${older}`, { parents: [] });
  github.commits.set(`${repository}@${newer}`, { parents: [older] });
  const run = async (sha: string, runId: string) =>
    await runStep(
      { emulator, project, github },
      {
        action: 'deploy',
        inputs: {},
        event: { name: 'push', payload: { ref: 'refs/heads/main', after: sha } },
        github: { sha, runId },
      },
    );

  const first = await run(newer, '2');
  const late = await run(older, '1');

  const page = await (await fetch(project.sitePathUrl)).text();
  const { outcome } = first.outputs;
  check(outcome === 'succeeded', 'the newer commit was deployed');
  const reason = late.outputs['skipped-reason'];
  check(reason === 'older-commit', `the older commit was skipped: ${reason}`);
  check(project.deployments.length === 1, 'one deployment was requested');
  check(page.includes('The newer page'), 'the newer page is live');
}
