import { describe, expect, it } from 'vitest';
import type { ConnectedDomain } from '../../../src/contract/connected-domain.ts';
import { ensureAssigned } from '../../../src/domains/assign-domain.ts';
import { type CleanUpRequest, cleanUp } from '../../../src/previews/end-preview.ts';
import type { Ownership } from '../../../src/previews/intent.ts';
import { hostnameMatcher } from '../../../src/previews/model/preview-hostname.ts';
import { guardName, type PreviewRequest } from '../../../src/previews/preview.ts';
import { runDeploy } from '../../support/deploy.ts';
import { desired } from '../../support/variables.ts';
import { startWorld, type World } from '../../support/world.ts';

const hostname = 'topic.p.example.com';

/** The preview of a pull request whose branch made the hostname, and of which no record says anything. */
const ofBranch = (fields: Partial<PreviewRequest> = {}): PreviewRequest => ({
  template: 'a.example.com',
  hostname,
  matcher: hostnameMatcher('{branch}.p.example.com', { owner: 'o', repo: 'r' }),
  timeout: 60_000,
  onPending: 'warn',
  known: [],
  ownership: { by: 'record', claim: undefined },
  ...fields,
});

const domainOf = ({ emulator }: World) =>
  emulator.world.domains.all.find((domain) => domain.hostname === hostname);

const cleanUpOf = (world: World, ownership: Ownership, disconnect = false): CleanUpRequest => ({
  hostname,
  projects: [world.project.id],
  ownership,
  disconnect,
});

describe.concurrent('a hostname that a branch made', () => {
  it.each([[['listConnectedDomains']], [['listConnectedDomains', 'readConnectedDomain']]] as const)(
    'is not taken where the key may not %j: it is looked at, or left',
    async (refuse) => {
      await using world = await startWorld({ dialect: { refuse: [...refuse] } });
      world.emulator.world.connectDomain(hostname, world.project.id);
      const report = await runDeploy(world, {
        preview: ofBranch(),
        guarded: true,
        variables: [desired('A')],
      });
      expect(report.outcome).toBe('failed');
      expect(world.project.deployments).toEqual([]);
      expect(world.project.variables).toEqual([]);
      expect(domainOf(world)?.projectId).toBe(world.project.id);
    },
  );

  it('that is not connected is looked at alone where domains cannot be listed', async () => {
    await using world = await startWorld({ dialect: { refuse: ['listConnectedDomains'] } });
    const report = await runDeploy(world, { preview: ofBranch(), guarded: true });
    expect(report.outcome).toBe('succeeded');
    expect(domainOf(world)?.projectId).toBe(world.project.id);
  });

  it('is not taken where somebody connected it since it was looked at', async () => {
    await using world = await startWorld();
    const { emulator, project } = world;
    const other = await emulator.world.createProject();
    emulator.world.connectDomain(hostname, other.id);
    const placing = {
      hostname,
      projectId: project.id,
      current: undefined,
      accepts: (found: ConnectedDomain) => guardName(ofBranch(), found),
    };
    await expect(ensureAssigned(world, placing)).rejects.toThrow(
      'no record shows that it is this pull request',
    );
    expect(domainOf(world)?.projectId).toBe(other.id);
  });

  it('is noted before it is given to a project, and only if it was free or ours', async () => {
    await using world = await startWorld();
    const told: string[] = [];
    const record = {
      take: (projectId: string) => {
        told.push(`take ${projectId}, connected: ${domainOf(world) !== undefined}`);
      },
      begin: () => told.push('begin'),
    };
    await runDeploy(world, { preview: ofBranch({ record }), guarded: true });
    expect(told).toEqual([`take ${world.project.id}, connected: false`, 'begin']);
    told.length = 0;
    await runDeploy(world, { preview: ofBranch({ record }), guarded: false });
    expect(told).toEqual(['begin']);
  });
});

describe.concurrent('a clean-up', () => {
  it.each<[string, Ownership, boolean]>([
    ['without a record', { by: 'record', claim: undefined }, false],
    ['without a record, however', { by: 'record', claim: undefined }, true],
    [
      'of another hostname',
      { by: 'record', claim: { hostname: 'other.example.com', projectId: '' } },
      true,
    ],
    ['of another project', { by: 'record', claim: { hostname, projectId: 'another' } }, true],
  ])(
    '%s leaves a domain alone that a branch has the name of, and does not say that it is gone',
    async (_, ownership, disconnect) => {
      await using world = await startWorld();
      world.emulator.world.connectDomain(hostname, world.project.id);
      const asked = cleanUpOf(world, ownership, disconnect);
      await expect(cleanUp(world, asked)).rejects.toThrow(
        'no record shows that it is the preview of this pull request',
      );
      expect(domainOf(world)?.projectId).toBe(world.project.id);
    },
  );

  it('of what was recorded ends it', async () => {
    await using world = await startWorld();
    const { id: projectId } = world.project;
    world.emulator.world.connectDomain(hostname, projectId);
    const ownership = { by: 'record', claim: { hostname, projectId } } as const;
    const asked = cleanUpOf(world, ownership);
    expect(await cleanUp(world, asked)).toBe('cleared');
    expect(await cleanUp(world, { ...asked, disconnect: true })).toBe('disconnected');
  });
});
