import { expect, it } from 'vitest';
import { numberOf } from '../../github/index.ts';
import { ask, repository } from '../github/support.ts';
import { sendTo } from '../service/support.ts';
import { watch } from './support.ts';

const fields = { repository: String(numberOf(repository)), number: '7' };

it('fails the next build, and only that one', async () => {
  await using world = await watch({ stream: { logLines: ['Building 2 pages'] } });
  const { emulator, project, press, read } = world;
  const deploy = async () => {
    const one = emulator.world.project(project.id).deploy(await project.head(), null);
    await one.ended;
    return one;
  };
  await press('fail-next-build', { project: project.id });
  expect(await read()).toContain('The next build fails</span>');
  const [failed, good] = [await deploy(), await deploy()];
  expect([failed.status, good.status]).toEqual(['failed', 'succeeded']);
  const lines = failed.events.flatMap((event) => (event.kind === 'log' ? [event.line] : []));
  expect(lines).toEqual(['Building 2 pages', 'error: this build fails on request']);
  expect(failed.history.map(({ status }) => status)).toEqual(['queued', 'building', 'failed']);
  await press('fail-next-build', { project: project.id });
  await press('let-next-build-succeed', { project: project.id });
  expect((await deploy()).status).toBe('succeeded');
});

it('changes a variable by hand, to a value of its own or an invented one, and deletes it', async () => {
  await using world = await watch();
  const { project, press, read } = world;
  const change = (value: string) =>
    press('change-variable', { project: project.id, name: 'A', value });
  await change('');
  expect(project.variables).toMatchObject([{ name: 'A', version: 1, kind: 'secret' }]);
  expect(project.variables[0]?.value).toMatch(/^fake-set-by-hand-/);
  await change('mine');
  expect(project.variables).toMatchObject([{ value: 'mine', version: 2 }]);
  expect(await read()).toMatch(
    /role="status"[^>]*>[\d:]+ A of project-\S+ was changed by hand: version 2\.</,
  );
  await press('delete-variable', { project: project.id, name: 'A' });
  expect(project.variables).toEqual([]);
});

it.each(['never', 'failure'] as const)(
  'verifies a domain that otherwise ends as %s',
  async (domainEnds) => {
    await using world = await watch({ domainEnds, verifyMs: 0 });
    const { emulator, press, read } = world;
    const domain = emulator.world.connectDomain('www.example.com');
    expect(domain.state).not.toBe('active');
    expect(await read()).toContain('>Verify<');
    await press('verify-domain', { hostname: 'www.example.com' });
    expect(domain.statuses).toMatchObject({
      state: 'active',
      ownershipStatus: 'verified',
      certificateStatus: 'issued',
      verificationErrors: [],
    });
    expect(await read()).not.toContain('>Verify<');
  },
);

it('closes a pull request, and opens it again', async () => {
  await using world = await watch();
  const { github, press } = world;
  const state = async () => (await ask(github, 'GET', 'pulls/7')).body;
  await press('close-pull-request', fields);
  expect(await state()).toMatchObject({ state: 'closed' });
  await press('reopen-pull-request', fields);
  expect(await state()).toMatchObject({ state: 'open' });
});

it('lets the service answer 503 for a while, not its sites and repositories, and stops that', async () => {
  await using world = await watch();
  const { emulator, project, send, press, read } = world;
  const status = async () => (await send('GET', '/v1/projects')).status;
  await press('begin-outage', { side: 'service' });
  expect([await status(), await status()]).toEqual([503, 503]);
  const git = await sendTo(emulator.url, 'GET', `/git/${project.id}.git/info/refs`, {});
  expect(git.status).toBe(401);
  expect(await read()).toContain('answers 503 for 10 s');
  await press('stop-outage', { side: 'service' });
  expect(await status()).toBe(200);
});

it('lets GitHub answer 503 for a while, and stops that', async () => {
  await using world = await watch();
  const { github, press } = world;
  const status = async () => (await ask(github, 'GET', 'pulls/7')).status;
  await press('begin-outage', { side: 'GitHub' });
  expect(await status()).toBe(503);
  await press('stop-outage', { side: 'GitHub' });
  expect(await status()).toBe(200);
});

it('ends a fault by the clock', async () => {
  await using world = await watch();
  const { emulator, send } = world;
  const fault = { kind: 'status', status: 503, effect: false, times: 9 } as const;
  emulator.faults.add({ ...fault, endsAt: Date.now() - 1 });
  expect((await send('GET', '/v1/projects')).status).toBe(200);
  emulator.faults.add({ ...fault, endsAt: Date.now() + 3_600_000 });
  expect((await send('GET', '/v1/projects')).status).toBe(503);
});

it.each([
  ['fail-next-build', { project: 'gone' }, 'This project no longer exists.'],
  ['fail-next-build', {}, 'Nothing was done: the form is not complete.'],
  [
    'change-variable',
    { project: 'PROJECT', name: '', value: '' },
    'Nothing was done: the form is not complete.',
  ],
  ['delete-variable', { project: 'PROJECT', name: 'B' }, 'has no variable B.'],
  ['verify-domain', { hostname: 'gone.example.com' }, 'This domain is no longer connected.'],
  ['close-pull-request', { ...fields, number: '8' }, 'This pull request no longer exists.'],
  ['close-pull-request', { ...fields, repository: '%' }, 'This repository no longer exists.'],
  ['begin-outage', { side: 'nobody' }, 'Nothing was done: the form is not complete.'],
])('says what a button can not do: %s %j', async (action, given, words) => {
  await using world = await watch();
  const { project, press, read } = world;
  const sent = Object.entries(given).map(([name, value]) => [
    name,
    value === 'PROJECT' ? project.id : value,
  ]);
  expect((await press(action, Object.fromEntries(sent))).status).toBe(303);
  expect(await read()).toMatch(
    new RegExp(`role="status" class="bad">[^<]*${words.replaceAll('.', '\\.')}<`),
  );
});

it('leads back to the page with its filter, where no script runs', async () => {
  await using world = await watch();
  const { project, press, url } = world;
  const referers = {
    [`${url}/?side=git&text=a%26b`]: '/?side=git&text=a%26b#notice',
    'https://evil.example/?side=%0d%0ax': '/#notice',
    'not a URL': '/#notice',
  };
  for (const [referer, location] of Object.entries(referers)) {
    const answer = await press('fail-next-build', { project: project.id }, { referer });
    expect(answer.headers.location).toBe(location);
  }
});
