import { type RecordSeal, recordSealOf } from '../../core/history/record-seal.ts';
import { type KeyValues, keysOf } from './access.ts';

/** The seal of a repository's deployment records: other steps with the same secret have the same. */
export const recordSealFor = (values: KeyValues, repository: string): RecordSeal =>
  recordSealOf(keysOf(values).record, repository);
