import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { generate, type History } from './generate.ts';
import { judge } from './judge.ts';
import { mutants, mutate } from './mutate.ts';
import { play } from './play.ts';
import { tellShortest } from './shrink.ts';

const seeds = Array.from({ length: 1000 }, (_, index) => index + 1);
/** How many histories are tried to find a shorter one: the rest is for who plays it again. */
const tries = 40;

const judged = async (history: History): Promise<string[]> => judge(await play(history));

describe.concurrent('what runs over each other leave', () => {
  it.each(rows(seeds, (seed) => seed <= 50))('by seed %i breaks no promise', async (seed) => {
    const history = generate(seed);
    const broken = await judged(history);
    if (broken.length === 0) return;
    const shortest = await tellShortest(history, broken, judged, tries);
    throw new Error(`npm run histories -- --seed ${seed} --shrink\n${shortest}`);
  });
});

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

it.each(Object.entries(mutants))('%s is a wrong version of the present sources', (_, mutant) => {
  const file = new URL(`../../${mutant.in}`, import.meta.url);
  expect(() => mutate(readFileSync(file, 'utf8'), mutant)).not.toThrow();
});
