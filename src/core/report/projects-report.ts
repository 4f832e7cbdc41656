import type { Project } from '../../contract/project.ts';
import type { Coded } from '../catalogue/coded.ts';
import type { Outcome } from '../outcome.ts';
import type { Matrix } from '../projects/select.ts';
import { code, plain, table } from '../text/markdown.ts';
import { type SafeText, safe, trusted } from '../text/safe.ts';
import { closeWith, iconOf, nameOf } from './closing.ts';

/** Everything that a run of the projects command has to say. */
export interface ProjectsReport {
  outcome: Outcome;
  /** As the service gives them. */
  projects: readonly Project[];
  matrix: Matrix;
  /** How many the service listed, before name pattern and shard. */
  listed: number;
  created?: { projectId: SafeText; initialMessageId: SafeText; state: SafeText };
  /** What was maybe made twice, and what is known of it, in words. */
  uncertainties?: readonly SafeText[];
  requests: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Coded;
}

/** The most rows of a table. */
const maxRows = 256;

function count({ projects, listed, created }: ProjectsReport): SafeText {
  if (created !== undefined) return safe`Project ${created.projectId} created`;
  return safe`${projects.length} of ${listed} projects`;
}

/** What a run that did not succeed came to. */
const describeEnd = (outcome: Outcome): SafeText =>
  safe`Projects: ${trusted(nameOf(outcome).toLowerCase())}`;

/** The last line of a run's log. */
export function closeProjects(report: ProjectsReport): string {
  const { outcome } = report;
  const title = outcome === 'succeeded' ? 'Done' : nameOf(outcome);
  return closeWith(title, report, count(report));
}

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderProjects(report: ProjectsReport): string {
  const { outcome, error, uncertainties = [], matrix } = report;
  const rows = matrix.include
    .slice(0, maxRows)
    .map(({ 'project-id': id, name }) => [code(id), plain(name)]);
  return [
    `## ${iconOf(outcome)} ${plain(outcome === 'succeeded' ? count(report) : describeEnd(outcome))}`,
    ...(error === undefined ? [] : [`> ${plain(error)}`]),
    ...uncertainties.map((line) => `- ${plain(line)}`),
    ...(rows.length === 0 ? [] : [table(['Project', 'Name'], rows)]),
    '',
  ].join('\n\n');
}
