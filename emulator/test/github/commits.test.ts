import { expect, test } from 'vitest';
import { ask, repository, start } from './support.ts';

const sha = (digit: string) => digit.repeat(40);
const [first, second, third, aside, foreign] = ['1', '2', '3', '4', '5'].map(sha) as [
  string,
  string,
  string,
  string,
  string,
];

/** `first` ← `second` ← `third`, and `aside` beside `second`; `foreign` has nothing in common with them. */
async function startWithHistory() {
  const github = await start();
  const parents = { [first]: [], [second]: [first], [third]: [second], [aside]: [first] };
  for (const [commit, before] of Object.entries({ ...parents, [foreign]: [] })) {
    github.commits.set(`${repository}@${commit}`, { parents: before });
  }
  return github;
}

test.each([
  [first, third, 'ahead', 2, 0],
  [third, first, 'behind', 0, 2],
  [third, third, 'identical', 0, 0],
  [third, aside, 'diverged', 1, 2],
])('compares %s with %s', async (base, head, status, ahead, behind) => {
  await using github = await startWithHistory();
  const { body } = await ask(github, 'GET', `compare/${base}...${head}`);
  expect(body).toMatchObject({ status, ahead_by: ahead, behind_by: behind });
  expect(Object(body).commits).toHaveLength(ahead);
  expect(github.violations).toEqual([]);
});

test('a comparison lists the oldest commits first, by pages, or without one the newest 250', async () => {
  await using github = await startWithHistory();
  const line = Array.from({ length: 300 }, (_, index) =>
    (index + 4096).toString(16).padStart(40, 'a'),
  );
  for (const [index, commit] of line.entries()) {
    const message = `Change ${index + 1}`;
    github.commits.set(`${repository}@${commit}`, { parents: [line[index - 1] ?? first], message });
  }
  const read = async (query: string) => {
    const path = `compare/${first}...${line.at(-1)}${query}`;
    const { body } = await ask(github, 'GET', path);
    const commits: { commit: { message: string } }[] = Object(body).commits;
    const messages = commits.map(({ commit }) => commit.message);
    return [Object(body).total_commits, messages.length, messages[0], messages.at(-1)];
  };
  expect(await read('')).toEqual([300, 250, 'Change 51', 'Change 300']);
  expect(await read('?per_page=1')).toEqual([300, 1, 'Change 1', 'Change 1']);
  expect(await read('?page=2')).toEqual([300, 30, 'Change 31', 'Change 60']);
  expect(github.violations).toEqual([]);
});

test.each([
  `compare/${third}...${foreign}`,
  `compare/${third}...${sha('9')}`,
  `git/commits/${sha('9')}`,
])('GET %s is not found', async (path) => {
  await using github = await startWithHistory();
  expect(await ask(github, 'GET', path)).toMatchObject({ status: 404 });
  expect(github.violations).toEqual([]);
});

test.each([
  ['all of its digits', second, second],
  ['its first digits', second.slice(0, 7), second],
  ['a branch', 'main', third],
  ['a branch, as one', 'heads%2Fmain', third],
  ['a branch whose name looks like a commit', '1234567', aside],
])('a commit is found by %s', async (_, ref, found) => {
  await using github = await startWithHistory();
  github.refs.set(`${repository}@main`, third);
  github.refs.set(`${repository}@1234567`, aside);
  expect(await ask(github, 'GET', `commits/${ref}`)).toMatchObject({ body: { sha: found } });
  expect(github.violations).toEqual([]);
});

test('a commit is not found by digits that two begin with, or none', async () => {
  await using github = await startWithHistory();
  github.commits.set(`${repository}@${first.slice(0, 39)}f`, { parents: [] });
  for (const digits of [first.slice(0, 7), '9999999']) {
    expect(await ask(github, 'GET', `commits/${digits}`)).toMatchObject({ status: 422 });
  }
  expect(github.violations).toEqual([]);
});

test('a commit tells its tree, which no other has unless it was given', async () => {
  await using github = await startWithHistory();
  github.commits.set(`${repository}@${aside}`, { parents: [first], tree: sha('7') });
  const treeOf = async (commit: string) =>
    Object((await ask(github, 'GET', `git/commits/${commit}`)).body).tree.sha;
  expect([await treeOf(first), await treeOf(aside)]).toEqual([first, sha('7')]);
});
