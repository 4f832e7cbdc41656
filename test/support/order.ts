import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The folders of `test/` in the order in which they run: those whose files wait longest first, so that what only
 * computes fills the pauses, and nothing long begins at the end. A fresh clone knows no durations to go by.
 */
const folders = ['git', 'attacks', 'dist', 'core', 'commands'];

const folderOf = ({ project, moduleId }: TestSpecification): string =>
  relative(project.config.root, moduleId).split(sep)[1] ?? '';

const rankOf = (file: TestSpecification): number => {
  const rank = folders.indexOf(folderOf(file));
  return rank === -1 ? folders.length : rank;
};

/** Sorts the files by their folders, and in a folder as Vitest does: what is known or supposed to last longer first. */
export class FolderOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
