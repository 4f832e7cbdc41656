import {
  type Deployment,
  type DeploymentParts,
  type DeploymentStatus,
  type DeploymentStatusParts,
  deployment,
  deploymentStatus,
} from '../objects/deployment.ts';
import { notFound } from '../refusal.ts';
import { listAt, type Origin } from './origin.ts';

/** A deployment to add. What is left out has GitHub's default; the creator is whom the token stands for. */
export type NewDeployment = Pick<DeploymentParts, 'sha'> &
  Partial<Omit<DeploymentParts, 'id' | 'repository' | 'at'>>;

/** A status to add; what is left out is empty or as before. */
export type NewDeploymentStatus = Pick<DeploymentStatusParts, 'state'> &
  Partial<Omit<DeploymentStatusParts, 'id' | 'at'>>;

/** The deployments of repositories, with their statuses. */
export class Deployments {
  readonly #origin: Origin;
  readonly #lists = new Map<string, Deployment[]>();

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** Those of one repository, oldest first. The list is live. */
  of(repository: string): Deployment[] {
    return listAt(this.#lists, repository);
  }

  /** The repositories that have any. */
  repositories(): string[] {
    return [...this.#lists].filter(([, list]) => list.length > 0).map(([name]) => name);
  }

  /** Adds one, without checking anything. */
  add(repository: string, given: NewDeployment): Deployment {
    const { environment = 'production' } = given;
    const parts = {
      id: this.#origin.nextId(),
      at: this.#origin.now(),
      repository,
      creator: this.#origin.login,
      ref: given.sha,
      task: 'deploy',
      payload: {},
      description: null,
      transient: false,
      production: environment === 'production',
      ...given,
      environment,
    };
    const added = { ...deployment(this.#origin.api, parts), statuses: [] };
    this.of(repository).push(added);
    return added;
  }

  /** The one with this id. @throws a Refusal if the repository has none */
  get(repository: string, id: number): Deployment {
    const found = this.of(repository).find((one) => one.id === id);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Gives a deployment a status. Other deployments stay as they are. */
  addStatus(to: Deployment, given: NewDeploymentStatus): DeploymentStatus {
    const parts = {
      id: this.#origin.nextId(),
      at: this.#origin.now(),
      creator: this.#origin.login,
      description: '',
      environment: to.environment,
      environmentUrl: '',
      logUrl: '',
      ...given,
    };
    const added = deploymentStatus(this.#origin.api, to, parts);
    to.statuses.push(added);
    Object.assign(to, { environment: added.environment, updated_at: added.created_at });
    return added;
  }
}
