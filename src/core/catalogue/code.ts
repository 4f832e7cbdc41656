import type { declared } from './declared.ts';
import type { domains } from './domains.ts';
import type { ends } from './ends.ts';
import type { git } from './git.ts';
import type { github } from './github.ts';
import type { inputs } from './inputs.ts';
import type { requests } from './requests.ts';
import type { siteFile } from './site-file.ts';
import type { step } from './step.ts';
import type { variables } from './variables.ts';

type CodeOf<Table extends { entries: object }> = keyof Table['entries'];

/**
 * The code of an error or a warning. It is never given to another one, and is not used again. The tables are read as
 * types alone, so that a runner loads none of their prose.
 */
export type Code =
  | CodeOf<typeof inputs>
  | CodeOf<typeof declared>
  | CodeOf<typeof siteFile>
  | CodeOf<typeof requests>
  | CodeOf<typeof variables>
  | CodeOf<typeof ends>
  | CodeOf<typeof domains>
  | CodeOf<typeof git>
  | CodeOf<typeof github>
  | CodeOf<typeof step>;
