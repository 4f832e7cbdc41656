import { type RecordSeal, recordSealOf } from '../github/model/record-seal.ts';
import { type KeyValues, keysOf } from './access.ts';

/** The seal of a repository's deployment records, the same for all steps with the same secret. */
export const recordSealFor = (values: KeyValues, repository: string): RecordSeal =>
  recordSealOf(keysOf(values).record, repository);
