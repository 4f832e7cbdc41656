import { describe, expect, test } from 'vitest';
import { createStatusReader, type Meaning } from './status.ts';

const read = createStatusReader();

describe('the words of well-known services are known', () => {
  test.each<[string, Readonly<Record<Meaning, readonly string[]>>]>([
    [
      'Vercel',
      {
        'in-progress': ['QUEUED', 'INITIALIZING', 'BUILDING'],
        succeeded: ['READY'],
        failed: ['ERROR', 'CANCELED'],
      },
    ],
    [
      'GitHub',
      {
        'in-progress': ['queued', 'pending', 'waiting', 'in_progress'],
        succeeded: ['success', 'completed'],
        failed: ['failure', 'error', 'cancelled', 'timed_out'],
      },
    ],
    [
      'GitLab',
      {
        'in-progress': ['created', 'preparing', 'scheduled', 'pending', 'running'],
        succeeded: ['success'],
        failed: ['failed', 'canceled'],
      },
    ],
    [
      'AWS',
      {
        'in-progress': ['Created', 'Queued', 'InProgress', 'PROVISIONING', 'RUNNING'],
        succeeded: ['Succeeded'],
        failed: ['Failed', 'CANCELLED'],
      },
    ],
  ])('of %s', (_name, words) => {
    for (const [meaning, list] of Object.entries(words)) {
      for (const word of list) expect([word, read(word)]).toEqual([word, { meaning, known: true }]);
    }
  });
});

test.each<[string, Meaning]>([
  ['accepted', 'in-progress'],
  ['started', 'in-progress'],
  ['built', 'in-progress'],
  ['uploaded', 'in-progress'],
  ['finalizing', 'in-progress'],
  ['published', 'succeeded'],
  ['live', 'succeeded'],
  ['superseded', 'failed'],
  ['rolled back', 'failed'],
  ['expired', 'failed'],
  ['done', 'succeeded'],
  ['finished', 'succeeded'],
  ['aborted', 'failed'],
])('"%s", which could be taken otherwise or is none of theirs, means %s', (word, meaning) => {
  expect(read(word)).toEqual({ meaning, known: true });
});

test.each(['Timed Out', 'timed_out', 'TIMED-OUT', 'timedOut', ' timed \t out\n'])(
  'the spelling of a word does not count: "%s"',
  (spelling) => {
    expect(read(spelling)).toEqual({ meaning: 'failed', known: true });
  },
);

test.each(['active', 'ok', 'green', 'success!', 'not ready', 'constructor', ''])(
  '"%s" is unknown, and so in progress',
  (word) => {
    expect(read(word)).toEqual({ meaning: 'in-progress', known: false });
  },
);

describe('words that the workflow adds', () => {
  test('count in every spelling', () => {
    const added = createStatusReader({ success: ['Switched Over'], failure: ['went_away'] });
    expect(added('switched-over')).toEqual({ meaning: 'succeeded', known: true });
    expect(added('WENT AWAY')).toEqual({ meaning: 'failed', known: true });
  });

  test('win over the tables', () => {
    const added = createStatusReader({ success: ['uploaded', 'blocked'], failure: ['ready'] });
    expect(added('uploaded').meaning).toBe('succeeded');
    expect(added('blocked').meaning).toBe('succeeded');
    expect(added('ready').meaning).toBe('failed');
  });

  test('mean failure if they are added to both', () => {
    expect(createStatusReader({ success: ['odd'], failure: ['odd'] })('odd').meaning).toBe(
      'failed',
    );
  });
});
