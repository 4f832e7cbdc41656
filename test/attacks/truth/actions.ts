import { renderSummary } from '../../../src/deploy/render.ts';
import { renderMessage } from '../../../src/messages/render.ts';
import { runProjects } from '../../../src/projects/apply.ts';
import { renderProjects } from '../../../src/projects/render.ts';
import { runDeploy } from '../../support/deploy.ts';
import { sendNow } from '../../support/message.ts';
import { readReport } from '../../support/read-report.ts';
import { ask, keyDialects, logOf, type Write } from './write.ts';

const claimOf = (isDone: boolean) => (isDone ? 'done' : 'not done');

const noList =
  'the interface has no list of deployments, and a deployment does not say whose it is';

/** What must not be made twice: deployments, messages and projects. */
export const actions: readonly Write[] = [
  {
    name: 'deploy',
    operation: 'createDeployment',
    hasBefore: false,
    dialects: keyDialects,
    unknowable: {
      'given twice': noList,
      'of another object, nothing done': noList,
    },
    arrange: async (world) => {
      const path = `/v1/projects/${world.project.id}/deployments`;
      const other = await ask(world, 'POST', path, {});
      const before = world.project.deployments.length;
      return {
        other,
        act: async () => {
          const report = await runDeploy(world);
          return {
            outcome: report.outcome,
            claim: claimOf(report.outcome === 'succeeded'),
            log: logOf(world, report.error),
            summary: renderSummary(report.whole),
          };
        },
        look: () => ({ stands: world.project.deployments.length - before }),
      };
    },
  },
  {
    name: 'send a message',
    operation: 'sendMessage',
    hasBefore: false,
    dialects: keyDialects,
    arrange: async (world) => {
      const path = `/v1/projects/${world.project.id}/messages`;
      const other = await ask(world, 'POST', path, { content: 'Make it red.' });
      return {
        other,
        act: async () => {
          const report = await sendNow(world);
          return {
            outcome: report.outcome,
            claim: claimOf(report.outcome === 'succeeded'),
            log: logOf(world, report.error),
            summary: renderMessage(report.whole),
          };
        },
        look: () => ({ stands: world.project.messages.length - 1 }),
      };
    },
  },
  {
    name: 'create a project',
    operation: 'createProject',
    hasBefore: false,
    dialects: keyDialects,
    unknowable: {
      'given twice':
        'a project has no name of ours, so that a second new one may be that of somebody else',
    },
    arrange: async (world) => {
      const list = await ask(world, 'GET', '/v1/projects');
      const other = Array.isArray(list) ? list[0] : undefined;
      return {
        other,
        act: async () => {
          const report = readReport(await runProjects(world, { kind: 'create', body: {} }));
          return {
            outcome: report.outcome,
            claim: claimOf(report.outcome === 'succeeded'),
            log: logOf(world, report.error),
            summary: renderProjects(report.whole),
          };
        },
        look: () => ({ stands: world.emulator.world.projects.length - 1 }),
      };
    },
  },
];
