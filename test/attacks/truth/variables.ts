import { type EnvSyncRequest, renderSync } from '../../../src/variables/env-sync.ts';
import type { ConflictPolicy, DesiredVariable } from '../../../src/variables/intent.ts';
import { memoryLedgers, runEnvSync } from '../../support/sync.ts';
import { desired, removing } from '../../support/variables.ts';
import type { World } from '../../support/world.ts';
import type { RepeatDetector } from './rules.ts';
import { ask, logOf, type Write } from './write.ts';

const dialects: Write['dialects'] = {
  'as usual': {},
  'names may be there twice, stale versions are ignored': {
    duplicateName: 'allow',
    staleVersion: 'ignore',
  },
  'no times are shown': { variableTimes: 'absent' },
  'writes answer nothing': { writeBody: 'empty' },
};

const done = new Set(['created', 'replaced', 'retargeted', 'deleted', 'unchanged']);

/** Syncs as a step does, and gives what it says of one variable. */
async function sync(
  world: World,
  name: string,
  fields: Partial<EnvSyncRequest>,
): Promise<RepeatDetector> {
  world.told.length = 0;
  const isDeleted = !fields.variables?.some((one) => one.name === name);
  const report = await runEnvSync(world, {
    ...fields,
    removals: isDeleted ? removing(name) : removing(),
  });
  const result = report.environment?.variables.find((one) => one.name === name);
  const isDone = result === undefined || done.has(result.outcome);
  const isKept = result?.outcome === 'kept';
  return {
    outcome: report.outcome,
    claim: isDone ? 'done' : isKept ? 'left alone' : 'not done',
    log: logOf(world, report.error),
    summary: renderSync(report.whole),
  };
}

/** The environment of another project, in which the same names stand as they are wanted here. */
async function anothersEnvironment(world: World): Promise<unknown> {
  const [another] = world.emulator.world.createProjects(1);
  for (const name of ['KEPT', 'IT', 'OTHER']) another?.setVariable({ name, value: 'of another' });
  return await ask(world, 'GET', `/v1/projects/${another?.id}/environment`);
}

interface Case {
  name: string;
  operation: string;
  /** What a run before has declared. */
  first: readonly DesiredVariable[];
  /** What somebody set by hand before. */
  byHand?: string;
  now: readonly DesiredVariable[];
}

const kept = desired('KEPT');
const it = desired('IT');
const cases: readonly Case[] = [
  { name: 'create', operation: 'createVariable', first: [kept], now: [kept, it] },
  {
    name: 'replace',
    operation: 'replaceVariable',
    first: [kept, desired('IT', { value: 'old' })],
    now: [kept, it],
  },
  {
    name: 'replace by hand',
    operation: 'replaceVariable',
    first: [kept],
    byHand: 'old',
    now: [kept, it],
  },
  {
    name: 'retarget',
    operation: 'retargetVariable',
    first: [kept, { ...it, preview: false }],
    now: [kept, it],
  },
  { name: 'delete', operation: 'deleteVariable', first: [kept, it], now: [kept] },
];

const believed = "the environment of another project is taken for this one's";
const ofAnother: Readonly<Record<string, Write['unknowable']>> = {
  create: {
    'of another object, carried out': believed,
    'of another object, nothing done': believed,
  },
  delete: { 'of another object, nothing done': believed },
};

/** Where a version decides, there is less to try. */
const fewDialects = { 'as usual': {} };
const policies = ['overwrite', 'keep', 'fail'] as const;

function variableWrite(
  { name, operation, first, byHand, now }: Case,
  onConflict: ConflictPolicy,
): Write {
  const isUsual = onConflict === 'overwrite';
  return {
    name: `${name} a variable${isUsual ? '' : `, under ${onConflict}`}`,
    parts: [name, onConflict],
    operation,
    hasBefore: true,
    ...(ofAnother[name] && { unknowable: ofAnother[name] }),
    dialects: isUsual ? dialects : fewDialects,
    arrange: async (world) => {
      const { project } = world;
      const ledgers = memoryLedgers();
      await runEnvSync(world, { variables: first, ledgers });
      if (byHand !== undefined) project.setVariable({ name: 'IT', value: byHand });
      const path = `/v1/projects/${project.id}/environment`;
      const asWanted = () =>
        project.variables.filter(
          (one) => one.name === 'IT' && one.value === it.value && one.preview && one.production,
        ).length;
      const isGone = () => (project.variables.some((one) => one.name === 'IT') ? 0 : 1);
      const act = () => sync(world, 'IT', { variables: now, ledgers, onConflict });
      return {
        other: await anothersEnvironment(world),
        before: await ask(world, 'GET', path),
        act,
        actAgain: act,
        look: () => ({ stands: now.includes(it) ? asWanted() : isGone() }),
      };
    },
  };
}

/** The writes of section "Environment variables". */
export const variableWrites: readonly Write[] = policies.flatMap((policy) =>
  cases.map((one) => variableWrite(one, policy)),
);
