import { expect, test } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { repository } from '../git/support.ts';
import { openPull, startExampleWorld } from './example-world.ts';

test('explain.yml says what a push, a pull request, its close and a run by hand would do, and asks nobody', async () => {
  await using world = await startExampleWorld();
  const { emulator, github, project, playOne } = world;
  const preview = await emulator.world.createProject();
  const { sha, event } = await openPull(world, repository);
  const push = { name: 'push', payload: { ref: 'refs/heads/main', after: sha } };
  const byHand = { name: 'workflow_dispatch', payload: {} };
  emulator.journal.clear();
  const says = async (played: RunEvent, at: { sha?: string } = {}) => {
    const vars = { SITE_PREVIEW_PROJECTS: preview.id };
    // There is no key yet.
    const step = await playOne('explain.yml', played, { secrets: {}, vars, github: at });
    expect(step).toMatchObject({
      conclusion: 'success',
      outputs: { outcome: 'planned', error: '' },
    });
    return step.summary;
  };
  const pushed = await says(push);
  expect(pushed).toContain(`would deploy commit ${sha.slice(0, 7)}`);
  expect(pushed).toContain(`${project.id} (project-id)`);
  expect(pushed).toContain('If the commit is older');
  expect(await says(byHand, { sha })).toContain('If the commit is older');
  const opened = await says(event('opened'));
  expect(opened).toContain(`${preview.id}, the only project of preview-projects`);
  expect(opened).toContain('pr-7.preview.example.com is connected');
  expect(await says(event('closed'))).toContain('would remove the preview');
  expect(emulator.journal.entries).toEqual([]);
  expect(github.journal).toEqual([]);
});
