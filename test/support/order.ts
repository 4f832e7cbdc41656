import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where tests mostly wait: for processes, for connections, and for time to pass. All others mostly compute. */
export const waiting = ['attacks', 'dist', 'examples', 'git', 'github', 'ledger', 'scripts'];

/** Those of them that would end last if they did not begin first. A fresh clone knows no durations to go by. */
export const longest = ['dist/services.test.ts', 'dist/github-waiting.test.ts'];

/** A file's path in `test/`, with slashes. */
const pathOf = ({ project, moduleId }: TestSpecification): string =>
  relative(project.config.root, moduleId).split(sep).slice(1).join('/');

/** How far down its list a file stands, from 0 to 1. */
const shares = (files: readonly TestSpecification[]) =>
  files.map((file, index) => [file, (index + 0.5) / files.length] as const);

/**
 * Deals files that wait and files that compute in turn, so that the ones fill the pauses of the others. In each of
 * both they come as Vitest has them: what is known or supposed to last longer first.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = sorted.filter((file) => longest.includes(pathOf(file)));
    const rest = sorted.filter((file) => !first.includes(file));
    const waits = (file: TestSpecification) =>
      waiting.some((folder) => pathOf(file).startsWith(`${folder}/`));
    const dealt = [
      ...shares(rest.filter(waits)),
      ...shares(rest.filter((file) => !waits(file))),
    ].toSorted(([, a], [, b]) => a - b);
    return [...first, ...dealt.map(([file]) => file)];
  }
}
