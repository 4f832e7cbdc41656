import type { Problem } from '../../core/problem.ts';
import {
  type Mistake,
  type Path,
  type Position,
  showMistake,
} from '../../core/site-file/position.ts';
import type { SiteFileReading } from '../../core/site-file/read.ts';
import type { SiteFile } from '../../core/site-file/site-file.ts';
import { printable } from '../../core/text/clean.ts';
import { readWorkspaceFile } from '../../github/workspace.ts';

/** A problem of the site file, which names the file, whole: a key that was given here by mistake is then known again. */
export function siteProblem(path: string, { code, message }: Omit<Problem, 'input'>): Problem {
  return { input: 'config', code, message: `${printable(path)} ${message}` };
}

/** The mistakes of a site file as problems, each with the file and its place in it. */
export function siteProblems(path: string, mistakes: readonly Mistake[]): Problem[] {
  return mistakes.map((mistake) =>
    siteProblem(path, { code: mistake.code, message: showMistake(mistake) }),
  );
}

/** Opens the site file that the input `config` names, and reads as much of it as is right. */
export async function openSite(
  path: string,
  workspace: string,
): Promise<{ reading: SiteFileReading } | { problem: Problem; isMissing: boolean }> {
  const file = await readWorkspaceFile(workspace, path);
  if ('problem' in file) {
    const problem = siteProblem(path, { code: 'SD2001', message: file.problem });
    return { problem, isMissing: file.isMissing === true };
  }
  const { readSiteFile } = await import('../../core/site-file/read.ts');
  return { reading: readSiteFile(file.text) };
}

/** A site file with the positions of what it says, or everything that is wrong with it. */
export type SiteReading =
  | { siteFile: SiteFile; positionOf: (path: Path) => Position }
  | { problems: Problem[] };

/** Reads a site file that must be right as a whole. */
export async function readSite(path: string, workspace: string): Promise<SiteReading> {
  const opened = await openSite(path, workspace);
  if ('problem' in opened) return { problems: [opened.problem] };
  const { reading } = opened;
  return reading.ok ? reading : { problems: siteProblems(path, reading.mistakes) };
}
