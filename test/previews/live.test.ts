import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { hostnameMatcher } from '../../src/deploy/previews/model/preview-hostname.ts';
import type { PreviewRequest } from '../../src/deploy/previews/preview.ts';
import { abortOn } from '../support/abort-on.ts';
import { runDeploy } from '../support/deploy.ts';
import { checkMessage } from '../support/messages.ts';
import { warningsIn } from '../support/read-report.ts';
import { linesIn, startWorld, type World } from '../support/world.ts';

const hostname = 'pr-7.preview.localhost';

const preview = (fields: Partial<PreviewRequest> = {}): PreviewRequest => ({
  hostname,
  matcher: hostnameMatcher('pr-{number}.preview.localhost', { owner: 'o', repo: 'r' }),
  timeout: 60_000,
  strict: false,
  known: [],
  ...fields,
});

const warnings = ({ told }: World) => warningsIn(told);

/** A check of the page at a hostname, which the local service serves. */
function check({ emulator }: World, host = hostname) {
  const url = new URL(emulator.url);
  url.hostname = host;
  return { url, contains: 'Hello', namesCommit: false };
}

const word = (text: string) => ({ waiting: text, working: text, good: text, bad: text });

/** A service that shows a domain all its statuses in one word. */
const wordy = (text: string): DialectOptions => ({
  domainWords: {
    state: word(text),
    ownership: word(text),
    certificate: word(text),
    routing: { ...word(text), unassigned: text },
  },
});

describe.concurrent('a preview is live', () => {
  it('once its domain is verified and the deployment succeeded', async () => {
    await using world = await startWorld();
    const report = await runDeploy(world, { preview: preview() });
    expect(report).toMatchObject({
      outcome: 'succeeded',
      preview: { hostname, isLive: true },
    });
  });

  const others: readonly (readonly [string, DialectOptions, Parameters<typeof runDeploy>[1]])[] = [
    ['while its domain is not verified', { domainEnds: 'never' }, {}],
    ['if its domain failed its verification', { domainEnds: 'failure' }, {}],
    ['if the service no status reporteds domain', wordy(''), {}],
    ['if the deployment failed', { deploymentEnds: 'failure' }, {}],
    ['if nothing confirms the deployment', { offers: 'neither' }, {}],
    ['if it is not waited for', {}, { wait: 'none' }],
    ['if nothing was deployed', {}, { deploys: false }],
  ];
  it.each(others)('not %s, and its hostname is told', async (_, dialect, fields) => {
    await using world = await startWorld({ dialect });
    world.emulator.world.connectDomain(hostname, world.project.id);
    const report = await runDeploy(world, { preview: preview(), ...fields });
    expect(report).toMatchObject({ preview: { hostname, isLive: false } });
  });

  it('not if its domain was assigned elsewhere in the meantime', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never' } });
    const other = await world.emulator.world.createProject();
    const { report: tell } = world.host;
    world.host.report = (progress) => {
      tell(progress);
      if (progress.type !== 'deployment-accepted') return;
      world.emulator.world.assignDomain(hostname, other.id);
      world.emulator.dialect.domainEnds = 'success';
    };
    const report = await runDeploy(world, { preview: preview() });
    expect(report).toMatchObject({ outcome: 'succeeded', preview: { isLive: false } });
    expect(warnings(world)).toEqual([expect.stringContaining('no longer assigned')]);
  });

  it.each([0, 6])(
    'not if the assignment did nothing, whatever its answer shows, and %i looks fail',
    async (times) => {
      await using world = await startWorld();
      const { emulator, project } = world;
      emulator.world.connectDomain(hostname);
      const words = { state: 'active', ownershipStatus: 'verified', routingStatus: 'routed' };
      const body = JSON.stringify({ hostname, projectId: project.id, ...words });
      const lie = { kind: 'status', status: 200, effect: false, body } as const;
      emulator.faults.add({ operation: 'assignDomain', ...lie });
      const fault = { operation: 'readConnectedDomain', kind: 'status', status: 500 } as const;
      if (times > 0) emulator.faults.add({ ...fault, effect: false, after: 1, times });
      const report = await runDeploy(world, { preview: preview() });
      expect(report).toMatchObject({ outcome: 'succeeded', preview: { isLive: false } });
      expect(warnings(world)).toEqual([expect.stringContaining('no longer assigned')]);
    },
  );

  it.each([500, 403])(
    'not if the assignment did nothing, whatever its answer shows, and each look fails with %i',
    async (status) => {
      await using world = await startWorld();
      const { emulator, project } = world;
      emulator.world.connectDomain(hostname);
      const words = { state: 'active', ownershipStatus: 'verified', routingStatus: 'routed' };
      const body = JSON.stringify({ hostname, projectId: project.id, ...words });
      const lie = { kind: 'status', status: 200, effect: false, body } as const;
      emulator.faults.add({ operation: 'assignDomain', ...lie });
      const fault = { operation: 'readConnectedDomain', kind: 'status', status } as const;
      emulator.faults.add({ ...fault, effect: false, after: 1, times: Infinity });
      const report = await runDeploy(world, { preview: preview() });
      expect(report).toMatchObject({ outcome: 'succeeded', preview: { isLive: false } });
      expect(warnings(world)).toEqual([
        expect.stringContaining(`Following the verification of ${hostname} failed`),
      ]);
    },
  );

  it('not if the run ends before anything was placed', async () => {
    await using world = await startWorld({ dialect: { refuse: ['connectDomain'] } });
    const report = await runDeploy(world, { preview: preview() });
    expect(report).toMatchObject({ outcome: 'failed', preview: { hostname } });
    expect(report.preview?.domain).toBeUndefined();
  });
});

