import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openPage } from '../../emulator/page/index.ts';
import { root } from '../player/play.ts';
import type { Browser } from './browser.ts';
import { openExampleWorld, playBusyDay } from './emulator-world.ts';
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
  ['drift-issue-opened', 'issue'],
  ['domains-plan', 'comment'],
];

/** Where a part stands on its page, and the window in which it is 680 pixels wide. */
const parts = {
  comment: { part: '.comment .box', width: 784 },
  issue: { part: '.issue .box', width: 784 },
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

/** How much of the emulator's page is shown: both of its columns, as far as a reader looks at once. */
const window = { part: 'body', width: 1200, highest: 900, scale: 1 } as const;

/** Takes the pictures of the emulator's page, on a day on which much happened. */
export async function takeEmulatorPage(
  browser: Browser,
  print: (line: string) => void,
): Promise<void> {
  await using world = await openExampleWorld();
  await using page = await openPage(world);
  await playBusyDay(world);
  const take = await browser.open(page.url);
  let bytes = 0;
  for (const theme of themes) {
    const picture = await take({ theme, ...window });
    if (picture === undefined) throw new Error('the page has no body');
    const small = shrinkPng(picture);
    await writeFile(join(root, `docs/emulator-${theme}.png`), small);
    bytes += small.length;
  }
  print(`docs: ${themes.length} pictures of the emulator's page, ${Math.ceil(bytes / 1000)} kB`);
}
