import type { Position } from '../../site-file/position.ts';
import type { DeclaredCheck } from './check.ts';

/** A check of the site, at the place where it starts. */
export type SiteFileCheck = DeclaredCheck & Position;
