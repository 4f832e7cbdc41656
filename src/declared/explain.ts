import { listNames } from '../kernel/names.ts';
import { type Sanitize, safe } from '../kernel/text/safe.ts';
import { does, type Row } from '../report/explanation.ts';

/** Explains which files a step reads; undefined if none. */
export const explainFiles = (files: readonly string[], clean: Sanitize): Row | undefined =>
  files.length === 0
    ? undefined
    : does(
        safe`Workspace`,
        safe`${listNames(files, clean)} must be checked out by an earlier step.`,
        ['contents: read', safe`to check the files out`],
      );
