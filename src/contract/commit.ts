import { z } from 'zod';
import { commitPattern } from './limits.ts';

/** A commit's SHA: exactly 40 lowercase hex characters (section "Deployments", `versionId`). */
export const sha = z.string().regex(commitPattern).brand<'Sha'>();
export type Sha = z.infer<typeof sha>;

/** What is deployed: a commit, or the head of the project's own repository. */
export type Commit = Sha | 'HEAD';
