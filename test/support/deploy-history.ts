import type { Sha } from '../../src/contract/commit.ts';
import type { DeployHistory } from '../../src/release/release-history.ts';

/** Records that say of a commit that it was deployed with good checks, and of nothing else. */
export function rememberGood(commit: Sha, more: Partial<DeployHistory> = {}): DeployHistory {
  const release = { commit, projectId: '', isChecked: true, recordId: 1 };
  return {
    lastGood: async () => release,
    takenOff: async () => undefined,
    others: async () => [],
    announce: async () => undefined,
    forgo: () => undefined,
    isOlder: async () => undefined,
    isBranchHead: async () => false,
    ...more,
  };
}
