import { expect, test } from 'vitest';
import { type Operation, operations } from '../contract/operations.ts';
import { ServiceError, type ServiceErrorDetails } from '../service/errors.ts';
import { adviceFor } from './advice.ts';
import { unsafeText } from './text/safe.ts';

type FailedRequest = Omit<ServiceErrorDetails, 'request'>;

const operation = operations.readEnvironment;
const create = operations.createDeployment;
const lost = new ServiceError({ fault: 'broken', operation: create, request: unsafeText('') });
const lookFirst = /^The request may have arrived: check the service before you rerun the job\.$/;
const answer = (status: number, of: Operation = operation): FailedRequest => ({
  fault: 'answer',
  operation: of,
  status,
});

test.each<[string, FailedRequest, RegExp]>([
  ['nothing was sent', { fault: 'invalid', operation }, /^The request was not sent\. Correct/],
  ['no connection', { fault: 'connect', operation }, /^The request was not sent\. Check base-url/],
  [
    'a broken connection',
    { fault: 'broken', operation },
    /may have arrived; it is safe to rerun the job/,
  ],
  ['no answer in time', { fault: 'timeout', operation }, /may have arrived.*timeout/],
  ['a body of no use', { fault: 'body', operation, status: 200 }, /base-url/],
  [
    'an answer without a status',
    { fault: 'answer', operation },
    /Give the request id to the service's operators/,
  ],
  ['a redirect', answer(302), /base-url to the redirect's target/],
  ['a redirect of a deployment', answer(308, create), /the redirect's target/],
  ['400', answer(400), /Give the request id to the service's operators/],
  ['401', answer(401), /api-key/],
  ['403', answer(403), /permission/],
  ['404', answer(404), /project-id/],
  [
    '404 of a project',
    answer(404, operations.readEnvironment),
    /^(?!.*workspace).*the \/projects action lists the ids/,
  ],
  ['404 of a zone', answer(404, operations.listDnsRecords), /name in the site file.*key's owner/],
  [
    '404 of a renewal',
    answer(404, operations.disableRenewal),
    /name in the site file.*key's owner/,
  ],
  ['404 of a binding, which names a project', answer(404, operations.bindDomain), /project-id/],
  [
    '404 of the list of projects',
    answer(404, operations.listProjects),
    /^Check base-url: the server/,
  ],
  ['404 of a new project', answer(404, operations.createProject), /^Check base-url: the server/],
  ['405', answer(405), /base-url/],
  ['409', answer(409), /concurrency group/],
  ['409 of a deployment', answer(409, create), /^Another deployment.*concurrency group/i],
  [
    'an earlier try whose answer was lost',
    { ...answer(503), earlier: lost },
    /^An earlier attempt may have arrived.*internal error/,
  ],
  ['413', answer(413), /shorten/],
  ['429', answer(429), /rate/],
  ['500', answer(500), /internal error/],
  ['503', answer(503), /internal error/],
  ['an unknown commit: 400', answer(400, create), /contain the commit: set git-url to push it/],
  ['an unknown commit: 404', answer(404, create), /contain the commit: set git-url to push it/],
  ['an unknown commit: 422', answer(422, create), /contain the commit: set git-url to push it/],
  ['401 of a deployment', answer(401, create), /api-key/],
  [
    'a success that nothing shows',
    { fault: 'unproven', operation },
    /^It may still take effect: check the service/,
  ],
  [
    'a message whose success nothing shows',
    { fault: 'unproven', operation: operations.sendMessage },
    /^It may still take effect: check the service/,
  ],
  ...[operations.sendMessage, operations.createProject].flatMap(
    (once): [string, FailedRequest, RegExp][] => [
      [`a broken connection, ${once.name}`, { fault: 'broken', operation: once }, lookFirst],
      [`no answer in time, ${once.name}`, { fault: 'timeout', operation: once }, lookFirst],
      [
        `a body of no use, ${once.name}`,
        { fault: 'body', operation: once },
        /check the service .*base-url/,
      ],
      [`502, ${once.name}`, answer(502, once), lookFirst],
      [`408, ${once.name}`, answer(408, once), lookFirst],
      [`429 after a lost try, ${once.name}`, { ...answer(429, once), earlier: lost }, lookFirst],
      [`409, ${once.name}`, answer(409, once), /concurrency group/],
      [
        `no connection, ${once.name}`,
        { fault: 'connect', operation: once },
        /^The request was not sent/,
      ],
    ],
  ),
])('%s', (_name, failed, advice) => {
  expect(adviceFor(new ServiceError({ ...failed, request: unsafeText('') })).advice).toMatch(
    advice,
  );
});

test.each([
  [
    'a commit that this step has pushed',
    { push: 'done' },
    /^Check project-id\. This step pushed the commit/,
  ],
  ['HEAD', { push: 'not-needed' }, /must contain a commit\.$/],
] as const)('nobody is told to do what was done: %s', (_name, known, advice) => {
  const failed = answer(422, operations.createDeployment);
  const told = adviceFor(new ServiceError({ ...failed, ...known, request: unsafeText('') }));
  expect(told).toEqual({ code: 'SD3421', advice: expect.stringMatching(advice) });
  expect(told.advice).not.toMatch(/to push it|commit-sha: HEAD/);
});
