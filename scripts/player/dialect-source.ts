import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './play.ts';

/** The sources of the emulator's dialect, which describe its settings. A bundle has them in it. */
export function dialectSource(): string {
  const folder = join(root, 'emulator');
  return globSync('*dialect.ts', { cwd: folder })
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}
