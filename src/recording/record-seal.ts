import { type KeyValues, keysOf } from '../frame/access.ts';
import { type RecordSeal, recordSealOf } from '../records/model/record-seal.ts';

/** The seal of a repository's deployment records, the same for all steps with the same secret. */
export const recordSealFor = (values: KeyValues, repository: string): RecordSeal =>
  recordSealOf(keysOf(values).record, repository);
