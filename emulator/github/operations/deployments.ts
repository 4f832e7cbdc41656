import { z } from 'zod';
import type { Deployment } from '../objects/deployment.ts';
import type { Handler } from '../operation.ts';
import { pageOf } from '../pages.ts';
import { RequestRefusal } from '../refusal.ts';
import type { World } from '../state/world.ts';

/** The body of `repos/create-deployment`, with GitHub's defaults. */
const creation = z.object({
  ref: z.string(),
  task: z.string().default('deploy'),
  auto_merge: z.boolean().default(true),
  required_contexts: z.array(z.string()).optional(),
  payload: z.union([z.record(z.string(), z.unknown()), z.string()]).default({}),
  environment: z.string().default('production'),
  description: z.string().nullable().default(null),
  transient_environment: z.boolean().default(false),
  production_environment: z.boolean().optional(),
});
type Creation = z.infer<typeof creation>;

/** The deployment as GitHub answers it: without its statuses, which it answers alone. */
function answered({ statuses, ...shown }: Deployment): Omit<Deployment, 'statuses'> {
  return shown;
}

/** The commit of a branch, a tag or itself. @throws a Refusal if nothing has that name */
function resolve(world: World, repository: string, ref: string): string {
  if (/^[0-9a-f]{40}$/.test(ref)) return ref;
  const name = ref.replace(/^refs\/(heads|tags)\//, '');
  const sides = world.pullRequestsOf(repository).flatMap(({ head, base }) => [head, base]);
  const sha =
    world.refs.get(`${repository}@${name}`) ?? sides.find((side) => side.ref === name)?.sha;
  if (sha === undefined) throw new RequestRefusal(422, `No ref found for: ${ref}`);
  return sha;
}

/** @throws a Refusal if a commit status that the deployment requires is not a success */
function requireContexts(world: World, commit: string, { ref, required_contexts }: Creation): void {
  const known = world.commits.get(commit)?.contexts ?? {};
  const required = required_contexts ?? Object.keys(known);
  if (required.every((context) => known[context] === 'success')) return;
  const contexts = Object.entries(known).map(([context, state]) => ({ context, state }));
  const error = { resource: 'Deployment', field: 'required_contexts', code: 'invalid', contexts };
  throw new RequestRefusal(409, `Conflict: Commit status checks failed for ${ref}.`, [error]);
}

/** Merges the default branch into the ref, as GitHub does unless told otherwise. True if that was needed. */
function merge(world: World, commit: string, { ref, auto_merge }: Creation): boolean {
  const condition = world.commits.get(commit);
  if (!auto_merge || condition?.behind === undefined) return false;
  if (condition.behind === 'conflicting') {
    throw new RequestRefusal(409, `Conflict merging main into ${ref}`);
  }
  condition.behind = undefined;
  return true;
}

/** The operations on deployments themselves. */
export function deploymentOperations(world: World) {
  return {
    'repos/create-deployment': ({ repository, body, login }) => {
      const wanted = creation.parse(body);
      const sha = resolve(world, repository, wanted.ref);
      const commit = `${repository}@${sha}`;
      if (merge(world, commit, wanted)) {
        const message = `Auto-merged main into ${wanted.ref} on deployment.`;
        return { status: 202, body: { message } };
      }
      requireContexts(world, commit, wanted);
      const { transient_environment: transient, environment } = wanted;
      const production = wanted.production_environment ?? environment === 'production';
      const created = world.deployments.add(repository, {
        ...wanted,
        sha,
        transient,
        production,
        creator: login,
      });
      return { status: 201, body: answered(created) };
    },
    'repos/list-deployments': (call) => {
      const filters = (['sha', 'ref', 'task', 'environment'] as const)
        .map((field) => ({ field, wanted: call.query[field] ?? 'none' }))
        .filter(({ wanted }) => wanted !== 'none');
      const chosen = world.deployments
        .of(call.repository)
        .filter((one) => filters.every(({ field, wanted }) => one[field] === wanted));
      return pageOf(world, call, chosen.reverse().map(answered));
    },
  } satisfies Record<string, Handler>;
}
