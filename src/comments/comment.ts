import { mayHaveReachedGitHub, NotShown, writeShown } from '../github/errors.ts';
import type { CommentThread, ListedComment } from '../platform.ts';
import { readWritten } from './model/assemble.ts';
import { isNewer, type Marker, type MarkerSigner, readMarker } from './model/marker.ts';

/** A comment to write. */
export interface CommentRequest {
  marker: Marker;
  /** Recognizes the markers that runs with our key wrote on this issue or pull request. */
  signer: MarkerSigner;
  /** The new text by the former one, which is empty if there is no comment. */
  bodyAfter: (before: string) => string;
  /** False: only an existing comment is edited. */
  mayCreate: boolean;
  /** The id of our comment, if it is known; undefined to search for it. */
  known: number | undefined;
}

/** A comment that was written or did not need to be. */
interface WrittenComment {
  id: number;
  url: string;
  /** True if it was not changed, because a newer run wrote it. */
  isNewer?: boolean;
}

/**
 * Writes our one comment on a pull request: creates or edits it, and leaves it unchanged if its text is the same or a newer
 * run wrote it.
 *
 * Our comment starts with our marker, and its author is the token's user or, for an app's token on GitHub,
 * `github-actions[bot]`. Another app's author is read from the comment that its token has just created, which is deleted
 * if there was an older one. So no comment of another bot or person is edited, whatever it quotes.
 *
 * If two runs write at once, the newer run's text stays, unless the older run's edit arrives after the newer run has read
 * its own again: no server here has a conditional edit.
 */
export async function writeComment(
  thread: CommentThread,
  request: CommentRequest,
): Promise<WrittenComment | undefined> {
  const { known, mayCreate } = request;
  const byId = known === undefined ? undefined : await editComment(thread, known, request);
  if (byId !== undefined) return byId;
  const oldest = await findComment(thread, request);
  const edited = oldest && (await editComment(thread, oldest.id, request));
  if (edited !== undefined || !mayCreate) return edited;
  return await createComment(thread, request);
}

/** Creates the comment. If another run created one at the same time, the older comment stays. */
async function createComment(
  thread: CommentThread,
  request: CommentRequest,
): Promise<WrittenComment> {
  const { marker } = request;
  const body = request.bodyAfter('');
  const { id, url, author } = await writeShown<ListedComment>({
    send: async () => {
      const comment = await thread.create(body);
      return readMarker(comment.body, marker.key) && comment;
    },
    find: () => findComment(thread, request),
  });
  const oldest = await findComment(thread, request, author);
  const isAlone = oldest?.id === id && isSame(oldest.body, body);
  if (oldest === undefined || oldest.id > id || isAlone) return { id, url };
  const edited = await editComment(thread, oldest.id, request);
  if (edited === undefined || oldest.id === id) return { id, url };
  await thread.delete(id);
  return edited;
}

/** Finds the oldest comment that starts with our marker and has our author, on all pages. */
async function findComment(
  thread: CommentThread,
  { marker }: Pick<CommentRequest, 'marker'>,
  author?: string,
): Promise<ListedComment | undefined> {
  let ourAuthor = author;
  for await (const comment of thread.list()) {
    if (readMarker(comment.body, marker.key) === undefined) continue;
    ourAuthor ??= await thread.readAuthor();
    if (comment.author === ourAuthor) return comment;
  }
  return undefined;
}

/** The limit of writes without effect. */
const mostSends = 2;

/** The limit of writes in all: older runs may overwrite the comment at the same time. */
const mostRounds = 5;

/**
 * Edits a comment, unless its text is the same or a newer run wrote it. It is read right before the write, and again after
 * it: an older run may have overwritten it.
 *
 * @returns undefined if it was deleted, or is not ours
 * @throws the error of the last write, or NotShown
 */
async function editComment(
  thread: CommentThread,
  id: number,
  request: CommentRequest,
): Promise<WrittenComment | undefined> {
  const { marker, signer } = request;
  let last: { before: string; sent: string; lost: unknown } | undefined;
  let failures = 0;
  for (let round = 0; ; round += 1) {
    const now = await readComment(thread, id, request);
    if (now === undefined) return undefined;
    const { body: before, url } = now;
    const written = readWritten(before, marker.key, signer);
    if (written !== undefined && isNewer(written.marker, marker)) return { id, url, isNewer: true };
    if (last !== undefined && isSame(before, last.sent)) return { id, url };
    const body = request.bodyAfter(before);
    if (isSame(before, body)) return { id, url };
    if (last?.before === before) failures += 1;
    if (failures === mostSends || round === mostRounds) throw last?.lost;
    last = { before, sent: body, lost: new NotShown() };
    try {
      if (!(await thread.edit(id, body))) return undefined;
    } catch (error) {
      if (!mayHaveReachedGitHub(error)) throw error;
      last.lost = error;
    }
  }
}

/** Reads our comment by its id; undefined if it was deleted, or is not ours. */
async function readComment(
  thread: CommentThread,
  id: number,
  { marker }: Pick<CommentRequest, 'marker'>,
): Promise<ListedComment | undefined> {
  const comment = await thread.read(id);
  return comment && readMarker(comment.body, marker.key) && comment;
}

/** GitHub may change the whitespace of a text. */
const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();

const isSame = (one: string, other: string): boolean => fold(one) === fold(other);
