import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { repository, startPlay } from '../player/play.ts';
import { check, createProject, pushAndShow, quote, title } from './stage.ts';

/** A newer commit is deployed, then the slow run of an older one starts. */
export async function playNeverBackwards(emulator: Emulator): Promise<void> {
  await using github = await startGitHub();
  const project = await createProject(emulator);
  title('Two commits that change a page');
  const older = await pushAndShow(project, 'The older page', 'main');
  const newer = await pushAndShow(project, 'The newer page', 'main');
  github.commits.set(`${repository}@${older}`, { parents: [] });
  github.commits.set(`${repository}@${newer}`, { parents: [older] });
  const run = async (sha: string, runId: string) =>
    await startPlay(
      { emulator, project, github },
      {
        action: 'deploy',
        inputs: { 'on-older': 'skip' },
        event: { name: 'push', payload: { ref: 'refs/heads/main', after: sha } },
        github: { sha, runId },
        onLine: quote,
      },
    ).done;

  title('The run of the newer commit is faster');
  const first = await run(newer, '2');
  title('The run of the older commit is late, with on-older: skip');
  const late = await run(older, '1');

  title('Result');
  const page = await (await fetch(project.sitePathUrl)).text();
  const { outcome } = first.outputs;
  check(outcome === 'succeeded', 'the newer commit was deployed');
  const reason = late.outputs['skipped-reason'];
  check(reason === 'older-commit', `the older commit was skipped: ${reason}`);
  check(project.deployments.length === 1, 'one deployment was requested');
  check(page.includes('The newer page'), 'the newer page is live');
}
