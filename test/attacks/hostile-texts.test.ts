// Attack (flooding): Text that takes quadratic time (escapes, tags, slashes, names)
// Defense: No pattern scans anything twice; every pattern of `src/` was checked

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { hostileTexts } from './hostile-texts.ts';

const script = fileURLToPath(new URL('hostile-texts.ts', import.meta.url));

/** Many times what all of them take. A text that takes long is named; one that takes longer than this ends the process. */
const timeout = 120_000;

it('texts of megabytes are read to their ends, whatever they hold', {
  timeout: timeout + 10_000,
}, async () => {
  const args = ['--max-old-space-size=400', script];
  const run = promisify(execFile)(process.execPath, args, { timeout, killSignal: 'SIGKILL' });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  expect(stdout.trimEnd().split('\n')).toEqual(Object.keys(hostileTexts));
});
