import { describe, expect, it } from 'vitest';
import type { DialectOptions, FaultKind } from '../../emulator/index.ts';
import { sha } from '../../src/contract/commit.ts';
import type { Progress } from '../../src/step/step.ts';
import { abortOn } from '../support/abort-on.ts';
import { notesTold, runDeploy, statusesTold } from '../support/deploy.ts';
import { desired } from '../support/variables.ts';
import { linesIn, startWorld } from '../support/world.ts';

describe.concurrent('deploy', () => {
  it('ends all writes before it posts the deployment of the commit', async () => {
    await using world = await startWorld({ dialect: { latencyMs: 10 } });
    const variables = Array.from({ length: 12 }, (_, index) => desired(`NAME_${index}`));
    const commit = sha(await world.project.head());
    const report = await runDeploy(world, { variables, commit });
    expect(report.outcome).toBe('succeeded');
    const [post] = world.emulator.journal.of('createDeployment');
    const ends = world.emulator.journal.of('createVariable').map(({ endedAt }) => endedAt ?? NaN);
    expect(ends).toHaveLength(12);
    expect(Math.max(...ends)).toBeLessThanOrEqual(post?.at ?? 0);
    expect(post?.body).toMatchObject({ versionId: commit, idempotencyKey: expect.any(String) });
  });

  it("deploys the service's own HEAD when no commit is given", async () => {
    await using world = await startWorld();
    const report = await runDeploy(world, { commit: 'HEAD' });
    expect(report).toMatchObject({ outcome: 'succeeded', commit: 'HEAD' });
    const [post] = world.emulator.journal.of('createDeployment');
    expect(post?.body).toEqual({ idempotencyKey: expect.any(String) });
  });

  it('only syncs when it is told not to deploy', async () => {
    await using world = await startWorld();
    const report = await runDeploy(world, { deploys: false, variables: [desired('NAME')] });
    expect(report.outcome).toBe('synced');
    expect(world.emulator.journal.of('createDeployment')).toHaveLength(0);
  });

  it('posts nothing after a write that failed', async () => {
    await using world = await startWorld({ dialect: { refuse: ['createVariable'] } });
    const report = await runDeploy(world, { variables: [desired('NAME')] });
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('create the variable');
    expect(report.error).toContain("Check the API key's permissions");
    expect(report.environment?.variables[0]?.outcome).toBe('failed');
    expect(world.project.deployments).toHaveLength(0);
  });

  it('posts nothing after a conflict, and names both versions', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'NAME', value: 'old' });
    const { report: tell } = world.host;
    world.host.report = (progress) => {
      tell(progress);
      const isPlan = linesIn(progress).startsWith('Variables: ');
      if (isPlan) world.project.setVariable({ name: 'NAME', value: 'by hand' });
    };
    const report = await runDeploy(world, { variables: [desired('NAME')], onConflict: 'fail' });
    expect(report.outcome).toBe('conflict');
    expect(report.error).toContain(
      'NAME: changed outside this action during the run (was version 1',
    );
    expect(report.error).toContain(', now version 2)');
    expect(world.project.deployments).toHaveLength(0);
  });

  it.each([
    ['readEnvironment', "read the project's variables"],
    ['createDeployment', 'create the deployment'],
  ])('says what the key may not do: %s', async (operation, words) => {
    await using world = await startWorld({ dialect: { refuse: [operation] } });
    const report = await runDeploy(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(`Could not ${words}`);
    expect(report.error).toContain('returned 403');
    expect(report.error).toContain("Check the API key's permissions");
  });

  it.each(['404', '422'] as const)(
    'says that a commit was not pushed (%s)',
    async (unknownVersionId) => {
      await using world = await startWorld({ dialect: { unknownVersionId } });
      const report = await runDeploy(world, { commit: sha('0123456789'.repeat(4)) });
      expect(report.outcome).toBe('failed');
      expect(report.error).toContain("The project's git repository must contain the commit");
    },
  );

  it.each([
    ['cancelled', 'may still go live'],
    ['timed-out', 'may still go live'],
  ] as const)('that is %s in mid-wait says what is left', async (outcome, words) => {
    await using world = await startWorld({ dialect: { deploymentEnds: 'never' } });
    const { report: tell } = world.host;
    world.host.report = (progress) => {
      tell(progress);
      // The last word of a deployment that never ends: after another one the next may come meanwhile.
      if (progress.type === 'status' && progress.status === 'publishing') world.abort(outcome);
    };
    const report = await runDeploy(world);
    expect(report.outcome).toBe(outcome);
    expect(report.error).toContain(words);
    expect(report.release?.deployment).toMatchObject({ status: 'publishing' });
  });

  it('speaks every thirty seconds of a deployment without news', async () => {
    await using world = await startWorld({ dialect: { deploymentEnds: 'never' } });
    const beats: Progress[] = [];
    abortOn(world, (told) => told.type === 'heartbeat' && beats.push(told) === 3);
    await runDeploy(world);
    const elapsed = beats.map((beat) => ('elapsed' in beat ? beat.elapsed : 0));
    expect(beats).toHaveLength(3);
    expect(elapsed[1]).toBeGreaterThanOrEqual((elapsed[0] ?? 0) + 29_000);
  });

  it('keeps what others wrote out of its report', async () => {
    const hostile = '\u001b[31m::error::x ##[error]y\nline two';
    const secret = desired('NAME').value;
    await using world = await startWorld({
      dialect: { hostileText: hostile, deploymentEnds: 'failure', echoValues: true },
      secrets: [secret],
    });
    const report = await runDeploy(world, { variables: [desired('NAME')] });
    expect(report.outcome).toBe('failed');
    const texts = JSON.stringify([report, world.told]);
    expect(texts).not.toContain('\\u001b');
    expect(report.error).not.toContain('\n');
    expect(texts).not.toContain(secret);
  });

  it('is right beside fields and words that the interface does not list', async () => {
    await using world = await startWorld({ dialect: { extraFields: true } });
    world.project.setVariable({ name: 'NAME', value: 'old' });
    const report = await runDeploy(world, { variables: [desired('NAME')] });
    expect(report.outcome).toBe('succeeded');
  });
});

