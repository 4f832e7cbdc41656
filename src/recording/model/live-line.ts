import { unsafeText } from '../../kernel/text/safe.ts';
import { type LivePreview, type Marker, type MarkerSeal, readMarker } from './marker.ts';

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
    if (url !== undefined && commit !== undefined) {
      return { url: unsafeText(url), commit: unsafeText(commit) };
    }
  }
  return undefined;
}

/** The hidden lines of a comment. */
export interface Written {
  marker: Marker;
  /** The live preview, if there is one. */
  live: LivePreview | undefined;
}

/** Reads the hidden lines of a comment; undefined if they are not signed, or have another comment key. */
export function readWritten(body: string, key: string, seal: MarkerSeal): Written | undefined {
  const marker = readMarker(body, key);
  const live = readLiveLine(body);
  return marker !== undefined && seal.isSigned(marker, live) ? { marker, live } : undefined;
}
