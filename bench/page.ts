import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { request } from 'undici';
import { findBrowser } from '../scripts/gallery/browser.ts';
import { type Row, type Sample, spread } from './measurement.ts';
import type { PageAddresses } from './page-world.ts';

const paints = 7;

/** How long the first paint may take on loopback, in milliseconds: the median, as other work on the machine delays some. */
const paintBound = 300;

/** How much more memory may be in use at the end of the traffic than after its first part, in megabytes. */
const growthBound = 3;

/** How often the memory is read during the traffic. */
const readings = 20;

const file = fileURLToPath(new URL('page-world.ts', import.meta.url));

async function startPageProcess() {
  const stdio: ['ignore', 'pipe', 'inherit', 'ipc'] = ['ignore', 'pipe', 'inherit', 'ipc'];
  const child = fork(file, { execArgv: ['--expose-gc'], stdio });
  child.stdout?.resume();
  const [addresses] = (await once(child, 'message')) as [PageAddresses];
  return { child, addresses };
}

/** Memory in use after a full collection, in bytes. */
async function usedBy(child: ChildProcess): Promise<number> {
  child.send('read');
  const [{ used }] = (await once(child, 'message')) as [{ used: number }];
  return used;
}

/** One round of what actions and people ask of the emulator: each kind of request once. */
async function askOnce(
  { page, service, key, gitHub, token, projectId, variable, comment }: PageAddresses,
  round: number,
): Promise<void> {
  const ours = { 'x-api-key': key, 'content-type': 'application/json' };
  const theirs = { authorization: `token ${token}`, 'user-agent': 'bench' };
  const project = `${service}/v1/projects/${projectId}`;
  const send = async (url: string, options: Parameters<typeof request>[1]) => {
    const answer = await request(url, options);
    const text = await answer.body.text();
    assert.equal(answer.statusCode, 200, `${url}: ${text}`);
  };
  await send(`${service}/v1/projects`, { headers: ours });
  await send(`${project}/environment`, { headers: ours });
  const changed = { value: `fake-${round}`, kind: 'secret' };
  const body = JSON.stringify({ ...changed, expectedVersion: variable.version });
  await send(`${project}/environment/${variable.id}`, { method: 'PUT', headers: ours, body });
  variable.version += 1;
  await send(`${service}/sites/${projectId}/`, {});
  const text = JSON.stringify({ body: `### Round ${round}\n\n| a | b |\n| - | - |\n| 1 | 2 |` });
  await send(`${gitHub}${comment}`, { method: 'PATCH', headers: theirs, body: text });
  if (round % 10 === 0) await send(page, {});
}

/** Makes a deployment and waits until it serves. */
async function deploy({ service, key, projectId, commit }: PageAddresses): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify({ versionId: commit }) } as const;
  const answer = await request(`${service}/v1/projects/${projectId}/deployments`, options);
  assert.equal(answer.statusCode, 202, await answer.body.text());
  for (;;) {
    const { statusCode, body } = await request(`${service}/sites/${projectId}/`);
    await body.dump();
    if (statusCode === 200) return;
    await delay(50);
  }
}

/** The first paint in a real browser, each in a profile of its own: nothing is in a cache. */
async function firstPaints({ page }: PageAddresses, program: string): Promise<Sample[]> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: program, args });
  const samples: Sample[] = [];
  // The first page warms the browser up, and the server.
  for (let round = 0; round <= paints; round += 1) {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.goto(page);
    await tab.getByText('Live', { exact: true }).waitFor();
    assert.equal(await tab.locator('#request-rows tr').count(), 200);
    const value = await tab.evaluate<number>(
      "performance.getEntriesByName('first-paint')[0].startTime",
    );
    if (round > 0) samples.push({ value });
    await context.close();
  }
  await browser.close();
  return samples;
}

/** Reads all that an open page is told, and drops it. */
async function watchPage({ page }: PageAddresses): Promise<Disposable> {
  const { body } = await request(`${page}events`);
  body.resume().on('error', () => undefined);
  return { [Symbol.dispose]: () => body.destroy() };
}

/** Traffic for so long, with an open page. Gives the memory in use, in megabytes, read all along. */
async function readMemory(child: ChildProcess, addresses: PageAddresses, ms: number) {
  using _ = await watchPage(addresses);
  const used: number[] = [];
  const begin = Date.now();
  let round = 0;
  for (let reading = 1; reading <= readings; reading += 1) {
    while (Date.now() < begin + (ms * reading) / readings) {
      round += 1;
      await askOnce(addresses, round);
      await delay(20);
    }
    if (reading % 2 === 0) await deploy(addresses);
    used.push((await usedBy(child)) / 1e6);
  }
  return { used, round };
}

/** Starts the process, and lets it have 1,000 requests. Disposing of it ends it. */
async function startBusyProcess() {
  const { child, addresses } = await startPageProcess();
  await deploy(addresses);
  for (let round = 1; round <= 200; round += 1) await askOnce(addresses, round);
  return {
    child,
    addresses,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** The first paint of the page with 3 projects, 200 variables, 1,000 requests and a running build. */
export async function* page(): AsyncGenerator<Row> {
  const program = findBrowser();
  if (program === undefined) return;
  await using busy = await startBusyProcess();
  const samples = await firstPaints(busy.addresses, program);
  const name = 'first paint with 1,000 requests, in Chromium';
  yield { name, unit: 'ms', samples, medianBound: paintBound };
}

/**
 * The memory of the emulator's process under traffic, with an open page.
 *
 * @param minutes how long the traffic goes on
 */
export async function* pageMemory(minutes: number): AsyncGenerator<Row> {
  await using busy = await startBusyProcess();
  const { used, round } = await readMemory(busy.child, busy.addresses, minutes * 60_000);
  const quarter = readings / 4;
  const [early = 0, late = 0] = [used.slice(quarter, 2 * quarter), used.slice(-quarter)].map(
    (numbers) => spread(numbers).median,
  );
  const requests = (round * 5).toLocaleString('en');
  const name = `memory in use during ${minutes} min and ${requests} requests`;
  yield { name, unit: 'MB', samples: used.map((value) => ({ value })) };
  const grown = 'its last quarter less its second';
  yield { name: grown, unit: 'MB', samples: [{ value: late - early, bound: growthBound }] };
}
