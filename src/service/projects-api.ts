import { operations } from '../contract/operations.ts';
import {
  type CreateProject,
  createProject,
  type Project,
  type ProjectFilter,
  project,
  projects,
} from '../contract/project.ts';
import type { Caller } from './call.ts';
import { looks } from './looks.ts';

/** Section "Projects". */
export interface ProjectsApi {
  /** `GET /v1/projects`: most recently active first. */
  listProjects(filter: ProjectFilter): Promise<Project[]>;
  /** `POST /v1/projects`. Never repeated by itself if it may have arrived. */
  createProject(body: CreateProject): Promise<Project>;
}

/** The operations on projects. */
export function projectsApi({ call }: Caller): ProjectsApi {
  return {
    listProjects: (filter) => call({ ...looks.projects(filter), answer: projects }),
    createProject: (body) =>
      call({
        operation: operations.createProject,
        path: '/v1/projects',
        answer: project,
        send: { body, shape: createProject },
      }),
  };
}
