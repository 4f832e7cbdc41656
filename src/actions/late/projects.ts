import { diagnose } from '../../kernel/diagnostic.ts';
import { mapTexts } from '../../kernel/json.ts';
import { safe } from '../../kernel/text/safe.ts';
import { runProjects } from '../../projects/apply.ts';
import type { ProjectsValues } from '../../projects/inputs.ts';
import type { ProjectsIntent } from '../../projects/intent.ts';
import type { ProjectsOutputs } from '../../projects/outputs.ts';
import {
  closeProjects,
  type ListReport,
  type ProjectsReport,
  renderProjects,
} from '../../projects/render.ts';
import { nameInText } from '../../report/closing.ts';
import { jsonOutput } from '../../report/outputs.ts';
import type { View } from '../../step/end-step.ts';
import type { Open } from '../../step/step.ts';

export { complete, finish, refuse } from '../../step/end-step.ts';
export { openService } from '../../step/open-service.ts';

/** Lists projects, or creates one; a list that is too long for the outputs fails. */
export async function runWhole(open: Open, intent: ProjectsIntent): Promise<ListReport> {
  const report = await runProjects(open, intent);
  const listing = mapTexts(report.projects, open.redact);
  const length = jsonOutput(listing).length + jsonOutput(report.matrix).length;
  return length <= longestOutputs ? { ...report, listing } : tooLong(report, length, intent);
}

/** The most characters of a project list and its matrix: GitHub rejects more than 1 MiB of a job's outputs. */
const longestOutputs = 500_000;

/** The report without its list, which is too long for an output. */
function tooLong(report: ProjectsReport, length: number, intent: ProjectsIntent): ListReport {
  const left = { ...report, matrix: { include: [] }, listing: [] };
  if (report.error !== undefined) return left;
  const parts =
    Math.ceil(length / longestOutputs) * ((intent.kind === 'list' && intent.shard?.of) || 1);
  const how =
    report.created === undefined
      ? safe`Run this step ${parts} times with shard: 1/${parts} to ${parts}/${parts}, or narrow the list with name-pattern or filter.`
      : safe`The project was created.`;
  const error = diagnose(
    'SD5206',
    safe`The list of ${report.projects.length} projects is too long for the outputs: ${length} characters, the limit is ${longestOutputs}. ${how}`,
  );
  return { ...left, outcome: 'failed', error };
}

/** The reports of this action. */
export const projectsView: View<ProjectsValues, ProjectsOutputs, ListReport> = {
  action: 'projects',
  unsent: (_step, outcome) => ({
    ...outcome,
    projects: [],
    listing: [],
    matrix: { include: [] },
    listed: 0,
  }),
  show: (report) => ({
    outputs: {
      projects: report.listing,
      matrix: report.matrix,
      count: report.matrix.include.length,
      'project-id': report.created?.projectId,
      'initial-message-id': report.created?.initialMessageId,
    },
    title: `Projects: ${nameInText(report.outcome)}`,
    closing: closeProjects(report),
    summary: () => renderProjects(report),
  }),
};
