import { type Octokit, readPages } from '../records/api.ts';
import { carryClaim } from '../records/model/claim.ts';
import { mayHaveReachedGitHub, writeShown } from '../records/shown.ts';
import { NotShown, rateLimitEnd, statusOf } from '../records/trouble.ts';
import { readWritten } from './model/live-line.ts';
import { isNewer, type Marker, type MarkerSeal, readMarker } from './model/marker.ts';

/** A comment as it is on GitHub. */
export interface ExistingComment {
  id: number;
  body: string;
  url: string;
}

/** A comment to be written. */
export interface CommentRequest {
  /** The pull request's number. */
  number: number;
  marker: Marker;
  /** Knows the markers that runs with our key wrote on this issue or pull request. */
  seal: MarkerSeal;
  /** Its text, by the one that it takes the place of; that is empty if there is none. */
  bodyAfter: (before: string) => string;
  /** False: only one that is there already is edited. */
  mayCreate: boolean;
  /** True if what the comment claims stays, where the new text claims nothing. */
  keepsClaim?: boolean;
  /** The id of our comment, if it was written before; undefined to look for it. */
  known: number | undefined;
}

/** A comment that was written, or left as it was. */
export interface WrittenComment {
  id: number;
  url: string;
  /** True if it was left as a newer run wrote it. */
  isNewer?: boolean;
}

/** Whose comments a workflow's own token writes. */
const actionsBot = 'github-actions[bot]';

/** What `work` gives, or undefined if GitHub answers that the thing is not there. */
async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/**
 * Whose comments are ours. A user's token says it; an app's token is always refused, so that one that shows what it is
 * is not tried, and is taken for the workflow's own until a comment was created with it.
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

/** Finds the oldest comment that begins with our marker and has our author, over all pages. */
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

/** The text of our one comment on a pull request; undefined if there is none. */
export async function readOwnComment(
  octokit: Octokit,
  place: Pick<CommentRequest, 'number' | 'marker'>,
): Promise<string | undefined> {
  return (await findComment(octokit, place))?.body;
}

/** Reads our comment by its id; undefined if it was deleted, or is none of ours. */
export async function readComment(
  { rest, owner, repo }: Octokit,
  id: number,
  { marker }: Pick<CommentRequest, 'marker'>,
): Promise<ExistingComment | undefined> {
  const answer = await unlessGone(() => rest.issues.getComment({ owner, repo, comment_id: id }));
  const body = answer?.data.body ?? '';
  if (answer === undefined || readMarker(body, marker.key) === undefined) return undefined;
  return { id, body, url: answer.data.html_url };
}

/** True if a newer run wrote a comment: one that only says so, without our key, did not. */
function isNewerRuns(before: string, { marker, seal }: CommentRequest): boolean {
  const written = readWritten(before, marker.key, seal);
  return written !== undefined && isNewer(written.marker, marker);
}

/** GitHub may keep a text with other white space. */
const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();

const isSame = (one: string, other: string): boolean => fold(one) === fold(other);

/** How often a comment is sent in vain. */
const mostSends = 2;

/** How often it is sent at all: older runs may write over it meanwhile. */
const mostRounds = 5;

/** The text that takes a comment's place; undefined if it stays: it says the same, or a newer run wrote it. */
function textAfter(before: string, request: CommentRequest): string | undefined {
  if (isNewerRuns(before, request)) return undefined;
  const after = request.bodyAfter(before);
  const body = request.keepsClaim === true ? carryClaim(before, after) : after;
  return isSame(before, body) ? undefined : body;
}

/**
 * Sends a comment's new text, once.
 *
 * @returns that it is gone, or else why it may not have it
 */
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
 * Edits a comment, unless it says the same already or a newer run wrote it. It is read right before it is written, and
 * once more after it: an older run may have read it before, and written over it.
 *
 * @returns undefined if it is gone, or is none of ours
 * @throws the error of the last write, or NotShown
 */
async function editComment(
  octokit: Octokit,
  id: number,
  request: CommentRequest,
): Promise<WrittenComment | undefined> {
  let last: { before: string; sent: string; lost: unknown } | undefined;
  let inVain = 0;
  for (let round = 0; ; round += 1) {
    const now = await readComment(octokit, id, request);
    if (now === undefined) return undefined;
    const { body: before, url } = now;
    const isThere = last !== undefined && isSame(before, last.sent);
    const body = isThere ? undefined : textAfter(before, request);
    if (body === undefined) return { id, url, isNewer: isNewerRuns(before, request) };
    if (last?.before === before) inVain += 1;
    if (inVain === mostSends || round === mostRounds) throw last?.lost;
    const answer = await sendText(octokit, id, body);
    if (answer === 'gone') return undefined;
    last = { before, sent: body, lost: answer.lost };
  }
}

/** A comment that was just created, and by whom. */
interface Created extends WrittenComment {
  /** Absent if a look found it. */
  author?: string | undefined;
}

/** Creates the comment. If another run created one at the same time, the older one of the two stays. */
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
 * Writes our one comment on a pull request: made if there is none, edited in place, and left alone if it
 * says the same already or if a newer run wrote it.
 *
 * Ours is a comment that begins with our marker and whose author is the token's user or, for an app's token,
 * `github-actions[bot]`. The comment of another app is known by the author of what its token just created: the
 * older one is kept, the new one deleted. So no other bot's or person's comment is edited, whatever it quotes.
 *
 * Of two runs that write at once the newer one's words stay, unless the older one's edit is still on its way when the
 * newer one has read its own again: GitHub has no edit that is refused then.
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
