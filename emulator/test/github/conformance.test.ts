import { describe, expect, test } from 'vitest';
import { answerProblems } from '../../github/conformance.ts';
import type { OperationId, Reply } from '../../github/index.ts';
import { ask, authorization, baseSha, headSha, repository, start } from './support.ts';

type Case = readonly [method: string, path: string, body?: unknown];

/** A stand-in in which every operation finds something, and a request for each. */
async function startWithAll() {
  const github = await start();
  const [comment] = github.addComments(repository, 7, [{ author: 'octocat', body: 'Hello' }]);
  const status = { state: 'success' as const };
  const { id } = github.addDeployment(repository, { sha: headSha }, [status]);
  github.commits.set(`${repository}@${baseSha}`, { parents: [] });
  github.commits.set(`${repository}@${headSha}`, { parents: [baseSha] });
  github.refs.set(`${repository}@main`, baseSha).set(`${repository}@topic-8`, headSha);
  const cases: Record<OperationId, Case> = {
    'issues/create-comment': ['POST', 'issues/7/comments', { body: 'Hello' }],
    'issues/list-comments': ['GET', 'issues/7/comments'],
    'issues/get-comment': ['GET', `issues/comments/${comment?.id}`],
    'issues/update-comment': ['PATCH', `issues/comments/${comment?.id}`, { body: 'Hello' }],
    'issues/create': ['POST', 'issues', { title: 'Drift' }],
    'issues/list-for-repo': ['GET', 'issues?state=all'],
    'issues/update': ['PATCH', 'issues/8', { state: 'closed', state_reason: 'duplicate' }],
    'pulls/get': ['GET', 'pulls/7'],
    'pulls/list': ['GET', 'pulls'],
    'pulls/create': ['POST', 'pulls', { title: 'A change', head: 'topic-8', base: 'main' }],
    'pulls/update': ['PATCH', 'pulls/9', { state: 'closed' }],
    'actions/create-workflow-dispatch': [
      'POST',
      'actions/workflows/deploy.yml/dispatches',
      { ref: 'main' },
    ],
    'repos/list-pull-requests-associated-with-commit': ['GET', `commits/${headSha}/pulls`],
    'repos/create-deployment': ['POST', 'deployments', { ref: headSha }],
    'repos/list-deployments': ['GET', 'deployments'],
    'repos/create-deployment-status': ['POST', `deployments/${id}/statuses`, status],
    'repos/list-deployment-statuses': ['GET', `deployments/${id}/statuses`],
    'git/get-commit': ['GET', `git/commits/${headSha}`],
    'repos/get-commit': ['GET', `commits/${headSha.slice(0, 7)}`],
    'repos/compare-commits-with-basehead': ['GET', `compare/${baseSha}...${headSha}`],
    'users/get-authenticated': ['GET', '/user'],
    'issues/delete-comment': ['DELETE', `issues/comments/${comment?.id}`],
  };
  return { github, cases };
}

test('the answer of every operation is as GitHub describes it', async () => {
  const { github, cases } = await startWithAll();
  await using _ = github;
  for (const [operationId, [method, path, body]] of Object.entries(cases)) {
    const answer = await ask(github, method, path, body);
    expect(answer, operationId).toMatchObject({
      status: operationId === 'users/get-authenticated' ? 403 : expect.toSatisfy((n) => n < 300),
    });
    if (Array.isArray(answer.body)) expect(answer.body, operationId).not.toEqual([]);
  }
  expect(github.violations).toEqual([]);
  expect(github.journal.map(({ operationId }) => operationId)).toEqual(Object.keys(cases));
});

