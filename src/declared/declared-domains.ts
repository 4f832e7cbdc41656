import type { DomainsRequest } from '../domains/domains.ts';
import type { DomainsValues } from '../domains/inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { ReadFile } from '../platform.ts';
import {
  inOrder,
  type Mistake,
  type Path,
  type Position,
  siteProblems,
} from '../site-file/position.ts';
import type { Hidden } from '../step/open-step.ts';
import type { Step } from '../step/step.ts';
import type { SiteFile } from './model/read.ts';
import { openSite } from './open-site-file.ts';

/** The domains that a site file declares, and its problems. */
export interface DeclaredSite extends Hidden {
  declared: DomainsRequest['declared'];
  problems: readonly Problem[];
  notices: readonly string[];
}

/** The valid parts of the site file, and its problems. */
interface ReadSite {
  siteFile: SiteFile;
  positionOf: (path: Path) => Position;
  mistakes: readonly Mistake[];
  /** Why the file can't be read. */
  problems: readonly Problem[];
}

const nothing: ReadSite = {
  siteFile: { environment: [], removals: [], connectedDomains: [], registeredDomains: [] },
  positionOf: () => ({ line: 1, column: 1 }),
  mistakes: [],
  problems: [],
};

/** Reads the site file, which may be missing if there are names to check. */
async function readSiteFile(
  config: string,
  check: readonly string[],
  readFile: ReadFile,
): Promise<ReadSite> {
  const opened = await openSite(config, readFile);
  if ('reading' in opened) {
    const { reading } = opened;
    return { ...reading, mistakes: reading.ok ? [] : reading.mistakes, problems: [] };
  }
  const isFine = opened.isMissing && check.length > 0;
  return isFine ? nothing : { ...nothing, problems: [opened.problem] };
}

/** Reads the site file. It sends nothing and prints nothing. */
export async function readDomains(step: Step<DomainsValues>): Promise<DeclaredSite> {
  const { inputs } = step;
  const config = inputs.get('config') ?? '';
  const check = inputs.get('check') ?? [];
  const self = inputs.get('project-id');
  const file = await readSiteFile(config, check, step.readFile);
  const { readDeclaredDomains } = await import('../domains/intent.ts');
  const reading = readDeclaredDomains(file.siteFile, { self, positionOf: file.positionOf });
  const mistakes = inOrder(file.mistakes, reading.mistakes);
  return {
    // Variables, which may be secret, are not read here.
    secrets: [],
    declared: reading.declared,
    notices: reading.notices,
    problems: [...file.problems, ...siteProblems(config, mistakes)],
  };
}
