import assert from 'node:assert/strict';
import { type Sha, sha } from '../src/contract/commit.ts';
import { taskOf } from '../src/github-api/deployments.ts';
import { recordSealOf } from '../src/github-api/model/record-seal.ts';
import { deriveLedgerKeys } from '../src/ledger/model/keys.ts';
import { type HistoryWorld, repository, startHistory } from '../test/dist/history-world.ts';
import type { Row } from './measurement.ts';

const lengths = [0, 30, 300];

/** Adds good releases of the place that are over, each after the one before it; the last is of the first commit. */
function addReleases({ emulator, github, project, commits }: HistoryWorld, count: number): void {
  const seal = recordSealOf(deriveLedgerKeys(emulator.key).record, repository);
  const key = `production/${project.id}`;
  const commitOf = (index: number): Sha =>
    index === count - 1 ? sha(commits.first) : sha((index + 1).toString(16).padStart(40, '0'));
  let before = 0;
  for (let index = 0; index < count; index += 1) {
    const commit = commitOf(index);
    const parents = index === 0 ? [] : [commitOf(index - 1)];
    github.commits.set(`${repository}@${commit}`, { parents });
    const at = { commit, environment: 'production', key, isPreview: false, mark: `mark ${index}` };
    const record = { ...at, until: Date.now() - 3_600_000, runId: String(index + 1) };
    const payload = { maker: 'site-deploy-action', key, mark: at.mark, record: seal.sign(record) };
    const made = github.addDeployment(repository, {
      sha: commit,
      environment: 'production',
      task: taskOf(key),
      payload,
    });
    const end = { kind: 'good', projectId: project.id, isChecked: true, before } as const;
    const signed = `https://ci.example.com/${seal.signEnd(made.id, record, end)}`;
    const retired = index === count - 1 ? [] : [{ state: 'inactive' } as const];
    const { statuses } = github.addDeployment(`${repository}-other`, { sha: commit }, [
      { state: 'success', logUrl: signed },
      ...retired,
    ]);
    made.statuses.push(...statuses.map((one) => ({ ...one, deployment_url: made.url })));
    before = made.id;
  }
}

/** How many requests GitHub gets of one run, by how many releases of the place it has recorded. */
export async function* history(): AsyncGenerator<Row> {
  const plays: Readonly<Record<string, (page: string) => Record<string, string>>> = {
    'a push': () => ({}),
    'a push that would roll back': (page) => ({
      'on-older': 'skip',
      'on-failed-checks': 'roll-back',
      'verify-url': page,
      'verify-contains': 'live: {sha}',
    }),
  };
  for (const [name, inputs] of Object.entries(plays)) {
    for (const length of lengths) {
      await using world = await startHistory();
      addReleases(world, length);
      const { outputs } = await world.run(world.commits.second, inputs(world.page));
      assert.equal(outputs['outcome'], 'succeeded', outputs['error']);
      const values = [world.asked().length];
      yield {
        name: `${name} after ${length} releases: requests to GitHub`,
        unit: 'requests',
        values,
      };
    }
  }
}
