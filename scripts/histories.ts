import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { generate, type History } from '../test/histories/generate.ts';
import { judge } from '../test/histories/judge.ts';
import { play } from '../test/histories/play.ts';
import { tellShortest } from '../test/histories/shrink.ts';

const help = `Plays seeded histories of runs through dist/, and reports which promises they broke.

  node scripts/histories.ts --seed N [--to M] [--shrink]
  node scripts/histories.ts --file FILE [--shrink]

  --seed      may be given several times
  --shrink    finds the shortest history that still fails
  --first     ends after the first that fails
  --timeline  prints all that happened`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true },
    to: { type: 'string' },
    file: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    timeline: { type: 'boolean', default: false },
  },
});

async function judged(history: History): Promise<string[]> {
  return judge(await play(history));
}

/** Plays a history and says what it broke. @returns true if it broke nothing */
async function tell(name: string, history: History): Promise<boolean> {
  const played = await play(history).catch((cause: unknown) => {
    throw new Error(`${name} could not be played`, { cause });
  });
  const broken = judge(played);
  if (values.timeline) {
    for (const one of played.timeline) console.log(JSON.stringify(one));
    for (const { run, struck, result } of played.runs) console.log(run, struck, result);
    console.log(played.comments);
  }
  if (broken.length === 0) return true;
  const text = values.shrink
    ? await tellShortest(history, broken, judged)
    : [...broken, JSON.stringify(history)].join('\n');
  console.log(`${name} broke:\n${text}`);
  if (values.first) process.exit(1);
  return false;
}

/** Plays some histories, four at once. */
async function tellAll(histories: readonly (readonly [string, History])[]): Promise<void> {
  const limit = pLimit(4);
  const ends = await Promise.all(
    histories.map(([name, history]) => limit(() => tell(name, history))),
  );
  const failed = ends.filter((isWell) => !isWell).length;
  console.log(`${failed} of ${ends.length} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

if (values.file !== undefined) {
  await tellAll([[values.file, JSON.parse(readFileSync(values.file, 'utf8')) as History]]);
} else if (values.seed !== undefined) {
  const last = Number(values.seed.at(-1));
  const rest = Array.from(
    { length: Number(values.to ?? last) - last },
    (_, more) => last + 1 + more,
  );
  const seeds = new Set([...values.seed.map(Number), ...rest]);
  await tellAll([...seeds].map((seed) => [`seed ${seed}`, generate(seed)] as const));
} else {
  console.log(help);
}
process.exit();
