// Attack (flooding): A service requests pauses of 0, in the past, or nonsense
// Defense: A pause is never shorter than the action's own (polls 0.27 s, retries the usual backoff, streams 1 s)
// Attack (flooding): A service requests a pause of years, or more than a timer takes
// Defense: The run waits as long as it has time; a retry that would come too late is not waited for
// Attack (flooding): A service requests a pause of more than `verify-timeout` while a domain is verified
// Defense: The domain's own deadline limits the pauses
// Attack (flooding): `retry: 0` on a stream that drops after each event
// Defense: Reopened after 1 s at the earliest, doubled up to 30 s
// Attack (flooding): Hinted ends start each next poll early
// Defense: To 0.4 s at the earliest, and never within a requested pause
// Attack (flooding): GitHub, or what poses as it, requests any pause
// Defense: Never waited for

import { describe, expect, it } from 'vitest';
import type { Reply } from '../../emulator/github/index.ts';
import { startPullRequest } from '../dist/pull-request-world.ts';
import { deploymentId, events, json, refuse, startHostile } from './hostile.ts';

/** How long each run may take, and the least time between two polls in it, in milliseconds. */
const timeout = 3000;
const leastPause = 270;

/** As many polls as there is time for: a slow machine makes fewer. */
const mostPolls = timeout / leastPause + 1;

const inputs = { timeout: `${timeout / 1000}s`, wait: 'poll' };

describe.concurrent('Retry-After', () => {
  it.each([
    '0',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'soon',
    '0.0001',
    '-1',
    'Sat, 01 Jan 0001 00:00:00 GMT',
    'NaN',
  ])('"%s" makes no poll come sooner than it would', async (header) => {
    await using service = await startHostile({ status: refuse(503, { 'retry-after': header }) });
    const { outputs } = await service.run('', { inputs });
    expect(outputs['outcome']).toBe('timed-out');
    expect(service.count('status')).toBeLessThanOrEqual(mostPolls);
  });

  it.each([
    ['a little more than a timer takes', '2147484'],
    ['a number of seconds that no timer takes', '99999999999'],
    ['a number beyond all others', '9'.repeat(400)],
    ['the end of the calendar', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('%s is waited for as long as there is time, and no longer', async (_, header) => {
    await using service = await startHostile({ status: refuse(429, { 'retry-after': header }) });
    const { outputs } = await service.run('', { inputs });
    expect(outputs['outcome']).toBe('timed-out');
    expect(service.count('status')).toBe(1);
  });

  it('does not hold up the step beyond the time that a domain has', async () => {
    const hostname = 'www.example.com';
    const domain = {
      hostname,
      projectId: '00000000-0000-4000-8000-00000000000a',
      state: 'pending',
    };
    await using service = await startHostile({
      status: json({ deploymentId, status: 'succeeded' }),
      domains: json({ domains: [domain] }),
      // Longer than the whole step may take.
      domain: refuse(503, { 'retry-after': '40' }),
    });
    const { outputs } = await service.run('', {
      inputs: { timeout: '35s', 'preview-domain': hostname, 'verify-timeout': '2s' },
    });
    expect(outputs['outcome']).toBe('succeeded');
    // One at once, and one when the time of the domain is up.
    expect(service.count('domain')).toBeLessThanOrEqual(2);
  });

  it('of GitHub is told, and never waited for', async () => {
    await using world = await startPullRequest();
    const seen: string[] = [];
    for (const header of ['0', '-1', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon']) {
      const before = world.github.journal.length;
      const reply: Reply = {
        status: 403,
        headers: { 'retry-after': header, 'content-type': 'application/json' },
        body: '{"message":"You have exceeded a secondary rate limit."}',
      };
      world.github.trouble = ({ operationId }) =>
        operationId?.startsWith('issues/') === true ? reply : undefined;
      const { outputs, log } = await world.run('synchronize');
      expect(outputs['outcome']).toBe('succeeded');
      const asked = world.github.journal
        .slice(before)
        .filter(({ operationId }) => operationId?.startsWith('issues/') === true);
      // Once to begin with, once at the end.
      expect(asked).toHaveLength(2);
      seen.push(...log.filter((line) => line.includes('rate limit')));
    }
    expect(seen).not.toEqual([]);
    expect(seen.filter((line) => /until/.test(line))).toEqual([]);
  });
});

describe.concurrent('what a service asks for in other ways', () => {
  it('"retry: 0" opens a stream no sooner again than it would be', async () => {
    const one = `retry: 0\nid: 1\nevent: status\ndata: {"deploymentId":"${deploymentId}","status":"building"}\n\n`;
    await using service = await startHostile({ events: events(one) });
    const { outputs } = await service.run('', { inputs: { ...inputs, wait: 'stream' } });
    expect(outputs['outcome']).toBe('timed-out');
    expect(service.count('events')).toBeLessThanOrEqual(timeout / 1000 + 1);
  });

  it('an end that is hinted at and taken back brings no flood of polls', async () => {
    let polls = 0;
    await using service = await startHostile({
      status: (response, request, n) => {
        polls += 1;
        json({ status: polls % 2 === 0 ? 'succeeded' : 'failed' })(response, request, n);
      },
    });
    const { outputs } = await service.run('', { inputs });
    expect(outputs['outcome']).toBe('timed-out');
    expect(polls).toBeLessThanOrEqual(mostPolls);
  });

  it('steps that end on the stream bring no flood of polls', async () => {
    const step = `event: step\ndata: {"step":"a","status":"done"}\n\n`;
    let closed = false;
    await using service = await startHostile({
      events: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const timer = setInterval(() => response.write(step), 5);
        response.on('close', () => {
          closed = true;
          clearInterval(timer);
        });
      },
    });
    const { outputs } = await service.run('', { inputs: { ...inputs, wait: 'auto' } });
    expect(outputs['outcome']).toBe('timed-out');
    expect(closed).toBe(true);
    expect(service.count('status')).toBeLessThanOrEqual(mostPolls);
  });
});
