// Attack (page): A deployed site presses its buttons, or shows it in a frame
// Defense: The page has a port of its own, so another origin than the sites; it is shown in no frame

import process from 'node:process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../../../scripts/gallery/browser.ts';
import { pullRequest, repository } from '../github/support.ts';
import { type Watched, watch } from './support.ts';

const program = findBrowser();
const reason = program === undefined ? ' (skipped: no Chromium or Chrome on the path)' : '';

let browser: Browser;
beforeAll(async () => {
  if (program === undefined) return;
  // Chromium's own walls need rights that root in a container lacks; only our own pages are opened.
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--in-process-gpu',
    '--renderer-process-limit=1',
  ];
  browser = await chromium.launch({ executablePath: program, args });
});
afterAll(async () => await browser?.close());

interface Opened extends AsyncDisposable {
  tab: Page;
  world: Watched;
}

/** One tab for all worlds that are opened in the same way: a new one costs as much as what is tried in it. */
const tabs = new Map<string, Page>();

async function tabFor(options: BrowserContextOptions): Promise<Page> {
  const key = JSON.stringify(options);
  const known = tabs.get(key);
  if (known !== undefined) return known;
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  tab.setDefaultTimeout(20_000);
  tabs.set(key, tab);
  return tab;
}

/** Opens the page of a world. */
async function open(world: Watched, options: BrowserContextOptions = {}): Promise<Opened> {
  const tab = await tabFor(options);
  await tab.goto(world.page.url);
  if (options.javaScriptEnabled !== false) await tab.getByText('Live', { exact: true }).waitFor();
  return {
    tab,
    world,
    [Symbol.asyncDispose]: async () => {
      tab.removeAllListeners();
      await tab.goto('about:blank');
      await world[Symbol.asyncDispose]();
    },
  };
}

const small = async (options?: BrowserContextOptions) =>
  await open(await watch({ domainEnds: 'never', deploymentEnds: 'never' }), options);

/** What each button says that it did, once it is pressed. */
const notice = (tab: Page, text: string) => tab.locator('.notice', { hasText: text }).waitFor();

