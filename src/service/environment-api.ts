import {
  type CreateVariable,
  createVariable,
  type DeleteVariable,
  deleteVariable,
  type Environment,
  environment,
  type ReplaceVariable,
  type RetargetVariable,
  replaceVariable,
  retargetVariable,
} from '../contract/environment.ts';
import { type Operation, operations } from '../contract/operations.ts';
import type { Call, Caller } from './call.ts';
import { looks, pathOf } from './looks.ts';

/** Section "Environment variables". A write is not repeated by itself if it may have arrived. */
export interface EnvironmentApi {
  /** `GET /v1/projects/{id}/environment`. A signal of its own may end it early. */
  getEnvironment(projectId: string, signal?: AbortSignal): Promise<Environment>;
  /** `POST /v1/projects/{id}/environment`. */
  createVariable(projectId: string, body: CreateVariable): Promise<Environment>;
  /** `PUT /v1/projects/{id}/environment/{eid}`. */
  replaceVariable(projectId: string, id: string, body: ReplaceVariable): Promise<Environment>;
  /** `PATCH /v1/projects/{id}/environment/{eid}`. */
  retargetVariable(projectId: string, id: string, body: RetargetVariable): Promise<Environment>;
  /** `DELETE /v1/projects/{id}/environment/{eid}`, with a JSON body. */
  deleteVariable(projectId: string, id: string, body: DeleteVariable): Promise<Environment>;
}

/** The operations on a project's environment. */
export function environmentApi({ call }: Caller): EnvironmentApi {
  const pathTo = (projectId: string, ...rest: string[]) =>
    pathOf('v1', 'projects', projectId, 'environment', ...rest);
  const write = (
    operation: Operation,
    path: string,
    send: NonNullable<Call<Environment>['send']>,
  ) => call({ operation, path, answer: environment, send });
  return {
    getEnvironment: (projectId, signal) =>
      call({ ...looks.environment(projectId), answer: environment, signal }),
    createVariable: (projectId, body) =>
      write(operations.createVariable, pathTo(projectId), { body, shape: createVariable }),
    replaceVariable: (projectId, id, body) =>
      write(operations.replaceVariable, pathTo(projectId, id), { body, shape: replaceVariable }),
    retargetVariable: (projectId, id, body) =>
      write(operations.retargetVariable, pathTo(projectId, id), { body, shape: retargetVariable }),
    deleteVariable: (projectId, id, body) =>
      write(operations.deleteVariable, pathTo(projectId, id), { body, shape: deleteVariable }),
  };
}
