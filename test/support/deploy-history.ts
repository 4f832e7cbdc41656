import { type Sha, sha } from '../../src/contract/commit.ts';
import type { ReleaseEnd } from '../../src/github/model/record-signer.ts';
import { type KeptRecord, type Known, oneOfEach } from '../../src/releases/decisions.ts';
import type { History } from '../../src/releases/history.ts';

/** A record, and how its run ended. */
export interface Given {
  record: KeptRecord;
  end: ReleaseEnd | undefined;
}

/** The record of a release, under way until some time. */
export const recordOf = (id: number, commit: Sha, until = 0): KeptRecord => ({
  id,
  at: '2026-11-23T06:41:00Z',
  commit,
  environment: 'production',
  key: 'production/p',
  isPreview: false,
  mark: `mark ${id}`,
  until,
  runId: String(id),
});

/** What is known of a series all of which was read, oldest first. */
export function knownOf(given: readonly Given[], about: Partial<Known> = {}): Known {
  const records = given.map(({ record }) => record).reverse();
  const ends: Known['ends'] = (some) =>
    some.map(({ id }) => given.find(({ record }) => record.id === id)?.end);
  return {
    own: undefined,
    projectId: undefined,
    now: 1_000_000,
    ends,
    *records() {
      yield* records.map((record) => ({ id: record.id, mark: record.mark, record }));
    },
    *releases() {
      const others = records.filter(({ mark }) => mark !== about.own);
      yield* oneOfEach(others, ends);
    },
    states: (some) => some.map(() => ['success']),
    stateNow: () => 'success',
    compare: () => undefined,
    ...about,
  };
}

/** Records that say of a commit that it was deployed with good checks, and of nothing else. */
export function rememberGood(commit: string, more: Partial<History> = {}): History {
  const end = { kind: 'good', projectId: 'p', isChecked: true } as const;
  const known = knownOf([{ record: recordOf(1, sha(commit)), end }]);
  return {
    decide: async (decision) => decision(known),
    isOlder: async () => undefined,
    isBranchHead: async () => false,
    ...more,
  };
}
