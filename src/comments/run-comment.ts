import type { GitHubAccess } from '../github/client.ts';
import { openThread } from '../github/comments.ts';
import { describeTrouble, type Permission } from '../github/errors.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { RunContext } from '../platform.ts';
import { accessOf, type KeyValues, keysOf, type TokenValues } from '../step/access.ts';
import type { Recorded } from '../step/end-step.ts';
import { startGracePeriod } from '../step/run-outcome.ts';
import type { Preflight, Step } from '../step/step.ts';
import { writeComment } from './comment.ts';
import { type CommentContext, readWritten } from './model/assemble.ts';
import {
  type LivePreview,
  type Marker,
  type MarkerSigner,
  markerSigner,
  type Planner,
  planKey,
} from './model/marker.ts';

/** The signer of a step's comments on an issue or a pull request. */
export function commentSignerFor(
  values: KeyValues,
  repository: string,
  number: number,
): MarkerSigner {
  return markerSigner(keysOf(values).marker, repository, number);
}

interface CommentPlan {
  /** The issue's or pull request's number. */
  number: number;
  /** True: it is an issue, which needs another permission. */
  isIssue?: boolean;
  marker: Marker;
  signer: MarkerSigner;
  runUrl: string;
  access: GitHubAccess;
  attempt: GitHubAttempt;
  /** Called with the comment's id once it is known. */
  onComment?: (id: number) => void;
}

/** Runs a write to GitHub; a failure is a warning. */
export type GitHubAttempt = (
  doing: string,
  permission: Permission,
  work: () => Promise<void>,
) => Promise<void>;

interface CommentContent {
  render: (context: CommentContext, previous: LivePreview | undefined) => string;
  /** False: only an existing comment is edited. */
  mayCreate: boolean;
  /** True: it stays the comment of the run that wrote it before, which a repeat of that run may edit. */
  keepsRun?: boolean;
}

/** The one comment of a key on an issue or a pull request. */
export class RunComment {
  readonly #plan: CommentPlan;
  #id: number | undefined;
  #url = '';
  #isNewer = false;

  /** @param known its id, if it was written before */
  constructor(plan: CommentPlan, known?: number) {
    this.#plan = plan;
    this.#id = known;
  }

  /** Its URL; empty until it is written. */
  get url(): string {
    return this.#url;
  }

  /** True if it was not changed, because a newer run wrote it. */
  get isNewer(): boolean {
    return this.#isNewer;
  }

  /** Writes it. A failure is a warning, and does not change the run's outcome. */
  async write({ render, mayCreate, keepsRun }: CommentContent, signal: AbortSignal): Promise<void> {
    const { number, isIssue, marker, signer, runUrl, access, attempt, onComment } = this.#plan;
    const bodyAfter = (before: string) => {
      const { live, marker: former } = readWritten(before, marker.key, signer) ?? {};
      const by = (keepsRun && former) || marker;
      const { runName, translate = (text: string) => text } = access.comments ?? {};
      return translate(render({ marker: by, signer, runUrl, runName }, live));
    };
    const permission = isIssue === true ? 'issues: write' : 'pull-requests: write';
    await attempt('write the comment', permission, async () => {
      const thread = await openThread(access, number, signal);
      const known = this.#id;
      const request = { marker, signer, bodyAfter, mayCreate, known };
      const written = await writeComment(thread, request);
      this.#url = written?.url ?? '';
      this.#id = written?.id;
      this.#isNewer = written?.isNewer === true;
      if (written !== undefined) onComment?.(written.id);
    });
  }
}

/** A comment that is written once, at the end of a run. */
interface FinalComment extends CommentContent, Pick<CommentPlan, 'number' | 'isIssue'> {
  /** One comment for each key. */
  key: string;
}

/**
 * Comments on an issue or a pull request at the end of a run.
 *
 * @returns the comment's URL, or empty
 */
export async function commentOnThread(
  { runUrl, ...context }: RunContext,
  values: KeyValues & TokenValues,
  { number, isIssue = false, key, ...content }: FinalComment,
  { signal, warn }: { signal: AbortSignal; warn: (diagnostic: Diagnostic<string>) => void },
): Promise<string> {
  const { runId, runAttempt } = context.identity;
  const signer = commentSignerFor(values, context.repository, number);
  const marker = { key, runId, runAttempt };
  const access = accessOf(values, context);
  const attempt = attemptWith(warn, access);
  const comment = new RunComment({ number, isIssue, marker, signer, runUrl, access, attempt });
  await comment.write(content, startGracePeriod(signal).whole);
  return comment.url;
}

/** The {@link GitHubAttempt} of a run, which warns once for each permission, and of a rate limit, which passes. */
export function attemptWith(
  warn: (diagnostic: Diagnostic<string>) => void,
  { comments }: Pick<GitHubAccess, 'comments'>,
): GitHubAttempt {
  const describeFailure = comments?.describeTrouble ?? describeTrouble;
  const warned = new Set<string>();
  return async (doing, permission, work) => {
    try {
      await work();
    } catch (error) {
      const trouble = describeFailure(doing, error, permission);
      const key = trouble.code === 'SD8001' ? `${permission} (rate limit)` : permission;
      if (!warned.has(key)) warn(trouble);
      warned.add(key);
    }
  };
}

interface PlannerStep extends Pick<Step<Exclude<Planner, 'deploy'>>, 'context'> {
  inputs: {
    get(name: 'api-key' | 'comment' | 'github-token'): string | undefined;
  };
}

/** The comment of a plan, and where it goes. */
export interface PlanComment {
  /** One comment for each key; undefined if an input of the key is wrong. */
  key: string | undefined;
  /** The input `env-ledger-key`. */
  ledgerKey: string | undefined;
  render: (context: CommentContext) => string;
  /** False: only an existing comment is edited. */
  mayCreate: boolean;
}

/** Comments on the run's pull request, unless there is none or `comment` is false. */
export async function commentPlan(
  action: Exclude<Planner, 'deploy'>,
  { inputs, context }: PlannerStep,
  { key, ledgerKey, ...content }: PlanComment,
  by: Preflight,
): Promise<Partial<Recorded>> {
  const { pullRequest: source } = context.event;
  if (source?.kind !== 'known' || key === undefined || inputs.get('comment') === 'false') return {};
  const { number } = source.pullRequest;
  const comment = { number, key: planKey(action, key), ...content };
  const access = {
    'api-key': inputs.get('api-key') ?? '',
    'env-ledger-key': ledgerKey,
    'github-token': inputs.get('github-token'),
  };
  return { commentUrl: await commentOnThread(context, access, comment, by) };
}
