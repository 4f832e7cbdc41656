import type { Problem } from '../kernel/diagnostic.ts';
import type { ReadFile } from '../platform.ts';
import { type Path, type Position, siteProblem, siteProblems } from '../site-file/position.ts';
import type { SiteFile, SiteFileReading } from './model/read.ts';
/** Opens the site file that the input `config` names, and reads its valid parts. */
export async function openSite(
  path: string,
  readFile: ReadFile,
): Promise<{ reading: SiteFileReading } | { problem: Problem; isMissing: boolean }> {
  const file = await readFile(path);
  if ('problem' in file) {
    const problem = siteProblem(path, { code: 'SD2001', message: file.problem });
    return { problem, isMissing: file.isMissing === true };
  }
  const { readSiteFile } = await import('./model/read.ts');
  return { reading: readSiteFile(file.text) };
}

/** Reads a site file that must be valid. @returns it with positions, or all its problems */
export async function readSite(
  path: string,
  readFile: ReadFile,
): Promise<{ siteFile: SiteFile; positionOf: (path: Path) => Position } | { problems: Problem[] }> {
  const opened = await openSite(path, readFile);
  if ('problem' in opened) return { problems: [opened.problem] };
  const { reading } = opened;
  return reading.ok ? reading : { problems: siteProblems(path, reading.mistakes) };
}
