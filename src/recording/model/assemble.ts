import { cut } from '../../kernel/text/cut.ts';
import { type SignedClaim, writeClaimLine } from '../../records/model/claim.ts';
import { link } from '../../report/markdown.ts';
import { writeLiveLine } from './live-line.ts';
import { type LivePreview, type Marker, type MarkerSeal, writeMarker } from './marker.ts';

/** GitHub takes 65,536 characters; far fewer are ever needed. */
const longest = 60_000;

/** What a comment tells beside the report. */
export interface CommentContext {
  marker: Marker;
  /** Signs the marker; absent if nobody does. */
  seal?: MarkerSeal;
  /** What the comment says, hidden, of whose the preview's hostname is. */
  claim?: SignedClaim | undefined;
  /** The preview that the next run is to know as live before. */
  live?: LivePreview | undefined;
  /** The address of the run, which this action made itself. */
  runUrl: string;
}

const runLink = ({ runUrl }: CommentContext): string => `<sub>${link('The run', runUrl)}</sub>`;

/** A comment of some parts, cut to what GitHub takes. */
export function join(
  { marker, seal, claim, live }: CommentContext,
  parts: readonly string[],
): string {
  const hidden = [
    writeMarker(seal?.sign(marker, live) ?? marker),
    ...(claim === undefined ? [] : [writeClaimLine(claim)]),
    ...(live === undefined ? [] : [writeLiveLine(live)]),
  ];
  return cut([hidden.join('\n'), ...parts].join('\n\n'), longest);
}

/** A comment of some parts, and the link to its run below them. */
export function assemble(context: CommentContext, parts: readonly string[]): string {
  return join(context, [...parts, runLink(context)]);
}
