import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('is judged by nothing of src/: by types of what was played alone', () => {
  const importsOf = (file: string) =>
    readFileSync(new URL(file, import.meta.url), 'utf8').match(/^import .*|\bfrom '.*'/gm);
  expect(importsOf('judge.ts')).toEqual([
    "import type { Happening, Look, Played, PlayedRun } from './played.ts';",
  ]);
  expect(importsOf('played.ts')).toEqual([
    "import type { Act, Cause, History, Trouble } from './generate.ts';",
  ]);
});
