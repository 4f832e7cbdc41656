import { describe, expect, it } from 'vitest';
import { fastClock } from '../../test/support/fast-clock.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { Host } from '../step/step.ts';
import { StatusReporter } from './tracker.ts';

type Word = readonly ['answer' | 'poll' | 'stream', string] | 'reopened';

/** What is told when sources say these words, one after the other. */
function toldOf(words: readonly Word[]): string[] {
  const told: string[] = [];
  const host: Host = {
    clean: unsafeText,
    cleanLine: unsafeText,
    cleanText: unsafeText,
    clock: fastClock,
    drained: () => Promise.resolve(),
    signal: new AbortController().signal,
    random: () => 0.5,
    report: (progress) => {
      if (progress.type === 'status') told.push(progress.status);
    },
  };
  const reporter = new StatusReporter(host, unsafeText('deployment'), {
    acceptedAt: fastClock.now(),
    onUnknown: () => undefined,
  });
  for (const word of words) {
    if (word === 'reopened') reporter.reopened('stream');
    else reporter.report(word[0], { status: word[1] }, { known: true, meaning: 'in-progress' });
  }
  return told;
}

const queued = ['answer', 'queued'] as const;

describe('a status is told once', () => {
  it.each<[string, Word[], string[]]>([
    [
      'where a slow stream tells what lies between two polls',
      [queued, ['poll', 'publishing'], ['stream', 'building'], ['stream', 'publishing']],
      ['queued', 'publishing', 'building'],
    ],
    [
      'where a slow poll tells what a stream has lost',
      [queued, ['stream', 'publishing'], ['poll', 'building'], ['poll', 'publishing']],
      ['queued', 'publishing', 'building'],
    ],
    [
      'where a stream begins anew with more than it told before',
      [
        queued,
        ['stream', 'building'],
        'reopened',
        ['stream', 'queued'],
        ['stream', 'preparing'],
        ['stream', 'building'],
      ],
      ['queued', 'building', 'preparing'],
    ],
  ])('%s', (_, words, told) => {
    expect(toldOf(words)).toEqual(told);
  });
});

it.each(['poll', 'stream'] as const)('a return is told, by the %s', (source) => {
  const words: Word[] = [queued, [source, 'building'], [source, 'queued'], [source, 'building']];
  expect(toldOf(words)).toEqual(['queued', 'building', 'queued', 'building']);
});
