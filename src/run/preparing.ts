import type { Declared } from './declared.ts';
import type { Step } from './step.ts';

/** What preparing a deploy step rests on. */
export interface Preparing {
  step: Step<'deploy'>;
  declared: Declared;
  signal: AbortSignal;
  warn: (text: string) => void;
}
