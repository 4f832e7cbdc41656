import { describeMissing } from '../checks/await-checks.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { sentence } from '../kernel/text/sentence.ts';
import type { Evidence } from './evidence.ts';

/** A word that no table has, and the line that teaches what it means. */
export function describeUnknown(word: SafeText): SafeText {
  return safe`"${word}", a word that this action does not know, so it is taken as in progress. If the service means a good end by it, set the input success-states: ${word}; if a bad one, failure-states: ${word}.`;
}

/** Which path would have to be set, if the service shows an end elsewhere. */
export function otherPaths({ request: { wait } }: Pick<Evidence, 'request'>): SafeText {
  const elsewhere = (inputs: SafeText) =>
    safe`if the service shows it at another path, set ${inputs} to that`;
  if (wait === 'stream') {
    return safe`let wait be auto, which asks for its status too, or ${elsewhere(safe`events-path`)}`;
  }
  if (wait === 'poll') {
    return safe`let wait be auto, which asks for its events too, or ${elsewhere(safe`status-path`)}`;
  }
  return elsewhere(safe`status-path or events-path`);
}

/** Why the status is not known; undefined if it is. */
function describeSilence(evidence: Evidence): SafeText | undefined {
  const { tracker, request } = evidence;
  const { sources, statusReporter, isInformed } = tracker;
  const asked = joinSafe(sources.absences, ' and ');
  if (sources.hasNoSource) {
    return sentence(safe`Nothing shows how it goes on, asked at ${asked}: ${otherPaths(evidence)}`);
  }
  const troubles = (['poll', 'stream'] as const).flatMap(
    (source) => statusReporter.troubleOf(source) ?? [],
  );
  if (troubles.length > 0) {
    return sentence(safe`It could not be read at last: ${joinSafe(troubles, '; ')}`);
  }
  if (isInformed) return undefined;
  const absent = asked === '' ? safe`` : safe`, and there is nothing at ${asked}`;
  const help =
    request.wait === 'stream'
      ? safe` ${sentence(safe`To see more, ${otherPaths(evidence)}`)}`
      : safe``;
  return safe`Its event stream has said nothing${absent}.${help}`;
}

/** Why a deployment is still waited for: what was seen last, and what somebody can do. */
export function describeWait(evidence: Evidence): SafeText {
  const { tracker, checks, checksProve } = evidence;
  const { statusReporter } = tracker;
  const unknown = statusReporter.isUnknownWord
    ? safe`Its status is ${describeUnknown(statusReporter.status)}`
    : undefined;
  const status = unknown ?? describeSilence(evidence);
  const isLookedAt = checksProve && status !== undefined && checks !== undefined;
  return joinSafe(
    [
      status ?? safe`If it takes longer than that, raise timeout.`,
      ...(isLookedAt ? [safe`The site cannot confirm it either: ${describeMissing(checks)}`] : []),
    ],
    ' ',
  );
}
