import { runCleanUp } from '../../../src/deploy/clean-up.ts';
import { hostnameMatcher } from '../../../src/deploy/previews/model/preview-hostname.ts';
import { renderSummary } from '../../../src/deploy/render.ts';
import { printed } from '../../../src/kernel/diagnostic.ts';
import { runDeploy } from '../../support/deploy.ts';
import type { World } from '../../support/world.ts';
import type { RepeatDetector } from './rules.ts';
import { ask, keyDialects, logOf, type Write } from './write.ts';

const hostname = 'pr-7.p.example.com';
const matcher = hostnameMatcher('pr-{number}.p.example.com', { owner: 'o', repo: 'r' });

/** Points a preview's hostname at its project as a deploy step does. */
async function place(world: World): Promise<RepeatDetector> {
  const report = await runDeploy(world, {
    deploys: false,
    preview: {
      hostname,
      matcher,
      timeout: 60_000,
      strict: false,
      known: [],
    },
  });
  const { preview, outcome } = report;
  // Whether it is verified is another question, which a run that ended well may leave open.
  const isDone = preview?.domain !== undefined && outcome === 'synced';
  return {
    outcome,
    claim: isDone ? 'done' : 'not done',
    log: logOf(world, report.error),
    summary: renderSummary(report.whole),
  };
}

/** Ends a preview as the step of a closed pull request does. */
async function end(world: World, disconnect: boolean): Promise<RepeatDetector> {
  const { project } = world;
  const request = { hostname, projects: [project.id], disconnect };
  const report = await runCleanUp(world, request, async () => false);
  const whole = {
    projectId: project.id,
    commit: 'HEAD' as const,
    phases: [],
    durationMs: 0,
    requests: 0,
  };
  return {
    outcome: report.outcome,
    claim: report.outcome === 'cleaned-up' ? 'done' : 'not done',
    log: logOf(world, report.error && printed(report.error)),
    summary: renderSummary({ ...whole, ...report }),
  };
}

const domainOf = ({ emulator }: World) =>
  emulator.world.domains.all.find((domain) => domain.hostname === hostname);
const isPlaced = (world: World) => (domainOf(world)?.projectId === world.project.id ? 1 : 0);

/** Another preview of the same project, verified. */
async function another(world: World, projectId?: string): Promise<unknown> {
  world.emulator.dialect.verifyMs = 0;
  world.emulator.world.connectDomain('pr-8.p.example.com', projectId);
  return await ask(world, 'GET', '/connected-domains/pr-8.p.example.com?revalidate=true');
}

const bare = { hostname };
const shown = (world: World) => ask(world, 'GET', `/connected-domains/${hostname}`);

/** The writes of section "Connected domains", as the deploy action does them for pull requests. */
export const previewWrites: readonly Write[] = [
  {
    name: 'connect a preview',
    operation: 'connectDomain',
    hasBefore: false,
    hasBare: true,
    dialects: keyDialects,
    arrange: async (world) => ({
      other: await another(world, world.project.id),
      bare,
      act: () => place(world),
      look: () => ({ stands: isPlaced(world) }),
    }),
  },
  {
    name: 'assign a preview',
    operation: 'assignDomain',
    hasBefore: true,
    hasBare: true,
    dialects: keyDialects,
    arrange: async (world) => {
      world.emulator.world.connectDomain(hostname);
      return {
        before: await shown(world),
        other: await another(world, world.project.id),
        bare,
        act: () => place(world),
        look: () => ({ stands: isPlaced(world) }),
      };
    },
  },
  {
    name: 'clear a preview',
    operation: 'assignDomain',
    hasBefore: true,
    hasBare: true,
    dialects: keyDialects,
    arrange: async (world) => {
      world.emulator.world.connectDomain(hostname, world.project.id);
      return {
        before: await shown(world),
        other: await another(world),
        bare,
        act: () => end(world, false),
        look: () => ({ stands: domainOf(world)?.projectId === null ? 1 : 0 }),
      };
    },
  },
  {
    name: 'disconnect a preview',
    operation: 'disconnectDomain',
    hasBefore: true,
    hasBare: true,
    dialects: keyDialects,
    arrange: async (world) => {
      world.emulator.world.connectDomain(hostname, world.project.id);
      return {
        before: await shown(world),
        other: { hostname: 'pr-8.p.example.com' },
        bare,
        act: () => end(world, true),
        look: () => ({ stands: domainOf(world) === undefined ? 1 : 0 }),
      };
    },
  },
];
