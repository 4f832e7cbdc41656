import { z } from 'zod';
import { commonPayload } from '../events.ts';
import type { Call, Handler } from '../operation.ts';
import { invalid, notFound } from '../refusal.ts';
import type { World } from '../state/world.ts';

const dispatch = z.object({
  ref: z.string(),
  inputs: z.record(z.string(), z.unknown()).default({}),
});

/** A branch's or a tag's full name and its commit; a branch comes first. */
function find(world: World, repository: string, given: string) {
  const name = given.replace(/^refs\/(?:heads|tags)\//, '');
  const sha = world.refs.get(`${repository}@${name}`);
  const kind = given.startsWith('refs/tags/') ? 'tags' : 'heads';
  return sha === undefined ? undefined : { ref: `refs/${kind}/${name}`, sha };
}

/** The operations on workflows. */
export function actionsOperations(world: World) {
  return {
    'actions/create-workflow-dispatch': ({ repository, parameters, body, login }: Call) => {
      const workflow = parameters['workflow_id'] ?? '';
      const { ref, inputs } = dispatch.parse(body);
      const tip = find(world, repository, ref);
      if (tip === undefined) {
        const message = `No ref found for: ${ref}`;
        throw invalid({ resource: 'Workflow', code: 'custom', field: 'ref', message });
      }
      if (!/^[\w.-]+\.ya?ml$/.test(workflow)) throw notFound();
      const payload = {
        inputs,
        ref: tip.ref,
        workflow: `.github/workflows/${workflow}`,
        ...commonPayload(world, repository, login),
      };
      const event = { name: 'workflow_dispatch', repository, payload, ...tip, actor: login };
      world.tell({ ...event, workflow });
      return { status: 204 };
    },
  } satisfies Record<string, Handler>;
}
