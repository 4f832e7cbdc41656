import type { GalleryScene } from './scene.ts';
import { domains } from './scenes/domains.ts';
import { explained } from './scenes/explained.ts';
import { others } from './scenes/others.ts';
import { previews } from './scenes/previews.ts';
import { production } from './scenes/production.ts';
import { variables } from './scenes/variables.ts';

/** All scenes, in the order in which the gallery shows them. */
export const scenes: readonly GalleryScene[] = [
  ...production,
  ...previews,
  ...explained,
  ...variables,
  ...domains,
  ...others,
];
