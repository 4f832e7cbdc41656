import { type Octokit, readPages } from '../records/api.ts';
import { carryClaim } from '../records/model/claim.ts';
import {
  mayHaveReachedGitHub,
  NotShown,
  rateLimitEnd,
  statusOf,
  writeShown,
} from '../records/trouble.ts';
import { readWritten } from './model/assemble.ts';
import { isNewer, type Marker, type MarkerSeal, readMarker } from './model/marker.ts';

export interface ExistingComment {
  id: number;
  body: string;
  url: string;
}

/** A comment to write. */
export interface CommentRequest {
  /** The pull request's number. */
  number: number;
  marker: Marker;
  /** Recognizes the markers that runs with our key wrote on this issue or pull request. */
  seal: MarkerSeal;
  /** The new text by the former one, which is empty if there is no comment. */
  bodyAfter: (before: string) => string;
  /** False: only an existing comment is edited. */
  mayCreate: boolean;
  /** True: the comment's claim stays if the new text has none. */
  keepsClaim?: boolean;
  /** The id of our comment, if it is known; undefined to search for it. */
  known: number | undefined;
}

/** A comment that was written or did not need to be. */
export interface WrittenComment {
  id: number;
  url: string;
  /** True if it was not changed, because a newer run wrote it. */
  isNewer?: boolean;
}

/** The author of comments that are written with a workflow's own token. */
const actionsBot = 'github-actions[bot]';

/** The result of `work`; undefined if GitHub returns 404. */
async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/**
 * The author of our comments. A user's token can read its login. GitHub always refuses that to an app's token, which is
 * taken for the workflow's own until a comment was created with it.
 */
async function readAuthor({ rest, isApp }: Octokit): Promise<string> {
  if (isApp) return actionsBot;
  try {
    const { data } = await rest.users.getAuthenticated();
    return data.login;
  } catch (error) {
    if (statusOf(error) === 403 && rateLimitEnd(error) === undefined) return actionsBot;
    throw error;
  }
}

/** Finds the oldest comment that starts with our marker and has our author, on all pages. */
async function findComment(
  octokit: Octokit,
  { number, marker }: Pick<CommentRequest, 'number' | 'marker'>,
  author?: string,
): Promise<ExistingComment | undefined> {
  const { rest, owner, repo } = octokit;
  const listed = readPages((page) =>
    rest.issues.listComments({ owner, repo, issue_number: number, ...page }),
  );
  let ours = author;
  for await (const { id, body = '', html_url: url, user } of listed) {
    if (readMarker(body, marker.key) === undefined) continue;
    ours ??= await readAuthor(octokit);
    if (user?.login === ours) return { id, body, url };
  }
  return undefined;
}

/** The text of our comment on a pull request; undefined if there is none. */
export async function readOwnComment(
  octokit: Octokit,
  place: Pick<CommentRequest, 'number' | 'marker'>,
): Promise<string | undefined> {
  return (await findComment(octokit, place))?.body;
}

/** Reads our comment by its id; undefined if it was deleted, or is not ours. */
export async function readComment(
  { rest, owner, repo }: Octokit,
  id: number,
  { marker }: Pick<CommentRequest, 'marker'>,
): Promise<ExistingComment | undefined> {
  const response = await unlessGone(() => rest.issues.getComment({ owner, repo, comment_id: id }));
  const body = response?.data.body ?? '';
  if (response === undefined || readMarker(body, marker.key) === undefined) return undefined;
  return { id, body, url: response.data.html_url };
}

/** True if a newer run wrote a comment, by a marker that is signed with our key. */
function isNewerRuns(before: string, { marker, seal }: CommentRequest): boolean {
  const written = readWritten(before, marker.key, seal);
  return written !== undefined && isNewer(written.marker, marker);
}

/** GitHub may change the whitespace of a text. */
const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();

const isSame = (one: string, other: string): boolean => fold(one) === fold(other);

/** The limit of writes without effect. */
const mostSends = 2;

/** The limit of writes in all: older runs may overwrite the comment at the same time. */
const mostRounds = 5;

