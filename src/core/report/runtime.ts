import { type SafeText, safe } from '../text/safe.ts';
import type { Revisions, RuntimeState } from './environment-result.ts';

function describeRevisions({ revision, applied }: Revisions, word: SafeText): SafeText {
  if (typeof revision !== 'number') return safe``;
  return typeof applied === 'number'
    ? safe` (revision ${revision}, ${word} ${applied})`
    : safe` (revision ${revision})`;
}

/**
 * What the service says of its runtimes: written is one thing, applied to the preview and published to
 * production are others. The booleans decide; the revisions are only shown.
 */
export function describeRuntimes({
  stale,
  pending,
  preview,
  production,
}: RuntimeState): SafeText[] {
  const say = (flag: boolean | undefined, yes: SafeText, no: SafeText) =>
    flag === undefined ? safe`the service does not say whether it is` : flag ? yes : no;
  const isStale = say(stale, safe`not applied yet`, safe`applied`);
  const isPending = say(pending, safe`not published yet`, safe`published`);
  return [
    safe`Preview runtime: ${isStale}${stale === undefined ? safe` applied` : safe``}${describeRevisions(preview, safe`applied`)}`,
    safe`Production runtime: ${isPending}${pending === undefined ? safe` published` : safe``}${describeRevisions(production, safe`published`)}`,
  ];
}
