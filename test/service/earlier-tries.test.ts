import { expect, test } from 'vitest';
import { type Answerer, reset, startStub } from './stub.ts';
import { failureOf, openClient, projectId } from './support.ts';

const code =
  (status: number): Answerer =>
  (response) =>
    response.writeHead(status).end();

const answers: Record<string, Answerer> = {
  reset: (response) => reset(response),
  '408': code(408),
  '409': code(409),
  '429': code(429),
  '500': code(500),
  '503': code(503),
};

test.for([
  { tries: ['500', '409'], earlier: { fault: 'answer', status: 500 } },
  { tries: ['408', '409'], earlier: { fault: 'answer', status: 408 } },
  { tries: ['reset', '409'], earlier: { fault: 'broken', status: undefined } },
  { tries: ['reset', '429', '503', '409'], earlier: { fault: 'answer', status: 503 } },
  { tries: ['500', 'reset', '429', '409'], earlier: { fault: 'broken', status: undefined } },
  { tries: ['500', '500', '500', '500', '503'], earlier: { fault: 'answer', status: 500 } },
  { tries: ['429', '409'], earlier: undefined },
  { tries: ['503', '429', '409'], earlier: { fault: 'answer', status: 503 } },
  { tries: ['409'], earlier: undefined },
])('after $tries the error tells of the try that may have arrived', async ({ tries, earlier }) => {
  await using stub = await startStub((response, request, n) =>
    answers[tries[n - 1] ?? '']?.(response, request, n),
  );
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.createDeployment(projectId, { idempotencyKey: 'k' }));
  expect(stub.received).toHaveLength(tries.length);
  expect(error.status).toBe(Number(tries.at(-1)));
  if (earlier === undefined) expect(error.details.earlier).toBeUndefined();
  else expect(error.details.earlier).toMatchObject(earlier);
});
