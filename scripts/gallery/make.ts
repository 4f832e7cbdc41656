import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { escapeHtml } from '../../emulator/page/html.ts';
import type { RunOptions } from '../../emulator/runner.ts';
import { suggestion } from '../../src/site-file/document.ts';
import type { Shown } from '../page/page.ts';
import { here } from '../player/given-file.ts';
import { root } from '../player/play.ts';
import { UsageError } from '../player/usage-error.ts';
import { writeFiles } from '../try/files.ts';
import { type Browser, findBrowser, openBrowser } from './browser.ts';
import { takeDocs, takeEmulatorPage } from './docs.ts';
import { takePictures } from './pictures.ts';
import { playScene } from './play-scene.ts';
import type { GalleryScene } from './scene.ts';
import { scenes } from './scenes.ts';
import { drawThreeJobs } from './three-jobs.ts';

/** What is asked for. */
export interface GalleryRequest {
  /** The scenes' names; none: all. */
  names: readonly string[];
  /** Only the names of the scenes are told. */
  list: boolean;
  /** The pictures of the documentation are taken, too. */
  docs: boolean;
  /** The folder that is written to. */
  out?: string | undefined;
  print: (line: string) => void;
  /** How the steps' scripts are started, if not in processes of their own. */
  launch?: RunOptions['launch'];
  /** False: no pictures. */
  pictures?: boolean;
}

/** How many scenes are played at once: most of a scene is waiting. */
const concurrency = 4;

function named(names: readonly string[]): readonly GalleryScene[] {
  const known = scenes.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = suggestion(name, known) || '; --list names them all';
    throw new UsageError(`unknown scene "${name}"${near}`);
  }
  return names.length === 0 ? scenes : scenes.filter(({ name }) => names.includes(name));
}

/** The annotations as Markdown: a step's closing words stand there, beside the log. */
const annotationsOf = ({ annotations }: Shown): string =>
  annotations
    .map(
      ({ level, title, message }) =>
        `- ${level}${title ? `, titled "${title}"` : ''}: ${message}\n`,
    )
    .join('');

async function playAll(
  wanted: readonly GalleryScene[],
  folder: string,
  { print, launch }: GalleryRequest,
): Promise<number> {
  const limit = pLimit(concurrency);
  const played = wanted.map((scene) =>
    limit(async () => {
      const shown = await playScene(scene, launch);
      const own = join(folder, scene.name);
      await rm(own, { recursive: true, force: true });
      await mkdir(own, { recursive: true });
      await writeFiles(own, shown);
      await writeFile(join(own, 'annotations.md'), annotationsOf(shown));
    }),
  );
  const ends = await Promise.allSettled(played);
  const broken = ends.filter((end) => end.status === 'rejected');
  for (const { reason } of broken) print(reason instanceof Error ? reason.message : String(reason));
  return broken.length;
}

/** A page that leads to those of all scenes. */
const indexOf = (wanted: readonly GalleryScene[]): string =>
  `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Gallery</title><h1>Gallery</h1><ul>
${wanted.map(({ name, shows }) => `<li><a href="${name}/index.html">${escapeHtml(name)}</a>: ${escapeHtml(shows)}</li>`).join('\n')}
</ul></html>
`;

async function takeAll(
  browser: Browser,
  wanted: readonly GalleryScene[],
  folder: string,
): Promise<void> {
  for (const { name } of wanted) await takePictures(browser, join(folder, name));
}

/**
 * Makes the gallery.
 *
 * @throws UsageError for a scene that there is not
 * @throws if a scene does not end as it should, once all are played
 */
export async function makeGallery(request: GalleryRequest): Promise<void> {
  const { names, list, docs, out, print, launch, pictures = true } = request;
  const wanted = named(names);
  if (list) {
    for (const { name, shows } of wanted) print(`${name.padEnd(28)}${shows}`);
    return;
  }
  const folder = out === undefined ? join(root, 'build/gallery') : resolve(here, out);
  await mkdir(folder, { recursive: true });
  const broken = await playAll(wanted, folder, request);
  await writeFile(join(folder, 'index.html'), indexOf(wanted));
  print(`${wanted.length - broken} scenes: ${join(folder, 'index.html')}`);
  if (docs) {
    await writeFile(join(root, 'docs/three-jobs.svg'), await drawThreeJobs(launch));
    print('docs/three-jobs.svg: the moving picture of the README');
  }
  if (pictures) {
    const program = findBrowser();
    if (program === undefined) {
      print('No pictures: Chromium or Chrome was not found. Set CHROME_PATH.');
    } else {
      await using browser = await openBrowser(program);
      await takeAll(browser, wanted, folder);
      print(`Pictures are in the folder of each scene, in both themes and two widths.`);
      if (docs) {
        await takeDocs(browser, folder, print);
        await takeEmulatorPage(browser, print);
      }
    }
  }
  if (broken > 0) throw new Error(`${broken} scenes had an unexpected outcome`);
}
