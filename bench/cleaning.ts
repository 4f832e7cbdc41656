import assert from 'node:assert/strict';
import { longestLine } from '../src/frame/step.ts';
import { createRedact, createSanitize } from '../src/kernel/text/redact.ts';
import { defuse, unsafeText } from '../src/kernel/text/safe.ts';
import { LineSplitter } from '../src/messages/text.ts';
import { plain } from '../src/report/markdown.ts';
import type { Row, Sample } from './measurement.ts';
import { makeLongVariables } from './variables.ts';

const rounds = 5;

/** How much text is read in each round, in characters, which are bytes here. */
const size = 8_000_000;

/** As much of one line as is looked at. */
const lineLength = 65_536;

/** The least that must be read in a second, in megabytes: a line of 64 KiB then takes 131 ms at most. */
const bound = 0.5;

/** 200 secrets of 30 lines, as a deploy may have them, and one that repeats itself as no key does. */
const variables = makeLongVariables(200).map(({ value }) => value);
const repetitive = `${'a'.repeat(5000)}b`;
const redact = createRedact([...variables, repetitive]);
const present = createSanitize(redact, longestLine);

const line = (piece: string): string =>
  piece.repeat(Math.ceil(lineLength / piece.length)).slice(0, lineLength);

/** Shows a line as a line of the log is shown. */
const show = (text: string): string => defuse(redact(present(text)));

interface Input {
  name: string;
  piece: string;
  /** What is done with each line; without it, it is shown in the log. */
  work?: (text: string) => unknown;
}

const [nearly = ''] = variables[0]?.split('\n') ?? [];

const inputs: readonly Input[] = [
  { name: 'words', piece: 'installed 27 packages in 4 s ' },
  { name: 'control strings without an end', piece: '\u001b]' },
  { name: 'control strings that seem to go on', piece: '\u001b]0;a;b' },
  { name: 'control sequences', piece: '\u001b[1;31m' },
  { name: 'eight-bit controls', piece: '\u009d' },
  { name: 'invisible characters', piece: '\u200b' },
  { name: 'lines of secrets without their ends', piece: `${nearly.slice(0, -1)} ` },
  { name: 'a secret that repeats itself, nearly', piece: 'a' },
  { name: 'long words', piece: 'x' },
  {
    name: 'Markdown in Markdown, for a comment',
    piece: '>[![@#*',
    work: (text) => plain(unsafeText(text)),
  },
  {
    name: 'a turn in pieces of one character',
    piece: 'word ',
    work: (text) => {
      const splitter = new LineSplitter(longestLine);
      for (const character of text) for (const one of splitter.take(character)) show(one);
    },
  },
];

/**
 * Reads {@link size} characters line by line; gives the megabytes for each second of the processor's time, which other
 * work on the machine hardly changes.
 */
function read(text: string, work: (text: string) => unknown): Sample {
  const lines = Math.ceil(size / text.length);
  const before = process.cpuUsage();
  for (let count = 0; count < lines; count += 1) work(text);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  return { value: (lines * text.length) / 1e6 / seconds, bound };
}

/** How fast the worst texts that were found are made fit to be shown. */
export async function* cleaning(): AsyncGenerator<Row> {
  assert.equal(show(`\u001b[31m${variables[0]?.split('\n')[0]}`), '***');
  for (const { name, piece, work = show } of inputs) {
    const text = line(piece);
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(read(text, work));
    yield { name, unit: 'MB/s', samples };
  }
}
