import { stripVTControlCharacters } from 'node:util';
import type { Progress } from '../../emulator/workflow/play-workflow.ts';
import type { RunProgress } from '../../emulator/workflow/repository-runs.ts';
import { clean, printable } from '../../src/kernel/text/safe.ts';
import { logWriter, type Print } from '../try/show.ts';

/** A name from a file or an event, as one short line. */
const named = (text: string): string => clean(text, 100);

/** A line of a log: indented as it was, and nothing in it moves the cursor or hides a part. */
function lineOf(text: string): string {
  const [indentation = ''] = /^ */.exec(text) ?? [];
  return `${indentation}${printable(stripVTControlCharacters(text))}`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * Gives what writes the progress of one run, each line with its job's name, the inputs folded.
 * @param title the workflow's name
 */
export function showProgress(print: Print, title: string, unfold: boolean) {
  const writers = new Map<string, Print>();
  const writerFor = (job: string): Print => {
    const known = writers.get(job);
    if (known !== undefined) return known;
    const prefix = `[${named(title)} / ${named(job)}] `;
    const made = logWriter((line) => print(`${prefix}${line}`), unfold);
    writers.set(job, made);
    return made;
  };
  return (progress: Progress): void => {
    const write = writerFor(progress.job);
    if (progress.type === 'line') write(lineOf(progress.line));
    else if (progress.type === 'end') {
      write(`Job ${progress.conclusion} (${seconds(progress.durationMs)})`);
    } else if (progress.type === 'job' && progress.notPlayed.length > 0) {
      write(`Not played: ${progress.notPlayed.map(named).join('; ')}`);
    }
  };
}

/** A branch, a tag or a pull request, as people name it. */
const placeOf = (ref: string): string => ref.replace(/^refs\/(?:heads|tags|pull)\//, '');

/** What happened, and what it starts; if nothing, why. */
function* linesOf({ event, started, left }: RunProgress & { type: 'event' }): Generator<string> {
  const { name, payload, ref, sha } = event;
  const action = typeof payload['action'] === 'string' ? `.${payload['action']}` : '';
  const what = `${name}${named(action)} of ${named(placeOf(ref))} (${sha.slice(0, 7)})`;
  yield `\n${what}: starts ${started.map(named).join(', ') || 'no workflow'}`;
  if (started.length === 0) for (const reason of left) yield `  ${clean(reason, 300)}`;
}

/** What makes a run neutral, as a line. */
export const leftOf = (text: string): string => `  Not played: ${clean(text, 300)}`;

const endOf = ({ run, conclusion, notPlayed }: RunProgress & { type: 'end' }): string => {
  const how = conclusion === 'replaced' ? 'canceled: a newer run took its place' : conclusion;
  return [`${named(run.name)} (run ${run.id}): ${how}`, ...notPlayed.map(leftOf)].join('\n');
};

/** Says which names stand for values that are made up. */
export const fakeValues = (names: string): string =>
  `fake values, which nothing was given for: ${names}`;

/** Gives what writes the events of a repository and the runs that they start. */
export function showRuns(print: Print, unfold: boolean): (progress: RunProgress) => void {
  const writers = new Map<number, (progress: Progress) => void>();
  const said = new Set<string>();
  return (told) => {
    if (told.type === 'event') for (const line of linesOf(told)) print(line);
    else if (told.type === 'start' && told.invented.some((one) => !said.has(one))) {
      for (const one of told.invented) said.add(one);
      const names = told.invented.map(named).join(', ');
      print(`${named(told.run.name)} (run ${told.run.id}): ${fakeValues(names)}`);
    } else if (told.type === 'mistake') print(`Error: ${clean(told.text, 300)}`);
    else if (told.type === 'run') {
      const { run, progress } = told;
      const write = writers.get(run.id) ?? showProgress(print, run.name, unfold);
      writers.set(run.id, write);
      write(progress);
    } else if (told.type === 'end') {
      writers.delete(told.run.id);
      print(endOf(told));
    }
  };
}
