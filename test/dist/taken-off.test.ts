// Attack (reports): A rolled-back commit returns by `deploy: if-needed`
// Defense: The end is signed as `rolled-back`. `if-needed` reads it before it pushes and before it deploys, ignores
// copies, and fails if it can't read

import { describe, expect, it } from 'vitest';
import { deployedBy } from '../examples/example-world.ts';
import { rows } from '../support/exhaustive.ts';
import { refuseReading, startStory } from './story-world.ts';

describe.concurrent('redeploy.yml', () => {
  it('leaves what push-roll-back.yml has gone back to, names the variables that wait, and fails where records cannot be read', async () => {
    await using story = await startStory(2, { pushes: true });
    const { commits, broken, deploy, redeploy, live, world } = story;
    const [good = '', bad = ''] = commits;
    await deploy(good);
    broken.add(bad);
    expect((await deploy(bad)).outputs['outcome']).toBe('rolled-back');
    expect(live()).toBe(good);
    // The page is mended by itself, as where a database was down: the commit was taken off nevertheless.
    for (const mends of [false, true]) {
      if (mends) broken.clear();
      const { outputs, conclusion, log, summary } = await redeploy();
      expect(outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': 'rolled-back' });
      expect(conclusion).toBe('success');
      const told = log.join('\n');
      expect(told).toMatch(/run 2 .*\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      expect(told).toContain(good);
      for (const text of [told, summary]) {
        expect(text).toContain('new commit');
        expect(text).toContain('deploy: true');
      }
      expect(live()).toBe(good);
    }
    // Variables that wait are named; those that an earlier run has written nobody knows.
    const rotated = await redeploy({ env: 'ROTATED=two' });
    expect(rotated.outputs['skipped-reason']).toBe('rolled-back');
    const [warning] = rotated.annotations.filter(({ level }) => level === 'warning');
    expect(warning?.message).toContain('next deployment: ROTATED.');
    expect(world.project.running.production).toEqual({});
    const again = await redeploy();
    expect(again.annotations.map(({ message }) => message).join()).toContain('next deployment');
    expect(live()).toBe(good);
    expect((await redeploy({ deploy: 'true' })).outputs['outcome']).toBe('succeeded');
    expect(live()).toBe(bad);
    expect((await redeploy()).outputs['skipped-reason']).toBe('not-needed');
    const deployed = deployedBy(world);
    refuseReading(world);
    const { outputs, conclusion } = await redeploy({ 'on-older': 'deploy' });
    expect(conclusion).toBe('failure');
    expect(outputs['outcome']).toBe('failed');
    expect(outputs['error']).toContain('deployments: read');
    expect(deployedBy(world)).toEqual(deployed);
    expect(world.github.violations).toEqual([]);
  });

  it('leaves what rollback.yml has gone back to, whether the other commit was good or not', async () => {
    for (const isBroken of rows([false, true], 1)) {
      await using story = await startStory(2);
      const { commits, broken, deploy, redeploy, goBack, live } = story;
      const [old = '', newest = ''] = commits;
      await deploy(old);
      if (isBroken) broken.add(newest);
      // One that stays live although its checks failed.
      const changed = { deploy: 'true', ...(isBroken && { 'verify-timeout': '5s' }) };
      await redeploy(changed);
      expect(live()).toBe(newest);
      expect((await goBack(old)).outputs['outcome']).toBe('succeeded');
      const { outputs } = await redeploy();
      expect(outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': 'rolled-back' });
      expect(live()).toBe(old);
    }
  });
});
