import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deploy, sendTo, startWorld } from './support.ts';

const files: Readonly<Record<string, string>> = {
  'index.html': '<p>start</p>',
  'docs/index.html': '<p>docs</p>',
  'a.css': 'p{}',
  'a.js': '1',
  'a.svg': '<svg/>',
  'a.json': '{}',
  'a b.txt': 'text',
  'a.png': 'not really',
  'a.bin': 'bytes',
  '404.html': '<p>missing</p>',
};

async function templateFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'template-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('a deployed site is served at its hosts', async () => {
  await using template = await templateFolder();
  await using world = await startWorld({ template: template.folder, dialect: { buildMs: 0 } });
  const { emulator, project } = world;
  const get = (below: string, host: string = project.host, method = 'GET') =>
    sendTo(emulator.url, method, below, { headers: { host } });

  expect(await get('/')).toMatchObject({ status: 503, text: 'not deployed yet\n' });
  await deploy(world);
  const found = [
    ['/', '<p>start</p>', 'text/html; charset=utf-8'],
    ['/?from=mail', '<p>start</p>', 'text/html; charset=utf-8'],
    ['/docs/', '<p>docs</p>', 'text/html; charset=utf-8'],
    ['/a.css', 'p{}', 'text/css; charset=utf-8'],
    ['/a.js', '1', 'text/javascript; charset=utf-8'],
    ['/a.svg', '<svg/>', 'image/svg+xml'],
    ['/a.json', '{}', 'application/json'],
    ['/a%20b.txt', 'text', 'text/plain; charset=utf-8'],
    ['/a.png', 'not really', 'image/png'],
    ['/a.bin', 'bytes', 'application/octet-stream'],
  ] as const;
  for (const [below, text, type] of found) {
    expect(await get(below), below).toMatchObject({
      status: 200,
      text,
      headers: { 'content-type': type },
    });
  }
  const outside = `/..%2f..%2f..%2fgit%2f${project.id}.git%2fHEAD`;
  const missing = ['/no.html', '/docs', '/%', '/%00', '/docs/..%5cindex.html', outside];
  for (const below of missing) {
    expect(await get(below), below).toMatchObject({ status: 404, text: '<p>missing</p>' });
  }
  project.hosts.add('pr-1.preview.example.com');
  expect((await get('/', 'PR-1.preview.example.com:8080')).text).toBe('<p>start</p>');
  expect((await get('/', 'elsewhere.example.com')).status).toBe(404);
  expect((await get('/', project.host, 'POST')).status).toBe(405);
  expect(await get('/', project.host, 'HEAD')).toMatchObject({ status: 200, text: '' });
});

test('the sample site is served below a path too', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0 } });
  await deploy(world);
  const page = await fetch(world.project.sitePathUrl);
  expect(await page.text()).toContain('<h1>Hello from a fresh site</h1>');
  const style = await fetch(new URL('style.css', world.project.sitePathUrl));
  expect(style.headers.get('content-type')).toContain('text/css');
  expect((await fetch(new URL('nothing', world.project.sitePathUrl))).status).toBe(404);
  expect(world.project.siteUrl).toBe(
    `http://${world.project.id}.localhost:${new URL(world.emulator.url).port}/`,
  );
});
