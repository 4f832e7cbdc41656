import { expect, test } from 'vitest';
import type { ServiceClient } from '../../src/service/client.ts';
import { startStub } from './stub.ts';
import { failureOf, newVariable, openClient, projectId, variableId } from './support.ts';

const tooLong = 'fake value '.repeat(500);

test.for<{ name: string; call: (client: ServiceClient) => Promise<unknown>; says: string }>([
  {
    name: 'a value that is too long',
    call: (client) => client.createVariable(projectId, { ...newVariable, value: tooLong }),
    says: 'value must have at most 5120 characters',
  },
  {
    name: 'an empty variable name',
    call: (client) => client.createVariable(projectId, { ...newVariable, name: '' }),
    says: 'name must not be empty',
  },
  {
    name: 'a version that is not a safe integer',
    call: (client) => client.deleteVariable(projectId, variableId, { expectedVersion: 2 ** 53 }),
    says: 'expectedVersion ',
  },
  {
    name: 'a short commit',
    call: (client) => client.createDeployment(projectId, { versionId: 'abc' }),
    says: 'versionId ',
  },
  {
    name: 'an empty idempotency key',
    call: (client) => client.createDeployment(projectId, { idempotencyKey: '' }),
    says: 'idempotencyKey must not be empty',
  },
  {
    name: 'a prompt that is too long',
    call: (client) => client.createProject({ initialPrompt: tooLong.repeat(2) }),
    says: 'initialPrompt must have at most 10000 characters',
  },
])('$name is refused before anything is sent', async ({ call, says }) => {
  await using stub = await startStub((response) => response.end('{}'));
  await using opened = openClient(stub.url);
  const error = await failureOf(call(opened.client));
  expect(error).toMatchObject({ fault: 'invalid', effect: 'none', mayHaveArrived: false });
  expect(error.message).toContain(says);
  expect(error.message).not.toContain('fake value');
  expect(stub.received).toEqual([]);
  expect(opened.client.requests).toBe(0);
});