describe.skipIf(program === undefined)(`the page in a real browser${reason}`, () => {
  it('keeps itself up to date without being loaded again', async () => {
    await using opened = await small();
    const { tab, world } = opened;
    const { emulator, project, github, send } = world;
    await tab.evaluate('window.isSame = true');
    emulator.world.project(project.id).deploy(await project.head(), null);
    await tab.getByText('publishing').first().waitFor();
    project.setVariable({ name: 'ADDED', value: 'fake' });
    await tab.getByRole('cell', { name: 'ADDED' }).waitFor();
    emulator.world.connectDomain('www.example.com');
    await tab.getByText('www.example.com').first().waitFor();
    github.addComments(repository, 7, [{ author: 'x', body: '**Hello**' }]);
    await tab.locator('.body strong', { hasText: 'Hello' }).waitFor();
    github.pullRequests.set(`${repository}#8`, pullRequest(8));
    await tab.getByText('Change 8').waitFor();
    await send('GET', '/v1/projects');
    await tab.locator('#request-rows tr', { hasText: '/v1/projects' }).waitFor();
    expect(await tab.evaluate('window.isSame')).toBe(true);
  });

  it('has a button for each thing that a person does who plays the other side', async () => {
    await using opened = await small();
    const { tab, world } = opened;
    const { emulator, project, github } = world;
    const domain = emulator.world.connectDomain('www.example.com');
    const press = (name: string) => tab.getByRole('button', { name }).click();
    await press('Fail the next build');
    await notice(tab, 'fails.');
    await press('Let it succeed');
    await notice(tab, 'not told to fail');
    await tab.getByLabel('Name').fill('STRIPE_KEY');
    await press('Change by hand');
    await notice(tab, 'version 1');
    expect(project.variables).toMatchObject([{ name: 'STRIPE_KEY' }]);
    await tab.getByLabel('Name').fill('STRIPE_KEY');
    await press('Delete');
    await notice(tab, 'deleted by hand');
    await press('Verify www.example.com');
    await notice(tab, 'is verified');
    expect(domain.state).toBe('active');
    await press('Close pull request 7');
    await notice(tab, 'is closed');
    expect(github.pullRequests.get(`${repository}#7`)?.state).toBe('closed');
    await press('Answer 503 for 10 s as the service');
    await notice(tab, 'The service answers 503');
    await press('Stop 503 of the service');
    await notice(tab, 'answers again');
  });

  it('works by the keyboard alone, and updates take neither the focus nor what was typed', async () => {
    await using opened = await small();
    const { tab, world } = opened;
    const { project, emulator } = world;
    const focused = () => tab.evaluate('document.activeElement.textContent.trim()');
    await tab.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the requests');
    await tab.keyboard.press('Enter');
    expect(tab.url()).toContain('#requests');
    const button = tab.getByRole('button', { name: 'Fail the next build' });
    for (let n = 0; !(await button.evaluate((one) => one.matches(':focus'))); n += 1) {
      if (n === 40) throw new Error('no key leads to the button');
      await tab.keyboard.press('Shift+Tab');
    }
    await tab.keyboard.press('Enter');
    await tab.getByText('The next build fails').waitFor();
    expect(await focused()).toMatch(/^Let it succeed/);
    await tab.keyboard.press('Tab');
    await tab.keyboard.type('TYPED_SO_FAR');
    project.setVariable({ name: 'MEANWHILE', value: 'fake' });
    await tab.getByRole('cell', { name: 'MEANWHILE' }).waitFor();
    await tab.keyboard.type('_MORE');
    expect(await tab.getByLabel('Name').inputValue()).toBe('TYPED_SO_FAR_MORE');
    // The focus does not fall back to the beginning when the button that had it is gone.
    emulator.world.connectDomain('www.example.com');
    await tab.getByRole('button', { name: 'Verify' }).press('Enter');
    await notice(tab, 'is verified');
    await tab.getByRole('button', { name: 'Verify' }).waitFor({ state: 'detached' });
    expect(await tab.evaluate('document.activeElement.id')).toBe('domain-www.example.com');
  });

  it('keeps what a person folded and unfolded', async () => {
    await using opened = await small();
    const { tab, world } = opened;
    const { emulator, project } = world;
    const deploy = async () =>
      emulator.world.project(project.id).deploy(await project.head(), null);
    const [first] = [await deploy()];
    const log = tab.locator(`#deployment-${first.id}`);
    await log.locator('summary').click();
    const second = await deploy();
    await tab.locator(`#deployment-${second.id}[open]`).waitFor();
    await log.getByText('publishing').first().waitFor();
    expect(await log.getAttribute('open')).toBeNull();
  });

  it.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(13, 17, 23)'],
  ] as const)('is readable at 360 pixels, in the %s theme', async (colorScheme, background) => {
    const world = await watch({ domainEnds: 'never' });
    const long = 'a-very-long-name-'.repeat(12);
    world.project.name = long;
    world.project.setVariable({ name: long, value: 'fake' });
    const body = `\`${long}\`\n\n| ${long} | b |\n| - | - |\n| 1 | ${long} |\n\n\`\`\`\n${long}\n\`\`\``;
    world.github.addComments(repository, 7, [{ author: long, body }]);
    world.emulator.world.connectDomain('www.example.com');
    const zone = world.emulator.world.registerDomain('example.org').zone;
    zone.put({ type: 'TXT', name: 'example.org', content: long });
    await world.send('GET', `/${long}`);
    await using opened = await open(world, { viewport: { width: 360, height: 740 }, colorScheme });
    const { tab } = opened;
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await tab.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
  });

  it('says what a button did beside it, also at 360 pixels, until the next one did something', async () => {
    await using opened = await small({ viewport: { width: 360, height: 740 } });
    const { tab, world } = opened;
    const button = tab.getByRole('button', { name: 'Delete' });
    await tab.getByLabel('Name').fill('NO_SUCH');
    await button.click();
    const said = tab.locator('.notice');
    await said.filter({ hasText: 'has no variable NO_SUCH.' }).waitFor();
    const [above, below] = await Promise.all([button.boundingBox(), said.boundingBox()]);
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(60);
    await tab.getByRole('button', { name: 'Fail the next build' }).click();
    await tab.locator(`#project-${world.project.id} > header .notice`).waitFor();
    expect(await said.count()).toBe(1);
  });

  it('finds the emulator that was started after its own at the same port', async () => {
    await using opened = await small();
    const { tab, world } = opened;
    const port = Number(new URL(world.url).port);
    await world.page[Symbol.asyncDispose]();
    await tab.getByText(`Start the emulator with --page-port ${port}`).waitFor();
    await tab.getByRole('button', { name: 'Fail the next build' }).click();
    await notice(tab, 'Not sent: the emulator does not run.');
    await using next = await watch({}, { port });
    next.project.name = 'of the next';
    await tab.getByText('of the next', { exact: true }).waitFor();
    await tab.getByText('Live', { exact: true }).waitFor();
    await tab.getByRole('button', { name: 'Fail the next build' }).click();
    await notice(tab, 'The next build of of the next fails.');
    expect(next.project.failsNextBuild).toBe(true);
  });

  it('is a still picture without scripts, whose filter and buttons work', async () => {
    await using opened = await small({ javaScriptEnabled: false });
    const { tab, world } = opened;
    await tab.getByText('Still picture of').waitFor();
    await tab.getByLabel('For').selectOption('service');
    await tab.getByRole('button', { name: 'Filter' }).click();
    expect(new URL(tab.url()).searchParams.get('side')).toBe('service');
    await tab.getByRole('button', { name: 'Fail the next build' }).click();
    await notice(tab, 'fails.');
    expect(world.project.failsNextBuild).toBe(true);
    expect(tab.url()).toBe(`${world.url}/?side=service#project-${world.project.id}`);
  });

  it('runs and loads nothing of what hostile names, logs and comments hold', async () => {
    const hostile = `<img src="https://evil.example/x" onerror="window.hit=1"><script>window.hit=1</script>"><svg onload=window.hit=1>`;
    const world = await watch({ hostileText: hostile, stream: { logLines: [hostile] } });
    const { emulator, project, github } = world;
    await using opened = await open(world);
    const { tab } = opened;
    const foreign: string[] = [];
    tab.on('request', (request) => {
      if (!request.url().startsWith(world.url)) foreign.push(request.url());
    });
    project.name = hostile;
    project.setVariable({ name: hostile, value: 'fake' });
    emulator.world.project(project.id).deploy(await project.head(), null);
    github.addComments(repository, 7, [
      { author: hostile, body: `${hostile}\n\n![](https://evil.example/y.png)\n\nThe end` },
    ]);
    github.pullRequests.set(`${repository}#9`, pullRequest(9, { title: hostile }));
    await tab.locator('.body', { hasText: 'The end' }).waitFor();
    await tab.locator('.log', { hasText: 'onerror' }).waitFor();
    await tab.reload();
    await tab.getByText('Live', { exact: true }).waitFor();
    expect(await tab.evaluate('window.hit')).toBeUndefined();
    expect(await tab.locator('main :is(img, svg, script)').count()).toBe(0);
    expect(foreign).toEqual([]);
  });

  it('can be pressed by no site of the service, and shown in no frame', async () => {
    await using opened = await small();
    const { tab, world } = opened;
    const { project, url, emulator } = world;
    const site = emulator.world.project(project.id);
    const deployment = site.deploy(await project.head(), null);
    emulator.dialect.deploymentEnds = 'success';
    site.deploy(deployment.commit, null);
    await tab.getByText('live', { exact: true }).waitFor();
    await tab.goto(project.sitePathUrl);
    const answer = await tab.evaluate(
      `fetch(${JSON.stringify(url)}).then((answer) => answer.text()).then(() => 'read', () => 'refused')`,
    );
    expect(answer).toBe('refused');
    const [posted] = await Promise.all([
      tab.waitForResponse((response) => response.request().method() === 'POST'),
      tab.evaluate(`{
        const form = document.createElement('form');
        form.method = 'post';
        form.action = ${JSON.stringify(`${url}/actions/fail-next-build`)};
        form.innerHTML = '<input name="project" value="${project.id}">';
        document.body.append(form);
        form.submit();
      }`),
    ]);
    expect([posted.status(), project.failsNextBuild]).toEqual([403, false]);
    await tab.getByText('Only the page itself').waitFor();
    await tab.goto(project.sitePathUrl);
    await tab.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = ${JSON.stringify(`${url}/`)};
      frame.addEventListener('load', resolve);
      document.body.append(frame);
    })`);
    expect(tab.frames().filter((frame) => frame.url().startsWith(url))).toEqual([]);
  });
});
