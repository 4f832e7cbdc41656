import { expect, test } from 'vitest';
import { type ReplySubject, replyKey } from './apply.ts';

const run = { runId: '1', job: 'turn', step: 'message' };
const thread = { number: 7, isPullRequest: true, commentId: '12' };
const asked: ReplySubject = { thread, projectId: 'p', content: 'Make it blue.' };
const uncommented: ReplySubject = { ...asked, thread: { ...thread, commentId: undefined } };

test.each<[string, ReplySubject, typeof run]>([
  ['text', { ...asked, content: 'Make it red.' }, run],
  ['comment', { ...asked, thread: { ...thread, commentId: '13' } }, run],
  ['project', { ...asked, projectId: 'q' }, run],
  ['job', asked, { ...run, job: 'other' }],
  ['step', asked, { ...run, step: 'message_2' }],
])('another %s has another reply', (_name, other, ofRun) => {
  expect(replyKey(other, ofRun)).not.toBe(replyKey(asked, run));
});

test('another run has another reply only where no comment asked', () => {
  const other = { ...run, runId: '2' };
  expect(replyKey(asked, other)).toBe(replyKey(asked, run));
  expect(replyKey(uncommented, other)).not.toBe(replyKey(uncommented, run));
  expect(replyKey(uncommented, run)).toBe(replyKey(uncommented, run));
});
