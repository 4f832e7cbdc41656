import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../../emulator/index.ts';
import { verdict } from '../../../src/deploy/model/verdict.ts';
import type { DeployHistory } from '../../../src/release/release-history.ts';
import { notesTold } from '../../support/deploy.ts';
import { rows } from '../../support/exhaustive.ts';
import { deployed, preview, type Swapping, shop, slot, startSwap, www } from './swapping.ts';

const all = (where: string) => ({ [www]: where, [shop]: where, [preview]: where });

/** Two runs after each other: the first goes to blue, the second to green. */
async function expectSwaps(swapping: Swapping): Promise<void> {
  const first = await swapping.run();
  expect(first).toMatchObject({ outcome: 'succeeded', projectId: swapping.blue.id });
  expect(swapping.slots()).toEqual(all('blue'));
  const second = await swapping.run();
  expect(second.error).toBeUndefined();
  expect(second).toMatchObject({
    outcome: 'succeeded',
    projectId: swapping.green.id,
    swap: { from: swapping.blue.id, to: swapping.green.id, live: swapping.green.id },
  });
  expect(swapping.slots()).toEqual(all('green'));
  expect(deployed(swapping)).toEqual(['blue', 'green']);
}

describe.concurrent('a swap', () => {
  it('goes to the project that serves none, and the domains follow', async () => {
    await using swapping = await startSwap();
    await expectSwaps(swapping);
    const notes = notesTold(swapping.world).join('\n');
    expect(notes).toContain(
      `${swapping.blue.id} serves ${www}, ${shop}. Deploying to ${swapping.green.id}, which is idle`,
    );
    expect(notes).toContain(`${www} moved to ${swapping.green.id}`);
  });

  it('checks the idle project before it moves anything, and then at each domain', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    swapping.asked.length = 0;
    const report = await swapping.run();
    const [first, ...others] = new Set(swapping.asked);
    // The domains are asked side by side.
    expect([first, ...others.toSorted()]).toEqual([preview, shop, www]);
    expect(report.checks).toMatchObject([{ passed: true }, { passed: true }, { passed: true }]);
    const { entries } = swapping.world.emulator.journal;
    const [, deployment] = entries.filter(({ operation }) => operation === 'createDeployment');
    const moves = entries.filter(
      ({ n, operation }) => operation === 'assignDomain' && n > (deployment?.n ?? 0),
    );
    expect(moves.map(({ path }) => path)).toEqual([
      `/connected-domains/${www}/project`,
      `/connected-domains/${shop}/project`,
    ]);
  });

  /** So many choices at once as don't contradict each other, and then each of them alone. */
  const dialects: DialectOptions[] = [
    {
      assignedElsewhere: '409',
      idempotency: 'ignore',
      duplicateHostname: 'same',
      unassigned: 'absent',
    },
    {
      assignedElsewhere: '409',
      idempotency: 'conflict',
      unassigned: 'empty',
      refuse: ['listConnectedDomains'],
    },
    {
      assignmentReroutes: true,
      verifyMs: 400,
      revalidation: 'advances',
      extraFields: true,
      successStatus: 200,
    },
    { offers: 'neither' },
    { assignedElsewhere: '409' },
    { assignedElsewhere: '409', idempotency: 'ignore' },
    { assignedElsewhere: '409', idempotency: 'conflict' },
    { duplicateHostname: 'same' },
    { unassigned: 'absent' },
    { unassigned: 'empty', assignedElsewhere: '409' },
    { assignmentReroutes: true, revalidation: 'advances' },
    { assignmentReroutes: true, verifyMs: 400 },
    { refuse: ['listConnectedDomains'] },
    { refuse: ['listConnectedDomains'], assignedElsewhere: '409' },
    { extraFields: true, successStatus: 200 },
  ];
  it.each(rows(dialects, (_, index) => index < 4))(
    'works where the service is so: %j',
    async (dialect) => {
      const isSilent = dialect.offers === 'neither';
      await using swapping = await startSwap({ dialect });
      if (isSilent) slot(swapping, { [www]: 'blue', [shop]: 'blue', [preview]: 'blue' });
      if (!isSilent) return await expectSwaps(swapping);
      // Nothing confirms the deployment: nothing is moved.
      expect(await swapping.run()).toMatchObject({ outcome: 'unconfirmed' });
      expect(swapping.slots()).toEqual({ ...all('blue'), [preview]: 'green' });
    },
  );

  it('believes no list that ends early', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    swapping.world.emulator.faults.add({
      kind: 'status',
      operation: 'listConnectedDomains',
      status: 200,
      body: JSON.stringify({ domains: [{ hostname: 'other.example.com' }] }),
      effect: false,
      times: Number.POSITIVE_INFINITY,
    });
    expect(await swapping.run()).toMatchObject({ outcome: 'succeeded' });
    expect(swapping.slots()).toEqual(all('green'));
  });

  const losses = ['reset-after', 'reset-before', 'cut-body', 'not-json', 'twice'] as const;
  // With the effect and without it, and with the effect twice.
  it.each(rows(losses, (kind) => ['reset-after', 'reset-before', 'twice'].includes(kind)))(
    'survives answers about domains that are lost: %s',
    async (kind) => {
      await using swapping = await startSwap({ dialect: { assignedElsewhere: '409' } });
      await swapping.run();
      for (const after of [0, 2, 4]) {
        swapping.world.emulator.faults.add({ kind, operation: 'assignDomain', after });
      }
      expect(await swapping.run()).toMatchObject({ outcome: 'succeeded' });
      expect(swapping.slots()).toEqual(all('green'));
    },
  );

  it('tells the gap only where the service does not move a domain in one go', async () => {
    for (const assignedElsewhere of ['moves', '409'] as const) {
      await using swapping = await startSwap({ dialect: { assignedElsewhere } });
      await swapping.run();
      const { swap } = await swapping.run();
      const gap = assignedElsewhere === 'moves' ? undefined : expect.any(Number);
      expect(swap?.domains.map((domain) => domain.gap)).toEqual([gap, gap]);
    }
  });

  it('tells the gap of the way back, too', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    const { answer, green, world } = swapping;
    swapping.answer = (name, project) => {
      if (name === preview || project !== green) return answer(name, project);
      world.emulator.dialect.assignedElsewhere = '409';
      return 500;
    };
    const { outcome, swap } = await swapping.run();
    expect(outcome).toBe('rolled-back');
    const gap = expect.any(Number);
    expect(swap?.domains.map((domain) => domain.gap)).toEqual([gap, gap]);
  });

  it('is refused where a domain is on a third project, before the first write', async () => {
    await using swapping = await startSwap();
    const third = await swapping.world.emulator.world.createProject();
    slot(swapping, { [shop]: 'blue' });
    swapping.world.emulator.world.connectDomain(www, third.id);
    const report = await swapping.run();
    expect(report).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/SD6011/) });
    const methods = swapping.world.emulator.journal.entries.map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  it('moves nothing if the checks fail at the preview, or the deployment fails', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    const { answer } = swapping;
    swapping.answer = (name, project) => (name === preview ? 500 : answer(name, project));
    expect(await swapping.run()).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/SD5004/),
      swap: { live: swapping.blue.id },
    });
    swapping.world.emulator.dialect.deploymentEnds = 'failure';
    expect(await swapping.run()).toMatchObject({ outcome: 'failed', release: { stage: 'failed' } });
    expect(swapping.slots()).toEqual({ ...all('blue'), [preview]: 'green' });
    expect(deployed(swapping)).toEqual(['blue', 'green', 'green']);
  });

  it('moves nothing if the preview cannot be checked, because it is not verified', async () => {
    await using swapping = await startSwap();
    slot(swapping, { [www]: 'blue', [shop]: 'blue' });
    swapping.world.emulator.dialect.domainEnds = 'never';
    swapping.answer = () => 404;
    expect(await swapping.run()).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/SD6001/),
    });
    expect(swapping.slots()).toMatchObject({ [www]: 'blue', [shop]: 'blue' });
  });

  it.each(['moves', '409'] as const)('moves back if the checks fail there: %s', async (way) => {
    await using swapping = await startSwap({ dialect: { assignedElsewhere: way } });
    await swapping.run();
    const { answer, green } = swapping;
    swapping.answer = (name, project) =>
      name === shop && project === green ? 500 : answer(name, project);
    const report = await swapping.run();
    expect(report).toMatchObject({
      outcome: 'rolled-back',
      swap: { from: swapping.blue.id, live: swapping.blue.id },
    });
    expect(report.error).toMatch(/^The domains are back on project .*shop\.localhost.*SD6015\)$/);
    expect(swapping.slots()).toEqual({ ...all('blue'), [preview]: 'green' });
    // The next one goes to the same project again, for the other one serves.
    swapping.answer = answer;
    expect(await swapping.run()).toMatchObject({ outcome: 'succeeded' });
    expect(deployed(swapping)).toEqual(['blue', 'green', 'green']);
  });

  it('leaves the first release where it is if its checks fail there: nothing served before', async () => {
    await using swapping = await startSwap();
    slot(swapping, { [www]: 'none', [shop]: 'none' });
    const { answer } = swapping;
    swapping.answer = (name, project) => (name === shop ? 500 : answer(name, project));
    const report = await swapping.run();
    expect(report).toMatchObject({ outcome: 'failed', swap: { live: swapping.blue.id } });
    expect(swapping.slots()).toEqual(all('blue'));
  });

  it('is not moved back for a new domain that waits for its DNS', async () => {
    await using swapping = await startSwap();
    slot(swapping, { [www]: 'blue' });
    swapping.world.emulator.dialect.domainEnds = (name) => (name === shop ? 'never' : 'success');
    const { answer } = swapping;
    swapping.answer = (name, project) => (name === shop ? 404 : answer(name, project));
    expect(await swapping.run()).toMatchObject({ outcome: 'succeeded' });
    expect(swapping.slots()).toEqual(all('green'));
    const warned = swapping.world.told.filter(({ type }) => type === 'warning');
    expect(JSON.stringify(warned)).toContain('SD6014');
  });

  it('warns of a domain that is not verified since the move, where no check tells', async () => {
    await using swapping = await startSwap({
      dialect: { assignmentReroutes: true, domainStopsAt: 'routing' },
    });
    await swapping.run();
    swapping.world.emulator.dialect.domainEnds = (name) => (name === www ? 'never' : 'success');
    const report = await swapping.run({ declared: [] });
    expect(report).toMatchObject({
      outcome: 'succeeded',
      swap: { domains: [{ hostname: www, isUnverified: true }, { hostname: shop }] },
    });
    expect(verdict(report.whole).confirmedUrl).toBe(`https://${shop}`);
    const warned = swapping.world.told.filter(({ type }) => type === 'warning');
    expect(JSON.stringify(warned)).toContain(`${www}: not verified since the move`);
  });

  it('gives back what was moved if a later one cannot be', async () => {
    await using swapping = await startSwap({ dialect: { assignedElsewhere: '409' } });
    await swapping.run();
    const { green, world } = swapping;
    world.emulator.faults.add({
      kind: 'status',
      status: 403,
      effect: false,
      path: `/connected-domains/${shop}/project`,
      after: 1,
      times: 3,
    });
    const report = await swapping.run();
    expect(report).toMatchObject({ outcome: 'failed', swap: { live: swapping.blue.id } });
    expect(report.swap?.domains).toMatchObject([{ state: 'moved-back' }, { state: 'stays' }]);
    expect(swapping.slots()).toEqual({ ...all('blue'), [preview]: 'green' });
    expect(report.projectId).toBe(green.id);
  });
});

