import { EarlyEnd } from '../frame/step.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { SetupContext } from '../release/context.ts';
import { HistoryUnreadable, type Verified } from '../release/release-history.ts';

type Missing = Extract<Verified, { kind: 'missing' }>;

const lacks: Readonly<Record<Missing['seen'], SafeText>> = {
  nothing: safe`no preview of it is recorded with the same API key`,
  'not-good': safe`its preview was not deployed successfully`,
  unchecked: safe`its preview has no passing checks: set verify-url, or checks in the site file`,
  'other-files': safe`its preview had other files: update the branch before you merge it`,
};

/** Which preview is missing, as a sentence. */
function describeMissing({ pullRequest, seen }: Missing): SafeText {
  if (pullRequest !== undefined) {
    const { number, head } = pullRequest;
    return safe`Pull request #${number} (head ${unsafeText(head)}): ${lacks[seen]}`;
  }
  const what =
    seen === 'nothing' || seen === 'other-files'
      ? safe`no recorded preview had its files`
      : lacks[seen];
  return safe`GitHub knows no pull request of the commit, and ${what}`;
}

/**
 * Why a commit may not be deployed: no preview with its files and passing checks is recorded, or that can't be read.
 *
 * @returns undefined if it may, or no verified preview is required
 */
export async function whyUnverified({
  host,
  request,
}: SetupContext): Promise<EarlyEnd | undefined> {
  const { requireVerified, history, commit } = request;
  if (requireVerified !== true || history === undefined || commit === 'HEAD') return undefined;
  try {
    const verified = await history.findVerified(commit, host.signal);
    if (verified.kind === 'missing') {
      const text = safe`Nothing was written or deployed: require-verified needs a preview with the files of ${unsafeText(commit)} and passing checks. ${describeMissing(verified)}`;
      return new EarlyEnd('failed', diagnose('SD5303', text));
    }
    const { pullRequest } = verified;
    const of = pullRequest === undefined ? safe`` : safe` of pull request #${pullRequest}`;
    const text = safe`The preview${of} had the same files (commit ${unsafeText(verified.commit)}), and its checks passed`;
    host.report({ type: 'note', text });
    return undefined;
  } catch (error) {
    if (!(error instanceof HistoryUnreadable)) throw error;
    const diagnostic = reword(
      error.diagnostic,
      (why) => safe`Nothing was written or deployed: require-verified can't be decided. ${why}`,
    );
    return new EarlyEnd('failed', diagnostic);
  }
}
