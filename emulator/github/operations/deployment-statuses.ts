import { z } from 'zod';
import { codePoints } from '../../../src/contract/limits.ts';
import { type Deployment, deploymentStates } from '../objects/deployment.ts';
import type { Call, Handler } from '../operation.ts';
import { pageOf } from '../pages.ts';
import { invalid } from '../refusal.ts';
import type { World } from '../state/world.ts';

const longest = 140;

/** The body of `repos/create-deployment-status`, with GitHub's defaults. */
const creation = z.object({
  state: z.enum(deploymentStates),
  target_url: z.string().default(''),
  log_url: z.string().default(''),
  description: z.string().default(''),
  environment: z.string().optional(),
  environment_url: z.string().default(''),
  auto_inactive: z.boolean().default(true),
});

/** Whether a later success ends this deployment: one that is live, neither transient nor production. */
function isReplaced(one: Deployment, by: Deployment): boolean {
  const live = one.statuses.at(-1)?.state === 'success';
  const lasting = !one.transient_environment && !one.production_environment;
  return one.id < by.id && one.environment === by.environment && lasting && live;
}

/** The operations on the statuses of deployments. */
export function deploymentStatusOperations(world: World) {
  const { deployments } = world;
  const find = ({ repository, parameters }: Call): Deployment =>
    deployments.get(repository, Number(parameters['deployment_id']));

  return {
    'repos/create-deployment-status': (call) => {
      const found = find(call);
      const wanted = creation.parse(call.body);
      const { state, description, environment = found.environment } = wanted;
      if (codePoints(description) > longest) {
        const message = `description is too long (maximum is ${longest} characters)`;
        const where = { resource: 'DeploymentStatus', field: 'description' };
        throw invalid({ ...where, code: 'custom', message });
      }
      const environmentUrl = wanted.environment_url;
      const logUrl = wanted.log_url || wanted.target_url;
      const { login: creator } = call;
      const status = { state, description, environment, environmentUrl, logUrl, creator };
      const body = deployments.addStatus(found, status);
      if (state === 'success' && wanted.auto_inactive) {
        const replaced = deployments.of(call.repository).filter((one) => isReplaced(one, found));
        for (const one of replaced) deployments.addStatus(one, { state: 'inactive', creator });
      }
      return { status: 201, headers: { location: body.url }, body };
    },
    'repos/list-deployment-statuses': (call) =>
      pageOf(world, call, find(call).statuses.toReversed()),
  } satisfies Record<string, Handler>;
}
