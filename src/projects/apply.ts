import type { Project } from '../contract/project.ts';
import { UnclearRequest } from '../follow/unclear.ts';
import { type Ending, reportOn } from '../frame/ending.ts';
import { EarlyEnd, type Found, type Host, type Run } from '../frame/step.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { createProject } from './create.ts';
import { describeEmpty, inShard, matrixOf, nameFilter } from './evaluate.ts';
import type { CreateIntent, ListIntent, ProjectsIntent } from './intent.ts';
import type { ProjectsReport } from './result.ts';

type ProjectsFindings = Omit<ProjectsReport, keyof Ending | 'requests' | 'durationMs'>;

/** What an aborted or failed run leaves on the service. */
function whatIsLeft({ created }: ProjectsFindings, posted: UnclearRequest): SafeText {
  if (created === undefined)
    return posted.mayExist ? safe` A project may have been created.` : safe``;
  return safe` Project ${created.projectId} was created, but was not ready yet.`;
}

/** The projects whose names match. The deadline is checked after each one. */
async function findMatching(
  host: Host,
  projects: readonly Project[],
  pattern: string | undefined,
): Promise<Project[]> {
  const matches = nameFilter(pattern);
  const found: Project[] = [];
  for (const project of projects) {
    if (matches(project)) found.push(project);
    await host.drained();
    host.signal.throwIfAborted();
  }
  return found;
}

async function list(
  { client, host }: Run,
  { filter, pattern, shard, failOnEmpty }: ListIntent,
  found: Found<ProjectsFindings>,
): Promise<Partial<ProjectsFindings> & Ending> {
  const all = await client.listProjects(filter);
  const matching = await findMatching(host, all, pattern);
  const projects = inShard(matching, shard);
  found({ listed: all.length, projects });
  if (matching.length === 0) {
    const diagnostic = diagnose('SD5201', describeEmpty(all, { filter, pattern }, host.clean));
    if (failOnEmpty) throw new EarlyEnd('failed', diagnostic);
    host.report({ type: 'warning', diagnostic });
  }
  const made = matrixOf(projects, host.clean, shard);
  if ('error' in made) throw new EarlyEnd('failed', diagnose('SD5202', made.error));
  return { outcome: 'succeeded', matrix: made.matrix };
}

async function create(
  run: Run,
  { body }: CreateIntent,
  posted: UnclearRequest,
  found: Found<ProjectsFindings>,
): Promise<Ending> {
  const { clean, report } = run.host;
  const idempotencyKey = run.keyFor('create project', JSON.stringify(body));
  const onProject = (project: Project) => {
    const made = matrixOf([project], clean, undefined);
    const created = {
      projectId: clean(project.projectId),
      initialMessageId: clean(project.initialMessageId ?? ''),
      state: clean(project.provisioningState ?? ''),
    };
    const matrix = 'matrix' in made ? made.matrix : { include: [] };
    found({ projects: [project], matrix, created });
  };
  const onUncertainty = (uncertainty: SafeText) => {
    const diagnostic = diagnose('SD5205', uncertainty);
    found({ uncertainties: [printed(diagnostic)] });
    report({ type: 'warning', diagnostic });
  };
  await createProject(run, { body, idempotencyKey, request: posted }, onProject, onUncertainty);
  return { outcome: 'succeeded' };
}

/**
 * Lists projects for a job matrix, or creates one. Errors of the service or the run are in the report, and are not thrown.
 */
export async function runProjects(run: Run, intent: ProjectsIntent): Promise<ProjectsReport> {
  const initial: ProjectsFindings = { projects: [], matrix: { include: [] }, listed: 0 };
  const posted = new UnclearRequest();
  const work = (found: Found<ProjectsFindings>) =>
    intent.kind === 'list' ? list(run, intent, found) : create(run, intent, posted, found);
  return await reportOn(run, initial, work, (findings, error) => {
    const isProvisioningReported = error instanceof EarlyEnd && findings.created !== undefined;
    const isComplete = isProvisioningReported && !run.host.signal.aborted;
    return isComplete ? safe`` : whatIsLeft(findings, posted);
  });
}