/** A comment's new text; undefined if it is the same, or a newer run wrote the comment. */
function textAfter(before: string, request: CommentRequest): string | undefined {
  if (isNewerRuns(before, request)) return undefined;
  const after = request.bodyAfter(before);
  const body = request.keepsClaim === true ? carryClaim(before, after) : after;
  return isSame(before, body) ? undefined : body;
}

/** Writes a comment's new text, once. @returns `gone` if the comment was deleted, or else why the write may have failed */
async function sendText(
  { rest, owner, repo }: Octokit,
  id: number,
  body: string,
): Promise<'gone' | { lost: unknown }> {
  try {
    const edit = () => rest.issues.updateComment({ owner, repo, comment_id: id, body });
    return (await unlessGone(edit)) === undefined ? 'gone' : { lost: new NotShown() };
  } catch (error) {
    if (!mayHaveReachedGitHub(error)) throw error;
    return { lost: error };
  }
}

/**
 * Edits a comment, unless its text is the same or a newer run wrote it. It is read right before the write, and again after
 * it: an older run may have overwritten it.
 *
 * @returns undefined if it was deleted, or is not ours
 * @throws the error of the last write, or NotShown
 */
async function editComment(
  octokit: Octokit,
  id: number,
  request: CommentRequest,
): Promise<WrittenComment | undefined> {
  let last: { before: string; sent: string; lost: unknown } | undefined;
  let failures = 0;
  for (let round = 0; ; round += 1) {
    const now = await readComment(octokit, id, request);
    if (now === undefined) return undefined;
    const { body: before, url } = now;
    const isThere = last !== undefined && isSame(before, last.sent);
    const body = isThere ? undefined : textAfter(before, request);
    if (body === undefined) return { id, url, isNewer: isNewerRuns(before, request) };
    if (last?.before === before) failures += 1;
    if (failures === mostSends || round === mostRounds) throw last?.lost;
    const result = await sendText(octokit, id, body);
    if (result === 'gone') return undefined;
    last = { before, sent: body, lost: result.lost };
  }
}

/** A comment that was just created. */
interface Created extends WrittenComment {
  /** Absent if the comment was found on the list. */
  author?: string | undefined;
}

/** Creates the comment. If another run created one at the same time, the older comment stays. */
async function createComment(octokit: Octokit, request: CommentRequest): Promise<WrittenComment> {
  const { rest, owner, repo } = octokit;
  const { number, marker } = request;
  const body = request.bodyAfter('');
  const created = await writeShown<Created>({
    send: async () => {
      const { data } = await rest.issues.createComment({ owner, repo, issue_number: number, body });
      if (readMarker(data.body ?? '', marker.key) === undefined) return undefined;
      return { id: data.id, url: data.html_url, author: data.user?.login };
    },
    find: () => findComment(octokit, request),
  });
  const { id, url, author } = created;
  const oldest = await findComment(octokit, request, author);
  const isAlone = oldest?.id === id && isSame(oldest.body, body);
  if (oldest === undefined || oldest.id > id || isAlone) return { id, url };
  const edited = await editComment(octokit, oldest.id, request);
  if (edited === undefined || oldest.id === id) return { id, url };
  await unlessGone(() => rest.issues.deleteComment({ owner, repo, comment_id: id }));
  return edited;
}

/**
 * Writes our one comment on a pull request: creates or edits it, and leaves it unchanged if its text is the same or a newer
 * run wrote it.
 *
 * Our comment starts with our marker, and its author is the token's user or, for an app's token, `github-actions[bot]`.
 * Another app's author is read from the comment that its token has just created, which is deleted if there was an older
 * one. So no comment of another bot or person is edited, whatever it quotes.
 *
 * If two runs write at once, the newer run's text stays, unless the older run's edit arrives after the newer run has read
 * its own again: GitHub has no conditional edit.
 */
export async function writeComment(
  octokit: Octokit,
  request: CommentRequest,
): Promise<WrittenComment | undefined> {
  const { known, mayCreate } = request;
  const kept = known === undefined ? undefined : await editComment(octokit, known, request);
  if (kept !== undefined) return kept;
  const found = await findComment(octokit, request);
  const edited = found && (await editComment(octokit, found.id, request));
  if (edited !== undefined || !mayCreate) return edited;
  return await createComment(octokit, request);
}
