import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { issueComment, number, repository, startMessage } from './message-world.ts';

describe.concurrent('the reply', () => {
  it('is edited by a rerun of the run, not doubled', async () => {
    await using world = await startMessage();
    await world.run();
    const { dialect } = world.emulator;
    dialect.messageEnds = 'failure';
    const again = await world.run({ github: { runAttempt: '2' } });
    expect(world.replies()).toHaveLength(1);
    expect(world.replies()[0]).toContain('❌ The AI could not finish its work');
    expect(again.outputs['comment-url']).toContain('#issuecomment-');
    expect(world.github.violations).toEqual([]);
  });

  const others = [
    ['another comment', { event: issueComment('MEMBER', 4712) }],
    ['another text', { inputs: { content: 'Make it red.' } }],
    ['another step of the job', { github: { action: '__self_2' } }],
    ['another job', { github: { job: 'second' } }],
  ] as const;
  // Of what is asked, and of where it runs.
  it.each(rows(others, 2))('to %s is another', async (_name, options) => {
    await using world = await startMessage();
    await world.run();
    await world.run(options);
    expect(world.replies()).toHaveLength(2);
  });

  it("of a matrix has one comment for each job's project", async () => {
    await using world = await startMessage();
    const [other] = world.emulator.world.createProjects(1);
    await Promise.all([world.run(), world.run({ inputs: { 'project-id': other?.id ?? '' } })]);
    expect(world.replies()).toHaveLength(2);
  });

  it('stands on the pull request whose review asked', async () => {
    await using world = await startMessage();
    const payload = adjust(examplePayload('pull_request_review_comment', 'created'), {
      'pull_request.number': number,
      'comment.author_association': 'OWNER',
    });
    await world.run({ event: { name: 'pull_request_review_comment', payload } });
    expect(world.github.comments(repository, number)).toHaveLength(1);
  });

  it('can be left out', async () => {
    await using world = await startMessage();
    const result = await world.run({ inputs: { comment: 'false' } });
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', 'comment-url': '' });
    expect(world.github.journal).toEqual([]);
  });

  it.each(rows(['forbidden', 'rate-limit', 'reset'] as const, 1))(
    'that GitHub does not take (%s) is a warning, and the outcome stands',
    async (trouble) => {
      await using world = await startMessage();
      world.github.trouble = { comments: trouble };
      const { conclusion, outputs, annotations } = await world.run();
      expect(conclusion).toBe('success');
      expect(outputs).toMatchObject({ outcome: 'succeeded', 'comment-url': '' });
      expect(annotations).toMatchObject([{ level: 'warning' }]);
      expect(annotations[0]?.message).toContain('Could not write the comment');
    },
  );

  it.each([
    ['an issue', null, 'issues: write'],
    ['a pull request', {}, 'pull-requests: write'],
  ])('that may not be written on %s names the permission', async (_name, pull, permission) => {
    await using world = await startMessage();
    world.github.trouble = { comments: 'forbidden' };
    const payload = adjust(examplePayload('issue_comment', 'created'), {
      'issue.number': number,
      'issue.pull_request': pull,
      'comment.author_association': 'MEMBER',
    });
    const { annotations } = await world.run({ event: { name: 'issue_comment', payload } });
    expect(annotations[0]?.message).toContain(`"${permission}"`);
  });

  it('that a locked conversation refuses names no permission', async () => {
    await using world = await startMessage();
    world.github.trouble = { 'issues/create-comment': 'locked' };
    const { conclusion, annotations } = await world.run();
    expect(conclusion).toBe('success');
    expect(annotations.map(({ message }) => message)).toEqual([
      expect.stringMatching(/issue is locked\. Unlock the conversation, or .*\(SD8004\)$/),
    ]);
  });

  it("says nothing of a newer run's words", async () => {
    await using world = await startMessage();
    await world.run({ github: { runId: '900' } });
    const before = world.replies();
    world.emulator.dialect.messageEnds = 'failure';
    await world.run({ github: { runId: '899' } });
    expect(world.replies()).toEqual(before);
  });
});
