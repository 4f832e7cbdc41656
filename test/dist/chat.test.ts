import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ActionResult } from '../../emulator/runner.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { hostname, number, type PullRequestWorld, startPullRequest } from './pull-request-world.ts';
import { root, unpacked } from './run-step.ts';

const text = z.record(z.string(), z.string());
const step = z.object({ id: z.string().optional(), if: z.string().optional(), with: text });
const reply = z.object({ if: z.string(), run: z.string() });
const workflow = z.object({
  jobs: z.object({ turn: z.object({ steps: z.tuple([step, reply, step, step]) }) }),
});

const chat = join(root, 'examples', 'workflows', 'chat.yml');
const [preview, , turn, deploy] = workflow.parse(parse(readFileSync(chat, 'utf8'))).jobs.turn.steps;
const steps = [preview, turn, deploy] as const;

/** The inputs of a step that are no expression. */
const plainInputs = (inputs: Record<string, string>) =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => !value.includes('${{')));

/** Runs one step of the example for a comment on the pull request. */
async function runStep(
  world: PullRequestWorld,
  place: 0 | 1 | 2,
  inputs: Record<string, string>,
): Promise<ActionResult> {
  const payload = adjust(examplePayload('issue_comment', 'created'), {
    'issue.number': number,
    'issue.pull_request': {},
    'comment.author_association': 'MEMBER',
  });
  return await world.run('opened', {
    action: place === 1 ? join(unpacked, 'message') : unpacked,
    event: { name: 'issue_comment', payload },
    inputs: {
      'project-id': '',
      'preview-domain': '',
      ...plainInputs(steps[place].with),
      ...inputs,
    },
  });
}

describe('the steps of chat.yml', () => {
  it('send the turn to the project that the preview leases, and deploy there', async () => {
    await using world = await startPullRequest();
    const [other] = world.emulator.world.createProjects(1);
    const projects = { 'preview-projects': `${other?.id}\n${world.project.id}` };
    const before = await world.project.head();
    const none = await runStep(world, 0, projects);
    expect(none.outputs).toMatchObject({ 'skipped-reason': 'no-preview', 'project-id': '' });
    expect(world.emulator.world.domains.all).toEqual([]);
    world.emulator.world.connectDomain(hostname, world.project.id);
    const found = await runStep(world, 0, projects);
    const leased = found.outputs['project-id'] ?? '';
    expect(leased).toBe(world.project.id);
    expect(world.comments()).toEqual([]);
    expect(world.states()).toEqual([]);

    const content = '/site make it blue';
    const turn = await runStep(world, 1, { 'project-id': leased, content });
    expect(turn.outputs['outcome']).toBe('succeeded');
    const deployed = await runStep(world, 2, projects);
    expect(deployed.outputs).toMatchObject({
      outcome: 'succeeded',
      'project-id': leased,
      'preview-url': `https://${hostname}`,
    });
    const project = world.emulator.world.projects.find(({ id }) => id === leased);
    expect(project?.messages).toHaveLength(1);
    expect(project?.deployments).toHaveLength(1);
    expect(await project?.head()).not.toBe(before);
    expect(world.states()).toEqual([]);
    expect(world.github.violations).toEqual([]);
  });

  it('go on only from a step that succeeded', () => {
    expect(turn.with['project-id']).toBe(`\${{ steps.${preview.id}.outputs.project-id }}`);
    expect(deploy.if).toBe(`steps.${turn.id}.outputs.outcome == 'succeeded'`);
  });
});