describe.concurrent('a deployment request whose answer is lost', () => {
  const lost: readonly (readonly [string, FaultKind])[] = [
    ['a reset after it took effect', { kind: 'reset-after' }],
    ['a reset before it took effect', { kind: 'reset-before' }],
    ['a 502 that took effect', { kind: 'status', status: 502, effect: true }],
    ['an answer that breaks off', { kind: 'cut-body' }],
  ];
  const keys: readonly DialectOptions['idempotency'][] = [
    'replay',
    'ignore',
    'conflict',
    { forgetAfterMs: 1 },
  ];
  const cases = lost.flatMap(([name, fault]) =>
    keys.map((idempotency) => ({ name, fault, idempotency })),
  );

  it.each(cases)('$name, where keys are: $idempotency', async ({ fault, idempotency }) => {
    await using world = await startWorld({ dialect: { idempotency: idempotency ?? 'replay' } });
    world.emulator.faults.add({ operation: 'createDeployment', ...fault });
    const report = await runDeploy(world);
    expect(report.outcome).toBe('succeeded');
    const followed = world.project.deployments.find(
      ({ id }) => id === report.release?.deployment?.id,
    );
    expect(followed).toMatchObject({ commit: report.commit, status: 'succeeded' });
    const [first, second] = world.emulator.journal.of('createDeployment');
    expect(second?.body).toEqual(first?.body);
  });

  it('is told when the key had to be changed', async () => {
    await using world = await startWorld({ dialect: { idempotency: 'conflict' } });
    world.emulator.faults.add({ operation: 'createDeployment', kind: 'reset-after' });
    await runDeploy(world);
    expect(notesTold(world).join()).toContain('another key');
    expect(statusesTold(world).at(-1)).toBe('succeeded');
  });

  it('a 409 without a lost answer is an error', async () => {
    await using world = await startWorld();
    const fault = { kind: 'status', status: 409, effect: false } as const;
    world.emulator.faults.add({ operation: 'createDeployment', ...fault });
    const report = await runDeploy(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('returned 409');
    expect(world.emulator.journal.of('createDeployment')).toHaveLength(1);
  });
});

describe.concurrent('verify-url', () => {
  const page = (url: string, contains = '') => ({
    verify: { url: new URL(url), contains, namesCommit: false },
  });

  it('waits until the page answers as wanted, without the key', async () => {
    await using world = await startWorld();
    const report = await runDeploy(world, page(world.project.siteUrl, 'Hello'));
    expect(report).toMatchObject({
      outcome: 'succeeded',
      release: { confirmedBy: expect.any(String) },
    });
    expect(report.phases.map(({ name }) => name)).toEqual([
      'environment',
      'deployment',
      'verification',
    ]);
    const looks = world.emulator.journal.of('site');
    expect(looks.length).toBeGreaterThan(0);
    for (const { headers } of looks) expect(headers).not.toHaveProperty('x-api-key');
  });

  it('that never answers as wanted: timed out, and the deployment is said to be good', async () => {
    await using world = await startWorld();
    abortOn(world, (told) => linesIn(told).startsWith('Check '));
    const report = await runDeploy(world, page(world.project.siteUrl, 'no such text'));
    expect(report.outcome).toBe('timed-out');
    expect(report.release?.deployment?.status).toBe('succeeded');
    expect(report.error).toContain('The deployment succeeded');
    const says = world.told.flatMap(
      (progress) => /^Check \S+ \S+: (.*?)(?: after \d.*)?$/.exec(linesIn(progress))?.[1] ?? [],
    );
    expect(says).toEqual(['returned 200 without the text of verify-contains']);
  });

  it('of a machine that refuses connections is asked again and told once', async () => {
    await using world = await startWorld();
    let looks = 0;
    const { clock } = world.host;
    world.host.clock = {
      ...clock,
      sleep: async (milliseconds, signal) => {
        if (world.told.some((one) => linesIn(one).startsWith('Check '))) looks += 1;
        if (looks === 3) world.abort('timed-out');
        await clock.sleep(milliseconds, signal);
      },
    };
    const report = await runDeploy(world, page('http://127.0.0.1:9/'));
    expect(report.outcome).toBe('timed-out');
    const says = world.told.flatMap(
      (progress) => /^Check \S+ \S+: (.*?)(?: after \d.*)?$/.exec(linesIn(progress))?.[1] ?? [],
    );
    expect(says).toHaveLength(1);
  });
});
