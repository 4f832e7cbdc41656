// Attack (reports): Two steps that GitHub's variables don't distinguish edit each other's comment, reply or GitHub
// deployment
// Defense: Each has a mark of its own, by its project or its text

import { describe, expect, it } from 'vitest';
import { startMessage } from '../dist/message-world.ts';
import { startPullRequest } from '../dist/pull-request-world.ts';

/** Two steps of one run that the runner does not tell apart: inner steps of a composite action, legs of a matrix. */
const sameStep = { runId: '500', job: 'deploy', action: '__owner_action' };

describe.concurrent('steps that the runner does not tell apart', () => {
  it('have comments and GitHub Deployments of their own, which each ends itself', async () => {
    await using world = await startPullRequest();
    const other = await world.emulator.world.createProject('preview');
    const steps = [
      { 'project-id': world.project.id, 'preview-domain': 'one-{number}.example.com' },
      { 'project-id': other.id, 'preview-domain': 'two-{number}.example.com' },
    ].map((inputs) => ({ github: sameStep, inputs }));
    for (const action of ['opened', 'synchronize']) {
      const ended = await Promise.all(steps.map((step) => world.run(action, step)));
      expect(ended.map(({ outputs }) => outputs['outcome'])).toEqual(['succeeded', 'succeeded']);
    }
    expect(world.comments()).toHaveLength(2);
    expect(world.states().slice(-2)).toEqual(['success', 'success']);
    world.close();
    const [first] = steps;
    await world.run('closed', first);
    const [one, two] = world.comments();
    expect([one, two].filter((body) => body?.includes('two-7.example.com'))).toHaveLength(1);
    expect(world.emulator.world.domains.find('two-7.example.com')?.projectId).toBe(other.id);
  });

  it('have a reply each, where projects or texts differ', async () => {
    await using world = await startMessage();
    const github = sameStep;
    await Promise.all([
      world.run({ github, inputs: { content: 'Make it blue.' } }),
      world.run({ github, inputs: { content: 'Make it red.' } }),
    ]);
    expect(world.replies()).toHaveLength(2);
  });
});