describe.concurrent("a domain's word that no table has", () => {
  it('is told once with the line that teaches it, and leaves open whether it is verified', async () => {
    await using world = await startWorld({ dialect: wordy('zorp') });
    const report = await runDeploy(world, { preview: preview() });
    expect(report).toMatchObject({
      outcome: 'succeeded',
      preview: { isLive: false, domain: { verification: 'unclear', unknown: ['zorp'] } },
    });
    expect(warnings(world)).toEqual([
      expect.stringMatching(
        /^The domain pr-7\S+ has an unknown status after 1m \(state zorp.*If it is final, add success=zorp or failure=zorp to the input service, or confirm it by verify-url: https:\/\/\{preview-domain\}\/\. \(SD6001\)$/,
      ),
    ]);
  });

  it('is told with that line in the error, too', async () => {
    await using world = await startWorld({ dialect: wordy('zorp') });
    const report = await runDeploy(world, { preview: preview({ strict: true }) });
    expect(report.outcome).toBe('failed');
    expect(
      report.error?.split('If it is final, add success=zorp or failure=zorp to the input service'),
    ).toHaveLength(2);
  });

  it('beside one of progress says no more than that', async () => {
    const routing = { ...word('pending'), unassigned: 'pending' };
    const { domainWords } = wordy('zorp');
    await using world = await startWorld({ dialect: { domainWords: { ...domainWords, routing } } });
    const report = await runDeploy(world, { preview: preview() });
    expect(report.preview?.domain).toMatchObject({ verification: 'pending' });
    expect(report.preview?.domain).not.toHaveProperty('unknown');
  });

  it('is taught by success=', async () => {
    await using world = await startWorld({ dialect: wordy('Zorp_Zap') });
    const report = await runDeploy(world, {
      preview: preview(),
      customStatuses: { success: ['zorp-zap'], failure: [] },
    });
    expect(report).toMatchObject({
      preview: { isLive: true, domain: { verification: 'good', records: [] } },
    });
    expect(warnings(world)).toEqual([]);
  });

  it('is taught by failure=', async () => {
    await using world = await startWorld({ dialect: wordy('zorp') });
    const report = await runDeploy(world, {
      preview: preview(),
      customStatuses: { success: [], failure: ['ZORP'] },
    });
    expect(report).toMatchObject({ preview: { isLive: false, domain: { verification: 'bad' } } });
    expect(warnings(world)).toEqual([expect.stringContaining('failed its verification')]);
  });

  it('that failed is told with what the service says, as sentences', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'failure' } });
    await runDeploy(world, { preview: preview() });
    expect(warnings(world)).toEqual([
      expect.stringMatching(
        /The service reported: The TXT record \S+ was not found\. Create the DNS records in the summary/,
      ),
    ]);
    for (const warning of warnings(world)) checkMessage(warning);
  });

  it('that is one of many of progress is not explained', async () => {
    await using world = await startWorld({ dialect: wordy('propagating') });
    await runDeploy(world, { preview: preview() });
    expect(warnings(world)).toEqual([expect.not.stringContaining('success=')]);
  });

  it('that is none at all is said to be so, with what would tell', async () => {
    await using world = await startWorld({ dialect: wordy('') });
    await runDeploy(world, { preview: preview() });
    expect(warnings(world)).toEqual([
      expect.stringMatching(/no status reported.*verify-url: https:\/\/\{preview-domain\}/),
    ]);
  });
});

