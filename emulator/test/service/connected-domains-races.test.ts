import { expect, test } from 'vitest';
import {
  connectedDomain as domainShape,
  connectedDomains as domainsShape,
} from '../../../src/contract/connected-domain.ts';
import { createDialect, type DialectOptions } from '../../dialect.ts';
import { Jitter } from '../../service/jitter.ts';
import { type Answer, startWorld, type World } from './support.ts';

const root = '/connected-domains';
const rounds = Array.from({ length: 12 }, (_, index) => index + 1);
const hostOf = (round: number) => `pr-${round}.preview.example.com`;

function assignedIn({ json }: Answer): string | null | undefined {
  return domainShape.parse(json).projectId;
}

/** Two projects and a domain for each round, and requests whose order is left to the jitter. */
async function startRace(dialect: DialectOptions) {
  const world = await startWorld({ dialect: { jitterMs: 12, verifyMs: 60_000, ...dialect } });
  const other = await world.emulator.world.createProject();
  return { ...world, projectIds: [world.project.id, other.id] as const };
}

function stored({ emulator }: World, hostname: string) {
  return emulator.world.domains.all.find((domain) => domain.hostname === hostname);
}

test('of two requests that connect a hostname, one has its way', async () => {
  await using world = await startRace({});
  const winners = new Set<unknown>();
  for (const round of rounds) {
    const hostname = hostOf(round);
    const answers = await Promise.all(
      world.projectIds.map((projectId) =>
        world.send('POST', root, { body: { hostname, projectId } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const created = answers.find(({ status }) => status === 201);
    expect(created && assignedIn(created)).toBe(stored(world, hostname)?.projectId);
    winners.add(stored(world, hostname)?.projectId);
  }
  expect(world.emulator.world.domains.all).toHaveLength(rounds.length);
  expect(winners).toEqual(new Set(world.projectIds));
});

test('of two requests that assign a domain, one has its way where domains do not move', async () => {
  await using world = await startRace({ assignedElsewhere: '409' });
  for (const round of rounds) {
    const hostname = hostOf(round);
    world.emulator.world.connectDomain(hostname);
    const path = `${root}/${hostname}/project`;
    const answers = await Promise.all(
      world.projectIds.map((projectId) => world.send('POST', path, { body: { projectId } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect(stored(world, hostname)?.projectId).toBe(world.projectIds[won]);
  }
});

test('each answer shows the moment of its own effect, and the last effect stays', async () => {
  await using world = await startRace({ assignedElsewhere: 'moves' });
  const last = new Set<unknown>();
  for (const round of rounds) {
    const hostname = hostOf(round);
    world.emulator.world.connectDomain(hostname);
    const path = `${root}/${hostname}/project`;
    const answers = await Promise.all(
      world.projectIds.map((projectId) => world.send('POST', path, { body: { projectId } })),
    );
    expect(answers.map(assignedIn)).toEqual(world.projectIds);
    last.add(stored(world, hostname)?.projectId);
  }
  expect(last).toEqual(new Set(world.projectIds));
});

test('whether a list shows what is connected meanwhile is left to the jitter', async () => {
  await using world = await startRace({});
  const shown = new Set<boolean>();
  for (const round of rounds) {
    const hostname = hostOf(round);
    const [listed] = await Promise.all([
      world.send('GET', root),
      world.send('POST', root, { body: { hostname } }),
    ]);
    const { domains } = domainsShape.parse(listed.json);
    shown.add(domains.some((domain) => domain.hostname === hostname));
  }
  expect(shown).toEqual(new Set([true, false]));
});

test('requests with one key that arrive together have one effect', async () => {
  await using world = await startRace({});
  const body = { hostname: hostOf(1), idempotencyKey: 'key-1' };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => world.send('POST', root, { body })),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const effects = world.emulator.journal.entries.filter(({ effect }) => effect);
  expect(effects).toHaveLength(1);
});

test('pauses are the same for one seed, others for another, and within the bound', () => {
  const pauses = (seed: number, operations: readonly string[]) => {
    const jitter = new Jitter(createDialect({ jitterMs: 1000, seed }));
    return operations.map((operation) => jitter.next(operation));
  };
  const race = ['connectDomain', 'assignDomain', 'connectDomain', 'assignDomain'];
  const [connect1, assign1, connect2, assign2] = pauses(7, race);
  expect(pauses(7, race)).toEqual([connect1, assign1, connect2, assign2]);
  expect(pauses(7, race.toSorted())).toEqual([assign1, assign2, connect1, connect2]);
  expect(connect1).not.toEqual(connect2);
  expect(connect1).not.toEqual(assign1);
  expect(pauses(8, race)[0]).not.toEqual(connect1);
  const all = rounds.flatMap((seed) => pauses(seed, race));
  for (const { beforeEffect, beforeAnswer } of all) {
    expect(beforeEffect).not.toBe(beforeAnswer);
    for (const pause of [beforeEffect, beforeAnswer]) {
      expect(Number.isInteger(pause) && pause >= 0 && pause <= 1000).toBe(true);
    }
  }
});

/** A seed whose first connection takes effect at once and is answered late, or the other way round. */
function seedFor(first: 'beforeEffect' | 'beforeAnswer', jitterMs: number): number {
  for (let seed = 1; ; seed += 1) {
    const pauses = new Jitter(createDialect({ jitterMs, seed })).next('connectDomain');
    const late = first === 'beforeEffect' ? 'beforeAnswer' : 'beforeEffect';
    if (pauses[first] < jitterMs / 1000 && pauses[late] > jitterMs / 2) return seed;
  }
}

test('an answer may come long after its effect', async () => {
  const jitterMs = 60_000;
  const seed = seedFor('beforeEffect', jitterMs);
  await using world = await startWorld({ dialect: { jitterMs, seed } });
  const { emulator, send } = world;
  const answer = send('POST', root, { body: { hostname: hostOf(1) } });
  await expect.poll(() => emulator.world.domains.all, { timeout: 20_000 }).toHaveLength(1);
  emulator.dialect.jitterMs = 0;
  const { json } = await send('GET', root);
  expect(domainsShape.parse(json).domains).toHaveLength(1);
  expect(emulator.journal.of('connectDomain')).toMatchObject([{ status: null }]);
  await Promise.all([expect(answer).rejects.toThrow(), emulator.close()]);
});

test.for([
  { name: 'a latency', dialect: { latencyMs: 60_000 } },
  { name: 'jitter', dialect: { jitterMs: 60_000, seed: seedFor('beforeAnswer', 60_000) } },
])('an effect may come long after its request, by $name', async ({ dialect }) => {
  await using world = await startWorld({ dialect });
  const { emulator, send } = world;
  const answer = send('POST', root, { body: { hostname: hostOf(1) } });
  await emulator.journal.waitFor(({ body }) => body !== undefined);
  Object.assign(emulator.dialect, { latencyMs: 0, jitterMs: 0 });
  const { json } = await send('GET', root);
  expect(domainsShape.parse(json).domains).toEqual([]);
  await Promise.all([expect(answer).rejects.toThrow(), emulator.close()]);
  expect(emulator.world.domains.all).toEqual([]);
});
