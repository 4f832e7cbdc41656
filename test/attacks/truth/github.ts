import type { OperationId, OwnReply, Trouble } from '../../../emulator/github/index.ts';

/** How GitHub answers one request: with trouble, or with this. */
export type GitHubAnswer = Trouble | OwnReply;

const half = '{"id": 4711, "bo';

/** The kinds of answer that a write to GitHub may get. `other` is another object of the kind that is written. */
export const githubAnswers: Readonly<Record<string, (other: object) => GitHubAnswer>> = {
  'empty, carried out': () => 'empty-answer',
  'empty, nothing done': () => ({ status: 201 }),
  'a page, carried out': () => ({ status: 200, body: '<html></html>', effect: true }),
  'a page, nothing done': () => ({ status: 200, body: '<html></html>' }),
  'cut off, carried out': () => ({ status: 201, body: half, effect: true }),
  'cut off, nothing done': () => ({ status: 201, body: half }),
  'of another object, carried out': (body) => ({ status: 201, body, effect: true }),
  'of another object, nothing done': (body) => ({ status: 201, body }),
  late: () => 'late',
  'lost before the effect': () => 'reset',
  'lost after the effect': () => 'lost-answer',
  'a 502, carried out': () => ({ status: 502, body: '<html></html>', effect: true }),
  'given twice': () => 'twice',
};

/** The writes to GitHub, and which request of a run each is: counted from 1. */
export const githubWrites: readonly { name: string; operation: OperationId; nth: number }[] = [
  { name: 'the first comment', operation: 'issues/create-comment', nth: 1 },
  { name: 'the last comment', operation: 'issues/update-comment', nth: 1 },
  { name: 'the deployment', operation: 'repos/create-deployment', nth: 1 },
  { name: 'its first status', operation: 'repos/create-deployment-status', nth: 1 },
  { name: 'its last status', operation: 'repos/create-deployment-status', nth: 2 },
];
