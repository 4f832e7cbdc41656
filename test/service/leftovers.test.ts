import { getEventListeners, setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { startStub } from './stub.ts';
import { emptyEnvironment, openClient, projectId } from './support.ts';

test('calls leave no listener on the signal of the run', async () => {
  await using stub = await startStub((response, { url }) => {
    if (url.includes('filter')) response.writeHead(503);
    response.end(emptyEnvironment);
  });
  await using opened = openClient(stub.url);
  for (let n = 0; n < 20; n += 1) await opened.client.readEnvironment(projectId);
  await expect(opened.client.listProjects('all')).rejects.toHaveProperty('status', 503);
  expect(getEventListeners(opened.run.signal, 'abort')).toEqual([]);
});

test('many calls under one signal all end', async () => {
  const waiting = Promise.withResolvers<void>();
  let asked = 0;
  await using stub = await startStub(() => {
    asked += 1;
    // The pool has ten connections; the other calls wait for one.
    if (asked === 10) waiting.resolve();
  });
  await using opened = openClient(stub.url);
  setMaxListeners(0, opened.run.signal);
  const reason = new Error('stop');
  const all = Promise.allSettled(
    Array.from({ length: 25 }, () => opened.client.readEnvironment(projectId)),
  );
  await waiting.promise;
  opened.run.abort(reason);
  const results = await all;
  expect(results).toEqual(results.map(() => ({ status: 'rejected', reason })));
  await stub.idle();
  expect(asked).toBe(10);
});

test('close leaves no connection, neither idle nor busy', async () => {
  const waiting = Promise.withResolvers<void>();
  await using stub = await startStub((response, { url }) => {
    if (url.includes('environment')) response.end(emptyEnvironment);
    else waiting.resolve();
  });
  await using opened = openClient(stub.url);
  await opened.client.readEnvironment(projectId);
  expect(stub.connections.size).toBe(1);
  const look = { operation: 'look', path: '/', signal: opened.run.signal };
  const failed = expect(opened.client.readOnce(look)).rejects.toHaveProperty('fault', 'broken');
  await waiting.promise;
  await opened.client.close();
  await failed;
  await stub.idle();
});
