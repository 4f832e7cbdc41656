import type { Project } from '../contract/project.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { closeWith, iconOf, nameInText, nameOf, type RunReport } from '../report/closing.ts';
import { code, plain, table } from '../report/markdown.ts';
import type { Matrix } from './evaluate.ts';

/** The result of a run of the action. */
export interface ProjectsReport extends RunReport {
  /** As the service returns them. */
  projects: readonly Project[];
  matrix: Matrix;
  /** The number that the service listed, before name pattern and shard. */
  listed: number;
  created?: { projectId: SafeText; initialMessageId: SafeText; state: SafeText };
  /** Why something may exist twice. */
  uncertainties?: readonly SafeText[];
}

/** A report with its list as an output: complete, or empty with an error. */
export interface ListReport extends ProjectsReport {
  listing: readonly Project[];
}

function describeCount({ projects, listed, created }: ProjectsReport): SafeText {
  if (created !== undefined) return safe`Project ${created.projectId} created`;
  return safe`${projects.length} of ${listed} projects`;
}

/** The last line of a run's log. */
export function closeProjects(report: ProjectsReport): string {
  const { outcome } = report;
  const title = outcome === 'succeeded' ? 'Done' : nameOf(outcome);
  // Where nothing was listed, a count would say nothing.
  const isUnlisted = report.listed === 0 && outcome !== 'succeeded';
  return closeWith(title, report, isUnlisted ? undefined : describeCount(report));
}

/** A run's job summary, in GitHub-flavored Markdown. */
export function renderProjects(report: ProjectsReport): string {
  const { outcome, error, uncertainties = [], matrix } = report;
  const title =
    outcome === 'succeeded' ? describeCount(report) : safe`Projects: ${nameInText(outcome)}`;
  const parts = [`## ${iconOf(outcome)} ${plain(title)}`];
  if (error !== undefined) parts.push(`> ${plain(printed(error))}`);
  parts.push(...uncertainties.map((line) => `- ${plain(line)}`));
  const rows = matrix.include.map(({ 'project-id': id, name }) => [code(id), plain(name)]);
  if (rows.length > 0) parts.push(table(['Project', 'Name'], rows.slice(0, 256)));
  return [...parts, ''].join('\n\n');
}
