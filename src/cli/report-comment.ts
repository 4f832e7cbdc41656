import { diagnose } from '../kernel/diagnostic.ts';
import type { CommentServer, CommentThread, ListedComment } from '../platform.ts';

/** Comments that are kept in memory: a run writes one, which is its report. */
function inMemory(): CommentServer {
  const comments: ListedComment[] = [];
  const author = 'this run';
  const find = (id: number) => comments.find((comment) => comment.id === id);
  const thread: CommentThread = {
    async *list() {
      yield* comments;
    },
    readAuthor: async () => author,
    read: async (id) => find(id),
    create: async (body) => {
      const comment = { id: comments.length + 1, body, url: '', author };
      comments.push(comment);
      return comment;
    },
    edit: async (id, body) => {
      const comment = find(id);
      if (comment !== undefined) comment.body = body;
      return comment !== undefined;
    },
    delete: async () => undefined,
  };
  return {
    open: () => thread,
    describeTrouble: (doing) => diagnose('SD8101', `Could not ${doing}`),
  };
}

/** A place for comments, and the one that was last written there. */
export interface ReportComment {
  server: CommentServer;
  /** Its Markdown without what only later runs read in it; undefined if none was written. */
  written(): string | undefined;
}

/**
 * Keeps the comment that a run writes.
 *
 * @param given where it is written besides; absent: nowhere
 */
export function reportComment(given: CommentServer | undefined): ReportComment {
  const server = given ?? inMemory();
  let last: string | undefined;
  return {
    server: {
      ...server,
      open: (number, signal) => {
        const thread = server.open(number, signal);
        return {
          list: () => thread.list(),
          readAuthor: () => thread.readAuthor(),
          read: (id) => thread.read(id),
          delete: (id) => thread.delete(id),
          create: (body) => {
            last = body;
            return thread.create(body);
          },
          edit: (id, body) => {
            last = body;
            return thread.edit(id, body);
          },
        };
      },
    },
    written: () => last?.replace(/<!--.*?-->\n*/gs, ''),
  };
}
