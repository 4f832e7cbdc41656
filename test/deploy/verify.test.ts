import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { abortOn } from '../support/abort-on.ts';
import { runDeploy } from '../support/deploy.ts';
import { warningsIn } from '../support/read-report.ts';
import { linesIn, startWorld, type World } from '../support/world.ts';

const warnings = ({ told }: World) => warningsIn(told);

/** A page of its own, beside the service. */
async function startPage(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

const log = ['> site build', 'src/index.ts', '  3 | const x: number = "y";', '    ^'];
const error = 'error TS2322: Type "string" is not assignable.';
const logLines = [...log, `  ${error}`, 'npm ERR! code 2', 'npm ERR! A complete log is in x.log'];

describe.concurrent('a deployment that failed', () => {
  const shapes = ['message', 'text', 'line', 'log', 'delta'] as const;
  const offers = ['both', 'stream'] as const;
  it.each(offers.flatMap((offer) => shapes.map((shape) => [offer, shape] as const)))(
    'offered by %s, with its log in %s: the reason is told',
    async (offer, logShape) => {
      const stream = { logLines, logShape };
      await using world = await startWorld({
        dialect: { offers: offer, deploymentEnds: 'failure', stream },
      });
      const report = await runDeploy(world);
      expect(report.release?.log).toEqual(logLines);
      expect(report.error).toBe(`Build error: ${error} (SD5001)`);
    },
  );

  it.each<DialectOptions['stream']>([
    { shape: 'data-only' },
    { shape: 'nested' },
    { shape: 'typed' },
    { splitBytes: 3, crlf: true },
    { closeAtEnd: false },
    { endWithDone: true },
    { dropAfterEvents: 8 },
  ])('on a stream of %j', async (stream) => {
    await using world = await startWorld({
      dialect: { deploymentEnds: 'failure', stream: { logLines, ...stream } },
    });
    expect((await runDeploy(world)).release?.log).toEqual(logLines);
  });

  it('waits a little for the lines that come after the status that a poll has told', async () => {
    await using world = await startWorld({
      dialect: { deploymentEnds: 'failure', stream: { logLines } },
    });
    const { promise: failed, resolve } = Promise.withResolvers<void>();
    const { report: tell } = world.host;
    world.host.report = (progress) => {
      tell(progress);
      if (progress.type === 'status' && progress.status === 'failed') resolve();
    };
    const operation = 'readDeploymentEvents';
    world.emulator.faults.add({ operation, kind: 'hold', until: () => failed });
    const report = await runDeploy(world);
    expect(report).toMatchObject({ release: { confirmedBy: 'poll', log: logLines } });
  });

  it('is told by a run that is cancelled while the rest of the log is awaited', async () => {
    await using world = await startWorld({
      dialect: { deploymentEnds: 'failure', stream: { closeAtEnd: false } },
    });
    abortOn(
      world,
      (progress) => progress.type === 'status' && progress.status === 'failed',
      'cancelled',
    );
    const report = await runDeploy(world);
    expect(report.outcome).toBe('cancelled');
    expect(report.error).toContain('The deployment failed.');
    expect(report.error).not.toContain('may still go live');
  });

  it('keeps the last twenty lines', async () => {
    const lines = Array.from({ length: 50 }, (_, at) => `line ${at}`);
    await using world = await startWorld({
      dialect: { deploymentEnds: 'failure', stream: { logLines: lines } },
    });
    const report = await runDeploy(world);
    expect(report.release?.log).toEqual(lines.slice(-20));
    expect(report.error).toContain('Build error: line 49');
  });

  it('keeps indentation, and neither secrets nor control characters nor endless space', async () => {
    const secret = 'fake-secret-in-the-log';
    const lines = [
      `\u001b[90m    at build \u001b[39m(${secret})\u0007`,
      '\tindented',
      `${' '.repeat(5000)}far`,
    ];
    await using world = await startWorld({
      dialect: { deploymentEnds: 'failure', stream: { logLines: lines } },
      secrets: [secret],
    });
    const report = await runDeploy(world);
    expect(report.release?.log).toEqual([
      '    at build (***)',
      '\tindented',
      `${' '.repeat(40)}far`,
    ]);
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  it('says what the service says first, then what its build says', async () => {
    await using world = await startWorld({
      dialect: {
        deploymentEnds: 'failure',
        hostileText: 'The build ran out of memory.',
        stream: { logLines },
      },
    });
    const { error: told } = await runDeploy(world);
    expect(told).toBe(
      `The deployment failed: The build ran out of memory. Build error: ${error} (SD5001)`,
    );
  });

  it('whose reason nobody shows says so, and where to look', async () => {
    await using world = await startWorld({ dialect: { deploymentEnds: 'failure' } });
    const report = await runDeploy(world);
    expect(report.release?.log).toBeUndefined();
    expect(report.error).toContain('no build log');
    expect(report.error).toContain('check the deployment there');
  });

  it('alone has a log in its report', async () => {
    await using world = await startWorld({ dialect: { stream: { logLines } } });
    expect((await runDeploy(world)).release?.log).toBeUndefined();
  });
});

describe.concurrent('a status word that no table has', () => {
  it('is warned of when it is first seen', async () => {
    const words = ['zorping', 'building', 'zorping'];
    await using world = await startWorld({ dialect: { deploymentWords: { steps: words } } });
    expect((await runDeploy(world)).outcome).toBe('succeeded');
    expect(warnings(world)).toEqual([
      expect.stringMatching(
        /the unknown status "zorping"; .*add success=zorping or failure=zorping to the input service\./,
      ),
    ]);
  });

  it('is warned of five times at most', async () => {
    const steps = Array.from({ length: 12 }, (_, at) => `zorp${at}`);
    await using world = await startWorld({
      dialect: { offers: 'stream', deploymentWords: { steps } },
    });
    await runDeploy(world);
    expect(warnings(world)).toHaveLength(5);
    expect(world.told.filter((told) => 'text' in told && /zorp11/.test(told.text))).toHaveLength(1);
  });

  it.each(['both', 'stream', 'poll'] as const)(
    'in which it ends, by %s: the time-out says which line to add',
    async (offers) => {
      await using world = await startWorld({
        dialect: { offers, deploymentWords: { success: 'zorp' } },
      });
      abortOn(world, (told) => told.type === 'warning');
      const report = await runDeploy(world);
      expect(report.outcome).toBe('timed-out');
      expect(report.error).toContain('had the status "zorp"');
      expect(report.error).toContain(
        'If it is final, add success=zorp or failure=zorp to the input service; if not, raise timeout.',
      );
    },
  );

  it('is not explained to somebody who cancels', async () => {
    await using world = await startWorld({ dialect: { deploymentWords: { success: 'zorp' } } });
    abortOn(world, (told) => told.type === 'warning', 'cancelled');
    expect((await runDeploy(world)).error).not.toContain('success=');
  });
});

describe.concurrent('a time-out says why', () => {
  const isHeartbeat = (told: { type: string }) => told.type === 'heartbeat';

  it('it is still under way: raise timeout', async () => {
    await using world = await startWorld({ dialect: { deploymentEnds: 'never' } });
    abortOn(world, isHeartbeat);
    const report = await runDeploy(world);
    expect(report.error).toContain('had the status "publishing"');
    expect(report.error).toContain('raise timeout');
  });

  it('nothing shows how it goes on, and the page has not come', async () => {
    await using world = await startWorld({ dialect: { offers: 'neither' } });
    await using page = await startPage((_request, response) => {
      response.statusCode = 404;
      response.end();
    });
    abortOn(world, isHeartbeat);
    const verify = { url: page.url, contains: '', namesCommit: false };
    const { outcome, error: told } = await runDeploy(world, { verify });
    expect(outcome).toBe('unconfirmed');
    expect(told).toMatch(/\(SD5002\)$/);
    expect(told).toContain("Its status is unknown, and the checks don't pass");
    expect(told).toContain(`GET ${page.url} returned 404, expected 2xx.`);
    expect(told).toContain('correct the address in verify-url');
    expect(told).not.toContain('set verify-url');
  });

  it('its stream stays silent', async () => {
    await using world = await startWorld({ dialect: { stream: { stall: true } } });
    abortOn(world, isHeartbeat);
    const { error: told } = await runDeploy(world, { wait: 'stream' });
    expect(told).toContain('Its event stream sent no status');
    expect(told).toContain('set wait: auto');
  });

  it('its status cannot be read', async () => {
    await using world = await startWorld({ dialect: { offers: 'poll', offeredAfterMs: 0 } });
    const fault = { kind: 'status', status: 502, effect: false } as const;
    world.emulator.faults.add({ operation: 'readDeployment', times: 1e6, ...fault });
    abortOn(world, isHeartbeat);
    const { error: told } = await runDeploy(world, { wait: 'poll' });
    expect(told).toContain('Could not read the deployment: GET');
    expect(told).toContain('returned 502');
  });

  it.each([
    ['returned 404', 404, 'old', 'correct the address in verify-url'],
    ['returned 401', 401, '', 'use a public page in verify-url'],
    ['returned 500', 500, '', "Check the project's logs"],
    ['does not contain "new"', 200, 'old', 'Fix the page, or change verify-contains'],
  ])('its page %s', async (says, status, body, advice) => {
    await using world = await startWorld();
    await using page = await startPage((_request, response) => {
      response.statusCode = status;
      response.end(body);
    });
    abortOn(world, (told) => linesIn(told).startsWith('Check '));
    const verify = { url: page.url, contains: 'new', namesCommit: false };
    const { error: told } = await runDeploy(world, { verify });
    expect(told).toContain('The deployment succeeded.');
    expect(told).toContain(says);
    expect(told).toContain(advice);
  });

  it('its page cannot be reached', async () => {
    await using world = await startWorld();
    abortOn(world, (told) => linesIn(told).startsWith('Check '));
    const verify = { url: new URL('http://127.0.0.1:9/'), contains: '', namesCommit: false };
    expect((await runDeploy(world, { verify })).error).toContain('Check the DNS record');
  });
});

describe.concurrent('a page that had a fault before', () => {
  const faults: readonly (readonly [string, boolean, string, 'succeeded' | 'unconfirmed'])[] = [
    ['and shows the commit then', true, 'the commit', 'succeeded'],
    ['and shows other words then', false, 'the commit', 'unconfirmed'],
    ['and shows anything then', false, '', 'unconfirmed'],
  ];
  it.each(
    faults.flatMap((fault) => (['503', 'reset'] as const).map((how) => [how, ...fault] as const)),
  )('(%s) %s', async (how, _, namesCommit, contains, outcome) => {
    await using world = await startWorld({ dialect: { offers: 'neither' } });
    await using page = await startPage((request, response) => {
      if (world.project.deployments[0]?.status === 'succeeded') {
        response.end('the commit');
      } else if (how === 'reset') {
        request.socket.destroy();
      } else {
        response.statusCode = 503;
        response.end();
      }
    });
    const report = await runDeploy(world, { verify: { url: page.url, contains, namesCommit } });
    expect(report.outcome).toBe(outcome);
    if (outcome === 'succeeded') expect(report.release?.confirmedBy).toBe('site');
    else expect(report.error).toContain('put {sha} in verify-contains');
  });
});

describe.concurrent('an end that nothing confirms tells nobody to do what is done', () => {
  it.each([
    ['nothing', {}, /set verify-url/, /\{sha\}/],
    ['a page', { namesCommit: false }, /put \{sha\}/, /set verify-url/],
    [
      'a page that names the commit',
      { namesCommit: true },
      /already/,
      /set verify-url|put \{sha\}/,
    ],
    ['a page and HEAD', { namesCommit: false, commit: 'HEAD' }, /already/, /give verify|\{sha\}/],
  ] as const)('given %s', async (_, fields, says, lacks) => {
    await using world = await startWorld({ dialect: { offers: 'neither' } });
    await using page = await startPage((_request, response) => response.end('good'));
    const { namesCommit, ...rest } = { namesCommit: undefined, ...fields };
    const verify = { url: page.url, contains: 'good', namesCommit: namesCommit === true };
    const { outcome, error: told } = await runDeploy(world, {
      ...rest,
      ...(namesCommit !== undefined && { verify }),
    });
    expect(outcome).toBe('unconfirmed');
    expect(told).toMatch(says);
    expect(told).not.toMatch(lacks);
    expect(told).not.toMatch(/\.\.$/);
  });

  it.each([
    ['stream', 'poll'],
    ['poll', 'stream'],
  ] as const)('wait: %s of a service that offers %s only', async (wait, offers) => {
    await using world = await startWorld({ dialect: { offers } });
    const { outcome, error: told } = await runDeploy(world, { wait });
    expect(outcome).toBe('unconfirmed');
    expect(told).toContain('set wait: auto');
  });
});
