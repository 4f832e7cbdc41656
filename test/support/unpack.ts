import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { unpackDownload } from './download.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Unpacks what a runner would download of this working tree, so that the tests of `dist/` run that, and nothing that
 * only the repository has. With `ACTIONS_ROOT` they run another archive.
 */
export function setup(): (() => void) | undefined {
  if (process.env['ACTIONS_ROOT'] !== undefined) return undefined;
  const folder = mkdtempSync(join(temporaryFolder(), 'actions-'));
  unpackDownload(folder);
  process.env['ACTIONS_ROOT'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
