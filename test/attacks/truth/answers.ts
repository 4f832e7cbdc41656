import type { FaultKind } from '../../../emulator/index.ts';

/** Good bodies that do not speak of the write that they answer. */
export interface WrongBodies {
  /** Another object of the same kind. */
  other: unknown;
  /** The same object as it was before the write; absent if there was none. */
  before?: unknown;
  /** No more than the name or the id of the object that is written; absent if that is all that is ever answered. */
  bare?: unknown;
}

/** How late a late effect is, in milliseconds: after the second look, and after the repetition. */
const delayMs = 40;

const said = (body: string, effect: boolean): FaultKind => ({
  kind: 'status',
  status: 200,
  body,
  effect,
});
const whole = (json: unknown): string => JSON.stringify(json);
const half = (json: unknown): string => whole(json).slice(0, 20);

/** A kind of answer that a write may get. */
export interface Answer {
  name: string;
  /** What it is to a step, if others are the same to it: an answer that cannot be read, or one that comes late. */
  family?: string;
  fault: (bodies: WrongBodies) => FaultKind;
  /** True if only a write of something that was there before can get it. */
  isOfBefore?: true;
  /** True if only a write whose answers show more than a name can get it. */
  isBare?: true;
}

/** The kinds of answer. Each strikes the first request of a write and no other. */
export const answers: readonly Answer[] = [
  { name: 'empty, carried out', family: 'unreadable, carried out', fault: () => said('', true) },
  { name: 'empty, nothing done', family: 'unreadable, nothing done', fault: () => said('', false) },
  {
    name: 'cut off with the connection, carried out',
    family: 'unreadable, carried out',
    fault: () => ({ kind: 'cut-body' }),
  },
  {
    name: 'cut off in itself, carried out',
    family: 'unreadable, carried out',
    fault: ({ other }) => said(half(other), true),
  },
  {
    name: 'cut off in itself, nothing done',
    family: 'unreadable, nothing done',
    fault: ({ other }) => said(half(other), false),
  },
  { name: 'of another object, carried out', fault: ({ other }) => said(whole(other), true) },
  { name: 'of another object, nothing done', fault: ({ other }) => said(whole(other), false) },
  {
    name: 'as before the write, carried out',
    fault: ({ before }) => said(whole(before), true),
    isOfBefore: true,
  },
  {
    name: 'as before the write, nothing done',
    fault: ({ before }) => said(whole(before), false),
    isOfBefore: true,
  },
  {
    name: 'of its name alone, carried out',
    fault: ({ bare }) => said(whole(bare), true),
    isBare: true,
  },
  {
    name: 'of its name alone, nothing done',
    fault: ({ bare }) => said(whole(bare), false),
    isBare: true,
  },
  {
    name: 'late, the connection broken',
    family: 'late',
    fault: () => ({ kind: 'late-effect', delayMs }),
  },
  {
    name: 'late, timed out by a gateway',
    family: 'late',
    fault: () => ({ kind: 'late-effect', delayMs, status: 504 }),
  },
  { name: 'lost before the effect', fault: () => ({ kind: 'reset-before' }) },
  { name: 'lost after the effect', fault: () => ({ kind: 'reset-after' }) },
  { name: 'given twice', fault: () => ({ kind: 'twice' }) },
];

/** True if the effect of such an answer comes after it. */
export const isLate = (fault: FaultKind): boolean => fault.kind === 'late-effect';
