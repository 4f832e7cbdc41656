import { type KeyValues, keysOf } from '../frame/access.ts';
import { type RecordSeal, recordSealOf } from '../records/model/record-seal.ts';
import { type MarkerSeal, markerSeal } from './model/marker.ts';

/** The seal of a step's comments on an issue or a pull request. */
export function sealFor(values: KeyValues, repository: string, number: number): MarkerSeal {
  return markerSeal(keysOf(values).marker, repository, number);
}

/** The seal of a repository's deployment records, the same for all steps with the same secret. */
export const recordSealFor = (values: KeyValues, repository: string): RecordSeal =>
  recordSealOf(keysOf(values).record, repository);
