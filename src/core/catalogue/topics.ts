import { declared } from './declared.ts';
import { domains } from './domains.ts';
import { ends } from './ends.ts';
import type { Topic } from './entry.ts';
import { git } from './git.ts';
import { github } from './github.ts';
import { inputs } from './inputs.ts';
import { requests } from './requests.ts';
import { siteFile } from './site-file.ts';
import { step } from './step.ts';
import { variables } from './variables.ts';

/** All topics of the catalogue, in the order of their codes: for the documentation, never for a run. */
export const topics: readonly Topic[] = [
  inputs,
  declared,
  siteFile,
  requests,
  variables,
  ends,
  domains,
  git,
  github,
  step,
];
