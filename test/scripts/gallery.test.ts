import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../scripts/gallery/browser.ts';
import { makeGallery } from '../../scripts/gallery/make.ts';
import { playScene } from '../../scripts/gallery/play-scene.ts';
import { scenes } from '../../scripts/gallery/scenes.ts';
import { makeSteady } from '../../scripts/gallery/steady.ts';
import { drawThreeJobs } from '../../scripts/gallery/three-jobs.ts';
import type { Shown } from '../../scripts/page/page.ts';
import { root } from '../../scripts/player/play.ts';
import { UsageError } from '../../scripts/player/usage-error.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { outcomesOf } from '../../src/outputs.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';

/** The cheap way: the scenes that are named, without pictures. */
async function make(names: readonly string[]) {
  await using out = await mkdtempDisposable(join(tmpdir(), 'gallery-test-'));
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const request = { names, list: false, docs: false, out: out.path, print, pictures: false };
  await makeGallery({ ...request, launch: shareProcess });
  const read = (name: string) => readFile(join(out.path, name), 'utf8').catch(() => '');
  const files = await Promise.all(
    names.flatMap((name) =>
      ['comment.md', 'issue.md', 'summary.md', 'log.txt', 'annotations.md', 'index.html'].map(
        async (file) => [`${name}/${file}`, await read(`${name}/${file}`)] as const,
      ),
    ),
  );
  return {
    text: lines.join('\n'),
    files: Object.fromEntries(files),
    index: await read('index.html'),
  };
}

const sceneNamed = (name: string) => {
  const scene = scenes.find((one) => one.name === name);
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  return scene;
};

/**
 * What is shown, but for times and polls, which are what they are; what takes no time tells of none. Whether there is a
 * chart depends on them, too.
 */
