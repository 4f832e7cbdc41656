import { EarlyEnd } from '../frame/host.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { SetupContext } from '../release/context.ts';
import { HistoryUnreadable, type Verified } from '../release/release-history.ts';

type Missing = Extract<Verified, { kind: 'missing' }>;

const lacks: Readonly<Record<Missing['seen'], SafeText>> = {
  nothing: safe`no record of ours says that its preview was deployed with the same key`,
  'not-good': safe`its preview was deployed, and did not end well`,
  unchecked: safe`its preview was deployed without checks that held: give it verify-url, or checks in its site file`,
  'other-files': safe`its preview had other files, as after a merge onto commits that it lacks: bring the branch up to date before it is merged`,
};

/** Which preview is missing, in words. */
function describeMissing({ pullRequest, seen }: Missing): SafeText {
  if (pullRequest !== undefined) {
    const { number, head } = pullRequest;
    return safe`Pull request #${number} (head ${unsafeText(head)}) lacks it: ${lacks[seen]}`;
  }
  const what =
    seen === 'nothing' || seen === 'other-files'
      ? safe`no preview that our records know had its files`
      : lacks[seen];
  return safe`GitHub knows no pull request of the commit, and ${what}`;
}

/**
 * Why a run's commit may not be deployed: its files were not on a preview whose checks held, or that cannot be told.
 *
 * @returns undefined if it may, or nothing asks for a preview
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
      const text = safe`Nothing was written or deployed: require-verified wants the files of ${unsafeText(commit)} on a preview whose checks held. ${describeMissing(verified)}`;
      return new EarlyEnd('failed', diagnose('SD5303', text));
    }
    const { pullRequest } = verified;
    const of = pullRequest === undefined ? safe`` : safe` of pull request #${pullRequest}`;
    const text = safe`Its files were on the preview${of}, with ${unsafeText(verified.commit)}, and its checks held`;
    host.report({ type: 'note', text });
    return undefined;
  } catch (error) {
    if (!(error instanceof HistoryUnreadable)) throw error;
    const diagnostic = reword(
      error.diagnostic,
      (why) =>
        safe`Nothing was written or deployed, because require-verified cannot be decided. ${why}`,
    );
    return new EarlyEnd('failed', diagnostic);
  }
}
