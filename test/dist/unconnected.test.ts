// Attack (reports): "Nothing was sent" next to a count of requests
// Defense: Attempts without a connection are counted apart

import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ActionResult, startAction } from '../../emulator/runner.ts';
import { rows } from '../support/exhaustive.ts';
import { listenApart, nowhere } from '../support/ports.ts';
import { shareProcess } from '../support/shared-process.ts';
import { readable, unpacked } from './run-step.ts';

const projectId = '00000000-0000-4000-8000-00000000000a';

async function run(action: string, url: string, inputs: Record<string, string> = {}) {
  const step = startAction({
    action: join(unpacked, action),
    launch: shareProcess,
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) } },
    env: { NAME: 'fake value' },
    inputs: {
      'api-key': 'fake-key-of-a-service',
      'base-url': url,
      'project-id': action === 'projects' ? '' : projectId,
      ...inputs,
    },
  });
  return await step.done;
}

/** What is shown of a run, and what it says of attempts anywhere. */
function told(result: ActionResult) {
  const text = `${readable(result)}`;
  return { text, counts: [...new Set(text.match(/\d+ attempts?[\w ]*/g))] };
}

describe.concurrent('a service that cannot be reached', () => {
  const actions: [string, Record<string, string>][] = [
    ['', { 'github-deployment': 'false' }],
    ['env-sync', { 'env-from': 'NAME', 'env-ledger': 'off' }],
    ['domains', { check: 'example.com' }],
    ['message', { content: 'Make it blue.', wait: 'none' }],
    ['projects', {}],
  ];
  // One that deploys, one that waits for nothing, and one that only reads: they count by the same code.
  it.each(rows(actions, 3))(
    'was sent nothing: "%s" counts attempts, and no request',
    async (action, inputs) => {
      const result = await run(action, nowhere, inputs);
      const { outcome, requests, error } = result.outputs;
      expect({ outcome, requests }).toEqual({ outcome: 'failed', requests: '0' });
      expect(error).toMatch(/no connection: .* The request was not sent\. Check base-url/);
      const { counts } = told(result);
      // Where there is a summary.
      if (action !== 'projects')
        expect(counts).toEqual([expect.stringMatching(/^\d+ attempts? without a connection$/)]);
    },
  );

  it('in mid-run was sent what came before, which is counted apart', async () => {
    const server = createServer((_, response) => {
      server.close();
      response
        .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
        .end('{"variables":[]}');
    });
    const url = await listenApart(server);
    const result = await run('', url, { 'github-deployment': 'false' });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '1' });
    expect(result.outputs['error']).toMatch(/create the deployment.* The request was not sent\./);
    const { text } = told(result);
    expect(text).not.toContain('Nothing was sent');
    expect(text).toMatch(/Requests to the service: 1, \d+ attempts without a connection/);
  });
});
