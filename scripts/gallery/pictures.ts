import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from './browser.ts';

/** Both of GitHub's themes, and the widths of a comment: on a large screen, and on a phone. */
export const themes = ['light', 'dark'] as const;
export const widths = [680, 360] as const;

/** Takes the pictures of a scene's page, which stands in its folder. */
export async function takePictures(browser: Browser, folder: string): Promise<void> {
  const take = await browser.open(pathToFileURL(join(folder, 'index.html')).href);
  for (const width of widths) {
    for (const theme of themes) {
      const picture = await take({ theme, width, part: 'body', scale: 1 });
      if (picture !== undefined) await writeFile(join(folder, `${theme}-${width}.png`), picture);
    }
  }
}
