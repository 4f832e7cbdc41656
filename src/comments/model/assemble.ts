import { isSha } from '../../contract/commit.ts';
import { cut, unsafeText } from '../../kernel/text/safe.ts';
import { link } from '../../report/markdown.ts';
import {
  type LivePreview,
  type Marker,
  type MarkerSigner,
  readMarker,
  writeMarker,
} from './marker.ts';

const line = /^<!-- site-deploy-live (https:\/\/[a-z0-9.-]{1,253}) ([0-9a-f]{40}) -->$/;

/** A live preview as a hidden line at the start of a comment, for the next run. */
export function writeLiveLine({ url, commit }: LivePreview): string {
  return `<!-- site-deploy-live ${url} ${commit} -->`;
}

/** Reads it. Lines after the first blank line don't count: they may be quoted. */
export function readLiveLine(body: string): LivePreview | undefined {
  for (const one of body.split(/\r?\n/)) {
    if (one === '') return undefined;
    const [, url, commit] = line.exec(one) ?? [];
    if (url !== undefined && isSha(commit)) {
      return { url: unsafeText(url), commit };
    }
  }
  return undefined;
}

/**
 * Reads the hidden lines of a comment: its marker, and the live preview, if there is one; undefined if they are not signed,
 * or have another comment key.
 */
export function readWritten(body: string, key: string, signer: MarkerSigner) {
  const marker = readMarker(body, key);
  const live = readLiveLine(body);
  return marker !== undefined && signer.isSigned(marker, live) ? { marker, live } : undefined;
}

/** GitHub accepts 65,536 characters. */
const longest = 60_000;

/** The parts of a comment besides the report. */
export interface CommentContext {
  marker: Marker;
  /** Signs the marker; absent: it is not signed. */
  signer?: MarkerSigner;
  /** The live preview, for the next run. */
  live?: LivePreview | undefined;
  /** The URL of the run, from the runner's variables. */
  runUrl: string;
  /** What it is called, if not a workflow run. */
  runName?: string | undefined;
}

const runLink = ({ runUrl, runName = 'Log of the run' }: CommentContext): string =>
  `<sub>${link(runName, runUrl)}</sub>`;

/** A comment of some parts, cut to what GitHub accepts. */
export function join({ marker, signer, live }: CommentContext, parts: readonly string[]): string {
  const hidden = [writeMarker(signer?.sign(marker, live) ?? marker)];
  if (live !== undefined) hidden.push(writeLiveLine(live));
  return cut([hidden.join('\n'), ...parts].join('\n\n'), longest);
}

/** A comment of some parts, and the link to its run below them. */
export function assemble(context: CommentContext, parts: readonly string[]): string {
  return join(context, [...parts, runLink(context)]);
}
