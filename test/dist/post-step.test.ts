import { describe, expect, it } from 'vitest';
import { startPullRequest } from './pull-request-world.ts';

/** Arguments with which Node runs code before the action's script. */
const first = (code: string) => ({ nodeArgs: ['--import', `data:text/javascript,${code}`] });

describe.concurrent('the post step', () => {
  it.skipIf(process.platform !== 'linux')(
    'of a step that could save no state denies nothing that was done (only Linux has /dev/full)',
    async () => {
      await using world = await startPullRequest();
      await using step = await world.start('opened', first('process.env.GITHUB_STATE="/dev/full"'));
      const { outputs, annotations, post } = await step.done;
      expect(outputs['outcome']).toBe('succeeded');
      expect(world.states()).toEqual(['success']);
      // One of what is saved during the run, one of its end.
      const told = annotations.filter(({ message }) => message.includes('(SD8101)'));
      expect(told).toHaveLength(2);
      expect(post?.annotations.map(({ message }) => message)).toEqual([
        expect.stringMatching(
          /nothing was written, unless its log warns that its state could not be written\. \(SD9004\)$/,
        ),
      ]);
    },
  );

  it('after an unexpected error ends the comment and the record', async () => {
    await using world = await startPullRequest();
    // The grace period in which the end is reported can't begin.
    const broken =
      'const{timeout}=AbortSignal;AbortSignal.timeout=(ms)=>{if(ms===20000&&process.argv[1].endsWith("deploy.js"))throw(new(TypeError));return(timeout(ms))}';
    await using step = await world.start('opened', first(broken));
    const { outputs, post } = await step.done;
    expect(outputs['error']).toContain('(TypeError)');
    expect(post?.log.join('\n')).toContain('with an unexpected error while it reported');
    expect(world.states()).toEqual(['success']);
    expect(world.comments()).toEqual([expect.stringContaining('7 is live')]);
  });
});