describe.concurrent('domains that are apart', () => {
  it('are gathered where the checks hold, and then the run goes on', async () => {
    for (const good of ['blue', 'green'] as const) {
      await using swapping = await startSwap();
      slot(swapping, { [www]: 'blue', [shop]: 'green', [preview]: 'green' });
      const bad = good === 'blue' ? swapping.green : swapping.blue;
      const isNew = () => bad.deployments.length > 0;
      swapping.answer = (_, project) => (project === bad && !isNew() ? 500 : 200);
      const report = await swapping.run();
      expect(report).toMatchObject({
        outcome: 'succeeded',
        swap: { reconciled: swapping[good].id },
      });
      expect(deployed(swapping)).toEqual([good === 'blue' ? 'green' : 'blue']);
      expect(swapping.slots()).toEqual(all(good === 'blue' ? 'green' : 'blue'));
    }
  });

  it('are gathered where they were being moved to, if both hold; else where they were', async () => {
    for (const [status, reconciled] of [
      [200, 'green'],
      [500, 'blue'],
    ] as const) {
      await using swapping = await startSwap();
      slot(swapping, { [www]: 'blue', [shop]: 'green', [preview]: 'green' });
      swapping.answer = () => (deployed(swapping).length > 0 ? 200 : status);
      expect(await swapping.run()).toMatchObject({ swap: { reconciled: swapping[reconciled].id } });
      expect(deployed(swapping)).not.toContain(reconciled);
    }
  });

  it('are left to the run that moves them, as long as it does', async () => {
    await using swapping = await startSwap();
    slot(swapping, { [www]: 'blue', [shop]: 'green', [preview]: 'green' });
    const run = swapping.run();
    const { journal } = swapping.world.emulator;
    await journal.waitFor(
      ({ operation, endedAt }) => operation === 'listConnectedDomains' && endedAt !== null,
    );
    slot(swapping, { [www]: 'green' });
    const report = await run;
    expect(report).toMatchObject({ outcome: 'succeeded', projectId: swapping.blue.id });
    expect(report.swap?.reconciled).toBeUndefined();
  });

  it('one that nobody has goes to the project that serves the others', async () => {
    await using swapping = await startSwap();
    slot(swapping, { [www]: 'none', [shop]: 'blue', [preview]: 'green' });
    const report = await swapping.run();
    expect(report).toMatchObject({ outcome: 'succeeded', swap: { reconciled: swapping.blue.id } });
    expect(swapping.slots()).toEqual(all('green'));
  });

  it('a single one that nobody has goes where the checks hold at the preview', async () => {
    await using swapping = await startSwap({ domains: [www] });
    slot(swapping, { [www]: 'none', [preview]: 'green' });
    swapping.answer = () => 200;
    expect(await swapping.run()).toMatchObject({ swap: { reconciled: swapping.green.id } });
    expect(deployed(swapping)).toEqual(['blue']);
  });
});