test.each<[string, Case, string]>([
  [
    'a body without what it needs',
    ['POST', 'issues/7/comments', {}],
    "issues/create-comment: body must have required property 'body'",
  ],
  [
    'a body of the wrong type',
    ['POST', 'issues/7/comments', { body: 1 }],
    'issues/create-comment: body/body must be string',
  ],
  [
    'no body where one is needed',
    ['POST', 'issues/7/comments', undefined],
    'issues/create-comment: body must be object',
  ],
  [
    'a field that is not described',
    ['POST', 'deployments', { ref: 'main', automerge: false }],
    'repos/create-deployment: body must NOT have additional properties (automerge)',
  ],
  [
    'a value that is not allowed',
    ['POST', 'deployments/1/statuses', { state: 'live' }],
    'repos/create-deployment-status: body/state must be equal to one of the allowed values',
  ],
  [
    'a body where none belongs',
    ['DELETE', 'issues/comments/1', {}],
    'issues/delete-comment: this operation has no body in the OpenAPI description',
  ],
  [
    'a query that is not described',
    ['GET', 'pulls/7?a=1'],
    'pulls/get: query must NOT have additional properties (a)',
  ],
  [
    'a query of the wrong type',
    ['GET', 'issues/7/comments?per_page=all'],
    'issues/list-comments: query/per_page must be integer',
  ],
  [
    'a date that is none',
    ['GET', 'issues/7/comments?since=yesterday'],
    'issues/list-comments: query/since must match format "date-time"',
  ],
  [
    'a path of the wrong type',
    ['GET', 'pulls/seven'],
    'pulls/get: path/pull_number must be integer',
  ],
  ['an unknown path', ['GET', '/nothing'], '404: the emulator has no GET /nothing'],
  ['an unknown method', ['PUT', '/user'], '404: the emulator has no PUT /user'],
  [
    'an unknown repository by its number',
    ['GET', '/repositories/1/pulls'],
    '404: the emulator has no GET /repositories/1/pulls',
  ],
])('%s is recorded', async (_name, [method, path, body], violation) => {
  await using github = await start();
  const answer = await ask(github, method, path, body);
  expect(answer).toMatchObject({
    status: violation.startsWith('404') ? 404 : 500,
    body: { message: violation },
  });
  expect(github.violations).toEqual([violation]);
});

test('all that is wrong with a request is said at once', async () => {
  await using github = await start();
  await ask(github, 'POST', 'issues/seven/comments?a=1', { text: 'Hello' });
  expect(github.violations[0]?.split('; ')).toHaveLength(4);
});

test('a body that is not JSON is recorded', async () => {
  await using github = await start();
  const url = `${github.url}/repos/${repository}/issues/7/comments`;
  await fetch(url, { method: 'POST', headers: { authorization }, body: 'Hello' });
  expect(github.violations).toEqual(['issues/create-comment: body must be object']);
});

test('a wrong request has no effect and calls no hook', async () => {
  await using github = await start();
  let calls = 0;
  github.on('issues/create-comment', () => {
    calls += 1;
  });
  await ask(github, 'POST', 'issues/7/comments', { body: 'Hello', draft: true });
  expect(github.comments(repository, 7)).toEqual([]);
  expect(calls).toBe(0);
});

test('a wrong request is recorded even without a token', async () => {
  await using github = await start();
  await fetch(`${github.url}/repos/${repository}/pulls/7?a=1`);
  expect(github.violations).toHaveLength(1);
});

describe('an answer that GitHub would not give', () => {
  test('a comment without its text’s author', async () => {
    await using github = await start();
    const [comment] = github.addComments(repository, 7, [{ author: 'octocat', body: 'Hello' }]);
    Object.assign(comment ?? {}, { user: { login: 'octocat' } });
    expect((await ask(github, 'GET', 'issues/7/comments')).status).toBe(500);
    expect(github.violations).toEqual([
      expect.stringContaining("answer 200/0/user must have required property 'id'"),
    ]);
  });

  test('a pull request with an address that is none', async () => {
    await using github = await start();
    const pull = github.pullRequests.get(`${repository}#7`);
    Object.assign(pull ?? {}, { html_url: 'nowhere' });
    expect((await ask(github, 'GET', 'pulls/7')).status).toBe(500);
    expect(github.violations).toEqual(['pulls/get: answer 200/html_url must match format "uri"']);
  });

  test.each<[string, Reply, string[]]>([
    [
      'a status that is not described',
      { status: 200, body: {} },
      ['the OpenAPI description has no status 200'],
    ],
    ['an error that is not described', { status: 401, body: {} }, []],
    [
      'a described error of another shape',
      { status: 404, body: [] },
      ['answer 404 must be object'],
    ],
    ['an error page', { status: 404, body: '<html></html>' }, []],
  ])('%s', (_name, reply, problems) => {
    expect(answerProblems('issues/create-comment', reply)).toEqual(problems);
  });
});
