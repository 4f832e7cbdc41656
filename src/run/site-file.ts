import type { Problem } from '../core/problem.ts';
import type { Path, Place } from '../core/site-file/place.ts';
import type { SiteFile } from '../core/site-file/site-file.ts';
import { clean } from '../core/text/clean.ts';
import { readWorkspaceFile } from '../github/workspace.ts';

/** A site file with the places of what it says, or everything that is wrong with it. */
export type SiteReading =
  | { siteFile: SiteFile; placeOf: (path: Path) => Place }
  | { problems: Problem[]; isMissing: boolean };

/** Reads the site file that the input `config` names. */
export async function readSite(path: string, workspace: string): Promise<SiteReading> {
  const problem = (message: string) => ({ input: 'config', message: `${clean(path)} ${message}` });
  const file = await readWorkspaceFile(workspace, path);
  if ('problem' in file) {
    return { problems: [problem(file.problem)], isMissing: file.isMissing === true };
  }
  const { readSiteFile } = await import('../core/site-file/read.ts');
  const reading = readSiteFile(file.text);
  if (reading.ok) return reading;
  return {
    problems: reading.mistakes.map(({ line, column, message }) =>
      problem(`line ${line}, column ${column}: ${message}`),
    ),
    isMissing: false,
  };
}
