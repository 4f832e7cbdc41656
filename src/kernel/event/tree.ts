import { isSha, type Sha } from '../../contract/commit.ts';
import type { WorkflowEvent } from '../event.ts';
import { asObject } from '../json.ts';

/** The git tree of a commit, if the event has it: a push has that of its head. */
export function treeIn({ payload }: WorkflowEvent, commit: string): Sha | undefined {
  const { id, tree_id: tree } = asObject(payload['head_commit']) ?? {};
  return id === commit && isSha(tree) ? tree : undefined;
}