describe.concurrent("a check at the preview's address", () => {
  it.each<[string, DialectOptions]>([
    ['never verified', { domainEnds: 'never' }],
    ['shown without a status', wordy('')],
    ['shown in other words', wordy('zorp')],
    ['said to have failed', wordy('failed')],
  ])('that held counts as verified, and nothing more is waited for: %s', async (_, dialect) => {
    await using world = await startWorld({ dialect });
    const request = { preview: preview({ timeout: 60 * 60_000, strict: true }) };
    const report = await runDeploy(world, { ...request, verify: check(world) });
    expect(report).toMatchObject({
      outcome: 'succeeded',
      preview: { isLive: true, domain: { verification: 'good', records: [] } },
    });
    expect(warnings(world)).toEqual([]);
  });

  it('that held and is all that confirms the deployment counts, too', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never', offers: 'neither' } });
    world.emulator.world.connectDomain(hostname, world.project.id);
    const request = { preview: preview({ timeout: 60 * 60_000 }) };
    const verify = { ...check(world), namesCommit: true };
    const report = await runDeploy(world, { ...request, verify });
    expect(report).toMatchObject({ release: { confirmedBy: 'site' }, preview: { isLive: true } });
  });

  it('elsewhere does not count', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never' } });
    const elsewhere = { url: new URL(world.project.siteUrl), contains: '', namesCommit: false };
    const report = await runDeploy(world, { preview: preview(), verify: elsewhere });
    expect(report).toMatchObject({ outcome: 'succeeded', preview: { isLive: false } });
  });
});

describe.concurrent('a time-out', () => {
  it('while the domain is followed says that the deployment succeeded, and what is missing', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never' } });
    const { report: tell } = world.host;
    let isDeployed = false;
    world.host.report = (progress) => {
      tell(progress);
      isDeployed ||= progress.type === 'status' && progress.status === 'succeeded';
    };
    const { clock } = world.host;
    world.host.clock = {
      ...clock,
      sleep: async (milliseconds, signal) => {
        if (isDeployed && milliseconds > 4000) world.abort('timed-out');
        await clock.sleep(milliseconds, signal);
      },
    };
    const { outcome, error } = await runDeploy(world, {
      preview: preview({ timeout: 19 * 60_000 }),
    });
    expect(outcome).toBe('timed-out');
    expect(error).toContain('The deployment succeeded.');
    expect(error).toContain(`${hostname} is not verified yet`);
    expect(error).toContain('Create the DNS records in the summary');
    expect(error).not.toContain('may still go live');
  });

  it('of a page at an address that is not verified says what the domain lacks', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never' } });
    abortOn(world, (told) => linesIn(told).startsWith('Check '));
    const verify = { ...check(world), contains: 'no such text' };
    const { error } = await runDeploy(world, { preview: preview(), verify });
    expect(error).toContain('does not contain "no such text"');
    expect(error).toContain(`${hostname} is not verified yet`);
    expect(error).toContain('Create the DNS records in the summary');
  });
});
