import { isNewer, type Marker, readMarker } from '../core/comment/marker.ts';
import type { Octokit } from './api.ts';

/** A comment as it is on GitHub. */
interface Existing {
  id: number;
  body: string;
  url: string;
}

/** A comment to be written. */
export interface CommentRequest {
  /** The pull request's number. */
  number: number;
  marker: Marker;
  body: string;
  /** False: only one that is there already is edited. */
  mayCreate: boolean;
  signal: AbortSignal;
}

/** A comment that was written, or left as it was. */
export interface WrittenComment {
  id: number;
  url: string;
}

/** Who we are on GitHub: a user by name, or an app, which has a bot and cannot be asked for its name. */
async function readAuthor(octokit: Octokit, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { data } = await octokit.rest.rest.users.getAuthenticated({ request: { signal } });
    return data.login;
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 403) return undefined;
    throw error;
  }
}

/** Finds our comment: by its marker and its author, over all pages, the oldest first. */
async function findComment(
  octokit: Octokit,
  { number, marker, signal }: CommentRequest,
): Promise<(Existing & { marker: Marker }) | undefined> {
  const { rest, owner, repo } = octokit;
  let author: Promise<string | undefined> | undefined;
  const pages = rest.paginate.iterator(rest.rest.issues.listComments, {
    owner,
    repo,
    issue_number: number,
    per_page: 100,
    request: { signal },
  });
  for await (const { data } of pages) {
    for (const { id, body = '', html_url: url, user } of data) {
      const found = readMarker(body, marker.key);
      if (found === undefined) continue;
      author ??= readAuthor(octokit, signal);
      const name = await author;
      const isOurs = name === undefined ? user?.type === 'Bot' : user?.login === name;
      if (isOurs) return { id, body, url, marker: found };
    }
  }
  return undefined;
}

/**
 * Writes our one comment on a pull request: made if there is none, edited in place, and left alone if it
 * says the same already or if a newer run wrote it.
 */
export async function writeComment(
  octokit: Octokit,
  request: CommentRequest,
): Promise<WrittenComment | undefined> {
  const { rest, owner, repo } = octokit;
  const { number, marker, body, mayCreate, signal } = request;
  const existing = await findComment(octokit, request);
  if (existing !== undefined) {
    const { id, url } = existing;
    if (existing.body === body || isNewer(existing.marker, marker)) return { id, url };
    await rest.rest.issues.updateComment({
      owner,
      repo,
      comment_id: id,
      body,
      request: { signal },
    });
    return { id, url };
  }
  if (!mayCreate) return undefined;
  const { data } = await rest.rest.issues.createComment({
    owner,
    repo,
    issue_number: number,
    body,
    request: { signal },
  });
  return { id: data.id, url: data.html_url };
}
