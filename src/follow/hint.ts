import type { SafeText } from '../kernel/text/safe.ts';
import type { End } from './end.ts';
import { gracePeriod, type Source } from './source-states.ts';

/** An end that needs a second source. */
export interface Hint {
  /** Who hinted at it. */
  from: Source | 'answer';
  /** The word that hinted at it. */
  status: SafeText;
  end: End;
  /** When it was first seen, in milliseconds since the epoch. */
  since: number;
  /** How often the stream was closed since without saying anything else. */
  closes: number;
}

/**
 * Whether a hint is believed: once nobody contradicts it and there is nobody else to ask; one of the stream after
 * that was closed twice without another word, one of the polls after they have repeated it for a while.
 *
 * @param now in milliseconds since the epoch
 * @param isOnly true if there is nobody else to ask
 */
export function isBelieved({ from, since, closes }: Hint, now: number, isOnly: boolean): boolean {
  const age = now - since;
  const isConfirmed = { answer: true, stream: closes >= 2, poll: age >= gracePeriod }[from];
  const persists = from === 'poll' && age >= 2 * gracePeriod;
  return (isOnly && isConfirmed) || persists;
}
