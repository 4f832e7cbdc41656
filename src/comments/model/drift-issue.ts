import { isNewer, type Marker } from './marker.ts';

/** What a marker has instead of a digest where nothing drifts. */
export const noDrift = 'none';

/** An issue that reports drift. */
interface DriftIssue {
  number: number;
  isOpen: boolean;
  /** Undefined if it is not signed with our key: then it is not believed. */
  marker: Marker | undefined;
}

/** What to write: a new issue, the drift, that there is none any more, or of which issue another is a duplicate. */
export type IssueWrite =
  | { kind: 'create' }
  | { kind: 'drift'; number: number }
  | { kind: 'none'; number: number }
  | { kind: 'duplicate'; number: number; of: number };

/**
 * What to write so that at most one issue is open: that with the lowest number, which is the same for each run. A run
 * that closes an issue writes {@link noDrift} to it. So a closed one with a digest was closed by a person, which is
 * heeded until the digest is another.
 *
 * @param issues all of one key, by number
 * @param found the run, and what it found
 */
export function planIssues(issues: readonly DriftIssue[], found: Marker): IssueWrite[] {
  const [first, ...others] = issues;
  if (first === undefined) return found.drift === noDrift ? [] : [{ kind: 'create' }];
  const { number, isOpen, marker } = first;
  const writes = others
    .filter((other) => other.isOpen)
    .map((other): IssueWrite => ({ kind: 'duplicate', number: other.number, of: number }));
  const isSame = marker?.drift === found.drift && !(isOpen && found.drift === noDrift);
  if (isSame || (marker !== undefined && isNewer(marker, found))) return writes;
  return [...writes, { kind: found.drift === noDrift ? 'none' : 'drift', number }];
}
