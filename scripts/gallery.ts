// Plays the scenes of the gallery through dist/, and writes what people would read: Markdown, pages and pictures.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { makeGallery } from './gallery/make.ts';
import { UsageError } from './player/usage-error.ts';

const help = `Plays scenes through dist/ and writes the output that users see: comment, issues, summary, log and
annotations as Markdown and as a page, and pictures of the page in both themes, 680 and 360 pixels wide.

  npm run gallery -- [scene …] [options]

Without a name, all scenes are played. Pictures need Chromium or Chrome (set CHROME_PATH if it is not on the path).

  --list      lists the names of the scenes
  --docs      updates the pictures of docs/gallery.md, docs/emulator.md and the README
  --out <dir> the output folder (default: build/gallery)`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  if (values.help) console.log(help);
  else await makeGallery({ ...values, names: positionals, print: console.log });
} catch (error) {
  const isOption = error instanceof TypeError && 'code' in error;
  if (!(error instanceof UsageError) && !isOption) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