const timeless = (shown: Shown) =>
  JSON.stringify(
    { ...shown, summary: shown.summary.replace(/### Timeline\n\n```mermaid\n.*?\n```\n\n/s, '') },
    null,
    1,
  )
    .split('\n')
    .filter((line) => !line.includes('done in '))
    .map((line) => line.replace(/ after \d+(?:\.\d)?s/, ''))
    .map((line) =>
      line.replaceAll(/ *\d+(?:\.\d)?s\b/g, ' 0s').replaceAll(/\d+ requests/g, '9 requests'),
    )
    .map((line) => line.replaceAll(/\b\d+ ms\b/g, '9 ms').replaceAll(/ms\\?":\d+/g, 'ms:9'));

describe.concurrent('npm run gallery', () => {
  it('plays scenes through dist/, and writes what people would read', async () => {
    const names = ['preview-live', 'production-failed', 'drift-issue-opened', 'message-done'];
    const { text, files, index } = await make(names);
    expect(text).toContain('4 scenes');
    expect(files['preview-live/comment.md']).toContain('is live');
    expect(files['preview-live/annotations.md']).toBe('');
    expect(files['production-failed/summary.md']).toContain(
      'Production was not deployed: the build failed',
    );
    expect(files['production-failed/annotations.md']).toMatch(
      /^- error, titled "Production was not deployed/,
    );
    expect(files['production-failed/log.txt']).toContain('Error: no page named "team"');
    expect(files['drift-issue-opened/summary.md']).toContain('STRIPE_KEY');
    expect(files['drift-issue-opened/issue.md']).toMatch(/^# Variables have drifted .* \(open\)\n/);
    expect(files['drift-issue-opened/issue.md']).not.toContain('fake-');
    expect(files['message-done/comment.md']).toContain('I changed the first page');
    for (const name of names) {
      expect(files[`${name}/index.html`]).toContain('<!doctype html>');
      expect(index).toContain(`href="${name}/index.html"`);
    }
  });

  it('shows the same each time, but for times, however long it takes', async () => {
    const scene = sceneNamed('production-live');
    // What takes longer than a few seconds has a chart.
    const slow = { ...scene, world: { ...scene.world, dialect: { buildMs: 6000 } } };
    const [one, other, long] = await Promise.all(
      [scene, scene, slow].map((each) => playScene(each, shareProcess)),
    );
    if (one === undefined || other === undefined || long === undefined) throw new Error('no scene');
    expect(long.summary).toContain('### Timeline');
    expect(timeless(other)).toEqual(timeless(one));
    expect(timeless(long)).toEqual(timeless(one));
  });

  it("moves the README's picture by what the jobs print today, but for times", async () => {
    const drawn = await drawThreeJobs(shareProcess);
    const stored = await readFile(join(root, 'docs/three-jobs.svg'), 'utf8');
    const withoutTimes = (svg: string) => svg.replaceAll(/(?: after)? *\d+(?:\.\d)?s\b/g, '');
    expect(withoutTimes(drawn), 'npm run gallery -- --docs draws it').toBe(withoutTimes(stored));
    expect(drawn).not.toMatch(/<(?:script|foreignObject|image)|href=|url\(/);
  });

  it('fails where a scene does not end as it should', async () => {
    const scene = { ...sceneNamed('projects-one'), outcome: 'failed' };
    await expect(playScene(scene, shareProcess)).rejects.toThrow(
      'projects-one ended with outcome "succeeded", expected "failed"',
    );
  });

  it('names the nearest scene', async () => {
    await expect(make(['preview-life'])).rejects.toThrow(UsageError);
    await expect(make(['preview-life'])).rejects.toThrow('"preview-live"');
  });

  it('finds no browser where there is none', () => {
    expect(findBrowser({ PATH: join(root, 'docs') })).toBeUndefined();
    expect(findBrowser({ CHROME_PATH: join(root, 'README.md'), PATH: '' })).toBeUndefined();
    expect(findBrowser({ CHROME_PATH: process.execPath })).toBe(process.execPath);
  });
});

const ends = (Object.keys(actions) as ActionName[]).flatMap((action) =>
  outcomesOf(action).map((outcome) => ({ action, outcome })),
);

// The tests' own ways to start a step check the result against its schema.
it.concurrent.each(ends)('$action that ends $outcome has a scene', async ({ action, outcome }) => {
  const scene = scenes.find((one) => one.runs.at(-1)?.action === action && one.outcome === outcome);
  if (scene === undefined) throw new Error('there is none');
  const shown = await playScene(scene, outcome === 'cancelled' ? startWatched : shareProcess);
  expect(shown.summary).not.toBe('');
});

it('every scene has a name of its own, and says what it shows', () => {
  expect(new Set(scenes.map(({ name }) => name)).size).toBe(scenes.length);
  for (const { name, shows } of scenes) expect([name, shows.length > 5]).toEqual([name, true]);
});

it('one thing keeps one id, short or long, plain or escaped', () => {
  const id = 'd40d6fdc-26a5-4f1c-8b0b-0a8d2c6a3a11';
  const sha = '5f1c0c6a3f0e4d8a9b7c6d5e4f3a2b1c0d9e8f7a';
  const texts = [
    `${id} ${sha} http://127.0.0.1:40123/`,
    `${id.replaceAll('-', '&#45;')} ${id.slice(0, 8)}`,
  ];
  const steady = makeSteady('a scene', texts);
  const [plain = '', escaped = ''] = texts.map(steady);
  const [newId = '', newSha = ''] = plain.split(' ');
  expect(newId).toMatch(/^[0-9a-f-]{36}$/);
  expect(newId).not.toBe(id);
  expect(escaped).toBe(`${newId.replaceAll('-', '&#45;')} ${newId.slice(0, 8)}`);
  expect(steady(`commit ${sha.slice(0, 7)}.`)).toBe(`commit ${newSha.slice(0, 7)}.`);
  expect(plain).toContain('https://www.example.com/');
});

it('shows pictures that are there, each with words for those who do not see it', async () => {
  const page = await readFile(join(root, 'docs/gallery.md'), 'utf8');
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const files = await readdir(join(root, 'docs/gallery'));
  const shown = [...page.matchAll(/(?:srcset|src)="gallery\/([^"]+)"/g)].map(([, file]) => file);
  expect([...new Set(shown)].sort()).toEqual(files.sort());
  expect(readme).toContain('src="docs/three-jobs.svg"');
  for (const text of [page, readme]) {
    const alts = [...text.matchAll(/<img alt="([^"]*)"/g)].map(([, alt = '']) => alt);
    expect(alts).toHaveLength(text.match(/<img /g)?.length ?? 0);
    for (const alt of alts) expect(alt.length).toBeGreaterThan(30);
  }
});
