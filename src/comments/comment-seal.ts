import { type KeyValues, keysOf } from '../step/access.ts';
import { type MarkerSeal, markerSeal } from './model/marker.ts';

/** The seal of a step's comments on an issue or a pull request. */
export function sealFor(values: KeyValues, repository: string, number: number): MarkerSeal {
  return markerSeal(keysOf(values).marker, repository, number);
}
