import { expect, test } from 'vitest';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import { sha } from '../../src/contract/commit.ts';
import { taskOf } from '../../src/github/deployments.ts';
import { recordSignerOf } from '../../src/github/model/record-signer.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { type Known, lastGood } from '../../src/releases/decisions.ts';
import { Series } from '../../src/releases/series.ts';
import { commits, repository } from './histories.ts';

const key = 'production/p';
const signer = recordSignerOf(deriveLedgerKeys('fake-key').record, repository);
const commit = sha(String(commits[0]));
const signal = new AbortController().signal;

/** Adds a record without a result. */
function add(github: GitHubStandIn, mark: string) {
  const record = { commit, environment: 'production', key, isPreview: false, mark, until: 0 };
  const payload = { maker: 'site-deploy-action', key, mark, record: signer.sign(record) };
  const place = { sha: commit, environment: 'production', task: taskOf(key) };
  return github.addDeployment(repository, { ...place, payload });
}

const seriesAt = ({ url: apiUrl, token }: GitHubStandIn) =>
  new Series({ access: { apiUrl, token, repository }, signer }, { environment: 'production', key });

const countAll = (known: Known) => known.records().toArray().length;
const pagesIn = ({ journal }: GitHubStandIn) =>
  journal.filter(({ operationId }) => operationId === 'repos/list-deployments').length;

test('a fresh question reads the list from its newest record to what was read before', async () => {
  await using github = await startGitHub();
  for (let index = 0; index < 250; index += 1) add(github, String(index));
  const series = seriesAt(github);
  expect(await series.decide(countAll, { signal })).toBe(250);
  expect(pagesIn(github)).toBe(3);
  add(github, 'new');
  expect(await series.decide(countAll, { signal })).toBe(250);
  expect(pagesIn(github)).toBe(3);
  expect(await series.decide(countAll, { signal, fresh: true })).toBe(251);
  expect(pagesIn(github)).toBe(4);
});

test('a missing result is read again by a fresh question, and no other', async () => {
  await using github = await startGitHub();
  const { id } = add(github, 'one');
  const series = seriesAt(github);
  const statuses = () =>
    github.journal.filter(({ operationId }) => operationId === 'repos/list-deployment-statuses')
      .length;
  for (const fresh of [false, false, true]) {
    expect(await series.decide(lastGood, { signal, fresh })).toBeUndefined();
  }
  expect(statuses()).toBe(2);
  expect(await series.decide((known) => known.stateNow(id), { signal })).toBeUndefined();
  expect(statuses()).toBe(2);
});

test('a list whose page fails is not taken for one that ends there', async () => {
  await using github = await startGitHub();
  for (let index = 0; index < 150; index += 1) add(github, String(index));
  const series = seriesAt(github);
  github.trouble = () => (pagesIn(github) > 0 ? 'server-error' : undefined);
  await expect(series.decide(countAll, { signal })).rejects.toThrow();
  github.trouble = undefined;
  expect(await series.decide(countAll, { signal })).toBe(150);
});

test('what one question no longer waits for is read for the other', async () => {
  await using github = await startGitHub();
  add(github, 'one');
  const series = seriesAt(github);
  const impatient = new AbortController();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  github.on('repos/list-deployments', async () => {
    asked.resolve();
    await answer.promise;
  });
  const first = series.decide(countAll, { signal: impatient.signal });
  const second = series.decide(countAll, { signal });
  await asked.promise;
  impatient.abort();
  await expect(first).rejects.toThrow('did not respond in time');
  answer.resolve();
  expect(await second).toBe(1);
  expect(pagesIn(github)).toBe(1);
});
