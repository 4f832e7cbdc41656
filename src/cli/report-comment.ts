import { diagnose } from '../kernel/diagnostic.ts';
import type { CommentServer } from '../platform.ts';

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
  let last: string | undefined;
  const author = 'this run';
  const kept = () => (last === undefined ? undefined : { id: 1, body: last, url: '', author });
  /** Has the one comment that a run writes: its report. */
  const inMemory: CommentServer = {
    open: () => ({
      async *list() {
        const comment = kept();
        if (comment !== undefined) yield comment;
      },
      readAuthor: async () => author,
      read: async () => kept(),
      create: async (body) => ({ id: 1, body, url: '', author }),
      edit: async () => true,
      delete: async () => undefined,
    }),
    describeTrouble: (doing) => diagnose('SD8101', `Could not ${doing}`),
  };
  const server = given ?? inMemory;
  return {
    server: {
      ...server,
      open: (number, signal) => {
        const thread = server.open(number, signal);
        return {
          ...thread,
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
