import type { Revisions, RuntimeState } from './environment.ts';

function describeRevisions({ revision, applied }: Revisions, word: string): string {
  if (typeof revision !== 'number') return '';
  return typeof applied === 'number'
    ? ` (revision ${revision}, ${word} ${applied})`
    : ` (revision ${revision})`;
}

/**
 * What the service says of its runtimes: written is one thing, applied to the preview and published to
 * production are others. The booleans decide; the revisions are only shown.
 */
export function describeRuntimes({ stale, pending, preview, production }: RuntimeState): string[] {
  const say = (flag: boolean | undefined, yes: string, no: string) =>
    flag === undefined ? 'the service does not say whether it is' : flag ? yes : no;
  const isStale = say(stale, 'not applied yet', 'applied');
  const isPending = say(pending, 'not published yet', 'published');
  return [
    `Preview runtime: ${isStale}${stale === undefined ? ' applied' : ''}${describeRevisions(preview, 'applied')}`,
    `Production runtime: ${isPending}${pending === undefined ? ' published' : ''}${describeRevisions(production, 'published')}`,
  ];
}
