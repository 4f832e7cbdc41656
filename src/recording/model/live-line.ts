import { unsafeText } from '../../kernel/text/safe.ts';
import { type LivePreview, type Marker, type MarkerSeal, readMarker } from './marker.ts';

const line = /^<!-- site-deploy-live (https:\/\/[a-z0-9.-]{1,253}) ([0-9a-f]{40}) -->$/;

/** A live preview as one of the hidden lines that a comment begins with, for the run that comes next. */
export function writeLiveLine({ url, commit }: LivePreview): string {
  return `<!-- site-deploy-live ${url} ${commit} -->`;
}

/** Reads it. Only the lines above the first blank one count: below, others may be quoted. */
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

/** What the head of a comment says. */
export interface Written {
  marker: Marker;
  /** The preview that is live, if the comment says so. */
  live: LivePreview | undefined;
}

/** Reads what a run of ours wrote at the head of a comment; undefined if nobody with the key did, or of another key. */
export function readWritten(body: string, key: string, seal: MarkerSeal): Written | undefined {
  const marker = readMarker(body, key);
  const live = readLiveLine(body);
  return marker !== undefined && seal.isSigned(marker, live) ? { marker, live } : undefined;
}
