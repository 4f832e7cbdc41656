import { randomUUID } from 'node:crypto';
import type { ProjectId } from '../../src/contract/safe-text.ts';
import { readSiteFile } from '../../src/declared/model/read.ts';
import { type DomainsRequest, manageDomains } from '../../src/domains/domains.ts';
import { type DeclaredDomains, readDeclaredDomains } from '../../src/domains/intent.ts';
import type { DomainsReport } from '../../src/domains/result.ts';
import { idempotencyKey } from '../../src/kernel/cryptography.ts';
import type { KeyFor } from '../../src/step/step.ts';
import { type ReadReport, readReport, warningsIn } from '../support/read-report.ts';
import type { World } from '../support/world.ts';

/** The domains that a site file declares. @throws if anything is wrong with it */
export function declaredIn(site: object, self: ProjectId): DeclaredDomains {
  const reading = readSiteFile(JSON.stringify(site));
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  const { declared, mistakes } = readDeclaredDomains(reading.siteFile, {
    self,
    positionOf: reading.positionOf,
  });
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes));
  return declared;
}

/** Makes the idempotency keys of one run: the same for each retry, others in the next run. */
function keysOfRun(): KeyFor {
  const run = { repository: 'o/r', runId: '1', runAttempt: '1', job: 'j', step: 's' };
  const identity = { ...run, nonce: randomUUID() };
  return (operation, target) => idempotencyKey(identity, operation, target);
}

/** Runs the domains command in a world, with everything at its default that a test does not care about. */
export async function runDomains(
  world: World,
  site: object,
  fields: Partial<DomainsRequest> = {},
): Promise<ReadReport<DomainsReport>> {
  return readReport(
    await manageDomains(
      { ...world, keyFor: keysOfRun() },
      {
        declared: declaredIn(site, world.project.id as ProjectId),
        check: [],
        maxPrice: undefined,
        planOnly: false,
        gates: { expectedPlan: undefined, maxChanges: undefined },
        guarded: false,
        follow: undefined,
        ...fields,
      },
    ),
  );
}

/** Plans a site, and writes nothing. */
export async function planDomainsOf(
  world: World,
  site: object,
): Promise<ReadReport<DomainsReport>> {
  return await runDomains(world, site, { planOnly: true });
}

/** What became of each write, as `name, action`, by outcome. */
export function resultsOf({ results }: Pick<DomainsReport, 'results'>): Record<string, string[]> {
  const groups = Map.groupBy(results, ({ outcome }) => outcome);
  return Object.fromEntries(
    Array.from(groups, ([outcome, group]) => [
      outcome,
      group.map(({ name, action }) => `${name}, ${action}`),
    ]),
  );
}

/** The warnings that were told. */
export function warningsTold({ told }: World): string[] {
  return warningsIn(told);
}
