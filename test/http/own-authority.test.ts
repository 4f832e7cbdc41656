import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { createProbe } from '../../src/checks/apply.ts';
import { evaluateAnswer } from '../../src/checks/evaluate.ts';
import { getPullRequest, openOctokit } from '../../src/github/client.ts';
import { describeTrouble } from '../../src/github/errors.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import { explainError } from '../../src/step/run-outcome.ts';
import { failureOf, openClient, projectId } from '../service/support.ts';
import { type Certificate, makeCertificate, trustCertificate } from '../support/certificate.ts';

/** What to do, where the certificate's authority is not known. */
const advice = /\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*set NODE_EXTRA_CA_CERTS to its PEM file\.$/;

let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate(30);
});

/** A server on this machine with that certificate, which has nothing. */
async function startServer() {
  const server = createServer(certificate, (_, response) => response.writeHead(404).end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((done) => server.close(() => done()));
  return { url: `https://site.localhost:${port}`, [Symbol.asyncDispose]: close };
}

test('of the service is to be trusted, and nothing else is to be checked', async () => {
  await using server = await startServer();
  await using opened = openClient(server.url);
  const error = await failureOf(opened.client.readEnvironment(projectId));
  const { code, text } = explainError(error, unsafeText);
  expect(code).toBe('SD3001');
  expect(text).toMatch(advice);
  expect(text).not.toContain('base-url');
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(35);
});

test('of GitHub Enterprise is to be trusted', async () => {
  await using server = await startServer();
  const access = { apiUrl: server.url, token: 'fake-token', repository: 'octo-org/site' };
  const reading = getPullRequest(await openOctokit(access), 7);
  const error = await reading.catch((thrown: unknown) => thrown);
  const { code, text } = describeTrouble('read the pull request', error, 'pull-requests: read');
  expect(code).toBe('SD8005');
  expect(text).toMatch(advice);
});

test('of a site is to be trusted', async () => {
  await using server = await startServer();
  const probe = createProbe('test');
  const url = new URL(server.url);
  const page = { url, method: 'GET', follows: false } as const;
  const answer = await probe.request(page, AbortSignal.timeout(10_000));
  await probe.close();
  const result = evaluateAnswer(
    { ...page, from: 'inputs', namesCommit: false },
    answer,
    unsafeText,
    0,
  );
  expect(`${result.explains}. ${result.advice}`).toMatch(advice);
  expect(result.advice).toMatch(/^Check the site's certificate\. /);
});

test('that is trusted is no trouble', async () => {
  using _trusted = trustCertificate(certificate);
  await using server = await startServer();
  await using opened = openClient(server.url);
  const error = await failureOf(opened.client.readEnvironment(projectId));
  expect(error.status).toBe(404);
});
