import { runProjects } from '../../commands/projects.ts';
import { coded } from '../../core/catalogue/coded.ts';
import { nameOf } from '../../core/report/closing.ts';
import { closeProjects, renderProjects } from '../../core/report/projects-report.ts';
import type { Action, Hidden } from '../action.ts';
import type { ListReport, ProjectsWork } from '../starts/projects.ts';

/** The most characters of a project list and its matrix: GitHub refuses more than 1 MiB of a job's outputs. */
const longestOutputs = 500_000;

/** Lists projects, or creates one. */
export const projectsAction: Action<'projects', Hidden, ProjectsWork, ListReport> = {
  execute: async (_step, _read, { request }, open) => {
    const report = await runProjects(open, request);
    const listing = open.redact(JSON.stringify(report.projects));
    if (listing.length + JSON.stringify(report.matrix).length <= longestOutputs) {
      return { report: { ...report, listing } };
    }
    open.warn(
      coded(
        'SD5206',
        'The output projects is empty: GitHub takes only 1 MiB of outputs from a job, and the list is too long. The output matrix is whole; use shard or name-pattern for shorter lists.',
      ),
    );
    return { report: { ...report, listing: '' } };
  },
  unsent: (_step, end) => ({
    ...end,
    projects: [],
    listing: '[]',
    matrix: { include: [] },
    listed: 0,
  }),
  report: (report) => ({
    outputs: {
      projects: report.listing,
      matrix: JSON.stringify(report.matrix),
      count: String(report.projects.length),
      'project-id': report.created?.projectId ?? '',
      'initial-message-id': report.created?.initialMessageId ?? '',
    },
    title: `Projects: ${nameOf(report.outcome).toLowerCase()}`,
    closing: closeProjects(report),
    summary: () => renderProjects(report),
  }),
};
