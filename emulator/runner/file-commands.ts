import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from './step.ts';

const summaryLimit = 1024 * 1024;

/** Applies a file's text to a step; `bytes` is the file's size. */
type Apply = (step: Step, text: string, bytes: number) => void;

/** The file commands in the order in which the runner reads them; each file is named by `GITHUB_…`. */
const commands: Record<string, Apply> = {
  PATH: (step, text) => step.path.push(...text.split(/\r?\n/).filter((line) => line !== '')),
  ENV: (step, text) => {
    for (const [name, value] of keyValuePairs(text)) setEnv(step, name, value);
  },
  STEP_SUMMARY: uploadSummary,
  STATE: (step, text) => {
    for (const [name, value] of keyValuePairs(text)) step.state.set(name, value);
  },
  OUTPUT: (step, text) => {
    for (const [name, value] of keyValuePairs(text)) {
      refuseEmpty(name);
      step.outputs.set(name, value);
    }
  },
};

/** @throws Error with the runner's words */
function refuseEmpty(name: string): void {
  if (name === '') throw new Error("Value cannot be null. (Parameter 'name')");
}

function setEnv(step: Step, name: string, value: string): void {
  refuseEmpty(name);
  if (name.toUpperCase() === 'NODE_OPTIONS') {
    step.error("Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.");
  } else step.env.set(name, value);
}

function uploadSummary(step: Step, text: string, bytes: number): void {
  if (bytes > summaryLimit) {
    const [limit, got] = [summaryLimit, bytes].map((size) => Math.floor(size / 1024));
    step.error(
      `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of ${limit}k, got ${got}k.`,
    );
  } else if (text !== '') {
    const lines = text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/);
    step.summary = lines.map((line) => `${step.masker.mask(line)}\n`).join('');
  }
}

/** The path of each file command's file, by the name of its environment variable (`GITHUB_OUTPUT`, …). */
export type CommandFiles = Record<string, string>;

/**
 * Makes an empty file for each file command. For files as small as these, the asynchronous way takes three times the time.
 * @param folder a folder of this step alone; it is made.
 */
export function createCommandFiles(folder: string): CommandFiles {
  mkdirSync(folder, { recursive: true });
  const files: CommandFiles = {};
  for (const name of Object.keys(commands)) {
    const file = join(folder, name.toLowerCase());
    writeFileSync(file, '');
    files[`GITHUB_${name}`] = file;
  }
  return files;
}

/**
 * Applies what the step wrote into its files. A file that cannot be read as its command demands is an error
 * that fails the step; what stands before the fault counts, and so do the other files.
 */
export function processCommandFiles(files: CommandFiles, step: Step): void {
  for (const [name, apply] of Object.entries(commands)) {
    try {
      const content = readIfPresent(files[`GITHUB_${name}`] ?? '');
      apply(step, content.toString().replace(/^\uFEFF/, ''), content.length);
    } catch (error) {
      step.fail(`Unable to process file command '${name.toLowerCase()}' successfully.`, error);
    }
  }
}

function readIfPresent(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return Buffer.alloc(0);
    throw error;
  }
}

type Line = { text: string; ending: string };

/**
 * Reads `NAME=value` and `NAME<<DELIMITER` … `DELIMITER` entries.
 * @throws Error with the runner's words at the first entry that has neither form or no end; the entries before
 * it have been given by then.
 */
export function* keyValuePairs(text: string): Generator<[name: string, value: string]> {
  const lines = splitLines(text);
  for (let line = lines.next(); line.done !== true; line = lines.next()) {
    const { text: entry } = line.value;
    if (entry === '') continue;
    const [, name, operator, rest] = /^(.*?)(=|<<)(.*)$/s.exec(entry) ?? [];
    if (name === undefined || rest === undefined) throw new Error(`Invalid format '${entry}'`);
    yield [name, operator === '=' ? rest : readUntil(lines, entry, name, rest)];
  }
}

function readUntil(lines: Generator<Line>, entry: string, name: string, delimiter: string): string {
  if (name === '' || delimiter === '') {
    throw new Error(
      `Invalid format '${entry}'. Name must not be empty and delimiter must not be empty`,
    );
  }
  let value = '';
  let pendingEnding = '';
  for (let line = lines.next(); line.done !== true; line = lines.next()) {
    const { text, ending } = line.value;
    if (text === delimiter) return value;
    if (ending === '') throw new Error('Invalid value. EOF marker missing new line.');
    value += pendingEnding + text;
    pendingEnding = ending;
  }
  throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
}

/** Lines with their endings; `\r\n` is one on Windows only, as in the runner. */
function* splitLines(text: string): Generator<Line> {
  const pattern = process.platform === 'win32' ? /(.*?)(\r\n|\n|$)/gsy : /(.*?)(\n|$)/gsy;
  for (const [whole, content = '', ending = ''] of text.matchAll(pattern)) {
    if (whole !== '') yield { text: content, ending };
  }
}
