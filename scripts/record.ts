// Records what runs of dist/ do, and compares two records: see the help below.
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { differences } from '../test/record/compare.ts';
import type { RecordedPlay } from '../test/record/recorded.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

const help = `Plays scenes, examples, explanations and seeded histories of runs through dist/, and records the results
of each: exit status, outputs, log, annotations, summary, comments, requests, post step.

  npm run record -- play FILE [--rev REV] [--histories N] [--only TEXT]
  npm run record -- compare OLD NEW [--without-words]

  --rev REV        plays the dist/ of that commit instead of the working tree's
  --histories N    the number of seeded histories (default: 200)
  --only TEXT      only plays whose name contains this text
  --without-words  compares everything except texts for users`;

type Named = readonly [string, () => Promise<RecordedPlay>];

/** Puts what a runner would download into a folder, for all plays of this process. */
async function placeActions(folder: string, rev: string | undefined): Promise<void> {
  // Before anything is imported that reads it, as `places.ts` does, also for others.
  process.env['ACTIONS_ROOT'] = folder;
  const { unpack, unpackDownload } = await import('../test/support/download.ts');
  const { root, unpacked } = await import('../test/support/places.ts');
  if (unpacked !== folder) throw new Error(`${unpacked} would be played, and not ${folder}`);
  if (rev === undefined) return unpackDownload(folder);
  const options = { cwd: root, maxBuffer: 2 ** 28 };
  unpack(execFileSync('git', ['archive', '--worktree-attributes', rev], options), folder);
}

async function allPlays(histories: number): Promise<Named[]> {
  // They read ACTIONS_ROOT when they are imported.
  const [scenes, examples, explained, seeded] = await Promise.all([
    import('../test/record/scenes.ts'),
    import('../test/record/examples.ts'),
    import('../test/record/explained.ts'),
    import('../test/record/histories.ts'),
  ]);
  return [
    ...scenes.scenes(),
    ...examples.examples(),
    ...explained.explained(),
    ...seeded.histories(histories),
  ];
}

async function play(
  file: string,
  { rev, histories, only }: { rev?: string; histories: number; only: string },
): Promise<void> {
  process.env['TMPDIR'] = temporaryFolder();
  using folder = mkdtempDisposableSync(join(process.env['TMPDIR'], 'record-'));
  await placeActions(folder.path, rev);
  const plays = (await allPlays(histories)).filter(([name]) => name.includes(only));
  const limit = pLimit(4);
  const recorded: RecordedPlay[] = [];
  const playOne = async (name: string, start: () => Promise<RecordedPlay>) => {
    try {
      recorded.push(await start());
      if (recorded.length % 50 === 0) console.log(`${recorded.length} of ${plays.length}`);
    } catch (error) {
      console.error(`${name} was not played:`, error);
      process.exitCode = 1;
    }
  };
  await Promise.all(plays.map(([name, start]) => limit(playOne, name, start)));
  recorded.sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(file, `${recorded.map((one) => JSON.stringify(one)).join('\n')}\n`);
  console.log(`${recorded.length} of ${plays.length} plays recorded`);
}

function read(file: string): Map<string, RecordedPlay> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const one = JSON.parse(line) as RecordedPlay;
      return [one.name, one] as const;
    }),
  );
}

function compare(before: string, after: string, withoutWords: boolean): void {
  const [old, now] = [read(before), read(after)];
  let count = 0;
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const lines = differences(old.get(name), now.get(name), { withoutWords });
    if (lines.length === 0) continue;
    count += 1;
    console.log([name, ...lines, ''].join('\n'));
  }
  console.log(`${count} of ${now.size} plays differ`);
  process.exitCode = count === 0 ? 0 : 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rev: { type: 'string' },
    histories: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    'without-words': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [verb, first, second] = positionals;
if (verb === 'play' && first !== undefined) {
  const { rev, only, histories } = values;
  await play(resolve(first), { only, histories: Number(histories), ...(rev && { rev }) });
  process.exit();
} else if (verb === 'compare' && first !== undefined && second !== undefined) {
  compare(first, second, values['without-words']);
} else {
  console.log(help);
  process.exitCode = values.help ? 0 : 2;
}
