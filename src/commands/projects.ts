import type { CreateProject, Project, ProjectFilter } from '../contract/project.ts';
import { inShard, type Matrix, matrixOf, nameFilter, type Shard } from '../core/projects/select.ts';
import type { ProjectsReport } from '../core/report/projects-report.ts';
import { UnclearRequest } from './follow/unclear.ts';
import { EarlyEnd, type Host } from './host.ts';
import { createProject } from './projects/create.ts';
import type { Run } from './run.ts';
import { settle } from './settle.ts';

/** What the projects command is asked to do. Everything has been checked. */
export interface ProjectsRequest {
  filter: ProjectFilter;
  /** A glob; undefined: every name. */
  pattern: string | undefined;
  /** Undefined: all. */
  shard: Shard | undefined;
  /** The project to create; undefined: list instead. */
  create: Omit<CreateProject, 'idempotencyKey'> | undefined;
}

type Report = Omit<ProjectsReport, 'requests' | 'durationMs'>;

function take(report: Report, projects: readonly Project[], matrix: Matrix): void {
  report.projects = projects;
  report.matrix = matrix;
}

/** What a run that was cut off or failed leaves behind. */
function whatIsLeft({ created }: Report, posted: UnclearRequest): string {
  if (created === undefined) return posted.mayExist ? ' A project may have been created.' : '';
  return ` The project ${created.projectId} was created; it was not seen to be ready.`;
}

/** The projects whose names match, with a look at the deadline between two of them. */
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
  { filter, pattern, shard }: ProjectsRequest,
  report: Report,
): Promise<void> {
  const all = await client.listProjects(filter);
  const projects = inShard(await findMatching(host, all, pattern), shard);
  report.listed = all.length;
  report.projects = projects;
  const made = matrixOf(projects, host.clean, shard);
  if ('error' in made) throw new EarlyEnd('failed', made.error);
  take(report, projects, made.matrix);
  report.outcome = 'succeeded';
}

async function create(
  run: Run,
  body: NonNullable<ProjectsRequest['create']>,
  report: Report,
  posted: UnclearRequest,
): Promise<void> {
  const { host } = run;
  const idempotencyKey = run.keyFor('create project', JSON.stringify(body));
  const onProject = (project: Project) => {
    const made = matrixOf([project], host.clean, undefined);
    take(report, [project], 'matrix' in made ? made.matrix : { include: [] });
    report.created = {
      projectId: host.clean(project.projectId),
      initialMessageId: host.clean(project.initialMessageId ?? ''),
      state: host.clean(project.provisioningState ?? ''),
    };
  };
  const onDoubt = (text: string) => {
    report.doubts = [text];
    host.report({ type: 'warning', text });
  };
  await createProject(run, { body, idempotencyKey, request: posted }, onProject, onDoubt);
  report.outcome = 'succeeded';
}

/**
 * Lists projects for a job matrix, or creates one.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function runProjects(run: Run, request: ProjectsRequest): Promise<ProjectsReport> {
  const { client, host } = run;
  const started = host.clock.now();
  const report: Report = { outcome: 'failed', projects: [], matrix: { include: [] }, listed: 0 };
  const posted = new UnclearRequest();
  try {
    if (request.create === undefined) await list(run, request, report);
    else await create(run, request.create, report, posted);
  } catch (error) {
    Object.assign(report, settle(host, error));
    const isProvisioningSaid = error instanceof EarlyEnd && report.created !== undefined;
    if (host.signal.aborted || !isProvisioningSaid) report.error += whatIsLeft(report, posted);
  }
  return { ...report, requests: client.requests, durationMs: host.clock.now() - started };
}
