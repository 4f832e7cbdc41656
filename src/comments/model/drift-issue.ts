import { isNewer, type Marker } from './marker.ts';

/** What the marker of an issue has instead of a digest where nothing drifts. */
export const noDrift = 'none';

/** An issue that reports the drift of one project. */
export interface DriftIssue {
  number: number;
  isOpen: boolean;
  /** Undefined if it is not signed with our key: what it says is not believed. */
  marker: Marker | undefined;
}

/** What to write: a new issue, the drift, that there is none, or that an issue is a copy of another. */
export type IssueWrite =
  | { kind: 'create' }
  | { kind: 'drift'; number: number }
  | { kind: 'none'; number: number }
  | { kind: 'duplicate'; number: number; of: number };

/**
 * What to write so that at most one issue is open: the one with the lowest number, which every run finds alike.
 *
 * Whoever closes an issue as a run does sets its marker to {@link noDrift}. So a closed one with a digest was closed by
 * a person, which is heeded as long as the digest is the same.
 *
 * @param issues those of the project, by number
 * @param found the run, and the digest of the drift that it found
 */
export function planIssues(issues: readonly DriftIssue[], found: Marker): IssueWrite[] {
  const [first, ...others] = issues;
  if (first === undefined) return found.drift === noDrift ? [] : [{ kind: 'create' }];
  const { number, isOpen, marker } = first;
  const writes = others
    .filter((other) => other.isOpen)
    .map((other): IssueWrite => ({ kind: 'duplicate', number: other.number, of: number }));
  if (marker !== undefined && isNewer(marker, found)) return writes;
  const isSame = marker?.drift === found.drift;
  if (found.drift !== noDrift) return isSame ? writes : [...writes, { kind: 'drift', number }];
  return isSame && !isOpen ? writes : [...writes, { kind: 'none', number }];
}