describe.concurrent('somebody else', () => {
  it('who gives the idle project a domain keeps it from being deployed to', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    const { journal } = swapping.world.emulator;
    const before = journal.of('readEnvironment').length;
    const run = swapping.run();
    await journal.waitFor(() => journal.of('readEnvironment').length > before);
    slot(swapping, { [shop]: 'green' });
    expect(await run).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/SD6013/),
    });
    expect(deployed(swapping)).toEqual(['blue']);
  });

  it('who does so while our records are asked keeps it from being deployed to, too', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    let announced = 0;
    const unused = () => Promise.reject(new Error('not asked'));
    const history: DeployHistory = {
      lastGood: unused,
      isOlder: unused,
      takenOff: unused,
      others: unused,
      findVerified: unused,
      forgo: () => undefined,
      // The second time is right before the deployment is posted.
      announce: async () => {
        announced += 1;
        if (announced === 2) slot(swapping, { [shop]: 'green' });
      },
    };
    expect(await swapping.run({ history })).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/SD6013/),
    });
    expect(deployed(swapping)).toEqual(['blue']);
  });

  it('who deploys to the former project keeps domains from being moved back to it', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    const { answer, blue, green } = swapping;
    swapping.answer = (name, project) => {
      if (name === preview || project !== green) return answer(name, project);
      // Another run has seen them there, so that the former project is idle for it.
      slot(swapping, { [preview]: 'blue' });
      return 500;
    };
    const report = await swapping.run();
    expect(report).toMatchObject({ outcome: 'failed', swap: { live: green.id } });
    expect(report.error).toMatch(
      /^The checks failed at the domains, .* The domains are now assigned to .*SD6016\)$/,
    );
    expect(report.error).toContain(`${preview} is now assigned to ${blue.id}`);
    expect(swapping.slots()).toEqual({ ...all('green'), [preview]: 'blue' });
  });

  it('who moves one back while it is checked is seen: the others follow', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    const { answer, green } = swapping;
    swapping.answer = (name, project) => {
      if (name === shop && project === green) slot(swapping, { [www]: 'blue' });
      return answer(name, project);
    };
    expect(await swapping.run()).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^www\.localhost is now assigned to .*SD6013/),
      swap: { live: swapping.blue.id },
    });
    expect(swapping.slots()).toEqual({ ...all('blue'), [preview]: 'green' });
  });

  it('who moves a domain meanwhile is left alone, and told of', async () => {
    await using swapping = await startSwap();
    await swapping.run();
    const { journal } = swapping.world.emulator;
    const third = await swapping.world.emulator.world.createProject();
    const run = swapping.run();
    await journal.waitFor(() => journal.of('createDeployment').length === 2);
    swapping.world.emulator.world.assignDomain(shop, third.id);
    expect(await run).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/SD6013/),
      swap: { domains: [{ state: 'moved-back' }, { state: 'gone' }] },
    });
    expect(swapping.slots()).toMatchObject({ [www]: 'blue', [shop]: third.id });
  });
});
