import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../player/play.ts';
import type { Browser } from './browser.ts';
import { themes } from './pictures.ts';
import { shrinkPng } from './png.ts';

/** What docs/gallery.md and the README show: a scene, and which part of its page. */
const chosen: readonly (readonly [string, keyof typeof parts])[] = [
  ['preview-live', 'comment'],
  ['preview-building-again', 'comment'],
  ['preview-waiting', 'comment'],
  ['preview-failed', 'comment'],
  ['preview-closed', 'comment'],
  ['production-live', 'summary'],
  ['production-failed', 'summary'],
  ['production-unknown-word', 'summary'],
  ['explain-pull-request', 'summary'],
  ['env-drift', 'summary'],
  ['domains-plan', 'comment'],
];

/** Where a part stands on its page, and the window in which it is 680 pixels wide. */
const parts = {
  comment: { part: '.comment .box', width: 784 },
  summary: { part: '.summary', width: 728 },
} as const;

/** Takes the pictures of the documentation from the pages of their scenes. */
export async function takeDocs(
  browser: Browser,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const place = join(root, 'docs/gallery');
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  let bytes = 0;
  for (const [scene, part] of chosen) {
    const take = await browser.open(pathToFileURL(join(folder, scene, 'index.html')).href);
    for (const theme of themes) {
      const picture = await take({ theme, scale: 1, ...parts[part] });
      if (picture === undefined) throw new Error(`${scene} has no ${part}`);
      const small = shrinkPng(picture);
      await writeFile(join(place, `${scene}-${theme}.png`), small);
      bytes += small.length;
    }
  }
  print(`docs/gallery: ${chosen.length * themes.length} pictures, ${Math.ceil(bytes / 1000)} kB`);
}
