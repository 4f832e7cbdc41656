import { cut } from '../../kernel/text/safe.ts';
import { type SignedClaim, writeClaimLine } from '../../records/model/claim.ts';
import { link } from '../../report/markdown.ts';
import { writeLiveLine } from './live-line.ts';
import { type LivePreview, type Marker, type MarkerSeal, writeMarker } from './marker.ts';

/** GitHub accepts 65,536 characters. */
const longest = 60_000;

/** The parts of a comment besides the report. */
export interface CommentContext {
  marker: Marker;
  /** Signs the marker; absent: it is not signed. */
  seal?: MarkerSeal;
  /** The hidden claim of the preview's hostname. */
  claim?: SignedClaim | undefined;
  /** The live preview, for the next run. */
  live?: LivePreview | undefined;
  /** The URL of the run, from the runner's variables. */
  runUrl: string;
}

const runLink = ({ runUrl }: CommentContext): string =>
  `<sub>${link('Workflow run', runUrl)}</sub>`;

/** A comment of some parts, cut to what GitHub accepts. */
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
