import type { ExampleWorld } from '../examples/example-world.ts';

const of = (sha: string) => ({
  name: 'push',
  payload: { ref: 'refs/heads/main', after: sha, deleted: false, head_commit: { id: sha } },
});

/** Pushes a commit that follows what a project has, as after the first deploy. */
export async function push(
  world: ExampleWorld,
  project = world.project,
): Promise<{ sha: string; event: ReturnType<typeof of> }> {
  const { dev } = world;
  await dev.git('fetch', '--quiet', project.gitUrl, 'main');
  await dev.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
  const sha = await world.push();
  return { sha, event: of(sha) };
}
