import { expect, test } from 'vitest';
import { deploy, sendTo, startWorld, type World } from './support.ts';

const root = '/connected-domains';
const host = 'www.example.com';

/** The answer of a site's start page at a host. */
async function page({ emulator }: World, at: string = host): Promise<[number, string]> {
  const { status, text } = await sendTo(emulator.url, 'GET', '/', { headers: { host: at } });
  return [status, /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? text.trim()];
}

const site = [200, 'Hello from a fresh site'];
const noSite = [404, 'There is no site at this address.'];

test('an assigned hostname serves its project until it is cleared, moved or disconnected', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0, verifyMs: 60_000 } });
  const { emulator, project, send } = world;
  const assign = (projectId: string | null) =>
    send('POST', `${root}/${host}/project`, { body: { projectId } });
  await deploy(world);
  expect(await page(world)).toEqual(noSite);
  await send('POST', root, { body: { hostname: host } });
  expect(await page(world)).toEqual(noSite);
  await assign(project.id);
  expect(await page(world)).toEqual(site);
  expect(await page(world, 'WWW.Example.com:8080')).toEqual(site);
  const other = await emulator.world.createProject();
  await assign(other.id);
  expect(await page(world)).toEqual([503, 'not deployed yet']);
  await assign(null);
  expect(await page(world)).toEqual(noSite);
  await assign(project.id);
  await send('POST', `${root}/${host}/disconnect`);
  expect(await page(world)).toEqual(noSite);
  expect(await page(world, project.host)).toEqual(site);
});

test('one project serves several hostnames, each with every path', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0 } });
  const { emulator, project } = world;
  await deploy(world);
  const hosts = ['a.example.com', `pr-1.preview.${'x'.repeat(63)}.example`, '10.0.0.1'];
  for (const name of hosts) {
    emulator.world.connectDomain(name, project.id);
    expect(await page(world, name)).toEqual(site);
    const headers = { host: name };
    // A path of the service is only a page that is missing there.
    const missing = await sendTo(emulator.url, 'GET', root, { headers });
    expect([missing.status, missing.json]).toEqual([404, undefined]);
    expect((await sendTo(emulator.url, 'POST', root, { headers, body: {} })).status).toBe(405);
  }
  expect(emulator.journal.of('site')).toHaveLength(3 * hosts.length);
});

test('the status of a host without a site', async () => {
  await using world = await startWorld();
  expect(await page(world)).toEqual(noSite);
  world.emulator.world.connectDomain(host);
  expect(await page(world)).toEqual(noSite);
});
