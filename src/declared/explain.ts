import { listNames } from '../kernel/names.ts';
import { type Sanitize, safe } from '../kernel/text/safe.ts';
import type { Statement } from '../report/explanation.ts';

/** Explains which files a step reads, if any. */
export const explainFiles = (files: readonly string[], clean: Sanitize): Statement[] =>
  files.length === 0
    ? []
    : [
        {
          about: safe`Workspace`,
          does: safe`${listNames(files, clean)} must be checked out by an earlier step.`,
          needs: [{ scope: 'contents', level: 'read', why: safe`to check the files out` }],
        },
      ];
